//! What is known of a thread that is alive: what it does now, and since when.
//!
//! The rows of a thread's finished past are pushed; [`Live`] holds the one stretch of time that is
//! still open. Its `since_ns` is where the pushed rows end, so they cover the lifetime without gap.

use whyslow_model::{StateFlags, WaitReason, WakerKind};

use super::held::Held;
use super::occupancy::{CpuSetId, Mark};
use crate::event::{Site, UserTarget};
pub(crate) use whyslow_settle::{NONE, Slot};
use whyslow_stacks::{HalfWord, StackWord};

/// A thread that is alive.
#[derive(Debug)]
pub(crate) struct Live {
    /// Its number among all threads of the trace.
    pub(crate) thread: u32,
    /// The operating system's id.
    pub(crate) os_tid: u32,
    /// What it is doing.
    pub(crate) activity: Activity,
    /// Since when; rows are pushed up to here.
    pub(crate) since_ns: i64,
    /// The CPU it runs on, or left.
    pub(crate) cpu: u32,
    /// No row is pushed yet, and it is older than the trace.
    pub(crate) is_open_start: bool,
    /// It is the idle thread of a CPU.
    pub(crate) is_idle: bool,
    /// It is the kernel's: a user half will not come.
    pub(crate) is_kernel: bool,
    /// It began to end then.
    pub(crate) exit_ns: Option<i64>,
    /// About the time off the CPU, while it is that.
    pub(crate) off: Off,
    /// The CPUs it may use.
    pub(crate) cpus: CpuSetId,
    /// What the CPUs had done by the time it became ready, while it is.
    pub(crate) mark: Option<Mark>,
    /// When it was put on a CPU's queue after its last wake-up, where that is recorded.
    pub(crate) queued_ns: Option<i64>,
    /// A wake-up that came while it was running: the switch may follow.
    pub(crate) early: Option<Wake>,
    /// A user half that came before the event it belongs to.
    pub(crate) early_half: Option<(UserTarget, HalfWord)>,
    /// Stretches whose user halves may still come.
    pub(crate) held: Held,
}

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activity {
    /// Older than the trace, and nothing was told of it yet.
    Fresh,
    /// On a CPU.
    Running,
    /// Off the CPU; [`Off`] says why and whether it is runnable again.
    Off,
    /// Nobody knows, after a loss or a contradiction.
    Lost,
}

/// About a time off the CPU.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Off {
    /// Why it left.
    pub(crate) reason: WaitReason,
    /// The system's own number for it.
    pub(crate) reason_raw: Option<i32>,
    /// Where it left.
    pub(crate) stack: StackWord,
    /// The place's number, if stacks are taken of a sample only.
    pub(crate) site: Site,
    /// Its priority.
    pub(crate) priority: Option<i32>,
    /// What made it runnable again.
    pub(crate) wake: Option<Wake>,
    /// The wake-up came before the switch, so it may belong to an earlier sleep.
    pub(crate) is_early: bool,
    /// What the rows carry beyond what is worked out.
    pub(crate) flags: StateFlags,
}

impl Off {
    /// Nothing known but the reason.
    pub(crate) fn because(reason: WaitReason) -> Self {
        Self {
            reason,
            reason_raw: None,
            stack: StackWord::NONE,
            site: Site::default(),
            priority: None,
            wake: None,
            is_early: false,
            flags: StateFlags::default(),
        }
    }

    /// Returns whether the thread was runnable all the time.
    pub(crate) fn is_runnable(&self) -> bool {
        use WaitReason as R;
        matches!(self.reason, R::Preempted | R::Yielded | R::New)
    }
}

/// A wake-up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wake {
    /// When.
    pub(crate) at_ns: i64,
    /// By which kind of waker.
    pub(crate) kind: WakerKind,
    /// The waking thread, or [`NONE`].
    pub(crate) thread: u32,
    /// Its stack.
    pub(crate) stack: StackWord,
}

impl Live {
    /// Returns thread number `thread`, of which nothing is known before `since_ns`.
    pub(crate) fn new(thread: u32, os_tid: u32, since_ns: i64, is_open_start: bool) -> Self {
        Self {
            thread,
            os_tid,
            activity: Activity::Fresh,
            since_ns,
            cpu: NONE,
            is_open_start,
            is_idle: false,
            is_kernel: false,
            exit_ns: None,
            off: Off::because(WaitReason::Unknown),
            cpus: CpuSetId::ALL,
            mark: None,
            queued_ns: None,
            early: None,
            early_half: None,
            held: Held::new(),
        }
    }

    /// Returns thread number `thread`, born at `since_ns` and not run yet.
    pub(crate) fn newborn(thread: u32, os_tid: u32, since_ns: i64) -> Self {
        Self {
            activity: Activity::Off,
            off: Off::because(WaitReason::New),
            ..Self::new(thread, os_tid, since_ns, false)
        }
    }

    /// Returns the time of the last thing known, which no earlier event may undo.
    pub(crate) fn known_ns(&self) -> i64 {
        match (self.activity, self.off.wake) {
            (Activity::Off, Some(wake)) => self.since_ns.max(wake.at_ns),
            _ => self.since_ns,
        }
    }
}
