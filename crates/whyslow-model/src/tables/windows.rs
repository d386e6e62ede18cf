//! What only Windows reports.
//!
//! As in [`recorded`](super::recorded), whose lists include these rows.

use super::Width;
use crate::FileOperation;
use crate::codes::{self, Named};
use crate::column::{Column, NULL_I64};
use crate::ids::{FileId, LabelId, ProcessId, StackId, ThreadId};
use crate::place::Place;
use crate::schema::{ColumnSchema, Layer, TableSchema};
use crate::table::{Field, TableRow};

table! {
    /// Calls of one routine of a mini-filter, such as a virus scanner's, that saw requests of one thread about one file and ended in a stretch of at most about a second. Their time is part of the time of the requests.
    FilterCallRow FILTER_CALL "filter_call" Raw optional {
        /// When the first of the thread's requests in this stretch was given to a filter, or later than the last one before.
        from_ns: i64,
        /// The process that made the requests.
        process: Option<ProcessId>,
        /// The thread that made the requests.
        thread: Option<ThreadId>,
        /// Time from `from_ns` until the last of the calls in this stretch had ended.
        duration_ns: i64,
        /// The file; null where there were too many to keep apart.
        file: Option<FileId>,
        /// Code of `FileOperation`.
        operation: i32 = FileOperation,
        /// Code of `FilterPhase`.
        phase: i32 = FilterPhase,
        /// How many calls there were.
        count: i64,
        /// Time in them, waits included.
        time_ns: i64,
        /// The longest.
        longest_ns: i64,
        /// The routine, as a stack of one frame; its module is the driver.
        stack: Option<StackId>,
    }
}

codes! {
    /// When a mini-filter sees a request.
    FilterPhase {
        /// Not known.
        Unknown = 0 "unknown",
        /// Before the file system.
        Before = 1 "before",
        /// After the file system.
        After = 2 "after",
    }
}

table! {
    /// An exception of a .NET program, also one that was caught or thrown again.
    ExceptionRow EXCEPTION "exception" Raw optional {
        /// When it was thrown.
        time_ns: i64,
        /// The process.
        process: Option<ProcessId>,
        /// The thread.
        thread: Option<ThreadId>,
        /// Name of its type.
        kind: Option<LabelId>,
        /// Its message.
        message: Option<LabelId>,
        /// Its code (HRESULT).
        code: i32,
        /// Bits of `ExceptionFlags`.
        flags: i32 = ExceptionFlags,
        /// Where it was thrown; null if no stack was recorded.
        stack: Option<StackId>,
    }
}

flags! {
    /// Bits of the `flags` column of `exception`.
    ExceptionFlags {
        /// It was caused by another one, which it contains.
        INNER = 1 "inner",
        /// It was thrown while another one was handled.
        NESTED = 2 "nested",
        /// It was caught before, and is thrown again.
        AGAIN = 4 "again",
        /// It shows that the state of the process is corrupted.
        CORRUPTED = 8 "corrupted",
    }
}

table! {
    /// A mark that somebody set in the recording.
    MarkRow MARK "mark" Raw optional {
        /// When it was set.
        time_ns: i64,
        /// The process that set it.
        process: Option<ProcessId>,
        /// The thread that set it.
        thread: Option<ThreadId>,
        /// Its text.
        text: Option<LabelId>,
    }
}
