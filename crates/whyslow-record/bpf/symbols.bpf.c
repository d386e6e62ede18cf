/* An iterator over the kernel's symbols that tells where the entries of hardware interrupts are. What for, and
 * what is written: src/bpf/interrupt_entries.rs. Compiled ahead into symbols.bpf.o by ./build.
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

/* As it is written. */
struct symbol {
	u64 address;
	u64 name[4];
};

/* How the names begin, `__irqent`. */
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
