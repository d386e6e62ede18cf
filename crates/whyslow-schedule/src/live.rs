//! What is known about a living thread: what it is doing now, and since when.
//!
//! The rows of a thread's finished past have been pushed; [`Live`] holds the one stretch of time
//! that is still open. The pushed rows end at its `since_ns`, so they cover the lifetime without
//! gap.

use whyslow_model::WaitReason;

use super::held::Held;
use super::occupancy::Mark;
use super::off::{Off, Wake};
use crate::cpu_set::CpuSetId;
use crate::event::UserTarget;
use whyslow_settle::NONE;
use whyslow_stacks::HalfWord;

/// A thread that is alive.
#[derive(Debug)]
pub struct Live {
    /// Its number among all threads of the trace.
    pub thread: u32,
    /// The operating system's id.
    pub os_tid: u32,
    /// What it is doing.
    pub activity: Activity,
    /// Since when; rows are pushed up to here.
    pub since_ns: i64,
    /// The CPU it runs on, or left.
    pub cpu: u32,
    /// No row is pushed yet, and it is older than the trace.
    pub is_open_start: bool,
    /// It is the idle thread of a CPU.
    pub is_idle: bool,
    /// It belongs to the kernel: no user half will come.
    pub is_kernel: bool,
    /// When it began to end.
    pub exit_ns: Option<i64>,
    /// Details of its time off the CPU, while it is off.
    pub off: Off,
    /// The CPUs it may use.
    pub cpus: CpuSetId,
    /// What the CPUs had done when it became ready, while it is ready.
    pub mark: Option<Mark>,
    /// When it was put on a CPU's queue after its last wake-up, if that is recorded.
    pub queued_ns: Option<i64>,
    /// A wake-up that came while it was running: the switch may follow.
    pub early: Option<Wake>,
    /// A user half that came before the event it belongs to.
    pub early_half: Option<(UserTarget, HalfWord)>,
    /// Stretches whose user halves may still come.
    pub held: Held,
}

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Older than the trace, and nothing is known about it yet.
    Fresh,
    /// On a CPU.
    Running,
    /// Off the CPU; [`Off`] says why and whether it is runnable again.
    Off,
    /// Not known, after a loss or a contradiction.
    Lost,
}

impl Live {
    /// Returns thread number `thread`, with nothing known before `since_ns`.
    pub fn new(thread: u32, os_tid: u32, since_ns: i64, is_open_start: bool) -> Self {
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

    /// Returns thread number `thread`, born at `since_ns` and not yet run.
    pub fn newborn(thread: u32, os_tid: u32, since_ns: i64) -> Self {
        Self {
            activity: Activity::Off,
            off: Off::because(WaitReason::New),
            ..Self::new(thread, os_tid, since_ns, false)
        }
    }

    /// Returns the time of the last known event; no older event may undo it.
    pub fn known_ns(&self) -> i64 {
        match (self.activity, self.off.wake) {
            (Activity::Off, Some(wake)) => self.since_ns.max(wake.at_ns),
            _ => self.since_ns,
        }
    }
}
