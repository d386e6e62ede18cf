/* Tail calls to other programs that have to run at the same tracepoint. A second program attached there would cost
 * each call and each switch of the machine far more than a jump does. Empty places are skipped. */

#ifndef ENDS_H
#define ENDS_H

#include "kernel.h"

/* The program that follows connections, at the end of `accept`. */
struct called then_accept SEC(".maps");
/* The program that counts calls, twice: the second one is for runs that are measured (share.h). */
struct {
	UINT(type, MAP_PROG_ARRAY);
	UINT(max_entries, 2);
	UINT(key_size, sizeof(u32));
	UINT(value_size, sizeof(u32));
} then_call SEC(".maps");
struct called then_switch SEC(".maps");

/* The last thing that a program does at the end of a call. */
INLINE void end_call(u64 *ctx, u32 is_measured)
{
	struct pt_regs *regs = (void *)ctx[0];
	u64 number = regs->orig_ax;
	if (number == NR_ACCEPT || number == NR_ACCEPT4) tail_call(ctx, &then_accept, 0);
	tail_call(ctx, &then_call, is_measured);
}

/* The same at a switch. */
INLINE void end_switch(u64 *ctx)
{
	tail_call(ctx, &then_switch, 0);
}

#endif
