//! What is known about a time off the CPU.

use whyslow_model::{StateFlags, WaitReason, WakerKind};
use whyslow_settle::NONE;
use whyslow_stacks::StackWord;

use crate::event::Site;

/// Details of a time off the CPU.
#[derive(Debug, Clone, Copy)]
pub struct Off {
    /// Why it left.
    pub reason: WaitReason,
    /// The system's own number for it.
    pub reason_raw: Option<i32>,
    /// Where it left.
    pub stack: StackWord,
    /// How long it had been on the CPU since it came there, as the system accounts it.
    pub accounted_ns: Option<i64>,
    /// How long the recorder's own programs ran meanwhile.
    pub recorder_ns: Option<i64>,
    /// The site, if only a sample of the stacks is taken.
    pub site: Site,
    /// Its priority.
    pub priority: Option<i32>,
    /// What made it runnable again.
    pub wake: Option<Wake>,
    /// The wake-up came before the switch, so it may belong to an earlier sleep.
    pub is_early: bool,
    /// The number of what it waits for, or [`NONE`].
    pub object: u32,
    /// Maximum time that it was to wait.
    pub timeout_ns: Option<i64>,
    /// Flags of the rows in addition to the computed ones.
    pub flags: StateFlags,
}

impl Off {
    /// Returns a time off the CPU with only the reason known.
    pub fn because(reason: WaitReason) -> Self {
        Self {
            reason,
            reason_raw: None,
            stack: StackWord::NONE,
            accounted_ns: None,
            recorder_ns: None,
            site: Site::default(),
            priority: None,
            wake: None,
            is_early: false,
            object: NONE,
            timeout_ns: None,
            flags: StateFlags::default(),
        }
    }

    /// Returns whether the thread was runnable all the time.
    pub fn is_runnable(&self) -> bool {
        use WaitReason as R;
        matches!(
            self.reason,
            R::Preempted | R::Yielded | R::New | R::Throttled
        )
    }
}

/// A wake-up.
#[derive(Debug, Clone, Copy)]
pub struct Wake {
    /// When.
    pub at_ns: i64,
    /// By which kind of waker.
    pub kind: WakerKind,
    /// The waking thread, or [`NONE`].
    pub thread: u32,
    /// Its stack.
    pub stack: StackWord,
}
