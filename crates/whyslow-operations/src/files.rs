//! Calls about files, counted where they were made: each count becomes a row.

use whyslow_model::tables::FileCallRow;
use whyslow_model::{FileOperation, Named, RawRow};
use whyslow_perfdata::whyslow_events::{self, FileCall};

use crate::tracker::{Scene, Tracker};

/// Calls of one thread about one file that were alike, up to the time of the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedFileCalls {
    /// The thread.
    pub tid: u32,
    /// When the first of the thread's calls that are reported together began, or earlier.
    pub from_ns: i64,
    /// The number that the recording has for the file.
    pub file: u64,
    /// Code of what was done.
    pub operation: i32,
    /// The error, or 0.
    pub result: i32,
    /// Bits of how.
    pub flags: i32,
    /// How many.
    pub count: i64,
    /// How many bytes they moved; `None` for operations that move none.
    pub bytes: Option<i64>,
    /// Time in them, estimated where not all were timed; `None` where none was.
    pub time_ns: Option<i64>,
    /// The longest that was timed.
    pub longest_ns: Option<i64>,
    /// How many were timed.
    pub timed_count: i64,
}

impl CountedFileCalls {
    /// Returns what Whyslow's recorder told of a thread.
    pub fn of(told: &whyslow_events::FileCalls) -> impl Iterator<Item = Self> {
        let from_ns = i64::try_from(told.from_ns).unwrap_or(0);
        let calls = told.calls.iter();
        calls.map(move |call| Self::of_one(told.tid, from_ns, call))
    }

    fn of_one(tid: u32, from_ns: i64, told: &FileCall) -> Self {
        let is_timed = told.timed_count > 0;
        Self {
            tid,
            from_ns,
            file: told.file,
            operation: known(told.operation.into()),
            result: told.error.into(),
            flags: told.flags.into(),
            count: number_of(told.count),
            bytes: moves_bytes(told.operation.into()).then_some(number_of(told.bytes)),
            time_ns: is_timed.then_some(number_of(told.time_ns)),
            longest_ns: is_timed.then_some(number_of(told.longest_ns)),
            timed_count: number_of(told.timed_count),
        }
    }
}

/// Returns the code of an operation; a newer recorder may know more of them.
fn known(operation: i32) -> i32 {
    let mut all = FileOperation::ALL.iter();
    let found = all.find(|(one, _)| one.code() == operation);
    found.map_or(FileOperation::Unknown, |&(one, _)| one).code()
}

fn moves_bytes(operation: i32) -> bool {
    [
        FileOperation::Read,
        FileOperation::Write,
        FileOperation::List,
    ]
    .iter()
    .any(|one| one.code() == operation)
}

fn number_of(told: u64) -> i64 {
    i64::try_from(told).unwrap_or(i64::MAX)
}

/// There is nothing to follow: the counts are whole.
#[derive(Debug)]
pub struct FileCalls;

impl Tracker for FileCalls {
    type Event = CountedFileCalls;

    fn new(_: u32) -> Self {
        Self
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let thread = scene.known_thread(Some(event.tid));
        let from_ns = event.from_ns.clamp(scene.start_ns(), scene.ns());
        let mut row = RawRow::<FileCallRow, _>::new();
        row.set(FileCallRow::from_ns, from_ns);
        row.set(FileCallRow::duration_ns, scene.ns() - from_ns);
        row.set(FileCallRow::file, scene.file(event.file));
        row.set(FileCallRow::operation, event.operation);
        row.set(FileCallRow::result, event.result);
        row.set(FileCallRow::flags, event.flags);
        row.set(FileCallRow::count, event.count);
        row.set(FileCallRow::bytes, event.bytes);
        row.set(FileCallRow::time_ns, event.time_ns);
        row.set(FileCallRow::longest_ns, event.longest_ns);
        row.set(FileCallRow::timed_count, event.timed_count);
        scene.push(thread, &row);
    }

    fn loss(&mut self) {}

    fn end(&mut self, _: &mut dyn Scene) {}
}
