/* The eBPF programs that count system calls. Purpose and format: src/system_calls.rs. Compiled ahead of time into
 * syscalls.bpf.o by ./build.
 *
 * Every call is counted by its own thread, in memory of that thread: two CPUs never count in the same place, so the
 * counts are exact without locks. The thread itself hands over its counts, so nobody removes them while it counts.
 *
 * As in whyslow.bpf.c: only tracepoints and an iterator. The programs there tail-call on_leave and on_switch here,
 * which are attached directly only if those are not loaded.
 * Runs on x86-64, Linux 5.15 and later. */

#include "kernel.h"
#include "share.h"

OTHER_SHARES

/* ---- settings, written by the loader --------------------------------------------------------- */

const volatile u32 own_pid = 0;
/* Calls on one CPU that are closer together than this on average are hot. 0: no call is. */
const volatile u32 hot_gap_ns = 20000;
/* The least time for which a thread keeps its counts, while its memory has room for more. */
const volatile u64 keep_ns = 1000000000;
/* The same when its memory is full. */
const volatile u64 keep_full_ns = 10000000;

/* ---- output ---------------------------------------------------------------------------------- */

/* The key of a count: bits 0-11 are the call's number, 12-13 its table, 16-27 the error. */
enum {
	TABLE_SHIFT = 12,
	TABLE_32_BIT = 1,
	TABLE_X32 = 2,
	ERROR_SHIFT = 16,
	NUMBER_MASK = 0xfff,
	NO_RETURN = 1 << 28,
	OTHERS = 1 << 29,
	USED = 1 << 31,
};

struct slot {
	u32 key;
	/* How many of the calls were timed. */
	u32 timed;
	/* `bytes`: the sum of the results; these are bytes for calls that transfer data. */
	u64 count, bytes;
	/* `ns`: an estimate if not all calls were timed. */
	u64 ns, longest_ns;
};

#define SLOTS 44
#define HINTS 64

/* The counts of one thread as they are written. */
struct counts {
	u32 pid, tid;
	u64 from_ns, to_ns;
	u16 kind;
	u16 is_exiting;
	u32 used;
	struct slot slots[SLOTS];
};
#define HEAD_BYTES (sizeof(struct counts) - SLOTS * sizeof(struct slot))

#include "file_calls.h"
#include "marks.h"

/* A call that has begun. */
struct begun {
	/* When; 0: it is not timed. */
	u64 entered_ns;
	/* Bytes that had been read from disks for the thread at that time. */
	u64 read_bytes;
	/* The file that it closes; 0: none. */
	u64 closing;
	u32 number;
	/* How many calls this one represents. */
	u32 weight;
};

struct thread {
	/* The call in which it was switched out, and whether it slept. */
	struct begun call;
	u32 in_call;
	u32 slept;
	/* Where a key was last found. */
	u8 hints[HINTS];
	struct counts counts;
	struct file_thread files;
};

struct {
	UINT(type, MAP_TASK_STORAGE);
	UINT(map_flags, NO_PREALLOC);
	TYPE(key, int);
	TYPE(value, struct thread);
} threads SEC(".maps");

/* A hot call that a thread repeats. The CPU counts the repetitions, so that the thread's memory need not be looked up.
 * The thread itself counts the calls that are timed. It takes over what the CPU counted before it counts anything else,
 * and when it leaves the CPU. */
struct hot {
	/* The call and its error; 0: no call is repeated. */
	u32 key;
	u32 pid, tid;
	/* For a call about a file: its descriptor, and the thread's slot for the file. */
	u32 fd, has_file, file_at;
	u64 file;
	u32 file_key;
	/* The key of the call that the thread counted last; 0: repetitions of that call are not counted here. */
	u32 last;
	/* Calls that the thread has not yet taken over, and the sum of their results. */
	u64 count, bytes;
};

/* What a CPU is doing. */
struct cpu {
	/* The thread that made the last call here, and whether that call is still going on. */
	u32 owner, in_call;
	struct begun call;
	/* Calls since `window_ns`. */
	u64 window_ns;
	u32 calls;
	u32 is_hot;
	u32 random;
	/* Whether repeated hot calls get rows. */
	u32 has_rows;
	/* Calls whose counts could not be written or kept. */
	u64 lost_calls;
	struct hot hot;
};

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, struct cpu);
} cpus SEC(".maps");

INLINE struct cpu *this_cpu(void)
{
	u32 key = 0;
	return map_lookup(&cpus, &key);
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Hands over the counts. If there is no room for them now, they are kept. */
SHARED bool hand_over(void *ctx, struct thread *thread, u64 now)
{
	struct counts *counts = &thread->counts;
	u64 used = counts->used;
	if (!used) return 1;
	if (used > SLOTS) used = SLOTS;
	counts->to_ns = now;
	if (perf_event_output(ctx, &output, CURRENT_CPU, counts,
			      HEAD_BYTES + used * sizeof(struct slot)))
		return 0;
	counts->from_ns = now;
	counts->used = 0;
	return 1;
}

/* Hands over the counts for the last time. If there is no room for them, they are lost, and counted as lost. */
SHARED bool hand_over_or_lose(void *ctx, struct thread *thread, struct cpu *cpu, u64 now)
{
	struct counts *counts = &thread->counts;
	if (hand_over(ctx, thread, now)) return 1;
#pragma clang loop unroll(disable)
	for (u32 at = 0; at < SLOTS; at++) {
		if (at >= counts->used) break;
		cpu->lost_calls += counts->slots[at].count;
	}
	counts->from_ns = now;
	counts->used = 0;
	return 0;
}

/* Where to look first for a key. */
INLINE u32 hint_of(u32 key)
{
	return (key ^ key >> ERROR_SHIFT ^ key >> 6) & (HINTS - 1);
}

/* Finds the slot of a key that is not where its hint says, or takes a new one. The last slot is for all keys for which
 * there is no other. Returns its index; SLOTS: there is none. */
GLOBAL u32 search(struct thread *thread, u32 key)
{
	if (!thread) return SLOTS;
	struct counts *counts = &thread->counts;
	u32 used = counts->used;
	if (used > SLOTS) return SLOTS;
	u32 hint = hint_of(key), at;
	for (at = 0; at < SLOTS; at++) {
		if (at >= used) break;
		if (counts->slots[at].key == key) {
			thread->hints[hint] = at;
			return at;
		}
	}
	at = used;
	if (at >= SLOTS - 1) {
		if (at >= SLOTS) return SLOTS - 1;
		key = OTHERS | USED;
	} else {
		thread->hints[hint] = at;
	}
	struct slot *slot = &counts->slots[at];
	slot->key = key;
	slot->timed = 0;
	slot->count = 0;
	slot->bytes = 0;
	slot->ns = 0;
	slot->longest_ns = 0;
	counts->used = used + 1;
	return at;
}

/* The index of the slot of a key; SLOTS: there is none. */
INLINE u32 find(struct thread *thread, u32 key)
{
	u32 at = thread->hints[hint_of(key)];
	if (at < thread->counts.used && at < SLOTS && thread->counts.slots[at].key == key) return at;
	return search(thread, key);
}

/* Counts a call that ended: it took `ns` (0: not timed), and represents `weight` calls. */
INLINE void count(struct thread *thread, u32 key, s64 result, u64 ns, u32 weight)
{
	u32 at = find(thread, key);
	if (at >= SLOTS) return;
	struct slot *slot = &thread->counts.slots[at];
	slot->count++;
	if (result > 0) slot->bytes += result;
	if (!ns) return;
	slot->timed++;
	slot->ns += ns * weight;
	if (ns > slot->longest_ns) slot->longest_ns = ns;
}

/* The key of a call of the current task, without its result. */
INLINE u32 key_of(struct task_struct *task, u64 number)
{
	u32 table = 0;
	if (task->thread_info.status & TS_COMPAT) {
		table = TABLE_32_BIT;
	} else if (number & X32_BIT) {
		table = TABLE_X32;
		number &= ~(u64)X32_BIT;
	}
	if (number > NUMBER_MASK) number = NUMBER_MASK;
	return number | table << TABLE_SHIFT | USED;
}

#define NR_CLOSE 3

/* Bytes that were read from disks for a thread. */
INLINE u64 read_bytes(struct task_struct *task)
{
	return HAS_FIELD(task->ioac.read_bytes) ? task->ioac.read_bytes : 0;
}

/* Whether the call replaces the program: what was counted before it belongs to the old program. */
INLINE bool is_exec(u32 key)
{
	u32 call = key & (NUMBER_MASK | 3 << TABLE_SHIFT);
	return call == 59 || call == 322 || call == (TABLE_32_BIT << TABLE_SHIFT | 11) ||
	       call == (TABLE_32_BIT << TABLE_SHIFT | 358) ||
	       call == (TABLE_X32 << TABLE_SHIFT | 520) || call == (TABLE_X32 << TABLE_SHIFT | 545);
}

/* Whether the call returns a second time, in the new thread. */
INLINE bool is_clone(u32 key)
{
	u32 call = key & NUMBER_MASK;
	if ((key >> TABLE_SHIFT & 3) == TABLE_32_BIT)
		return call == 2 || call == 120 || call == 190 || call == 435;
	return (call >= 56 && call <= 58) || call == 435;
}

/* Whether the result of the call is that of an interrupted one. */
INLINE bool is_sigreturn(u32 key)
{
	u32 call = key & NUMBER_MASK;
	switch (key >> TABLE_SHIFT & 3) {
	case TABLE_32_BIT: return call == 119 || call == 173;
	case TABLE_X32: return call == 513;
	default: return call == 15;
	}
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The number of calls by which hotness is decided; and one in 2^HOT_SHIFT hot calls is timed. */
#define WINDOW 64
#define HOT_SHIFT 4
/* In one of 2^MEASURED_SHIFT hot calls, the program that runs at its beginning is measured. */
#define MEASURED_SHIFT 6

/* The time between two moments, at least 1: 0 means that a call was not timed. */
INLINE u64 elapsed(u64 from, u64 to)
{
	return to > from ? to - from : 1;
}

/* What a call does with files; 0: nothing, or not known. */
INLINE u32 file_how(u32 key)
{
	return has_files && !(key & (3 << TABLE_SHIFT)) ? how_of(key) : 0;
}

/* Whether the call that begins is timed. */
INLINE bool is_timed(struct cpu *cpu)
{
	cpu->calls++;
	cpu->call.weight = 1;
	if (!cpu->is_hot) return 1;
	/* Chosen at random, because programs make calls in patterns. */
	cpu->random = cpu->random * 1664525 + 1013904223;
	if (cpu->random >> (32 - HOT_SHIFT)) return 0;
	cpu->call.weight = 1 << HOT_SHIFT;
	return 1;
}

/* Whether the program that runs at the beginning of a timed call is measured. */
INLINE bool is_measured(struct cpu *cpu)
{
	return !cpu->is_hot || !(cpu->random >> (32 - MEASURED_SHIFT));
}

/* Returns the time at which a timed call begins. The program has been running since `begun`; 0: not measured. */
INLINE u64 begin(struct cpu *cpu, u64 begun)
{
	struct share *share = begun ? share_here() : NULL;
	u64 now = ktime_get_ns();
	if (share) share->ns += (now - begun) * (cpu->is_hot ? 1 << MEASURED_SHIFT : 1);
	if (cpu->calls >= WINDOW) {
		cpu->is_hot = now - cpu->window_ns < (u64)cpu->calls * hot_gap_ns;
		cpu->has_rows = has_many_rows(now);
		cpu->window_ns = now;
		cpu->calls = 0;
	}
	return now;
}

/* ---- hot calls ------------------------------------------------------------------------------- */

/* The thread takes over what this CPU counted for it. */
GLOBAL int take_hot(struct cpu *cpu, struct thread *thread)
{
	if (!cpu || !thread) return 0;
	struct hot *hot = &cpu->hot;
	u64 count = hot->count;
	u32 at = find(thread, hot->key);
	hot->count = 0;
	if (at >= SLOTS) {
		cpu->lost_calls += count;
		return 0;
	}
	struct slot *slot = &thread->counts.slots[at];
	slot->count += count;
	slot->bytes += hot->bytes;
	at = hot->file_at;
	if (!hot->has_file || at >= FILE_SLOTS) return 0;
	struct file_slot *of_file = &thread->files.counts.slots[at];
	of_file->count += count;
	of_file->bytes += hot->bytes;
	return 0;
}

/* Stops counting on this CPU, for one of its threads. */
INLINE void end_hot(struct cpu *cpu, struct thread *thread, u32 tid)
{
	struct hot *hot = &cpu->hot;
	if (hot->count && hot->tid == tid) take_hot(cpu, thread);
	/* They belong to a thread whose departure no switch reported. */
	if (hot->count && hot->tid != tid) {
		cpu->lost_calls += hot->count;
		hot->count = 0;
	}
	hot->key = 0;
}

/* Counts a call on this CPU if it repeats the one before; returns whether it does. */
INLINE bool count_hot(struct cpu *cpu, struct task_struct *task, struct pt_regs *regs, s64 result)
{
	struct hot *hot = &cpu->hot;
	if (!hot->key || cpu->call.entered_ns || !cpu->in_call) return 0;
	if (hot->tid != (u32)task->pid || cpu->owner != hot->tid) return 0;
	u32 key = cpu->call.number;
	if (result < 0 && result >= -MAX_ERRNO) key |= (u32)-result << ERROR_SHIFT;
	if (key != hot->key) return 0;
	if (hot->has_file) {
		if ((u32)regs->di != hot->fd || read_bytes(task) != cpu->call.read_bytes) return 0;
	}
	cpu->in_call = 0;
	hot->count++;
	if (result > 0) hot->bytes += result;
	return 1;
}

/* Makes this CPU count the repetitions of a call, once the thread has counted it twice in a row. `may_repeat`: whether
 * everything that it did is known. If it is about a file, only the thread itself may be able to change what its
 * descriptor refers to. */
GLOBAL int begin_hot(struct cpu *cpu, struct thread *thread, u32 key, u32 may_repeat)
{
	struct task_struct *task = get_current_task();
	if (!cpu || !thread) return 0;
	struct hot *hot = &cpu->hot;
	struct repeated *repeated = &thread->files.repeated[thread->files.last & 1];
	bool is_again = may_repeat && hot->last == key && hot->tid == (u32)task->pid;
	u32 how = file_how(key);
	hot->last = may_repeat ? key : 0;
	hot->tid = task->pid;
	if (!is_again || !cpu->is_hot || cpu->has_rows || is_sigreturn(key) || is_clone(key)) return 0;
	if (how && !repeated->is_own) return 0;
	hot->fd = repeated->fd;
	hot->has_file = how != 0;
	hot->file_at = repeated->at;
	hot->pid = task->tgid;
	hot->file = repeated->file;
	hot->file_key = repeated->key;
	hot->bytes = 0;
	hot->count = 0;
	hot->key = key;
	return 0;
}

/* ---- programs -------------------------------------------------------------------------------- */

SEC("tp_btf/sys_enter")
int on_enter(u64 *ctx)
{
	struct task_struct *task = get_current_task();
	struct cpu *cpu = this_cpu();
	if (!cpu || task->tgid == (int)own_pid) return 1;
	bool timed = is_timed(cpu);
	u64 begun = timed && is_measured(cpu) ? ktime_get_ns() : 0;
	u32 key = key_of(task, ctx[1]);
	bool closes = has_files && key == (u32)(NR_CLOSE | USED);
	struct thread *thread = NULL;
	if (closes || cpu->owner != (u32)task->pid || is_exec(key))
		thread = task_storage_get(&threads, task, NULL, STORAGE_CREATE);
	if (cpu->owner != (u32)task->pid || is_exec(key)) {
		if (thread) end_hot(cpu, thread, task->pid);
		/* They belong to a thread whose departure no switch reported. */
		cpu->lost_calls += cpu->hot.count;
		cpu->hot.count = 0;
		cpu->hot.key = 0;
		/* What follows may belong to another program. */
		if (thread && is_exec(key)) {
			u64 now = ktime_get_ns();
			hand_over_or_lose(ctx, thread, cpu, now);
			hand_over_or_lose_files(ctx, &thread->files.counts, now);
			hand_over_own_rows(ctx, task, now);
			thread->files.opened = 0;
		}
		cpu->owner = task->pid;
	}
	cpu->call.number = key;
	cpu->call.read_bytes = read_bytes(task);
	cpu->call.closing = 0;
	if (closes && thread) cpu->call.closing = enter_close(ctx, task, &thread->files);
	cpu->in_call = 1;
	cpu->call.entered_ns = timed ? begin(cpu, begun) : 0;
	return 1;
}

/* What is to be done at a switch. */
INLINE void leave_cpu(u64 *ctx)
{
	struct task_struct *prev = (void *)ctx[1];
	struct cpu *cpu = this_cpu();
	if (!cpu || (!cpu->in_call && !cpu->hot.key)) return;
	bool in_call = cpu->in_call && cpu->owner == (u32)prev->pid;
	cpu->in_call = 0;
	if (!in_call && cpu->hot.tid != (u32)prev->pid) return;
	struct thread *thread = task_storage_get(&threads, prev, NULL, 0);
	if (!thread) return;
	end_hot(cpu, thread, prev->pid);
	if (!in_call) return;
	/* All calls that lose the CPU are timed, at least from this moment on, and represent only themselves. */
	thread->call = cpu->call;
	if (!thread->call.entered_ns) thread->call.entered_ns = ktime_get_ns();
	thread->call.weight = 1;
	thread->slept = !ctx[0] && ctx[3];
	thread->in_call = 1;
}

SEC("tp_btf/sched_switch")
int on_switch(u64 *ctx)
{
	leave_cpu(ctx);
	end_run(share_here(), AT_SWITCH);
	return 1;
}

/* Finds the call that the current thread is in, and whether it slept. Returns its key; 0: not known to be in one. */
INLINE u32 take_call(struct cpu *cpu, struct task_struct *task, struct thread *thread,
		     struct begun *call, bool *slept)
{
	if (cpu->in_call && cpu->owner == (u32)task->pid) {
		cpu->in_call = 0;
		*call = cpu->call;
		return call->number;
	}
	if (!thread->in_call) return 0;
	thread->in_call = 0;
	*call = thread->call;
	*slept = thread->slept;
	return call->number;
}

/* Counts a call that ends. */
SHARED long leave(u64 *ctx)
{
	struct task_struct *task = get_current_task();
	struct cpu *cpu = this_cpu();
	if (!cpu || task->tgid == (int)own_pid) return 1;
	struct pt_regs *regs = (void *)ctx[0];
	s64 result = ctx[1];
	if (count_hot(cpu, task, regs, result)) return 1;
	struct thread *thread = task_storage_get(&threads, task, NULL, STORAGE_CREATE);
	if (!thread) {
		cpu->lost_calls++;
		return 1;
	}
	end_hot(cpu, thread, task->pid);
	struct begun call = { .weight = 1 };
	bool slept = 0;
	u32 key = take_call(cpu, task, thread, &call, &slept);
	bool is_begun = key;
	u64 entered = call.entered_ns;
	u32 weight = call.weight;
	if (!key) {
		/* It began before the programs were attached, or a filter forbade it; or it is the second
		 * return of a call that creates a thread. */
		key = key_of(task, regs->orig_ax);
		if (!result && is_clone(key)) return 1;
	}
	if (result < 0 && result >= -MAX_ERRNO && !is_sigreturn(key)) key |= (u32)-result << ERROR_SHIFT;
	u64 now = entered ? ktime_get_ns() : 0;
	struct counts *counts = &thread->counts;
	if (!counts->used) {
		counts->from_ns = entered ? entered : ktime_get_ns();
		counts->pid = task->tgid;
		counts->tid = task->pid;
	}
	u64 ns = now ? elapsed(entered, now) : 0;
	count(thread, key, result, ns, weight);
	u32 how = file_how(key);
	/* A call that sets a mark is counted, but is about no file. Such results never repeat hot calls, because each
	 * may be another mark. */
	bool is_nowhere = result == -ENOTDIR && !(key & (3 << TABLE_SHIFT));
	bool is_mark = is_nowhere && take_mark(ctx, task, key);
	bool may_have_file = how && how != CHANGES_DESCRIPTORS && !is_mark;
	u64 disk = is_begun ? read_bytes(task) - call.read_bytes : 0;
	/* The code that counts files below handles what a call does to descriptors, except for calls that read from a
	 * disk. Calls of other tables are not known. */
	bool changes_descriptors = how == CHANGES_DESCRIPTORS || key & (3 << TABLE_SHIFT);
	if (changes_descriptors) thread->files.opened = 0;
	if (changes_descriptors || disk) forget_repeated(&thread->files);
	bool is_counted = may_have_file && !disk &&
			  count_again(&thread->files, task, regs, key, how, result, ns, weight);
	begin_hot(cpu, thread, key, is_begun && !disk && !is_nowhere && (is_counted || !how));
	/* Repeated hot calls get rows only while the budget allows many. */
	bool has_row = may_have_file && (!is_counted || !cpu->is_hot || cpu->has_rows);
	struct file_scratch *scratch = has_row ? file_scratch() : NULL;
	if (scratch) {
		scratch->call = (struct file_call){
			.file = call.closing, .now = now, .ns = ns, .result = result, .key = key,
			.weight = weight, .disk = disk, .slept = slept,
			.has_disk = is_begun && HAS_FIELD(task->ioac.read_bytes),
		};
		if (is_counted)
			add_row_again(ctx, &thread->files, scratch);
		else
			leave_file_call(ctx, &thread->files, scratch);
	}
	bool is_full = counts->used >= SLOTS - 1;
	if (is_full && !now) now = ktime_get_ns();
	if (!now) return 1;
	if (now - counts->from_ns >= (is_full ? keep_full_ns : keep_ns)) hand_over(ctx, thread, now);
	if (thread->files.counts.used && now - thread->files.counts.from_ns >= keep_ns) {
		/* The slot of the repeated call is handed over, too. */
		cpu->hot.key = 0;
		hand_over_files(ctx, &thread->files.counts, now);
		hand_over_own_rows(ctx, task, now);
	}
	return 1;
}

SEC("tp_btf/sys_exit")
int on_leave(u64 *ctx)
{
	leave(ctx);
	return 1;
}

/* The same where that is measured. */
SEC("tp_btf/sys_exit")
int on_measured_leave(u64 *ctx)
{
	leave(ctx);
	end_run(share_here(), AT_CALL);
	return 1;
}

SEC("tp_btf/sched_process_exit")
int on_exit(u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	struct cpu *cpu = this_cpu();
	if (!cpu || task->tgid == (int)own_pid) return 1;
	tell_long_code(ctx, task);
	struct thread *thread = task_storage_get(&threads, task, NULL, 0);
	if (!thread) return 1;
	u64 now = ktime_get_ns();
	struct begun call = { .weight = 1 };
	bool slept = 0;
	end_hot(cpu, thread, task->pid);
	u32 key = take_call(cpu, task, thread, &call, &slept);
	u64 entered = call.entered_ns;
	struct counts *counts = &thread->counts;
	if (!counts->used) counts->from_ns = entered ? entered : now;
	if (key) count(thread, key | NO_RETURN, 0, entered ? elapsed(entered, now) : 0, call.weight);
	counts->pid = task->tgid;
	counts->tid = task->pid;
	counts->is_exiting = 1;
	hand_over_or_lose(ctx, thread, cpu, now);
	hand_over_or_lose_files(ctx, &thread->files.counts, now);
	hand_over_own_rows(ctx, task, now);
	if (has_files) hand_over_or_lose_names(ctx, task);
	return 1;
}

/* Lists what all threads have counted and not handed over. The programs above must be detached by then. */
SEC("iter/task")
int list_counts(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	if (!task) return 0;
	struct thread *thread = task_storage_get(&threads, task, NULL, 0);
	if (!thread) return 0;
	struct counts *counts = &thread->counts;
	u64 used = counts->used;
	if (used > SLOTS) used = SLOTS;
	counts->pid = task->tgid;
	counts->tid = task->pid;
	if (used) seq_write(ctx->meta->seq, counts, HEAD_BYTES + used * sizeof(struct slot));
	/* Names come before the records that refer to them. */
	struct file_names *names = task_storage_get(&name_threads, task, NULL, 0);
	if (names && names->used) {
		leave_out_renamed(names);
		seq_write(ctx->meta->seq, names, names_size(names));
	}
	struct file_counts *files = &thread->files.counts;
	used = files->used;
	if (used > FILE_SLOTS) used = FILE_SLOTS;
	files->kind = FILE_CALLS;
	if (used)
		seq_write(ctx->meta->seq, files, FILE_HEAD_BYTES + used * sizeof(struct file_slot));
	struct file_rows *rows = task_storage_get(&row_threads, task, NULL, 0);
	used = rows ? rows->used : 0;
	if (used > FILE_ROWS) used = FILE_ROWS;
	if (rows && used)
		seq_write(ctx->meta->seq, rows, ROWS_HEAD_BYTES + used * sizeof(struct file_row));
	return 0;
}

/* Forgets all threads. The programs above must be detached by then. */
SEC("iter/task")
int forget_thread(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	if (!task) return 0;
	forget(&threads, task, ctx->meta->seq);
	forget(&name_threads, task, ctx->meta->seq);
	forget(&row_threads, task, ctx->meta->seq);
	return 0;
}
