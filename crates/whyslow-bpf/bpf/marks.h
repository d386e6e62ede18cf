/* Marks that programs set by asking for a file below a name that no file can have. Purpose and format: src/marks.rs.
 * Part of syscalls.bpf.c.
 *
 * Every mark is written at once, so it is never thinned out. */

#ifndef MARKS_H
#define MARKS_H

#include "file_calls.h"

#define ENOTDIR 20

/* Bytes of a path that are read, with the zero byte. */
#define MARK_ROOM 2048
/* Marks per second and CPU; further ones are counted as lost. */
#define MOST_MARKS 10000
/* How far up the descent of a process is followed. */
#define MOST_ANCESTORS 64

enum { MARK_CUT = 1, MARK_DESCENDS = 2 };

/* Begins with the same head as counts. The text is the whole path. */
struct mark {
	u32 pid, tid;
	u64 unused[2];
	u16 kind;
	u16 flags;
	u32 bytes;
	u8 text[MARK_ROOM];
};
#define MARK_HEAD_BYTES (sizeof(struct mark) - MARK_ROOM)

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, struct mark);
} mark_scratches SEC(".maps");

struct mark_budget {
	u64 window_ns, count;
	/* Marks that were left out, or for which there was no room. */
	u64 lost;
};

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, struct mark_budget);
} mark_budgets SEC(".maps");

INLINE struct mark *mark_scratch(void)
{
	u32 key = 0;
	return map_lookup(&mark_scratches, &key);
}

INLINE struct mark_budget *mark_budget(void)
{
	u32 key = 0;
	return map_lookup(&mark_budgets, &key);
}

/* Whether the current process descends from another one. */
GLOBAL int descends_from(u32 pid)
{
	struct task_struct *task = get_current_task(), *parent = NULL;
	int tgid = 0;
	if (!pid) return 0;
#pragma clang loop unroll(disable)
	for (u32 step = 0; step < MOST_ANCESTORS; step++) {
		READ(parent, task->parent);
		if (!parent || parent == task) return 0;
		task = parent;
		READ(tgid, task->tgid);
		if (tgid == (int)pid) return 1;
	}
	return 0;
}

/* Whether this CPU may still write a mark. */
INLINE bool may_mark(struct mark_budget *budget)
{
	u64 now = ktime_get_ns();
	if (now - budget->window_ns >= 1000000000) {
		budget->window_ns = now;
		budget->count = 0;
	}
	if (budget->count >= MOST_MARKS) return 0;
	budget->count++;
	return 1;
}

/* Reads the mark that the call with this key sets into the scratch; returns whether it sets one. */
GLOBAL int read_mark(u32 key)
{
	struct mark *mark = mark_scratch();
	struct task_struct *task = get_current_task();
	u32 how = how_of(key);
	if (!mark || (how & BY_MASK) < BY_NAME) return 0;
	u64 path = argument(task_pt_regs(task), how >> ARGUMENT_SHIFT & ARGUMENT_MASK);
	long bytes = probe_read_user_str(mark->text, MARK_ROOM, (void *)path);
	u64 *words = (void *)mark->text;
	/* "/dev/null/whyslow-mark/" has 23 bytes; a mark has a text. */
	if (bytes <= 24) return 0;
	if (words[0] != 0x6c756e2f7665642f || words[1] != 0x6f6c737968772f6c) return 0;
	if ((words[2] & 0x00ffffffffffffff) != 0x002f6b72616d2d77) return 0;
	mark->bytes = bytes - 1;
	mark->flags = bytes == MARK_ROOM ? MARK_CUT : 0;
	return 1;
}

/* Writes the mark that the call with this key sets; returns whether it sets one. */
SHARED bool take_mark(void *ctx, struct task_struct *task, u32 key)
{
	if (!read_mark(key)) return 0;
	struct mark *mark = mark_scratch();
	struct mark_budget *budget = mark_budget();
	if (!mark || !budget) return 1;
	if (!may_mark(budget)) {
		budget->lost++;
		return 1;
	}
	mark->pid = task->tgid;
	mark->tid = task->pid;
	mark->kind = MARK;
	if (descends_from(own_pid)) mark->flags |= MARK_DESCENDS;
	u64 bytes = mark->bytes & (MARK_ROOM - 1);
	if (perf_event_output(ctx, &output, CURRENT_CPU, mark, MARK_HEAD_BYTES + bytes)) budget->lost++;
	return 1;
}

/* ---- exit codes ------------------------------------------------------------------------------- */

#define NR_EXIT_GROUP 231

/* The code with which a child of the recorder ends, where the kernel keeps less of it than the program passed: a program
 * may report its time by it. Begins with the same head as counts. */
struct long_code {
	u32 pid, tid;
	u64 unused[2];
	u16 kind;
	u16 flags;
	u32 code;
};

INLINE void tell_long_code(void *ctx, struct task_struct *task)
{
	struct pt_regs *regs = task_pt_regs(task);
	struct task_struct *parent = NULL;
	int tgid = 0;
	u32 code = regs->di;
	if (regs->orig_ax != NR_EXIT_GROUP || code <= 0xff || task->thread_info.status & TS_COMPAT) return;
	READ(parent, task->parent);
	READ(tgid, parent->tgid);
	if (tgid != (int)own_pid) return;
	struct long_code long_code = { .pid = task->tgid, .tid = task->pid, .kind = LONG_CODE, .code = code };
	perf_event_output(ctx, &output, CURRENT_CPU, &long_code, sizeof(long_code));
}

#endif
