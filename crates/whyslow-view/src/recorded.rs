//! Rows of things that happened at some time and were counted or recorded one by one: those that
//! belong to a scope.

use std::ops::ControlFlow;

use whyslow_model::tables::{
    AllocationRow, CallSampleRow, DatagramRow, DnsQueryRow, ExceptionRow, FileCallRow,
    FilterCallRow, GoroutineRow, HandleRow, MarkRow, MemoryStallRow, NameLookupRow,
    ProcessMemoryRow, RegistryCallRow, SingleFileCallRow, SystemCallRow, TcpConnectionRow,
};
use whyslow_model::{ProcessId, Scan, TableRow, ThreadId};

use crate::error::QueryError;
use crate::scope::Scope;
use crate::view::View;

/// Maximum plausible time: about 30 years.
const MOST_NS: i64 = 1 << 60;

/// When something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// At a time. A count over a short period is placed at its middle, so that the counts of
    /// adjacent windows add up.
    At(i64),
    /// From a time to a time; it belongs to every window that it overlaps.
    Span(i64, i64),
}

impl Moment {
    /// Returns the middle of a period.
    #[must_use]
    pub fn middle(from_ns: i64, duration_ns: i64) -> Self {
        Self::At(from_ns.saturating_add(duration_ns.max(0) / 2))
    }

    /// Returns whether it belongs to the window `[from, to)`.
    #[must_use]
    pub fn is_in(self, (from, to): (i64, i64)) -> bool {
        match self {
            Self::At(time) => time >= from && time < to,
            Self::Span(start, end) => start < to && end >= from,
        }
    }
}

/// A row with an owner and a time.
pub trait Recorded: TableRow {
    /// Whether rows may reach far beyond their first time, so that a reader cannot skip any by the
    /// window.
    const IS_LONG: bool = false;

    /// Returns its process and thread.
    fn whose(&self) -> (Option<ProcessId>, Option<ThreadId>);

    /// Returns when it happened.
    fn when(&self) -> Moment;
}

/// Passes every row in `scope` to `each`, in the order of the table. With `anybody`, rows without a
/// process are included.
///
/// # Errors
/// When the table cannot be read.
pub fn recorded<R: Recorded>(
    view: View<'_>,
    scope: &Scope,
    anybody: bool,
    mut each: impl FnMut(R),
) -> Result<(), QueryError> {
    let window = scope.window_ns.unwrap_or((i64::MIN, i64::MAX));
    let scan = Scan {
        columns: &[],
        processes: scope.chosen.as_deref().filter(|_| !anybody),
        window_ns: scope.window_ns.filter(|_| !R::IS_LONG),
    };
    view.scan(R::SCHEMA, &scan, &mut |table| {
        for row in table.rows::<R>() {
            let counts = match row.whose() {
                (Some(process), thread) => {
                    scope.process(process) && thread.is_none_or(|thread| scope.thread(thread))
                }
                (None, _) => anybody,
            };
            if counts && row.when().is_in(window) {
                each(row);
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// Implements [`Recorded`] for rows with a process and a thread.
macro_rules! recorded {
    ($($row:ident |$of:ident| $when:expr;)*) => {
        $(impl Recorded for $row {
            fn whose(&self) -> (Option<ProcessId>, Option<ThreadId>) {
                (self.process, self.thread)
            }

            fn when(&self) -> Moment {
                let $of = self;
                $when
            }
        })*
    };
}

recorded! {
    FileCallRow |row| Moment::middle(row.from_ns, row.duration_ns);
    FilterCallRow |row| Moment::middle(row.from_ns, row.duration_ns);
    RegistryCallRow |row| Moment::middle(row.from_ns, row.duration_ns);
    DatagramRow |row| Moment::middle(row.from_ns, row.duration_ns);
    GoroutineRow |row| {
        let start = row.from_ns.clamp(-MOST_NS, MOST_NS);
        Moment::Span(start, start + row.duration_ns.clamp(0, MOST_NS))
    };
    SystemCallRow |row| Moment::middle(row.from_ns, row.duration_ns);
    CallSampleRow |row| Moment::At(row.time_ns);
    SingleFileCallRow |row| Moment::At(row.start_ns);
    DnsQueryRow |row| Moment::At(row.time_ns);
    ExceptionRow |row| Moment::At(row.time_ns);
    AllocationRow |row| Moment::At(row.time_ns);
    HandleRow |row| Moment::At(row.time_ns);
    MarkRow |row| Moment::At(row.time_ns);
    NameLookupRow |row| Moment::At(row.time_ns);
    MemoryStallRow |row| {
        let start = row.start_ns.clamp(-MOST_NS, MOST_NS);
        Moment::Span(start, start + row.duration_ns.unwrap_or(0).clamp(0, MOST_NS))
    };
}

impl Recorded for TcpConnectionRow {
    const IS_LONG: bool = true;

    fn whose(&self) -> (Option<ProcessId>, Option<ThreadId>) {
        (self.process, self.thread)
    }

    fn when(&self) -> Moment {
        // A connection that did not end is open to the end of time.
        let duration_ns = self.duration_ns.unwrap_or(i64::MAX).max(0);
        Moment::Span(self.open_ns, self.open_ns.saturating_add(duration_ns))
    }
}

impl Recorded for ProcessMemoryRow {
    const IS_LONG: bool = true;

    /// What a process has, it has whether the thread is still there or not.
    fn whose(&self) -> (Option<ProcessId>, Option<ThreadId>) {
        (self.process, None)
    }

    /// From then on.
    fn when(&self) -> Moment {
        Moment::Span(self.time_ns, i64::MAX)
    }
}
