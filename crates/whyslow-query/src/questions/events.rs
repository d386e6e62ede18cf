//! `events`: what is in a trace itself, before it is reduced. The trace is read elsewhere; here is
//! what its tables look like, and how a selection is applied to them.

use crate::error::QueryError;
use crate::result::{FileInfo, Kind, Note, Order, ResultColumn, ResultTable, Value};
use crate::selection::Selection;
use crate::shape::{self, Part, Shape};

/// Columns of the counts.
#[rustfmt::skip]
pub(super) static COUNTS: &[ResultColumn] = &[
    ResultColumn::new("provider", "provider", "Provider", Kind::Text, "Who wrote the events: the kernel, a provider by its name or else its GUID, or the system of a tracepoint.").priority(3).rigid(),
    ResultColumn::new("event", "event", "Event", Kind::Text, "The event: task and opcode, or its own name; `EventID(12)` where nothing names it.").priority(0),
    ResultColumn::new("id", "id", "Id", Kind::Text, "What tells it from the provider's other events: its id, or group and opcode of a kernel event, as 0x0f2e.").hidden(),
    ResultColumn::new("count", "count", "Count", Kind::Count, "How many events match.").priority(0).summed(),
    ResultColumn::new("bytes", "bytes", "Size", Kind::Bytes, "Their size with headers, uncompressed.").priority(4).summed(),
    ResultColumn::new("first", "first_ns", "First", Kind::Time, "When the first one was.").priority(7),
    ResultColumn::new("last", "last_ns", "Last", Kind::Time, "When the last one was.").priority(7),
    ResultColumn::new("owners", "processes", "Processes", Kind::Count, "How many processes they are of.").priority(6),
    ResultColumn::new("stacks", "with_stack", "With stack", Kind::Count, "How many of them have a stack.").priority(5).summed(),
    ResultColumn::new("decoded", "decoded_by", "Decoded by", Kind::Text, "What their fields are known from: `kernel` layouts, a description in the `trace`, a `table` that comes with whyslow, the event `itself`, perf's `record` types; `raw` where nothing describes them.").priority(5).rigid(),
];

/// Columns of the list.
#[rustfmt::skip]
pub(super) static LINES: &[ResultColumn] = &[
    ResultColumn::new("time", "time_ns", "Time", Kind::Time, "When it happened.").priority(0),
    ResultColumn::new("cpu", "cpu", "CPU", Kind::Id, "The CPU that wrote it.").priority(6),
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process it is of.").priority(2).rigid(),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's id of that process.").priority(4),
    ResultColumn::new("tid", "tid", "TID", Kind::Id, "The system's id of the thread.").priority(5),
    ResultColumn::new("provider", "provider", "Provider", Kind::Text, "Who wrote it, as in the counts.").priority(7).rigid(),
    ResultColumn::new("event", "event", "Event", Kind::Text, "The event, as in the counts.").priority(0),
    ResultColumn::new("id", "id", "Id", Kind::Text, "The event's id, as in the counts.").hidden(),
    ResultColumn::new("bytes", "bytes", "Size", Kind::Bytes, "Size of its payload.").hidden(),
    ResultColumn::new("fields", "fields", "Fields", Kind::Text, "Its fields, as `name=value`; in JSON and Parquet an object. `Payload` are the bytes of an event that nothing describes, `Rest` what does not fit its description.").priority(0).sentences(),
];

static COUNTS_SHAPE: Shape = Shape {
    question: "events",
    title: "Events",
    columns: COUNTS,
    tree: None,
    order: Some(("count", Order::Descending)),
    top_order: None,
    swap: &[],
};

static LINES_SHAPE: Shape = Shape {
    question: "event-list",
    title: "Events in order of time",
    columns: LINES,
    tree: None,
    order: None,
    top_order: None,
    swap: &[],
};

/// The events of one trace, counted.
#[derive(Debug)]
pub struct EventCounts {
    /// The trace.
    pub file: FileInfo,
    /// A row per kind of event, as `whyslow columns events` has them.
    pub rows: Vec<Vec<Value>>,
    /// What to know about them.
    pub notes: Vec<Note>,
}

/// Returns the counts as far as the selection shows them.
///
/// # Errors
/// When the selection names an unknown column, or has a range that is none.
pub fn events(counts: Vec<EventCounts>, selection: &Selection) -> Result<ResultTable, QueryError> {
    let files = counts.into_iter();
    let files = files.map(|counts| (counts.file, Part::list(counts.rows, counts.notes)));
    shape::table(files.collect(), selection, &COUNTS_SHAPE)
}

/// Returns an empty list of events, and per column its place among all (`None` for the file).
///
/// # Errors
/// When the selection names an unknown column.
pub fn event_list(
    selection: &Selection,
    several: bool,
) -> Result<(ResultTable, Vec<Option<usize>>), QueryError> {
    let columns = shape::columns(selection, &LINES_SHAPE, several)?;
    let (places, columns): (_, Vec<_>) = columns.into_iter().unzip();
    let table = ResultTable::new(LINES_SHAPE.question, LINES_SHAPE.title, &columns);
    Ok((table, places))
}
