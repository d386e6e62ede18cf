/* What a thread waits for in a system call: the file, the other end, the address, the child, what an epoll watches, and
 * for how long at most. Part of whyslow.bpf.c, which decides which waits are described; format: src/wait_object.rs.
 *
 * What may change during the wait is read when the wait begins: which file a descriptor refers to, who holds a lock,
 * times that the kernel overwrites. The rest is read when the call ends. */

#ifndef WAIT_OBJECT_H
#define WAIT_OBJECT_H

#include "asked.h"
#include "file.h"

/* ---- kernel interface ------------------------------------------------------------------------ */

struct sockaddr_un {
	u16 sun_family;
} CORE;

struct unix_address {
	int len;
	struct sockaddr_un name[1];
} CORE;

struct unix_sock {
	struct unix_address *addr;
	struct sock *peer;
} CORE;

struct rb_node {
	unsigned long __rb_parent_color;
	struct rb_node *rb_right, *rb_left;
} CORE;

struct rb_root {
	struct rb_node *rb_node;
} CORE;

struct rb_root_cached {
	struct rb_root rb_root;
	struct rb_node *rb_leftmost;
} CORE;

struct eventpoll {
	struct rb_root_cached rbr;
} CORE;

struct epoll_filefd {
	struct file *file;
	int fd;
} CORE;

/* A descriptor that an epoll watches. */
struct epitem {
	struct rb_node rbn;
	struct epoll_filefd ffd;
	struct eventpoll *ep;
} CORE;

/* What a request of io_uring carries until it is complete: here, its descriptor. */
struct io_cqe {
	s32 fd;
} CORE;

struct io_kiocb {
	u8 opcode;
	u64 flags;
	struct io_cqe cqe;
} CORE;

struct io_uring_cqe {
	u32 flags;
} CORE;

/* ---- which calls ----------------------------------------------------------------------------- */

/* How a call says what it waits for, and how long. */
enum {
	BY_NOTHING,
	/* A descriptor, the first argument. */
	BY_DESCRIPTOR_ARGUMENT,
	/* The same, and somebody may hold a lock on its file. */
	BY_LOCK,
	/* The same, with a timeout in milliseconds, or in memory. */
	BY_EPOLL,
	BY_EPOLL_TIMESPEC,
	/* An array of descriptors. */
	BY_POLL,
	BY_PPOLL,
	/* Sets of descriptors; the timeout is in memory, and is overwritten. */
	BY_SELECT,
	BY_PSELECT,
	BY_FUTEX,
	BY_SLEEP,
	BY_CLOCK_SLEEP,
	BY_CHILD,
	BY_CHILD_ID,
	BY_SIGNAL,
	BY_SEMAPHORE,
	BY_QUEUE,
	BY_NAME_ARGUMENT,
	BY_NAME_IN_ARGUMENT,
	/* poll or select without any descriptor: a sleep. */
	BY_NO_DESCRIPTOR,
	/* Any call in which its tracer stopped the thread. */
	BY_TRACER,
	/* The file that is mapped at an address, the first argument. */
	BY_MAPPING,
	/* The requests that the thread made through io_uring. */
	BY_RING,
};

#define WAIT_CALLS 512

/* The calls of x86-64. */
const volatile u8 wait_calls[WAIT_CALLS] = {
	[0] = BY_DESCRIPTOR_ARGUMENT, [1] = BY_DESCRIPTOR_ARGUMENT, /* read, write */
	[17] = BY_DESCRIPTOR_ARGUMENT, [18] = BY_DESCRIPTOR_ARGUMENT, /* pread64, pwrite64 */
	[19] = BY_DESCRIPTOR_ARGUMENT, [20] = BY_DESCRIPTOR_ARGUMENT, /* readv, writev */
	[295] = BY_DESCRIPTOR_ARGUMENT, [296] = BY_DESCRIPTOR_ARGUMENT, /* preadv, pwritev */
	[327] = BY_DESCRIPTOR_ARGUMENT, [328] = BY_DESCRIPTOR_ARGUMENT, /* preadv2, pwritev2 */
	[16] = BY_DESCRIPTOR_ARGUMENT, /* ioctl */
	[40] = BY_DESCRIPTOR_ARGUMENT, [275] = BY_DESCRIPTOR_ARGUMENT, /* sendfile, splice */
	[42] = BY_DESCRIPTOR_ARGUMENT, [43] = BY_DESCRIPTOR_ARGUMENT, /* connect, accept */
	[288] = BY_DESCRIPTOR_ARGUMENT, /* accept4 */
	[44] = BY_DESCRIPTOR_ARGUMENT, [45] = BY_DESCRIPTOR_ARGUMENT, /* sendto, recvfrom */
	[46] = BY_DESCRIPTOR_ARGUMENT, [47] = BY_DESCRIPTOR_ARGUMENT, /* sendmsg, recvmsg */
	[299] = BY_DESCRIPTOR_ARGUMENT, [307] = BY_DESCRIPTOR_ARGUMENT, /* recvmmsg, sendmmsg */
	[74] = BY_DESCRIPTOR_ARGUMENT, [75] = BY_DESCRIPTOR_ARGUMENT, /* fsync, fdatasync */
	[277] = BY_DESCRIPTOR_ARGUMENT, [306] = BY_DESCRIPTOR_ARGUMENT, /* sync_file_range, syncfs */
	[5] = BY_DESCRIPTOR_ARGUMENT, [3] = BY_NOTHING, /* fstat, close */
	[26] = BY_MAPPING, /* msync */
	[77] = BY_DESCRIPTOR_ARGUMENT, [285] = BY_DESCRIPTOR_ARGUMENT, /* ftruncate, fallocate */
	[78] = BY_DESCRIPTOR_ARGUMENT, [217] = BY_DESCRIPTOR_ARGUMENT, /* getdents, getdents64 */
	[72] = BY_LOCK, [73] = BY_LOCK, /* fcntl, flock */
	[232] = BY_EPOLL, [281] = BY_EPOLL, [441] = BY_EPOLL_TIMESPEC, /* epoll_wait … */
	[7] = BY_POLL, [271] = BY_PPOLL, /* poll, ppoll */
	[23] = BY_SELECT, [270] = BY_PSELECT, /* select, pselect6 */
	[202] = BY_FUTEX,
	[35] = BY_SLEEP, [230] = BY_CLOCK_SLEEP, /* nanosleep, clock_nanosleep */
	[61] = BY_CHILD, [247] = BY_CHILD_ID, /* wait4, waitid */
	[128] = BY_SIGNAL, [34] = BY_SIGNAL, [130] = BY_SIGNAL, /* rt_sigtimedwait, pause, … */
	[65] = BY_SEMAPHORE, [220] = BY_SEMAPHORE, /* semop, semtimedop */
	[69] = BY_QUEUE, [70] = BY_QUEUE, /* msgsnd, msgrcv */
	[2] = BY_NAME_ARGUMENT, [4] = BY_NAME_ARGUMENT, [6] = BY_NAME_ARGUMENT, /* open, stat, lstat */
	[21] = BY_NAME_ARGUMENT, [87] = BY_NAME_ARGUMENT, /* access, unlink */
	[257] = BY_NAME_IN_ARGUMENT, [262] = BY_NAME_IN_ARGUMENT, /* openat, newfstatat */
	[332] = BY_NAME_IN_ARGUMENT, [269] = BY_NAME_IN_ARGUMENT, /* statx, faccessat */
	[426] = BY_RING, /* io_uring_enter */
};

#define NR_WRITE 1
#define NR_OPEN 2
#define NR_OPENAT 257
#define NR_SELECT 23
#define NR_CALL_CONNECT 42
#define NR_SENDTO 44
#define NR_RECVFROM 45
#define NR_SENDMSG 46
#define NR_RECVMSG 47
#define NR_RECVMMSG 299
#define NR_SENDMMSG 307
#define NR_PAUSE 34
#define NR_FCNTL 72
#define NR_SIGTIMEDWAIT 128
#define NR_SEMTIMEDOP 220
#define NR_FLOCK 73
#define F_SETLKW 7
#define F_OFD_SETLKW 38
#define F_RDLCK 0
#define F_WRLCK 1
#define LOCK_SH 1
#define SEEK_SET 0
#define TIMER_ABSTIME 1
#define CLOCK_MONOTONIC 1
#define FUTEX_WAIT 0
#define FUTEX_LOCK_PI 6
#define FUTEX_WAIT_BITSET 9
#define FUTEX_LOCK_PI2 13
#define FUTEX_OWNER 0x3fffffff
/* No thread has a higher number. */
#define MOST_THREADS (4 << 20)
#define FUTEX_COMMAND 0x7f
#define FUTEX_CLOCK_REALTIME 256
#define P_PID 1
#define SIGCHLD 17

#define NO_TIME (~0ULL)
#define SECOND 1000000000ULL

/* How many of the descriptors that a call or an epoll watches are described: the first ones of a call, the lowest ones of
 * an epoll. */
#define MOST_WATCHED 4

/* ---- what is kept from when a call begins to wait -------------------------------------------------- */

/* How many requests of io_uring are remembered of each thread. */
#define MOST_REQUESTS 8

/* Which request of io_uring: its address, which a ring uses again, and when it was made. */
struct request_id {
	u64 address;
	u64 made_ns;
};

/* A request that a thread made; an address of 0: none. */
struct request {
	struct request_id id;
	/* NO_DESCRIPTOR: it is about something else, or about a file of the ring's own table. */
	u32 descriptor;
};

struct waiting {
	/* The requests that it made last, which stay from one wait to the next. */
	struct request requests[MOST_REQUESTS];
	u32 next_request;
	/* The file that its descriptor refers to. */
	u64 file;
	/* The timeout, if the kernel overwrites it. */
	u64 asked_ns;
	/* When it began. */
	u64 since_ns;
	/* The process that holds the lock, traces the thread or allows it to use a file; for a futex, the thread that holds
	 * it; 0: not known. */
	u32 holder;
	/* Its first descriptor, and how many more there are. */
	u32 descriptor, others;
	u32 how;
	/* The first descriptors of poll or select, and their files. */
	u32 first[MOST_WATCHED];
	u64 files[MOST_WATCHED];
};

/* ---- output ---------------------------------------------------------------------------------- */

/* The kind of object; the codes of WaitObjectKind. */
enum {
	OBJECT_UNKNOWN,
	OBJECT_FILE,
	OBJECT_SOCKET,
	OBJECT_FUTEX,
	OBJECT_TIME,
	OBJECT_CHILD,
	OBJECT_SIGNAL,
	OBJECT_SEMAPHORE,
	OBJECT_QUEUE,
	OBJECT_NAME,
	OBJECT_EPOLL,
	OBJECT_NOTHING,
	OBJECT_TRACER,
	OBJECT_POLL,
};

struct waited {
	u64 since_ns;
	/* NO_TIME: no timeout, or not known. */
	u64 asked_ns;
	/* Inode, address, process or number, depending on the kind. */
	u64 number;
	u32 kind, system_call;
	u32 device, mode;
	/* How many more descriptors it watches. */
	u32 others;
	/* The process at the other end, or the one that holds the lock or was asked; for a futex, the thread. */
	u32 peer;
	u16 family, protocol;
	u16 local_port, remote_port;
	u8 local[16], remote[16];
	char file_system[16];
	/* Flags of paths, or IS_LISTENING; and bytes of names. */
	u32 path_flags, bytes;
};

#define IS_LISTENING 0x1000
#define TCP_LISTEN 10

/* How much of its path each of them has; how many descriptors of an epoll are counted; and, if an epoll watches more than
 * that, up to which number the lowest are searched for, because any of them may have been counted. */
#define WATCHED_TEXT 80
#define MOST_COUNTED 64
#define MOST_LOOKED_FOR 128

/* A watched descriptor, as it is written. */
struct watched {
	struct waited waited;
	u8 text[WATCHED_TEXT];
};

/* A walk through what an epoll watches, in the order of its tree. */
struct watching {
	struct eventpoll *epoll;
	struct rb_node *at;
	/* Whether the nodes below it have been visited. */
	u32 is_going_up;
	u32 count;
	/* The lowest descriptors so far. */
	u32 used;
	u32 descriptors[MOST_WATCHED];
	struct file *files[MOST_WATCHED];
};

struct wait_scratch {
	struct place place;
	struct object object;
	struct names names;
	struct watching watching;
	u8 address[128];
	/* What an epoll or a call watches; written as one record. */
	struct head epoll_head;
	struct waited epoll;
	struct watched watched[MOST_WATCHED];
	/* Written as one record. */
	struct head head;
	struct waited waited;
	u8 text[PATH_ROOM];
};

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, struct wait_scratch);
} wait_scratches SEC(".maps");

/* ---- times ------------------------------------------------------------------------------------- */

INLINE u64 of_milliseconds(u64 argument)
{
	int ms = argument;
	return ms < 0 ? NO_TIME : (u64)ms * 1000000;
}

/* A time in memory: seconds, and units of `unit` nanoseconds. */
INLINE u64 of_memory(u64 address, u64 unit)
{
	u64 time[2] = {};
	if (!address || probe_read_user(time, sizeof(time), (void *)address)) return NO_TIME;
	if (time[0] > SECOND) return NO_TIME;
	return time[0] * SECOND + time[1] * unit;
}

/* Turns a point in time of the monotonic clock into a duration from `since` on. */
INLINE u64 until(u64 point, u64 since)
{
	return point == NO_TIME ? NO_TIME : point > since ? point - since : 0;
}

GLOBAL u64 asked_time(struct waiting *waiting, u64 since)
{
	struct pt_regs *regs = task_pt_regs(get_current_task());
	u64 nr = regs->orig_ax;
	if (!waiting) return NO_TIME;
	switch (waiting->how) {
	case BY_EPOLL:
		return of_milliseconds(regs->r10);
	case BY_EPOLL_TIMESPEC:
		return of_memory(regs->r10, 1);
	case BY_POLL:
	case BY_PPOLL:
	case BY_SELECT:
	case BY_PSELECT:
	case BY_NO_DESCRIPTOR:
		return waiting->asked_ns;
	case BY_FUTEX: {
		u32 command = regs->si & FUTEX_COMMAND;
		if (command == FUTEX_WAIT) return of_memory(regs->r10, 1);
		if (command == FUTEX_WAIT_BITSET && !(regs->si & FUTEX_CLOCK_REALTIME))
			return until(of_memory(regs->r10, 1), since);
		return NO_TIME;
	}
	case BY_SLEEP:
		return of_memory(regs->di, 1);
	case BY_CLOCK_SLEEP:
		if (!(regs->si & TIMER_ABSTIME)) return of_memory(regs->dx, 1);
		return regs->di == CLOCK_MONOTONIC ? until(of_memory(regs->dx, 1), since) : NO_TIME;
	case BY_SIGNAL:
		return nr == NR_SIGTIMEDWAIT ? of_memory(regs->dx, 1) : NO_TIME;
	case BY_SEMAPHORE:
		return nr == NR_SEMTIMEDOP ? of_memory(regs->r10, 1) : NO_TIME;
	}
	return NO_TIME;
}

/* ---- when a call begins to wait -------------------------------------------------------------------- */

/* A lock that a call wants. */
struct wanted {
	struct file *file;
	u64 first, last;
	u32 own_pid;
	/* A lock by flock, of an open file on the whole file; otherwise one of a process on some bytes. */
	bool is_whole;
	bool is_shared;
};

/* How many locks of a file are examined. */
#define MOST_LOCKS 16

/* Whether a lock conflicts with the one that a call wants. */
GLOBAL int hinders(u64 address, struct wanted *wanted)
{
	struct file_lock *lock = (void *)address;
	if (!wanted) return 0;
	unsigned char type = 0;
	struct file *file = NULL;
	s64 first = 0, last = 0;
	READ(type, lock->c.flc_type);
	if (type != F_WRLCK && (wanted->is_shared || type != F_RDLCK)) return 0;
	if (wanted->is_whole) {
		READ(file, lock->c.flc_file);
		return file != wanted->file;
	}
	READ(first, lock->fl_start);
	READ(last, lock->fl_end);
	return (u64)first <= wanted->last && (u64)last >= wanted->first;
}

/* The only process with locks that conflict with the one that a call wants; 0 if there are several, or none is known. */
INLINE u32 holder_of(struct list_head *list, struct wanted *wanted)
{
	struct list_head *at = NULL;
	int holder = 0;
	probe_read_kernel(&at, sizeof(at), &list->next);
#pragma clang loop unroll(disable)
	for (u32 count = 0; count < MOST_LOCKS; count++) {
		if (!at) return 0;
		if (at == list) return holder;
		struct file_lock *lock = (void *)at - OFFSET_OF(struct file_lock, c.flc_list);
		int pid = 0;
		READ(pid, lock->c.flc_pid);
		bool is_own = !wanted->is_whole && pid == (int)wanted->own_pid;
		if (!is_own && hinders((u64)lock, wanted)) {
			/* Locks of open files belong to no process. */
			if (pid <= 0 || (holder && holder != pid)) return 0;
			holder = pid;
		}
		probe_read_kernel(&at, sizeof(at), &at->next);
	}
	return 0;
}

/* Reads which bytes `fcntl` is to lock; false if they are relative to a position. */
INLINE bool wanted_bytes(struct wanted *wanted, u64 address)
{
	struct {
		short type, whence;
		s64 start, length;
	} asked = {};
	if (probe_read_user(&asked, sizeof(asked), (void *)address)) return 0;
	if (asked.whence != SEEK_SET || asked.start < 0 || asked.length < 0) return 0;
	wanted->is_shared = asked.type == F_RDLCK;
	wanted->first = asked.start;
	wanted->last = asked.length ? asked.start + asked.length - 1 : ~0ULL >> 1;
	return 1;
}

/* Who holds the lock that a call wants. */
GLOBAL u32 lock_holder(u64 address)
{
	struct file *file = (void *)address;
	struct task_struct *task = get_current_task();
	struct pt_regs *regs = task_pt_regs(task);
	if (!HAS_FIELD(((struct file_lock_core *)0)->flc_pid)) return 0;
	struct wanted wanted = { .file = file, .own_pid = task->tgid };
	wanted.is_whole = regs->orig_ax == NR_FLOCK;
	wanted.is_shared = regs->si & LOCK_SH;
	if (!wanted.is_whole && !wanted_bytes(&wanted, regs->dx)) return 0;
	struct dentry *dentry = NULL;
	struct inode *inode = NULL;
	struct file_lock_context *locks = NULL;
	READ(dentry, file->f_path.dentry);
	READ(inode, dentry->d_inode);
	READ(locks, inode->i_flctx);
	if (!locks) return 0;
	return holder_of(wanted.is_whole ? &locks->flc_flock : &locks->flc_posix, &wanted);
}

/* How many descriptors of poll are examined. */
#define MOST_POLLED 32
/* How many words of the sets of select are examined: enough for all descriptors that the C library has room for. */
#define MOST_WORDS 16
#define WORD_BITS 64

#define NO_DESCRIPTOR ((u32)-1)

/* Adds a descriptor of poll, unless it is negative; returns whether it cannot be read. */
GLOBAL int take_polled(struct waiting *waiting, u64 address)
{
	int descriptor = -1;
	if (!waiting || probe_read_user(&descriptor, sizeof(descriptor), (void *)address)) return 1;
	if (descriptor < 0) return 0;
	u32 found = waiting->others++;
	if (found < MOST_WATCHED) waiting->first[found & (MOST_WATCHED - 1)] = descriptor;
	return 0;
}

/* Finds the first descriptors of poll, and how many more there are; negative ones do not count. */
GLOBAL u32 first_polled(struct waiting *waiting, u64 array, u32 count)
{
	if (!waiting) return NO_DESCRIPTOR;
#pragma clang loop unroll(disable)
	for (u32 at = 0; at < MOST_POLLED; at++) {
		if (at >= count) break;
		if (take_polled(waiting, array + 8 * at)) {
			waiting->others = 0;
			return NO_DESCRIPTOR;
		}
	}
	u32 found = waiting->others, more = count > MOST_POLLED ? count - MOST_POLLED : 0;
	if (!found) {
		waiting->others = more;
		if (!more) waiting->how = BY_NO_DESCRIPTOR;
		return NO_DESCRIPTOR;
	}
	waiting->others = found - 1 + more;
	return waiting->first[0];
}

GLOBAL u32 lowest_bit(u64 word)
{
	u32 first = 0;
	u64 lowest = word ^ (word & (word - 1));
	if (lowest >> 32) { first += 32; lowest >>= 32; }
	if (lowest >> 16) { first += 16; lowest >>= 16; }
	if (lowest >> 8) { first += 8; lowest >>= 8; }
	if (lowest >> 4) { first += 4; lowest >>= 4; }
	if (lowest >> 2) { first += 2; lowest >>= 2; }
	if (lowest >> 1) first += 1;
	return first;
}

/* The descriptors of select: the addresses of its sets (to read, to write, exceptions; 0: none), and what was found in
 * them. In memory, so that the verifier does not follow each value. */
struct selection {
	u64 sets[3];
	u32 count;
	u32 found;
	/* The lowest. */
	u32 lowest[MOST_WATCHED];
	u32 is_unreadable;
};

/* Keeps a descriptor if it is among the lowest. */
GLOBAL int keep_selected(struct selection *selection, u32 descriptor)
{
	if (!selection) return 0;
	u32 found = selection->found++;
	if (found < MOST_WATCHED) selection->lowest[found] = descriptor;
	return 0;
}

/* Adds the descriptors whose bits are set in one word of the sets. */
GLOBAL int select_word(struct selection *selection, u32 at)
{
	u64 bits = 0;
	if (!selection) return 0;
#pragma clang loop unroll(full)
	for (u32 set = 0; set < 3; set++) {
		u64 word = 0, from = selection->sets[set];
		if (from && probe_read_user(&word, sizeof(word), (void *)from + 8 * at))
			selection->is_unreadable = 1;
		bits |= word;
	}
	u32 left = selection->count - at * WORD_BITS;
	if (left < WORD_BITS) bits &= (1ULL << left) - 1;
	if (!bits) return 0;
#pragma clang loop unroll(disable)
	for (u32 n = 0; n < MOST_WATCHED && bits; n++) {
		keep_selected(selection, at * WORD_BITS + lowest_bit(bits));
		bits &= bits - 1;
	}
	selection->found += __builtin_popcountll(bits);
	return 0;
}

/* The same for select: the lowest descriptors. */
SHARED u32 first_selected(struct waiting *waiting, struct pt_regs *regs)
{
	struct selection selection = {
		.sets = { regs->si, regs->dx, regs->r10 },
		.count = regs->di,
	};
#pragma clang loop unroll(disable)
	for (u32 at = 0; at < MOST_WORDS; at++) {
		if (at * WORD_BITS >= selection.count) break;
		select_word(&selection, at);
	}
	if (selection.is_unreadable) return NO_DESCRIPTOR;
	if (selection.found) {
		waiting->others = selection.found - 1;
#pragma clang loop unroll(full)
		for (u32 n = 0; n < MOST_WATCHED; n++) waiting->first[n] = selection.lowest[n];
		return selection.lowest[0];
	}
	if (selection.count <= MOST_WORDS * WORD_BITS) waiting->how = BY_NO_DESCRIPTOR;
	return NO_DESCRIPTOR;
}

/* The thread that holds the lock to which a futex belongs; 0: it is no lock, or does not say. */
GLOBAL u32 futex_owner(u64 address, u32 operation, u32 expected)
{
	/* A mutex of the C library: state, depth, owner, users, kind. */
	u32 mutex[5] = {};
	u32 command = operation & FUTEX_COMMAND;
	if (command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2) {
		if (probe_read_user(mutex, sizeof(u32), (void *)address)) return 0;
		return mutex[0] & FUTEX_OWNER;
	}
	/* The call expects the state 2: taken, with waiters. */
	if ((command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET) || expected != 2) return 0;
	if (probe_read_user(mutex, sizeof(mutex), (void *)address)) return 0;
	/* Plain, recursive, error-checking or adaptive; possibly shared; possibly with bits about transactional
	 * memory. */
	bool is_mutex = mutex[0] == 2 && mutex[3] - 1 < 1 << 16 && !(mutex[4] & ~0x383);
	return is_mutex && mutex[2] <= MOST_THREADS ? mutex[2] : 0;
}

/* Whether a file is a group of fanotify. */
GLOBAL int asks_listener(u64 address)
{
	struct file *file = (void *)address;
	struct dentry *dentry = NULL;
	const u8 *name = NULL;
	char text[12] = {};
	READ(dentry, file->f_path.dentry);
	if (!dentry) return 0;
	READ(name, dentry->d_name.name);
	if (probe_read_kernel_str(text, sizeof(text), name) != 11) return 0;
	/* [fanotif */
	return *(u64 *)text == 0x6669746f6e61665bULL && text[8] == 'y' && text[9] == ']';
}

/* Remembers who allows a thread to use a file that it names: a program that listens with fanotify answers by writing into
 * its group. `by` is who wakes the thread. */
INLINE void note_answer(struct waiting *waiting, struct task_struct *by, struct pt_regs *regs)
{
	if (waiting->how != BY_NAME_ARGUMENT && waiting->how != BY_NAME_IN_ARGUMENT) return;
	if (regs->orig_ax != NR_WRITE) return;
	struct file *file = file_of(by, regs->di);
	if (file && asks_listener((u64)file)) waiting->holder = by->tgid;
}

/* ---- requests of io_uring ------------------------------------------------------------------------ */

/* Operations of io_uring that are about an open file, by number. */
#define READS_AND_WRITES (1ULL << 1 | 1ULL << 2 | 1ULL << 4 | 1ULL << 5 | 1ULL << 22 | 1ULL << 23 | 1ULL << 49)
#define OF_FILES (1ULL << 3 | 1ULL << 8 | 1ULL << 17 | 1ULL << 24 | 1ULL << 30 | 1ULL << 33 | 1ULL << 55)
#define OF_SOCKETS                                                                                 \
	(1ULL << 6 | 1ULL << 9 | 1ULL << 10 | 1ULL << 13 | 1ULL << 16 | 1ULL << 26 | 1ULL << 27 |  \
	 1ULL << 47 | 1ULL << 48 | 1ULL << 58 | 1ULL << 59)
#define OF_DEVICES (1ULL << 46 | 1ULL << 60 | 1ULL << 61)
#define WITH_DESCRIPTOR (READS_AND_WRITES | OF_FILES | OF_SOCKETS | OF_DEVICES)
/* Operations that are about no object: nothing, times, and ends of other requests. */
#define OF_NOTHING (1ULL << 0 | 1ULL << 7 | 1ULL << 11 | 1ULL << 12 | 1ULL << 14 | 1ULL << 15)
/* The number is one of the ring's own table. */
#define IS_FIXED_FILE 1
/* If it succeeds, nobody learns that it is complete. */
#define IS_SILENT (1 << 6)
/* More answers to the same request follow. */
#define CQE_MORE 2

/* Which requests are not complete yet, by a hash of their addresses; of those with the same hash, the last. */
#define OPEN_REQUESTS 4096

struct {
	UINT(type, MAP_ARRAY);
	UINT(max_entries, OPEN_REQUESTS);
	TYPE(key, u32);
	TYPE(value, struct request_id);
} open_requests SEC(".maps");

INLINE struct request_id *open_request(u64 address)
{
	u32 key = (address >> 6 ^ address >> 18) & (OPEN_REQUESTS - 1);
	return map_lookup(&open_requests, &key);
}

INLINE bool is_open(const struct request_id *id)
{
	struct request_id *open = id->address ? open_request(id->address) : NULL;
	return open && open->address == id->address && open->made_ns == id->made_ns;
}

/* Forgets a request that is complete, whoever made it. */
INLINE void end_request(u64 address)
{
	struct request_id *open = open_request(address);
	if (open && open->address == address) open->address = 0;
}

/* Finds the place for one more request: the next one whose request is complete, if there is one. */
GLOBAL u32 request_place(struct waiting *waiting)
{
	if (!waiting) return 0;
	u32 from = waiting->next_request++;
#pragma clang loop unroll(disable)
	for (u32 n = 0; n < MOST_REQUESTS; n++) {
		u32 at = (from + n) & (MOST_REQUESTS - 1);
		if (!is_open(&waiting->requests[at].id)) return at;
	}
	return from & (MOST_REQUESTS - 1);
}

/* Remembers a request that the current thread made. */
INLINE void begin_request(struct waiting *waiting, struct io_kiocb *request)
{
	u64 address = (u64)request, flags = request->flags, operation = 1ULL << (request->opcode & 63);
	bool is_known = request->opcode < 64;
	end_request(address);
	if ((is_known && OF_NOTHING & operation) || flags & IS_SILENT) return;
	struct request_id *open = open_request(address);
	if (!open) return;
	u32 at = request_place(waiting) & (MOST_REQUESTS - 1);
	struct request *place = &waiting->requests[at];
	bool is_of_file = is_known && WITH_DESCRIPTOR & operation && !(flags & IS_FIXED_FILE);
	u32 descriptor = is_of_file ? request->cqe.fd : NO_DESCRIPTOR;
	/* A place that another request needs, too, is about no single thing. */
	if (is_open(&place->id) && place->descriptor != descriptor) descriptor = NO_DESCRIPTOR;
	open->address = address;
	open->made_ns = ktime_get_ns();
	place->id = *open;
	place->descriptor = descriptor;
}

/* Adds the descriptor of a request, if it is not there yet; those for which there is no room only count. */
GLOBAL int take_requested(struct waiting *waiting, u32 descriptor)
{
	if (!waiting) return 0;
	u32 found = waiting->others;
#pragma clang loop unroll(full)
	for (u32 n = 0; n < MOST_WATCHED; n++)
		if (n < found && waiting->first[n] == descriptor) return 0;
	if (found < MOST_WATCHED) waiting->first[found & (MOST_WATCHED - 1)] = descriptor;
	waiting->others = found + 1;
	return 0;
}

/* Finds the first descriptors of requests that are not complete, and how many more things these are about: other
 * descriptors, and each request without one. */
GLOBAL u32 first_requested(struct waiting *waiting)
{
	u32 unknown = 0;
	if (!waiting) return NO_DESCRIPTOR;
#pragma clang loop unroll(disable)
	for (u32 at = 0; at < MOST_REQUESTS; at++) {
		u32 descriptor = waiting->requests[at].descriptor;
		if (!is_open(&waiting->requests[at].id)) continue;
		if (descriptor == NO_DESCRIPTOR)
			unknown++;
		else
			take_requested(waiting, descriptor);
	}
	u32 found = waiting->others;
	waiting->others = found + unknown ? found + unknown - 1 : 0;
	return found ? waiting->first[0] : NO_DESCRIPTOR;
}

/* Remembers who traces a thread that stops in a call. */
INLINE void begin_stop(struct waiting *waiting, struct task_struct *task)
{
	struct task_struct *tracer = task->parent;
	waiting->how = BY_TRACER;
	waiting->holder = task->ptrace && tracer ? tracer->tgid : 0;
	waiting->others = 0;
}

/* Remembers which files the first descriptors refer to. */
GLOBAL int keep_files(struct waiting *waiting)
{
	struct task_struct *task = get_current_task();
	if (!waiting) return 0;
#pragma clang loop unroll(disable)
	for (u32 n = 0; n < MOST_WATCHED; n++) {
		if (n > waiting->others) break;
		waiting->files[n] = (u64)file_of(task, waiting->first[n]);
	}
	return 0;
}

/* Remembers what may have changed by the time the call ends. */
SHARED void begin_wait(struct waiting *waiting, struct task_struct *task, struct pt_regs *regs)
{
	u64 nr = regs->orig_ax;
	u32 descriptor = NO_DESCRIPTOR;
	waiting->how = nr < WAIT_CALLS ? wait_calls[nr & (WAIT_CALLS - 1)] : BY_NOTHING;
	waiting->file = 0;
	waiting->holder = 0;
	waiting->others = 0;
	/* There may be fewer than it seems: of many that poll gets, nobody looks how many are none. */
#pragma clang loop unroll(full)
	for (u32 n = 0; n < MOST_WATCHED; n++) waiting->first[n] = NO_DESCRIPTOR;
	switch (waiting->how) {
	case BY_DESCRIPTOR_ARGUMENT:
	case BY_LOCK:
	case BY_EPOLL:
	case BY_EPOLL_TIMESPEC:
		descriptor = regs->di;
		break;
	case BY_POLL:
		descriptor = first_polled(waiting, regs->di, regs->si);
		waiting->asked_ns = of_milliseconds(regs->dx);
		break;
	case BY_PPOLL:
		descriptor = first_polled(waiting, regs->di, regs->si);
		waiting->asked_ns = of_memory(regs->dx, 1);
		break;
	case BY_SELECT:
	case BY_PSELECT:
		descriptor = first_selected(waiting, regs);
		waiting->asked_ns = of_memory(regs->r8, nr == NR_SELECT ? 1000 : 1);
		break;
	case BY_FUTEX:
		waiting->holder = futex_owner(regs->di, regs->si, regs->dx);
		break;
	case BY_RING:
		descriptor = first_requested(waiting);
		break;
	}
	waiting->descriptor = descriptor;
	struct file *file = descriptor == NO_DESCRIPTOR ? NULL : file_of(task, descriptor);
	waiting->file = (u64)file;
	if (waiting->others) keep_files(waiting);
	if (!file || waiting->how != BY_LOCK) return;
	u64 command = regs->si;
	if (nr == NR_FLOCK || command == F_SETLKW || command == F_OFD_SETLKW)
		waiting->holder = lock_holder(waiting->file);
}

/* ---- when it ends ------------------------------------------------------------------------------ */

/* A process id that the task passed or got; 0 if the task is in a pid namespace of its own, whose ids differ from those in
 * the recording. */
INLINE u64 of_machine(struct task_struct *task, s32 number)
{
	struct pid *own = task->thread_pid;
	return number > 0 && own && !own->level ? number : 0;
}

/* Takes the other end's address from what the program passed to a call, or got from it. */
GLOBAL int of_address(u64 address, u64 length)
{
	u32 zero = 0;
	struct wait_scratch *scratch = map_lookup(&wait_scratches, &zero);
	if (!scratch || !address || length < 3 || length > 110) return 0;
	struct waited *waited = &scratch->waited;
	u8 *raw = scratch->address;
	__builtin_memset(raw, 0, sizeof(scratch->address));
	if (probe_read_user(raw, length & 127, (void *)address)) return 0;
	u16 family = *(u16 *)raw, port = *(u16 *)(raw + 2);
	if (family != waited->family) return 0;
	if (family == AF_UNIX) {
		u32 bytes = (length - 2) & 127;
		probe_read_kernel(scratch->text, bytes, raw + 2);
		waited->bytes = bytes;
	} else if (family == AF_INET && length >= 8) {
		__builtin_memcpy(waited->remote, raw + 4, 4);
		waited->remote_port = port << 8 | port >> 8;
	} else if (family == AF_INET6 && length >= 24) {
		__builtin_memcpy(waited->remote, raw + 8, 16);
		waited->remote_port = port << 8 | port >> 8;
	}
	return 0;
}

/* The same for several messages, unless their addresses differ. */
GLOBAL int of_messages(u64 array, u64 count)
{
	struct {
		u64 name;
		u32 length;
	} message = {};
	if (!count || has_several_addresses(array, count)) return 0;
	probe_read_user(&message, 12, (void *)array);
	of_address(message.name, message.length);
	return 0;
}

/* The same for an unconnected socket, for which the kernel keeps no address. */
INLINE void of_call(struct wait_scratch *scratch, struct pt_regs *regs, s64 result)
{
	struct waited *waited = &scratch->waited;
	u64 nr = regs->orig_ax;
	if (waited->kind != OBJECT_SOCKET || waited->remote_port || waited->peer) return;
	bool was_told = result >= 0;
	if (nr == NR_CALL_CONNECT) {
		of_address(regs->si, regs->dx);
	} else if (nr == NR_SENDTO) {
		of_address(regs->r8, regs->r9);
	} else if (nr == NR_RECVFROM && was_told && regs->r9) {
		u32 length = 0;
		probe_read_user(&length, sizeof(length), (void *)regs->r9);
		of_address(regs->r8, length);
	} else if (nr == NR_SENDMSG || (nr == NR_RECVMSG && was_told)) {
		struct {
			u64 name;
			u32 length;
		} message = {};
		probe_read_user(&message, 12, (void *)regs->si);
		of_address(message.name, message.length);
	} else if (nr == NR_SENDMMSG || (nr == NR_RECVMMSG && result > 0)) {
		of_messages(regs->si, nr == NR_SENDMMSG ? (u32)regs->dx : (u64)result);
	}
}

INLINE void of_unix(struct wait_scratch *scratch, struct sock *sk)
{
	struct waited *waited = &scratch->waited;
	struct unix_sock *own = (void *)sk, *other = NULL;
	struct unix_address *address = NULL;
	struct pid *peer = NULL;
	int length = 0;
	READ(peer, sk->sk_peer_pid);
	if (peer) {
		void *number = (void *)peer + OFFSET_OF(struct pid, numbers);
		probe_read_kernel(&waited->peer, sizeof(waited->peer), number);
	}
	READ(other, own->peer);
	if (other) READ(address, other->addr);
	if (!address) READ(address, own->addr);
	if (!address) return;
	READ(length, address->len);
	/* The family comes first. */
	if (length <= 2 || length > 110) return;
	u32 bytes = (length - 2) & 127;
	void *name = (void *)address + OFFSET_OF(struct unix_address, name) + 2;
	if (!probe_read_kernel(scratch->text, bytes, name)) waited->bytes = bytes;
}

INLINE void of_socket(struct wait_scratch *scratch, struct file *file)
{
	struct waited *waited = &scratch->waited;
	struct socket *socket = NULL;
	struct sock *sk = NULL;
	READ(socket, file->private_data);
	if (!socket) return;
	READ(sk, socket->sk);
	if (!sk) return;
	waited->kind = OBJECT_SOCKET;
	READ(waited->family, sk->__sk_common.skc_family);
	READ(waited->protocol, sk->sk_protocol);
	u8 state = 0;
	READ(state, sk->__sk_common.skc_state);
	if (state == TCP_LISTEN) waited->path_flags = IS_LISTENING;
	if (waited->family == AF_UNIX) return of_unix(scratch, sk);
	u16 port = 0;
	if (waited->family == AF_INET) {
		probe_read_kernel(waited->local, 4, &sk->__sk_common.skc_rcv_saddr);
		probe_read_kernel(waited->remote, 4, &sk->__sk_common.skc_daddr);
	} else if (waited->family == AF_INET6) {
		READ(waited->local, sk->__sk_common.skc_v6_rcv_saddr);
		READ(waited->remote, sk->__sk_common.skc_v6_daddr);
	} else {
		return;
	}
	READ(waited->local_port, sk->__sk_common.skc_num);
	READ(port, sk->__sk_common.skc_dport);
	if (!port && waited->protocol == PROTOCOL_UDP) {
		struct asked *asked = asked_by(waited->number);
		if (asked && asked->family == waited->family) {
			__builtin_memcpy(waited->remote, asked->address, sizeof(waited->remote));
			port = asked->port;
		}
	}
	waited->remote_port = port << 8 | port >> 8;
}

/* The scratch of this CPU. */
INLINE struct wait_scratch *wait_scratch(void)
{
	u32 zero = 0;
	return map_lookup(&wait_scratches, &zero);
}

GLOBAL int of_file(u64 address)
{
	struct wait_scratch *scratch = wait_scratch();
	struct file *file = (void *)address;
	if (!scratch) return 0;
	struct waited *waited = &scratch->waited;
	struct place place = place_of(file);
	scratch->place = place;
	describe(&scratch->object, (u64)place.dentry);
	waited->kind = OBJECT_FILE;
	waited->number = scratch->object.inode;
	waited->device = scratch->object.device;
	waited->mode = scratch->object.mode;
	__builtin_memcpy(waited->file_system, scratch->object.file_system, 16);
	if ((waited->mode & FILE_TYPE) == TYPE_SOCKET) {
		of_socket(scratch, file);
		return 0;
	}
	if ((waited->mode & FILE_TYPE) == TYPE_PIPE && !place.mnt) return 0;
	name_place(&scratch->names, &scratch->place);
	waited->path_flags = scratch->names.flags;
	waited->bytes = scratch->names.bytes;
	if (waited->bytes >= PATH_ROOM) waited->bytes = 0;
	probe_read_kernel(scratch->text, waited->bytes & (PATH_ROOM - 1), scratch->names.text);
	return 0;
}

/* The file that a call opened, if a listener had to allow that; otherwise the name that it passed. */
INLINE void of_name(struct wait_scratch *scratch, struct waiting *waiting, u64 address, s64 result)
{
	struct task_struct *task = get_current_task();
	u64 nr = task_pt_regs(task)->orig_ax;
	scratch->waited.peer = waiting->holder;
	if (waiting->holder && result >= 0 && (nr == NR_OPEN || nr == NR_OPENAT)) {
		struct file *file = file_of(task, result);
		if (file) of_file((u64)file);
		if (scratch->waited.bytes) return;
	}
	long bytes = probe_read_user_str(scratch->text, PATH_ROOM, (void *)address);
	if (bytes <= 1) return;
	scratch->waited.kind = OBJECT_NAME;
	scratch->waited.bytes = bytes - 1;
}

/* Which signal came, and which process sent it. */
INLINE void of_signal(struct waited *waited, struct task_struct *task, struct pt_regs *regs, u64 result)
{
	struct {
		s32 number, error, code, unused, sender;
	} told = {};
	if (regs->orig_ax != NR_SIGTIMEDWAIT || (s64)result <= 0) return;
	waited->number = result;
	if (!regs->si || probe_read_user(&told, sizeof(told), (void *)regs->si)) return;
	/* SI_USER, SI_QUEUE, SI_MESGQ, SI_TKILL: a process sent it. Timers and files that are ready have other numbers
	 * there. Or a child ended. */
	bool is_sent = !told.code || told.code == -1 || told.code == -3 || told.code == -6;
	if (is_sent || (told.number == SIGCHLD && told.code > 0)) waited->peer = of_machine(task, told.sender);
}

/* Finds what the system call waited for that the current task is ending. Returns whether it is a known kind of call. */
GLOBAL int find_object(struct waiting *waiting, u64 since_ns, u64 result)
{
	struct wait_scratch *scratch = wait_scratch();
	struct task_struct *task = get_current_task();
	if (!scratch || !waiting || !waiting->how) return 0;
	struct pt_regs *regs = task_pt_regs(task);
	if ((u16)regs->cs != USER_CS) return 0;
	struct waited *waited = &scratch->waited;
	__builtin_memset(waited, 0, sizeof(*waited));
	waited->since_ns = since_ns;
	waited->asked_ns = asked_time(waiting, since_ns);
	waited->system_call = regs->orig_ax;
	waited->others = waiting->others;
	switch (waiting->how) {
	case BY_FUTEX:
		waited->kind = OBJECT_FUTEX;
		waited->number = regs->di;
		waited->peer = of_machine(task, waiting->holder);
		break;
	case BY_SLEEP:
	case BY_CLOCK_SLEEP:
		waited->kind = OBJECT_TIME;
		break;
	case BY_NO_DESCRIPTOR:
		waited->kind = OBJECT_NOTHING;
		break;
	case BY_TRACER:
		waited->kind = OBJECT_TRACER;
		waited->peer = waiting->holder;
		break;
	case BY_CHILD:
		waited->kind = OBJECT_CHILD;
		waited->number = of_machine(task, (int)result > 0 ? (int)result : (int)regs->di);
		break;
	case BY_CHILD_ID:
		waited->kind = OBJECT_CHILD;
		waited->number = regs->di == P_PID ? of_machine(task, (int)regs->si) : 0;
		break;
	case BY_SIGNAL:
		waited->kind = OBJECT_SIGNAL;
		of_signal(waited, task, regs, result);
		break;
	case BY_SEMAPHORE:
		waited->kind = OBJECT_SEMAPHORE;
		waited->number = regs->di;
		break;
	case BY_QUEUE:
		waited->kind = OBJECT_QUEUE;
		waited->number = regs->di;
		break;
	case BY_NAME_ARGUMENT:
		of_name(scratch, waiting, regs->di, result);
		break;
	case BY_MAPPING: {
		struct mapping mapping = { .address = regs->di };
		find_mapping(&mapping);
		if (mapping.file) of_file((u64)mapping.file);
		break;
	}
	case BY_NAME_IN_ARGUMENT:
		of_name(scratch, waiting, regs->si, result);
		break;
	default: {
		struct file *file = (void *)waiting->file;
		/* The descriptor refers to another file by now, and the first one may be gone. */
		if (!file || file_of(task, waiting->descriptor) != file) break;
		of_file(waiting->file);
		if (waiting->holder) waited->peer = waiting->holder;
		of_call(scratch, regs, result);
	}
	}
	return 1;
}

/* ---- what an epoll watches ----------------------------------------------------------------------- */

/* Keeps a descriptor that is watched, if it is among the lowest. */
GLOBAL int keep_watched(struct watching *watching, u64 address)
{
	struct epitem *item = (void *)address;
	struct eventpoll *epoll = NULL;
	struct file *file = NULL;
	u32 descriptor = 0;
	if (!watching) return 0;
	READ(epoll, item->ep);
	/* It may have been removed meanwhile. */
	if (epoll != watching->epoll) return 0;
	READ(file, item->ffd.file);
	READ(descriptor, item->ffd.fd);
	watching->count++;
#pragma clang loop unroll(full)
	for (u32 i = 0; i < MOST_WATCHED; i++) {
		bool is_lower = i >= watching->used || descriptor < watching->descriptors[i];
		if (!is_lower) continue;
		u32 other = watching->descriptors[i];
		struct file *others = watching->files[i];
		watching->descriptors[i] = descriptor;
		watching->files[i] = file;
		if (i >= watching->used) {
			watching->used = i + 1;
			return 0;
		}
		descriptor = other;
		file = others;
	}
	return 0;
}

/* Makes one step through the tree; returns whether it was the last one. */
GLOBAL int watch_step(struct watching *watching)
{
	if (!watching || !watching->at) return 1;
	struct rb_node *node = watching->at, *next = NULL;
	if (!watching->is_going_up) {
		keep_watched(watching, (u64)node - OFFSET_OF(struct epitem, rbn));
		if (watching->count >= MOST_COUNTED) return 1;
		READ(next, node->rb_right);
		/* Down to the leftmost node. */
#pragma clang loop unroll(disable)
		for (u32 depth = 0; next && depth < 32; depth++) {
			struct rb_node *lower = NULL;
			watching->at = next;
			READ(lower, next->rb_left);
			next = lower;
		}
		if (watching->at != node) return 0;
	}
	unsigned long parent = 0;
	READ(parent, node->__rb_parent_color);
	next = (void *)(parent & ~3UL);
	if (!next) return 1;
	struct rb_node *right = NULL;
	READ(right, next->rb_right);
	watching->at = next;
	watching->is_going_up = right == node;
	return 0;
}

/* Whether an epoll watches a descriptor of a file. Its tree is sorted by the files' addresses, then by descriptor. */
GLOBAL int is_watched(u64 address, u64 file, u32 descriptor)
{
	struct eventpoll *epoll = (void *)address;
	struct rb_node *at = NULL, *next = NULL;
	READ(at, epoll->rbr.rb_root.rb_node);
#pragma clang loop unroll(disable)
	for (u32 depth = 0; depth < 32; depth++) {
		struct epitem *item = (void *)at - OFFSET_OF(struct epitem, rbn);
		struct file *one = NULL;
		u32 number = 0;
		if (!at) return 0;
		READ(one, item->ffd.file);
		READ(number, item->ffd.fd);
		if ((u64)one == file && number == descriptor) return 1;
		if ((u64)one < file || ((u64)one == file && number < descriptor))
			READ(next, at->rb_right);
		else
			READ(next, at->rb_left);
		at = next;
	}
	return 0;
}

/* Keeps a descriptor if the epoll watches it; returns whether there is no room for another one. */
GLOBAL int look_for(struct watching *watching, u32 descriptor)
{
	struct task_struct *task = get_current_task();
	if (!watching) return 1;
	u32 used = watching->used;
	if (used >= MOST_WATCHED) return 1;
	struct file *file = file_of(task, descriptor);
	if (!file || !is_watched((u64)watching->epoll, (u64)file, descriptor)) return 0;
	watching->descriptors[used] = descriptor;
	watching->files[used] = file;
	watching->used = used + 1;
	return 0;
}

/* Finds the lowest descriptors that an epoll watches, if it watches more than are counted. */
INLINE void find_lowest(struct watching *watching)
{
	if (watching->count < MOST_COUNTED) return;
	u32 counted = watching->used;
	watching->used = 0;
#pragma clang loop unroll(disable)
	for (u32 descriptor = 0; descriptor < MOST_LOOKED_FOR; descriptor++)
		if (look_for(watching, descriptor)) break;
	/* All have higher numbers: keep those that were counted. */
	if (!watching->used) watching->used = counted;
}

/* Describes the descriptors in the scratch, out of `count` that are watched; returns how many are described. */
GLOBAL int describe_watched(u32 kind, u32 count)
{
	struct wait_scratch *scratch = wait_scratch();
	struct task_struct *task = get_current_task();
	if (!scratch) return 0;
	struct watching *watching = &scratch->watching;
	u32 used = 0;
	scratch->epoll = scratch->waited;
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < MOST_WATCHED; i++) {
		if (i >= watching->used) break;
		struct file *one = watching->files[i];
		/* The descriptor may refer to another file by now. */
		if (!one || file_of(task, watching->descriptors[i]) != one) continue;
		struct waited *waited = &scratch->waited;
		__builtin_memset(waited, 0, sizeof(*waited));
		waited->asked_ns = NO_TIME;
		of_file((u64)one);
		if (waited->bytes > WATCHED_TEXT) {
			waited->bytes = WATCHED_TEXT;
			waited->path_flags |= PATH_CUT;
		}
		struct watched *watched = &scratch->watched[used & (MOST_WATCHED - 1)];
		watched->waited = *waited;
		__builtin_memcpy(watched->text, scratch->text, WATCHED_TEXT);
		used++;
	}
	scratch->epoll.kind = kind;
	scratch->epoll.number = count;
	scratch->epoll.others = count - used;
	scratch->epoll.bytes = used * sizeof(struct watched);
	return used;
}

/* Describes the descriptors of poll, of select or of requests to io_uring, if there are several; returns whether some are
 * described. */
GLOBAL int find_polled(struct waiting *waiting)
{
	struct wait_scratch *scratch = wait_scratch();
	if (!scratch || !waiting || !waiting->others) return 0;
	struct watching *watching = &scratch->watching;
	u32 count = waiting->others + 1;
	watching->used = count < MOST_WATCHED ? count : MOST_WATCHED;
#pragma clang loop unroll(full)
	for (u32 n = 0; n < MOST_WATCHED; n++) {
		watching->descriptors[n] = waiting->first[n];
		watching->files[n] = (void *)waiting->files[n];
	}
	return describe_watched(OBJECT_POLL, count);
}

/* Describes what an epoll watches; returns whether it is one. */
GLOBAL int find_watched(u64 address)
{
	struct file *file = (void *)address;
	struct wait_scratch *scratch = wait_scratch();
	struct eventpoll *epoll = NULL;
	if (!scratch || scratch->waited.kind != OBJECT_FILE) return 0;
	if (!HAS_FIELD(epoll->rbr) || !HAS_FIELD(((struct epitem *)0)->ep)) return 0;
	READ(epoll, file->private_data);
	struct watching *watching = &scratch->watching;
	__builtin_memset(watching, 0, sizeof(*watching));
	watching->epoll = epoll;
	READ(watching->at, epoll->rbr.rb_leftmost);
#pragma clang loop unroll(disable)
	for (u32 step = 0; step < 3 * MOST_COUNTED; step++)
		if (watch_step(watching)) break;
	find_lowest(watching);
	describe_watched(OBJECT_EPOLL, watching->count);
	return 1;
}

/* Writes what the call waited for. */
INLINE void emit_object(void *ctx, struct waiting *waiting, u64 result)
{
	struct wait_scratch *scratch = wait_scratch();
	if (!scratch || !find_object(waiting, waiting->since_ns, result)) return;
	u32 how = waiting->how;
	bool is_epoll = how == BY_EPOLL || how == BY_EPOLL_TIMESPEC;
	bool is_poll = how == BY_POLL || how == BY_PPOLL || how == BY_SELECT || how == BY_PSELECT ||
		       how == BY_RING;
	if ((is_epoll && find_watched(waiting->file)) || (is_poll && find_polled(waiting))) {
		write_head(&scratch->epoll_head, OBJECT, 0, get_current_task(), ktime_get_ns());
		u64 bytes = scratch->epoll.bytes & (PATH_ROOM - 1);
		emit(ctx, OBJECT, &scratch->epoll_head, sizeof(struct head) + sizeof(struct waited) + bytes);
		return;
	}
	write_head(&scratch->head, OBJECT, 0, get_current_task(), ktime_get_ns());
	u64 bytes = scratch->waited.bytes & (PATH_ROOM - 1);
	emit(ctx, OBJECT, &scratch->head, sizeof(struct head) + sizeof(struct waited) + bytes);
}

#endif
