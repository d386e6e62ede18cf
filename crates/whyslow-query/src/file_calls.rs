//! Calls about files as they were counted: the rows a scope counts, and the files by name.

use whyslow_model::tables::{FileCallRow, FileRow};
use whyslow_model::{
    FileCallFlags, FileFlags, FileId, FileOperation, Named, ProcessId, SystemCallResult, TableRow,
    ThreadId,
};

use crate::error::QueryError;
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::system_calls::CallSum;
use crate::view::View;

/// Calls of one thread about one file that were alike.
#[derive(Debug, Clone, Copy)]
pub struct FileCalls {
    /// The process.
    pub process: ProcessId,
    /// The thread.
    pub thread: ThreadId,
    /// The file; `None`: there were too many to keep apart.
    pub file: Option<FileId>,
    /// What was done.
    pub operation: FileOperation,
    /// What they ended with.
    pub result: SystemCallResult,
    /// How it was done.
    pub flags: FileCallFlags,
    /// How many, how long, how much.
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

    /// Returns the path of a file; `several` where there were too many to keep apart.
    #[must_use]
    pub fn path(&self, id: Option<FileId>) -> &str {
        self.get(id).map_or("several", |file| file.path.as_str())
    }
}

/// Returns in words what is odd about a file; empty if nothing is.
#[must_use]
pub fn remarks(file: &FileRow) -> String {
    let flags = FileFlags(file.flags);
    let all = FileFlags::ALL.iter();
    let told = all.filter(|(flag, _)| flags.has(*flag) && *flag != FileFlags::OUTSIDE);
    told.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}

/// Gives every count of calls about files in `scope` to `each`.
///
/// A count is of a stretch of at most about a second. In a window counts which of them have their
/// middle in it, so that the counts of windows side by side add up.
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
