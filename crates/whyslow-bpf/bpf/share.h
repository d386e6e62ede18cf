/* How long the recorder's own programs run inside the threads that it records; see docs/decisions/recording-cost.md.
 *
 * Each CPU adds up the time from one switch to the next. It belongs to the thread that has the CPU, as the kernel's
 * account of CPU time does: the switch at which a thread leaves reports both. The program at the switch itself runs
 * after the kernel has closed the account of the thread that leaves, so its time goes to the thread that comes.
 *
 * A program that interrupts another one adds its time in the middle of it. The outer one covers that time itself, so
 * it starts from the sum that it found. */

#ifndef SHARE_H
#define SHARE_H

#include "kernel.h"

/* The occasions on which programs run that tail-call others. */
enum moment {
	AT_SWITCH,
	AT_CALL,
	AT_WAKE_UP,
	AT_SAMPLE,
	MOMENTS,
};

/* One run of a program, including the programs that it tail-calls. */
struct run {
	u64 begun_ns;
	/* The sum at that moment. */
	u64 before_ns;
	/* How many runs it stands for; 0: none is measured. */
	u64 weight;
};

struct share {
	/* Since the last switch. */
	u64 ns;
	struct run runs[MOMENTS];
};

struct shares {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	UINT(key_size, sizeof(u32));
	UINT(value_size, sizeof(struct share));
};

INLINE void begin_run(struct share *share, u32 moment, u64 now, u64 weight)
{
	if (!share) return;
	struct run *run = &share->runs[moment];
	run->begun_ns = now;
	run->before_ns = share->ns;
	run->weight = weight;
}

INLINE void end_run(struct share *share, u32 moment)
{
	if (!share) return;
	struct run *run = &share->runs[moment];
	u64 weight = run->weight;
	if (!weight) return;
	run->weight = 0;
	share->ns = run->before_ns + weight * (ktime_get_ns() - run->begun_ns);
}

/* The sums, for programs that those of whyslow.bpf.c tail-call; empty if these are not loaded. */
#define OTHER_SHARES                                                                               \
	struct {                                                                                   \
		UINT(type, MAP_ARRAY_OF_MAPS);                                                     \
		UINT(max_entries, 1);                                                              \
		TYPE(key, u32);                                                                    \
		struct shares *values[];                                                           \
	} other_shares SEC(".maps");                                                               \
                                                                                                   \
	INLINE struct share *share_here(void)                                                      \
	{                                                                                          \
		u32 key = 0;                                                                       \
		void *shares = map_lookup(&other_shares, &key);                                    \
		return shares ? map_lookup(shares, &key) : NULL;                                   \
	}

#endif
