//! Any other system call that takes much of the time itself, without waiting.

use std::collections::BTreeSet;

use whyslow_model::SystemCall;

use super::{QUESTIONS, READS, WRITES, cost, draft};
use crate::detector::Draft;
use crate::finding::Value;
use whyslow_story::call_cost::Taken;
use whyslow_story::story::{Story, share};

/// Calls that take less of the command's own time than this percentage are what it works with.
const MUCH: f64 = 30.0;

/// Calls with a purpose of their own, beside those that read and write: memory (`mmap`, `munmap`, `brk`, `mremap`,
/// `msync`, `madvise`, `mlock` to `munlockall`), other transfers (`sendfile`, `sendmsg`, `recvmsg`, `splice`, `tee`,
/// `vmsplice`, `sendmmsg`, `recvmmsg`, `process_vm_readv`, `process_vm_writev`, `copy_file_range`, `io_getevents`,
/// `io_submit`, `io_uring_enter`), connections (`socket`, `connect`, `accept`, `accept4`), starting, tracing and ending
/// programs (`clone`, `fork`, `vfork`, `execve`, `exit`, `wait4`, `ptrace`, `exit_group`, `waitid`, `execveat`, `clone3`),
/// taking turns (`sched_yield`, `futex`), reaching the disk (`fsync`, `fdatasync`, `sync`, `sync_file_range`, `syncfs`),
/// `fallocate` and `bpf`; and `ioctl`, by which devices are driven.
const PURPOSES: &[i32] = &[
    9, 11, 12, 25, 26, 28, 149, 150, 151, 152, 40, 46, 47, 275, 276, 278, 307, 299, 310, 311, 326,
    208, 209, 426, 41, 42, 43, 288, 56, 57, 58, 59, 60, 61, 101, 231, 247, 322, 435, 24, 202, 74,
    75, 162, 277, 306, 285, 321, 16,
];

/// Calls about files, which have rules of their own: one for each file of a tree is what some programs are for. `open`,
/// `close`, `stat`, `fstat`, `lstat`, `access`, `fcntl`, `flock`, `truncate`, `ftruncate`, `getdents`, `chdir`, `fchdir`,
/// `rename`, `mkdir`, `rmdir`, `creat`, `link`, `unlink`, `symlink`, `readlink`, `chmod`, `fchmod`, `chown`, `fchown`,
/// `lchown`, `utime`, `mknod`, `statfs`, `fstatfs`, `setxattr` to `fremovexattr`, `getdents64`, `utimes`,
/// `inotify_add_watch`, `openat` to `faccessat`, `utimensat`, `renameat2`, `statx`, `openat2`, `faccessat2`, `fchmodat2`.
const ABOUT_FILES: &[i32] = &[
    2, 3, 4, 5, 6, 21, 72, 73, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93,
    94, 132, 133, 137, 138, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 217, 235,
    254, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269, 280, 316, 332, 437, 439,
    452,
];

/// `poll`, `select`, `pselect6`, `ppoll`.
const LOOK_AT_ALL: &[i32] = &[7, 23, 270, 271];

const GETRANDOM: SystemCall = SystemCall(318);

/// Up to so many random bytes, the call costs more than they do.
const FEW_RANDOM: i64 = 256;

/// From this time per call on, they look at many descriptors, nanoseconds.
const LONG_NS: i64 = 10_000;

/// Finds the call that cost most.
pub(super) fn other(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let threads = story.calls.threads.values();
    let numbers = threads.flat_map(|thread| thread.sums.keys().map(|(call, _)| call.0));
    let has_purpose = |number: &i32| {
        let known = [PURPOSES, ABOUT_FILES, READS, WRITES, QUESTIONS];
        known.iter().any(|known| known.contains(number))
    };
    let numbers: BTreeSet<i32> = numbers.filter(|number| !has_purpose(number)).collect();
    let costs = numbers.into_iter().map(|number| {
        let cost = cost(story, (&|call, _| call.0 == number, &[number]), taken);
        (SystemCall(number), cost)
    });
    // Who gets many random bytes at a time wants them.
    let costs = costs.filter(|(call, cost)| {
        let each = cost.sum.bytes.unwrap_or(0) / cost.sum.count.max(1);
        *call != GETRANDOM || each <= FEW_RANDOM
    });
    let (call, cost) = costs.max_by_key(|(_, cost)| cost.on.ns())?;
    if share(cost.on.ns(), story.own_ns()) < MUCH {
        return None;
    }
    let each = cost.sum.ns.unwrap_or(0) / cost.sum.count.max(1);
    let claim = " called {object} {count} times, {each} each: {share} of the time";
    let place = story.calls.place(story.code, &|known| known == call);
    let draft = draft(story, ("cheap-calls", claim), &cost, place, taken)?
        .fact("object", Value::Text(story.calls.name(call)))
        .fact("each", Value::Time(each));
    Some(match call {
        SystemCall(number) if LOOK_AT_ALL.contains(&number) && each >= LONG_NS => draft.advise(
            "Each call checks all descriptors that it is given. Use epoll, which returns only those that are ready.",
        ),
        GETRANDOM => draft.advise(
            "Get many random bytes per call. Where it does not matter if somebody can guess them, use a generator in the program.",
        ),
        _ => draft,
    })
}
