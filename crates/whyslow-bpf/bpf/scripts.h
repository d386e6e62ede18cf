/* The frames of Ruby, PHP and Perl programs. Part of python.bpf.c, with the same output.
 *
 * Ruby keeps the state of a thread (its execution context) in thread-local memory, and its frames in an array that
 * grows downwards. PHP keeps a linked list of frames. Both also have frames for functions written in C. A PHP
 * generator that delegates to another one (`yield from`) is not in the list while the other one runs, so it is left
 * out. Perl: see perl.h.
 *
 * The code object of a frame is the body of an instruction sequence (Ruby), a function (PHP), or the operations of a
 * subroutine or a file (Perl).
 *
 * Offsets that differ between versions come from tables in crates/whyslow-symbols/src/script, which were made from
 * each version's public headers. Those that are the same in all supported versions are here. All are in bytes, for
 * x86-64. */

enum languages { RUBY = 1, PHP = 2, PERL = 3 };

struct script {
	/* Addresses. Ruby: the number of the module, with which the thread-local memory of the module is found; or,
	 * if `is_distance` is set, the distance of the pointer to the state from the thread pointer. PHP: the
	 * pointer to the innermost frame. Perl: the pointer to the first interpreter. */
	u64 at;
	/* Ruby: the offset of the pointer to the state in the thread-local memory of the module. Perl: the address
	 * of the key (pthread_key_t) under which a thread keeps its interpreter. */
	u64 place;
	u32 language;
	u32 is_distance;
	/* Ruby: the size of a frame, and the offsets of the parts of the line table in the body of a sequence. */
	u32 frame_bytes;
	u32 entries, entry_count, entry_bytes, index;
	/* Ruby: the offset of the bytes of an embedded string, and whether its length is in the flags of the object. */
	u32 short_text, length_in_flags;
	/* Ruby: in a thread, its node in the queue for the lock (GVL); in a ractor, the state that runs; in the VM,
	 * the heap; in the heap, its flags. 0: not known. */
	u32 queue, running, heap, heap_flags;
	/* PHP: in a function, its file and its first line, which its last line follows. */
	u32 file, first_line;
	/* Perl: whether the name of a package follows its hash table and not the body of the package (before 5.36). */
	u32 name_is_behind_table;
	/* Perl: the addresses of the functions of operations that begin a statement, call a subroutine and leave
	 * one. */
	u64 statement, begins, ends;
};

/* By process id. */
struct {
	UINT(type, MAP_LRU_HASH);
	UINT(max_entries, 16 << 10);
	TYPE(key, u32);
	TYPE(value, struct script);
} scripts SEC(".maps");

/* ---- Ruby ------------------------------------------------------------------------------------- */

enum ruby {
	/* rb_execution_context_t: the array of frames and its size in words, the innermost frame, the thread. */
	STATE_STACK = 0,
	STATE_WORDS = 8,
	STATE_FRAME = 16,
	STATE_THREAD = 48,
	STATE_BYTES = 56,
	MOST_STACK_WORDS = 1 << 24,
	/* rb_control_frame_t: the next instruction, the sequence, the environment, which begins with flags. */
	FRAME_PLACE = 0,
	FRAME_SEQUENCE = 16,
	FRAME_FLAGS = 32,
	/* VM_FRAME_FLAG_FINISH: the frame is the first of a call of the interpreter's function. */
	ENDS_CALL = 0x20,
	SEQUENCE_BODY = 16,
	/* The body of a sequence: its size in words, its code, its path and its label. */
	BODY_WORDS = 4,
	BODY_CODE = 8,
	BODY_FILE = 64,
	BODY_NAME = 80,
	BODY_BYTES = 152,
	/* The flags of an object: RUBY_T_MASK, T_STRING, T_ARRAY. */
	TYPE_MASK = 0x1f,
	IS_TEXT = 5,
	IS_ARRAY = 7,
	/* FL_USER1. Of a string: its bytes are outside of the object. Of an array: its items are in the object. */
	OTHER_PLACE = 1 << 13,
	LENGTH_SHIFT = 14,
	OBJECT_FIRST = 16,
	OBJECT_POINTER = 24,
	ARRAY_POINTER = 32,
	/* A thread: its ractor and its VM; in its node of the queue for the lock, the condition variable on which it
	 * waits; the flag of a heap that garbage is being collected (during_gc). */
	THREAD_RACTOR = 24,
	THREAD_MACHINE = 32,
	QUEUE_CONDITION = 16,
	CONDITION_BYTES = 48,
	COLLECTS_NOW = 0x20,
};

/* A heap begins with its malloc limit: garbage is collected when that many bytes have been allocated outside of the
 * heap. A value beyond these is no such limit. */
#define LEAST_ALLOCATED (1ULL << 16)
#define MOST_ALLOCATED (1ULL << 34)

/* The index of a line table: the size of its head, and of each following block, and the words of code that they
 * cover. */
#define INDEX_HEAD_BYTES 48
#define INDEX_HEAD_WORDS 54
#define INDEX_BLOCK_BYTES 80
#define INDEX_BLOCK_WORDS 512

/* Whether this is the state of a thread; copies its beginning to `object`. */
SHARED bool is_ruby_state(struct tools *tools, u64 state)
{
	u8 *object = tools->scratch->object;
	if (!state || probe_read_user(object, STATE_BYTES, (void *)state)) return 0;
	u64 stack = WORD(object, STATE_STACK, CODE_BYTES), words = WORD(object, STATE_WORDS, CODE_BYTES);
	u64 frame = WORD(object, STATE_FRAME, CODE_BYTES);
	tools->scratch->walk.state = state;
	return stack && words < MOST_STACK_WORDS && frame > stack && frame <= stack + 8 * words;
}

/* Finds the state of the thread with this thread pointer (fs base). */
SHARED bool find_ruby_state(struct tools *tools, u64 pointer)
{
	struct script *script = tools->script;
	if (script->is_distance) return is_ruby_state(tools, read_word(pointer + read_word(script->at)));
	u64 module = read_word(script->at), blocks = read_word(pointer + 8);
	if (!blocks || module > 4096) return 0;
	/* The dynamic thread vector has two words per module in glibc, one in musl. */
	u64 block = read_word(blocks + 16 * module);
	if (is_ruby_state(tools, read_word(block + script->place))) return 1;
	block = read_word(blocks + 8 * module);
	return is_ruby_state(tools, read_word(block + script->place));
}

/* Whether the thread waits for the lock of its interpreter (it is in the queue, and its futex call is on its condition
 * variable), or collects garbage; the flags for the output. The beginning of its state is in `object`. */
SHARED u32 ruby_gil_flags(struct tools *tools, u64 state)
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
	/* If this does not look like a heap, nothing is known. */
	u64 allowed = heap ? read_word(heap) : 0;
	if (allowed < LEAST_ALLOCATED || allowed > MOST_ALLOCATED) return 0;
	return read_word(heap + script->heap_flags) & COLLECTS_NOW ? COLLECTS : 0;
}

/* Copies a string to `data` after the `used` bytes there; returns how many bytes were copied. If `from` is an array,
 * its first item is the string: the path of a sequence may be an array of the path and the absolute path. */
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

/* Begins the description of a code object. */
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

/* Describes the sequence whose body is in `object`: its name, its file, the entries of its line table and the index of
 * the table. Returns 0 if the description was written. */
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
	/* The next stack with this sequence tries again. */
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

/* Stores the next frame; returns 1 at the end of the walk. Frames of functions written in C are not stored. They may be
 * about half of all, so twice as many frames as the limit are examined. */
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
	/* A function written in C. */
	if (!place || !sequence) return 0;
	u64 body = read_word(sequence + SEQUENCE_BODY);
	if (!body || probe_read_user(scratch->object, BODY_BYTES, (void *)body)) return 1;
	place -= WORD(scratch->object, BODY_CODE, CODE_BYTES);
	/* The instruction is not in the sequence, so nothing further out can be trusted. */
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

/* Stores the frames of the thread with this thread pointer; returns what it does about lock and garbage. */
SHARED u32 take_ruby_frames(struct tools *tools, u64 pointer)
{
	struct walk *walk = &tools->scratch->walk;
	u8 *object = tools->scratch->object;
	if (!find_ruby_state(tools, pointer)) return 0;
	u64 stack = WORD(object, STATE_STACK, CODE_BYTES);
	/* The outermost frame belongs to no code. */
	walk->base = stack + 8 * WORD(object, STATE_WORDS, CODE_BYTES) - tools->script->frame_bytes;
	walk->at = WORD(object, STATE_FRAME, CODE_BYTES);
	u32 state_flags = ruby_gil_flags(tools, walk->state);
	loop(2 * MOST_FRAMES, take_ruby_frame, tools, 0);
	return state_flags;
}

/* ---- PHP -------------------------------------------------------------------------------------- */

enum php {
	/* zend_execute_data: the instruction, the function, flags, the caller. */
	CALL_PLACE = 0,
	CALL_FUNCTION = 24,
	CALL_FLAGS = 40,
	CALL_PREVIOUS = 48,
	CALL_BYTES = 56,
	/* ZEND_CALL_TOP: the frame is the first of a call of the interpreter's function. */
	IS_OUTERMOST = 1 << 17,
	/* zend_op. */
	INSTRUCTION_LINE = 24,
	INSTRUCTION_BYTES = 32,
	/* The instructions of a function are taken to be at most this many bytes. */
	MOST_CODE = 1 << 22,
	/* zend_function: its kind, its name, its class and, in the class, the name of that. */
	FUNCTION_KIND = 0,
	FUNCTION_NAME = 8,
	FUNCTION_CLASS = 16,
	FUNCTION_BYTES = 184,
	WRITTEN_IN_C = 1,
	CLASS_NAME = 8,
	/* zend_string. */
	STRING_BYTES = 16,
	STRING_DATA = 24,
};

/* Copies at most `most` bytes of a string to `data` after the `used` bytes there; returns how many were copied. */
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

/* Describes the function whose beginning is in `object`: its class, its name, its file, its first and last line.
 * Returns 0 if the description was written. */
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
	/* No name is better than a wrong one; the next stack with this function tries again. */
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

/* The current line of the innermost frame, which is at `at`. The interpreter keeps the frame in r14 and the
 * instruction in r15; it stores the instruction in the frame only before it calls something. `line` is that of the
 * stored instruction, and is returned if the registers do not fit the frame. */
SHARED s32 current_line(struct tools *tools, u64 at, u64 place, s32 line)
{
	u64 lines = WORD(tools->scratch->object, tools->script->first_line, CODE_BYTES);
	struct pt_regs *regs = task_pt_regs(get_current_task());
	u64 distance = regs->r15 - place;
	if (regs->r14 != at || (distance + MOST_CODE) % INSTRUCTION_BYTES) return line;
	if (distance + MOST_CODE > 2 * MOST_CODE) return line;
	u32 running = read_word(regs->r15 + INSTRUCTION_LINE);
	return running >= (u32)lines && running <= lines >> 32 ? (s32)running : line;
}

/* Stores the next frame; returns 1 at the end of the walk. */
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
	if (!number && !is_in_c) line = current_line(tools, at, place, line);
	u32 flags = HALF(scratch->frame, CALL_FLAGS, FRAME_BYTES);
	struct frame *frame = &scratch->frames.frames[number];
	frame->code = function;
	frame->place = line;
	frame->sum = sum | (!is_in_c && flags & IS_OUTERMOST ? 1 : 0);
	walk->count = number + 1;
	return 0;
}

#include "perl.h"

/* ---- all languages ---------------------------------------------------------------------------- */

/* Stores the frames of the thread with this thread pointer; returns the flags for the output. */
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
