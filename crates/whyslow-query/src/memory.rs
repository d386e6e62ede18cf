//! Memory stalls: the rows in a scope.

use whyslow_model::tables::MemoryStallRow;
use whyslow_model::{MemoryStall, Named, ProcessId, ThreadId};

use crate::error::QueryError;
use crate::recorded::{Moment, Recorded, recorded};
use crate::scope::Scope;
use crate::view::View;

/// A thread that did not get memory at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stall {
    /// The process.
    pub process: ProcessId,
    /// The thread.
    pub thread: ThreadId,
    /// What was done in the meantime.
    pub kind: MemoryStall,
    /// When it began.
    pub start_ns: i64,
    /// How long it took, within the scope.
    pub ns: i64,
    /// Pages that were freed, if known.
    pub pages: Option<i64>,
    /// The first thread of the process that was killed.
    pub victim: Option<ThreadId>,
}

/// Calls `each` with every stall in a scope.
///
/// # Errors
/// When the table cannot be read.
pub fn stalls(
    view: View<'_>,
    scope: &Scope,
    mut each: impl FnMut(&Stall),
) -> Result<(), QueryError> {
    let (from, to) = scope.window_ns.unwrap_or((i64::MIN, i64::MAX));
    recorded(view, scope, false, |row: MemoryStallRow| {
        let (Some(process), Some(thread), Moment::Span(start, end)) =
            (row.process, row.thread, row.when())
        else {
            return;
        };
        let start_ns = start.max(from);
        each(&Stall {
            process,
            thread,
            kind: MemoryStall::from_code(row.kind).unwrap_or(MemoryStall::Unknown),
            start_ns,
            ns: end.min(to).saturating_sub(start_ns).max(0),
            pages: row.pages.map(|pages| pages.max(0)),
            victim: row.victim_thread,
        });
    })
}
