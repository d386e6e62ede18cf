//! What a tracker of operations does, and what it may ask for.

use whyslow_model::tables::RawTableRow;
use whyslow_model::{FileId, ProblemKind, RawRow, RawTable};

/// Follows the operations of one kind, and makes a row of each.
pub trait Tracker {
    /// The start or the end of one.
    type Event;

    /// Returns a tracker that has seen nothing.
    fn new(most_open: u32) -> Self;

    /// Takes a start or an end.
    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene);

    /// Events were lost: what is in flight may have ended since.
    fn loss(&mut self);

    /// The trace ends: what is in flight has no end.
    fn end(&mut self, scene: &mut dyn Scene);
}

/// The number of a thread that is not known.
pub(crate) const NO_THREAD: u32 = u32::MAX;

/// The context of an event: when it happened, and what the import knows about threads.
///
/// Threads are identified by their provisional number, `u32::MAX` where it is not known.
pub trait Scene {
    /// Returns when the event happened; at the end of the trace, its end.
    fn ns(&self) -> i64;

    /// Returns when the trace starts.
    fn start_ns(&self) -> i64;

    /// Returns the stack of the event, for a column of stacks.
    fn stack(&mut self) -> i64;

    /// Returns the thread in whose context the event happened, adding it if it is new.
    fn event_thread(&mut self) -> u32;

    /// Returns the thread that an id means if it is alive, or else some thread of the event's process.
    fn owner(&mut self, tid: Option<u32>) -> u32;

    /// Returns some thread of the living process that an id means.
    fn thread_of_process(&mut self, pid: u32) -> u32;

    /// Returns the thread that an id means, adding it if it is new.
    fn thread(&mut self, tid: Option<u32>) -> u32;

    /// Returns the thread that an id means if one of that id is alive.
    fn known_thread(&self, tid: Option<u32>) -> u32;

    /// Returns the file that a number of the recording refers to, if known.
    fn file(&self, number: u64) -> Option<FileId>;

    /// Notes that a file was opened; `kind` is that of its mode in Linux, 0 if not known.
    fn opened(&mut self, file: FileId, kind: u32);

    /// Pushes a row of a thread: one number for each column.
    fn push_cells(&mut self, table: RawTable, thread: u32, cells: &[i64]);

    /// Counts a problem.
    fn problem(&mut self, kind: ProblemKind, count: u64, what: &'static str);
}

impl dyn Scene + '_ {
    /// Pushes a row of a thread.
    pub fn push<R: RawTableRow>(&mut self, thread: u32, row: &RawRow<R, R::Cells>) {
        self.push_cells(R::TABLE, thread, row.cells());
    }
}
