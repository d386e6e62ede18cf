//! Counted calls on files: the rows in a scope, and the files by name.

use whyslow_model::tables::{FileCallRow, FileRow, SingleFileCallRow};
use whyslow_model::{
    FileCallFlags, FileFlags, FileId, FileOperation, Named, ProcessId, SystemCall,
    SystemCallResult, TableRow, ThreadId,
};

use crate::error::QueryError;
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::system_calls::CallSum;
use crate::view::View;

/// Similar calls of one thread on one file.
#[derive(Debug, Clone, Copy)]
pub struct FileCalls {
    /// The process.
    pub process: ProcessId,
    /// The thread.
    pub thread: ThreadId,
    /// The file; `None`: there were too many to distinguish.
    pub file: Option<FileId>,
    /// What was done.
    pub operation: FileOperation,
    /// Their result.
    pub result: SystemCallResult,
    /// How it was done.
    pub flags: FileCallFlags,
    /// Their number, time and bytes.
    pub sum: CallSum,
}

/// The files of a trace.
#[derive(Debug, Default)]
pub struct FileNames {
    rows: Vec<FileRow>,
}

impl FileNames {
    /// Reads them.
    ///
    /// # Errors
    /// When the extract cannot be read.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let table = view.read(FileRow::SCHEMA, &[])?;
        let rows = table.rows::<FileRow>().collect();
        Ok(Self { rows })
    }

    /// Returns a file.
    #[must_use]
    pub fn get(&self, id: Option<FileId>) -> Option<&FileRow> {
        self.rows.get(id?.index())
    }

    /// Returns the path of a file; `several` if there were too many to distinguish.
    #[must_use]
    pub fn path(&self, id: Option<FileId>) -> &str {
        self.get(id).map_or("several", |file| file.path.as_str())
    }
}

/// Returns remarks on a file in words; empty if there are none.
#[must_use]
pub fn remarks(file: &FileRow) -> String {
    let flags = FileFlags(file.flags);
    let all = FileFlags::ALL.iter();
    let told = all.filter(|(flag, _)| flags.has(*flag) && *flag != FileFlags::OUTSIDE);
    told.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}

/// Passes every count of calls on files in `scope` to `each`.
///
/// A count covers at most about a second. It belongs to the window that contains its middle, so
/// that the counts of adjacent windows add up.
///
/// # Errors
/// When the extract cannot be read.
pub fn counted_file_calls(
    view: View<'_>,
    scope: &Scope,
    mut each: impl FnMut(&FileCalls),
) -> Result<(), QueryError> {
    recorded(view, scope, false, |row: FileCallRow| {
        let (Some(process), Some(thread)) = (row.process, row.thread) else {
            return;
        };
        each(&FileCalls {
            process,
            thread,
            file: row.file,
            operation: FileOperation::from_code(row.operation).unwrap_or(FileOperation::Unknown),
            result: SystemCallResult(row.result),
            flags: FileCallFlags(row.flags),
            sum: CallSum {
                count: row.count,
                bytes: row.bytes,
                ns: row.time_ns,
                longest_ns: row.longest_ns,
                timed: row.timed_count,
            }
            .or_zero(),
        });
    })
}

/// One call on a file.
#[derive(Debug, Clone, Copy)]
pub struct SingleCall {
    /// The process.
    pub process: ProcessId,
    /// The thread.
    pub thread: ThreadId,
    /// When it began; if it was not timed, when it ended.
    pub start_ns: i64,
    /// How long it took; `None`: it was not timed.
    pub duration_ns: Option<i64>,
    /// The file; `None`: there were too many to distinguish.
    pub file: Option<FileId>,
    /// What it was renamed, linked or copied to.
    pub other_file: Option<FileId>,
    /// What was done.
    pub operation: FileOperation,
    /// The system call.
    pub call: SystemCall,
    /// Its result.
    pub result: SystemCallResult,
    /// How it was done.
    pub flags: FileCallFlags,
    /// Where in the file it began.
    pub offset_bytes: Option<i64>,
    /// How many bytes it requested.
    pub asked_bytes: Option<i64>,
    /// How many bytes it moved.
    pub bytes: Option<i64>,
    /// How many bytes it caused to be read from disks.
    pub disk_bytes: Option<i64>,
}

/// Passes every single call on a file in `scope` to `each`. If there were very many calls, only
/// some are recorded.
///
/// # Errors
/// When the extract cannot be read.
pub fn single_file_calls(
    view: View<'_>,
    scope: &Scope,
    mut each: impl FnMut(&SingleCall),
) -> Result<(), QueryError> {
    recorded(view, scope, false, |row: SingleFileCallRow| {
        let (Some(process), Some(thread)) = (row.process, row.thread) else {
            return;
        };
        each(&SingleCall {
            process,
            thread,
            start_ns: row.start_ns,
            duration_ns: row.duration_ns.map(|ns| ns.max(0)),
            file: row.file,
            other_file: row.other_file,
            operation: FileOperation::from_code(row.operation).unwrap_or(FileOperation::Unknown),
            call: SystemCall(row.call),
            result: SystemCallResult(row.result),
            flags: FileCallFlags(row.flags),
            offset_bytes: row.offset_bytes,
            asked_bytes: row.asked_bytes,
            bytes: row.bytes,
            disk_bytes: row.disk_bytes,
        });
    })
}
