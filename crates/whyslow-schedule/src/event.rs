//! What trackers learn about a thread beyond its switches and wake-ups.

use whyslow_model::WaitReason;
use whyslow_stacks::StackRef;

/// A place in code where only a sample of the visits has a stack: the number is the same for the
/// same thread at the same call from the same place, and 0 if the source does not report it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Site(pub u64);

/// What a thread was doing at the start or end of the trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Snapshot {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// Whether this is the end.
    pub at_end: bool,
    /// Why it is off the CPU; `None`: it is running or ready.
    pub reason: Option<WaitReason>,
    /// The system's own number for that.
    pub reason_raw: Option<i32>,
    /// Where it waits.
    pub stack: StackRef,
}

/// What the waits of a system call that just returned were for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitTarget {
    /// The thread that waited.
    pub tid: u32,
    /// When the first of them began.
    pub from_ns: i64,
    /// The call has not returned: the thread still waits when the trace ends.
    pub is_open: bool,
    /// The number of what it waited for, if known.
    pub object: Option<u32>,
    /// Maximum time that it was to wait.
    pub timeout_ns: Option<i64>,
}

/// What the user half of a stack belongs to, when the rest of the stack came before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserTarget {
    /// The waits of a system call that just returned.
    Wait {
        /// When the first of them began; `None` is before the trace.
        from_ns: Option<i64>,
        /// It also represents earlier waits, which were too short to get a stack each.
        is_sampled: bool,
        /// The thread was killed in the last of them.
        is_killed: bool,
    },
    /// A wait outside of any system call: in a page fault, or on the way back to the program.
    Fault {
        /// When the thread left the CPU, or a moment before.
        out_ns: i64,
    },
    /// A preemption.
    Preemption {
        /// When the thread left the CPU, or a moment before.
        out_ns: i64,
    },
    /// A wait that is still open.
    OpenWait,
    /// The waker's stack of a wake-up.
    Waker {
        /// The thread that was woken.
        woken_tid: u32,
        /// When, or a moment before.
        at_ns: i64,
    },
    /// The thread's last sample.
    LastSample,
    /// Every half of the thread that still lacks its user half: the thread is back in its own code.
    Pending,
}
