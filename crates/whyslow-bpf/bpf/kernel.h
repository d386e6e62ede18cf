/* What all eBPF programs here share: types, structures and helper functions of the kernel, and maps.
 *
 * There is no vmlinux.h. Each structure has only the members that are used here, and the loader takes their offsets
 * from the BTF of the running kernel (preserve_access_index). A member that a program does not use may be missing
 * there. */

#ifndef KERNEL_H
#define KERNEL_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef _Bool bool;

#define ENOENT 2
#define SEC(name) __attribute__((section(name), used))
#define INLINE static inline __attribute__((always_inline))
#define SHARED static __attribute__((noinline))
/* A global function: the verifier examines it once, however often it is called. So the verifier knows nothing about the
 * arguments: a number may have any value, and a pointer may be NULL. */
#define GLOBAL __attribute__((noinline))
#define CORE __attribute__((preserve_access_index))
#define UINT(name, value) int(*name)[value]
#define TYPE(name, type) type *name
#define NULL ((void *)0)
#define HAS_FIELD(field) __builtin_preserve_field_info(field, 2)
#define OFFSET_OF(type, member) __builtin_preserve_field_info(((type *)0)->member, 0)
#define READ(to, from) probe_read_kernel(&(to), sizeof(to), &(from))

/* ---- numbers --------------------------------------------------------------------------------- */

enum {
	MAP_HASH = 1,
	MAP_ARRAY = 2,
	MAP_PROG_ARRAY = 3,
	MAP_PERF_EVENT_ARRAY = 4,
	MAP_PERCPU_ARRAY = 6,
	MAP_LRU_HASH = 9,
	MAP_ARRAY_OF_MAPS = 12,
	MAP_TASK_STORAGE = 29,
	NO_PREALLOC = 1,
	STORAGE_CREATE = 1,
};
#define CURRENT_CPU 0xffffffffULL

#define PF_EXITING 0x00000004
#define PF_USER_WORKER 0x00004000
#define PF_KTHREAD 0x00200000
#define TASK_INTERRUPTIBLE 0x00000001
#define TASK_UNINTERRUPTIBLE 0x00000002
#define TASK_TRACED 0x00000008
#define TASK_DEAD 0x00000080
#define SIGNAL_GROUP_EXIT 0x00000004
#define CLONE_VM 0x00000100
#define CLONE_THREAD 0x00010000
#define USER_CS 0x33
#define ENOSYS 38
#define EFAULT 14
#define MAX_ERRNO 4095
#define FILE_TYPE 0170000
#define TYPE_SOCKET 0140000
#define TYPE_PIPE 0010000
#define TYPE_FOLDER 0040000
#define TYPE_PLAIN 0100000
#define NR_ACCEPT 43
#define NR_ACCEPT4 288
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
/* Set in thread_info.status while a task is in a 32-bit system call. */
#define TS_COMPAT 0x0002
/* Set in the numbers of the system calls of x32 programs. */
#define X32_BIT 0x40000000

/* ---- structures ------------------------------------------------------------------------------ */

typedef struct {
	int counter;
} atomic_t;

struct list_head {
	struct list_head *next, *prev;
} CORE;

struct hlist_bl_node {
	void *next, **pprev;
} CORE;

struct thread_info {
	u32 status;
	u32 cpu;
} CORE;

struct thread_struct {
	unsigned long fsbase;
} CORE;

struct mm_struct {
	unsigned long start_stack;
	unsigned long arg_start, arg_end;
} CORE;

struct signal_struct {
	atomic_t live;
	int group_exit_code;
	unsigned int flags;
	unsigned long maxrss;
} CORE;

struct cpumask {
	unsigned long bits[1];
} CORE;

struct cfs_rq {
	int throttle_count;
} CORE;

struct sched_entity {
	u64 sum_exec_runtime;
	struct cfs_rq *cfs_rq;
} CORE;

struct upid {
	int nr;
} CORE;

struct pid {
	u32 level;
	struct upid numbers[1];
} CORE;

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

struct file_lock_context {
	struct list_head flc_flock, flc_posix;
} CORE;

struct inode {
	u16 i_mode;
	u32 i_generation;
	unsigned long i_ino;
	struct super_block *i_sb;
	struct file_lock_context *i_flctx;
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
	struct inode *f_inode;
	s64 f_pos;
	void *private_data;
} CORE;

struct vm_area_struct {
	unsigned long vm_start, vm_pgoff;
	struct file *vm_file;
} CORE;

struct fdtable {
	u32 max_fds;
	struct file **fd;
} CORE;

struct files_struct {
	atomic_t count;
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

/* A function call with a return probe. */
struct return_instance {
	/* The address on the user stack at which the return address is, and the original return address. */
	unsigned long stack, orig_ret_vaddr;
	/* The next outer call with a return probe. */
	struct return_instance *next;
} CORE;

struct uprobe_task {
	struct return_instance *return_instances;
} CORE;

struct task_io_accounting {
	u64 read_bytes;
} CORE;

typedef struct {
	u32 val;
} kuid_t;

struct cred {
	kuid_t fsuid;
} CORE;

struct task_struct {
	struct thread_info thread_info;
	void *stack;
	unsigned int __state;
	unsigned int flags;
	unsigned int ptrace;
	int on_cpu;
	/* In kernels whose thread_info has no `cpu`. */
	u32 cpu;
	int prio;
	struct sched_entity se;
	unsigned int policy;
	struct cpumask cpus_mask;
	struct mm_struct *mm;
	int exit_code, exit_state;
	int pid, tgid;
	struct task_struct *group_leader, *parent;
	struct pid *thread_pid;
	const struct cred *cred;
	unsigned long nvcsw, nivcsw;
	char comm[16];
	struct fs_struct *fs;
	struct files_struct *files;
	struct nsproxy *nsproxy;
	struct signal_struct *signal;
	bool throttled;
	struct uprobe_task *utask;
	struct task_io_accounting ioac;
	struct thread_struct thread;
} CORE;

struct file_lock_core {
	struct list_head flc_list;
	unsigned char flc_type;
	int flc_pid;
	struct file *flc_file;
} CORE;

struct file_lock {
	struct file_lock_core c;
	s64 fl_start, fl_end;
} CORE;

struct in6_addr {
	u8 bytes[16];
};

struct sock_common {
	u16 skc_family;
	u8 skc_state;
	u32 skc_daddr, skc_rcv_saddr;
	u16 skc_dport, skc_num;
	struct in6_addr skc_v6_daddr, skc_v6_rcv_saddr;
} CORE;

struct socket;

struct sock {
	struct sock_common __sk_common;
	u16 sk_type;
	u16 sk_protocol;
	int sk_err;
	atomic_t sk_drops;
	struct pid *sk_peer_pid;
	struct socket *sk_socket;
} CORE;

struct socket {
	struct file *file;
	struct sock *sk;
} CORE;

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
} CORE;

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
} CORE;

struct bpf_iter__task_file {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
	u32 fd;
	struct file *file;
} CORE;

/* Part of the ABI of x86-64, so it is the same in every kernel. */
struct pt_regs {
	u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
	u64 orig_ax, ip, cs, flags, sp, ss;
};

/* ---- helper functions ------------------------------------------------------------------------ */

#define FUNCTION static __attribute__((unused))

FUNCTION void *(*map_lookup)(void *map, const void *key) = (void *)1;
FUNCTION long (*map_update)(void *map, const void *key, const void *value, u64 flags) = (void *)2;
FUNCTION long (*map_delete)(void *map, const void *key) = (void *)3;
FUNCTION u64 (*ktime_get_ns)(void) = (void *)5;
FUNCTION u32 (*get_smp_processor_id)(void) = (void *)8;
FUNCTION long (*tail_call)(void *ctx, void *map, u32 index) = (void *)12;
FUNCTION u64 (*current_pid_tgid)(void) = (void *)14;
FUNCTION long (*perf_event_output)(void *ctx, void *map, u64 flags, void *data,
				   u64 size) = (void *)25;
FUNCTION long (*get_stack)(void *ctx, void *buffer, u32 size, u64 flags) = (void *)67;
FUNCTION long (*probe_read_user)(void *to, u32 size, const void *from) = (void *)112;
FUNCTION long (*probe_read_kernel)(void *to, u32 size, const void *from) = (void *)113;
FUNCTION long (*probe_read_user_str)(void *to, u32 size, const void *from) = (void *)114;
FUNCTION long (*probe_read_kernel_str)(void *to, u32 size, const void *from) = (void *)115;
FUNCTION long (*seq_write)(struct seq_file *seq, const void *data, u32 size) = (void *)127;
FUNCTION void *(*task_storage_get)(void *map, struct task_struct *task, void *value,
				   u64 flags) = (void *)156;
FUNCTION long (*task_storage_delete)(void *map, struct task_struct *task) = (void *)157;
FUNCTION struct task_struct *(*get_current_task)(void) = (void *)158;
FUNCTION struct pt_regs *(*task_pt_regs)(struct task_struct *task) = (void *)175;
/* Both since Linux 5.17. */
FUNCTION long (*find_vma)(struct task_struct *task, u64 address, void *callback, void *context,
			  u64 flags) = (void *)180;
FUNCTION long (*loop)(u32 rounds, void *callback, void *context, u64 flags) = (void *)181;

/* ---- maps ------------------------------------------------------------------------------------ */

/* The perf events to which records are written, by CPU. */
struct events_by_cpu {
	UINT(type, MAP_PERF_EVENT_ARRAY);
	UINT(max_entries, 1);
	UINT(key_size, sizeof(u32));
	UINT(value_size, sizeof(u32));
};

struct events_by_cpu output SEC(".maps");

/* A place for a program that another one tail-calls. */
struct called {
	UINT(type, MAP_PROG_ARRAY);
	UINT(max_entries, 1);
	UINT(key_size, sizeof(u32));
	UINT(value_size, sizeof(u32));
};

/* Removes what a map keeps of a thread, in an iterator. What could not be removed is counted by what the iterator writes:
 * nothing if all is well. */
INLINE void forget(void *map, struct task_struct *task, struct seq_file *seq)
{
	long failed = task_storage_delete(map, task);
	u8 one = 1;
	if (failed && failed != -ENOENT) seq_write(seq, &one, sizeof(one));
}

/* Some helper functions are only for programs with a licence that is compatible with the GPL. */
char LICENSE[] SEC("license") = "Dual MIT/GPL";

#endif
