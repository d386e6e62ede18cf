/* What a descriptor or a place in the file system is, read from the kernel's own structures: for
 * programs that may not ask bpf_d_path, as those on tracepoints. To be included behind the types, SEC,
 * INLINE, SHARED, CORE, NULL, and probe_read_kernel.
 *
 * Everything is read without locks. What changes meanwhile gives an old name or none, never a crash. */

#ifndef FILE_H
#define FILE_H

static long (*probe_read_kernel_str)(void *to, u32 size, const void *from) = (void *)115;

/* ---- kernel interface ------------------------------------------------------------------------ */

struct qstr {
	u64 hash_len;
	const u8 *name;
} CORE;

struct file_system_type {
	const char *name;
} CORE;

struct super_block {
	u32 s_dev;
	unsigned long s_magic;
	struct file_system_type *s_type;
} CORE;

struct inode {
	u16 i_mode;
	u32 i_generation;
	unsigned long i_ino;
	struct super_block *i_sb;
} CORE;

struct hlist_bl_node {
	void *next, **pprev;
} CORE;

struct dentry {
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
} CORE;

struct vfsmount {
	struct dentry *mnt_root;
} CORE;

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
} CORE;

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
} CORE;

struct file {
	u32 f_flags;
	struct path f_path;
} CORE;

struct fdtable {
	u32 max_fds;
	struct file **fd;
} CORE;

struct files_struct {
	struct fdtable *fdt;
} CORE;

struct fs_struct {
	struct path root, pwd;
} CORE;

struct mnt_namespace {
	struct mount *root;
} CORE;

struct nsproxy {
	struct mnt_namespace *mnt_ns;
} CORE;

/* The members of a task that lead to its files. */
struct task_struct___files {
	struct files_struct *files;
	struct fs_struct *fs;
	struct nsproxy *nsproxy;
} CORE;

#define READ(to, from) probe_read_kernel(&(to), sizeof(to), &(from))
#define OFFSET_OF(type, member) __builtin_preserve_field_info(((type *)0)->member, 0)

#define FILE_TYPE 0170000
#define TYPE_SOCKET 0140000
#define TYPE_PIPE 0010000
#define TYPE_FOLDER 0040000

/* ---- places ---------------------------------------------------------------------------------- */

/* A name in a file system, and the mount it was reached by. */
struct place {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

/* What is read of a name. */
struct name {
	void *next, **hashed;
	struct dentry *parent;
	u64 hash_len;
	const u8 *text;
	struct inode *inode;
};

INLINE void read_name(struct name *name, struct dentry *dentry)
{
	/* On most kernels the members lie side by side. */
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

/* The open file that a descriptor of the current task stands for; NULL: none. */
INLINE struct file *file_of(void *task, u32 fd)
{
	struct task_struct___files *owner = task;
	struct files_struct *files = owner->files;
	if (!files) return NULL;
	struct fdtable *table = files->fdt;
	if (!table || fd >= table->max_fds) return NULL;
	struct file *file = NULL;
	probe_read_kernel(&file, sizeof(file), table->fd + fd);
	return file;
}

INLINE struct place place_of(struct file *file)
{
	struct place place = {};
	READ(place, file->f_path);
	return place;
}

INLINE struct place working_folder(void *task)
{
	struct task_struct___files *owner = task;
	struct place place = {};
	struct fs_struct *fs = owner->fs;
	if (fs) probe_read_kernel(&place, sizeof(place), &fs->pwd);
	return place;
}

INLINE struct place root_folder(void *task)
{
	struct task_struct___files *owner = task;
	struct place place = {};
	struct fs_struct *fs = owner->fs;
	if (fs) probe_read_kernel(&place, sizeof(place), &fs->root);
	return place;
}

/* ---- what a file is -------------------------------------------------------------------------- */

/* A file: its inode and device say which, its file system what kind of storage it is on. */
struct object {
	u64 inode;
	u64 magic;
	u32 device;
	u32 mode;
	char file_system[16];
};

SHARED void describe(struct object *object, struct dentry *dentry)
{
	struct inode *inode = NULL;
	struct super_block *super = NULL;
	struct file_system_type *type = NULL;
	const char *name = NULL;
	u16 mode = 0;
	__builtin_memset(object, 0, sizeof(*object));
	READ(inode, dentry->d_inode);
	if (!inode) return;
	READ(mode, inode->i_mode);
	READ(object->inode, inode->i_ino);
	READ(super, inode->i_sb);
	object->mode = mode;
	READ(object->device, super->s_dev);
	READ(object->magic, super->s_magic);
	READ(type, super->s_type);
	READ(name, type->name);
	probe_read_kernel_str(object->file_system, sizeof(object->file_system), name);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Bytes of a path, and of a name in it with its end. */
#define PATH_ROOM 4096
#define NAME_ROOM 256
/* Names and mounts on the way from a file to the root, at most. */
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
	u8 text[PATH_ROOM + NAME_ROOM];
};

INLINE struct mount *mount_of(struct vfsmount *mnt)
{
	return (void *)mnt - OFFSET_OF(struct mount, mnt);
}

/* Follows a place up to the root. */
SHARED void name_place(struct names *names, struct place *from, void *task)
{
	struct task_struct___files *owner = task;
	struct nsproxy *spaces = owner->nsproxy;
	struct mnt_namespace *space = spaces ? spaces->mnt_ns : NULL;
	struct mount *whole = space ? space->root : NULL;
	struct vfsmount *mnt = from->mnt;
	struct dentry *dentry = from->dentry, *top = NULL, *parent = NULL;
	void **hashed = NULL;
	/* In memory, not in registers: what the verifier forgets of them, it need not tell apart. */
	volatile u32 *bytes = &names->bytes, *flags = &names->flags;

	*bytes = 0;
	*flags = PATH_CUT;
	READ(top, mnt->mnt_root);
	READ(hashed, dentry->d_hash.pprev);
	READ(parent, dentry->d_parent);
	if (!hashed && parent != dentry) *flags |= PATH_DELETED;
#pragma clang loop unroll(disable)
	for (u32 step = 0; step < DEEPEST; step++) {
		if (dentry == top) {
			struct mount *mount = mount_of(mnt), *above = NULL;
			READ(above, mount->mnt_parent);
			if (above == mount || !above) {
				*flags &= ~PATH_CUT;
				if (mount != whole) *flags |= PATH_UNREACHABLE;
				return;
			}
			READ(dentry, mount->mnt_mountpoint);
			mnt = (void *)above + OFFSET_OF(struct mount, mnt);
			READ(top, mnt->mnt_root);
			continue;
		}
		const u8 *name = NULL;
		READ(parent, dentry->d_parent);
		READ(name, dentry->d_name.name);
		u8 *to = names->text + (*bytes & (PATH_ROOM - 1));
		long length = probe_read_kernel_str(to, NAME_ROOM, name);
		if (length <= 0 || *bytes + length >= PATH_ROOM) return;
		/* Files without folder, as memory and events, have a name at most. */
		if (parent == dentry) {
			if (!*bytes && length > 1) *bytes = length;
			*flags = (*flags & ~PATH_CUT) | PATH_UNREACHABLE;
			return;
		}
		*bytes += length;
		dentry = parent;
	}
}

#endif
