/* The eBPF programs that read the frames of Python, Ruby, PHP and Perl programs. What they are for:
 * src/bpf/python.rs, which also has the layout of their output. Compiled ahead into python.bpf.o by ./build.
 *
 * None of them is attached to what it works on: the programs of whyslow.bpf.c that copy a stack end
 * in one of these (a tail call), so the frames are those of the same moment. Everything is read from
 * the thread that runs, nothing is written to it, every loop is bounded.
 *
 * Runs on x86-64, Linux 5.17 and later (bpf_loop). */

#include "kernel.h"
#include "ends.h"
#include "share.h"

OTHER_SHARES

/* ---- what the recorder tells ------------------------------------------------------------------ */

/* Where the members of the interpreter's structures are. Those of a frame, of a code object and of a
 * text lie within the first FRAME_BYTES, CODE_BYTES and TEXT_BYTES. */
struct layout {
	/* Where the first interpreter is told. */
	u32 interpreters;
	u32 interpreter_threads, interpreter_next;
	u32 thread_next, thread_id, thread_frame;
	/* Where the frame is in what `thread_frame` leads to, plus one; 0: it leads to the frame. */
	u32 c_frame;
	u32 frame_code, frame_previous, frame_place, frame_kind;
	/* How runs of frames end; see `enum kinds`. */
	u32 kinds;
	u32 code_file, code_name, code_first_line, code_lines, code_instructions;
	u32 object_type;
	u32 text_length, text_state, text_ascii, text_other;
	u32 bytes_size, bytes_data;
	u32 thread_interpreter;
	/* What leads to the frame outside of all, plus one; 0: there is none. */
	u32 thread_base;
	/* The lock of the interpreter, and whether garbage is collected: in the runtime, or in the
	 * interpreter, for the lock what leads to it; then plus one. */
	u32 gil_of_runtime, gil_of_interpreter;
	u32 collecting_of_runtime, collecting_of_interpreter;
	/* Where a coroutine's frame is, or what leads to it; 0: it is not known how coroutines wait. */
	u32 coroutine_frame, coroutine_kind;
	u32 frame_locals;
	/* What tells the end of a frame's stack of values; see `enum tops`. */
	u32 frame_top, top_kind;
};

/* What tells where a call of the evaluation function begins. */
enum kinds {
	/* Every frame has a call of its own; the place is a number of instructions. */
	EVERY_FRAME = 0,
	/* The frame says of itself that it is a call's first; the place is an address. */
	ENTRY_FRAME = 1,
	/* A frame that belongs to no Python code lies before a call's first; the place is an address. */
	FOREIGN_FRAME = 2,
};
/* Whether the frame of a coroutine lies in the coroutine itself. */
enum coroutine_kinds { FRAME_ELSEWHERE = 0, FRAME_INSIDE = 1 };

/* What tells where the stack of values of a frame ends. */
enum tops {
	/* The address behind the last one. */
	TOP_ADDRESS = 0,
	/* How many there are from the first local variable on. */
	TOP_OF_LOCALS = 1,
	/* How many there are where FRAME_VALUES leads to. */
	TOP_OF_VALUES = 2,
};
#define FRAME_VALUES 64

/* From this one on, its owner is no Python code. */
#define OWNED_BY_C 3
/* From 3.14 on, what tells how a reference is counted. */
#define REFERENCE_BITS 3ULL

/* The lock of the interpreter: who had it last, whether somebody has it, and what threads wait for. It is
 * the same in all versions. */
enum gil {
	GIL_HOLDER = 8,
	GIL_LOCKED = 16,
	GIL_FUTEXES = 32,
	GIL_BYTES = 208,
};
#define NR_FUTEX 202

struct process {
	/* What all interpreters share. */
	u64 runtime;
	/* The type of all code objects. */
	u64 code_type;
	u32 layout;
	u32 unused;
	/* The type of all coroutines; 0: they cannot be read. */
	u64 coroutine_type;
	/* The code of `run_until_complete` of event loops; 0: it did not run. */
	u64 loop_code;
	/* The types of what may hold tasks. */
	u64 dict_type, list_type, set_type;
};

#define LAYOUTS 64

struct {
	UINT(type, MAP_ARRAY);
	UINT(max_entries, LAYOUTS);
	TYPE(key, u32);
	TYPE(value, struct layout);
} layouts SEC(".maps");

/* By process. */
struct {
	UINT(type, MAP_LRU_HASH);
	UINT(max_entries, 16 << 10);
	TYPE(key, u32);
	TYPE(value, struct process);
} processes SEC(".maps");

/* ---- output ----------------------------------------------------------------------------------- */

enum kind { FRAMES = 1, CODE, RUBY_CODE, PHP_CODE, PERL_CODE };
/* There are more frames than these; the thread waits for the lock of the interpreter; it collects garbage. */
enum { IS_CUT = 1, WAITS_FOR_GIL = 2, COLLECTS = 4 };

struct head {
	u32 kind, flags;
	u32 pid, tid;
	u64 time_ns;
};

/* A frame; the code is 0 for what only ends a run. */
struct frame {
	u64 code;
	/* Bytes from the first instruction; negative: not begun. */
	s32 place;
	/* Whether the call of the evaluation function began with it, in bit 0; a sum of what the code
	 * object holds in the others. */
	u32 sum;
};

#define MOST_FRAMES 1024
#define FEW_FRAMES 64
#define MOST_AWAITED 32
/* Rounds of the loop over them. */
#define MOST_LOOKS 1024

struct frames {
	struct head head;
	/* Frames of the thread; behind them those of coroutines that the task of its event loop awaits, the
	 * outermost first. */
	u32 count, awaited;
	struct frame frames[MOST_FRAMES + MOST_AWAITED];
};

#define MOST_NAME 512
#define MOST_FILE 2048
#define MOST_LINES (16 << 10)
#define MOST_INDEX 4096

/* A text or bytes of the interpreter: how many bytes there are, how many were copied. */
struct copied {
	u32 whole, bytes;
	/* Of a text, the word with its kind. */
	u32 state, unused;
};

struct code {
	struct head head;
	u64 code;
	u32 sum;
	u32 first_line;
	struct copied name, file, lines;
	/* Name, file and lines, each where the one before ends; of Ruby also the index of its lines. */
	u8 data[MOST_NAME + MOST_FILE + MOST_LINES + MOST_INDEX];
};

/* What wakes the recorder, which otherwise looks ten times a second. */
struct events_by_cpu bell SEC(".maps");

/* ---- memory ----------------------------------------------------------------------------------- */

#define FRAME_BYTES 128
#define CODE_BYTES 256
#define TEXT_BYTES 128
#define ROOM 8

/* Where a thread is for its interpreters: for the newest one that it runs code of, and for the next one, which
 * called that. */
struct known {
	u64 state, outer;
	/* The newest interpreter of the process. */
	u64 newest;
	/* When it was looked for. */
	u64 looked_ns;
};

struct {
	UINT(type, MAP_LRU_HASH);
	UINT(max_entries, 32 << 10);
	TYPE(key, u32);
	TYPE(value, struct known);
} threads SEC(".maps");

/* Code objects that were described. */
struct described {
	u64 code;
	u32 pid, sum;
};

struct {
	UINT(type, MAP_LRU_HASH);
	UINT(max_entries, 128 << 10);
	TYPE(key, struct described);
	TYPE(value, u32);
} seen SEC(".maps");

/* Where a walk is. It lies in a map because the verifier follows each value that it knows: it would
 * look at every round of a loop. */
struct walk {
	/* The next frame or thread, and the next interpreter. */
	u64 at, interpreter;
	/* What was found of the thread. */
	u64 state, outer;
	u64 wanted;
	u64 code_type;
	/* The frame that is outside of all. */
	u64 base;
	u32 pid, tid;
	u32 count, limit;
	/* What leads to awaited coroutines: the frame of an event loop, the next coroutine or task, what that
	 * task waits for when its coroutines await nothing else, and the type of tasks. */
	u64 coroutine_type, loop_frame;
	u64 object, waiter, task_type;
	/* Of the coroutine that was taken last. */
	u64 locals;
	/* The search for tasks that are awaited together: what the words are that it looks at, where, how many are
	 * left, how far apart they lie; what comes after them; words it goes back to. */
	u32 looks_at, looks_left, look_bytes, looks_next;
	u64 look, kept;
	u32 kept_left, unused_2;
	u32 awaited, unused;
};

struct scratch {
	u64 busy;
	struct walk walk;
	u8 frame[FRAME_BYTES + ROOM];
	u8 object[CODE_BYTES + ROOM];
	u8 text[TEXT_BYTES + ROOM];
	struct frames frames;
	struct code code;
};

/* A program may be interrupted by another one on the same CPU: task, interrupt, NMI. */
#define LEVELS 3

struct {
	UINT(type, MAP_ARRAY);
	UINT(max_entries, LEVELS);
	TYPE(key, u32);
	TYPE(value, struct scratch);
} scratches SEC(".maps");

#define LENGTHS 32

/* What the reading of frames cost, by CPU. */
struct cost {
	u64 walks, ns, longest_ns, lost;
	/* What may still be spent on many frames. */
	s64 credit_ns;
	u64 last_ns;
	/* Walks by how long they took: less than 128 ns, 256 ns and so on. */
	u64 lengths[LENGTHS];
};

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, struct cost);
} costs SEC(".maps");

/* Of the time that passes, one in so many may go to deep stacks. */
#define SHARE 64
#define BURST_NS 10000000

SHARED struct scratch *take_scratch(void)
{
	u32 first = get_smp_processor_id() * LEVELS;
#pragma clang loop unroll(disable)
	for (u32 level = 0; level < LEVELS; level++) {
		u32 key = first + level;
		struct scratch *scratch = map_lookup(&scratches, &key);
		if (scratch && !__sync_lock_test_and_set(&scratch->busy, 1)) return scratch;
	}
	return NULL;
}

INLINE void give_scratch(struct scratch *scratch)
{
	__sync_lock_test_and_set(&scratch->busy, 0);
}

/* Words of what was copied of a structure. */
#define WORD(bytes, offset, size) (*(u64 *)((bytes) + ((offset) & ((size) - 1))))
#define HALF(bytes, offset, size) (*(u32 *)((bytes) + ((offset) & ((size) - 1))))
#define BYTE(bytes, offset, size) (*(u8 *)((bytes) + ((offset) & ((size) - 1))))

INLINE u64 read_word(u64 at)
{
	u64 word = 0;
	if (probe_read_user(&word, sizeof(word), (void *)at)) return 0;
	return word;
}

/* ---- code objects ----------------------------------------------------------------------------- */

/* What all parts of a walk need. */
struct tools {
	void *ctx;
	struct scratch *scratch;
	struct layout *layout;
	struct process *process;
	/* What is no Python. */
	struct script *script;
};

INLINE u32 mixed(u32 sum, u64 value)
{
	u64 mixed = (sum ^ value) * 0x9e3779b97f4a7c15ULL;
	return mixed >> 32;
}

/* Copies the text at `from` behind the `used` bytes in `data`; returns how many bytes that is. */
SHARED u32 copy_text(struct tools *tools, u64 from, u32 used, u32 is_file)
{
	struct scratch *scratch = tools->scratch;
	struct layout *layout = tools->layout;
	struct copied *copied = is_file ? &scratch->code.file : &scratch->code.name;
	copied->whole = 0;
	copied->bytes = 0;
	copied->state = 0;
	if (probe_read_user(scratch->text, TEXT_BYTES / 2, (void *)from)) return 0;
	u64 length = WORD(scratch->text, layout->text_length, TEXT_BYTES);
	u32 state = HALF(scratch->text, layout->text_state, TEXT_BYTES);
	/* interned:2, kind:3, compact:1, ascii:1; the kind is the size of a letter. */
	u32 size = state >> 2 & 7;
	bool is_ascii = state >> 6 & 1;
	u64 start = from + (is_ascii ? layout->text_ascii : layout->text_other);
	u64 whole = length * size;
	u64 most = is_file ? MOST_FILE - 1 : MOST_NAME - 1;
	u32 bytes = whole > most ? most : whole;
	bytes &= MOST_FILE - 1;
	if (used > MOST_NAME) return 0;
	if (probe_read_user(scratch->code.data + used, bytes, (void *)start)) return 0;
	copied->whole = whole > 0xffffffff ? 0xffffffff : whole;
	copied->bytes = bytes;
	copied->state = state;
	return bytes;
}

/* Whether this is the name `run_until_complete`; since 3.11 that of its class stands before
 * ("BaseEventLoop."). */
INLINE bool runs_loop(const u8 *name, u32 bytes)
{
	if (bytes == 14 + 18) name += 14;
	else if (bytes != 18) return 0;
	return *(u64 *)name == 0x69746e755f6e7572 && *(u64 *)(name + 8) == 0x656c706d6f635f6c &&
	       *(u16 *)(name + 16) == 0x6574;
}

/* Writes what a code object is, of which the beginning is in `object`. */
SHARED long describe(struct tools *tools, u64 code, u32 sum)
{
	struct scratch *scratch = tools->scratch;
	struct layout *layout = tools->layout;
	struct code *record = &scratch->code;
	u64 name = WORD(scratch->object, layout->code_name, CODE_BYTES);
	u64 file = WORD(scratch->object, layout->code_file, CODE_BYTES);
	u64 lines = WORD(scratch->object, layout->code_lines, CODE_BYTES);
	record->head.kind = CODE;
	record->head.flags = 0;
	record->head.pid = scratch->walk.pid;
	record->head.tid = scratch->walk.tid;
	record->head.time_ns = ktime_get_ns();
	record->code = code;
	record->sum = sum;
	record->first_line = HALF(scratch->object, layout->code_first_line, CODE_BYTES);
	u32 used = copy_text(tools, name, 0, 0);
	if (runs_loop(record->data, used)) tools->process->loop_code = code;
	used += copy_text(tools, file, used, 1);
	if (!used || used > MOST_NAME + MOST_FILE) return 1;
	u64 whole = read_word(lines + layout->bytes_size);
	u32 bytes = whole > MOST_LINES - 1 ? MOST_LINES - 1 : whole;
	bytes &= MOST_LINES - 1;
	void *from = (void *)(lines + layout->bytes_data);
	if (probe_read_user(record->data + used, bytes, from)) bytes = 0;
	record->lines.whole = whole > 0xffffffff ? 0xffffffff : whole;
	record->lines.bytes = bytes;
	u64 size = sizeof(struct code) - sizeof(record->data) + used + (bytes & (MOST_LINES - 1));
	if (size > sizeof(struct code)) return 1;
	return perf_event_output(tools->ctx, &output, CURRENT_CPU, record, size);
}

/* Makes sure that a code object was described; returns the sum of what it holds, 0 if it is none. */
SHARED u32 know(struct tools *tools, u64 code)
{
	struct scratch *scratch = tools->scratch;
	struct layout *layout = tools->layout;
	if (probe_read_user(scratch->object, 144, (void *)code)) return 0;
	u64 type = WORD(scratch->object, layout->object_type, CODE_BYTES);
	if (type != scratch->walk.code_type) return 0;
	u32 sum = HALF(scratch->object, layout->code_first_line, CODE_BYTES);
	sum = mixed(sum, WORD(scratch->object, layout->code_name, CODE_BYTES));
	sum = mixed(sum, WORD(scratch->object, layout->code_file, CODE_BYTES));
	sum = mixed(sum, WORD(scratch->object, layout->code_lines, CODE_BYTES));
	sum |= 2;
	sum &= ~1U;
	struct described key = { .code = code, .pid = scratch->walk.pid, .sum = sum };
	if (map_lookup(&seen, &key)) return sum;
	u32 yes = 1;
	if (!describe(tools, code, sum)) map_update(&seen, &key, &yes, 0);
	return sum;
}

/* ---- frames ----------------------------------------------------------------------------------- */

/* An event loop that waits runs `select`, `_run_once`, `run_forever` and `run_until_complete`. */
#define LOOP_DEPTH 3
/* More values than this in a frame are not believed. */
#define MOST_VALUES 4096
/* Where a task may have its coroutine. */
#define TASK_FIRST 24
#define TASK_BYTES 240
/* Where a type has its name, how large its objects are, and what it is made from, behind what says the type of
 * objects; the same in all versions. */
enum { TYPE_NAME = 16, TYPE_BYTES = 24, TYPE_BASE = 248 };
/* How many types one is made from are looked at. */
#define MOST_BASES 4

/* Takes the next frame; returns whether there is no other one. */
static long take_frame(u32 round, struct tools *tools)
{
	struct scratch *scratch = tools->scratch;
	struct layout *layout = tools->layout;
	struct walk *walk = &scratch->walk;
	u32 number = walk->count;
	if (walk->at == walk->base) walk->at = 0;
	if (number >= MOST_FRAMES || number >= walk->limit || !walk->at) return 1;
	if (probe_read_user(scratch->frame, 112, (void *)walk->at)) return 1;
	u64 code = WORD(scratch->frame, layout->frame_code, FRAME_BYTES) & ~REFERENCE_BITS;
	u64 place = WORD(scratch->frame, layout->frame_place, FRAME_BYTES);
	u8 kind = BYTE(scratch->frame, layout->frame_kind, FRAME_BYTES);
	struct frame *frame = &scratch->frames.frames[number];
	u32 kinds = layout->kinds;
	if (kinds == FOREIGN_FRAME && kind >= OWNED_BY_C) {
		frame->code = 0;
		frame->place = -1;
		frame->sum = 1;
	} else {
		u32 sum = know(tools, code);
		/* Where something is not what it should be, nothing beyond it is believed. */
		if (!sum) return 1;
		bool is_first = kinds == EVERY_FRAME || (kinds == ENTRY_FRAME && kind);
		u64 begin = kinds == EVERY_FRAME ? 0 : code + layout->code_instructions;
		frame->code = code;
		frame->place = place - begin;
		frame->sum = sum | is_first;
	}
	if (number == LOOP_DEPTH && code == tools->process->loop_code) walk->loop_frame = walk->at;
	walk->at = WORD(scratch->frame, layout->frame_previous, FRAME_BYTES);
	walk->count = number + 1;
	return 0;
}

/* ---- what event loops wait for ---------------------------------------------------------------- */

INLINE u64 type_of(struct tools *tools, u64 object)
{
	return object ? read_word(object + tools->layout->object_type) : 0;
}

/* What the coroutine whose frame is copied, and lies at `at`, awaits. */
SHARED u64 awaited_by(struct tools *tools, u64 at)
{
	struct layout *layout = tools->layout;
	struct scratch *scratch = tools->scratch;
	u64 behind = WORD(scratch->frame, layout->frame_top, FRAME_BYTES);
	if (layout->top_kind != TOP_ADDRESS) {
		u32 count = behind;
		if (!count || count > MOST_VALUES) return 0;
		u64 first = layout->top_kind == TOP_OF_LOCALS ?
				    at + layout->frame_locals :
				    WORD(scratch->frame, FRAME_VALUES, FRAME_BYTES);
		behind = first + 8ULL * count;
	}
	return read_word(behind - 8) & ~REFERENCE_BITS;
}

/* Whether a type is that of tasks, or made from it: its name is `_asyncio.Task`. */
SHARED bool is_task(struct tools *tools, u64 type)
{
	u32 behind = tools->layout->object_type;
#pragma clang loop unroll(disable)
	for (u32 base = 0; base < MOST_BASES; base++) {
		u64 name[2] = {};
		if (!type) return 0;
		void *from = (void *)read_word(type + behind + TYPE_NAME);
		if (!probe_read_user(name, 14, from) && name[0] == 0x6f69636e7973615f &&
		    name[1] == 0x6b7361542e)
			return 1;
		type = read_word(type + behind + TYPE_BASE);
	}
	return 0;
}

/* Goes from a task to its coroutine. Which word of it that is depends on the version; what is before it is
 * what the task waits for. */
SHARED long enter_task(struct tools *tools, u64 task, u64 type)
{
	struct walk *walk = &tools->scratch->walk;
	u8 *object = tools->scratch->object;
	u64 before = 0;
	if (type != walk->task_type && !is_task(tools, type)) return 1;
	walk->task_type = type;
	u64 bytes = read_word(type + tools->layout->object_type + TYPE_BYTES);
	if (bytes > TASK_BYTES) bytes = TASK_BYTES;
	bytes &= 0xf8;
	if (probe_read_user(object, bytes, (void *)task)) return 1;
#pragma clang loop unroll(disable)
	for (u32 at = TASK_FIRST; at < TASK_BYTES; at += 8) {
		if (at >= bytes) break;
		u64 word = WORD(object, at, CODE_BYTES);
		if (type_of(tools, word) == walk->coroutine_type) {
			walk->object = word;
			walk->waiter = before;
			return 0;
		}
		before = word;
	}
	return 1;
}

#include "gathered.h"

/* Takes the next coroutine or task; returns whether there is no other one. */
static long take_awaited(u32 round, struct tools *tools)
{
	struct scratch *scratch = tools->scratch;
	struct layout *layout = tools->layout;
	struct walk *walk = &scratch->walk;
	if (walk->looks_at) return search_on(tools);
	u64 at = walk->object;
	u32 number = walk->count + walk->awaited;
	if (number >= MOST_FRAMES + MOST_AWAITED || walk->awaited >= MOST_AWAITED) return 1;
	u64 type = type_of(tools, at);
	if (!type) return 1;
	if (type != walk->coroutine_type) {
		if (!enter_task(tools, at, type)) return 0;
		search(walk, at);
		return !walk->task_type;
	}
	at += layout->coroutine_frame;
	if (layout->coroutine_kind == FRAME_ELSEWHERE) at = read_word(at);
	if (!at || probe_read_user(scratch->frame, 112, (void *)at)) return 1;
	u64 code = WORD(scratch->frame, layout->frame_code, FRAME_BYTES) & ~REFERENCE_BITS;
	u64 place = WORD(scratch->frame, layout->frame_place, FRAME_BYTES);
	u32 sum = know(tools, code);
	if (!sum) return 1;
	struct frame *frame = &scratch->frames.frames[number];
	frame->code = code;
	frame->place = place - (layout->kinds == EVERY_FRAME ? 0 : code + layout->code_instructions);
	frame->sum = sum;
	walk->awaited++;
	walk->locals = at + layout->frame_locals;
	u64 next = awaited_by(tools, at);
	if (type_of(tools, next) != walk->coroutine_type) {
		next = walk->waiter;
		walk->waiter = 0;
	}
	walk->object = next;
	return 0;
}

/* Takes the coroutines that the task of an event loop awaits: the task is the first argument, behind the
 * loop, of the function that runs it. */
SHARED void take_coroutines(struct tools *tools)
{
	struct layout *layout = tools->layout;
	struct walk *walk = &tools->scratch->walk;
	if (!walk->loop_frame || !walk->coroutine_type || !layout->coroutine_frame) return;
	walk->object = read_word(walk->loop_frame + layout->frame_locals + 8) & ~REFERENCE_BITS;
	walk->waiter = 0;
	walk->task_type = 0;
	walk->locals = 0;
	walk->looks_at = NOTHING;
	walk->kept_left = 0;
	loop(MOST_LOOKS, take_awaited, tools, 0);
}

/* Looks at the next thread of the interpreters; returns whether there is no other one to look at. */
static long find_thread(u32 round, struct tools *tools)
{
	struct layout *layout = tools->layout;
	struct walk *walk = &tools->scratch->walk;
	u64 at = walk->at;
	if (!at) {
		if (!walk->interpreter) return 1;
		walk->at = read_word(walk->interpreter + layout->interpreter_threads);
		walk->interpreter = read_word(walk->interpreter + layout->interpreter_next);
		return 0;
	}
	if (read_word(at + layout->thread_id) != walk->wanted) {
		walk->at = read_word(at + layout->thread_next);
		return 0;
	}
	if (walk->state) {
		walk->outer = at;
		return 1;
	}
	walk->state = at;
	walk->at = 0;
	return 0;
}

#define MOST_THREADS 1024
/* How long a thread of which nothing was found, or which may begin to run code of another interpreter, is not
 * looked for again. */
#define AGAIN_NS 5000000

/* Whether this is still what the interpreter keeps of the current thread. */
INLINE bool is_of_thread(struct tools *tools, u64 state)
{
	return state && read_word(state + tools->layout->thread_id) == tools->scratch->walk.wanted;
}

/* Finds where the interpreters keep the state of the current thread; returns whether one does. */
SHARED bool find_states(struct tools *tools, u64 interpreters, u64 now)
{
	struct walk *walk = &tools->scratch->walk;
	u32 tid = walk->tid;
	u64 newest = read_word(interpreters);
	struct known *known = map_lookup(&threads, &tid);
	bool is_recent = known && now - known->looked_ns < AGAIN_NS;
	if (known && known->newest == newest) {
		walk->state = known->state;
		walk->outer = known->outer;
		bool is_final = is_recent || !read_word(newest + tools->layout->interpreter_next);
		if (is_final && is_of_thread(tools, walk->state)) {
			if (!is_of_thread(tools, walk->outer)) walk->outer = 0;
			return 1;
		}
		if (!walk->state && is_recent) return 0;
	}
	walk->interpreter = newest;
	walk->at = 0;
	walk->state = 0;
	walk->outer = 0;
	loop(MOST_THREADS, find_thread, tools, 0);
	struct known found = {
		.state = walk->state,
		.outer = walk->outer,
		.newest = newest,
		.looked_ns = now,
	};
	map_update(&threads, &tid, &found, 0);
	return walk->state;
}

/* Nothing was found where it was looked for: another interpreter may have its code by now. */
INLINE void look_again(struct walk *walk, u64 now)
{
	u32 tid = walk->tid;
	struct known *known = map_lookup(&threads, &tid);
	if (known && now - known->looked_ns > AGAIN_NS) map_delete(&threads, &tid);
}

/* Takes the frames of a state. */
SHARED void take_frames(struct tools *tools, u64 state)
{
	struct layout *layout = tools->layout;
	struct walk *walk = &tools->scratch->walk;
	u64 at = read_word(state + layout->thread_frame);
	if (layout->c_frame && at) at = read_word(at + layout->c_frame - 1);
	walk->base = layout->thread_base ? read_word(state + layout->thread_base - 1) : 0;
	walk->at = at;
	loop(MOST_FRAMES, take_frame, tools, 0);
}

/* What the thread of this state is doing about the lock of its interpreter, and about garbage. */
SHARED u32 doing(struct tools *tools, struct task_struct *task, u64 runtime, u64 state)
{
	struct layout *layout = tools->layout;
	u64 interpreter = read_word(state + layout->thread_interpreter);
	u64 at = layout->collecting_of_runtime ? runtime + layout->collecting_of_runtime :
						 interpreter + layout->collecting_of_interpreter;
	bool collecting = (u32)read_word(at - 1);
	struct pt_regs *regs = task_pt_regs(task);
	bool in_futex = regs->orig_ax == NR_FUTEX;
	if (!collecting && !in_futex) return 0;
	u64 gil = layout->gil_of_runtime ? runtime + layout->gil_of_runtime - 1 :
					   read_word(interpreter + layout->gil_of_interpreter - 1);
	if (!gil) return 0;
	u64 waits_for = regs->di - gil - GIL_FUTEXES;
	if (in_futex && waits_for < GIL_BYTES - GIL_FUTEXES) return WAITS_FOR_GIL;
	bool holds = read_word(gil + GIL_HOLDER) == state && (u32)read_word(gil + GIL_LOCKED) == 1;
	return collecting && holds ? COLLECTS : 0;
}

/* How many frames may be read now. */
INLINE u32 frame_limit(struct cost *cost, u64 now)
{
	s64 credit = cost->credit_ns + (s64)((now - cost->last_ns) / SHARE);
	if (credit > BURST_NS || !cost->last_ns) credit = BURST_NS;
	cost->credit_ns = credit;
	cost->last_ns = now;
	return credit > 0 ? MOST_FRAMES : FEW_FRAMES;
}

#include "scripts.h"

/* Writes the frames that were taken. */
SHARED void write_taken(struct tools *tools, struct cost *cost, u64 now, u32 flags)
{
	struct scratch *scratch = tools->scratch;
	struct walk *walk = &scratch->walk;
	struct frames *frames = &scratch->frames;
	u64 count = walk->count, awaited = walk->awaited;
	if (count > MOST_FRAMES) count = MOST_FRAMES;
	if (awaited > MOST_AWAITED) awaited = MOST_AWAITED;
	frames->head.kind = FRAMES;
	frames->head.flags = flags;
	frames->head.pid = walk->pid;
	frames->head.tid = walk->tid;
	frames->head.time_ns = now;
	frames->count = count;
	frames->awaited = awaited;
	u64 size = sizeof(struct head) + sizeof(u64);
	size += (count + awaited) * sizeof(struct frame);
	if (perf_event_output(tools->ctx, &output, CURRENT_CPU, frames, size)) cost->lost++;
}

/* Begins to look at the thread that runs. */
INLINE void begin_walk(struct tools *tools, struct cost *cost, u64 now)
{
	struct task_struct *task = get_current_task();
	struct walk *walk = &tools->scratch->walk;
	walk->wanted = task->thread.fsbase;
	walk->pid = task->tgid;
	walk->tid = task->pid;
	walk->count = 0;
	walk->limit = frame_limit(cost, now);
	walk->loop_frame = 0;
	walk->awaited = 0;
	walk->at = 0;
}

/* Counts what that took. */
INLINE void end_walk(struct tools *tools, struct cost *cost, u64 begun)
{
	give_scratch(tools->scratch);
	u64 ns = ktime_get_ns() - begun;
	cost->walks++;
	cost->ns += ns;
	cost->credit_ns -= ns;
	if (ns > cost->longest_ns) cost->longest_ns = ns;
	u32 length = 0;
#pragma clang loop unroll(disable)
	for (u64 rest = ns >> 7; rest && length < LENGTHS - 1; rest >>= 1) length++;
	cost->lengths[length & (LENGTHS - 1)]++;
}

/* The frames of a Python program. */
INLINE void write_python(void *ctx, struct process *process, struct cost *cost, struct scratch *scratch)
{
	u32 number = process->layout;
	struct layout *layout = map_lookup(&layouts, &number);
	struct tools tools = { .ctx = ctx, .scratch = scratch, .layout = layout, .process = process };
	u64 now = ktime_get_ns();
	begin_walk(&tools, cost, now);
	struct walk *walk = &scratch->walk;
	walk->code_type = process->code_type;
	walk->coroutine_type = process->coroutine_type;
	if (layout && find_states(&tools, process->runtime + layout->interpreters, now)) {
		u32 is_doing = doing(&tools, get_current_task(), process->runtime, walk->state);
		take_frames(&tools, walk->state);
		if (walk->outer && !walk->at) take_frames(&tools, walk->outer);
		if (!walk->count) look_again(walk, now);
		take_coroutines(&tools);
		write_taken(&tools, cost, now, (walk->at ? IS_CUT : 0) | is_doing);
	}
	end_walk(&tools, cost, now);
}

/* The frames of a program of Ruby, PHP or Perl. */
INLINE void write_script(void *ctx, struct script *script, struct cost *cost, struct scratch *scratch)
{
	struct tools tools = { .ctx = ctx, .scratch = scratch, .script = script };
	u64 now = ktime_get_ns();
	begin_walk(&tools, cost, now);
	struct walk *walk = &scratch->walk;
	u32 is_doing = take_script_frames(&tools, walk->wanted);
	if (walk->count) write_taken(&tools, cost, now, (walk->at ? IS_CUT : 0) | is_doing);
	end_walk(&tools, cost, now);
}

INLINE int write_frames(void *ctx)
{
	u32 pid = get_current_task()->tgid, zero = 0;
	struct cost *cost = map_lookup(&costs, &zero);
	struct process *process = map_lookup(&processes, &pid);
	if (!cost) return 1;
	if (process) {
		struct scratch *scratch = take_scratch();
		if (scratch) write_python(ctx, process, cost, scratch);
		else cost->lost++;
		return 1;
	}
	struct script *script = map_lookup(&scripts, &pid);
	if (script) {
		struct scratch *scratch = take_scratch();
		if (scratch) write_script(ctx, script, cost, scratch);
		else cost->lost++;
	}
	return 1;
}

SEC("perf_event")
int frames_of_sample(void *ctx)
{
	write_frames(ctx);
	end_run(share_here(), AT_SAMPLE);
	return 1;
}

SEC("tp_btf/sys_exit")
int frames_of_wait(u64 *ctx)
{
	write_frames(ctx);
	end_call(ctx, 1);
	end_run(share_here(), AT_CALL);
	return 1;
}

SEC("tp_btf/sched_switch")
int frames_of_switch(u64 *ctx)
{
	write_frames(ctx);
	end_switch(ctx);
	end_run(share_here(), AT_SWITCH);
	return 1;
}

SEC("tp_btf/sched_waking")
int frames_of_waker(u64 *ctx)
{
	write_frames(ctx);
	end_run(share_here(), AT_WAKE_UP);
	return 1;
}

/* ---- processes -------------------------------------------------------------------------------- */

/* A process is born with its parent's memory. */
SEC("tp_btf/task_newtask")
int on_fork(u64 *ctx)
{
	struct task_struct *child = (void *)ctx[0];
	if (ctx[1] & CLONE_THREAD) return 1;
	struct task_struct *parent = get_current_task();
	u32 from = parent->tgid, to = child->tgid;
	struct process *process = map_lookup(&processes, &from);
	struct script *script = map_lookup(&scripts, &from);
	map_delete(&processes, &to);
	map_delete(&scripts, &to);
	if (process) {
		struct process copy = *process;
		map_update(&processes, &to, &copy, 0);
	}
	if (script) {
		struct script copy = *script;
		map_update(&scripts, &to, &copy, 0);
	}
	return 1;
}

/* When the recorder was woken last. */
struct {
	UINT(type, MAP_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, u64);
} rung SEC(".maps");

#define BETWEEN_RINGS_NS 20000000

/* The new program's interpreter, if it has one, must be known before it runs its first function. */
SEC("tp_btf/sched_process_exec")
int on_exec(u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	u32 pid = task->tgid, zero = 0;
	map_delete(&processes, &pid);
	map_delete(&scripts, &pid);
	u64 now = ktime_get_ns();
	u64 *last = map_lookup(&rung, &zero);
	if (!last || now - *last < BETWEEN_RINGS_NS) return 1;
	*last = now;
	perf_event_output(ctx, &bell, CURRENT_CPU, &now, sizeof(now));
	return 1;
}
