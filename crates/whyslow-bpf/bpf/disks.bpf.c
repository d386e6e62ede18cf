/* The eBPF programs that report requests to disks: each copies what a tracepoint of the block layer says. Purpose:
 * src/disks.rs. Compiled ahead of time into disks.bpf.o by ./build.
 *
 * Needs neither BTF nor a certain processor. */

#include "kernel.h"

/* What each tracepoint writes begins with a header, whose place in the context has something else. */
#define HEADER_BYTES 8
#define MOST_BYTES 192

/* Bytes of what the longest of these tracepoints writes, without the header; written by the loader. */
const volatile u32 payload_bytes = 56;

enum tracepoint { INSERT, REQUEUE, ISSUE, COMPLETE };

/* The output. */
struct request {
	u64 tracepoint;
	u8 payload[MOST_BYTES];
};

INLINE int report(void *ctx, u32 tracepoint)
{
	struct request request = { .tracepoint = tracepoint };
	u32 bytes = payload_bytes;
	if (bytes > MOST_BYTES) bytes = MOST_BYTES;
	probe_read_kernel(request.payload, bytes, ctx + HEADER_BYTES);
	u32 size = sizeof(request.tracepoint) + bytes;
	perf_event_output(ctx, &output, CURRENT_CPU, &request, size);
	/* 0 would hide the event from all who record the tracepoint. */
	return 1;
}

SEC("tracepoint")
int on_disk_insert(void *ctx)
{
	return report(ctx, INSERT);
}

SEC("tracepoint")
int on_disk_requeue(void *ctx)
{
	return report(ctx, REQUEUE);
}

SEC("tracepoint")
int on_disk_issue(void *ctx)
{
	return report(ctx, ISSUE);
}

SEC("tracepoint")
int on_disk_complete(void *ctx)
{
	return report(ctx, COMPLETE);
}
