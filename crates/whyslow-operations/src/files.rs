//! Calls about files, counted where they were made: each count becomes a row.

use whyslow_model::tables::{FileCallRow, SingleFileCallRow};
use whyslow_model::{FileCallFlags, FileOperation, Named, RawRow};
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
    /// Flags.
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
    /// Returns what Whyslow's recorder reported about a thread.
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

/// One call about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SingleFileCall {
    /// The thread.
    pub tid: u32,
    /// When it began; when it had ended, if it is not known how long it took.
    pub start_ns: i64,
    /// How long it took, if that was measured.
    pub duration_ns: Option<i64>,
    /// The number that the recording has for the file.
    pub file: u64,
    /// The same for the file that it was renamed, linked or copied to.
    pub other: Option<u64>,
    /// Code of what was done.
    pub operation: i32,
    /// Code of the system call.
    pub call: i32,
    /// The error, or 0.
    pub result: i32,
    /// Flags.
    pub flags: i32,
    /// Where in the file.
    pub offset_bytes: Option<i64>,
    /// How much it asked for.
    pub asked_bytes: Option<i64>,
    /// How much it moved.
    pub bytes: Option<i64>,
    /// How much it read from disks.
    pub disk_bytes: Option<i64>,
}

impl SingleFileCall {
    /// Returns what Whyslow's recorder reported about a thread.
    pub fn of(told: &whyslow_events::SingleFileCalls) -> impl Iterator<Item = Self> {
        let calls = told.calls.iter();
        calls.map(move |call| Self::of_one(told.tid, call))
    }

    fn of_one(tid: u32, told: &whyslow_events::SingleFileCall) -> Self {
        let moved = told.error == 0 && moves_bytes(told.operation.into());
        let slept = if told.has_slept {
            FileCallFlags::SLEPT.0
        } else {
            0
        };
        Self {
            tid,
            start_ns: number_of(told.start_ns),
            duration_ns: told.duration_ns.map(number_of),
            file: told.file,
            other: (told.other != 0).then_some(told.other),
            operation: known(told.operation.into()),
            call: told.system_call.into(),
            result: told.error.into(),
            flags: i32::from(told.flags) | slept,
            // The kernel counts them as signed numbers, too.
            offset_bytes: told.offset.map(u64::cast_signed).filter(|&at| at >= 0),
            asked_bytes: told.asked_bytes.map(number_of),
            bytes: moved.then_some(told.result.max(0)),
            disk_bytes: told.disk_bytes.map(number_of),
        }
    }
}

/// There is nothing to follow: each is complete.
#[derive(Debug)]
pub struct SingleFileCalls;

impl Tracker for SingleFileCalls {
    type Event = SingleFileCall;

    fn new(_: u32) -> Self {
        Self
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let thread = scene.known_thread(Some(event.tid));
        // A call that is older than the trace begins with it.
        let start_ns = event.start_ns.clamp(scene.start_ns(), scene.ns());
        let before = start_ns.saturating_sub(event.start_ns).max(0);
        let duration_ns = event.duration_ns.map(|ns| (ns - before).max(0));
        let mut row = RawRow::<SingleFileCallRow, _>::new();
        row.set(SingleFileCallRow::start_ns, start_ns);
        row.set(SingleFileCallRow::duration_ns, duration_ns);
        row.set(SingleFileCallRow::file, scene.file(event.file));
        let other = event.other.and_then(|other| scene.file(other));
        row.set(SingleFileCallRow::other_file, other);
        row.set(SingleFileCallRow::operation, event.operation);
        row.set(SingleFileCallRow::call, event.call);
        row.set(SingleFileCallRow::result, event.result);
        row.set(SingleFileCallRow::flags, event.flags);
        row.set(SingleFileCallRow::offset_bytes, event.offset_bytes);
        row.set(SingleFileCallRow::asked_bytes, event.asked_bytes);
        row.set(SingleFileCallRow::bytes, event.bytes);
        row.set(SingleFileCallRow::disk_bytes, event.disk_bytes);
        scene.push(thread, &row);
    }

    fn loss(&mut self) {}

    fn end(&mut self, _: &mut dyn Scene) {}
}

fn number_of(told: u64) -> i64 {
    i64::try_from(told).unwrap_or(i64::MAX)
}

/// There is nothing to follow: the counts are complete.
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
