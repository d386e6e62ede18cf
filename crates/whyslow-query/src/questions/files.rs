//! `files`: which files were used, how often, how long, and what came of it.

use std::collections::BTreeMap;

use whyslow_model::{Capability, FileId, FileOperation, Named, ProcessId, SystemCallResult};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use super::syscalls::FAILED;
use crate::argument::{Argument, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::file_calls::{FileNames, counted_file_calls, remarks};
use crate::pattern::Pattern;
use crate::question::{Empty, Question, Request, Subject};
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::sums::notes;
use crate::system_calls::CallSum;
use crate::view::View;

/// The question; what took longest comes first.
pub(super) static QUESTION: Question = Question {
    name: "files",
    about: "Files: who opened, read, wrote, synced or missed which, how often and how long",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[FILE, FAILED, DEPTH],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const FILE: Argument = Argument {
    name: "file",
    doc: "Only files whose path matches, as '*.ini;!/proc/*'",
    takes: Takes::Pattern,
};

const DEPTH: Argument = Argument {
    name: "depth",
    doc: "Sum by folder, at this depth below the root; 0 for whole paths",
    takes: Takes::Count { default: 0 },
};

const HELP: &str = "\
Counts, bytes and errors are exact. Times are from entering the kernel to leaving it, and include
waits. Where a CPU made more than 50,000 calls per second, one in sixteen was timed: the column
`timed` says how many.

A path is the file's own where it was opened, and what the program asked for where it was not: by
stat, or because there is no such file. Closing files, and what is done with a file's memory after it
was mapped, is not recorded; nor are the files of 32-bit programs and of io_uring.

With --from and --to, calls count by stretches of about a second.

Examples:
  whyslow files x.whyslow --process make --failed
  whyslow files x.whyslow --depth 2 --sort calls
  whyslow files x.whyslow --file '*.ini'";

static TABLE: ResultSchema = ResultSchema::new(
    "files",
    "Calls about files per process, operation, result and file.",
    "Files",
    &SHOWN,
)
.largest("time");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Facts> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0)
        .cell(|row, facts| Value::text(facts.process_name(row.key.process))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(3)
        .cell(|row, facts| Value::int(facts.process(row.key.process).map(|process| process.os_pid))),
    ResultColumn::new("operation", "operation", "Operation", Kind::Text, "What was done, as `open` or `write`.").priority(0).rigid()
        .cell(|row, _| Value::text(spelled(row.key.operation))),
    ResultColumn::new("result", "result", "Result", Kind::Text, "What it ended with: `ok` or an error, as `ENOENT`.").priority(1).rigid()
        .cell(|row, _| Value::text(&row.key.result.spelled())),
    ResultColumn::new("calls", "calls", "Calls", Kind::Count, "Number of calls.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.count)),
    ResultColumn::new("bytes", "size_bytes", "Size", Kind::Bytes, "How much was read, written or listed.").priority(2).summed()
        .cell(|row, _| Value::int(row.sum.bytes)),
    ResultColumn::new("per-call", "bytes_per_call", "Size/call", Kind::Bytes, "How much one call moved, on average.").priority(4)
        .cell(|row, _| Value::int(row.sum.bytes.and_then(|bytes| bytes.checked_div(row.sum.count)))),
    ResultColumn::new("time", "time_ns", "Time (sum)", Kind::Duration, "Time in the calls, waits included, summed over threads; an estimate where not all were timed.").priority(1).summed()
        .cell(|row, _| Value::int(row.sum.ns)),
    ResultColumn::new("longest", "longest_ns", "Longest", Kind::Duration, "The longest call that was timed.").priority(3)
        .cell(|row, _| Value::int(row.sum.longest_ns)),
    ResultColumn::new("timed", "timed", "Timed", Kind::Count, "How many of the calls were timed.").hidden().summed()
        .cell(|row, _| Value::Int(row.sum.timed)),
    ResultColumn::new("files", "files", "Files", Kind::Count, "Number of files by that name; more than one only with --depth.").priority(5)
        .cell(|row, _| Value::Int(row.files)),
    ResultColumn::new("file-system", "file_system", "On", Kind::Text, "Kind of the file system, as `ext4`; empty for names that were not opened.").priority(4)
        .cell(|row, _| Value::optional(row.file_system.as_deref())),
    ResultColumn::new("remarks", "remarks", "Remarks", Kind::Text, "What else is known of the path: `deleted`, `name only` (it was asked for, not opened), `others` (further files of that folder), `cut` (its beginning is missing).").priority(5)
        .cell(|row, _| Value::text(&row.remarks)),
    ResultColumn::new("path", "path", "File", Kind::Text, "The path; `several` where there were too many files to keep apart.").priority(0)
        .cell(|row, _| Value::text(&row.key.path)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    process: ProcessId,
    operation: FileOperation,
    result: SystemCallResult,
    path: String,
}

/// Calls that were alike, of one process.
#[derive(Default)]
struct Sum {
    calls: CallSum,
    files: i64,
    /// One of them.
    file: Option<FileId>,
}

struct Row {
    key: Key,
    sum: CallSum,
    files: i64,
    file_system: Option<String>,
    remarks: String,
}

fn spelled(operation: FileOperation) -> &'static str {
    let mut all = FileOperation::ALL.iter();
    let found = all.find(|(one, _)| *one == operation);
    found.map_or("unknown", |&(_, name)| name)
}

/// Returns the folder `depth` names below the root that a path is in; the path itself if it is not that
/// deep, or for 0.
fn folder(path: &str, depth: usize) -> &str {
    if depth == 0 || !path.starts_with('/') {
        return path;
    }
    let mut ends = path.match_indices('/').skip(depth);
    match ends.next() {
        Some((at, _)) => path.get(..=at).unwrap_or(path),
        None => path,
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let only_failed = request.arguments.has(&FAILED);
    let depth = request.arguments.count(&DEPTH);
    let wanted = request.arguments.pattern(&FILE);
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::Files) {
            return Ok(Read::lacks(&facts, Capability::Files));
        }
        let scope = Scope::new(&facts, selection)?;
        let names = FileNames::read(view)?;
        let sums = by_file(view, &scope, only_failed)?;
        let rows = rows(sums, &names, depth, &wanted);
        let mut notes = notes(&facts);
        if rows.iter().any(|row| row.sum.is_estimate()) {
            let text =
                "not all of these calls were timed: some times are estimates (--columns +timed)";
            notes.push(Note::info(text));
        }
        if selection.functions.is_some() {
            let text =
                "counts of calls about files have no stacks: --functions makes no difference";
            notes.push(Note::info(text));
        }
        Ok(Read::rows(COLUMNS, rows, facts, notes))
    })
}

type OfFile = (ProcessId, FileOperation, SystemCallResult, Option<FileId>);

fn by_file(
    view: View<'_>,
    scope: &Scope,
    only_failed: bool,
) -> Result<BTreeMap<OfFile, CallSum>, QueryError> {
    let mut sums: BTreeMap<OfFile, CallSum> = BTreeMap::new();
    counted_file_calls(view, scope, |calls| {
        if calls.result.0 != 0 || !only_failed {
            let key = (calls.process, calls.operation, calls.result, calls.file);
            sums.entry(key).or_default().add(&calls.sum);
        }
    })?;
    Ok(sums)
}

/// Joins what goes by the same path: files that had it one after the other, and whole folders.
fn rows(
    sums: BTreeMap<OfFile, CallSum>,
    names: &FileNames,
    depth: usize,
    wanted: &Pattern,
) -> Vec<Row> {
    let mut joined: BTreeMap<Key, Sum> = BTreeMap::new();
    for ((process, operation, result, file), calls) in sums {
        let path = names.path(file);
        if !wanted.matches(path) {
            continue;
        }
        let key = Key {
            process,
            operation,
            result,
            path: folder(path, depth).to_owned(),
        };
        let sum = joined.entry(key).or_default();
        sum.calls.add(&calls);
        sum.files += 1;
        // A file that was opened says more than its name.
        let known = |id| names.get(id).is_some_and(|row| row.inode.is_some());
        if sum.file.is_none() || known(file) {
            sum.file = file;
        }
    }
    let row = |(key, sum): (Key, Sum)| {
        let file = names.get(sum.file);
        Row {
            key,
            sum: sum.calls,
            files: sum.files,
            file_system: file.and_then(|file| file.file_system.clone()),
            remarks: file
                .filter(|_| depth == 0)
                .map_or_else(String::new, remarks),
        }
    };
    joined.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_so_many_names_below_the_root() {
        assert_eq!(folder("/usr/lib/x", 0), "/usr/lib/x");
        assert_eq!(folder("/usr/lib/x", 1), "/usr/");
        assert_eq!(folder("/usr/lib/x", 2), "/usr/lib/");
        assert_eq!(folder("/usr/lib/x", 3), "/usr/lib/x");
        assert_eq!(folder("/usr", 1), "/usr");
        assert_eq!(folder("[pipe]", 1), "[pipe]");
    }
}
