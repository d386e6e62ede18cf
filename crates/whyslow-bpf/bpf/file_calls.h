/* Counts system calls about files by thread, file, operation and result. Purpose and format: src/file_calls.rs. Part
 * of syscalls.bpf.c, which knows when a call began. */

#ifndef FILE_CALLS_H
#define FILE_CALLS_H

#include "file.h"
#include "file_names.h"
#include "file_rows.h"

/* Whether files are recorded. */
const volatile u32 has_files = 1;

/* ---- which calls ----------------------------------------------------------------------------- */

/* What a call does to its file; the codes of FileOperation. */
enum operation {
	OPEN = 1,
	STAT,
	ACCESS,
	READ_LINK,
	READ_DATA,
	WRITE_DATA,
	SYNC,
	LIST,
	RENAME,
	REMOVE,
	CREATE,
	LINK,
	CHANGE,
	RESIZE,
	LOCK,
	MAP,
	EXECUTE,
	FILE_SYSTEM,
	ENTER,
	WATCH,
	CLOSE,
	MOUNT,
	CONNECT,
	OPERATION_MASK = 0xff,
};

/* How a call says which file it is about: by what, and in which argument. For a name, the argument before it may be the
 * folder that it is relative to. */
enum {
	BY_DESCRIPTOR = 0x100,
	BY_NAME = 0x200,
	BY_NAME_IN = 0x300,
	BY_MASK = 0x300,
	ARGUMENT_SHIFT = 12,
	ARGUMENT_MASK = 7,
	/* The result is a number of bytes. */
	HAS_BYTES = 0x400,
	/* It changes where files are. */
	MOVES_FILES = 0x800,
	/* It may change what a descriptor refers to, or who shares it; it is not about a file. */
	CHANGES_DESCRIPTORS = 0x10000000,
	/* It has a second file, in this argument: a name, with a folder before it if the first name has one, or a
	 * descriptor that it writes to. */
	SECOND_SHIFT = 16,
};
#define ARGUMENT(n) ((n) << ARGUMENT_SHIFT)
#define DESCRIPTOR(operation) (operation | BY_DESCRIPTOR)
#define NAMED(operation) (operation | BY_NAME)
#define NAMED_IN(operation) (operation | BY_NAME_IN | ARGUMENT(1))
#define MOVES(operation) (operation | BY_DESCRIPTOR | HAS_BYTES)
#define SECOND(n) (((n) + 1) << SECOND_SHIFT)

#define CALLS 512

/* The calls of x86-64. */
const volatile u32 file_calls[CALLS] = {
	[0] = MOVES(READ_DATA), [17] = MOVES(READ_DATA), /* read, pread64 */
	[19] = MOVES(READ_DATA), [295] = MOVES(READ_DATA), [327] = MOVES(READ_DATA), /* readv … */
	[1] = MOVES(WRITE_DATA), [18] = MOVES(WRITE_DATA), /* write, pwrite64 */
	[20] = MOVES(WRITE_DATA), [296] = MOVES(WRITE_DATA), [328] = MOVES(WRITE_DATA), /* writev … */
	[40] = MOVES(READ_DATA) | ARGUMENT(1) | SECOND(0), /* sendfile */
	[326] = MOVES(READ_DATA) | SECOND(2), /* copy_file_range */
	[275] = MOVES(READ_DATA) | SECOND(2), /* splice */
	[2] = NAMED(OPEN), [85] = NAMED(OPEN), /* open, creat */
	[257] = NAMED_IN(OPEN), [437] = NAMED_IN(OPEN), /* openat, openat2 */
	[4] = NAMED(STAT), [6] = NAMED(STAT), /* stat, lstat */
	[5] = DESCRIPTOR(STAT), /* fstat */
	[262] = NAMED_IN(STAT), [332] = NAMED_IN(STAT), /* newfstatat, statx */
	[21] = NAMED(ACCESS), [269] = NAMED_IN(ACCESS), [439] = NAMED_IN(ACCESS), /* access … */
	[89] = NAMED(READ_LINK), [267] = NAMED_IN(READ_LINK), /* readlink, readlinkat */
	[74] = DESCRIPTOR(SYNC), [75] = DESCRIPTOR(SYNC), /* fsync, fdatasync */
	[277] = DESCRIPTOR(SYNC), [306] = DESCRIPTOR(SYNC), /* sync_file_range, syncfs */
	[26] = SYNC, /* msync: the file that is mapped at an address */
	[78] = MOVES(LIST), [217] = MOVES(LIST), /* getdents, getdents64 */
	[82] = NAMED(RENAME) | SECOND(1), /* rename */
	[264] = NAMED_IN(RENAME) | SECOND(3), [316] = NAMED_IN(RENAME) | SECOND(3), /* renameat … */
	[84] = NAMED(REMOVE), [87] = NAMED(REMOVE), [263] = NAMED_IN(REMOVE), /* rmdir, unlink … */
	[83] = NAMED(CREATE), [258] = NAMED_IN(CREATE), /* mkdir, mkdirat */
	[133] = NAMED(CREATE), [259] = NAMED_IN(CREATE), /* mknod, mknodat */
	[86] = NAMED(LINK) | SECOND(1), [265] = NAMED_IN(LINK) | SECOND(3), /* link, linkat */
	[88] = NAMED(LINK) | ARGUMENT(1), /* symlink: the new name */
	[266] = LINK | BY_NAME_IN | ARGUMENT(2), /* symlinkat: the new name */
	[90] = NAMED(CHANGE), [92] = NAMED(CHANGE), [94] = NAMED(CHANGE), /* chmod, chown, lchown */
	[132] = NAMED(CHANGE), [235] = NAMED(CHANGE), /* utime, utimes */
	[91] = DESCRIPTOR(CHANGE), [93] = DESCRIPTOR(CHANGE), /* fchmod, fchown */
	[260] = NAMED_IN(CHANGE), [261] = NAMED_IN(CHANGE), /* fchownat, futimesat */
	[268] = NAMED_IN(CHANGE), [280] = NAMED_IN(CHANGE), /* fchmodat, utimensat */
	[452] = NAMED_IN(CHANGE), /* fchmodat2 */
	[188] = NAMED(CHANGE), [189] = NAMED(CHANGE), [190] = DESCRIPTOR(CHANGE), /* setxattr … */
	[197] = NAMED(CHANGE), [198] = NAMED(CHANGE), [199] = DESCRIPTOR(CHANGE), /* removexattr … */
	[191] = NAMED(STAT), [192] = NAMED(STAT), [193] = DESCRIPTOR(STAT), /* getxattr … */
	[194] = NAMED(STAT), [195] = NAMED(STAT), [196] = DESCRIPTOR(STAT), /* listxattr … */
	[76] = NAMED(RESIZE), [77] = DESCRIPTOR(RESIZE), [285] = DESCRIPTOR(RESIZE), /* truncate … */
	[73] = DESCRIPTOR(LOCK), [72] = DESCRIPTOR(LOCK), /* flock, fcntl */
	[9] = DESCRIPTOR(MAP) | ARGUMENT(4), /* mmap */
	[59] = NAMED(EXECUTE), [322] = NAMED_IN(EXECUTE), /* execve, execveat */
	[137] = NAMED(FILE_SYSTEM), [138] = DESCRIPTOR(FILE_SYSTEM), /* statfs, fstatfs */
	[80] = NAMED(ENTER), [81] = DESCRIPTOR(ENTER), /* chdir, fchdir */
	[254] = NAMED(WATCH) | ARGUMENT(1), /* inotify_add_watch */
	[301] = WATCH | BY_NAME_IN | ARGUMENT(4), /* fanotify_mark */
	[3] = CLOSE, /* close: see enter_close */
	[165] = NAMED(MOUNT) | ARGUMENT(1) | MOVES_FILES, /* mount */
	[166] = NAMED(MOUNT) | MOVES_FILES, /* umount2 */
	[42] = CONNECT, [49] = CREATE, /* connect, bind: of Unix sockets in folders */
	[155] = MOVES_FILES, [429] = MOVES_FILES, /* pivot_root, move_mount */
	[33] = CHANGES_DESCRIPTORS, [292] = CHANGES_DESCRIPTORS, /* dup2, dup3 */
	[436] = CHANGES_DESCRIPTORS, [426] = CHANGES_DESCRIPTORS, /* close_range, io_uring_enter */
	[56] = CHANGES_DESCRIPTORS, [57] = CHANGES_DESCRIPTORS, /* clone, fork */
	[58] = CHANGES_DESCRIPTORS, [435] = CHANGES_DESCRIPTORS, /* vfork, clone3 */
	[272] = CHANGES_DESCRIPTORS, /* unshare */
};

/* How a call of x86-64 says which file it is about; 0: it is not about a file. */
INLINE u32 how_of(u32 key)
{
	u32 number = key & 0xfff;
	return number < CALLS ? file_calls[number] : 0;
}

#define NR_MMAP 9
#define NR_MSYNC 26
#define MS_SYNC 4
#define NR_TO_CONNECT 42
#define NR_BIND 49
#define NR_FCNTL 72
#define MAP_ANONYMOUS 0x20
#define AT_FDCWD -100
#define O_DIRECT 040000
#define O_DSYNC 010000

/* ---- output ---------------------------------------------------------------------------------- */

/* The key of a count of file calls: bits 0-7 are the operation, 8-15 flags, 16-27 the error. */
enum { FILE_SYNC = 1 << 8, FILE_DIRECT = 1 << 9, FILE_DISK = 1 << 10 };

struct file_slot {
	u64 file;
	u32 key;
	u32 timed;
	u64 count, bytes;
	u64 ns, longest_ns;
};

#define FILE_SLOTS 32
#define FILE_HINTS 64

struct file_counts {
	u32 pid, tid;
	u64 from_ns, to_ns;
	u16 kind;
	u16 unused;
	u32 used;
	struct file_slot slots[FILE_SLOTS];
};
#define FILE_HEAD_BYTES (sizeof(struct file_counts) - FILE_SLOTS * sizeof(struct file_slot))

/* A call that a thread made; and if the thread repeats it, the slot in which it was counted, with all that is needed to
 * check that this slot is still the right one. */
struct repeated {
	/* The call with its result, and the descriptor; call 0: none. */
	u32 call, fd;
	/* Whether the rest belongs to this call. */
	u32 is_filled, at;
	u64 file;
	u32 key;
	/* Whether it is the same call as the one before. */
	u32 is_again;
	/* Whether nobody else could have closed the descriptor since: the thread does not share its descriptors,
	 * and every call by which it could begin to share them resets `is_filled`. */
	u64 is_own;
	struct file *open;
	struct place place;
	struct name name;
};

struct file_thread {
	u8 hints[FILE_HINTS];
	/* The last call, and the one before it: a program that passes data on reads and writes in turns. */
	struct repeated repeated[2];
	/* Which is the last one. */
	u32 last;
	/* The file that it opened last, if only the thread itself can have closed it since; else 0. */
	u32 opened_fd;
	u64 opened;
	/* The number of renames at that time. */
	u64 opened_renames;
	struct file_counts counts;
};

/* Distinguishes an inode from others that were or will be at the same address. */
struct inode_id {
	u64 number;
	u32 generation;
};

/* A call about a file that ended. */
struct file_call {
	u64 file;
	u64 now;
	u64 ns;
	s64 result;
	struct file *open;
	u32 key;
	u32 weight;
	u32 has_bytes;
	/* Whether its descriptor may be remembered in case the call is repeated. */
	u32 may_repeat;
	struct place place;
	/* The call's number, and its entry in `file_calls`. */
	u32 number, how;
	/* The second file. */
	u64 other;
	/* For a mapped file: the offset in it. */
	u64 mapped_offset;
	/* Bytes that were read from disks for it, and whether that is known. */
	u64 disk;
	u32 has_disk, slept;
};

struct file_scratch {
	/* Not on the stack: otherwise the verifier would follow each way of filling it separately. */
	struct file_call call;
	struct place place;
	/* A path, and the folder that it belongs to; without a dentry: to none. */
	struct names names;
	struct place folder;
	struct name folder_name;
	struct inode_id folder_id;
	/* What all files of this file system have in common. */
	struct super_block *super;
	struct object of_super;
	/* The number of renames and mounts when these were read, and when the current name was. */
	u64 folder_renames, super_renames, renames;
	struct file_name head;
	u8 body[2 * PATH_ROOM];
	/* Followed by 8 zero bytes. */
	u8 text[PATH_ROOM + 8];
	/* Bytes of the text without the zero byte. */
	u32 text_bytes;
};

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, struct file_scratch);
} file_scratches SEC(".maps");

/* Calls whose counts could not be written or kept. */
struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, u64);
} lost_file_calls SEC(".maps");

INLINE struct file_scratch *file_scratch(void)
{
	u32 key = 0;
	return map_lookup(&file_scratches, &key);
}

/* ---- which file ------------------------------------------------------------------------------ */

INLINE u64 stirred(u64 sum, u64 word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15ULL;
	return sum ^ sum >> 29;
}

/* The parts of an inode that are read. */
struct inode_head {
	u64 number;
	struct super_block *super;
	u16 mode;
};

#define INODE_HEAD_BYTES 72

INLINE void read_inode(struct inode_head *head, struct inode *inode)
{
	/* On most kernels these members are near its beginning. */
	u32 mode = OFFSET_OF(struct inode, i_mode), super = OFFSET_OF(struct inode, i_sb);
	u32 number = OFFSET_OF(struct inode, i_ino);
	if (mode <= INODE_HEAD_BYTES - 8 && super <= INODE_HEAD_BYTES - 8 && number <= INODE_HEAD_BYTES - 8) {
		u8 bytes[INODE_HEAD_BYTES] = {};
		probe_read_kernel(bytes, sizeof(bytes), inode);
		head->mode = *(u16 *)(bytes + mode);
		head->super = *(struct super_block **)(bytes + super);
		head->number = *(u64 *)(bytes + number);
		return;
	}
	READ(head->mode, inode->i_mode);
	READ(head->super, inode->i_sb);
	READ(head->number, inode->i_ino);
}

/* The number of a file with its current name; 0 if there is none. All sockets have one number in common, and so have
 * all pipes and the like. */
GLOBAL u64 number_of(struct place *place)
{
	struct name name = {};
	if (!place || !place->dentry) return 0;
	read_name(&name, place->dentry);
	struct inode_head inode = {};
	u32 generation = 0;
	if (name.inode) {
		read_inode(&inode, name.inode);
		READ(generation, name.inode->i_generation);
	}
	u16 kind = inode.mode & FILE_TYPE;
	if (name.parent == place->dentry) {
		u64 text[2] = {};
		probe_read_kernel_str(text, sizeof(text), name.text);
		/* The root of a file system is a folder. */
		if (kind != TYPE_FOLDER)
			return stirred(stirred(inode.mode | 1, text[0]), text[1]) | 1;
	}
	u64 sum = stirred((u64)place->mnt ^ (name.hashed ? 1 : 0), (u64)place->dentry);
	sum = stirred(sum, (u64)name.parent);
	/* An earlier file may have had an inode at the same address, and even the same inode number. */
	sum = stirred(sum, (u64)name.inode ^ inode.number << 16 ^ (u64)generation << 32 ^ kind);
	return stirred(sum, name.hash_len) | 1;
}

/* The number of a text that a program passed, which is relative to the place with that number. */
GLOBAL u64 number_of_text(u64 place)
{
	struct file_scratch *scratch = file_scratch();
	u64 sum = place;
	if (!scratch) return 0;
	/* Read each time, so that the verifier knows nothing about its value. */
	volatile u32 *bytes = &scratch->text_bytes;
#pragma clang loop unroll(disable)
	for (u32 at = 0; at < PATH_ROOM; at += 8) {
		if (at >= *bytes) break;
		sum = stirred(sum, *(u64 *)(scratch->text + at));
	}
	return sum | 1;
}

/* Whether a place still has the same name. */
INLINE bool has_same_name(struct name *before, struct dentry *dentry)
{
	struct name name = {};
	read_name(&name, dentry);
	return name.parent == before->parent && name.inode == before->inode &&
	       name.hash_len == before->hash_len && !name.hashed == !before->hashed;
}

INLINE struct inode_id inode_id(struct inode *inode)
{
	struct inode_head head = {};
	struct inode_id id = {};
	if (!inode) return id;
	read_inode(&head, inode);
	id.number = head.number;
	READ(id.generation, inode->i_generation);
	return id;
}

/* Reads the path of a folder, unless it is the same folder as last time, as it mostly is. Another folder may be at the
 * address of one that was removed. */
INLINE void name_folder(struct file_scratch *scratch, struct place *folder)
{
	struct names *names = &scratch->names;
	u64 renamed = rename_count();
	struct task_struct *task = get_current_task();
	struct nsproxy *spaces = task->nsproxy;
	struct mnt_namespace *space = spaces ? spaces->mnt_ns : NULL;
	struct mount *whole = space ? space->root : NULL;
	struct inode *inode = NULL;
	READ(inode, folder->dentry->d_inode);
	struct inode_id id = inode_id(inode);
	if (scratch->folder.dentry == folder->dentry && scratch->folder.mnt == folder->mnt &&
	    scratch->folder_renames == renamed && names->whole == whole &&
	    id.number == scratch->folder_id.number &&
	    id.generation == scratch->folder_id.generation &&
	    has_same_name(&scratch->folder_name, folder->dentry))
		return;
	scratch->folder = *folder;
	scratch->folder_id = id;
	read_name(&scratch->folder_name, folder->dentry);
	name_place(names, folder);
	if (names->flags & PATH_CUT) scratch->folder.dentry = NULL;
	scratch->folder_renames = renamed;
}

/* Writes the path of the scratch's place into its body; returns its length, with its flags in the upper half. */
GLOBAL u32 put_path(void)
{
	struct file_scratch *scratch = file_scratch();
	if (!scratch) return 0;
	struct name name = {};
	struct dentry *dentry = scratch->place.dentry, *top = NULL;
	struct vfsmount *mnt = scratch->place.mnt;
	READ(top, mnt->mnt_root);
	read_name(&name, dentry);
	struct place folder = { mnt, name.parent };
	if (dentry != top && name.parent != dentry) {
		long length = probe_read_kernel_str(scratch->body, NAME_ROOM, name.text);
		name_folder(scratch, &folder);
		u32 bytes = scratch->names.bytes & (PATH_ROOM - 1);
		if (length > 0 && length <= NAME_ROOM && length + bytes < PATH_ROOM) {
			probe_read_kernel(scratch->body + length, bytes, scratch->names.text);
			u32 flags = scratch->names.flags & ~(u32)PATH_DELETED;
			if (!name.hashed) flags |= PATH_DELETED;
			return (length + bytes) | flags << 16;
		}
	}
	scratch->folder.dentry = NULL;
	name_place(&scratch->names, &scratch->place);
	u32 bytes = scratch->names.bytes & (PATH_ROOM - 1);
	probe_read_kernel(scratch->body, bytes, scratch->names.text);
	return bytes | scratch->names.flags << 16;
}

/* Describes the file at the scratch's place in its head. */
GLOBAL int put_object(void)
{
	struct file_scratch *scratch = file_scratch();
	if (!scratch) return 0;
	struct object *object = &scratch->head.object;
	struct dentry *dentry = scratch->place.dentry;
	struct inode *inode = NULL;
	struct inode_head head = {};
	u64 renamed = rename_count();
	READ(inode, dentry->d_inode);
	if (inode) read_inode(&head, inode);
	if (!head.super || head.super != scratch->super || renamed != scratch->super_renames) {
		describe(&scratch->of_super, (u64)dentry);
		scratch->super = head.super;
		scratch->super_renames = renamed;
	} else {
		scratch->of_super.inode = head.number;
		scratch->of_super.mode = head.mode;
	}
	*object = scratch->of_super;
	return 0;
}

/* Adds the name in the scratch, with `body_bytes` after its head, to those that the thread hands over next. Returns
 * whether it was added: 1, or 2 if there is no room for another one. */
GLOBAL int add_name(struct file_names *names, u32 body_bytes)
{
	struct file_scratch *scratch = file_scratch();
	if (!names || !scratch || body_bytes > MOST_NAME_BYTES) return 0;
	u32 bytes = sizeof(struct file_name) - NAME_HEAD_BYTES + body_bytes;
	if (bytes > MOST_NAME_BYTES) return 0;
	u32 used = names->used, at = names->bytes;
	if (used >= NAMES_AT_ONCE || at >= NAMES_ROOM) {
		/* There was no room for these in the ring. */
		lose_names(used);
		used = 0;
		at = 0;
	}
	if (!used) {
		struct task_struct *task = get_current_task();
		names->pid = task->tgid;
		names->tid = task->pid;
		names->kind = FILE_NAMES;
		/* Taken before the path was read: if something was renamed meanwhile, the file is named again. */
		names->renames = scratch->renames;
	}
	probe_read_kernel(names->body + (at & (NAMES_ROOM - 1)), bytes, &scratch->head.kind);
	names->files[used & (NAMES_AT_ONCE - 1)] = scratch->head.file;
	names->used = used + 1;
	names->bytes = at + bytes;
	return used + 1 >= NAMES_AT_ONCE || at + bytes >= NAMES_ROOM ? 2 : 1;
}

/* Writes which file a number refers to: a place, and a text that is relative to it. */
SHARED void write_name(void *ctx, struct file_scratch *scratch, u64 file, struct place *place)
{
	struct task_struct *task = get_current_task();
	u32 text_bytes = scratch->text_bytes & (PATH_ROOM - 1);
	struct file_name *head = &scratch->head;
	if (is_known(file)) return;
	u64 renamed = rename_count();
	struct file_names *names = task_storage_get(&name_threads, task, NULL, STORAGE_CREATE);
	if (names && names->used) {
		if (names->renames != renamed) hand_over_names(ctx, names);
		u32 last = (names->used - 1) & (NAMES_AT_ONCE - 1);
		if (names->used && names->files[last] == file) return;
	}
	scratch->place = *place;
	scratch->renames = renamed;
	u32 path = place->dentry ? put_path() : 0;
	if (text_bytes || !place->dentry)
		__builtin_memset(&head->object, 0, sizeof(head->object));
	else
		put_object();
	u32 bytes = path & (PATH_ROOM - 1);
	head->file = file;
	head->kind = FILE_NAME;
	head->flags = path >> 16 | (text_bytes ? NAME_ONLY : 0);
	if (text_bytes == PATH_ROOM - 1) head->flags |= TEXT_CUT;
	head->names_bytes = bytes;
	head->text_bytes = text_bytes;
	if (text_bytes) probe_read_kernel(scratch->body + bytes, text_bytes, scratch->text);
	int added = add_name(names, bytes + text_bytes);
	if (names && added == 2) hand_over_names(ctx, names);
	if (added) return;
	if (perf_event_output(ctx, &output, CURRENT_CPU, head, sizeof(*head) + bytes + text_bytes))
		lose_names(1);
	else
		make_known(file, renamed);
}

INLINE u64 argument(struct pt_regs *regs, u32 which)
{
	switch (which) {
	case 0: return regs->di;
	case 1: return regs->si;
	case 2: return regs->dx;
	case 3: return regs->r10;
	case 4: return regs->r8;
	default: return regs->r9;
	}
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Hands over the counts. If there is no room for them now, they are kept. */
SHARED bool hand_over_files(void *ctx, struct file_counts *counts, u64 now)
{
	u64 used = counts->used;
	if (!used) return 1;
	if (used > FILE_SLOTS) used = FILE_SLOTS;
	hand_over_own_names(ctx, get_current_task());
	counts->kind = FILE_CALLS;
	counts->to_ns = now;
	if (perf_event_output(ctx, &output, CURRENT_CPU, counts,
			      FILE_HEAD_BYTES + used * sizeof(struct file_slot)))
		return 0;
	counts->from_ns = now;
	counts->used = 0;
	return 1;
}

/* The same, but if there is no room for them, they are lost, and counted as lost. */
SHARED bool hand_over_or_lose_files(void *ctx, struct file_counts *counts, u64 now)
{
	if (hand_over_files(ctx, counts, now)) return 1;
	u32 key = 0;
	u64 *lost = map_lookup(&lost_file_calls, &key);
#pragma clang loop unroll(disable)
	for (u32 at = 0; at < FILE_SLOTS; at++) {
		if (at >= counts->used) break;
		if (lost) *lost += counts->slots[at].count;
	}
	counts->from_ns = now;
	counts->used = 0;
	return 0;
}

/* The slot that a file and a key had last, if they still have it; else NULL. */
INLINE struct file_slot *file_slot(struct file_thread *files, u32 hint, u64 file, u32 key)
{
	u32 at = files->hints[hint & (FILE_HINTS - 1)];
	struct file_counts *counts = &files->counts;
	if (at >= counts->used || at >= FILE_SLOTS) return NULL;
	struct file_slot *slot = &counts->slots[at];
	/* These flags belong to the file. */
	u32 same = ~(u32)(FILE_SYNC | FILE_DIRECT);
	return slot->file == file && (slot->key & same) == key ? slot : NULL;
}

/* Where to look first for the slot of a call. */
INLINE u32 first_hint(struct file_call *call)
{
	return call->file >> 32 ^ call->key ^ call->key >> 16;
}

/* How the file of a call was opened, if that matters for the call. */
INLINE u32 flags_of(struct file_call *call)
{
	u32 operation = call->key & OPERATION_MASK, flags = 0, found = 0;
	if (!call->open) return 0;
	if (operation != WRITE_DATA && operation != READ_DATA && operation != OPEN) return 0;
	READ(flags, call->open->f_flags);
	if (flags & O_DSYNC && operation != READ_DATA) found |= FILE_SYNC;
	if (flags & O_DIRECT) found |= FILE_DIRECT;
	return found;
}

SHARED struct file_slot *new_file_slot(void *ctx, struct file_thread *files,
				       struct file_scratch *scratch, struct file_call *call)
{
	struct file_counts *counts = &files->counts;
	/* Hot calls are not all timed. */
	bool is_full = counts->used >= FILE_SLOTS;
	if (!call->now && (is_full || !counts->used)) call->now = ktime_get_ns();
	if (is_full) hand_over_or_lose_files(ctx, counts, call->now);
	u32 at = counts->used;
	if (at >= FILE_SLOTS) return NULL;
	if (!at) {
		struct task_struct *task = get_current_task();
		counts->from_ns = call->now - call->ns;
		counts->pid = task->tgid;
		counts->tid = task->pid;
	}
	/* A file that is closed was named when the call began. */
	if (call->how != CLOSE) write_name(ctx, scratch, call->file, &call->place);
	u32 key = call->key | flags_of(call);
	struct file_slot *slot = &counts->slots[at];
	__builtin_memset(slot, 0, sizeof(*slot));
	slot->file = call->file;
	slot->key = key;
	counts->used = at + 1;
	u32 first = first_hint(call), second = first >> 6;
	u32 hint = files->hints[first & (FILE_HINTS - 1)] < at ? second : first;
	files->hints[hint & (FILE_HINTS - 1)] = at;
	return slot;
}

INLINE void add_call(struct file_slot *slot, s64 result, u64 ns, u32 weight)
{
	slot->count++;
	if (result > 0) slot->bytes += result;
	if (!ns) return;
	slot->timed++;
	slot->ns += ns * weight;
	if (ns > slot->longest_ns) slot->longest_ns = ns;
}

/* Whether a descriptor still refers to the same file. */
INLINE bool is_still_open(struct task_struct *task, u32 fd, struct repeated *repeated)
{
	struct file *open = file_of(task, fd);
	if (!open || open != repeated->open) return 0;
	struct place place = place_of(open);
	return place.dentry == repeated->place.dentry && place.mnt == repeated->place.mnt;
}

/* Makes the next calls look up their files again. */
INLINE void forget_repeated(struct file_thread *files)
{
	files->repeated[0].is_filled = 0;
	files->repeated[1].is_filled = 0;
}

/* Whether a call only reads from a descriptor or writes to it. */
INLINE bool only_moves_bytes(u32 how)
{
	return (how & ~(u32)OPERATION_MASK) == (BY_DESCRIPTOR | HAS_BYTES);
}

/* Counts a call that the thread repeats with the same descriptor and result, if everything that its file's number is
 * computed from is unchanged. It applies only if the thread made no other kind of call in between, so what the thread
 * itself opens and closes is never confused. */
INLINE bool count_again(struct file_thread *files, struct task_struct *task, struct pt_regs *regs,
			u32 call, u32 how, s64 result, u64 ns, u32 weight)
{
	struct repeated *repeated = &files->repeated[0];
	u32 fd = regs->di, last = 0;
	if (!only_moves_bytes(how)) forget_repeated(files);
	if (repeated->call != call || repeated->fd != fd) {
		repeated = &files->repeated[1];
		last = 1;
	}
	if (repeated->call != call || repeated->fd != fd) {
		forget_repeated(files);
		last = (files->last & 1) ^ 1;
		repeated = &files->repeated[last];
		files->last = last;
		repeated->call = call;
		repeated->fd = fd;
		repeated->is_again = 0;
		return 0;
	}
	files->last = last;
	repeated->is_again = 1;
	if (!repeated->is_filled) return 0;
	/* Unless everything matches, it is filled again. */
	repeated->is_filled = 0;
	u32 at = repeated->at;
	if (at >= files->counts.used || at >= FILE_SLOTS) return 0;
	struct file_slot *slot = &files->counts.slots[at];
	if (slot->file != repeated->file || slot->key != repeated->key) return 0;
	if (!repeated->is_own && !is_still_open(task, fd, repeated)) return 0;
	/* Nobody can tell which calls of the last few hundred microseconds came before a rename, because the thread
	 * did nothing else meanwhile. So of hot calls, only those that are timed check for one. */
	if ((ns || !repeated->is_own) && !has_same_name(&repeated->name, repeated->place.dentry)) return 0;
	add_call(slot, result, ns, weight);
	repeated->is_filled = 1;
	return 1;
}

INLINE bool shares_no_files(struct task_struct *task)
{
	struct files_struct *files = task->files;
	return files && files->count.counter == 1;
}

/* Remembers what is needed to recognize the next call as the same, once the thread has made it twice. */
INLINE void remember(struct file_thread *files, struct file_call *call, struct file_slot *slot, u32 first)
{
	struct repeated *repeated = &files->repeated[files->last & 1];
	if (!call->may_repeat || !call->open || !repeated->is_again) return;
	bool is_first = file_slot(files, first, call->file, call->key) == slot;
	repeated->at = files->hints[(is_first ? first : first >> 6) & (FILE_HINTS - 1)];
	repeated->file = call->file;
	repeated->key = slot->key;
	repeated->open = call->open;
	repeated->is_own = shares_no_files(get_current_task());
	repeated->place = call->place;
	read_name(&repeated->name, call->place.dentry);
	repeated->is_filled = 1;
}

/* Counts a call; returns how many calls of its kind are counted together with it; 0: there was no room. */
SHARED u64 count_file(void *ctx, struct file_thread *files, struct file_scratch *scratch,
		      struct file_call *call)
{
	u32 first = first_hint(call);
	struct file_slot *slot = file_slot(files, first, call->file, call->key);
	if (!slot) slot = file_slot(files, first >> 6, call->file, call->key);
	if (!slot) slot = new_file_slot(ctx, files, scratch, call);
	if (!slot) return 0;
	add_call(slot, call->has_bytes ? call->result : 0, call->ns, call->weight);
	remember(files, call, slot, first);
	return slot->count;
}

/* Finds the file of a descriptor. */
INLINE void by_descriptor(struct file_call *call, struct task_struct *task, u32 fd)
{
	call->open = file_of(task, fd);
	if (!call->open) return;
	call->place = place_of(call->open);
	call->file = number_of(&call->place);
}

/* Finds the file that is mapped at an address. */
INLINE void by_mapping(struct file_call *call, u64 address)
{
	struct mapping mapping = { .address = address };
	find_mapping(&mapping);
	if (!mapping.file) return;
	call->place = place_of(mapping.file);
	call->file = number_of(&call->place);
	call->mapped_offset = mapping.offset;
}

/* Finds what a program named by a text of at most `room` bytes, relative to the folder that it passed. */
SHARED void by_text(struct file_call *call, struct file_scratch *scratch, u64 text, u32 room, s64 folder)
{
	struct task_struct *task = get_current_task();
	if (room > PATH_ROOM) room = PATH_ROOM;
	long bytes = probe_read_user_str(scratch->text, room, (void *)text);
	bool is_folder = (s32)folder >= 0;
	if (bytes <= 1) {
		/* An empty text, or none where the call allows that: the descriptor itself is meant. */
		bool has_none = bytes == 1 || (!text && call->result != -EFAULT);
		if (has_none && is_folder) by_descriptor(call, task, folder);
		return;
	}
	if (scratch->text[0] == '/') {
		call->place = root_folder(task);
	} else if (is_folder) {
		struct file *file = file_of(task, folder);
		if (!file) return;
		call->place = place_of(file);
	} else {
		call->place = working_folder(task);
	}
	u32 length = (bytes - 1) & (PATH_ROOM - 1);
	__builtin_memset(scratch->text + length, 0, 8);
	scratch->text_bytes = length;
	call->file = number_of_text(number_of(&call->place));
}

INLINE void by_name(struct file_call *call, struct file_scratch *scratch, u64 text, s64 folder)
{
	by_text(call, scratch, text, PATH_ROOM, folder);
}

/* Most bytes in the name of a Unix socket. */
#define MOST_SOCKET_NAME 108

/* Finds the Unix socket in a folder that an address names; the name need not end with a zero byte. */
INLINE void by_address(struct file_call *call, struct file_scratch *scratch, u64 address, u64 length)
{
	struct {
		u16 family;
		u8 first;
	} begin = {};
	if (length < 3 || length > MOST_SOCKET_NAME + 2) return;
	if (probe_read_user(&begin, 3, (void *)address)) return;
	if (begin.family != AF_UNIX || !begin.first) return;
	by_text(call, scratch, address + 2, length - 1, AT_FDCWD);
}

/* Finds the file that the call in the scratch is about, if it is about one. */
GLOBAL int find_file(void)
{
	struct file_scratch *scratch = file_scratch();
	if (!scratch) return 0;
	struct task_struct *task = get_current_task();
	struct pt_regs *regs = task_pt_regs(task);
	struct file_call *call = &scratch->call;
	u32 number = call->key & 0xfff;
	u32 how = how_of(call->key);
	if (!how) return 0;
	if (how & MOVES_FILES) {
		if (!call->result) forget_paths();
		if (how == MOVES_FILES) return 0;
	}
	call->number = number;
	call->how = how;
	scratch->text_bytes = 0;
	u32 which = how >> ARGUMENT_SHIFT & ARGUMENT_MASK;
	u32 operation = how & OPERATION_MASK;
	s64 result = call->result;
	bool failed = result < 0 && result >= -MAX_ERRNO;
	call->key = operation | (failed ? (u32)-result << 16 : 0) | (call->disk ? FILE_DISK : 0);
	call->has_bytes = how & HAS_BYTES;
	call->may_repeat = only_moves_bytes(how) && !call->disk;
	if (operation == CLOSE) return 1;
	if (number == NR_MMAP && regs->r10 & MAP_ANONYMOUS) return 0;
	if (number == NR_FCNTL) {
		u32 command = regs->si;
		/* F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW. */
		if (command != 6 && command != 7 && command != 37 && command != 38) return 0;
	}
	if (operation == OPEN && !failed) {
		by_descriptor(call, task, result);
	} else if (operation == ENTER && !failed) {
		call->place = working_folder(task);
		call->file = number_of(&call->place);
	} else if (operation == EXECUTE && !failed) {
		return 0;
	} else if (number == NR_MSYNC) {
		/* Without this flag it writes nothing. */
		if (!(regs->dx & MS_SYNC)) return 0;
		by_mapping(call, regs->di);
	} else if (number == NR_TO_CONNECT || number == NR_BIND) {
		by_address(call, scratch, regs->si, regs->dx);
	} else if ((how & BY_MASK) == BY_DESCRIPTOR) {
		by_descriptor(call, task, argument(regs, which));
	} else {
		bool has_folder = (how & BY_MASK) == BY_NAME_IN;
		s64 folder = has_folder && which ? (s32)argument(regs, which - 1) : AT_FDCWD;
		by_name(call, scratch, argument(regs, which), folder);
	}
	return 1;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Finds the offset at which a call began, and how many bytes it asked for; returns which of these are known. */
INLINE u32 where_in_file(struct file_call *call, struct pt_regs *regs, struct file_row *row)
{
	s64 got = call->result > 0 ? call->result : 0;
	u64 place = 0;
	row->offset = 0;
	row->asked = 0;
	switch (call->number) {
	case 17: case 18: /* pread64, pwrite64 */
		row->offset = regs->r10;
		row->asked = regs->dx;
		return ROW_HAS_OFFSET | ROW_HAS_ASKED;
	case 295: case 296: /* preadv, pwritev */
		row->offset = regs->r10;
		return ROW_HAS_OFFSET;
	case 0: case 1: /* read, write */
		row->asked = regs->dx;
		break;
	case 78: case 217: /* getdents, getdents64 */
		row->asked = regs->dx;
		return ROW_HAS_ASKED;
	case 40: /* sendfile */
		row->asked = regs->r10;
		place = regs->dx;
		break;
	case 275: case 326: /* splice, copy_file_range */
		row->asked = regs->r8;
		place = regs->si;
		break;
	case NR_MMAP:
		row->offset = regs->r9;
		row->asked = regs->si;
		return ROW_HAS_OFFSET | ROW_HAS_ASKED;
	case NR_MSYNC:
		row->offset = call->mapped_offset;
		row->asked = regs->si;
		return ROW_HAS_OFFSET | ROW_HAS_ASKED;
	case 76: case 77: /* truncate, ftruncate */
		row->offset = regs->si;
		return ROW_HAS_OFFSET;
	case 285: /* fallocate */
		row->offset = regs->dx;
		row->asked = regs->r10;
		return ROW_HAS_OFFSET | ROW_HAS_ASKED;
	case 277: /* sync_file_range */
		row->offset = regs->si;
		row->asked = regs->dx;
		return ROW_HAS_OFFSET | ROW_HAS_ASKED;
	case 19: case 20: case 327: case 328: /* readv … */
		break;
	default: return 0;
	}
	u32 known = row->asked ? ROW_HAS_ASKED : 0;
	u16 mode = 0;
	struct inode *inode = NULL;
	if (place) {
		if (probe_read_user(&row->offset, sizeof(row->offset), (void *)place)) return known;
	} else {
		if (!call->open) return known;
		READ(inode, call->open->f_inode);
		if (inode) READ(mode, inode->i_mode);
		/* Other kinds of files have no position. */
		if ((mode & FILE_TYPE) != TYPE_PLAIN) return known;
		READ(row->offset, call->open->f_pos);
	}
	/* The position has advanced by what was read or written. */
	row->offset -= got;
	return known | ROW_HAS_OFFSET;
}

/* Adds a row for the call in the scratch; returns whether the thread's rows are full. */
GLOBAL int write_row(void)
{
	struct file_scratch *scratch = file_scratch();
	struct task_struct *task = get_current_task();
	if (!scratch) return 0;
	struct file_rows *rows = task_storage_get(&row_threads, task, NULL, STORAGE_CREATE);
	struct file_call *call = &scratch->call;
	if (!rows) return 0;
	u32 at = rows->used;
	if (at >= FILE_ROWS) return 1;
	struct file_row *row = &rows->rows[at];
	if (!at) {
		rows->from_ns = call->now - call->ns;
		rows->pid = task->tgid;
		rows->tid = task->pid;
		rows->kind = FILE_ROW;
	}
	u32 known = where_in_file(call, task_pt_regs(task), row);
	if (call->ns) known |= ROW_HAS_TIME;
	if (call->has_disk) known |= ROW_HAS_DISK;
	if (call->slept) known |= ROW_SLEPT;
	row->start_ns = call->now - call->ns;
	row->ns = call->ns;
	row->file = call->file;
	row->other = call->other;
	row->result = call->result;
	row->disk = call->disk;
	row->key = call->key | flags_of(call);
	row->call = call->number;
	row->known = known;
	rows->used = at + 1;
	return at + 1 >= FILE_ROWS;
}

/* Adds a row for a call that was counted as the `nth` of its kind, if it gets one. */
SHARED void add_row(void *ctx, struct file_scratch *scratch, u64 nth)
{
	struct file_call *call = &scratch->call;
	if (!nth || !takes_row(call->now, call->ns, nth)) return;
	if (!call->now) call->now = ktime_get_ns();
	if (write_row()) hand_over_own_rows(ctx, get_current_task(), call->now);
}

/* ---- calls that end -------------------------------------------------------------------------------- */

/* Finds the second file of a call: the one that it writes to, or the new name. */
SHARED void find_second(void *ctx, struct file_scratch *scratch)
{
	struct file_call *call = &scratch->call;
	struct task_struct *task = get_current_task();
	struct pt_regs *regs = task_pt_regs(task);
	u32 which = (call->how >> SECOND_SHIFT) - 1;
	u64 first = call->file;
	call->file = 0;
	scratch->text_bytes = 0;
	if ((call->how & BY_MASK) == BY_DESCRIPTOR) {
		by_descriptor(call, task, argument(regs, which));
	} else {
		bool has_folder = (call->how & BY_MASK) == BY_NAME_IN;
		s64 folder = has_folder && which ? (s32)argument(regs, which - 1) : AT_FDCWD;
		by_name(call, scratch, argument(regs, which), folder);
	}
	call->other = call->file;
	call->file = first;
	if (call->other) write_name(ctx, scratch, call->other, &call->place);
}

/* Remembers what the thread opened, until it may have been closed or renamed. */
GLOBAL int note_opened(struct file_thread *files)
{
	struct file_scratch *scratch = file_scratch();
	if (!files || !scratch) return 0;
	struct file_call *call = &scratch->call;
	if ((call->key & OPERATION_MASK) == REMOVE) files->opened = 0;
	if ((call->key & ~(u32)FILE_DISK) != OPEN) return 0;
	files->opened = shares_no_files(get_current_task()) ? call->file : 0;
	files->opened_fd = call->result;
	files->opened_renames = rename_count();
	return 0;
}

/* Counts a call of the current task if it is about a file. */
INLINE void leave_file_call(void *ctx, struct file_thread *files, struct file_scratch *scratch)
{
	struct file_call *call = &scratch->call;
	if (!find_file()) return;
	note_opened(files);
	u64 nth = 0;
	if (call->file) nth = count_file(ctx, files, scratch, call);
	/* The row describes the first file. */
	struct file *open = call->open;
	if (nth && call->how >> SECOND_SHIFT) find_second(ctx, scratch);
	bool copies = call->other && (call->how & BY_MASK) == BY_DESCRIPTOR;
	u64 file = call->file;
	u32 key = call->key;
	call->open = open;
	add_row(ctx, scratch, nth);
	if (copies) {
		/* The same call also writes. */
		call->file = call->other;
		call->key = (key & ~(OPERATION_MASK | FILE_DISK)) | WRITE_DATA;
		call->open = NULL;
		count_file(ctx, files, scratch, call);
	}
	/* A key without an error: it succeeded. */
	if ((key & ~FILE_DISK) == RENAME && file) {
		/* What was counted so far belongs to the old paths. */
		u64 now = ktime_get_ns();
		forget_paths();
		hand_over_files(ctx, &files->counts, now);
		hand_over_own_rows(ctx, get_current_task(), now);
	}
}

/* Adds a row of a call that was counted without looking at its file. */
SHARED void add_row_again(void *ctx, struct file_thread *files, struct file_scratch *scratch)
{
	struct file_call *call = &scratch->call;
	struct repeated *repeated = &files->repeated[files->last & 1];
	u32 at = repeated->at;
	if (at >= FILE_SLOTS) return;
	call->number = call->key & 0xfff;
	call->key = repeated->key;
	call->file = repeated->file;
	call->open = repeated->open;
	add_row(ctx, scratch, files->counts.slots[at].count);
}

/* Finds the file of a descriptor that is about to be closed: afterwards that is no longer known. */
SHARED u64 enter_close(void *ctx, struct task_struct *task, struct file_thread *files)
{
	struct file_scratch *scratch = file_scratch();
	u32 fd = task_pt_regs(task)->di;
	if (!scratch) return 0;
	u64 opened = files->opened;
	if (opened && files->opened_fd == fd) {
		files->opened = 0;
		if (files->opened_renames == rename_count()) return opened;
	}
	struct file *open = file_of(task, fd);
	if (!open) return 0;
	scratch->text_bytes = 0;
	scratch->place = place_of(open);
	u64 file = number_of(&scratch->place);
	if (file && !is_known(file)) {
		scratch->call.place = scratch->place;
		write_name(ctx, scratch, file, &scratch->call.place);
	}
	return file;
}

#endif
