//! An interval of a thread, and what is known about it.

use whyslow_model::{
    Named, ProcessId, StackId, StateFlags, ThreadId, ThreadState, WaitReason, WakerKind,
};

/// One interval of a thread, cut to the window.
#[derive(Debug, Clone, Copy)]
pub struct Interval {
    /// When it begins, not before the scope's window.
    pub start_ns: i64,
    /// When it ends, not after the scope's window.
    pub end_ns: i64,
    /// The process.
    pub process: ProcessId,
    /// The thread.
    pub thread: ThreadId,
    /// What the thread did.
    pub state: ThreadState,
    /// The stack on which it waited or was preempted.
    pub stack: Option<StackId>,
    /// Why it left the CPU.
    pub reason: WaitReason,
    /// What ended the wait.
    pub waker: Waker,
    /// The waker's stack; read by `detailed_intervals` only.
    pub waker_stack: Option<StackId>,
    /// What else is known about it.
    pub flags: StateFlags,
    /// Whether the interval begins before the window.
    pub cut_start: bool,
    /// Whether the interval ends after the window.
    pub cut_end: bool,
    /// CPU time: what the system accounts to it where that is recorded, else its length; 0 off the CPU.
    pub cpu_ns: i64,
    /// Of that: how long the recorder's own programs ran, if that was measured and was requested together with the
    /// ready time.
    pub recorder_ns: Option<i64>,
    /// What kept it from running, if it was ready and that was asked for and is known.
    pub ready: Option<ReadyTime>,
    /// The CPU it ran on, or left, if known and requested together with the ready time.
    pub cpu: Option<i32>,
    /// The number of what it waited for, if known and requested together with the ready time.
    pub object: Option<i32>,
    /// Maximum time that it was to wait, under the same conditions.
    pub timeout_ns: Option<i64>,
    /// Priority of the thread at the switch by which it left the CPU, as the system counts it,
    /// under the same conditions.
    pub priority: Option<i32>,
}

/// What kept a thread from running while it was ready; the rest of the time is unexplained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadyTime {
    /// Every CPU that it may use ran another thread.
    pub competing_ns: i64,
    /// Its waker kept the CPU that it got until the waker slept, or other threads had that CPU
    /// although one that it may use was idle.
    pub hand_over_ns: i64,
    /// A CPU that it may use was idle, and so was the one that it got.
    pub waking_ns: i64,
    /// Its group of processes had used up its quota of CPU time.
    pub throttled_ns: i64,
}

impl ReadyTime {
    /// Returns the share of `part_ns` out of an interval of `whole_ns`. It is proportional, because
    /// the order within the interval is not known.
    #[must_use]
    pub fn part(self, part_ns: i64, whole_ns: i64) -> Self {
        let scale = |ns| scaled(ns, part_ns, whole_ns);
        Self {
            competing_ns: scale(self.competing_ns),
            hand_over_ns: scale(self.hand_over_ns),
            waking_ns: scale(self.waking_ns),
            throttled_ns: scale(self.throttled_ns),
        }
    }

    /// Returns the sum of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            competing_ns: self.competing_ns.saturating_add(other.competing_ns),
            hand_over_ns: self.hand_over_ns.saturating_add(other.hand_over_ns),
            waking_ns: self.waking_ns.saturating_add(other.waking_ns),
            throttled_ns: self.throttled_ns.saturating_add(other.throttled_ns),
        }
    }

    /// Returns how much of the time is explained.
    #[must_use]
    pub fn explained_ns(self) -> i64 {
        let parts = [self.hand_over_ns, self.waking_ns, self.throttled_ns];
        parts
            .into_iter()
            .fold(self.competing_ns, i64::saturating_add)
    }

    /// Returns ready time during which a quota stopped the thread.
    pub fn throttled(ns: i64) -> Self {
        Self {
            throttled_ns: ns,
            ..Self::default()
        }
    }

    /// Returns the split that a row states, which may be any numbers, limited to `most_ns`.
    pub fn of(parts: [Option<i64>; 3], most_ns: i64) -> Option<Self> {
        let mut left = most_ns;
        let [competing, hand_over, waking] = parts;
        Some(Self {
            competing_ns: take(competing?, &mut left),
            hand_over_ns: take(hand_over?, &mut left),
            waking_ns: take(waking?, &mut left),
            throttled_ns: 0,
        })
    }
}

/// What ended a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Waker {
    /// A thread.
    Thread(ThreadId),
    /// An interrupt.
    Interrupt,
    /// An interrupt's deferred work on top of this thread, which may have caused it.
    Softirq(ThreadId),
    /// Not known.
    Unknown,
}

impl Waker {
    /// Returns what ended a wait whose row has this thread and kind.
    pub fn new(thread: Option<ThreadId>, kind: Option<i32>) -> Self {
        if kind == Some(WakerKind::Interrupt.code()) {
            return Self::Interrupt;
        }
        if kind == Some(WakerKind::Softirq.code()) {
            return thread.map_or(Self::Interrupt, Self::Softirq);
        }
        thread.map_or(Self::Unknown, Self::Thread)
    }
}

impl Interval {
    /// Returns the thread's nice value, from -20 to 19, if it has one and it is known.
    ///
    /// Linux counts priorities from 0: those below 100 are real-time, 120 is nice 0. Windows counts
    /// them up to 31.
    pub fn nice(&self) -> Option<i32> {
        let priority = self
            .priority
            .filter(|priority| (100..140).contains(priority));
        priority.map(|priority| priority - 120)
    }

    /// Returns the length within the window.
    pub fn ns(&self) -> i64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    /// Returns whether the thread left a CPU at the start of this interval off the CPU.
    ///
    /// The ready time after a wait is not another switch.
    pub fn is_switch_out(&self) -> bool {
        let left = match self.state {
            ThreadState::Waiting | ThreadState::OffCpu | ThreadState::Stopped => true,
            ThreadState::Ready => {
                matches!(
                    self.reason,
                    WaitReason::Preempted | WaitReason::Yielded | WaitReason::Throttled
                )
            }
            ThreadState::Unknown | ThreadState::Running => false,
        };
        left && !self.cut_start && !self.flags.has(StateFlags::OPEN_START)
    }

    /// Returns whether the thread left the CPU at the end of this running interval.
    pub fn ends_running(&self) -> bool {
        self.state == ThreadState::Running && !self.cut_end && !self.flags.has(StateFlags::OPEN_END)
    }
}

/// Returns the part of `ns` that falls to `part_ns` of an interval of `whole_ns`.
pub fn scaled(ns: i64, part_ns: i64, whole_ns: i64) -> i64 {
    match whole_ns {
        ..=0 => 0,
        _ if part_ns >= whole_ns => ns,
        _ => {
            let scaled = i128::from(ns) * i128::from(part_ns) / i128::from(whole_ns);
            i64::try_from(scaled).unwrap_or(i64::MAX)
        }
    }
}

/// Takes the time that a row claims from what is left for all rows.
pub fn take(claimed_ns: i64, left_ns: &mut i64) -> i64 {
    let ns = claimed_ns.clamp(0, *left_ns);
    *left_ns -= ns;
    ns
}
