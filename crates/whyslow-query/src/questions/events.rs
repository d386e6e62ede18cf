//! `events`: what is in a trace itself, before it is reduced. The trace is read elsewhere; this
//! file defines the tables, and applies a selection to them.

use std::sync::Arc;

use whyslow_results::{
    Column, Columns, FileInfo, Kind, Note, ResultColumn, ResultSchema, ResultTable, Value, shown,
};

use crate::error::QueryError;
use crate::selection::Selection;
use crate::shape::{self, Part};

/// The tables used for traces themselves.
pub static EVENT_TABLES: &[&ResultSchema] = &[&EVENTS, &EVENT_LIST];

/// The table of the counts.
pub static EVENTS: ResultSchema = ResultSchema::new(
    "events",
    "How many events of which kind a trace holds.",
    "Events",
    &COUNTS_SHOWN,
)
.largest("count");

#[rustfmt::skip]
const COUNTS: Columns<EventCount> = &[
    ResultColumn::new("provider", "provider", "Provider", Kind::Text, "Who wrote the events: the kernel, a provider by its name or else its GUID, or the system of a tracepoint.").priority(3).rigid()
        .cell(|row, ()| text(&row.provider)),
    ResultColumn::new("event", "event", "Event", Kind::Text, "The event: task and opcode, or its own name; `EventID(12)` where nothing names it.").priority(0)
        .cell(|row, ()| text(&row.event)),
    ResultColumn::new("id", "id", "Id", Kind::Text, "What distinguishes it from the provider's other events: its id, or group and opcode of a kernel event, such as 0x0f2e.").hidden()
        .cell(|row, ()| text(&row.id)),
    ResultColumn::new("count", "count", "Count", Kind::Count, "How many events match.").priority(0).summed()
        .cell(|row, ()| Value::Int(row.count)),
    ResultColumn::new("bytes", "bytes", "Size", Kind::Bytes, "Their size with headers, uncompressed.").priority(4).summed()
        .cell(|row, ()| Value::Int(row.bytes)),
    ResultColumn::new("first", "first_ns", "First", Kind::Time, "Time of the first one.").priority(7)
        .cell(|row, ()| Value::Int(row.first_ns)),
    ResultColumn::new("last", "last_ns", "Last", Kind::Time, "Time of the last one.").priority(7)
        .cell(|row, ()| Value::Int(row.last_ns)),
    ResultColumn::new("owners", "processes", "Processes", Kind::Count, "How many processes they belong to.").priority(6)
        .cell(|row, ()| Value::Int(row.processes)),
    ResultColumn::new("stacks", "with_stack", "With stack", Kind::Count, "How many of them have a stack.").priority(5).summed()
        .cell(|row, ()| Value::Int(row.stacks)),
    ResultColumn::new("decoded", "decoded_by", "Decoded by", Kind::Text, "How their fields are known: `kernel` layouts, a description in the `trace`, a `table` that comes with whyslow, the event `itself`, perf's `record` types; `raw` where no description exists or fits.").priority(5).rigid()
        .cell(|row, ()| Value::text(row.decoded)),
];

static COUNTS_SHOWN: [ResultColumn; COUNTS.len()] = shown(COUNTS);

/// The table of the list.
static EVENT_LIST: ResultSchema = ResultSchema::new(
    "event-list",
    "The events of a trace one by one (events --list).",
    "Events in order of time",
    &LINES_SHOWN,
);

/// Returns the cell of an event.
type LineCell = fn(&EventLine<'_>) -> Value;

#[rustfmt::skip]
const LINES: &[Column<LineCell>] = &[
    ResultColumn::new("time", "time_ns", "Time", Kind::Time, "When it happened.").priority(0)
        .cell(|line| Value::Int(line.time_ns)),
    ResultColumn::new("cpu", "cpu", "CPU", Kind::Id, "The CPU that wrote it.").priority(6)
        .cell(|line| Value::int(line.cpu)),
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process it belongs to.").priority(2).rigid()
        .cell(|line| line.process.map_or(Value::Null, text)),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's id of that process.").priority(4)
        .cell(|line| Value::int(line.pid)),
    ResultColumn::new("tid", "tid", "TID", Kind::Id, "The system's id of the thread.").priority(5)
        .cell(|line| Value::int(line.tid)),
    ResultColumn::new("provider", "provider", "Provider", Kind::Text, "Who wrote it, as in the counts.").priority(7).rigid()
        .cell(|line| text(line.provider)),
    ResultColumn::new("event", "event", "Event", Kind::Text, "The event, as in the counts.").priority(0)
        .cell(|line| text(line.event)),
    ResultColumn::new("id", "id", "Id", Kind::Text, "The event's id, as in the counts.").hidden()
        .cell(|line| text(line.id)),
    ResultColumn::new("bytes", "bytes", "Size", Kind::Bytes, "Size of its payload.").hidden()
        .cell(|line| Value::Int(line.bytes)),
    ResultColumn::new("fields", "fields", "Fields", Kind::Text, "Its fields, as `name=value`; in JSON and Parquet an object. `Payload` holds the bytes of an event without a description, `Rest` those that its description does not cover.").priority(0).sentences()
        .cell(|line| (line.fields)()),
];

static LINES_SHOWN: [ResultColumn; LINES.len()] = shown(LINES);

/// How many events of one kind a trace holds.
#[derive(Debug, Clone)]
pub struct EventCount {
    /// Their provider; empty if not known.
    pub provider: Arc<str>,
    /// Their name; empty if not known.
    pub event: Arc<str>,
    /// Their id; empty if not known.
    pub id: Arc<str>,
    /// How many there are.
    pub count: i64,
    /// Their size with headers.
    pub bytes: i64,
    /// When the first one was.
    pub first_ns: i64,
    /// When the last one was.
    pub last_ns: i64,
    /// Number of their processes.
    pub processes: i64,
    /// How many of them have a stack.
    pub stacks: i64,
    /// Where the description of their fields comes from.
    pub decoded: &'static str,
}

/// One event of a list.
pub struct EventLine<'a> {
    /// When it happened.
    pub time_ns: i64,
    /// The CPU that wrote it.
    pub cpu: Option<u32>,
    /// Name of its process.
    pub process: Option<&'a Arc<str>>,
    /// The system's id of that process.
    pub pid: Option<i64>,
    /// The system's id of the thread.
    pub tid: Option<i64>,
    /// Its provider; empty if not known.
    pub provider: &'a Arc<str>,
    /// Its name; empty if not known.
    pub event: &'a Arc<str>,
    /// Its id; empty if not known.
    pub id: &'a Arc<str>,
    /// Size of its payload.
    pub bytes: i64,
    /// Returns its fields as a value.
    pub fields: &'a dyn Fn() -> Value,
}

/// The events of one trace, counted.
#[derive(Debug)]
pub struct EventCounts {
    /// The trace.
    pub file: FileInfo,
    /// A row per kind of event.
    pub rows: Vec<EventCount>,
    /// Notes on them.
    pub notes: Vec<Note>,
}

impl std::fmt::Debug for EventLine<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("EventLine")
            .field("time_ns", &self.time_ns)
            .field("event", self.event)
            .finish_non_exhaustive()
    }
}

fn text(text: &Arc<str>) -> Value {
    match text.is_empty() {
        true => Value::Null,
        false => Value::Text(Arc::clone(text)),
    }
}

/// Returns the counts that the selection shows.
///
/// # Errors
/// When the selection names an unknown column, or has an invalid range.
pub fn events(counts: Vec<EventCounts>, selection: &Selection) -> Result<ResultTable, QueryError> {
    let files = counts.into_iter();
    let files = files.map(|counts| {
        let part = Part::rows(COUNTS, counts.rows, (), counts.notes);
        (counts.file, part)
    });
    shape::table(files.collect(), selection, &EVENTS)
}

/// A list of events that is filled block by block.
#[derive(Debug)]
pub struct EventList {
    /// The rows so far.
    pub table: ResultTable,
    /// The source of each column's cells; `None` for the file.
    cells: Vec<Option<LineCell>>,
}

impl EventList {
    /// Returns an empty list with the columns that the selection shows.
    ///
    /// # Errors
    /// When the selection names an unknown column.
    pub fn new(selection: &Selection, several: bool) -> Result<Self, QueryError> {
        let columns = shape::columns(selection, &EVENT_LIST, several)?;
        let (places, columns): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let cell = |place: Option<usize>| place.and_then(|at| Some(LINES.get(at)?.cell));
        Ok(Self {
            table: ResultTable::new(EVENT_LIST.name, EVENT_LIST.title, &columns),
            cells: places.into_iter().map(cell).collect(),
        })
    }

    /// Adds an event of the last file.
    pub fn push(&mut self, line: &EventLine<'_>) {
        let file = self.table.files.last();
        let file = || file.map_or(Value::Null, |file| Value::Text(Arc::clone(&file.name)));
        let cells = self.cells.iter();
        let cells = cells.map(|cell| cell.map_or_else(file, |cell| cell(line)));
        let cells = cells.collect();
        self.table.rows.push(cells);
        let file = self.table.files.len().saturating_sub(1);
        let file = u32::try_from(file).unwrap_or(u32::MAX);
        self.table.row_files.push(file);
    }

    /// Removes the rows so far.
    pub fn clear(&mut self) {
        self.table.rows.clear();
        self.table.row_files.clear();
    }
}
