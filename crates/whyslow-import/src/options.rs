//! The options of an import, and its progress.

use whyslow_settle::TraceFacts;

use crate::limits::Limits;

/// Records between two calls of the progress callback.
pub(crate) const PROGRESS_RECORDS: u64 = 1 << 13;

/// What to import, and how.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Limits on memory.
    pub limits: Limits,
    /// What the caller knows about the trace: id, file name, size, test case, version of the tool.
    pub facts: TraceFacts,
}

/// How far an import has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the file read so far.
    pub bytes: u64,
    /// Records taken so far.
    pub records: u64,
}
