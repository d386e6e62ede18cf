/* The frames of Ruby, PHP and Perl programs; a part of python.bpf.c, with the same output.
 *
 * Ruby keeps the state of a thread in that thread's own memory, and its frames in an array that grows
 * downwards. PHP keeps a list of frames, and where it begins. Both keep the frames of what is written in C
 * too. A generator of PHP that delegates to another one (yield from) is in no frame while that one runs, and is
 * left out. Perl: see perl.h. What a code object is here: the body of an instruction sequence (Ruby), a function
 * (PHP), the operations of a subroutine or a file (Perl). */

enum languages { RUBY = 1, PHP = 2, PERL = 3 };

struct script {
	/* Ruby: where the loader keeps the number of the module, whose block the thread's own memory has; or
	 * how far from the thread's pointer the state is told. PHP: where the innermost frame is told. Perl: where
	 * the first interpreter is told. */
	u64 at;
	/* Ruby: where in the module's block the state is told. Perl: where the number is told under which a thread
	 * keeps its interpreter. */
	u64 place;
	u32 language;
	u32 is_distance;
	/* Ruby: bytes of a frame, and where the parts of a table of lines are in the body of a sequence. */
	u32 frame_bytes;
	u32 entries, entry_count, entry_bytes, index;
	/* Ruby: where a short text begins, and whether its length is in the word of flags. */
	u32 short_text, length_in_flags;
	/* Ruby: where a thread has its place in the queue for the lock; where what runs is told; where garbage
	 * collection is. 0: not known. */
	u32 queue, running, heap, heap_flags;
	/* PHP: of a function. */
	u32 file, first_line;
	/* Perl: whether the name of a package lies behind the table of its names, not behind the package itself. */
	u32 name_is_behind_table;
	/* Perl: the functions that begin a statement, that begin a subroutine, and that end one. */
	u64 statement, begins, ends;
};

/* By process. */
struct {
	UINT(type, MAP_LRU_HASH);
	UINT(max_entries, 16 << 10);
	TYPE(key, u32);
	TYPE(value, struct script);
} scripts SEC(".maps");

/* ---- Ruby ------------------------------------------------------------------------------------- */

enum ruby {
	/* The state: the array of frames, its words, the newest frame, the thread. */
	STATE_STACK = 0,
	STATE_WORDS = 8,
	STATE_FRAME = 16,
	STATE_THREAD = 48,
	STATE_BYTES = 56,
	MOST_STACK_WORDS = 1 << 24,
	/* A frame: what is next, its sequence, its surroundings, which begin with flags. */
	FRAME_PLACE = 0,
	FRAME_SEQUENCE = 16,
	FRAME_FLAGS = 32,
	/* The interpreter's function was called for it. */
	ENDS_CALL = 0x20,
	SEQUENCE_BODY = 16,
	/* The body of a sequence. */
	BODY_WORDS = 4,
	BODY_CODE = 8,
	BODY_FILE = 64,
	BODY_NAME = 80,
	BODY_BYTES = 152,
	/* Objects. */
	TYPE_MASK = 0x1f,
	IS_TEXT = 5,
	IS_ARRAY = 7,
	/* A text is elsewhere; an array is not. */
	OTHER_PLACE = 1 << 13,
	LENGTH_SHIFT = 14,
	OBJECT_FIRST = 16,
	OBJECT_POINTER = 24,
	ARRAY_POINTER = 32,
	/* A thread. */
	THREAD_RACTOR = 24,
	THREAD_MACHINE = 32,
	QUEUE_CONDITION = 16,
	CONDITION_BYTES = 48,
	COLLECTS_NOW = 0x20,
};

/* A heap begins with how many bytes may be allocated beside it until garbage is collected. */
#define LEAST_ALLOCATED (1ULL << 16)
#define MOST_ALLOCATED (1ULL << 34)

/* The index of lines: how it begins, and what follows for so many words of code. */
#define INDEX_HEAD_BYTES 48
#define INDEX_HEAD_WORDS 54
#define INDEX_BLOCK_BYTES 80
#define INDEX_BLOCK_WORDS 512

/* Whether this is a state; if so, its beginning is in `object`. */
SHARED bool is_ruby_state(struct tools *tools, u64 state)
{
	u8 *object = tools->scratch->object;
	if (!state || probe_read_user(object, STATE_BYTES, (void *)state)) return 0;
	u64 stack = WORD(object, STATE_STACK, CODE_BYTES), words = WORD(object, STATE_WORDS, CODE_BYTES);
	u64 frame = WORD(object, STATE_FRAME, CODE_BYTES);
	tools->scratch->walk.state = state;
	return stack && words < MOST_STACK_WORDS && frame > stack && frame <= stack + 8 * words;
}

/* Finds the state of the thread whose pointer is `pointer`. */
SHARED bool find_ruby_state(struct tools *tools, u64 pointer)
{
	struct script *script = tools->script;
	if (script->is_distance) return is_ruby_state(tools, read_word(pointer + read_word(script->at)));
	u64 module = read_word(script->at), blocks = read_word(pointer + 8);
	if (!blocks || module > 4096) return 0;
	/* glibc has two words for each module, musl one. */
	u64 block = read_word(blocks + 16 * module);
	if (is_ruby_state(tools, read_word(block + script->place))) return 1;
	block = read_word(blocks + 8 * module);
	return is_ruby_state(tools, read_word(block + script->place));
}

/* What the thread is doing about the lock of its interpreter, and about garbage; the beginning of its state
 * is in `object`. */
SHARED u32 ruby_doing(struct tools *tools, u64 state)
{
	struct script *script = tools->script;
	u64 thread = WORD(tools->scratch->object, STATE_THREAD, CODE_BYTES);
	if (!script->queue || !thread) return 0;
	struct pt_regs *regs = task_pt_regs(get_current_task());
	if (regs->orig_ax == NR_FUTEX) {
		u64 node = thread + script->queue;
		u64 next = read_word(node);
		u64 waits_for = regs->di - node - QUEUE_CONDITION;
		bool is_queued = next != node && read_word(next + 8) == node;
		return waits_for < CONDITION_BYTES && is_queued ? WAITS_FOR_GIL : 0;
	}
	u64 ractor = read_word(thread + THREAD_RACTOR);
	if (read_word(ractor + script->running) != state) return 0;
	u64 heap = read_word(read_word(thread + THREAD_MACHINE) + script->heap);
	/* What does not look like a heap says nothing. */
	u64 allowed = heap ? read_word(heap) : 0;
	if (allowed < LEAST_ALLOCATED || allowed > MOST_ALLOCATED) return 0;
	return read_word(heap + script->heap_flags) & COLLECTS_NOW ? COLLECTS : 0;
}

/* Copies the text, or the first one of the array, at `from` behind the `used` bytes in `data`. */
SHARED u32 copy_ruby_text(struct tools *tools, u64 from, u32 used, u32 is_file)
{
	struct scratch *scratch = tools->scratch;
	struct script *script = tools->script;
	struct copied *copied = is_file ? &scratch->code.file : &scratch->code.name;
	u8 *text = scratch->text;
	copied->whole = 0;
	copied->bytes = 0;
	copied->state = 0;
	if (probe_read_user(text, 40, (void *)from)) return 0;
	u64 flags = WORD(text, 0, TEXT_BYTES);
	if ((flags & TYPE_MASK) == IS_ARRAY) {
		bool is_here = flags & OTHER_PLACE;
		u64 first = WORD(text, OBJECT_FIRST, TEXT_BYTES);
		from = is_here ? first : read_word(WORD(text, ARRAY_POINTER, TEXT_BYTES));
		if (probe_read_user(text, 40, (void *)from)) return 0;
		flags = WORD(text, 0, TEXT_BYTES);
	}
	if ((flags & TYPE_MASK) != IS_TEXT) return 0;
	bool is_elsewhere = flags & OTHER_PLACE;
	u64 whole = WORD(text, OBJECT_FIRST, TEXT_BYTES);
	u64 start = WORD(text, OBJECT_POINTER, TEXT_BYTES);
	if (!is_elsewhere) {
		start = from + script->short_text;
		if (script->length_in_flags) whole = flags >> LENGTH_SHIFT & 0x1f;
	}
	u64 most = is_file ? MOST_FILE - 1 : MOST_NAME - 1;
	u32 bytes = whole > most ? most : whole;
	bytes &= MOST_FILE - 1;
	if (used > MOST_NAME) return 0;
	if (probe_read_user(scratch->code.data + used, bytes, (void *)start)) return 0;
	copied->whole = whole > 0xffffffff ? 0xffffffff : whole;
	copied->bytes = bytes;
	return bytes;
}

/* Writes a code object that nobody described yet. */
INLINE void begin_code(struct tools *tools, u32 kind, u64 code, u32 sum)
{
	struct code *record = &tools->scratch->code;
	record->head.kind = kind;
	record->head.flags = 0;
	record->head.pid = tools->scratch->walk.pid;
	record->head.tid = tools->scratch->walk.tid;
	record->head.time_ns = ktime_get_ns();
	record->code = code;
	record->sum = sum;
	record->lines.whole = 0;
	record->lines.bytes = 0;
	record->lines.state = 0;
}

/* Writes what the sequence is whose body is in `object`: behind its name, its file and the entries of its
 * table of lines comes the index of that. */
SHARED long describe_ruby(struct tools *tools, u64 code, u32 sum)
{
	struct scratch *scratch = tools->scratch;
	struct script *script = tools->script;
	struct code *record = &scratch->code;
	u8 *body = scratch->object;
	u64 name = WORD(body, BODY_NAME, CODE_BYTES), file = WORD(body, BODY_FILE, CODE_BYTES);
	u64 entries = WORD(body, script->entries, CODE_BYTES);
	u64 index = WORD(body, script->index, CODE_BYTES);
	u64 whole = (u64)HALF(body, script->entry_count, CODE_BYTES) * script->entry_bytes;
	u32 words = HALF(body, BODY_WORDS, CODE_BYTES);
	begin_code(tools, RUBY_CODE, code, sum);
	record->first_line = words;
	u32 used = copy_ruby_text(tools, name, 0, 0);
	used += copy_ruby_text(tools, file, used, 1);
	if (!used || used > MOST_NAME + MOST_FILE) return 1;
	u32 bytes = whole > MOST_LINES - 1 ? MOST_LINES - 1 : whole;
	bytes &= MOST_LINES - 1;
	/* What cannot be read now is tried again with the next stack. */
	if (probe_read_user(record->data + used, bytes, (void *)entries)) return 1;
	record->lines.whole = whole > 0xffffffff ? 0xffffffff : whole;
	record->lines.bytes = bytes;
	u32 blocks = words > INDEX_HEAD_WORDS ?
			     (words - INDEX_HEAD_WORDS + INDEX_BLOCK_WORDS - 1) / INDEX_BLOCK_WORDS :
			     0;
	u32 more = INDEX_HEAD_BYTES + blocks * INDEX_BLOCK_BYTES;
	if (more > MOST_INDEX - 1) more = MOST_INDEX - 1;
	more &= MOST_INDEX - 1;
	used += bytes;
	if (used > MOST_NAME + MOST_FILE + MOST_LINES) return 1;
	if (!index || probe_read_user(record->data + used, more, (void *)index)) more = 0;
	record->lines.state = more;
	u64 size = sizeof(struct code) - sizeof(record->data) + used + (more & (MOST_INDEX - 1));
	if (size > sizeof(struct code)) return 1;
	return perf_event_output(tools->ctx, &output, CURRENT_CPU, record, size);
}

/* Takes the next frame; returns whether there is no other one. The limit is one of frames that are looked at, too:
 * about half of them may be of functions written in C. */
static long take_ruby_frame(u32 round, struct tools *tools)
{
	struct scratch *scratch = tools->scratch;
	struct script *script = tools->script;
	struct walk *walk = &scratch->walk;
	u64 at = walk->at;
	u32 number = walk->count;
	if (at >= walk->base) walk->at = 0;
	if (number >= MOST_FRAMES || round >= 2 * walk->limit || !walk->at) return 1;
	if (number >= walk->limit) return 1;
	if (probe_read_user(scratch->frame, 56, (void *)at)) return 1;
	walk->at = at + script->frame_bytes;
	u64 place = WORD(scratch->frame, FRAME_PLACE, FRAME_BYTES);
	u64 sequence = WORD(scratch->frame, FRAME_SEQUENCE, FRAME_BYTES);
	/* A function that is written in C. */
	if (!place || !sequence) return 0;
	u64 body = read_word(sequence + SEQUENCE_BODY);
	if (!body || probe_read_user(scratch->object, BODY_BYTES, (void *)body)) return 1;
	place -= WORD(scratch->object, BODY_CODE, CODE_BYTES);
	/* Where something is not what it should be, nothing beyond it is believed. */
	if (place > 8ULL * HALF(scratch->object, BODY_WORDS, CODE_BYTES)) return 1;
	u32 sum = mixed(0, WORD(scratch->object, BODY_NAME, CODE_BYTES));
	sum = mixed(sum, WORD(scratch->object, BODY_FILE, CODE_BYTES));
	sum = mixed(sum, WORD(scratch->object, BODY_CODE, CODE_BYTES));
	sum = (sum | 2) & ~1U;
	struct described key = { .code = body, .pid = walk->pid, .sum = sum };
	if (!map_lookup(&seen, &key)) {
		u32 yes = 1;
		if (!describe_ruby(tools, body, sum)) map_update(&seen, &key, &yes, 0);
	}
	u64 flags = read_word(WORD(scratch->frame, FRAME_FLAGS, FRAME_BYTES));
	struct frame *frame = &scratch->frames.frames[number];
	frame->code = body;
	frame->place = place;
	frame->sum = sum | (flags & ENDS_CALL ? 1 : 0);
	walk->count = number + 1;
	return 0;
}

SHARED u32 take_ruby_frames(struct tools *tools, u64 pointer)
{
	struct walk *walk = &tools->scratch->walk;
	u8 *object = tools->scratch->object;
	if (!find_ruby_state(tools, pointer)) return 0;
	u64 stack = WORD(object, STATE_STACK, CODE_BYTES);
	/* The outermost frame is of no code. */
	walk->base = stack + 8 * WORD(object, STATE_WORDS, CODE_BYTES) - tools->script->frame_bytes;
	walk->at = WORD(object, STATE_FRAME, CODE_BYTES);
	u32 is_doing = ruby_doing(tools, walk->state);
	loop(2 * MOST_FRAMES, take_ruby_frame, tools, 0);
	return is_doing;
}

/* ---- PHP -------------------------------------------------------------------------------------- */

enum php {
	/* A frame: the instruction, the function, flags, the caller. */
	CALL_PLACE = 0,
	CALL_FUNCTION = 24,
	CALL_FLAGS = 40,
	CALL_PREVIOUS = 48,
	CALL_BYTES = 56,
	/* The interpreter's function was called for it. */
	IS_OUTERMOST = 1 << 17,
	INSTRUCTION_LINE = 24,
	INSTRUCTION_BYTES = 32,
	/* Bytes of instructions of a function. */
	MOST_CODE = 1 << 22,
	/* A function: its kind, its name, its class, of which the name is at `CLASS_NAME`. */
	FUNCTION_KIND = 0,
	FUNCTION_NAME = 8,
	FUNCTION_CLASS = 16,
	FUNCTION_BYTES = 184,
	WRITTEN_IN_C = 1,
	CLASS_NAME = 8,
	STRING_BYTES = 16,
	STRING_DATA = 24,
};

/* Copies the text at `from` behind the `used` bytes in `data`; returns how many bytes that is. */
SHARED u32 copy_php_text(struct tools *tools, u64 from, u32 used, u32 most)
{
	struct code *record = &tools->scratch->code;
	if (!from || used > MOST_NAME) return 0;
	u64 whole = read_word(from + STRING_BYTES);
	u32 bytes = whole > most ? most : whole;
	bytes &= MOST_FILE - 1;
	if (probe_read_user(record->data + used, bytes, (void *)(from + STRING_DATA))) return 0;
	return bytes;
}

/* Writes what the function is whose beginning is in `object`: its class, its name, its file. */
SHARED long describe_php(struct tools *tools, u64 code, u32 sum)
{
	struct scratch *scratch = tools->scratch;
	struct script *script = tools->script;
	struct code *record = &scratch->code;
	u8 *function = scratch->object;
	bool is_in_c = BYTE(function, FUNCTION_KIND, CODE_BYTES) == WRITTEN_IN_C;
	u64 class = WORD(function, FUNCTION_CLASS, CODE_BYTES);
	u64 name = WORD(function, FUNCTION_NAME, CODE_BYTES);
	u64 file = is_in_c ? 0 : WORD(function, script->file, CODE_BYTES);
	u64 lines = is_in_c ? 0 : WORD(function, script->first_line, CODE_BYTES);
	if (class) class = read_word(class + CLASS_NAME);
	begin_code(tools, PHP_CODE, code, sum);
	record->first_line = lines;
	record->lines.whole = lines >> 32;
	u32 of_class = copy_php_text(tools, class, 0, MOST_NAME / 2 - 1);
	u32 of_name = copy_php_text(tools, name, of_class, MOST_NAME / 2 - 1);
	u32 used = of_class + of_name;
	u32 of_file = copy_php_text(tools, file, used, MOST_FILE - 1);
	/* No name is better than a wrong one: it is tried again with the next stack. */
	if ((name && !of_name) || (file && !of_file)) return 1;
	record->name.whole = of_class;
	record->name.bytes = used;
	record->name.state = 0;
	record->file.whole = of_file;
	record->file.bytes = of_file;
	record->file.state = 0;
	u64 size = sizeof(struct code) - sizeof(record->data) + used + of_file;
	if (size > sizeof(struct code)) return 1;
	return perf_event_output(tools->ctx, &output, CURRENT_CPU, record, size);
}

/* The line of the frame that runs, which lies at `at`. The interpreter keeps frame and instruction in registers,
 * and writes the instruction down only before it may leave. */
SHARED s32 running_line(struct tools *tools, u64 at, u64 place, s32 line)
{
	u64 lines = WORD(tools->scratch->object, tools->script->first_line, CODE_BYTES);
	struct pt_regs *regs = task_pt_regs(get_current_task());
	u64 distance = regs->r15 - place;
	if (regs->r14 != at || (distance + MOST_CODE) % INSTRUCTION_BYTES) return line;
	if (distance + MOST_CODE > 2 * MOST_CODE) return line;
	u32 running = read_word(regs->r15 + INSTRUCTION_LINE);
	return running >= (u32)lines && running <= lines >> 32 ? (s32)running : line;
}

/* Takes the next frame; returns whether there is no other one. */
static long take_php_frame(u32 round, struct tools *tools)
{
	struct scratch *scratch = tools->scratch;
	struct script *script = tools->script;
	struct walk *walk = &scratch->walk;
	u64 at = walk->at;
	u32 number = walk->count;
	if (number >= MOST_FRAMES || round >= 2 * walk->limit || !at) return 1;
	if (number >= walk->limit) return 1;
	if (probe_read_user(scratch->frame, CALL_BYTES, (void *)at)) return 1;
	u64 function = WORD(scratch->frame, CALL_FUNCTION, FRAME_BYTES);
	walk->at = WORD(scratch->frame, CALL_PREVIOUS, FRAME_BYTES);
	if (!function) return 0;
	if (probe_read_user(scratch->object, FUNCTION_BYTES, (void *)function)) return 1;
	bool is_in_c = BYTE(scratch->object, FUNCTION_KIND, CODE_BYTES) == WRITTEN_IN_C;
	u32 sum = mixed(0, WORD(scratch->object, FUNCTION_NAME, CODE_BYTES));
	if (!is_in_c) {
		sum = mixed(sum, WORD(scratch->object, script->file, CODE_BYTES));
		sum = mixed(sum, WORD(scratch->object, script->first_line, CODE_BYTES));
	}
	sum = (sum | 2) & ~1U;
	struct described key = { .code = function, .pid = walk->pid, .sum = sum };
	if (!map_lookup(&seen, &key)) {
		u32 yes = 1;
		if (!describe_php(tools, function, sum)) map_update(&seen, &key, &yes, 0);
	}
	u64 place = WORD(scratch->frame, CALL_PLACE, FRAME_BYTES);
	s32 line = is_in_c ? -1 : (s32)read_word(place + INSTRUCTION_LINE);
	if (!number && !is_in_c) line = running_line(tools, at, place, line);
	u32 flags = HALF(scratch->frame, CALL_FLAGS, FRAME_BYTES);
	struct frame *frame = &scratch->frames.frames[number];
	frame->code = function;
	frame->place = line;
	frame->sum = sum | (!is_in_c && flags & IS_OUTERMOST ? 1 : 0);
	walk->count = number + 1;
	return 0;
}

#include "perl.h"

/* ---- all -------------------------------------------------------------------------------------- */

/* Takes the frames of the thread whose pointer is `pointer`; returns what it is doing. */
SHARED u32 take_script_frames(struct tools *tools, u64 pointer)
{
	struct walk *walk = &tools->scratch->walk;
	if (tools->script->language == RUBY) return take_ruby_frames(tools, pointer);
	if (tools->script->language == PERL) {
		take_perl_frames(tools, pointer);
		return 0;
	}
	walk->at = read_word(tools->script->at);
	loop(2 * MOST_FRAMES, take_php_frame, tools, 0);
	return 0;
}
