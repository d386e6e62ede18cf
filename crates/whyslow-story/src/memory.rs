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
        if !memory.stalls.is_empty() && facts.has(Capability::ProcessMemory) {
            let whole = Scope {
                window_ns: command.scope().window_ns,
                ..Scope::whole(facts)
            };
            let all = memory_of_processes(view, facts, &whole)?.into_iter();
            let grown = all.filter_map(|(process, of)| {
                let (first, last) = (of.first?, of.last?);
                let bytes = own_bytes(&last)?;
                let growth_bytes = bytes.saturating_sub(own_bytes(&first)?);
                (growth_bytes > 0).then_some(Grown {
                    process,
                    growth_bytes,
                    bytes,
                })
            });
            memory.grown = grown.collect();
        }
        Ok(memory)
    }

    /// Returns the process that needed much more memory at the end of the command than at its beginning: more than all
    /// others together that count.
    pub fn most_grown(&self, counts: impl Fn(ProcessId) -> bool) -> Option<&Grown> {
        let all = || self.grown.iter().filter(|one| counts(one.process));
        let most = all().max_by_key(|one| one.growth_bytes)?;
        let sum = all().fold(0, |sum: i64, one| sum.saturating_add(one.growth_bytes));
        let is_most = most.growth_bytes >= LEAST_GROWTH && most.growth_bytes >= sum / 2;
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
