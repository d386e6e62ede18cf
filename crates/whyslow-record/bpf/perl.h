/* The frames of Perl programs; a part of scripts.h.
 *
 * An interpreter has a stack of contexts: subroutines, evals, blocks, loops; each has the statement that ran when it
 * began. What calls back into Perl (a tied variable, a comparison of sort, a destructor) has a stack of its own, which
 * leads to the one before. A context that returns to no operation began with a call of the function that runs
 * operations. Evals are no frames of their own, neither blocks nor texts: they belong to the subroutine that they are
 * in, at its statement; so does code in a regular expression. Subroutines that are written in C have no context. */

enum perl {
	/* An interpreter: the operation that runs, the statement, the stack of values, the stack of contexts. */
	PERL_OPERATION = 8,
	PERL_STATEMENT = 208,
	PERL_VALUES = 216,
	PERL_CONTEXTS = 224,
	/* A stack of contexts: of values, its first context, the stack before, the numbers of its last context and of
	 * the last one that it has room for, its kind. */
	STACK_VALUES = 0,
	STACK_FIRST = 8,
	STACK_PREVIOUS = 16,
	STACK_LAST = 32,
	STACK_ROOM = 36,
	STACK_KIND = 44,
	STACK_INFO_BYTES = 56,
	OF_PROGRAM = 1,
	MOST_CONTEXTS = 1 << 24,
	/* A context. */
	CONTEXT_KIND = 0,
	CONTEXT_STATEMENT = 16,
	CONTEXT_RETURN = 48,
	CONTEXT_FILE = 64,
	CONTEXT_SUBROUTINE = 72,
	CONTEXT_BYTES = 104,
	CONTEXT_KINDS = 0xf,
	IS_SUBROUTINE = 9,
	IS_FORMAT = 10,
	IS_EVAL = 11,
	/* Of an eval: it is no text and no file. Of a subroutine: it stands for code in a regular expression. */
	IS_BLOCK = 0x40,
	IS_OF_PATTERN = 0x80,
	/* An operation: its function; of a statement its line and its file. */
	OPERATION_FUNCTION = 16,
	STATEMENT_LINE = 36,
	STATEMENT_FILE = 48,
	STATEMENT_BYTES = 56,
	/* A value: its body, its kind; of a package the table of its names. */
	VALUE_BODY = 0,
	VALUE_FLAGS = 12,
	VALUE_TABLE = 16,
	VALUE_BYTES = 24,
	VALUE_KINDS = 0xff,
	IS_NAME = 9,
	IS_PACKAGE = 12,
	IS_CODE = 13,
	IS_PICTURE = 14,
	/* The body of a subroutine: its package, its first operation, all of them, the name or what has it. */
	CODE_PACKAGE = 32,
	CODE_START = 40,
	CODE_ROOT = 48,
	CODE_NAME = 56,
	CODE_FLAGS = 92,
	CODE_BODY_BYTES = 96,
	HAS_NAME = 0x8000,
	/* The body of what has a name: that, its package. */
	NAMED_NAME = 32,
	NAMED_PACKAGE = 40,
	/* The body of a package: how many entries its table has, less one; its name, if nothing comes before. */
	PACKAGE_MOST = 24,
	PACKAGE_NAME = 32,
	NAME_COUNT = 28,
	/* A name: how many bytes, and these. */
	NAME_LENGTH = 4,
	NAME_DATA = 8,
	/* Where a thread of glibc keeps what the program has for it, under numbers below the limit. */
	THREAD_VALUES = 0x310,
	MOST_THREAD_VALUES = 32,
};

/* Copies what has a name at `from` behind the `used` bytes in `data`; returns how many bytes that is. */
SHARED u32 copy_perl_name(struct tools *tools, u64 from, u32 used)
{
	struct code *record = &tools->scratch->code;
	if (!from || used > MOST_NAME) return 0;
	s32 whole = read_word(from + NAME_LENGTH);
	if (whole <= 0) return 0;
	u32 bytes = whole > MOST_NAME / 2 - 1 ? MOST_NAME / 2 - 1 : whole;
	bytes &= MOST_NAME / 2 - 1;
	if (probe_read_user(record->data + used, bytes, (void *)(from + NAME_DATA))) return 0;
	return bytes;
}

/* Returns the body of the value at `at`, 0 if it is not of this kind. */
SHARED u64 body_of(u64 at, u32 kind)
{
	u64 value[2] = {};
	if (!at || probe_read_user(value, sizeof(value), (void *)at)) return 0;
	return (value[1] >> 32 & VALUE_KINDS) == kind ? value[0] : 0;
}

/* Returns where the name of a package is. */
SHARED u64 name_of_package(struct tools *tools, u64 package)
{
	u64 body = body_of(package, IS_PACKAGE);
	if (!body) return 0;
	u64 at = body + PACKAGE_NAME;
	if (tools->script->name_is_behind_table) {
		u64 most = read_word(body + PACKAGE_MOST);
		if (most > MOST_CONTEXTS) return 0;
		at = read_word(package + VALUE_TABLE) + 8 * (most + 1);
	}
	u64 name = read_word(at);
	/* It has several ones; the first one may be missing. */
	return (u32)read_word(at + NAME_COUNT) ? read_word(name) : name;
}

/* Writes a code object whose name of `used` bytes is in `data`; `file` leads to the name of its file. */
SHARED long write_perl(struct tools *tools, u64 file, u32 used, u32 of_package)
{
	struct code *record = &tools->scratch->code;
	if (!file || used > MOST_NAME) return 1;
	long bytes = probe_read_user_str(record->data + used, MOST_FILE, (void *)file);
	/* The last byte says where it ends. */
	if (bytes < 2 || bytes > MOST_FILE) return 1;
	u32 of_file = (bytes - 1) & (MOST_FILE - 1);
	record->name.whole = of_package;
	record->name.bytes = used;
	record->name.state = 0;
	record->file.whole = of_file;
	record->file.bytes = of_file;
	record->file.state = 0;
	u64 size = sizeof(struct code) - sizeof(record->data) + used + of_file;
	if (size > sizeof(struct code)) return 1;
	return perf_event_output(tools->ctx, &output, CURRENT_CPU, record, size);
}

/* Writes what the subroutine is whose body is in `object`: its package, its name, the file and the line of its first
 * statement. */
SHARED long describe_perl(struct tools *tools, u64 code, u32 sum)
{
	struct scratch *scratch = tools->scratch;
	u8 *body = scratch->object;
	u64 start = WORD(body, CODE_START, CODE_BYTES);
	u64 package = WORD(body, CODE_PACKAGE, CODE_BYTES);
	u64 name = WORD(body, CODE_NAME, CODE_BYTES);
	if (!(HALF(body, CODE_FLAGS, CODE_BYTES) & HAS_NAME)) {
		u64 named = body_of(name, IS_NAME);
		if (!named) return 1;
		package = read_word(named + NAMED_PACKAGE);
		name = read_word(named + NAMED_NAME);
	}
	u8 *statement = scratch->text;
	if (probe_read_user(statement, STATEMENT_BYTES, (void *)start)) return 1;
	if (WORD(statement, OPERATION_FUNCTION, TEXT_BYTES) != tools->script->statement) return 1;
	begin_code(tools, PERL_CODE, code, sum);
	scratch->code.first_line = HALF(statement, STATEMENT_LINE, TEXT_BYTES);
	u32 of_package = copy_perl_name(tools, name_of_package(tools, package), 0);
	u32 of_name = copy_perl_name(tools, name, of_package);
	/* No name is better than a wrong one: it is tried again with the next stack. */
	if (!of_package || !of_name) return 1;
	u64 file = WORD(statement, STATEMENT_FILE, TEXT_BYTES);
	return write_perl(tools, file, of_package + of_name, of_package);
}

/* Writes the next frame; `ends` says that the function that runs operations was called for it. */
INLINE void put_frame(struct scratch *scratch, u64 code, s32 line, u32 sum, bool ends)
{
	u32 number = scratch->walk.count;
	if (number >= MOST_FRAMES) return;
	struct frame *frame = &scratch->frames.frames[number];
	frame->code = code;
	frame->place = line;
	frame->sum = sum | (ends ? 1 : 0);
	scratch->walk.count = number + 1;
}

/* Takes the frame of a subroutine; returns whether it is none. */
SHARED long take_subroutine(struct tools *tools, u64 subroutine, u32 kind, u32 ends)
{
	struct scratch *scratch = tools->scratch;
	u8 *body = scratch->object;
	u64 at = body_of(subroutine, kind);
	if (!at || probe_read_user(body, CODE_BODY_BYTES, (void *)at)) return 1;
	u64 code = WORD(body, CODE_ROOT, CODE_BYTES);
	if (!code) return 1;
	u32 sum = mixed(0, WORD(body, CODE_START, CODE_BYTES));
	sum = mixed(sum, WORD(body, CODE_NAME, CODE_BYTES));
	sum = (mixed(sum, WORD(body, CODE_PACKAGE, CODE_BYTES)) | 2) & ~1U;
	struct described key = { .code = code, .pid = scratch->walk.pid, .sum = sum };
	if (!map_lookup(&seen, &key)) {
		u32 yes = 1;
		if (!describe_perl(tools, code, sum)) map_update(&seen, &key, &yes, 0);
	}
	u32 line = read_word(scratch->walk.object + STATEMENT_LINE);
	put_frame(scratch, code, line, sum, ends);
	return 0;
}

/* Takes the frame of a file, the program's or a required one, which the sum of its name stands for; returns whether it
 * is none. */
SHARED long take_file(struct tools *tools, u32 is_required, u32 ends)
{
	struct scratch *scratch = tools->scratch;
	u8 *name = scratch->object;
	u64 statement = scratch->walk.object;
	u64 file = read_word(statement + STATEMENT_FILE);
	__builtin_memset(name, 0, CODE_BYTES);
	if (!file || probe_read_user_str(name, CODE_BYTES, (void *)file) < 2) return 1;
	u32 low = is_required, high = 0;
#pragma clang loop unroll(disable)
	for (u32 at = 0; at < CODE_BYTES; at += 8) {
		low = mixed(low, WORD(name, at, CODE_BYTES));
		high = mixed(high + low, at);
	}
	u64 code = (u64)high << 32 | low | 1;
	u32 sum = (low | 2) & ~1U;
	struct described key = { .code = code, .pid = scratch->walk.pid, .sum = sum };
	if (!map_lookup(&seen, &key)) {
		u32 yes = 1;
		begin_code(tools, PERL_CODE, code, sum);
		scratch->code.first_line = 0;
		scratch->code.lines.whole = is_required;
		if (!write_perl(tools, file, 0, 0)) map_update(&seen, &key, &yes, 0);
	}
	u32 line = read_word(statement + STATEMENT_LINE);
	put_frame(scratch, code, line, sum, ends);
	return 0;
}

/* Goes to the last context of the stack of contexts at `at`; returns whether it is none. What the walk has: in `at` the
 * next context, in `base` the first one, in `object` the statement that runs, in `waiter` the stack before, in
 * `looks_at` the kind of stack, in `looks_left` whether the context before it began with a call of the function that
 * runs operations. */
SHARED long enter_contexts(struct tools *tools, u64 at)
{
	struct walk *walk = &tools->scratch->walk;
	u8 *stack = tools->scratch->text;
	if (!at || probe_read_user(stack, STACK_INFO_BYTES, (void *)at)) return 1;
	u64 first = WORD(stack, STACK_FIRST, TEXT_BYTES);
	s32 last = HALF(stack, STACK_LAST, TEXT_BYTES), room = HALF(stack, STACK_ROOM, TEXT_BYTES);
	if (first < CONTEXT_BYTES || last < -1 || last > room || room > MOST_CONTEXTS) return 1;
	walk->waiter = WORD(stack, STACK_PREVIOUS, TEXT_BYTES);
	walk->looks_at = HALF(stack, STACK_KIND, TEXT_BYTES);
	/* Without a context, nothing called that function. */
	walk->looks_left = last < 0;
	walk->base = first;
	walk->at = first + (s64)last * CONTEXT_BYTES;
	return 0;
}

/* Whether the last context is that of a subroutine that has not begun, or is over: the statement is still, or again,
 * the caller's. What its memory says may be what was there before. */
SHARED bool is_between(struct tools *tools, u64 called_at)
{
	struct walk *walk = &tools->scratch->walk;
	struct script *script = tools->script;
	if (called_at != walk->object) return 0;
	u64 function = read_word(read_word(walk->state + PERL_OPERATION) + OPERATION_FUNCTION);
	return function == script->begins || function == script->ends || function == script->statement;
}

/* Takes the next context; returns whether there is no other one. */
static long take_perl_context(u32 round, struct tools *tools)
{
	struct scratch *scratch = tools->scratch;
	struct walk *walk = &scratch->walk;
	u64 at = walk->at;
	if (walk->count >= walk->limit || round >= 4 * walk->limit || !at) return 1;
	if (at < walk->base) {
		bool is_last = walk->looks_at == OF_PROGRAM || !walk->waiter;
		bool has_call = !walk->looks_left;
		if (is_last) walk->at = 0;
		if (is_last) return has_call ? (take_file(tools, 0, 1), 1) : 1;
		if (has_call) put_frame(scratch, 0, -1, 0, 1);
		return enter_contexts(tools, walk->waiter);
	}
	u8 *context = scratch->frame;
	if (probe_read_user(context, CONTEXT_BYTES, (void *)at)) return 1;
	walk->at = at - CONTEXT_BYTES;
	u8 kind = BYTE(context, CONTEXT_KIND, FRAME_BYTES);
	u64 called_at = WORD(context, CONTEXT_STATEMENT, FRAME_BYTES);
	bool ends = !WORD(context, CONTEXT_RETURN, FRAME_BYTES);
	u32 of = kind & CONTEXT_KINDS;
	walk->looks_left = 0;
	if (of == IS_SUBROUTINE && kind & IS_OF_PATTERN) {
		walk->looks_left = ends;
		if (ends) put_frame(scratch, 0, -1, 0, 1);
		return 0;
	}
	if (of == IS_SUBROUTINE || of == IS_FORMAT) {
		u64 subroutine = WORD(context, CONTEXT_SUBROUTINE, FRAME_BYTES);
		walk->looks_left = ends;
		if (!round && is_between(tools, called_at)) return 0;
		/* Where something is not what it should be, nothing beyond it is believed. */
		if (take_subroutine(tools, subroutine, of == IS_FORMAT ? IS_PICTURE : IS_CODE, ends)) return 1;
	} else if (of == IS_EVAL && !(kind & IS_BLOCK)) {
		walk->looks_left = ends;
		bool is_file = WORD(context, CONTEXT_FILE, FRAME_BYTES);
		if (is_file && take_file(tools, 1, ends)) return 1;
		if (!is_file && ends) put_frame(scratch, 0, -1, 0, 1);
	} else {
		return 0;
	}
	walk->object = called_at;
	return 0;
}

/* Whether `at` is an interpreter; if so, the walk begins with it. */
SHARED bool is_perl(struct tools *tools, u64 at)
{
	struct walk *walk = &tools->scratch->walk;
	if (!at) return 0;
	walk->state = at;
	walk->object = read_word(at + PERL_STATEMENT);
	if (enter_contexts(tools, read_word(at + PERL_CONTEXTS))) return 0;
	u64 values = WORD(tools->scratch->text, STACK_VALUES, TEXT_BYTES);
	return walk->object && values && values == read_word(at + PERL_VALUES);
}

/* Takes the frames of the thread whose pointer is `pointer`. */
SHARED long take_perl_frames(struct tools *tools, u64 pointer)
{
	struct walk *walk = &tools->scratch->walk;
	struct script *script = tools->script;
	u64 number = (u32)read_word(script->place);
	bool is_found = number < MOST_THREAD_VALUES &&
			is_perl(tools, read_word(pointer + THREAD_VALUES + 16 * number + 8));
	/* The first interpreter is that of the first thread. */
	if (!is_found && walk->pid == walk->tid) is_found = is_perl(tools, read_word(script->at));
	if (!is_found) return 1;
	loop(4 * MOST_FRAMES, take_perl_context, tools, 0);
	return 0;
}
