//! Which tracepoints are read, and as what: the only list of what this front end reads of them.
//!
//! To add a tracepoint of the scheduler, write its fields in `scheduler.rs`, and a row here. The
//! tracepoints of [`operations`](crate::operations) are listed there.

use whyslow_perfdata::TraceFormat;

use super::plan::{Found, Plan};
use super::scheduler::{ExecFields, SwitchFields, WakingFields};
use crate::operations::{Decoder, SOURCES};

/// A tracepoint of the scheduler.
struct Row {
    name: &'static str,
    /// It is only counted where the file has this other one.
    instead_of: Option<&'static str>,
    /// Finds the fields; `None` where the format lacks one.
    plan: fn(&TraceFormat) -> Option<Plan>,
}

const SCHEDULER: &[Row] = &[
    Row {
        name: "sched:sched_switch",
        instead_of: None,
        plan: |format| SwitchFields::of(format).map(Plan::Switch),
    },
    Row {
        name: "sched:sched_waking",
        instead_of: None,
        plan: |format| WakingFields::of(format).map(Plan::Waking),
    },
    Row {
        name: "sched:sched_wakeup",
        instead_of: Some("sched:sched_waking"),
        plan: |format| WakingFields::of(format).map(Plan::Waking),
    },
    Row {
        name: "sched:sched_wakeup_new",
        instead_of: None,
        plan: |format| WakingFields::of(format).map(Plan::FirstWaking),
    },
    Row {
        name: "sched:sched_process_exec",
        instead_of: None,
        plan: |format| ExecFields::of(format).map(Plan::Exec),
    },
];

/// Returns what an event is by its name, or `None` where nothing reads it.
///
/// `names` are those of all events of the file. Where the `format` is missing, or lacks a field, the
/// answer is `Some(None)`. The decoders of operations are added to `decoders`.
pub(super) fn plan(
    name: &str,
    names: &[String],
    format: Option<&TraceFormat>,
    decoders: &mut Vec<Decoder>,
) -> Option<Option<Plan>> {
    if let Some(row) = SCHEDULER.iter().find(|row| row.name == name) {
        let has = |other: &str| names.iter().any(|name| name == other);
        return (!row.instead_of.is_some_and(has)).then(|| format.and_then(row.plan));
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
