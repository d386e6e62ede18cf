//! Totals per process, from the `timeline` roll-up or from the raw rows.

use std::ops::ControlFlow;

use whyslow_model::tables::TimelineRow;
use whyslow_model::{Capability, Place, ProcessId, Scan, Table, ThreadState, tables};
use whyslow_results::{Note, Value};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::rows;
use crate::scope::Scope;
use crate::selection::Selection;
use crate::slices::SliceSum;
use crate::stacks::WantedStacks;
use crate::view::View;

/// Sums per process, by id.
#[derive(Debug)]
pub(crate) struct Sums {
    /// The sums; the index is the process.
    pub(crate) of: Vec<SliceSum>,
    /// Whether only stacks with certain functions count, so that running time is not known.
    pub(crate) by_stack: bool,
}

impl Sums {
    /// The columns of the roll-up that sums are made from.
    pub(crate) const COLUMNS: &[&str] = &[
        "cpu_sampled_ns",
        "cpu_ns",
        "ready_ns",
        "wait_ns",
        "off_cpu_ns",
        "unknown_ns",
        "switches",
    ];

    /// Adds up some columns of the roll-up; the other sums are zero.
    pub(crate) fn of_rollup(
        view: View<'_>,
        facts: &Facts,
        scope: &Scope,
        columns: &[&str],
    ) -> Result<Self, QueryError> {
        let mut of = Self::zero(facts);
        let mut read = vec!["process"];
        read.extend(columns);
        from_rollup(view, scope, &read, &mut of)?;
        let by_stack = false;
        Ok(Self { of, by_stack })
    }

    fn zero(facts: &Facts) -> Vec<SliceSum> {
        let ids = ProcessId::all().take(facts.processes.len());
        ids.map(|id| SliceSum::zero(id, 0)).collect()
    }

    /// Computes the sums of what `selection` counts.
    pub(crate) fn new(
        view: View<'_>,
        facts: &Facts,
        scope: &Scope,
        selection: &Selection,
    ) -> Result<Self, QueryError> {
        let methods = selection.functions.as_ref();
        let methods = methods.filter(|pattern| !pattern.matches_everything());
        let by_stack = methods.is_some();
        if scope.is_whole() && !by_stack && view.has(&tables::TIMELINE) {
            return Self::of_rollup(view, facts, scope, Self::COLUMNS);
        }
        let mut of = Self::zero(facts);
        let wanted = WantedStacks::read(view, methods)?;
        let counts = |stack| wanted.has(stack);
        let mut sums = |process: ProcessId, change: &dyn Fn(&mut SliceSum)| {
            if let Some(sum) = of.get_mut(process.index()) {
                change(sum);
            }
        };
        rows::samples(view, scope, |sample| {
            if counts(sample.stack) {
                sums(sample.process, &|sum| {
                    sum.cpu_sampled_ns += sample.weight_ns;
                });
            }
        })?;
        rows::intervals(view, scope, |interval| {
            let running = interval.state == ThreadState::Running;
            if by_stack && (running || !counts(interval.stack)) {
                return;
            }
            let ns = interval.ns();
            let left = match by_stack {
                true => interval.is_switch_out(),
                false => interval.ends_running(),
            };
            sums(interval.process, &|sum| {
                sum.switches += i64::from(left);
                match interval.state {
                    ThreadState::Running => sum.cpu_ns += interval.cpu_ns,
                    ThreadState::Ready => sum.ready_ns += ns,
                    ThreadState::Waiting => sum.wait_ns += ns,
                    ThreadState::OffCpu => sum.off_cpu_ns += ns,
                    ThreadState::Unknown => sum.unknown_ns += ns,
                    ThreadState::Stopped => {}
                }
            });
        })?;
        Ok(Self { of, by_stack })
    }

    /// Returns the sums of a process, zero for one without rows.
    pub(crate) fn process(&self, id: ProcessId) -> SliceSum {
        let sum = self.of.get(id.index()).copied();
        sum.unwrap_or(SliceSum::zero(id, 0))
    }
}

fn from_rollup(
    view: View<'_>,
    scope: &Scope,
    columns: &[&str],
    of: &mut [SliceSum],
) -> Result<(), QueryError> {
    let scan = Scan {
        columns,
        processes: scope.chosen.as_deref(),
        window_ns: None,
    };
    view.scan(&tables::TIMELINE, &scan, &mut |table| {
        add(table, of);
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// Adds part of the roll-up to the sums, column by column; its rows are ordered by process.
fn add(table: &Table, of: &mut [SliceSum]) {
    let processes = TimelineRow::process.values(table);
    let mut add = |column: Place<TimelineRow, i64>, of_sum: fn(&mut SliceSum) -> &mut i64| {
        let values = column.values(table);
        let mut rows = processes.iter().zip(values.iter()).peekable();
        while let Some((process, mut total)) = rows.next() {
            while let Some((_, value)) = rows.next_if(|&(next, _)| next == process) {
                total = total.saturating_add(value);
            }
            if let Some(sum) = of.get_mut(process.index()).map(of_sum) {
                *sum = sum.saturating_add(total);
            }
        }
    };
    add(TimelineRow::cpu_sampled_ns, |sum| &mut sum.cpu_sampled_ns);
    add(TimelineRow::cpu_ns, |sum| &mut sum.cpu_ns);
    add(TimelineRow::ready_ns, |sum| &mut sum.ready_ns);
    add(TimelineRow::wait_ns, |sum| &mut sum.wait_ns);
    add(TimelineRow::off_cpu_ns, |sum| &mut sum.off_cpu_ns);
    add(TimelineRow::unknown_ns, |sum| &mut sum.unknown_ns);
    add(TimelineRow::switches, |sum| &mut sum.switches);
}

/// Which figures a recording can provide; the others are null, not zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    /// CPU (sampled).
    pub(crate) sampled: bool,
    /// CPU (precise), unknown time, switches.
    pub(crate) switches: bool,
    /// Waiting and ready time separately.
    pub(crate) wakeups: bool,
    /// Waits and switches by stack.
    pub(crate) wait_stacks: bool,
}

impl Known {
    /// Returns the time off the CPU for which it is not known when the thread became runnable: all
    /// of it if wake-ups are not recorded, and otherwise the little there is.
    pub(crate) fn off_cpu(self, ns: i64) -> Value {
        Self::value(self.switches && (!self.wakeups || ns != 0), ns)
    }

    /// Returns what the recording of `facts` can provide.
    pub(crate) fn new(facts: &Facts) -> Self {
        let switches = facts.has(Capability::Switches);
        Self {
            sampled: facts.has(Capability::CpuSamples),
            switches,
            wakeups: switches && facts.has(Capability::WakeUps),
            wait_stacks: switches && facts.has(Capability::SwitchStacks),
        }
    }

    /// Returns `ns` if `known`, else null.
    pub(crate) fn value(known: bool, ns: i64) -> Value {
        if known { Value::Int(ns) } else { Value::Null }
    }
}

/// Returns what a reader must know about any figures of a trace.
pub(crate) fn notes(facts: &Facts) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(lost) = facts.lost() {
        let text = format!(
            "the recorder lost {lost}: times around the gaps are unknown, sums too low \
             (see `whyslow problems`)"
        );
        notes.push(Note::warning(Some(&facts.name), text));
    }
    if facts.has(Capability::Switches) && !facts.has(Capability::WakeUps) {
        let text = "wake-ups are not recorded: waiting and ready cannot be told apart, see the \
                    column off-cpu";
        notes.push(Note::warning(Some(&facts.name), text));
    }
    notes
}
