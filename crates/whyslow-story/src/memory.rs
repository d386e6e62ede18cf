//! Stalls of the command's threads because memory was short, and which processes needed more and more of it meanwhile.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use whyslow_model::tables::ProcessMemoryRow;
use whyslow_model::{Capability, MemoryStall, ProcessId, ThreadId};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::memory::{Stall, stalls};
use whyslow_query::process_memory::memory_of_processes;
use whyslow_query::scope::Scope;

use crate::command::Command;
use crate::path::{Path, What};
use whyslow_query::spans::Spans;

/// How many stalls are kept; more would explain no more.
const MOST_STALLS: usize = 1 << 20;

/// What a process needs more at least, to be named where memory was short.
const LEAST_GROWTH: i64 = 32 << 20;

/// When the command's threads were held up; empty where that was not recorded.
#[derive(Debug, Default)]
pub struct Memory {
    stalls: Vec<Stall>,
    grown: Vec<Grown>,
    /// When the path went through each thread and it had a CPU or waited; computed on first use.
    steps: OnceCell<BTreeMap<ThreadId, Spans>>,
}

impl Memory {
    /// Reads them.
    pub fn read(view: View<'_>, facts: &Facts, command: &Command) -> Result<Self, QueryError> {
        let mut memory = Self::default();
        if facts.has(Capability::MemoryStalls) {
            stalls(view, &command.scope(), |stall| {
                if memory.stalls.len() < MOST_STALLS {
                    memory.stalls.push(*stall);
                }
            })?;
        }
        if facts.has(Capability::ProcessMemory) {
            memory.grown = grown(view, facts, command, &memory.stalls)?;
        }
        Ok(memory)
    }

    /// Returns the process that needed much more memory as it was short for the last time than as the command began:
    /// more than all others together that count. Of those that started meanwhile, all that they had is more.
    pub fn most_grown(&self, counts: impl Fn(ProcessId) -> bool) -> Option<&Grown> {
        let all = || self.grown.iter().filter(|one| counts(one.process));
        let most = all().max_by_key(|one| one.growth_bytes)?;
        let others = all().filter(|one| one.process != most.process);
        let others = others.fold(0, |sum: i64, one| sum.saturating_add(one.new_bytes));
        let is_most = most.growth_bytes >= LEAST_GROWTH && most.growth_bytes >= others;
        is_most.then_some(most)
    }

    /// Returns the stalls of these kinds that the path went through, without the time in `except`. Time in which a
    /// thread was ready does not count.
    pub fn on_path(&self, path: &Path, kinds: &[MemoryStall], except: &Spans) -> Held {
        let mut held = Held::default();
        if self.stalls.is_empty() {
            return held;
        }
        let of_thread = self.steps.get_or_init(|| steps_by_thread(path));
        let mut parts = Vec::new();
        for stall in self
            .stalls
            .iter()
            .filter(|stall| kinds.contains(&stall.kind))
        {
            let Some(steps) = of_thread.get(&stall.thread) else {
                continue;
            };
            let (from, to) = (stall.start_ns, stall.start_ns.saturating_add(stall.ns));
            let on_path = Spans::new(steps.cut(from, to)).without(except);
            if on_path.ns() > 0 {
                held.count = held.count.saturating_add(1);
                let of_process = held.processes.entry(stall.process).or_default();
                of_process.ns = of_process.ns.saturating_add(on_path.ns());
                of_process.longest_ns = of_process.longest_ns.max(stall.ns);
                parts.extend(on_path.parts());
            }
        }
        held.when = Spans::new(parts);
        held
    }
}

/// A process that needed more memory at last than at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grown {
    /// The process.
    pub process: ProcessId,
    /// How much more.
    pub growth_bytes: i64,
    /// How much at last.
    pub bytes: i64,
    /// How much of that it did not have as the command began, as far as known.
    new_bytes: i64,
}

/// Returns what processes needed more from the beginning of the command to the last time that memory was short.
fn grown(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    stalls: &[Stall],
) -> Result<Vec<Grown>, QueryError> {
    // Others are no sign of a shortage.
    let short = stalls.iter().filter(|stall| {
        use MemoryStall::{GroupReclaim, Kill, Pause, Reclaim};
        matches!(stall.kind, Reclaim | GroupReclaim | Pause | Kill)
    });
    let Some(first_ns) = short.clone().map(|stall| stall.start_ns).min() else {
        return Ok(Vec::new());
    };
    let ends = short.map(|stall| stall.start_ns.saturating_add(stall.ns));
    let last_ns = ends.max().unwrap_or(first_ns);
    let (from, to) = command.scope().span_ns(facts);
    let whole = Scope {
        window_ns: Some((from, to.min(last_ns.saturating_add(1)))),
        ..Scope::whole(facts)
    };
    let all = memory_of_processes(view, facts, &whole)?.into_iter();
    let grown = all.filter_map(|(process, of)| {
        let row = facts.process(process)?;
        // What it had is free again.
        if row.end_ns.is_some_and(|end_ns| end_ns < first_ns) {
            return None;
        }
        let own = |row: &Option<ProcessMemoryRow>| own_bytes(row.as_ref()?);
        // Of one that was not read, only the peak is known.
        let bytes = own(&of.last).or(of.peak_bytes)?;
        let growth = own(&of.first).map_or(0, |first| bytes.saturating_sub(first));
        let is_new = row.start_ns.is_some_and(|start_ns| start_ns >= from);
        Some(Grown {
            process,
            growth_bytes: growth.max(0),
            bytes,
            new_bytes: if is_new { bytes } else { growth.max(0) },
        })
    });
    Ok(grown.collect())
}

/// Memory that a process needs, whether it is in RAM or was swapped out.
fn own_bytes(row: &ProcessMemoryRow) -> Option<i64> {
    let swapped = row.swapped_bytes.unwrap_or(0);
    Some(row.private_bytes?.saturating_add(swapped))
}

/// The stalls that the path went through.
#[derive(Debug, Clone, Default)]
pub struct Held {
    /// When the path was held up.
    pub when: Spans,
    /// How many stalls these were.
    pub count: i64,
    /// The stalls of each process.
    pub processes: BTreeMap<ProcessId, OfProcess>,
}

/// The stalls of a process that the path went through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OfProcess {
    /// How long the path was in them.
    pub ns: i64,
    /// The whole duration of the longest one.
    pub longest_ns: i64,
}

impl Held {
    /// Returns the process that held up the path longest, and its stalls.
    pub fn most(&self) -> Option<(ProcessId, OfProcess)> {
        let all = self.processes.iter().map(|(&process, &of)| (process, of));
        all.max_by_key(|&(_, of)| of.ns)
    }
}

fn steps_by_thread(path: &Path) -> BTreeMap<ThreadId, Spans> {
    let mut of_thread: BTreeMap<ThreadId, Vec<(i64, i64)>> = BTreeMap::new();
    for step in path.steps.iter().filter(|step| step.what != What::Ready) {
        if let Some(thread) = step.thread {
            let steps = of_thread.entry(thread).or_default();
            steps.push((step.from_ns, step.to_ns));
        }
    }
    let of_thread = of_thread.into_iter();
    of_thread
        .map(|(thread, steps)| (thread, Spans::new(steps)))
        .collect()
}
