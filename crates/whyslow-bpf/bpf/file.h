/* What a descriptor or a place in the file system refers to, read from the kernel's own structures: programs on
 * tracepoints may not call bpf_d_path.
 *
 * Everything is read without locks. If something changes meanwhile, the result is an old name or none, never a
 * crash. */

#ifndef FILE_H
#define FILE_H

#include "kernel.h"

/* ---- places ---------------------------------------------------------------------------------- */

/* A name in a file system, and the mount it was reached by. */
struct place {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

/* The parts of a dentry that are read. */
struct name {
	void *next, **hashed;
	struct dentry *parent;
	u64 hash_len;
	const u8 *text;
	struct inode *inode;
};

INLINE void read_name(struct name *name, struct dentry *dentry)
{
	/* On most kernels these members are adjacent. */
	u32 from = OFFSET_OF(struct dentry, d_hash);
	if (OFFSET_OF(struct dentry, d_parent) - from == 16 &&
	    OFFSET_OF(struct dentry, d_name) - from == 24 &&
	    OFFSET_OF(struct dentry, d_inode) - from == 40) {
		probe_read_kernel(name, sizeof(*name), &dentry->d_hash);
		return;
	}
	READ(name->hashed, dentry->d_hash.pprev);
	READ(name->parent, dentry->d_parent);
	READ(name->hash_len, dentry->d_name.hash_len);
	READ(name->text, dentry->d_name.name);
	READ(name->inode, dentry->d_inode);
}

/* The open file that a descriptor of a task refers to; NULL: none. */
INLINE struct file *file_of(struct task_struct *task, u32 fd)
{
	struct files_struct *files = task->files;
	if (!files) return NULL;
	struct fdtable *table = files->fdt;
	if (!table || fd >= table->max_fds) return NULL;
	struct file *file = NULL;
	probe_read_kernel(&file, sizeof(file), table->fd + fd);
	return file;
}

/* Whether the kernel can look up what is mapped at an address (Linux 5.17). */
const volatile u32 has_find_vma = 1;

/* What is mapped at an address. */
struct mapping {
	u64 address;
	/* NULL: no file. */
	struct file *file;
	/* The offset in the file. */
	u64 offset;
};

#define MAPPED_PAGE_SHIFT 12

static long take_mapping(struct task_struct *task, struct vm_area_struct *area, struct mapping *mapping)
{
	mapping->file = area->vm_file;
	mapping->offset = (area->vm_pgoff << MAPPED_PAGE_SHIFT) + mapping->address - area->vm_start;
	return 0;
}

/* Finds what the current task has mapped at the address; nothing if another thread is changing the mappings. */
GLOBAL int find_mapping(struct mapping *found)
{
	struct mapping mapping = {};
	if (!found || !has_find_vma) return 0;
	mapping.address = found->address;
	find_vma(get_current_task(), mapping.address, take_mapping, &mapping, 0);
	*found = mapping;
	return 0;
}

INLINE struct place place_of(struct file *file)
{
	struct place place = {};
	READ(place, file->f_path);
	return place;
}

INLINE struct place working_folder(struct task_struct *task)
{
	struct place place = {};
	struct fs_struct *fs = task->fs;
	if (fs) probe_read_kernel(&place, sizeof(place), &fs->pwd);
	return place;
}

INLINE struct place root_folder(struct task_struct *task)
{
	struct place place = {};
	struct fs_struct *fs = task->fs;
	if (fs) probe_read_kernel(&place, sizeof(place), &fs->root);
	return place;
}

/* ---- what a file is -------------------------------------------------------------------------- */

/* A file: inode and device identify it; the file system says what kind of storage it is on. */
struct object {
	u64 inode;
	u64 magic;
	u32 device;
	u32 mode;
	char file_system[16];
};

GLOBAL int describe(struct object *object, u64 address)
{
	struct dentry *dentry = (void *)address;
	if (!object) return 0;
	struct inode *inode = NULL;
	struct super_block *super = NULL;
	struct file_system_type *type = NULL;
	const char *name = NULL;
	u16 mode = 0;
	__builtin_memset(object, 0, sizeof(*object));
	READ(inode, dentry->d_inode);
	if (!inode) return 0;
	READ(mode, inode->i_mode);
	READ(object->inode, inode->i_ino);
	READ(super, inode->i_sb);
	object->mode = mode;
	READ(object->device, super->s_dev);
	READ(object->magic, super->s_magic);
	READ(type, super->s_type);
	READ(name, type->name);
	probe_read_kernel_str(object->file_system, sizeof(object->file_system), name);
	return 0;
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Bytes of a path, and of a name in it including the zero byte. */
#define PATH_ROOM 4096
#define NAME_ROOM 256
/* Most names and mounts between a file and the root. */
#define DEEPEST 48

enum {
	/* The name was removed. */
	PATH_DELETED = 1,
	/* It does not lead to the root of the task's mounts. */
	PATH_UNREACHABLE = 2,
	/* The outermost folders are missing. */
	PATH_CUT = 4,
};

/* A path: its names, the innermost first, each ended by a zero byte. */
struct names {
	u32 bytes;
	u32 flags;
	/* The place reached so far, and the root of its mount. */
	struct place at;
	struct dentry *top;
	/* The root of the task's mount namespace. */
	struct mount *whole;
	u8 text[PATH_ROOM + NAME_ROOM];
};

INLINE struct mount *mount_of(struct vfsmount *mnt)
{
	return (void *)mnt - OFFSET_OF(struct mount, mnt);
}

/* Goes up by one name, or from the root of a mount to its mount point; returns whether the way ends here. */
GLOBAL int name_step(struct names *names)
{
	if (!names) return 1;
	struct dentry *dentry = names->at.dentry, *parent = NULL;
	const u8 *name = NULL;
	if (dentry == names->top) {
		struct vfsmount *mnt = names->at.mnt;
		struct mount *mount = mount_of(mnt), *above = NULL;
		READ(above, mount->mnt_parent);
		if (above == mount || !above) {
			names->flags &= ~PATH_CUT;
			if (mount != names->whole) names->flags |= PATH_UNREACHABLE;
			return 1;
		}
		READ(names->at.dentry, mount->mnt_mountpoint);
		mnt = (void *)above + OFFSET_OF(struct mount, mnt);
		READ(names->top, mnt->mnt_root);
		names->at.mnt = mnt;
		return 0;
	}
	READ(parent, dentry->d_parent);
	READ(name, dentry->d_name.name);
	u32 bytes = names->bytes;
	long length = probe_read_kernel_str(names->text + (bytes & (PATH_ROOM - 1)), NAME_ROOM, name);
	if (length <= 0 || bytes + length >= PATH_ROOM) return 1;
	/* Files outside any folder, such as memory files and events, have at most a name. */
	if (parent == dentry) {
		if (!bytes && length > 1) names->bytes = length;
		names->flags = (names->flags & ~PATH_CUT) | PATH_UNREACHABLE;
		return 1;
	}
	names->bytes = bytes + length;
	names->at.dentry = parent;
	return 0;
}

/* Collects the names from a place up to the root of the current task. */
GLOBAL int name_place(struct names *names, struct place *from)
{
	if (!names || !from) return 0;
	struct task_struct *task = get_current_task();
	struct nsproxy *spaces = task->nsproxy;
	struct mnt_namespace *space = spaces ? spaces->mnt_ns : NULL;
	struct vfsmount *mnt = from->mnt;
	struct dentry *dentry = from->dentry, *parent = NULL;
	void **hashed = NULL;
	names->bytes = 0;
	names->flags = PATH_CUT;
	names->at = *from;
	names->whole = space ? space->root : NULL;
	READ(names->top, mnt->mnt_root);
	READ(hashed, dentry->d_hash.pprev);
	READ(parent, dentry->d_parent);
	if (!hashed && parent != dentry) names->flags |= PATH_DELETED;
#pragma clang loop unroll(disable)
	for (u32 step = 0; step < DEEPEST; step++)
		if (name_step(names)) break;
	return 0;
}

#endif
