//! `memory --processes`: how much memory processes had at first, at most and at last.

use whyslow_model::tables::ProcessMemoryRow;
use whyslow_model::{Capability, ProcessId};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::process_memory::{MemoryOf, memory_of_processes};
use crate::question::Request;
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::sums::notes;
use crate::view::View;

pub(super) static TABLE: ResultSchema = ResultSchema::new(
    "process-memory",
    "How much memory processes had.",
    "Memory of processes",
    &SHOWN,
)
.largest("peak");

pub(super) static LISTED: ResultSchema = ResultSchema::new(
    "memory-readings",
    "How much memory processes had, every time that it was read and had changed.",
    "Memory of processes over time",
    &LISTED_SHOWN,
);

type Row = (ProcessId, MemoryOf);

/// A figure of the last reading.
fn at_last(row: &Row, figure: impl Fn(&ProcessMemoryRow) -> Option<i64>) -> Value {
    Value::int(row.1.last.as_ref().and_then(figure))
}

#[rustfmt::skip]
const COLUMNS: Columns<Row, Facts> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0)
        .cell(|row, facts| Value::text(facts.process_name(row.0))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(1)
        .cell(|row, facts| Value::int(facts.process(row.0).map(|process| process.os_pid))),
    ResultColumn::new("first", "first_bytes", "First", Kind::Bytes, "What it had in RAM at the first reading, or when the selected time began; empty if the process ended before the first reading.").priority(1)
        .cell(|row, _| Value::int(row.1.first.as_ref().and_then(|first| first.resident_bytes))),
    ResultColumn::new("peak", "peak_bytes", "Peak", Kind::Bytes, "The most that it had in RAM.").priority(0)
        .cell(|row, _| Value::int(row.1.peak_bytes)),
    ResultColumn::new("last", "last_bytes", "Last", Kind::Bytes, "What it had in RAM at the last reading.").priority(1)
        .cell(|row, _| at_last(row, |last| last.resident_bytes)),
    ResultColumn::new("growth", "growth_bytes", "Growth", Kind::Bytes, "The last reading minus the first: negative if the process shrank, empty if there is only one reading.").priority(0).summed()
        .cell(|row, _| Value::int(row.1.growth_bytes())),
    ResultColumn::new("own", "own_bytes", "Own", Kind::Bytes, "Of the last reading: memory that is not backed by a file (Linux), or not shared with other processes (Windows).").priority(2).summed()
        .cell(|row, _| at_last(row, |last| last.private_bytes)),
    ResultColumn::new("mapped", "file_bytes", "Files", Kind::Bytes, "Of the last reading: pages of files, such as programs and libraries, which processes share (Linux).").priority(4)
        .cell(|row, _| at_last(row, |last| last.file_bytes)),
    ResultColumn::new("shared", "shared_bytes", "Shared", Kind::Bytes, "Of the last reading: shared memory (Linux).").priority(5)
        .cell(|row, _| at_last(row, |last| last.shared_bytes)),
    ResultColumn::new("swapped", "swapped_bytes", "Swapped", Kind::Bytes, "The most that was in the swap area, in addition (Linux).").priority(3)
        .cell(|row, _| Value::int(row.1.swapped_bytes)),
    ResultColumn::new("committed", "committed_bytes", "Committed", Kind::Bytes, "What the system had promised it at last, in RAM or in the page file (Windows).").priority(3).summed()
        .cell(|row, _| at_last(row, |last| last.committed_bytes)),
    ResultColumn::new("peak-at", "peak_at_ns", "Peak at", Kind::Time, "When the peak was read; empty if the system reported the peak without a time.").priority(6)
        .cell(|row, _| Value::int(row.1.peak_ns)),
    ResultColumn::new("readings", "readings", "Readings", Kind::Count, "Number of readings that differed from the one before.").hidden().summed()
        .cell(|row, _| Value::Int(row.1.readings)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

#[rustfmt::skip]
const LISTED_COLUMNS: Columns<ProcessMemoryRow, Facts> = &[
    ResultColumn::new("at", "at_ns", "At", Kind::Time, "When it was read.").priority(0)
        .cell(|row, _| Value::Int(row.time_ns)),
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0)
        .cell(|row, facts| row.process.map_or(Value::Null, |id| Value::text(facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(1)
        .cell(|row, facts| Value::int(row.process.and_then(|id| facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("resident", "resident_bytes", "In RAM", Kind::Bytes, "What it had in RAM; empty where only the peak is known.").priority(0)
        .cell(|row, _| Value::int(row.resident_bytes)),
    ResultColumn::new("own", "own_bytes", "Own", Kind::Bytes, "Of that: memory that is not backed by a file (Linux), or not shared with other processes (Windows).").priority(2)
        .cell(|row, _| Value::int(row.private_bytes)),
    ResultColumn::new("mapped", "file_bytes", "Files", Kind::Bytes, "Of that: pages of files (Linux).").priority(4)
        .cell(|row, _| Value::int(row.file_bytes)),
    ResultColumn::new("shared", "shared_bytes", "Shared", Kind::Bytes, "Of that: shared memory (Linux).").priority(5)
        .cell(|row, _| Value::int(row.shared_bytes)),
    ResultColumn::new("swapped", "swapped_bytes", "Swapped", Kind::Bytes, "What was in the swap area, in addition (Linux).").priority(3)
        .cell(|row, _| Value::int(row.swapped_bytes)),
    ResultColumn::new("committed", "committed_bytes", "Committed", Kind::Bytes, "What the system had promised it (Windows).").priority(3)
        .cell(|row, _| Value::int(row.committed_bytes)),
    ResultColumn::new("peak", "peak_bytes", "Peak", Kind::Bytes, "The most that the process had in RAM since it started its program; only on its last row, read when the process or the recording ended.").priority(1)
        .cell(|row, _| Value::int(row.peak_bytes)),
];

static LISTED_SHOWN: [ResultColumn; LISTED_COLUMNS.len()] = shown(LISTED_COLUMNS);

/// Answers how much each process had, or with `lists` every reading.
pub(super) fn ask(
    views: &[View<'_>],
    request: &Request<'_>,
    lists: bool,
) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let table = if lists { &LISTED } else { &TABLE };
    shape::ask(views, selection, table, |view, facts| {
        if !facts.has(Capability::ProcessMemory) {
            return Ok(Read::lacks(&facts, Capability::ProcessMemory));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let mut notes = notes(&facts);
        if selection.functions.is_some() {
            let text = "how much memory processes had is read without stacks: --functions makes no difference";
            notes.push(Note::info(text));
        }
        if !lists {
            let rows = memory_of_processes(view, &facts, &scope)?;
            return Ok(Read::rows(
                COLUMNS,
                rows.into_iter().collect(),
                facts,
                notes,
            ));
        }
        let from = scope.window_ns.map_or(i64::MIN, |(from, _)| from);
        let mut rows = Vec::new();
        recorded(view, &scope, false, |row: ProcessMemoryRow| {
            rows.extend((row.time_ns >= from).then_some(row));
        })?;
        rows.sort_by_key(|row| (row.time_ns, row.process));
        Ok(Read::rows(LISTED_COLUMNS, rows, facts, notes))
    })
}
