/* The frames of Perl programs. Part of scripts.h.
 *
 * An interpreter has a stack of contexts: subroutines, evals, blocks, loops. Each context keeps the statement that ran
 * when it began. Code that calls back into Perl (a tied variable, a comparison function of `sort`, a destructor) gets a
 * stack of contexts of its own, which points to the previous one.
 *
 * A context without an operation to return to began with a call of the function that runs operations; its frame is the
 * first of a run. Evals, of blocks and of strings, have no frames of their own. They belong to the subroutine that
 * contains them, at its current statement. So does code in a regular expression. Subroutines written in C (XS) have no
 * context.
 *
 * The names of members are those of the headers of Perl 5.34 to 5.40, built with threads. Offsets are in bytes. */

enum perl {
	/* PerlInterpreter: the current operation, statement, stack of values and stack of contexts (PL_op, PL_curcop,
	 * PL_curstack, PL_curstackinfo). */
	PERL_OPERATION = 8,
	PERL_STATEMENT = 208,
	PERL_VALUES = 216,
	PERL_CONTEXTS = 224,
	/* PERL_SI: the stack of values, the first context, the previous stack, the number of the innermost context
	 * and of the last one that there is room for, its kind (PERLSI_MAIN is that of the program). */
	STACK_VALUES = 0,
	STACK_FIRST = 8,
	STACK_PREVIOUS = 16,
	STACK_LAST = 32,
	STACK_ROOM = 36,
	STACK_KIND = 44,
	STACK_INFO_BYTES = 56,
	OF_PROGRAM = 1,
	MOST_CONTEXTS = 1 << 24,
	/* PERL_CONTEXT: its kind, the statement that was current when it began, the operation to return to, the name
	 * of an evaluated file, the subroutine. */
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
	/* Flags of the kind. Of an eval: it is a block, neither a string nor a file. Of a subroutine: it is code in
	 * a regular expression. */
	IS_BLOCK = 0x40,
	IS_OF_PATTERN = 0x80,
	/* OP: its function. COP (a statement): its line and its file. */
	OPERATION_FUNCTION = 16,
	STATEMENT_LINE = 36,
	STATEMENT_FILE = 48,
	STATEMENT_BYTES = 56,
	/* SV: its body, its kind (SVt_*); of a package the hash table of its names. */
	VALUE_BODY = 0,
	VALUE_FLAGS = 12,
	VALUE_TABLE = 16,
	VALUE_BYTES = 24,
	VALUE_KINDS = 0xff,
	IS_NAME = 9,
	IS_PACKAGE = 12,
	IS_CODE = 13,
	IS_PICTURE = 14,
	/* XPVCV, the body of a subroutine: its package, its first operation, the root of its operations, its name or
	 * the value (GV) that has it, flags (CVf_NAMED: the name itself). */
	CODE_PACKAGE = 32,
	CODE_START = 40,
	CODE_ROOT = 48,
	CODE_NAME = 56,
	CODE_FLAGS = 92,
	CODE_BODY_BYTES = 96,
	HAS_NAME = 0x8000,
	/* XPVGV, the body of a named value: its name and its package. */
	NAMED_NAME = 32,
	NAMED_PACKAGE = 40,
	/* XPVHV, the body of a package: the number of entries of its hash table less one, and its name, which from
	 * 5.36 on follows; from the place of the name, the number of its names. */
	PACKAGE_MOST = 24,
	PACKAGE_NAME = 32,
	NAME_COUNT = 28,
	/* HEK, a name: its length in bytes, and the bytes. */
	NAME_LENGTH = 4,
	NAME_DATA = 8,
	/* The thread-specific data of a thread (pthread_setspecific) in glibc, for the first keys, from the thread
	 * pointer on. */
	THREAD_VALUES = 0x310,
	MOST_THREAD_VALUES = 32,
};

/* Copies a name to `data` after the `used` bytes there; returns how many bytes were copied. */
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

/* The body of the value at `at`; 0 if it is not of this kind. */
SHARED u64 body_of(u64 at, u32 kind)
{
	u64 value[2] = {};
	if (!at || probe_read_user(value, sizeof(value), (void *)at)) return 0;
	return (value[1] >> 32 & VALUE_KINDS) == kind ? value[0] : 0;
}

/* The address of the name of a package. */
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
	/* With a count, this points to an array of names, of which the first may be missing. */
	return (u32)read_word(at + NAME_COUNT) ? read_word(name) : name;
}

/* Writes the description of a code object whose name is the `used` bytes in `data`; `file` is the address of the
 * name of its file. Returns 0 if it was written. */
SHARED long write_perl(struct tools *tools, u64 file, u32 used, u32 of_package)
{
	struct code *record = &tools->scratch->code;
	if (!file || used > MOST_NAME) return 1;
	long bytes = probe_read_user_str(record->data + used, MOST_FILE, (void *)file);
	/* Without the zero byte at its end. */
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

/* Describes the subroutine whose body is in `object`: its package, its name, and the file and line of its first
 * statement. Returns 0 if the description was written. */
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
	/* No name is better than a wrong one; the next stack with this subroutine tries again. */
	if (!of_package || !of_name) return 1;
	u64 file = WORD(statement, STATEMENT_FILE, TEXT_BYTES);
	return write_perl(tools, file, of_package + of_name, of_package);
}

/* Stores the next frame; `ends` says that it is the first of a run. */
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

/* Stores the frame of a subroutine; returns 1 if this is not a subroutine. */
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

/* Stores the frame of a file, the program's or a required one; returns 1 if it has no name. Its code object has no
 * address of its own, so a checksum of the name of the file is used as one. */
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

/* Begins with the innermost context of the stack of contexts at `at`; returns 1 if this is no such stack. The walk uses
 * members that Python has for other things:
 *
 *   at            the next context
 *   base          the outermost context of this stack
 *   object        the current statement
 *   waiter        the previous stack
 *   looks_at      the kind of this stack
 *   looks_left    whether the last context already was the first of a run */
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
	/* An empty stack has no call of the function that runs operations. */
	walk->looks_left = last < 0;
	walk->base = first;
	walk->at = first + (s64)last * CONTEXT_BYTES;
	return 0;
}

/* Whether the innermost context belongs to a subroutine that has not yet begun or has already ended: the current
 * statement is the caller's. Such a context may still contain old data. */
SHARED bool is_entering_or_leaving(struct tools *tools, u64 called_at)
{
	struct walk *walk = &tools->scratch->walk;
	struct script *script = tools->script;
	if (called_at != walk->object) return 0;
	u64 function = read_word(read_word(walk->state + PERL_OPERATION) + OPERATION_FUNCTION);
	return function == script->begins || function == script->ends || function == script->statement;
}

/* Stores the frame of the next context, if it has one; returns 1 at the end of the walk. */
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
		if (!round && is_entering_or_leaving(tools, called_at)) return 0;
		/* This is not a subroutine, so nothing further out can be trusted. */
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

/* Whether `at` is an interpreter; if so, begins the walk with its innermost context. */
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

/* Stores the frames of the thread with this thread pointer; returns 1 if it has no interpreter. */
SHARED long take_perl_frames(struct tools *tools, u64 pointer)
{
	struct walk *walk = &tools->scratch->walk;
	struct script *script = tools->script;
	u64 number = (u32)read_word(script->place);
	bool is_found = number < MOST_THREAD_VALUES &&
			is_perl(tools, read_word(pointer + THREAD_VALUES + 16 * number + 8));
	/* The first thread of a process may use the first interpreter without having it among its data. */
	if (!is_found && walk->pid == walk->tid) is_found = is_perl(tools, read_word(script->at));
	if (!is_found) return 1;
	loop(4 * MOST_FRAMES, take_perl_context, tools, 0);
	return 0;
}
