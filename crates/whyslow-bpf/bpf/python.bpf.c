/* The eBPF programs that read the frames of Python, Ruby, PHP and Perl programs. Purpose: src/python.rs; reader
 * of their output: crates/whyslow-runtimes/src/interpreted/payload.rs. Compiled ahead of time into python.bpf.o by
 * ./build.
 *
 * The programs of whyslow.bpf.c that copy a native stack tail-call these, so both stacks are of the same moment. The
 * programs read the memory of the current thread and never write to it. Every loop is bounded.
 *
 * What the names of members and numbers refer to in CPython: crates/whyslow-symbols/src/python, which has the
 * offsets for each version; docs/decisions/python-frames.md explains the method.
 *
 * Runs on x86-64, Linux 5.17 and later (bpf_loop). */

#include "kernel.h"
#include "ends.h"
#include "share.h"

OTHER_SHARES

/* ---- input, written by the recorder ----------------------------------------------------------- */

/* Offsets of the members of the interpreter's structures, in bytes. Those of a frame, a code object and a string are
 * less than FRAME_BYTES, CODE_BYTES and TEXT_BYTES. The recorder checks that. */
struct layout {
	/* The pointer to the first interpreter, in _PyRuntime. */
	u32 interpreters;
	u32 interpreter_threads, interpreter_next;
	u32 thread_next, thread_id, thread_frame;
	/* The pointer to the frame in the structure that `thread_frame` points to, plus one; 0: `thread_frame`
	 * points to the frame itself. */
	u32 c_frame;
	u32 frame_code, frame_previous, frame_place, frame_kind;
	/* How a run of frames ends; see `enum kinds`. A run is all frames of one call of the evaluation function. */
	u32 kinds;
	u32 code_file, code_name, code_first_line, code_lines, code_instructions;
	u32 object_type;
	u32 text_length, text_state, text_ascii, text_other;
	u32 bytes_size, bytes_data;
	u32 thread_interpreter;
	/* The pointer to the outermost frame, which belongs to no call, plus one; 0: there is none. */
	u32 thread_base;
	/* The lock of the interpreter (GIL) and the flag that garbage is being collected, each plus one. They are in
	 * the runtime or in the interpreter, depending on the version; the other offset is 0. In the interpreter
	 * there is a pointer to the lock. */
	u32 gil_of_runtime, gil_of_interpreter;
	u32 collecting_of_runtime, collecting_of_interpreter;
	/* A coroutine's frame or the pointer to it, see `enum coroutine_kinds`; 0: coroutines are not followed. */
	u32 coroutine_frame, coroutine_kind;
	u32 frame_locals;
	/* What marks the end of a frame's value stack; see `enum tops`. */
	u32 frame_top, top_kind;
};

/* How to recognize the first frame of a call of the evaluation function. */
enum kinds {
	/* Up to 3.10: every frame has a call of its own. The place is `f_lasti`, a number. */
	EVERY_FRAME = 0,
	/* 3.11: the frame is marked (`is_entry`). The place is an address. */
	ENTRY_FRAME = 1,
	/* From 3.12 on: the next frame further out belongs to no Python code. The place is an address. */
	FOREIGN_FRAME = 2,
};

/* Whether the frame of a coroutine is part of the coroutine object (from 3.11 on). */
enum coroutine_kinds { FRAME_ELSEWHERE = 0, FRAME_INSIDE = 1 };

/* What marks the end of the value stack of a frame. */
enum tops {
	/* A pointer to the slot after the last value. */
	TOP_ADDRESS = 0,
	/* The number of slots from the first local variable on. */
	TOP_OF_LOCALS = 1,
	/* The number of values at the address that is stored at FRAME_VALUES. */
	TOP_OF_VALUES = 2,
};
#define FRAME_VALUES 64

/* The first value of `owner` that means: the frame belongs to no Python code (pycore_frame.h: FRAME_OWNED_BY_*). */
#define OWNED_BY_C 3
/* From 3.14 on, the lowest bits of a stored reference tell how it is counted. Objects are aligned, so the bits are 0 in
 * earlier versions. */
#define REFERENCE_BITS 3ULL

/* The lock of the interpreter, `struct _gil_runtime_state`: the thread that last had it, whether it is held, and where
 * the futexes begin on which threads wait for it. The offsets are the same in all versions. */
enum gil {
	GIL_HOLDER = 8,
	GIL_LOCKED = 16,
	GIL_FUTEXES = 32,
	GIL_BYTES = 208,
};
#define NR_FUTEX 202

struct process {
	/* The address of _PyRuntime. */
	u64 runtime;
	/* The address of PyCode_Type. */
	u64 code_type;
	u32 layout;
	u32 unused;
	/* The address of PyCoro_Type; 0: coroutines are not followed. */
	u64 coroutine_type;
	/* The code object of `run_until_complete` of event loops; 0: not seen yet. */
	u64 loop_code;
	/* The types of the containers that may hold tasks. */
	u64 dict_type, list_type, set_type;
};

#define LAYOUTS 64

struct {
	UINT(type, MAP_ARRAY);
	UINT(max_entries, LAYOUTS);
	TYPE(key, u32);
	TYPE(value, struct layout);
} layouts SEC(".maps");

/* By process id. */
struct {
	UINT(type, MAP_LRU_HASH);
	UINT(max_entries, 16 << 10);
	TYPE(key, u32);
	TYPE(value, struct process);
} processes SEC(".maps");

/* ---- output ----------------------------------------------------------------------------------- */

enum kind { FRAMES = 1, CODE, RUBY_CODE, PHP_CODE, PERL_CODE };
/* Flags of `frames`: there are more frames; the thread waits for the lock of the interpreter; it collects garbage. */
enum { IS_CUT = 1, WAITS_FOR_GIL = 2, COLLECTS = 4 };

struct head {
	u32 kind, flags;
	u32 pid, tid;
	u64 time_ns;
};

/* A frame. The code is 0 if it belongs to no Python code and only ends a run. */
struct frame {
	u64 code;
	/* Python: bytes from the first instruction, up to 3.10 `f_lasti` unchanged; negative: not begun. Ruby:
	 * bytes, too. PHP and Perl: the line. */
	s32 place;
	/* Bit 0: the frame is the first of its run. Other bits: a checksum of what the code object contains, since the
	 * address may be reused. */
	u32 sum;
};

#define MOST_FRAMES 1024
#define FEW_FRAMES 64
#define MOST_AWAITED 32
/* Steps of the search for awaited coroutines. */
#define MOST_LOOKS 1024

struct frames {
	struct head head;
	/* `count` frames of the thread, from the leaf to the root. They are followed by `awaited` frames of the
	 * coroutines that the task of its event loop awaits, from the root to the leaf. */
	u32 count, awaited;
	struct frame frames[MOST_FRAMES + MOST_AWAITED];
};

#define MOST_NAME 512
#define MOST_FILE 2048
#define MOST_LINES (16 << 10)
#define MOST_INDEX 4096

/* A copied string: its size and how many bytes of it were copied. */
struct copied {
	u32 whole, bytes;
	/* Of a Python string, the word that tells how it is encoded; see copy_text. */
	u32 state, unused;
};

struct code {
	struct head head;
	u64 code;
	u32 sum;
	u32 first_line;
	struct copied name, file, lines;
	/* Name, file and table of lines, without gaps; of Ruby also the index of that table. */
	u8 data[MOST_NAME + MOST_FILE + MOST_LINES + MOST_INDEX];
};

/* The events that wake the recorder at once; otherwise it reads the output ten times a second. */
struct events_by_cpu bell SEC(".maps");

/* ---- memory ----------------------------------------------------------------------------------- */

#define FRAME_BYTES 128
#define CODE_BYTES 256
#define TEXT_BYTES 128
#define ROOM 8

/* Where two interpreters keep the state (PyThreadState) of a thread: the newest one whose code it runs, and the next
 * one, which called it. */
struct known {
	u64 state, outer;
	/* The newest interpreter of the process. */
	u64 newest;
	/* When the states were searched for. */
	u64 looked_ns;
};

struct {
	UINT(type, MAP_LRU_HASH);
	UINT(max_entries, 32 << 10);
	TYPE(key, u32);
	TYPE(value, struct known);
} threads SEC(".maps");

/* Identifies a code object that was described. */
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

/* The state of a walk over frames. It is kept in a map because the verifier does not track values in maps. If it knew
 * the values, it would examine every round of a loop separately. */
struct walk {
	/* The next frame or thread, and the next interpreter. */
	u64 at, interpreter;
	/* The states of the thread that were found; see `struct known`. */
	u64 state, outer;
	/* The thread pointer (fs base), which the states of the current thread contain. */
	u64 wanted;
	u64 code_type;
	/* The outermost frame, which belongs to no call. */
	u64 base;
	u32 pid, tid;
	u32 count, limit;
	/* The search for awaited coroutines: the frame of the event loop; the next coroutine or task; what that task
	 * waits for, which is needed once its coroutines await nothing else; the type of tasks. */
	u64 coroutine_type, loop_frame;
	u64 object, waiter, task_type;
	/* The local variables of the last coroutine. */
	u64 locals;
	/* The search for tasks that are awaited together (gathered.h): what the next words are, how many are left,
	 * how many bytes apart they are, the next source of words; the address of the next word; words to return to. */
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

/* What reading frames cost, by CPU. */
struct cost {
	u64 walks, ns, longest_ns, lost;
	/* The time that may still be spent on deep stacks. */
	s64 credit_ns;
	u64 last_ns;
	/* The number of walks that took less than 128 ns, less than 256 ns and so on. */
	u64 lengths[LENGTHS];
};

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, struct cost);
} costs SEC(".maps");

/* Deep stacks may take one nanosecond in SHARE; up to BURST_NS can be saved up. */
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

/* Values in a copied structure. The masks prove to the verifier that the offset is within bounds. */
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
	/* Set for Ruby, PHP and Perl, where `layout` and `process` are NULL. */
	struct script *script;
};

/* The next value of a checksum. */
INLINE u32 mixed(u32 sum, u64 value)
{
	u64 mixed = (sum ^ value) * 0x9e3779b97f4a7c15ULL;
	return mixed >> 32;
}

/* Copies the string at `from` to `data` after the `used` bytes there; returns how many bytes were copied. */
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
	/* PyASCIIObject.state: interned:2, kind:3, compact:1, ascii:1. The kind is the bytes of a character. */
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

/* Whether this is the name `run_until_complete`. Since 3.11 names are qualified: "BaseEventLoop." precedes it. */
INLINE bool runs_loop(const u8 *name, u32 bytes)
{
	if (bytes == 14 + 18) name += 14;
	else if (bytes != 18) return 0;
	return *(u64 *)name == 0x69746e755f6e7572 && *(u64 *)(name + 8) == 0x656c706d6f635f6c &&
	       *(u16 *)(name + 16) == 0x6574;
}

/* Writes the description of a code object whose beginning is in `object`; returns 0 if it was written. */
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

/* Describes a code object that was not described before. Returns its checksum; 0: it is not a code object. */
SHARED u32 describe_once(struct tools *tools, u64 code)
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
	/* Never 0, and bit 0 is free for the flag of a frame. */
	sum |= 2;
	sum &= ~1U;
	struct described key = { .code = code, .pid = scratch->walk.pid, .sum = sum };
	if (map_lookup(&seen, &key)) return sum;
	u32 yes = 1;
	if (!describe(tools, code, sum)) map_update(&seen, &key, &yes, 0);
	return sum;
}

/* ---- frames ----------------------------------------------------------------------------------- */

/* The frames of an event loop that waits are `select`, `_run_once`, `run_forever` and `run_until_complete`; the
 * number of frames before the last one. */
#define LOOP_DEPTH 3
/* A frame with more values than this is taken for damaged. */
#define MOST_VALUES 4096
/* The part of a task in which its coroutine is searched for: no public header describes tasks. */
#define TASK_FIRST 24
#define TASK_BYTES 240
/* Offsets in a type object (tp_name, tp_basicsize, tp_base), counted from its own `ob_type`; the same in all
 * versions. */
enum { TYPE_NAME = 16, TYPE_BYTES = 24, TYPE_BASE = 248 };
/* How many classes of a chain of base classes are examined. */
#define MOST_BASES 4

/* Stores the next frame; returns 1 at the end of the walk. */
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
		u32 sum = describe_once(tools, code);
		/* This is not a code object, so nothing further out can be trusted. */
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

/* The type of an object; 0 if it cannot be read. */
INLINE u64 type_of(struct tools *tools, u64 object)
{
	return object ? read_word(object + tools->layout->object_type) : 0;
}

/* What a coroutine awaits: the last value on its stack. Its frame is at `at`, and a copy in `frame`. */
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

/* Whether a type is `_asyncio.Task` or derives from it. */
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

/* Goes from a task to its coroutine; returns 1 if this is no task or has none. The coroutine is at a different
 * offset in each version; the word before it is the future that the task waits for (`task_fut_waiter`). */
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

/* Goes on with the next coroutine or task; returns 1 at the end. */
static long take_awaited(u32 round, struct tools *tools)
{
	struct scratch *scratch = tools->scratch;
	struct layout *layout = tools->layout;
	struct walk *walk = &scratch->walk;
	if (walk->looks_at) return search_step(tools);
	u64 at = walk->object;
	u32 number = walk->count + walk->awaited;
	if (number >= MOST_FRAMES + MOST_AWAITED || walk->awaited >= MOST_AWAITED) return 1;
	u64 type = type_of(tools, at);
	if (!type) return 1;
	if (type != walk->coroutine_type) {
		if (!enter_task(tools, at, type)) return 0;
		begin_search(walk, at);
		return !walk->task_type;
	}
	at += layout->coroutine_frame;
	if (layout->coroutine_kind == FRAME_ELSEWHERE) at = read_word(at);
	if (!at || probe_read_user(scratch->frame, 112, (void *)at)) return 1;
	u64 code = WORD(scratch->frame, layout->frame_code, FRAME_BYTES) & ~REFERENCE_BITS;
	u64 place = WORD(scratch->frame, layout->frame_place, FRAME_BYTES);
	u32 sum = describe_once(tools, code);
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

/* Stores the frames of the coroutines that the task of an event loop awaits. The task is the second argument of
 * `run_until_complete`, after the loop itself. */
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

/* Checks whether the next thread of the interpreters is the current one; returns 1 at the end of the search. */
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
/* How long the search is not repeated if nothing was found, or if the process has several interpreters and the
 * thread may have begun to run code of another one. */
#define AGAIN_NS 5000000

/* Whether this is still the state of the current thread. */
INLINE bool is_of_thread(struct tools *tools, u64 state)
{
	return state && read_word(state + tools->layout->thread_id) == tools->scratch->walk.wanted;
}

/* Finds the states of the current thread; returns whether there is one. */
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

/* Called if the known state has no frames: the thread may run code of another interpreter by now, so the next walk
 * searches again. */
INLINE void look_again(struct walk *walk, u64 now)
{
	u32 tid = walk->tid;
	struct known *known = map_lookup(&threads, &tid);
	if (known && now - known->looked_ns > AGAIN_NS) map_delete(&threads, &tid);
}

/* Stores the frames of a thread state. */
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

/* Whether the thread waits for the lock of its interpreter (its futex call is on an address in the lock), or collects
 * garbage (somebody does, and this thread holds the lock); the flags for the output. */
SHARED u32 gil_flags(struct tools *tools, struct task_struct *task, u64 runtime, u64 state)
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

/* How many frames may be read now: few if deep stacks have used up their time. */
INLINE u32 frame_limit(struct cost *cost, u64 now)
{
	s64 credit = cost->credit_ns + (s64)((now - cost->last_ns) / SHARE);
	if (credit > BURST_NS || !cost->last_ns) credit = BURST_NS;
	cost->credit_ns = credit;
	cost->last_ns = now;
	return credit > 0 ? MOST_FRAMES : FEW_FRAMES;
}

#include "scripts.h"

/* Writes the frames that were stored. */
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

/* Begins a walk over the frames of the current thread. */
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

/* Ends the walk and counts how long it took. */
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

/* Writes the frames of a Python program. */
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
		u32 state_flags = gil_flags(&tools, get_current_task(), process->runtime, walk->state);
		take_frames(&tools, walk->state);
		if (walk->outer && !walk->at) take_frames(&tools, walk->outer);
		if (!walk->count) look_again(walk, now);
		take_coroutines(&tools);
		write_taken(&tools, cost, now, (walk->at ? IS_CUT : 0) | state_flags);
	}
	end_walk(&tools, cost, now);
}

/* Writes the frames of a Ruby, PHP or Perl program. */
INLINE void write_script(void *ctx, struct script *script, struct cost *cost, struct scratch *scratch)
{
	struct tools tools = { .ctx = ctx, .scratch = scratch, .script = script };
	u64 now = ktime_get_ns();
	begin_walk(&tools, cost, now);
	struct walk *walk = &scratch->walk;
	u32 state_flags = take_script_frames(&tools, walk->wanted);
	if (walk->count) write_taken(&tools, cost, now, (walk->at ? IS_CUT : 0) | state_flags);
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

/* A forked process has a copy of its parent's memory, so the same interpreter at the same addresses. */
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

/* When the recorder was last woken. */
struct {
	UINT(type, MAP_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, u64);
} rung SEC(".maps");

#define BETWEEN_RINGS_NS 20000000

/* Wakes the recorder, which looks for an interpreter in the new program. It must find it before the interpreter runs
 * its first function. */
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
