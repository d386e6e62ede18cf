/* An iterator over the kernel's symbols that finds the entry code of hardware interrupts. Purpose and output:
 * src/interrupt_entries.rs. Compiled ahead of time into symbols.bpf.o by ./build.
 *
 * Runs on Linux 6.0 and later. */

#include "kernel.h"

struct kallsym_iter {
	unsigned long value;
	char name[64];
} CORE;

struct bpf_iter__ksym {
	struct bpf_iter_meta *meta;
	struct kallsym_iter *ksym;
} CORE;

/* The output. */
struct symbol {
	u64 address;
	u64 name[4];
};

/* The first eight bytes of the names: `__irqent`. */
#define BEGIN 0x746e657172695f5fULL

SEC("iter/ksym")
int list_entries(struct bpf_iter__ksym *ctx)
{
	struct kallsym_iter *ksym = ctx->ksym;
	if (!ksym) return 0;
	struct symbol symbol = {};
	probe_read_kernel_str(symbol.name, sizeof(symbol.name), ksym->name);
	if (symbol.name[0] != BEGIN) return 0;
	symbol.address = ksym->value;
	seq_write(ctx->meta->seq, &symbol, sizeof(symbol));
	return 0;
}
