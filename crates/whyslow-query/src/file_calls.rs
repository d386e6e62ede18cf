//! Counted calls on files: the rows in a scope, and the files by name.

use std::ops::ControlFlow;

use whyslow_model::tables::{FileCallRow, FileRow, SingleFileCallRow};
use whyslow_model::{
    Column, FileCallFlags, FileFlags, FileId, FileOperation, Named, ProcessId, Scan, StackId,
    StrColumn, SystemCall, SystemCallResult, Table, TableRow, ThreadId,
};

use crate::error::QueryError;
use crate::recorded::{Moment, recorded};
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
#[derive(Debug)]
pub struct FileNames {
    /// Of rows of `file`.
    table: Table,
}

impl FileNames {
    /// Reads them.
    ///
    /// # Errors
    /// When the extract cannot be read.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let table = view.read(FileRow::SCHEMA, &[])?;
        Ok(Self { table })
    }

    /// Returns the number of files.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns whether there are no files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Returns a file.
    #[must_use]
    pub fn get(&self, id: Option<FileId>) -> Option<FileRow> {
        let row = id?.index();
        (row < self.len()).then(|| FileRow::at(&self.table.columns, row))
    }

    /// Returns the path of a file; `None` if there were too many to distinguish.
    #[must_use]
    pub fn known_path(&self, id: Option<FileId>) -> Option<&str> {
        FileRow::path.column(&self.table).text(id?.index())
    }

    /// Returns the path of a file; `several` if there were too many to distinguish.
    #[must_use]
    pub fn path(&self, id: Option<FileId>) -> &str {
        self.known_path(id).unwrap_or(SEVERAL)
    }

    /// Returns the paths of all files, by id; null for files without one.
    pub(crate) fn paths(&self) -> Option<&StrColumn> {
        match FileRow::path.column(&self.table) {
            Column::Str(paths) => Some(paths),
            _ => None,
        }
    }

    /// Returns what kind of file it is; `None` if it was not opened.
    #[must_use]
    pub fn kind(&self, id: Option<FileId>) -> Option<&str> {
        FileRow::kind.column(&self.table).text(id?.index())
    }

    /// Returns whether the file was opened, so that more than its name is known.
    #[must_use]
    pub fn is_opened(&self, id: Option<FileId>) -> bool {
        let row = id.map(FileId::index);
        row.is_some_and(|row| FileRow::inode.values(&self.table).at(row).is_some())
    }
}

/// The path of the files that could not be distinguished, because there were too many.
pub(crate) const SEVERAL: &str = "several";

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
    let operations = Operations::new();
    let scan = Scan {
        columns: &columns(scope),
        processes: scope.chosen.as_deref(),
        window_ns: scope.window_ns,
    };
    view.scan(FileCallRow::SCHEMA, &scan, &mut |table| {
        file_calls_of(table, scope, &operations, &mut each);
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// Returns the columns that the counts in a scope need; the time when they began only where it matters.
fn columns(scope: &Scope) -> Vec<&'static str> {
    type Row = FileCallRow;
    let mut columns = vec![
        Row::process.name(),
        Row::thread.name(),
        Row::file.name(),
        Row::operation.name(),
        Row::result.name(),
        Row::flags.name(),
        Row::count.name(),
        Row::bytes.name(),
        Row::time_ns.name(),
        Row::longest_ns.name(),
        Row::timed_count.name(),
    ];
    if scope.window_ns.is_some() {
        columns.push(Row::from_ns.name());
        columns.push(Row::duration_ns.name());
    }
    columns
}

/// Passes the counts of a table that are in `scope` to `each`. Reads by column, because there may be millions.
fn file_calls_of(
    table: &Table,
    scope: &Scope,
    operations: &Operations,
    each: &mut impl FnMut(&FileCalls),
) {
    type Row = FileCallRow;
    let (processes, threads) = (Row::process.values(table), Row::thread.values(table));
    let (files, results) = (Row::file.values(table), Row::result.values(table));
    let (codes, flags) = (Row::operation.values(table), Row::flags.values(table));
    let (counts, bytes) = (Row::count.values(table), Row::bytes.values(table));
    let (times, longest) = (Row::time_ns.values(table), Row::longest_ns.values(table));
    let timed = Row::timed_count.values(table);
    let (starts, durations) = (Row::from_ns.values(table), Row::duration_ns.values(table));
    let is_in = |row: usize| match scope.window_ns {
        Some(window) => Moment::middle(starts.at(row), durations.at(row)).is_in(window),
        None => true,
    };
    for row in 0..counts.len() {
        let (Some(process), Some(thread)) = (processes.at(row), threads.at(row)) else {
            continue;
        };
        if !scope.process(process) || !scope.thread(thread) || !is_in(row) {
            continue;
        }
        each(&FileCalls {
            process,
            thread,
            file: files.at(row),
            operation: operations.of(codes.at(row)),
            result: SystemCallResult(results.at(row)),
            flags: FileCallFlags(flags.at(row)),
            sum: CallSum {
                count: counts.at(row),
                bytes: bytes.at(row),
                ns: times.at(row),
                longest_ns: longest.at(row),
                timed: timed.at(row),
            }
            .or_zero(),
        });
    }
}

/// The operations by their codes: a search for each would take longer than everything else.
struct Operations(Vec<FileOperation>);

impl Operations {
    /// More than any operation's code.
    const MOST: i32 = 64;

    fn new() -> Self {
        let of = |code| FileOperation::from_code(code).unwrap_or(FileOperation::Unknown);
        Self((0..Self::MOST).map(of).collect())
    }

    fn of(&self, code: i32) -> FileOperation {
        let known = usize::try_from(code).ok().and_then(|code| self.0.get(code));
        known.copied().unwrap_or(FileOperation::Unknown)
    }
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
    /// Where it was made, if that is recorded with it.
    pub stack: Option<StackId>,
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
            stack: row.stack,
        });
    })
}
