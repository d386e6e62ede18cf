//! The sink that import pushes rows into, and how their provisional values are settled.
//!
//! Facts arrive late: a stack, a mapping or a process's name may be known only at the end of the
//! trace. So a row is pushed as soon as its event is complete, with *provisional* values in it. The
//! sink keeps rows in sorted runs (in memory, then on disk). When everything is known, it passes
//! every row to [`Settle`], in the final order, before writing it.
//!
//! ```text
//! event ─tracker→ push(table, owner, row) ─► runs, grouped by owner ─► merge ─settle→ Parquet
//! ```
//!
//! A row is one `i64` per column of the table's schema; null is [`NULL_I64`](crate::NULL_I64).

use crate::tables::RawTable;

/// The import's provisional number of a thread; rows are grouped by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnerRef(pub u32);

impl OwnerRef {
    /// The owner of rows without a known thread; they come last.
    pub const NOBODY: Self = Self(u32::MAX);
}

/// Where import pushes its rows.
pub trait RowSink {
    /// Appends one row of `table` that belongs to `owner`.
    ///
    /// `row` has one value per column ([`RawRow`](crate::RawRow)); the first is the time that
    /// orders the rows of an owner. Rows of one owner come in that order, except for late events;
    /// the sink sorts.
    ///
    /// # Errors
    /// When the temporary files cannot be written.
    fn push(&mut self, table: RawTable, owner: OwnerRef, row: &[i64]) -> Result<(), SinkError>;
}

/// Turns provisional values into final ones once every fact has arrived.
pub trait Settle {
    /// Returns all owners in the order in which their rows are to be written: by process, then
    /// thread.
    fn owners(&self) -> Vec<OwnerRef>;

    /// Rewrites `row` of `owner` in place: ids and stacks become final.
    ///
    /// Called once per row, in the final order, so ids may be assigned at first use.
    fn settle(&mut self, table: RawTable, owner: OwnerRef, row: &mut [i64]);
}

/// Why a sink could not take a row.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {what}: {source}")]
pub struct SinkError {
    /// The file or step that failed.
    pub what: String,
    /// The cause.
    pub source: std::io::Error,
}
