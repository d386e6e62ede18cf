/* The eBPF programs of the recorder. Purpose: src/lib.rs; layout of their output: src/payload.rs. Compiled ahead of
 * time into whyslow.bpf.o by ./build; users need no clang.
 *
 * Only tracepoints, a perf event program and iterators: kprobes and fentry are forbidden on many machines.
 *
 * Runs on x86-64, Linux 5.15 and later (bpf_task_pt_regs). */

#include "kernel.h"
#include "ends.h"
#include "share.h"

#define NR_CONNECT 42
#define NR_EXECVE 59
#define NR_EXECVEAT 322

/* ---- settings, written by the loader --------------------------------------------------------- */

const volatile u64 wait_threshold_ns = 1000000;
/* What 1 KB of stack takes from the budget of its kind. A budget is in ns and grows with the time that passes. */
const volatile u64 kilobyte_cost_ns = 128000;
const volatile u64 sample_kilobyte_cost_ns = 21000;
const volatile u64 burst_ns = 100000000;
const volatile u32 own_pid = 0;
/* Whether these programs report switches and wake-ups; otherwise perf events on the tracepoints do. */
const volatile u32 reports_switches = 0;
/* What the kernel stack of a switch takes from the budget of its kind. */
const volatile u64 chain_cost_ns = 20000;
/* After its first visits (FIRST_VISITS), a site is in the sample at most once in this time. */
const volatile u64 site_chain_interval_ns = 500000;
const volatile u64 site_dump_interval_ns = 5000000;
const volatile u32 inner_limit = 36 << 10;
const volatile u32 outer_limit = 24 << 10;
/* The addresses of the entry code of hardware interrupts; 0: not known. */
const volatile u64 irq_entry_start = 0;
const volatile u64 irq_entry_end = 0;
/* Words in a mask of CPUs, at most CPU_WORDS. */
const volatile u32 cpu_words = 1;

/* ---- output ---------------------------------------------------------------------------------- */

enum kind {
	WAIT = 1,
	BLOCK,
	PREEMPTED,
	SAMPLE,
	WAKER,
	EXEC,
	EXIT,
	AFFINITY,
	SWITCH,
	WAKING,
	CALL,
	OBJECT,
	KINDS,
};
enum { HAS_STACK = 1, IS_EXITING = 2 };
enum waker_kind { BY_THREAD, BY_KERNEL_THREAD, BY_INTERRUPT, BY_UNKNOWN };

struct head {
	u32 kind, flags;
	u32 pid, tid;
	u64 time_ns;
};

struct wait {
	u64 since_ns, wait_ns, sampled_ns;
	u32 wait_count, sampled_count;
	u64 system_call;
};

#define NOT_KNOWN (~0ULL)

/* The head is about the thread that leaves. */
struct switched {
	u64 prev_state, site, next_waker_site;
	/* CPU time of the running interval that ends, as the kernel accounts it, or NOT_KNOWN; and how much of it the
	 * recorder's programs took. */
	u64 cpu_ns, own_ns;
	u32 next_tid, prev_prio, next_prio;
	/* Whether the tracepoint did not report it. */
	u32 is_unseen;
	u64 prev_comm[2], next_comm[2];
};

/* The head is about the waker. */
struct waking {
	/* The site of the wake-up; 0: not in the sample. */
	u64 site;
	u32 target_tid, target_prio, target_cpu;
	/* IN_HARDIRQ or IN_SOFTIRQ, as in `common_flags` of the tracepoint. */
	u32 context;
	u64 target_comm[2];
};

struct waker {
	u64 wait_start_ns;
	u32 target_pid, target_tid;
	u64 kind;
};

/* A call, and how many calls of its thread it represents. */
struct call {
	u64 system_call, calls;
};

struct exec {
	u64 total_bytes, bytes;
	u64 most_pages;
};

/* User registers in the order of perf's register mask, then the sizes of the copied parts of the stack. */
struct stack {
	u64 ax, bx, cx, dx, si, di, bp, sp, ip;
	u64 r8, r9, r10, r11, r12, r13, r14, r15;
	u64 outer_start;
	u32 inner_bytes, outer_bytes;
};

#define INNER_ROOM (64 << 10)
#define OUTER_ROOM (32 << 10)
#define WHOLE_LIMIT (60 << 10)
/* Bytes below the stack pointer that belong to the innermost function. */
#define RED_ZONE 128
#define REDUCED_LIMIT (16 << 10)
/* The outermost part, in addition: a single frame may be larger than the limit. */
#define REDUCED_OUTER (4 << 10)
#define PAGE 4096

/* The headers before `data` are placed so that they end where `data` begins. */
struct buffer {
	u64 busy;
	u8 front[248];
	u8 data[INNER_ROOM + OUTER_ROOM];
};
#define FRONT 256

/* A program may be interrupted by another one on the same CPU: task, interrupt, NMI. */
#define LEVELS 3

struct {
	UINT(type, MAP_ARRAY);
	UINT(max_entries, LEVELS);
	TYPE(key, u32);
	TYPE(value, struct buffer);
} buffers SEC(".maps");

/* The same, for records with the kernel's call chain. */
struct events_by_cpu chained_output SEC(".maps");

/* Tail calls after a stack was copied; empty: nothing more is read from the thread. */
struct called after_sample SEC(".maps");
struct called after_wait SEC(".maps");
struct called after_switch SEC(".maps");
struct called after_waking SEC(".maps");

struct counter {
	u64 written, limited, lost, unreadable;
};

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, KINDS);
	TYPE(key, u32);
	TYPE(value, struct counter);
} counters SEC(".maps");

#define DEEPEST_DEBT_NS 1000000000

struct bucket {
	u64 last_ns;
	s64 credit_ns;
};

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, KINDS);
	TYPE(key, u32);
	TYPE(value, struct bucket);
} buckets SEC(".maps");

/* A place at which threads leave the CPU. A slot belongs to the site that used it last: if two sites take turns, each
 * counts as new every time, with the costs of a new one. */
struct site {
	u64 key;
	u64 chain_ns, dump_ns;
	u32 chains, dumps;
};

#define SITES (16 << 10)
/* How many first visits of a site are in the sample, however soon they follow each other. */
#define FIRST_VISITS 4

struct {
	UINT(type, MAP_ARRAY);
	UINT(max_entries, SITES);
	TYPE(key, u32);
	TYPE(value, struct site);
} sites SEC(".maps");

INLINE struct counter *counter(u32 kind)
{
	return map_lookup(&counters, &kind);
}

#define COUNT(kind, what)                                                                          \
	do {                                                                                       \
		struct counter *one = counter(kind);                                               \
		if (one) one->what++;                                                              \
	} while (0)

/* The current budget of this kind. */
SHARED s64 credit(u32 kind, u64 now)
{
	struct bucket *bucket = map_lookup(&buckets, &kind);
	if (!bucket) return -(s64)DEEPEST_DEBT_NS;
	s64 credit = bucket->credit_ns + (s64)(now - bucket->last_ns);
	if (credit > (s64)burst_ns || !bucket->last_ns) credit = burst_ns;
	bucket->last_ns = now;
	bucket->credit_ns = credit;
	return credit;
}

/* Whether the budget of this kind allows a stack now. */
INLINE bool may_dump(u32 kind, u64 now)
{
	if (credit(kind, now) > 0) return 1;
	COUNT(kind, limited);
	return 0;
}

/* ---- sites ----------------------------------------------------------------------------------- */

/* The slot of a site; it is cleared if it belonged to another one. */
SHARED struct site *site_of(u64 key)
{
	u32 slot = key & (SITES - 1);
	struct site *site = map_lookup(&sites, &slot);
	if (site && site->key != key) {
		site->key = key;
		site->chain_ns = 0;
		site->dump_ns = 0;
		site->chains = 0;
		site->dumps = 0;
	}
	return site;
}

/* Whether an event at this site (0: at none) gets a kernel stack: if it is in the sample, and the budget allows it. Sites
 * without a stack may overdraw the budget. */
SHARED bool takes_chain(u32 kind, u64 key, u64 now)
{
	struct site *site = key ? site_of(key) : NULL;
	bool is_first = site && site->chains < FIRST_VISITS;
	if (site && !is_first && now - site->chain_ns < site_chain_interval_ns) return 0;
	s64 left = credit(kind, now);
	if (left <= (is_first ? -(s64)DEEPEST_DEBT_NS : 0)) {
		COUNT(kind, limited);
		return 0;
	}
	struct bucket *bucket = map_lookup(&buckets, &kind);
	if (bucket) bucket->credit_ns -= chain_cost_ns;
	if (site) {
		site->chains++;
		site->chain_ns = now;
	}
	return 1;
}

/* Whether an event at this site (0: at none) gets a user stack: every event while the budget is plentiful; then those in
 * the sample; then only those at sites without a stack. */
SHARED bool takes_dump(u32 kind, u64 key, u64 now, bool is_of_sample_only)
{
	struct site *site = key ? site_of(key) : NULL;
	bool is_first = site && site->dumps < FIRST_VISITS;
	bool is_due = !site || is_first || now - site->dump_ns >= site_dump_interval_ns;
	s64 left = credit(kind, now);
	bool may = is_first ? left > -(s64)DEEPEST_DEBT_NS :
		   is_due   ? left > 0 :
			      left > (s64)(burst_ns / 2) && !is_of_sample_only;
	if (!may) {
		if (!is_of_sample_only || is_due) COUNT(kind, limited);
		return 0;
	}
	if (site) {
		site->dumps++;
		site->dump_ns = now;
	}
	return 1;
}

/* Pays for a stack, on credit if necessary: later ones have to wait. */
INLINE void pay(u32 kind, u64 bytes)
{
	struct bucket *bucket = map_lookup(&buckets, &kind);
	u64 cost = kind == SAMPLE ? sample_kilobyte_cost_ns : kilobyte_cost_ns;
	if (bucket) bucket->credit_ns -= (bytes * cost) >> 10;
}

SHARED struct buffer *take_buffer(u32 kind)
{
	u32 first = get_smp_processor_id() * LEVELS;
#pragma clang loop unroll(disable)
	for (u32 level = 0; level < LEVELS; level++) {
		u32 key = first + level;
		struct buffer *buffer = map_lookup(&buffers, &key);
		if (buffer && !__sync_lock_test_and_set(&buffer->busy, 1)) return buffer;
	}
	COUNT(kind, lost);
	return NULL;
}

INLINE void give_buffer(struct buffer *buffer)
{
	__sync_lock_test_and_set(&buffer->busy, 0);
}

INLINE struct head *write_head(void *at, u32 kind, u32 flags, struct task_struct *task, u64 now)
{
	struct head *head = at;
	head->kind = kind;
	head->flags = flags;
	head->pid = task->tgid;
	head->tid = task->pid;
	head->time_ns = now;
	return head;
}

SHARED void emit(void *ctx, u32 kind, void *data, u64 size)
{
	if (perf_event_output(ctx, &output, CURRENT_CPU, data, size))
		COUNT(kind, lost);
	else
		COUNT(kind, written);
}

/* ---- threads --------------------------------------------------------------------------------- */

#include "wait_object.h"

/* What is known about a thread. Allocated when the thread is created, or for all threads when the programs are loaded:
 * older kernels must not allocate inside the scheduler. */
struct thread {
	/* Since when it has been blocked; 0: it is not. */
	u64 off_since_ns;
	/* Waits of its current system call. */
	u64 since_ns, wait_ns;
	/* Waits of earlier system calls without a stack of their own. */
	u64 saved_ns;
	u32 wait_count, saved_count;
	/* The base of its stack; 0: not known. */
	u64 stack_base;
	/* The sites at which it last left the CPU, and from which it was woken; 0: none. */
	u64 site, waker_site;
	u32 in_system_call;
	/* System calls until the next one whose stack is taken; one in 2^calls_shift is. */
	u32 calls_left;
	u32 calls_shift;
	/* How many calls the next one represents. */
	u32 calls;
	/* When a stack was last taken. */
	u64 call_ns;
	/* A checksum of the CPUs that it may use, as reported last. */
	u64 cpus;
	struct waiting waiting;
};

struct {
	UINT(type, MAP_TASK_STORAGE);
	UINT(map_flags, NO_PREALLOC);
	TYPE(key, int);
	TYPE(value, struct thread);
} threads SEC(".maps");

/* ---- stacks ---------------------------------------------------------------------------------- */

INLINE bool has_user_stack(struct task_struct *task)
{
	return !(task->flags & (PF_KTHREAD | PF_USER_WORKER)) && task->pid && task->mm;
}

/* Whether the thread is inside a system call proper: not in a page fault, and not on its way back to user mode. The entry
 * code leaves the return address and the flags in two registers each, and writes -ENOSYS where the result will be. */
INLINE bool in_system_call(struct pt_regs *regs)
{
	return regs->cx == regs->ip && regs->r11 == regs->flags && regs->ax == (u64)-ENOSYS;
}

/* Whether the thread entered the kernel by a system call, from which it may be on its way back. */
INLINE bool came_by_system_call(struct pt_regs *regs)
{
	return regs->cx == regs->ip && regs->r11 == regs->flags;
}

INLINE u64 stack_base(struct task_struct *task, struct thread *thread, u64 sp)
{
	u64 base = thread ? thread->stack_base : 0;
	if (!base) {
		/* Threads from before the recording: at the end of a thread's stack is its control block. */
		base = task->pid == task->tgid ? task->mm->start_stack : task->thread.fsbase;
	}
	return base > sp && base - sp <= (64 << 20) ? base : 0;
}

/* Copies as much of `bytes` as can be read: up to the end of the page, then page by page. */
GLOBAL u64 copy_pages(struct buffer *buffer, u64 sp, u64 bytes)
{
	u64 got = 0, part = PAGE - (sp & (PAGE - 1));
	if (!buffer) return 0;
#pragma clang loop unroll(disable)
	for (u32 page = 0; page < INNER_ROOM / PAGE; page++) {
		if (got >= bytes) break;
		u64 at = got & (INNER_ROOM - 1);
		if (part > PAGE) part = PAGE;
		if (probe_read_user(buffer->data + at, part, (void *)(sp + at))) break;
		got = at + part;
		part = PAGE;
	}
	return got < bytes ? got : bytes;
}

/* Copies the last `bytes` of the stack before `end` to `data` + `at`; less where they cannot all be read. */
GLOBAL u64 copy_end(struct buffer *buffer, u64 at, u64 end, u64 bytes)
{
	if (!buffer) return 0;
	at &= INNER_ROOM - 1;
#pragma clang loop unroll(disable)
	for (u32 n = 0; n < 6; n++) {
		bytes &= OUTER_ROOM - 1;
		if (!bytes || !probe_read_user(buffer->data + at, bytes, (void *)(end - bytes))) return bytes;
		bytes = bytes / 2 & ~7ULL;
	}
	return 0;
}

/* Most calls on a stack that have a return probe. */
#define WATCHED_CALLS 8

/* If a call has a return probe, such as ours on look-ups of names, the return address on the stack leads to the probe.
 * Restores the original addresses in the `bytes` that were copied from `start` to `data` + `at`. */
GLOBAL u64 put_back_returns(struct buffer *buffer, u64 calls, u64 start, u64 bytes, u64 at)
{
	struct return_instance *call = (void *)calls;
	if (!buffer || bytes < sizeof(u64)) return 0;
	if (!HAS_FIELD(call->stack) || !HAS_FIELD(call->orig_ret_vaddr)) return 0;
#pragma clang loop unroll(disable)
	for (u32 n = 0; n < WATCHED_CALLS && call; n++) {
		unsigned long stack = 0;
		READ(stack, call->stack);
		u64 offset = stack - start;
		if (offset <= bytes - sizeof(u64) && at + offset < INNER_ROOM) {
			offset = (at + offset) & (INNER_ROOM - 1);
			probe_read_kernel(buffer->data + offset, sizeof(u64), &call->orig_ret_vaddr);
		}
		struct return_instance *next = NULL;
		READ(next, call->next);
		call = next;
	}
	return 0;
}

/* Returns the calls on a thread's stack that have a return probe. */
INLINE u64 watched_calls(struct task_struct *task)
{
	struct uprobe_task *watched = NULL;
	struct return_instance *calls = NULL;
	if (!HAS_FIELD(task->utask)) return 0;
	READ(watched, task->utask);
	if (!watched || !HAS_FIELD(watched->return_instances)) return 0;
	READ(calls, watched->return_instances);
	return (u64)calls;
}

/* Copies the user registers and the stack of the current task; if `limit` is not 0, that many bytes of the stack and a
 * little of its outermost part. Returns the number of bytes in `data`; stack->inner_bytes may be 0. */
SHARED u64 dump(struct buffer *buffer, struct task_struct *task, struct thread *thread, u32 kind,
		u32 limit)
{
	struct stack *stack = (void *)buffer + FRONT - sizeof(struct stack);
	struct pt_regs *regs = task_pt_regs(task);
	u64 sp = regs->sp;
	stack->ax = regs->ax;
	stack->bx = regs->bx;
	stack->cx = regs->cx;
	stack->dx = regs->dx;
	stack->si = regs->si;
	stack->di = regs->di;
	stack->bp = regs->bp;
	stack->sp = sp;
	stack->ip = regs->ip;
	stack->r8 = regs->r8;
	stack->r9 = regs->r9;
	stack->r10 = regs->r10;
	stack->r11 = regs->r11;
	stack->r12 = regs->r12;
	stack->r13 = regs->r13;
	stack->r14 = regs->r14;
	stack->r15 = regs->r15;
	stack->outer_start = 0;
	stack->inner_bytes = 0;
	stack->outer_bytes = 0;
	/* 32-bit code is not unwound. */
	if ((u16)regs->cs != USER_CS) return 0;

	u64 base = stack_base(task, thread, sp);
	u64 inner = base ? base - sp : inner_limit;
	u64 outer = 0;
	if (limit && inner > limit) {
		inner = limit;
		outer = base ? REDUCED_OUTER : 0;
	} else if (inner > inner_limit + outer_limit || inner > WHOLE_LIMIT) {
		inner = inner_limit;
		outer = base ? outer_limit : 0;
	}
	inner &= INNER_ROOM - 1;
	if (probe_read_user(buffer->data, inner, (void *)sp)) {
		COUNT(kind, unreadable);
		inner = copy_pages(buffer, sp, inner) & (INNER_ROOM - 1);
		/* Room that a function has reserved and not used yet has no memory. What lies beyond may have. */
		if (base && !outer) outer = REDUCED_OUTER;
		u64 beyond = base ? base - sp - inner : 0;
		if (outer > beyond) outer = beyond;
	}
	u64 end = base;
	/* A function that calls nothing may use memory below the stack pointer. A system call has no such caller. */
	if (!outer && kind == SAMPLE && inner) {
		outer = RED_ZONE;
		end = sp;
	}
	if (outer) {
		outer = copy_end(buffer, inner, end, outer) & (OUTER_ROOM - 1);
		stack->outer_start = end - outer;
	}
	u64 calls = watched_calls(task);
	if (calls) {
		put_back_returns(buffer, calls, sp, inner, 0);
		put_back_returns(buffer, calls, stack->outer_start, outer, inner);
	}
	stack->inner_bytes = inner;
	stack->outer_bytes = outer;
	pay(kind, inner + outer);
	return (inner & (INNER_ROOM - 1)) + (outer & (OUTER_ROOM - 1));
}

/* Frame pointers that are followed, as many as the kernel follows. */
#define MOST_POINTERS 127
/* In place of the start of the outermost part of a stack: the part is a list of return addresses. */
#define IS_POINTERS 1
#define USER_STACK (1 << 8)

/* Whether the frame pointers of the stack, of which `bytes` from `sp` on were copied, lead to another one. */
GLOBAL u64 leads_elsewhere(struct buffer *buffer, u64 pointer, u64 sp, u64 bytes)
{
	if (!buffer) return 0;
#pragma clang loop unroll(disable)
	for (u32 n = 0; n < MOST_POINTERS; n++) {
		if (pointer & 7) return 0;
		u64 at = pointer - sp;
		if (at >= bytes) return n && pointer >= PAGE;
		u64 next = *(u64 *)(buffer->data + (at & (INNER_ROOM - sizeof(u64))));
		if (next <= pointer && next >= sp) return 0;
		pointer = next;
	}
	return 0;
}

/* Go's runtime switches from the stack of a goroutine to its own, and the copy has only that one. Its functions keep frame
 * pointers, which lead back: adds the return addresses that they find. `copied` bytes are in `data`; returns how many
 * are now. */
SHARED u64 add_pointers(void *ctx, struct buffer *buffer, u64 copied)
{
	struct stack *stack = (void *)buffer + FRONT - sizeof(struct stack);
	u64 inner = stack->inner_bytes & (INNER_ROOM - 1);
	if (!inner || stack->outer_bytes) return copied;
	if (!leads_elsewhere(buffer, stack->bp, stack->sp, inner)) return copied;
	long got = get_stack(ctx, buffer->data + inner, MOST_POINTERS * sizeof(u64), USER_STACK);
	if (got <= 0) return copied;
	u64 bytes = got & 1023;
	stack->outer_start = IS_POINTERS;
	stack->outer_bytes = bytes;
	pay(WAIT, bytes);
	return inner + bytes;
}

/* Writes a record that consists of a head and a stack. */
SHARED void emit_stack(void *ctx, u32 kind, struct task_struct *task, struct thread *thread,
		       u32 limit)
{
	u64 now = ktime_get_ns();
	struct buffer *buffer = take_buffer(kind);
	if (!buffer) return;
	u64 bytes = dump(buffer, task, thread, kind, limit);
	void *start = (void *)buffer + FRONT - sizeof(struct stack) - sizeof(struct head);
	write_head(start, kind, HAS_STACK, task, now);
	emit(ctx, kind, start, sizeof(struct head) + sizeof(struct stack) + bytes);
	give_buffer(buffer);
}

/* ---- switches -------------------------------------------------------------------------------- */

#define TASK_REPORT 0x7f
#define TASK_REPORT_IDLE 0x80
#define TASK_REPORT_MAX 0x100
#define TASK_IDLE 0x402
#define TASK_RTLOCK_WAIT_OR_FROZEN 0x9000
/* What `whyslow_events` adds to the states of the kernel. */
#define STATE_IDLE_CLASS (1ULL << 28)
#define STATE_THROTTLED (1ULL << 29)
#define SCHED_IDLE 5

/* The state as the tracepoint reports it. */
INLINE u64 reported_state(bool preempted, u32 state, u32 exit_state)
{
	if (preempted) return TASK_REPORT_MAX;
	if (state & TASK_RTLOCK_WAIT_OR_FROZEN) return TASK_UNINTERRUPTIBLE;
	if ((state & TASK_IDLE) == TASK_IDLE) return TASK_REPORT_IDLE;
	u32 reported = (state | exit_state) & TASK_REPORT;
	u32 highest = TASK_REPORT_IDLE;
#pragma clang loop unroll(full)
	for (u32 bit = 0; bit < 7; bit++) {
		highest >>= 1;
		if (reported & highest) return highest;
	}
	return 0;
}

/* Whether a quota of CPU time stops a thread that could otherwise run. Since Linux 6.18 the thread itself is marked; in
 * older kernels its queue is. */
INLINE bool is_throttled(struct task_struct *task)
{
	if (HAS_FIELD(task->throttled)) return task->throttled;
	if (!HAS_FIELD(task->se.cfs_rq) || !HAS_FIELD(((struct cfs_rq *)0)->throttle_count)) return 0;
	struct cfs_rq *queue = task->se.cfs_rq;
	int count = 0;
	probe_read_kernel(&count, sizeof(count), &queue->throttle_count);
	return count > 0;
}

/* What the state that the tracepoint reports does not contain. */
INLINE u64 state_of_class(struct task_struct *task, bool is_runnable)
{
	u64 state = task->policy == SCHED_IDLE ? STATE_IDLE_CLASS : 0;
	return is_runnable && task->pid && is_throttled(task) ? state | STATE_THROTTLED : state;
}

INLINE u64 mixed(u64 a, u64 b)
{
	u64 mixed = (a ^ b) * 0x9e3779b97f4a7c15ULL;
	return mixed ^ mixed >> 29;
}

/* The site at which a thread leaves the CPU inside a system call or on its way back from it: the call, and the place from
 * which the process made it. `how` (four bits) separates the ways of leaving. The process is in bits of its own:
 * forked siblings call from the same place with the same stack pointer, and their ids differ by few bits. */
INLINE u64 call_site(struct task_struct *task, struct pt_regs *regs, u32 how)
{
	u64 key = mixed((u64)task->tgid << 32, regs->orig_ax << 4 | how);
	key = mixed(key, regs->ip);
	key = mixed(key, regs->sp);
	return key ? key : 1;
}

/* A call that sleeps in two states waits for two things (poll on a terminal: for input, or until work in the kernel is
 * done). */
INLINE u32 way_of_leaving(u32 state, bool is_runnable, bool in_call)
{
	u32 sleep = is_runnable ? 0 : state & (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE);
	return sleep << 2 | !in_call << 1 | is_runnable;
}

INLINE void copy_comm(u64 *to, struct task_struct *task)
{
	to[0] = *(u64 *)&task->comm[0];
	to[1] = *(u64 *)&task->comm[8];
}

struct shares shares SEC(".maps");

INLINE struct share *share_here(void)
{
	u32 key = 0;
	return map_lookup(&shares, &key);
}

/* Returns how long the programs ran during the running interval that ends. From now on their time belongs to the next
 * thread. */
INLINE u64 take_share(void)
{
	struct share *share = share_here();
	if (!share) return 0;
	u64 ns = share->ns;
	share->ns = 0;
	share->runs[AT_SWITCH].before_ns = 0;
	return ns;
}

/* The thread on the CPU, according to the switches that were reported. */
struct runner {
	u32 is_known;
	u32 pid, tid;
	/* CPU time that the kernel had accounted to it when it came. */
	u64 accounted_ns;
};

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, struct runner);
} runners SEC(".maps");

INLINE struct runner *runner_here(void)
{
	u32 key = 0;
	return map_lookup(&runners, &key);
}

/* Remembers the thread that gets this CPU. */
INLINE void remember_runner(struct runner *runner, struct task_struct *next)
{
	runner->is_known = 1;
	runner->pid = next->tgid;
	runner->tid = next->pid;
	runner->accounted_ns = next->se.sum_exec_runtime;
}

/* CPU time of the running interval that ends at a switch, as the kernel accounts it. The kernel closes the account before
 * the tracepoint. It opens the account when it picks the thread or, if a woken thread preempts another one, at the
 * wake-up. Idle threads have no account. */
INLINE u64 accounted_ns(struct runner *runner, struct task_struct *prev)
{
	if (!runner->is_known || !prev->pid || runner->tid != (u32)prev->pid) return NOT_KNOWN;
	return prev->se.sum_exec_runtime - runner->accounted_ns;
}

SHARED void emit_switch(u64 *ctx, struct thread *comer, u64 site, u64 now)
{
	struct task_struct *prev = (void *)ctx[1], *next = (void *)ctx[2];
	struct {
		struct head head;
		struct switched switched;
	} record = {};
	write_head(&record, SWITCH, 0, prev, now);
	struct switched *switched = &record.switched;
	switched->prev_state = reported_state(ctx[0], ctx[3], prev->exit_state);
	switched->prev_state |= state_of_class(prev, ctx[0] || !(u32)ctx[3]);
	switched->site = site;
	if (comer) {
		switched->next_waker_site = comer->waker_site;
		comer->waker_site = 0;
	}
	switched->next_tid = next->pid;
	switched->prev_prio = prev->prio;
	switched->next_prio = next->prio;
	copy_comm(switched->prev_comm, prev);
	copy_comm(switched->next_comm, next);
	struct runner *runner = runner_here();
	switched->cpu_ns = runner ? accounted_ns(runner, prev) : NOT_KNOWN;
	switched->own_ns = take_share();
	if (runner) remember_runner(runner, next);
	/* An idle thread always leaves at the same place. */
	bool chained = prev->pid && takes_chain(SWITCH, site, now);
	long lost;
	if (chained)
		lost = perf_event_output(ctx, &chained_output, CURRENT_CPU, &record, sizeof(record));
	else
		lost = perf_event_output(ctx, &output, CURRENT_CPU, &record, sizeof(record));
	if (lost)
		COUNT(SWITCH, lost);
	else
		COUNT(SWITCH, written);
}

/* A thread that has had this CPU since its last call ended, so it has not waited since; and the number of calls until the
 * next one whose stack is taken. Most calls need nothing else. */
struct caller {
	u32 tid;
	u32 calls_left;
	u32 random;
};

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, struct caller);
} callers SEC(".maps");

INLINE struct caller *caller_here(void)
{
	u32 key = 0;
	return map_lookup(&callers, &key);
}

/* The thread loses the CPU. */
INLINE void keep_calls(struct task_struct *task, struct thread *thread)
{
	struct caller *caller = caller_here();
	if (!caller || caller->tid != (u32)task->pid) return;
	thread->calls_left = caller->calls_left;
	caller->tid = 0;
}

/* ---- CPUs that a thread may use ---------------------------------------------------------------- */

/* Linux is built for 8192 CPUs at most. */
#define CPU_WORDS 128
#define WORDS_AT_ONCE 16

/* A checksum that changes when the allowed CPUs change; 0: none. */
INLINE u64 sum_of_cpus(struct task_struct *task)
{
	if (cpu_words <= 1) return task->cpus_mask.bits[0];
	u64 words[WORDS_AT_ONCE] = {};
	u64 sum = 0;
	void *mask = &task->cpus_mask;
#pragma clang loop unroll(disable)
	for (u32 from = 0; from < CPU_WORDS; from += WORDS_AT_ONCE) {
		if (from >= cpu_words) break;
		u32 count = cpu_words - from;
		if (count > WORDS_AT_ONCE) count = WORDS_AT_ONCE;
		probe_read_kernel(words, count * sizeof(u64), mask + from * sizeof(u64));
#pragma clang loop unroll(disable)
		for (u32 i = 0; i < WORDS_AT_ONCE; i++) {
			if (i >= count) break;
			sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15ULL;
		}
	}
	return sum;
}

SHARED void emit_affinity(void *ctx, struct task_struct *task, struct thread *thread, u64 sum)
{
	struct buffer *buffer = take_buffer(AFFINITY);
	if (!buffer) return;
	u64 bytes = cpu_words * sizeof(u64);
	if (bytes > CPU_WORDS * sizeof(u64)) bytes = CPU_WORDS * sizeof(u64);
	u64 size = sizeof(struct head) + sizeof(u64);
	void *start = (void *)buffer + FRONT - size;
	write_head(start, AFFINITY, 0, task, ktime_get_ns());
	*(u64 *)(start + sizeof(struct head)) = bytes;
	probe_read_kernel(buffer->data, bytes, &task->cpus_mask);
	/* Before the recording starts there is no room yet; it is reported later. */
	if (perf_event_output(ctx, &output, CURRENT_CPU, start, size + bytes)) {
		COUNT(AFFINITY, lost);
	} else {
		COUNT(AFFINITY, written);
		thread->cpus = sum;
	}
	give_buffer(buffer);
}

/* Reports the CPUs that a thread may use if they have changed since the last report. */
INLINE void check_affinity(void *ctx, struct task_struct *task, struct thread *thread)
{
	u64 sum = sum_of_cpus(task);
	if (sum != thread->cpus) emit_affinity(ctx, task, thread, sum);
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* Ends the wait of a thread that runs now. If the kernel hides its idle threads from tracing, no program runs when they
 * leave the CPU, so this may be as late as the next thing that the thread does. */
INLINE void end_wait(struct thread *thread, u64 now)
{
	if (!thread->off_since_ns) return;
	if (thread->in_system_call) {
		if (!thread->wait_count) thread->since_ns = thread->off_since_ns;
		thread->wait_count++;
		thread->wait_ns += now - thread->off_since_ns;
	}
	thread->off_since_ns = 0;
}

/* Handles a switch; returns whether a stack was written. */
INLINE bool leave_cpu(u64 *ctx, u64 now)
{
	bool preempted = ctx[0];
	struct task_struct *prev = (void *)ctx[1], *next = (void *)ctx[2];
	u32 prev_state = ctx[3];

	struct thread *thread = task_storage_get(&threads, next, NULL, 0);
	if (thread) {
		end_wait(thread, now);
		check_affinity(ctx, next, thread);
	}

	bool has_user = has_user_stack(prev);
	bool is_dead = prev_state & TASK_DEAD;
	bool is_runnable = preempted || !prev_state;
	struct pt_regs *regs = task_pt_regs(prev);
	bool in_call = has_user && !is_dead && in_system_call(regs);
	bool by_call = has_user && !is_dead && came_by_system_call(regs);
	u64 site = by_call ? call_site(prev, regs, way_of_leaving(prev_state, is_runnable, in_call)) : 0;
	if (reports_switches) emit_switch(ctx, thread, site, now);

	if (!has_user || is_dead) return 0;
	thread = task_storage_get(&threads, prev, NULL, 0);
	if (!thread) return 0;
	keep_calls(prev, thread);
	end_wait(thread, now);
	check_affinity(ctx, prev, thread);
	bool of_interest = prev->tgid != (int)own_pid;
	if (is_runnable) {
		if (!of_interest || !takes_dump(PREEMPTED, site, now, site != 0)) return 0;
		emit_stack(ctx, PREEMPTED, prev, thread, 0);
		return 1;
	}
	bool is_stop = prev_state & TASK_TRACED;
	if (in_call && !thread->wait_count && is_stop) {
		thread->waiting.since_ns = now;
		begin_stop(&thread->waiting, prev);
	} else if (in_call && (!thread->wait_count || (!is_stop && thread->waiting.how == BY_TRACER))) {
		/* What it waits for after a stop is what matters. */
		thread->waiting.since_ns = now;
		begin_wait(&thread->waiting, prev, regs);
	}
	thread->off_since_ns = now;
	thread->in_system_call = in_call;
	thread->site = site;
	thread->waker_site = 0;
	if (in_call || !of_interest || !may_dump(BLOCK, now)) return 0;
	emit_stack(ctx, BLOCK, prev, thread, 0);
	return 1;
}

SEC("tp_btf/sched_switch")
int on_switch(u64 *ctx)
{
	u64 now = ktime_get_ns();
	begin_run(share_here(), AT_SWITCH, now, 1);
	if (leave_cpu(ctx, now)) tail_call(ctx, &after_switch, 0);
	end_switch(ctx);
	end_run(share_here(), AT_SWITCH);
	return 1;
}

/* Placeholders for a thread about which little is known. */
#define STATE_UNKNOWN (1ULL << 30)
#define USUAL_PRIORITY 120

/* A thread has come to the CPU. Some kernels hide threads from all tracing, so no switch reports that they leave. Linux
 * 6.16; on older kernels perf's `SWITCH` records report it. */
SEC("tp_btf/sched_exit_tp")
int on_switched(u64 *ctx)
{
	struct runner *runner = runner_here();
	struct task_struct *task = get_current_task();
	if (!runner || !runner->is_known || runner->tid == (u32)task->pid) return 1;
	struct {
		struct head head;
		struct switched switched;
	} record = {};
	u64 now = ktime_get_ns();
	record.head.kind = SWITCH;
	record.head.pid = runner->pid;
	record.head.tid = runner->tid;
	record.head.time_ns = now;
	remember_runner(runner, task);
	record.switched.cpu_ns = NOT_KNOWN;
	record.switched.own_ns = take_share();
	/* An idle thread can always run on. */
	record.switched.prev_state = record.head.tid ? STATE_UNKNOWN : 0;
	record.switched.is_unseen = 1;
	record.switched.prev_prio = USUAL_PRIORITY;
	record.switched.next_prio = task->prio;
	record.switched.next_tid = task->pid;
	struct thread *thread = task_storage_get(&threads, task, NULL, 0);
	if (thread) {
		end_wait(thread, now);
		record.switched.next_waker_site = thread->waker_site;
		thread->waker_site = 0;
	}
	emit(ctx, SWITCH, &record, sizeof(record));
	return 1;
}

/* Writes the waits of the system call that the current task is ending; false if the budget does not allow it. */
INLINE bool emit_wait(void *ctx, struct task_struct *task, struct thread *thread, u64 nr, u64 result,
		      u32 flags)
{
	u64 now = ktime_get_ns();
	bool is_long = thread->wait_ns >= wait_threshold_ns;
	if (!takes_dump(WAIT, thread->site, now, !is_long)) return 0;
	struct buffer *buffer = take_buffer(WAIT);
	if (!buffer) return 0;
	/* Before the stack: the reader forgets the wait when its stack comes. */
	if (!(flags & IS_EXITING)) emit_object(ctx, &thread->waiting, result);
	u64 bytes = 0;
	u64 size = sizeof(struct head) + sizeof(struct wait);
	void *start = (void *)buffer + FRONT - sizeof(struct stack) - size;
	if (flags & HAS_STACK) {
		bytes = dump(buffer, task, thread, WAIT, 0);
		bytes = sizeof(struct stack) + add_pointers(ctx, buffer, bytes);
	}
	write_head(start, WAIT, flags, task, now);
	struct wait *wait = start + sizeof(struct head);
	wait->since_ns = thread->since_ns;
	wait->wait_ns = thread->wait_ns;
	wait->wait_count = thread->wait_count;
	wait->system_call = nr;
	wait->sampled_ns = is_long ? 0 : thread->saved_ns + thread->wait_ns;
	wait->sampled_count = is_long ? 0 : thread->saved_count + thread->wait_count;
	emit(ctx, WAIT, start, size + bytes);
	give_buffer(buffer);
	return 1;
}

/* ---- who makes the calls --------------------------------------------------------------------- */

/* The least and the greatest shift: one call in 2^shift has its stack taken. */
#define FIRST_CALLS_SHIFT 6
#define MOST_CALLS_SHIFT 16
/* If the sampled calls of a thread are closer together than this, fewer are sampled. */
#define CALL_GAP_NS 4000000

/* Writes a call and its stack; it represents `calls` calls. */
SHARED bool emit_call(void *ctx, struct task_struct *task, struct thread *thread, u64 nr, u64 calls)
{
	struct buffer *buffer = take_buffer(CALL);
	if (!buffer) return 0;
	u64 size = sizeof(struct head) + sizeof(struct call);
	void *start = (void *)buffer + FRONT - sizeof(struct stack) - size;
	u64 bytes = sizeof(struct stack) + dump(buffer, task, thread, CALL, 0);
	write_head(start, CALL, HAS_STACK, task, ktime_get_ns());
	struct call *call = start + sizeof(struct head);
	call->system_call = nr;
	call->calls = calls;
	emit(ctx, CALL, start, size + bytes);
	give_buffer(buffer);
	return 1;
}

/* Takes the stack of a `connect`, at a limited rate per place. A sample by count would hardly ever include one: a program
 * that tries to reach something unreachable makes few calls, and waits long. Returns whether the stack was taken. */
SHARED bool connect_call(void *ctx, struct task_struct *task, struct thread *thread)
{
	u64 site = mixed(call_site(task, task_pt_regs(task), 0), CALL);
	if (!takes_dump(CALL, site, ktime_get_ns(), 1)) return 0;
	if (!emit_call(ctx, task, thread, NR_CONNECT, 1)) return 0;
	/* The next one in the sample represents one call fewer. */
	if (thread->calls > 1) thread->calls--;
	return 1;
}

/* Takes the stack of one call of a thread, and decides which one is next: at random, because programs make calls in
 * patterns. Returns whether the stack was taken. */
SHARED bool sample_call(void *ctx, struct task_struct *task, struct thread *thread, u64 nr)
{
	u64 now = ktime_get_ns();
	u64 since = now - thread->call_ns;
	bool is_written = 0;
	u32 shift = thread->calls_shift;
	if (shift < FIRST_CALLS_SHIFT || shift > MOST_CALLS_SHIFT) {
		shift = FIRST_CALLS_SHIFT;
	} else if (thread->calls && takes_dump(CALL, 0, now, 1)) {
		is_written = emit_call(ctx, task, thread, nr, thread->calls);
		if (is_written) thread->calls = 0;
		thread->call_ns = now;
	}
	if (since < CALL_GAP_NS && shift < MOST_CALLS_SHIFT) shift++;
	if (since > 8 * CALL_GAP_NS && shift > FIRST_CALLS_SHIFT) shift--;
	u32 gap = 1U << (shift & 31);
	u32 next = gap / 2 + ((u32)mixed(now, task->pid) & (gap - 1));
	thread->calls_shift = shift;
	thread->calls_left = next;
	/* What was not written is added to the next one. */
	if (thread->calls < 1U << 30) thread->calls += next + 1;
	return is_written;
}

/* Ends the waits of a call of a thread, and takes its stack if it is its turn; returns whether a stack was
 * written. */
SHARED bool end_call_of(u64 *ctx, struct task_struct *task, struct thread *thread, struct pt_regs *regs)
{
	bool is_call_written = 0;
	if (thread->calls_left) {
		thread->calls_left--;
		if (regs->orig_ax == NR_CONNECT && task->tgid != (int)own_pid) {
			is_call_written = connect_call(ctx, task, thread);
		}
	} else if (task->tgid != (int)own_pid) {
		is_call_written = sample_call(ctx, task, thread, regs->orig_ax);
	}
	if (thread->off_since_ns) end_wait(thread, ktime_get_ns());
	if (!thread->wait_count) return is_call_written;
	bool is_long = thread->wait_ns >= wait_threshold_ns;
	bool is_sampled = !is_long && thread->saved_ns + thread->wait_ns >= wait_threshold_ns;
	bool is_written = 0;
	if ((is_long || is_sampled) && task->tgid != (int)own_pid) {
		u64 nr = regs->orig_ax;
		bool replaced = (nr == NR_EXECVE || nr == NR_EXECVEAT) && !ctx[1];
		is_written = emit_wait(ctx, task, thread, nr, ctx[1], replaced ? 0 : HAS_STACK);
	}
	if (is_sampled && is_written) {
		thread->saved_ns = 0;
		thread->saved_count = 0;
	} else if (!is_long) {
		thread->saved_ns += thread->wait_ns;
		thread->saved_count += thread->wait_count;
	}
	thread->wait_ns = 0;
	thread->wait_count = 0;
	return is_written || is_call_written;
}

/* Handles the end of a system call for which there is something to do; returns whether a stack was written. */
INLINE bool leave_call(u64 *ctx, struct task_struct *task, struct caller *caller)
{
	struct pt_regs *regs = (void *)ctx[0];
	struct thread *thread = task_storage_get(&threads, task, NULL, 0);
	if (!thread) return 0;
	if (caller->tid == (u32)task->pid) thread->calls_left = caller->calls_left;
	bool is_written = end_call_of(ctx, task, thread, regs);
	caller->tid = task->pid;
	caller->calls_left = thread->calls_left;
	return is_written;
}

/* Of the calls for which there is nothing else to do, one in 2^MEASURED_SHIFT is measured, chosen at random: reading the
 * clock twice for each would cost too much. */
#define MEASURED_SHIFT 6

INLINE bool is_measured(struct caller *caller)
{
	caller->random = caller->random * 1664525 + 1013904223;
	return !(caller->random >> (32 - MEASURED_SHIFT));
}

SEC("tp_btf/sys_exit")
int on_system_call_exit(u64 *ctx)
{
	struct task_struct *task = get_current_task();
	struct pt_regs *regs = (void *)ctx[0];
	struct caller *caller = caller_here();
	if (!caller) return 1;
	if (caller->tid == (u32)task->pid && caller->calls_left && regs->orig_ax != NR_CONNECT) {
		caller->calls_left--;
		u32 measures = is_measured(caller);
		if (measures) begin_run(share_here(), AT_CALL, ktime_get_ns(), 1 << MEASURED_SHIFT);
		end_call(ctx, measures);
		if (measures) end_run(share_here(), AT_CALL);
		return 1;
	}
	begin_run(share_here(), AT_CALL, ktime_get_ns(), 1);
	if (leave_call(ctx, task, caller)) tail_call(ctx, &after_wait, 0);
	end_call(ctx, 1);
	end_run(share_here(), AT_CALL);
	return 1;
}

/* ---- wakers ---------------------------------------------------------------------------------- */

/* The name of the kernel threads that serve interrupts. */
#define KSOFTIRQD 0x71726974666f736bULL

#define KERNEL_STACK_BYTES (16 << 10)
#define INTERRUPT_STACK_BYTES (16 << 10)
#define NEAR_WORDS 64

INLINE bool is_interrupt_entry(u64 address)
{
	return address - irq_entry_start < irq_entry_end - irq_entry_start;
}

/* Whether a program on the stack of interrupts, at `sp`, may run because of a hardware interrupt rather than a system call
 * of the thread whose stack begins at `stack`: what is on the stack may be of earlier calls, so only the answer 0 is
 * certain. The last word of the stack of interrupts says where the thread's own stack was left, and at the beginning of an
 * interrupt that is just behind its entry. This takes a tenth of the time that a walk up the stack takes. */
GLOBAL u64 may_be_interrupt(struct buffer *buffer, u64 sp, u64 stack)
{
	u64 left = 0;
	if (!buffer) return 1;
	u64 *words = (void *)buffer->data;
	for (u32 page = 0; page < INTERRUPT_STACK_BYTES / PAGE; page++) {
		u64 bytes = PAGE - (sp & (PAGE - 1));
		if (bytes > PAGE || probe_read_kernel(words, bytes, (void *)sp)) return 1;
#pragma clang loop unroll(disable)
		for (u32 i = 0; i < PAGE / sizeof(u64); i++) {
			if (i * sizeof(u64) >= bytes) break;
			left = words[i];
			if (is_interrupt_entry(left)) return 1;
		}
		/* A stack ends at the end of a page. */
		if (left - stack < KERNEL_STACK_BYTES) break;
		sp += bytes;
	}
	u64 bytes = stack + KERNEL_STACK_BYTES - left;
	if (bytes > KERNEL_STACK_BYTES) return 1;
	if (bytes > NEAR_WORDS * sizeof(u64)) bytes = NEAR_WORDS * sizeof(u64);
	if (probe_read_kernel(words, bytes, (void *)left)) return 1;
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < NEAR_WORDS; i++) {
		if (i * sizeof(u64) >= bytes) break;
		if (is_interrupt_entry(words[i])) return 1;
	}
	return 0;
}

/* Who wakes a thread. It is an interrupt if the kernel stack contains the entry of a hardware interrupt. Software
 * interrupts that a thread's own system call runs (a packet sent to this machine) do not count. */
SHARED u64 waker_kind(void *ctx, struct task_struct *task, struct buffer *buffer, bool on_own_stack)
{
	u64 *frames = (void *)buffer->data;
	if (!task->pid) return BY_INTERRUPT;
	if (!irq_entry_end) return BY_UNKNOWN;
	/* The verifier lets nobody calculate with the pointers themselves. */
	u64 sp = 0, stack = 0;
	if (!on_own_stack) probe_read_kernel(&sp, sizeof(sp), &ctx);
	READ(stack, task->stack);
	bool is_certain = sp && !may_be_interrupt(buffer, sp, stack);
	long bytes = is_certain ? 0 : get_stack(ctx, frames, 64 * sizeof(u64), 0);
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < 64; i++) {
		if ((long)(i * sizeof(u64)) >= bytes) break;
		if (is_interrupt_entry(frames[i])) return BY_INTERRUPT;
	}
	if (!(task->flags & (PF_KTHREAD | PF_USER_WORKER))) return BY_THREAD;
	bool serves_interrupts = *(u64 *)task->comm == KSOFTIRQD;
	return serves_interrupts ? BY_INTERRUPT : BY_KERNEL_THREAD;
}

#define IN_HARDIRQ 0x08
#define IN_SOFTIRQ 0x10

/* Whether the kernel is using the stack of the current thread: interrupts use another one, except those that come while a
 * program runs. The lower halves of the addresses are enough. */
INLINE bool is_on_own_stack(void *ctx, struct task_struct *task)
{
	u32 used = (u32)(u64)ctx - (u32)(u64)task->stack;
	return used < KERNEL_STACK_BYTES;
}

/* Whether the current thread certainly acts itself, rather than an interrupt. */
INLINE bool is_by_thread(struct task_struct *task, bool on_own_stack)
{
	if (!on_own_stack || !task->pid) return 0;
	if (task->flags & (PF_KTHREAD | PF_USER_WORKER)) return *(u64 *)task->comm != KSOFTIRQD;
	return came_by_system_call(task_pt_regs(task));
}

/* The CPU on which a thread last ran. */
INLINE u32 cpu_of(struct task_struct *task)
{
	return HAS_FIELD(task->thread_info.cpu) ? task->thread_info.cpu :
	       HAS_FIELD(task->cpu)             ? task->cpu :
						  0;
}

/* Reports a wake-up, with the kernel stack if it is in the sample of its site: the places of the waker and of the wait,
 * because an interrupt may come at any place. One record contains everything, because other handlers of this tracepoint
 * may run before or after this one. */
SHARED void emit_waking(void *ctx, struct task_struct *target, struct thread *waiting, u64 now,
			u32 context)
{
	struct task_struct *task = get_current_task();
	struct pt_regs *regs = task_pt_regs(task);
	u64 key = mixed((u64)target->tgid << 32, waiting ? waiting->site : target->pid);
	if (has_user_stack(task) && came_by_system_call(regs))
		key = mixed(key, call_site(task, regs, 0));
	else
		key = mixed(key, task->pid);
	key = key ? key : 1;
	if (waiting && waiting->off_since_ns && !waiting->waker_site) waiting->waker_site = key;
	bool chained = takes_chain(WAKING, key, now);
	struct {
		struct head head;
		struct waking waking;
	} record = {};
	write_head(&record, WAKING, 0, task, now);
	record.waking.site = chained ? key : 0;
	record.waking.target_tid = target->pid;
	record.waking.target_prio = target->prio;
	record.waking.target_cpu = cpu_of(target);
	record.waking.context = context;
	copy_comm(record.waking.target_comm, target);
	long lost;
	if (chained)
		lost = perf_event_output(ctx, &chained_output, CURRENT_CPU, &record, sizeof(record));
	else
		lost = perf_event_output(ctx, &output, CURRENT_CPU, &record, sizeof(record));
	if (lost)
		COUNT(WAKING, lost);
	else
		COUNT(WAKING, written);
}

/* Handles a wake-up; returns whether a stack was written. */
INLINE bool wake_up(u64 *ctx, u64 now)
{
	struct task_struct *target = (void *)ctx[0];
	struct thread *waiting = task_storage_get(&threads, target, NULL, 0);
	u64 since = waiting ? waiting->off_since_ns : 0;
	bool is_long = since && now - since >= wait_threshold_ns;
	struct task_struct *task = get_current_task();
	bool on_own_stack = is_on_own_stack(ctx, task);
	bool in_doubt = reports_switches && !is_by_thread(task, on_own_stack);
	if (since && waiting->in_system_call && has_user_stack(task))
		note_answer(&waiting->waiting, task, task_pt_regs(task));
	struct buffer *buffer = NULL;
	u64 kind = BY_UNKNOWN;
	if (is_long || in_doubt) buffer = take_buffer(WAKER);
	if (buffer) kind = waker_kind(ctx, task, buffer, on_own_stack);
	if (reports_switches) {
		u32 context = on_own_stack ? 0 : IN_SOFTIRQ;
		/* If the interrupts' entries are not known, a thread that does nothing itself was interrupted. A thread
		 * that dies by a signal or a fault wakes its parent without a system call. */
		bool is_by_interrupt = kind == BY_INTERRUPT || !task->pid;
		bool is_exiting = task->flags & PF_EXITING;
		if (buffer && kind == BY_UNKNOWN && in_doubt && on_own_stack && !is_exiting)
			is_by_interrupt = 1;
		if (is_by_interrupt) context = IN_HARDIRQ;
		emit_waking(ctx, target, waiting, now, context);
	}
	if (!buffer) return 0;
	if (!is_long) {
		give_buffer(buffer);
		return 0;
	}
	u64 bytes = 0;
	u64 size = sizeof(struct head) + sizeof(struct waker);
	void *start = (void *)buffer + FRONT - sizeof(struct stack) - size;
	u32 flags = 0;
	if (kind == BY_THREAD && task->mm && task->tgid != (int)own_pid && may_dump(WAKER, now)) {
		struct thread *thread = task_storage_get(&threads, task, NULL, 0);
		bytes = sizeof(struct stack) + dump(buffer, task, thread, WAKER, 0);
		flags = HAS_STACK;
	}
	write_head(start, WAKER, flags, task, now);
	struct waker *waker = start + sizeof(struct head);
	waker->wait_start_ns = since;
	waker->target_pid = target->tgid;
	waker->target_tid = target->pid;
	waker->kind = kind;
	emit(ctx, WAKER, start, size + bytes);
	give_buffer(buffer);
	return flags & HAS_STACK;
}

SEC("tp_btf/sched_waking")
int on_waking(u64 *ctx)
{
	u64 now = ktime_get_ns();
	begin_run(share_here(), AT_WAKE_UP, now, 1);
	if (wake_up(ctx, now)) tail_call(ctx, &after_waking, 0);
	end_run(share_here(), AT_WAKE_UP);
	return 1;
}

/* ---- requests of io_uring -------------------------------------------------------------------------- */

/* A thread makes a request. */
SEC("tp_btf/io_uring_submit_req")
int on_request(u64 *ctx)
{
	struct io_kiocb *request = (void *)ctx[0];
	struct thread *thread = task_storage_get(&threads, get_current_task(), NULL, 0);
	if (thread) begin_request(&thread->waiting, request);
	return 1;
}

/* A request is complete. Its answer is an argument on newer kernels only; older ones refuse this program. */
SEC("tp_btf/io_uring_complete")
int on_request_end(u64 *ctx)
{
	struct io_uring_cqe *answer = (void *)ctx[2];
	if (!(answer->flags & CQE_MORE)) end_request(ctx[1]);
	return 1;
}

/* ---- CPU samples ----------------------------------------------------------------------------- */

SEC("perf_event")
int on_sample(void *ctx)
{
	struct task_struct *task = get_current_task();
	if (!has_user_stack(task) || task->flags & PF_EXITING) return 1;
	u64 now = ktime_get_ns();
	begin_run(share_here(), AT_SAMPLE, now, 1);
	struct thread *thread = task_storage_get(&threads, task, NULL, 0);
	/* Samples are always taken; beyond the budget they get less stack. */
	u32 limit = may_dump(SAMPLE, now) ? 0 : REDUCED_LIMIT;
	emit_stack(ctx, SAMPLE, task, thread, limit);
	tail_call(ctx, &after_sample, 0);
	end_run(share_here(), AT_SAMPLE);
	return 1;
}

/* ---- processes ------------------------------------------------------------------------------- */

SEC("tp_btf/task_newtask")
int on_new_task(u64 *ctx)
{
	struct task_struct *child = (void *)ctx[0];
	u64 clone_flags = ctx[1];
	struct task_struct *parent = get_current_task();
	if (!has_user_stack(child)) return 1;
	struct thread *thread = task_storage_get(&threads, child, NULL, STORAGE_CREATE);
	if (!thread) return 1;
	u64 sp = task_pt_regs(child)->sp;
	u64 parent_sp = task_pt_regs(parent)->sp;
	struct thread *of_parent = task_storage_get(&threads, parent, NULL, 0);
	/* The reader assumes for the child what was reported for the parent. */
	if (of_parent) thread->cpus = of_parent->cpus;
	if (clone_flags & CLONE_VM && sp != parent_sp) {
		thread->stack_base = sp;
	} else {
		/* It continues on its parent's stack. */
		thread->stack_base = stack_base(parent, of_parent, sp);
	}
	return 1;
}

SEC("tp_btf/sched_process_exec")
int on_exec(u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	struct mm_struct *mm = task->mm;
	if (!mm) return 1;
	struct thread *thread = task_storage_get(&threads, task, NULL, 0);
	if (thread) thread->stack_base = 0;
	struct buffer *buffer = take_buffer(EXEC);
	if (!buffer) return 1;
	u64 size = sizeof(struct head) + sizeof(struct exec);
	void *start = (void *)buffer + FRONT - size;
	write_head(start, EXEC, 0, task, ktime_get_ns());
	u64 from = mm->arg_start;
	u64 total = mm->arg_end - from;
	u64 bytes = total;
	if (bytes >= OUTER_ROOM) bytes = OUTER_ROOM - 1;
	bytes &= OUTER_ROOM - 1;
	if (probe_read_user(buffer->data, bytes, (void *)from)) {
		COUNT(EXEC, unreadable);
		bytes = 0;
	}
	struct exec *exec = start + sizeof(struct head);
	exec->total_bytes = total;
	exec->bytes = bytes;
	/* It is that of the programs before: the memory of this one is new. */
	exec->most_pages = task->signal->maxrss;
	emit(ctx, EXEC, start, size + (bytes & (OUTER_ROOM - 1)));
	give_buffer(buffer);
	return 1;
}

SEC("tp_btf/sched_process_exit")
int on_exit(u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	struct thread *thread = task_storage_get(&threads, task, NULL, 0);
	if (thread) end_wait(thread, ktime_get_ns());
	/* A wait in a system call that does not return. The stack still exists if this tracepoint comes before the
	 * memory is released (Linux 6.16 and later). */
	if (thread && thread->wait_ns >= wait_threshold_ns && task->tgid != (int)own_pid) {
		u64 nr = task_pt_regs(task)->orig_ax;
		emit_wait(ctx, task, thread, nr, 0, IS_EXITING | (task->mm ? HAS_STACK : 0));
		thread->wait_ns = 0;
		thread->wait_count = 0;
	}
	struct signal_struct *signal = task->signal;
	if (signal->live.counter) return 1;
	struct {
		struct head head;
		u64 wait_status;
		u64 most_pages;
		u64 user;
	} record = {};
	write_head(&record, EXIT, 0, task, ktime_get_ns());
	bool whole_group = signal->flags & SIGNAL_GROUP_EXIT;
	int status = whole_group ? signal->group_exit_code : task->group_leader->exit_code;
	record.wait_status = (u32)status;
	/* By now the memory of the process counts in it. */
	record.most_pages = signal->maxrss;
	record.user = task->cred->fsuid.val;
	emit(ctx, EXIT, &record, sizeof(record));
	return 1;
}

/* ---- threads that wait at the start and at the end ----------------------------------------------------------------- */

/* When the programs began to be attached. Waits that had begun earlier are reported as beginning then. */
struct {
	UINT(type, MAP_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, u64);
} started SEC(".maps");

SEC("iter/task")
int know_thread(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	if (!task || !has_user_stack(task)) return 0;
	struct thread *thread = task_storage_get(&threads, task, NULL, STORAGE_CREATE);
	if (!thread) return 0;
	/* The CPUs that it may use now are reported in another way. */
	if (!thread->cpus) thread->cpus = sum_of_cpus(task);
	if (thread->off_since_ns || !task->__state || task->on_cpu) return 0;
	/* If it is running at this very moment, this is corrected when it leaves the CPU. */
	thread->in_system_call = in_system_call(task_pt_regs(task));
	u32 zero = 0;
	u64 *started_ns = map_lookup(&started, &zero);
	if (started_ns) thread->off_since_ns = *started_ns;
	return 0;
}

/* Forgets all threads. The programs above must be detached by then. */
SEC("iter/task")
int forget_thread(struct bpf_iter__task *ctx)
{
	if (ctx->task) forget(&threads, ctx->task, ctx->meta->seq);
	return 0;
}

struct open_wait {
	u32 pid, tid;
	u64 off_since_ns;
	u64 switches;
	u64 stack_base;
	u64 in_system_call;
	struct stack stack;
};

SEC("iter/task")
int list_waiting(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	if (!task || !has_user_stack(task) || !task->__state || task->__state & TASK_DEAD) return 0;
	struct thread *thread = task_storage_get(&threads, task, NULL, 0);
	struct pt_regs *regs = task_pt_regs(task);
	struct open_wait wait = {
		.pid = task->tgid,
		.tid = task->pid,
		.off_since_ns = thread ? thread->off_since_ns : 0,
		.switches = task->nvcsw + task->nivcsw,
		.in_system_call = in_system_call(regs),
		.stack = { regs->ax, regs->bx, regs->cx, regs->dx, regs->si, regs->di, regs->bp,
			   regs->sp, regs->ip, regs->r8, regs->r9, regs->r10, regs->r11, regs->r12,
			   regs->r13, regs->r14, regs->r15 },
	};
	wait.stack_base = (u16)regs->cs == USER_CS ? stack_base(task, thread, regs->sp) : 0;
	if ((u16)regs->cs != USER_CS) wait.stack.sp = 0;
	seq_write(ctx->meta->seq, &wait, sizeof(wait));
	return 0;
}
