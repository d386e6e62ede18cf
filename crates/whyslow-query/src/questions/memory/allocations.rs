//! `memory` of Windows traces: what processes got from the system, and what they did not give back.

use std::collections::BTreeMap;

use whyslow_model::tables::AllocationRow;
use whyslow_model::{Capability, ProcessId, StackId};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::peaks::Peaks;
use crate::question::Request;
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::stacks::{Stacks, WantedStacks};
use crate::sums::notes;
use crate::view::View;

pub(super) static TABLE: ResultSchema = ResultSchema::new(
    "allocations",
    "Memory that processes got from the system, and what they kept.",
    "Memory that processes got",
    &SHOWN,
)
.largest("kept-bytes");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Context> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0)
        .cell(|row, of| row.process.map_or(Value::Null, |id| Value::text(of.facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(3)
        .cell(|row, of| Value::int(row.process.and_then(|id| of.facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("got", "got", "Got", Kind::Count, "How often it got memory; an allocation that was given back in parts counts once per part.").priority(2).summed()
        .cell(|row, _| Value::Int(row.sum.got)),
    ResultColumn::new("got-bytes", "got_bytes", "Bytes got", Kind::Bytes, "How much memory it got.").priority(1).summed()
        .cell(|row, _| Value::Int(row.sum.got_bytes)),
    ResultColumn::new("kept", "kept", "Kept", Kind::Count, "How many allocations were not given back before the process, the recording or the selected time ended.").priority(2).summed()
        .cell(|row, _| Value::Int(row.sum.kept)),
    ResultColumn::new("kept-bytes", "kept_bytes", "Bytes kept", Kind::Bytes, "How much of it was not given back.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.kept_bytes)),
    ResultColumn::new("peak-bytes", "peak_bytes", "Peak", Kind::Bytes, "The most that it had at one time.").priority(1)
        .cell(|row, _| Value::Int(row.peak_bytes)),
    ResultColumn::new("frames", "stack", "Got by", Kind::Text, "Functions of the program that got it, nearest to the leaf first, with `--by stack`.").priority(1)
        .cell(|row, of| of.frames(row)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// About so many changes are kept, to find peaks: 64 MB.
const MOST_CHANGES: usize = 4 << 20;

/// The process, and where it got memory if rows are separate by that.
type Key = (Option<ProcessId>, Option<Option<StackId>>);

#[derive(Debug, Default)]
struct Sum {
    got: i64,
    got_bytes: i64,
    kept: i64,
    kept_bytes: i64,
}

impl Sum {
    /// Adds memory of this size, and whether it was kept.
    fn add(&mut self, bytes: i64, is_kept: bool) {
        self.got += 1;
        self.got_bytes = self.got_bytes.saturating_add(bytes);
        if is_kept {
            self.kept += 1;
            self.kept_bytes = self.kept_bytes.saturating_add(bytes);
        }
    }
}

struct Row {
    process: Option<ProcessId>,
    stack: Option<Option<StackId>>,
    sum: Sum,
    peak_bytes: i64,
}

/// What the cells of a row need.
struct Context {
    facts: Facts,
    stacks: Stacks,
}

impl Context {
    fn frames(&self, row: &Row) -> Value {
        let Some(Some(stack)) = row.stack else {
            return Value::Null;
        };
        match self.stacks.user_frames(Some(stack), 5).as_slice() {
            [] => Value::Null,
            frames => Value::text(&frames.join(" < ")),
        }
    }
}

/// Answers about what was got within the selected time, up to its end.
pub(super) fn ask(
    views: &[View<'_>],
    request: &Request<'_>,
    by_stack: bool,
) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::Allocations) {
            return Ok(Read::lacks(&facts, Capability::Allocations));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let to_ns = scope.window_ns.map_or(i64::MAX, |(_, to)| to);
        let functions = WantedStacks::read(view, selection.functions.as_ref())?;
        let mut sums: BTreeMap<Key, Sum> = BTreeMap::new();
        let mut peaks = Peaks::new(MOST_CHANGES);
        recorded(
            view,
            &scope,
            selection.is_of_anybody(),
            |row: AllocationRow| {
                if selection.functions.is_none() || functions.has(row.stack) {
                    let key = (row.process, by_stack.then_some(row.stack));
                    let bytes = row.size_bytes.max(0);
                    let end_ns = row.duration_ns.map(|ns| row.time_ns.saturating_add(ns));
                    let end_ns = end_ns.filter(|&end_ns| end_ns < to_ns);
                    sums.entry(key).or_default().add(bytes, end_ns.is_none());
                    peaks.add(key, bytes, (row.time_ns, end_ns));
                }
            },
        )?;
        let rows = sums.into_iter().map(|(key, sum)| Row {
            process: key.0,
            stack: key.1,
            peak_bytes: peaks.take(&key),
            sum,
        });
        let (rows, mut notes) = (rows.collect(), notes(&facts));
        if peaks.is_rough() {
            let text = "memory was got and given back very often: real peaks may be somewhat higher than shown";
            notes.push(Note::info(text));
        }
        let stacks = Stacks::read(view)?;
        Ok(Read::rows(COLUMNS, rows, Context { facts, stacks }, notes))
    })
}
