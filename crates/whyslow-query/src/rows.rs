//! The raw rows a scope counts, one by one: samples, and intervals cut to the window.

use std::ops::ControlFlow;

use whyslow_model::tables::{CpuSampleRow, ThreadStateRow};
use whyslow_model::{
    Named, ProcessId, Scan, StackId, StateFlags, Table, TableRow, ThreadId, ThreadState,
    WaitReason, WakerKind,
};

use crate::error::QueryError;
use crate::scope::Scope;
use crate::selection::View;

/// Most time that the rows of one pass may add up to, 292 years; what a damaged extract claims
/// beyond does not count, so no sum over rows can overflow.
const MOST_NS: i64 = i64::MAX / 2;

/// Takes what a row claims from what is left for all rows.
fn take(claimed_ns: i64, left_ns: &mut i64) -> i64 {
    let ns = claimed_ns.clamp(0, *left_ns);
    *left_ns -= ns;
    ns
}

/// One CPU sample.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// When it was taken, since the trace's start.
    pub time_ns: i64,
    /// The process.
    pub process: ProcessId,
    /// The thread.
    pub thread: ThreadId,
    /// The stack, if there is one.
    pub stack: Option<StackId>,
    /// The time it stands for.
    pub weight_ns: i64,
}

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
    /// The stack it waited or was preempted on.
    pub stack: Option<StackId>,
    /// Why it left the CPU.
    pub reason: WaitReason,
    /// Who ended the wait.
    pub waker: Waker,
    /// What else is known of it.
    pub flags: StateFlags,
    /// Whether the interval begins before the window.
    pub cut_start: bool,
    /// Whether the interval ends after the window.
    pub cut_end: bool,
}

/// Who ended a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Waker {
    /// A thread.
    Thread(ThreadId),
    /// An interrupt.
    Interrupt,
    /// Nothing says who.
    Unknown,
}

impl Waker {
    /// Returns who ended a wait whose row has this thread and kind.
    fn new(thread: Option<ThreadId>, kind: Option<i32>) -> Self {
        if kind == Some(WakerKind::Interrupt.code()) {
            return Self::Interrupt;
        }
        thread.map_or(Self::Unknown, Self::Thread)
    }
}

impl Interval {
    /// Returns the length within the window.
    pub fn ns(&self) -> i64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    /// Returns whether the thread left a CPU at the start of this interval off the CPU.
    ///
    /// The ready time after a wait is no further switch.
    pub fn is_switch_out(&self) -> bool {
        let left = match self.state {
            ThreadState::Waiting | ThreadState::OffCpu | ThreadState::Stopped => true,
            ThreadState::Ready => {
                matches!(self.reason, WaitReason::Preempted | WaitReason::Yielded)
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

/// Gives every sample in `scope` to `each`, by process, thread and time.
pub fn samples(
    view: View<'_>,
    scope: &Scope,
    mut each: impl FnMut(&Sample),
) -> Result<(), QueryError> {
    type Row = CpuSampleRow;
    let columns = [
        Row::time_ns.name(),
        Row::process.name(),
        Row::thread.name(),
        Row::stack.name(),
        Row::weight_ns.name(),
    ];
    let (from, to) = scope.window_ns.unwrap_or((i64::MIN, i64::MAX));
    let mut left_ns = MOST_NS;
    scan::<Row>(view, scope, &columns, |table| {
        let (times, weights) = (Row::time_ns.values(table), Row::weight_ns.values(table));
        let (processes, threads) = (Row::process.values(table), Row::thread.values(table));
        let stacks = Row::stack.values(table);
        for (row, time_ns) in times.iter().enumerate() {
            let (process, thread) = (processes.at(row), threads.at(row));
            let known = scope.thread(thread) && scope.process(process);
            if time_ns < from || time_ns >= to || !known {
                continue;
            }
            each(&Sample {
                time_ns,
                process,
                thread,
                stack: stacks.at(row),
                weight_ns: take(weights.at(row), &mut left_ns),
            });
        }
    })
}

/// Gives every interval in `scope` to `each`, by process, thread and time.
pub fn intervals(
    view: View<'_>,
    scope: &Scope,
    mut each: impl FnMut(&Interval),
) -> Result<(), QueryError> {
    type Row = ThreadStateRow;
    let columns = [
        Row::start_ns.name(),
        Row::process.name(),
        Row::thread.name(),
        Row::duration_ns.name(),
        Row::state.name(),
        Row::stack.name(),
        Row::reason.name(),
        Row::waker_thread.name(),
        Row::waker_kind.name(),
        Row::flags.name(),
    ];
    let (from, to) = scope.window_ns.unwrap_or((i64::MIN, i64::MAX));
    let mut left_ns = MOST_NS;
    scan::<Row>(view, scope, &columns, |table| {
        let (starts, durations) = (Row::start_ns.values(table), Row::duration_ns.values(table));
        let (processes, threads) = (Row::process.values(table), Row::thread.values(table));
        let (states, flags) = (Row::state.values(table), Row::flags.values(table));
        let (stacks, reasons) = (Row::stack.values(table), Row::reason.values(table));
        let wakers = Row::waker_thread.values(table);
        let waker_kinds = Row::waker_kind.values(table);
        for (row, start) in starts.iter().enumerate() {
            let (process, thread) = (processes.at(row), threads.at(row));
            if start >= to || !scope.thread(thread) || !scope.process(process) {
                continue;
            }
            let start = start.clamp(-MOST_NS, MOST_NS);
            let duration = take(durations.at(row), &mut left_ns);
            let end = start.saturating_add(duration);
            if end < from || (end == from && duration > 0) {
                continue;
            }
            each(&Interval {
                start_ns: start.max(from),
                end_ns: end.min(to),
                process,
                thread,
                state: state(states.at(row)),
                stack: stacks.at(row),
                reason: reason(reasons.at(row)),
                waker: Waker::new(wakers.at(row), waker_kinds.at(row)),
                flags: StateFlags(flags.at(row)),
                cut_start: start < from,
                cut_end: end > to,
            });
        }
    })
}

fn scan<R: TableRow>(
    view: View<'_>,
    scope: &Scope,
    columns: &[&str],
    mut batch: impl FnMut(&Table),
) -> Result<(), QueryError> {
    let scan = Scan {
        columns,
        processes: scope.chosen.as_deref(),
        window_ns: scope.window_ns,
    };
    view.scan(R::SCHEMA, &scan, &mut |table| {
        batch(table);
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// Returns the state of a code; this is the hot path, so no search.
fn state(code: i32) -> ThreadState {
    match code {
        1 => ThreadState::Running,
        2 => ThreadState::Ready,
        3 => ThreadState::Waiting,
        4 => ThreadState::OffCpu,
        5 => ThreadState::Stopped,
        _ => ThreadState::Unknown,
    }
}

fn reason(code: i32) -> WaitReason {
    match code {
        1 => WaitReason::Interruptible,
        2 => WaitReason::Uninterruptible,
        3 => WaitReason::Preempted,
        _ => WaitReason::from_code(code).unwrap_or(WaitReason::Unknown),
    }
}
