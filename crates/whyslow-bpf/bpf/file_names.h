/* Output of the names of files: which file a number in counts and rows refers to. Purpose and format:
 * src/file_calls.rs. Part of file_calls.h, which finds the names.
 *
 * A thread collects the names of a few files and hands them over together, always before counts or rows that
 * refer to them. */

#ifndef FILE_NAMES_H
#define FILE_NAMES_H

#include "file.h"

/* The kinds of records; all of them begin with the same head. */
enum record { COUNTS, FILE_CALLS, FILE_NAME, FILE_ROW, FILE_NAMES, MARK, LONG_CODE };

/* ---- known files ----------------------------------------------------------------------------- */

/* Files whose names were written. Each number belongs to one slot; a later file replaces an earlier one. */
#define KNOWN_FILES (64 << 10)

struct {
	UINT(type, MAP_ARRAY);
	UINT(max_entries, KNOWN_FILES);
	TYPE(key, u32);
	TYPE(value, u64);
} known_files SEC(".maps");

/* How often something was renamed or mounted: paths that were written before may have changed. */
struct {
	UINT(type, MAP_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, u64);
} renames SEC(".maps");

INLINE u64 rename_count(void)
{
	u32 key = 0;
	u64 *renamed = map_lookup(&renames, &key);
	return renamed ? *renamed : 0;
}

INLINE void forget_paths(void)
{
	u32 key = 0;
	u64 *renamed = map_lookup(&renames, &key);
	if (renamed) __sync_fetch_and_add(renamed, 1);
}

/* The slot that says whether the name of a file was written, and what it contains if so. */
INLINE u64 *known_file(u64 file)
{
	u32 key = (file >> 16) & (KNOWN_FILES - 1);
	return map_lookup(&known_files, &key);
}

INLINE u64 mark_of(u64 file, u64 renamed)
{
	return file ^ renamed << 1;
}

/* Whether the name of a file was written, and nothing was renamed since. */
INLINE bool is_known(u64 file)
{
	u64 *known = known_file(file);
	return known && *known == mark_of(file, rename_count());
}

/* Remembers that the name of a file was written, as it was after `renamed` renames. */
INLINE void make_known(u64 file, u64 renamed)
{
	u64 *known = known_file(file);
	if (known) *known = mark_of(file, renamed);
}

/* ---- output ---------------------------------------------------------------------------------- */

/* The file that a number refers to. It is followed by `names_bytes` of names, then by `text_bytes` of the text that
 * the program passed, which is relative to the place that the names lead to. */
struct file_name {
	u64 file;
	u64 unused[2];
	u16 kind;
	u16 flags;
	u16 names_bytes, text_bytes;
	struct object object;
};

/* This part is missing where several are in one record. */
#define NAME_HEAD_BYTES (sizeof(struct file_name) - sizeof(struct object) - 4 * sizeof(u16))

enum {
	/* Only a name: there may be no such file. */
	NAME_ONLY = 0x100,
	/* The program's text was cut off. */
	TEXT_CUT = 0x200,
};

#define NAMES_AT_ONCE 16
#define NAMES_ROOM 1024
/* Larger ones are written one by one. */
#define MOST_NAME_BYTES 512

struct file_names {
	u32 pid, tid;
	/* The number of renames before they were found. */
	u64 renames;
	u64 unused;
	u16 kind;
	u16 used;
	u32 bytes;
	/* The number of each file; 0: a newer path of it is known. */
	u64 files[NAMES_AT_ONCE];
	/* Each `file_name` from `kind` on, with the names and the text that follow it. */
	u8 body[NAMES_ROOM + MOST_NAME_BYTES];
};
#define NAMES_HEAD_BYTES (sizeof(struct file_names) - NAMES_ROOM - MOST_NAME_BYTES)

/* Names that a thread has collected. */
struct {
	UINT(type, MAP_TASK_STORAGE);
	UINT(map_flags, NO_PREALLOC);
	TYPE(key, int);
	TYPE(value, struct file_names);
} name_threads SEC(".maps");

/* Names for which there was no room. */
struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, u64);
} lost_names SEC(".maps");

INLINE void lose_names(u64 count)
{
	u32 key = 0;
	u64 *lost = map_lookup(&lost_names, &key);
	if (lost) *lost += count;
}

/* ---- handing over ------------------------------------------------------------------------------ */

/* Drops files that were named again after a rename: the path that this thread found is out of date. */
GLOBAL int leave_out_renamed(struct file_names *names)
{
	if (!names || names->renames == rename_count()) return 0;
#pragma clang loop unroll(disable)
	for (u32 at = 0; at < NAMES_AT_ONCE; at++) {
		if (at >= names->used) break;
		if (is_known(names->files[at])) names->files[at] = 0;
	}
	return 0;
}

/* Remembers that their names were written. */
GLOBAL int make_all_known(struct file_names *names)
{
	if (!names) return 0;
#pragma clang loop unroll(disable)
	for (u32 at = 0; at < NAMES_AT_ONCE; at++) {
		if (at >= names->used) break;
		if (names->files[at]) make_known(names->files[at], names->renames);
	}
	names->used = 0;
	names->bytes = 0;
	return 0;
}

INLINE u64 names_size(struct file_names *names)
{
	u64 bytes = names->bytes;
	return NAMES_HEAD_BYTES + (bytes > sizeof(names->body) ? sizeof(names->body) : bytes);
}

/* Hands over the names; if there is no room for them now, they are kept. */
SHARED void hand_over_names(void *ctx, struct file_names *names)
{
	if (!names->used) return;
	leave_out_renamed(names);
	if (perf_event_output(ctx, &output, CURRENT_CPU, names, names_size(names))) return;
	make_all_known(names);
}

/* Hands over what the current thread has. */
INLINE void hand_over_own_names(void *ctx, struct task_struct *task)
{
	struct file_names *names = task_storage_get(&name_threads, task, NULL, 0);
	if (names) hand_over_names(ctx, names);
}

/* The same for the last time: without room they are lost. */
INLINE void hand_over_or_lose_names(void *ctx, struct task_struct *task)
{
	struct file_names *names = task_storage_get(&name_threads, task, NULL, 0);
	if (!names) return;
	hand_over_names(ctx, names);
	lose_names(names->used);
	names->used = 0;
	names->bytes = 0;
}

#endif
