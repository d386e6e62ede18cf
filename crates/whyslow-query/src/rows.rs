//! The raw rows in a scope, one by one: samples, and intervals cut to the window.

use std::ops::ControlFlow;

use whyslow_model::tables::{CpuSampleRow, ThreadStateRow};
use whyslow_model::{
    Named, ProcessId, Scan, StackId, StateFlags, Table, TableRow, ThreadId, ThreadState, WaitReason,
};

use crate::error::QueryError;
use crate::interval::{Interval, ReadyTime, Waker, scaled, take};
use crate::scope::Scope;
use crate::view::View;

/// Maximum total time of the rows of one pass, 292 years; anything beyond that, claimed by a
/// damaged extract, does not count, so no sum over rows can overflow.
const MOST_NS: i64 = i64::MAX / 2;

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
    /// The time it represents.
    pub weight_ns: i64,
}

/// Passes every sample in `scope` to `each`, by process, thread and time.
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

/// Passes every interval in `scope` to `each`, by process, thread and time.
pub fn intervals(
    view: View<'_>,
    scope: &Scope,
    each: impl FnMut(&Interval),
) -> Result<(), QueryError> {
    scan_intervals(view, scope, false, each)
}

/// Like [`intervals`], with what kept a ready thread from running, and the stacks of wakers.
pub fn detailed_intervals(
    view: View<'_>,
    scope: &Scope,
    each: impl FnMut(&Interval),
) -> Result<(), QueryError> {
    scan_intervals(view, scope, true, each)
}

/// Returns the columns that intervals are made of.
fn interval_columns(with_details: bool) -> Vec<&'static str> {
    type Row = ThreadStateRow;
    let mut columns = vec![
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
        Row::cpu_ns.name(),
    ];
    if with_details {
        columns.push(Row::waker_stack.name());
        columns.push(Row::competing_ns.name());
        columns.push(Row::hand_over_ns.name());
        columns.push(Row::waking_ns.name());
        columns.push(Row::cpu.name());
        columns.push(Row::object.name());
        columns.push(Row::timeout_ns.name());
        columns.push(Row::priority.name());
        columns.push(Row::recorder_ns.name());
    }
    columns
}

fn scan_intervals(
    view: View<'_>,
    scope: &Scope,
    with_details: bool,
    mut each: impl FnMut(&Interval),
) -> Result<(), QueryError> {
    type Row = ThreadStateRow;
    let columns = interval_columns(with_details);
    let parts = [Row::competing_ns, Row::hand_over_ns, Row::waking_ns];
    let (from, to) = scope.window_ns.unwrap_or((i64::MIN, i64::MAX));
    let (mut left_ns, mut left_cpu_ns) = (MOST_NS, MOST_NS);
    scan::<Row>(view, scope, &columns, |table| {
        let accounts = Row::cpu_ns.values(table);
        let recorder = Row::recorder_ns.values(table);
        let parts = parts.map(|part| part.values(table));
        let cpus = Row::cpu.values(table);
        let (objects, timeouts) = (Row::object.values(table), Row::timeout_ns.values(table));
        let priorities = Row::priority.values(table);
        let (starts, durations) = (Row::start_ns.values(table), Row::duration_ns.values(table));
        let (processes, threads) = (Row::process.values(table), Row::thread.values(table));
        let (states, flags) = (Row::state.values(table), Row::flags.values(table));
        let (stacks, reasons) = (Row::stack.values(table), Row::reason.values(table));
        let wakers = Row::waker_thread.values(table);
        let waker_kinds = Row::waker_kind.values(table);
        let waker_stacks = Row::waker_stack.values(table);
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
            let (state, within) = (state(states.at(row)), (start.max(from), end.min(to)));
            let part_ns = within.1.saturating_sub(within.0);
            let reason = reason(reasons.at(row));
            let of = || match reason {
                WaitReason::Throttled => Some(ReadyTime::throttled(duration)),
                _ => ReadyTime::of(parts.each_ref().map(|part| part.at(row)), duration),
            };
            let ready = (with_details && state == ThreadState::Ready)
                .then(of)
                .flatten()
                .map(|ready| ready.part(part_ns, duration));
            let cpu_ns = match (state, accounts.at(row)) {
                (ThreadState::Running, None) => part_ns,
                (ThreadState::Running, Some(ns)) => {
                    take(scaled(ns, part_ns, duration), &mut left_cpu_ns)
                }
                _ => 0,
            };
            each(&Interval {
                start_ns: within.0,
                end_ns: within.1,
                process,
                thread,
                state,
                stack: stacks.at(row),
                reason,
                waker: Waker::new(wakers.at(row), waker_kinds.at(row)),
                waker_stack: waker_stacks.at(row),
                flags: StateFlags(flags.at(row)),
                cut_start: start < from,
                cut_end: end > to,
                cpu_ns,
                recorder_ns: recorder
                    .at(row)
                    .map(|ns| scaled(ns.clamp(0, MOST_NS), part_ns, duration)),
                ready,
                cpu: cpus.at(row),
                object: objects.at(row),
                timeout_ns: timeouts.at(row),
                priority: priorities.at(row),
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
