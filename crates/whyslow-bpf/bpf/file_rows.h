/* Single calls about files: when, how long, where in the file, how many bytes were asked for and transferred. Purpose
 * and format: src/file_rows.rs. Part of file_calls.h, which knows which file a call is about.
 *
 * A thread keeps a few rows in its own memory and hands them over together, which costs a tenth of handing over each
 * one by itself. */

#ifndef FILE_ROWS_H
#define FILE_ROWS_H

#include "file_names.h"

/* ---- settings, written by the loader --------------------------------------------------------- */

/* What a row costs of the budget of its CPU, which earns one per nanosecond; 0: no rows. */
const volatile u64 row_cost_ns = 200000;
/* How much of the budget may be saved up, and how much debt the first rows of a kind may cause. */
const volatile u64 row_burst_ns = 1000000000;
/* A call that takes this long always has a row. */
const volatile u64 slow_call_ns = 1000000;

/* ---- output ---------------------------------------------------------------------------------- */

/* What is known of a row, and whether its thread slept meanwhile. */
enum {
	ROW_HAS_TIME = 1,
	ROW_HAS_OFFSET = 2,
	ROW_HAS_ASKED = 4,
	ROW_HAS_DISK = 8,
	ROW_SLEPT = 16,
};

struct file_row {
	/* When it began; without ROW_HAS_TIME, when it ended. */
	u64 start_ns, ns;
	/* The file, and the one that it was renamed or copied to; 0: none. */
	u64 file, other;
	u64 offset, asked;
	s64 result;
	/* Bytes that were read from disks for the call. */
	u64 disk;
	/* Operation, flags and error, as counts have them. */
	u32 key;
	u16 call;
	u16 known;
};

#define FILE_ROWS 16

/* Begins with the same head as counts. */
struct file_rows {
	u32 pid, tid;
	u64 from_ns, to_ns;
	u16 kind;
	u16 unused;
	u32 used;
	struct file_row rows[FILE_ROWS];
};
#define ROWS_HEAD_BYTES (sizeof(struct file_rows) - FILE_ROWS * sizeof(struct file_row))

/* Rows that a thread has collected. */
struct {
	UINT(type, MAP_TASK_STORAGE);
	UINT(map_flags, NO_PREALLOC);
	TYPE(key, int);
	TYPE(value, struct file_rows);
} row_threads SEC(".maps");

struct row_budget {
	u64 last_ns;
	s64 credit_ns;
	/* Calls that got no row, and rows for which there was no room. */
	u64 left_out, lost;
};

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, struct row_budget);
} row_budgets SEC(".maps");

INLINE struct row_budget *row_budget(void)
{
	u32 key = 0;
	return map_lookup(&row_budgets, &key);
}

/* ---- which calls have a row -------------------------------------------------------------------- */

/* The current budget of this CPU. If the caller has not read the clock, it does not grow. */
INLINE s64 row_credit(struct row_budget *budget, u64 now)
{
	s64 burst = row_burst_ns;
	if (now > budget->last_ns) {
		s64 credit = budget->credit_ns + (s64)(now - budget->last_ns);
		budget->credit_ns = credit > burst || !budget->last_ns ? burst : credit;
		budget->last_ns = now;
	}
	return budget->credit_ns;
}

/* Whether the budget allows rows for hot calls, too. */
INLINE bool has_many_rows(u64 now)
{
	struct row_budget *budget = row_budget();
	return row_cost_ns && budget && row_credit(budget, now) > (s64)(row_burst_ns / 2);
}

/* Whether the `nth` call of its kind since its thread handed over its counts gets a row: all calls while there are few;
 * otherwise slow calls, and the first, second, fourth … of each kind. */
INLINE bool takes_row(u64 now, u64 ns, u64 nth)
{
	struct row_budget *budget = row_budget();
	if (!budget || !row_cost_ns) return 0;
	s64 burst = row_burst_ns, credit = row_credit(budget, now);
	bool is_first = !(nth & (nth - 1));
	bool takes = credit > 0 || (is_first && credit > -burst) ||
		     (ns >= slow_call_ns && credit > -8 * burst);
	if (takes)
		budget->credit_ns -= row_cost_ns;
	else
		budget->left_out++;
	return takes;
}

/* ---- handing over ------------------------------------------------------------------------------ */

SHARED void hand_over_rows(void *ctx, struct file_rows *rows, u64 now)
{
	u64 used = rows->used;
	if (!used) return;
	if (used > FILE_ROWS) used = FILE_ROWS;
	hand_over_own_names(ctx, get_current_task());
	rows->to_ns = now;
	long lost = perf_event_output(ctx, &output, CURRENT_CPU, rows,
				      ROWS_HEAD_BYTES + used * sizeof(struct file_row));
	rows->used = 0;
	struct row_budget *budget = lost ? row_budget() : NULL;
	if (budget) budget->lost += used;
}

/* Hands over what the current thread has. */
INLINE void hand_over_own_rows(void *ctx, struct task_struct *task, u64 now)
{
	if (!row_cost_ns) return;
	struct file_rows *rows = task_storage_get(&row_threads, task, NULL, 0);
	if (rows) hand_over_rows(ctx, rows, now);
}

#endif
