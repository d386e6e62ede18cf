//! Memory stalls: the rows a scope counts.

use std::ops::ControlFlow;

use whyslow_model::tables::MemoryStallRow;
use whyslow_model::{MemoryStall, Named, ProcessId, Scan, TableRow, ThreadId};

use crate::error::QueryError;
use crate::scope::Scope;
use crate::view::View;

/// Longest time that is believed: about 30 years.
const MOST_NS: i64 = 1 << 60;

/// A thread that did not get memory at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stall {
    /// The process.
    pub process: ProcessId,
    /// The thread.
    pub thread: ThreadId,
    /// What was done meanwhile.
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
    let scan = Scan {
        columns: &[],
        processes: scope.chosen.as_deref(),
        window_ns: scope.window_ns,
    };
    view.scan(MemoryStallRow::SCHEMA, &scan, &mut |table| {
        for row in table.rows::<MemoryStallRow>() {
            let (Some(process), Some(thread)) = (row.process, row.thread) else {
                continue;
            };
            let start = row.start_ns.clamp(-MOST_NS, MOST_NS);
            let end = start + row.duration_ns.unwrap_or(0).clamp(0, MOST_NS);
            let is_outside = start >= to || end < from;
            if is_outside || !scope.process(process) || !scope.thread(thread) {
                continue;
            }
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
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}
