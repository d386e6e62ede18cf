//! Which tracepoints are read, and as what: the only list of what this front end reads.
//!
//! To add a tracepoint of the scheduler, write its fields in `scheduler.rs`, and a row here. The
//! tracepoints of [`operations`](crate::operations) are listed in that module.

use whyslow_perfdata::TraceFormat;

use super::groups::MoveFields;
use super::plan::{Found, Plan};
use super::scheduler::{ExecFields, SwitchFields, WakingFields};
use crate::operations::{Decoder, SOURCES};

/// Finds the fields; `None` where the format lacks one.
type Planner = fn(&TraceFormat) -> Option<Plan>;

/// A tracepoint of the scheduler, or of the groups that it schedules.
struct Row {
    name: &'static str,
    plan: Planner,
    /// Another tracepoint, and the plan for this one if the file has both.
    beside: Option<(&'static str, Planner)>,
}

const SCHEDULER: &[Row] = &[
    Row {
        name: "sched:sched_switch",
        plan: |format| SwitchFields::of(format).map(Plan::Switch),
        beside: None,
    },
    Row {
        name: "sched:sched_waking",
        plan: |format| WakingFields::of(format).map(Plan::Waking),
        beside: None,
    },
    Row {
        name: "sched:sched_wakeup",
        plan: |format| WakingFields::of(format).map(Plan::Waking),
        beside: Some(("sched:sched_waking", |format| {
            WakingFields::of(format).map(Plan::Queued)
        })),
    },
    Row {
        name: "sched:sched_wakeup_new",
        plan: |format| WakingFields::of(format).map(Plan::FirstWaking),
        beside: None,
    },
    Row {
        name: "sched:sched_process_exec",
        plan: |format| ExecFields::of(format).map(Plan::Exec),
        beside: None,
    },
    Row {
        name: "cgroup:cgroup_attach_task",
        plan: |format| MoveFields::of(format).map(Plan::GroupMove),
        beside: None,
    },
];

/// Returns the plan for an event by its name, or `None` if nothing reads it.
///
/// `names` are those of all events of the file. If the `format` is missing, or lacks a field, the
/// answer is `Some(None)`. The decoders of operations are added to `decoders`.
pub(super) fn plan(
    name: &str,
    names: &[String],
    format: Option<&TraceFormat>,
    decoders: &mut Vec<Decoder>,
) -> Option<Option<Plan>> {
    if let Some(row) = SCHEDULER.iter().find(|row| row.name == name) {
        let has = |other: &str| names.iter().any(|name| name == other);
        let beside = row.beside.filter(|(other, _)| has(other));
        return Some(format.and_then(beside.map_or(row.plan, |(_, plan)| plan)));
    }
    let mut all = SOURCES
        .iter()
        .flat_map(|source| source.tracepoints.iter().map(move |of| (source, of)));
    let (source, tracepoint) = all.find(|(_, tracepoint)| tracepoint.name == name)?;
    let decoder = format.and_then(tracepoint.decoder);
    Some(decoder.map(|decoder| {
        decoders.push(decoder);
        Plan::Operation(Found {
            source,
            tracepoint,
            decoder: decoders.len() - 1,
        })
    }))
}
