//! Whose deeds are added up: those of each process, or those of all processes of a program.
//!
//! A client that talks to many sessions of a server waits little for each.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::Value;
use whyslow_model::ProcessId;
use whyslow_query::called;
use whyslow_story::story::Story;

use super::process_of;

/// Processes whose deeds are added up. By default, each counts alone.
#[derive(Debug, Default)]
pub(super) struct Units {
    /// The process that each of a unit of several goes by.
    of: BTreeMap<ProcessId, ProcessId>,
    /// How many processes go by it.
    sizes: BTreeMap<ProcessId, usize>,
}

impl Units {
    /// Makes units of the programs with several processes on the path, except those with one in `known`.
    pub(super) fn of_programs(there: &Story<'_>, known: &BTreeSet<ProcessId>) -> Self {
        let mut programs: BTreeMap<String, Vec<ProcessId>> = BTreeMap::new();
        for process in Self::default().on_path(there) {
            if let Some(row) = there.facts.process(process) {
                programs
                    .entry(called::process(row))
                    .or_default()
                    .push(process);
            }
        }
        let mut units = Self::default();
        for members in programs.into_values() {
            let is_known = members.iter().any(|id| known.contains(id));
            if let [first, _, ..] = members[..]
                && !is_known
            {
                units.sizes.insert(first, members.len());
                units.of.extend(members.iter().map(|&id| (id, first)));
            }
        }
        units
    }

    /// Returns the unit that a process belongs to, as the process that it goes by.
    pub(super) fn of(&self, process: ProcessId) -> ProcessId {
        self.of.get(&process).copied().unwrap_or(process)
    }

    /// Returns whether a unit has several processes.
    pub(super) fn has(&self, unit: ProcessId) -> bool {
        self.sizes.contains_key(&unit)
    }

    /// Returns whether each process counts alone.
    pub(super) fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Returns the units on the path.
    pub(super) fn on_path(&self, there: &Story<'_>) -> BTreeSet<ProcessId> {
        let steps = there.path.steps.iter();
        let processes = steps.filter_map(|step| process_of(there, step.thread?));
        processes.map(|id| self.of(id)).collect()
    }

    /// Returns the name of a unit: `postgres(99)`, `postgres (8 processes)`.
    pub(super) fn label(&self, there: &Story<'_>, unit: ProcessId) -> Option<Value> {
        let row = there.facts.process(unit)?;
        Some(Value::Process(match self.sizes.get(&unit) {
            Some(count) => format!("{} ({count} processes)", called::process(row)),
            None => called::with_pid(row),
        }))
    }
}
