//! `files`: which files were used, how often, how long, and with what result.

mod folders;
mod groups;
mod list;
mod percentiles;

use whyslow_model::{Capability, FileId, FileOperation, Named, SystemCallResult, tables::FileRow};
use whyslow_results::{
    Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, TreeStyle, Value, shown,
};

use super::syscalls::FAILED;
use crate::argument::{Argument, Choice, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::file_calls::{FileNames, counted_file_calls, remarks};
use crate::mounts::Mounts;
use crate::pattern::Pattern;
use crate::question::{Empty, Question, Request, Subject};
use crate::rings;
use crate::scope::Scope;
use crate::selection::Selection;
use crate::shape::{self, Read};
use crate::sums::notes;
use crate::view::View;

use groups::{Group, Groups, Kind as CallKind, Places, Where};

/// The question; what took longest comes first.
pub(super) static QUESTION: Question = Question {
    name: "files",
    about: "Files: who opened, read, wrote, synced or missed which one, how often and how long",
    help: HELP,
    tables: &[&TABLE, &list::TABLE],
    arguments: &[FILE, FAILED, BY, DEPTH, LIST, TREE],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const FILE: Argument = Argument {
    name: "file",
    doc: "Only files whose path matches, such as '*.ini;!/proc/*'",
    takes: Takes::Pattern,
};

const BY: Argument = Argument {
    name: "by",
    doc: "Sum by this",
    takes: Takes::Choice {
        choices: &[
            choice("call", "process, operation, result and file"),
            choice("file", "file"),
            choice("process", "process"),
            choice("operation", "operation"),
            choice("result", "operation and result"),
            choice("extension", "extension of the file's name"),
        ],
        default: "call",
    },
};

const fn choice(word: &'static str, doc: &'static str) -> Choice {
    Choice { word, doc }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Call,
    File,
    Process,
    Operation,
    Result,
    Extension,
}

/// In the order of the choices in [`BY`].
const ALL_BY: [By; 6] = [
    By::Call,
    By::File,
    By::Process,
    By::Operation,
    By::Result,
    By::Extension,
];

const DEPTH: Argument = Argument {
    name: "depth",
    doc: "Sum by folder, at this depth below the root; 0 for whole paths",
    takes: Takes::Count { default: 0 },
};

const LIST: Argument = Argument {
    name: "list",
    doc: "Show every call in a row of its own, with time, file offset and stack",
    takes: Takes::Nothing,
};

const TREE: Argument = Argument {
    name: "tree",
    doc: "Show folders as a tree, each with everything in it",
    takes: Takes::Nothing,
};

const HELP: &str = "\
Counts, bytes and errors are exact. Times run from kernel entry to kernel exit, and include waits.
Where a CPU made more than 50,000 calls per second, one in sixteen was timed: the column
`timed` says how many.

If a file was opened, the path is its own; if not (stat, or no such file), the path is the one that
the program asked for. Accesses to the memory of mapped files are not recorded; nor are the files of
32-bit programs. Of io_uring, only its system calls are counted: if a program used it, a note says so, and
`waits` shows which files and sockets the program waited for. A call that copies from one file to
another (sendfile, copy_file_range, splice) counts for both, as read and as write.

--list shows single calls. Where a CPU makes very many, only some have a row: the first ones of each
thread, file, operation and result, and those that took a millisecond or more. Without --list, all
calls count.

Calls are counted in stretches of about a second, so --from and --to cut the counts no finer than
that; single calls are selected by their start.

Examples:
  whyslow files x.whyslow --process make --failed
  whyslow files x.whyslow --depth 2 --sort calls
  whyslow files x.whyslow --tree --process make
  whyslow files x.whyslow --by extension --columns +p95
  whyslow files x.whyslow --file '*.ini' --list --sort start";

static TABLE: ResultSchema = ResultSchema::new(
    "files",
    "Calls on files per process, operation, result and file.",
    "Files",
    &SHOWN,
)
.largest("time");

#[rustfmt::skip]
const COLUMNS: Columns<Group, Context> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0)
        .cell(|row, of| of.kind(row).process.map_or(Value::Null, |id| Value::text(of.facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(3)
        .cell(|row, of| Value::int(of.kind(row).process.and_then(|id| of.facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("operation", "operation", "Operation", Kind::Text, "The operation, such as `open` or `write`.").priority(0).rigid()
        .cell(|row, of| of.kind(row).operation.map_or(Value::Null, |operation| Value::text(spelled(operation)))),
    ResultColumn::new("result", "result", "Result", Kind::Text, "Its result: `ok` or an error, such as `ENOENT`.").priority(1).rigid()
        .cell(|row, of| of.kind(row).result.map_or(Value::Null, |result| Value::text(&result.spelled()))),
    ResultColumn::new("calls", "calls", "Calls", Kind::Count, "Number of calls.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.calls.count)),
    ResultColumn::new("bytes", "size_bytes", "Size", Kind::Bytes, "How much was read, written or listed.").priority(2).summed()
        .cell(|row, _| Value::int(row.sum.calls.bytes)),
    ResultColumn::new("per-call", "bytes_per_call", "Size/call", Kind::Bytes, "How much one call moved, on average.").priority(4)
        .cell(|row, _| Value::int(row.sum.calls.bytes.and_then(|bytes| bytes.checked_div(row.sum.calls.count)))),
    ResultColumn::new("time", "time_ns", "Time (sum)", Kind::Duration, "Time in the calls, waits included, summed over threads; an estimate where not all were timed.").priority(1).summed()
        .cell(|row, _| Value::int(row.sum.calls.ns)),
    ResultColumn::new("longest", "longest_ns", "Longest", Kind::Duration, "The longest call that was timed.").priority(3)
        .cell(|row, _| Value::int(row.sum.calls.longest_ns)),
    ResultColumn::new("median", "median_ns", "Median", Kind::Duration, "Half of the calls took no longer. From those that have a row of their own; where not all have one, an estimate.").hidden()
        .cell(|row, _| Value::int(row.sum.percentile(50))),
    ResultColumn::new("p95", "p95_ns", "p95", Kind::Duration, "95 % of the calls took no longer.").hidden()
        .cell(|row, _| Value::int(row.sum.percentile(95))),
    ResultColumn::new("p99", "p99_ns", "p99", Kind::Duration, "99 % of the calls took no longer.").hidden()
        .cell(|row, _| Value::int(row.sum.percentile(99))),
    ResultColumn::new("timed", "timed", "Timed", Kind::Count, "How many of the calls were timed.").hidden().summed()
        .cell(|row, _| Value::Int(row.sum.calls.timed)),
    ResultColumn::new("cold", "disk_calls", "From disk", Kind::Count, "How many of the calls caused a read from a disk.").hidden().summed()
        .cell(|row, _| Value::Int(row.sum.cold)),
    ResultColumn::new("cold-time", "disk_calls_ns", "From disk (time)", Kind::Duration, "Time in those calls.").hidden().summed()
        .cell(|row, _| Value::int(row.sum.cold_ns)),
    ResultColumn::new("files", "files", "Files", Kind::Count, "Number of files by that name; more than one only where a row sums several.").priority(5)
        .cell(|row, _| Value::Int(row.sum.files)),
    ResultColumn::new("file-system", "file_system", "On", Kind::Text, "Kind of the file system, such as `ext4`; empty for names that were not opened.").priority(4)
        .cell(|row, of| Value::optional(of.file(row).and_then(|file| file.file_system).as_deref())),
    ResultColumn::new("source", "source", "From", Kind::Text, "Where the file system is: `/dev/vda`, `//nas/data (SMB 3.1.1)`, `box:/home (NFS 4.2)`, `ann@box:/srv, served by sshfs (pid 812)`, or the layers of an overlay; empty where not known.").priority(6)
        .cell(|row, of| Value::optional(of.source(row).as_deref())),
    ResultColumn::new("how", "how", "How", Kind::Text, "`durable` if written data is on the disk when the call returns (`O_SYNC`, `O_DSYNC`), `direct` if it bypasses the cache (`O_DIRECT`).").priority(6)
        .cell(|row, _| Value::text(&list::how(row.sum.flags))),
    ResultColumn::new("remarks", "remarks", "Remarks", Kind::Text, "What else is known of the path: `deleted`, `name only` (it was asked for, not opened), `others` (further files of that folder), `cut` (its beginning is missing).").priority(5)
        .cell(|row, of| Value::text(&of.remarks(row))),
    ResultColumn::new("path", "path", "File", Kind::Text, "The path, the folder, or the extension; `several` where there were too many files to keep apart.").priority(0)
        .cell(|row, of| of.places.texts.get(row.place as usize).map_or(Value::Null, |path| Value::Text(path.clone()))),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// Which calls are wanted.
struct Wanted {
    paths: Pattern,
    only_failed: bool,
}

impl Wanted {
    fn has(&self, names: &FileNames, file: Option<FileId>, result: SystemCallResult) -> bool {
        self.has_result(result) && self.paths.matches(names.path(file))
    }

    fn has_result(&self, result: SystemCallResult) -> bool {
        result.0 != 0 || !self.only_failed
    }

    /// Returns which files are wanted. Each is looked at once, however many calls there are.
    fn files(&self, names: &FileNames) -> WantedFiles {
        let matches = |id| self.paths.matches(names.path(id));
        let ids = FileId::all().take(names.len());
        WantedFiles((!self.paths.matches_everything()).then(|| {
            let known = ids.map(|id| matches(Some(id))).collect();
            (known, matches(None))
        }))
    }
}

/// Whether each file is wanted, and whether those are that could not be distinguished; `None`: all are.
struct WantedFiles(Option<(Vec<bool>, bool)>);

impl WantedFiles {
    fn has(&self, id: Option<FileId>) -> bool {
        let Some((known, others)) = &self.0 else {
            return true;
        };
        let known = id.and_then(|id| known.get(id.index()));
        known.copied().unwrap_or(*others)
    }
}

fn spelled(operation: FileOperation) -> &'static str {
    let mut all = FileOperation::ALL.iter();
    let found = all.find(|(one, _)| *one == operation);
    found.map_or("unknown", |&(_, name)| name)
}

/// Returns the folder of a path `depth` names below the root; the path itself if it is not that
/// deep, or if `depth` is 0.
fn folder(path: &str, depth: usize) -> &str {
    if depth == 0 || !is_path(path) {
        return path;
    }
    let mut ends = path.match_indices(SEPARATORS).skip(depth);
    match ends.next() {
        Some((at, _)) => path.get(..=at).unwrap_or(path),
        None => path,
    }
}

/// What separates the names in a path: of Linux, and of Windows.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// Returns whether it is a path, not a word for something without one.
fn is_path(text: &str) -> bool {
    text.starts_with(SEPARATORS) || text.get(1..).is_some_and(|rest| rest.starts_with(":\\"))
}

/// Returns the extension of a file's name, or words if there is none.
fn extension(path: &str) -> &str {
    let name = path.rsplit(SEPARATORS).next().unwrap_or(path);
    let is_kind = !is_path(path);
    match name.rfind('.') {
        _ if is_kind => path,
        Some(at) if at > 0 && at + 1 < name.len() => name.get(at..).unwrap_or(name),
        _ => "(none)",
    }
}

impl By {
    fn has_process(self) -> bool {
        matches!(self, Self::Call | Self::Process)
    }

    fn has_operation(self) -> bool {
        matches!(self, Self::Call | Self::Operation | Self::Result)
    }

    fn has_result(self) -> bool {
        matches!(self, Self::Call | Self::Result)
    }

    /// Returns the kind of place that separates rows. A depth is given only if folders are wanted.
    fn place(self, depth: usize) -> Where {
        match self {
            Self::Extension => Where::Extension,
            _ if depth > 0 => Where::Folder(depth),
            Self::Call | Self::File => Where::Path,
            _ => Where::Any,
        }
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let wanted = Wanted {
        paths: request.arguments.pattern(&FILE),
        only_failed: request.arguments.has(&FAILED),
    };
    if request.arguments.has(&LIST) {
        return list::ask(views, request, &wanted);
    }
    let depth = request.arguments.count(&DEPTH);
    if request.arguments.has(&TREE) {
        return tree(views, selection, &wanted, depth);
    }
    let by = ALL_BY.get(request.arguments.choice(&BY)).copied();
    let by = by.unwrap_or(By::Call);
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::Files) {
            return Ok(Read::lacks(&facts, Capability::Files));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let names = FileNames::read(view)?;
        let mut groups = Groups::new(&names, by, by.place(depth));
        add_wanted(view, &scope, &wanted, &mut groups)?;
        if percentiles::are_asked_for(selection, &TABLE) {
            percentiles::add(view, &scope, |call, ns| {
                if let Some(sum) = groups.find(call) {
                    sum.percentiles.get_or_insert_default().add(ns);
                }
            })?;
        }
        let (rows, kinds, places) = groups.finish();
        let mut notes = notes(&facts);
        if rows.iter().any(|row| row.sum.calls.is_estimate()) {
            let text =
                "not all of these calls were timed: some times are estimates (--columns +timed)";
            notes.push(Note::info(text));
        }
        notes.extend(rings::note(view, &scope, &facts)?);
        if selection.functions.is_some() {
            let text = "counts of calls on files have no stacks: --functions makes no difference; --list has some";
            notes.push(Note::info(text));
        }
        let context = Context {
            mounts: Mounts::read(view)?,
            is_one_path: by.place(depth) == Where::Path,
            facts,
            names,
            kinds,
            places,
        };
        Ok(Read::rows(COLUMNS, rows, context, notes))
    })
}

/// Answers with folders as a tree.
fn tree(
    views: &[View<'_>],
    selection: &Selection,
    wanted: &Wanted,
    depth: usize,
) -> Result<Outcome, QueryError> {
    let table = ResultSchema {
        title: "Folders and files",
        order: None,
        ..TABLE
    };
    let table = table.tree("path", TreeStyle::Levels).containing();
    // The tree is cut to the heaviest rows here: cut later it would fall apart.
    let mut outer = selection.clone();
    outer.top = None;
    shape::ask(views, &outer, &table, |view, facts| {
        if !facts.has(Capability::Files) {
            return Ok(Read::lacks(&facts, Capability::Files));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let names = FileNames::read(view)?;
        let mut groups = Groups::new(&names, By::File, Where::File);
        add_wanted(view, &scope, wanted, &mut groups)?;
        let (files, kinds, _) = groups.finish();
        let folders = folders::tree(&files, &names, depth, selection.top);
        let mut notes = notes(&facts);
        notes.extend(folders.note());
        notes.extend(rings::note(view, &scope, &facts)?);
        let context = Context {
            mounts: Mounts::read(view)?,
            is_one_path: false,
            facts,
            names,
            kinds,
            places: folders.places,
        };
        Ok(Read::tree(
            COLUMNS,
            (folders.rows, folders.depths),
            context,
            notes,
        ))
    })
}

/// Adds the wanted calls of a scope.
fn add_wanted(
    view: View<'_>,
    scope: &Scope,
    wanted: &Wanted,
    groups: &mut Groups<'_>,
) -> Result<(), QueryError> {
    let is_wanted = wanted.files(groups.names());
    counted_file_calls(view, scope, |calls| {
        if wanted.has_result(calls.result) && is_wanted.has(calls.file) {
            groups.add(calls);
        }
    })
}

/// What the cells of a row need.
struct Context {
    facts: Facts,
    names: FileNames,
    mounts: Mounts,
    kinds: Vec<CallKind>,
    places: Places,
    /// Whether each row is of one path.
    is_one_path: bool,
}

impl Context {
    fn kind(&self, row: &Group) -> CallKind {
        let kind = self.kinds.get(row.kind as usize);
        kind.copied().unwrap_or_default()
    }

    /// Returns the file of a row, if rows are by place.
    fn file(&self, row: &Group) -> Option<FileRow> {
        let has_place = !self.places.texts.is_empty();
        self.names.get(row.sum.file.filter(|_| has_place))
    }

    fn source(&self, row: &Group) -> Option<String> {
        let mount = self.mounts.of_device(self.file(row)?.device?)?;
        Some(mount.called(&self.facts))
    }

    fn remarks(&self, row: &Group) -> String {
        let file = self.file(row).filter(|_| self.is_one_path);
        file.as_ref().map_or_else(String::new, remarks)
    }
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
        assert_eq!(folder(r"C:\Users\ann\x.txt", 1), r"C:\Users\");
        assert_eq!(folder(r"\Device\Mup\nas\x", 2), r"\Device\Mup\");
    }

    #[test]
    fn extensions_begin_at_the_last_dot_of_a_name() {
        assert_eq!(extension("/a.d/app.conf.ini"), ".ini");
        assert_eq!(extension("/a.d/README"), "(none)");
        assert_eq!(extension("/home/.profile"), "(none)");
        assert_eq!(extension("/x."), "(none)");
        assert_eq!(extension("[socket]"), "[socket]");
        assert_eq!(extension(r"C:\a.d\x.dll"), ".dll");
        assert_eq!(extension(r"C:\a.d\x"), "(none)");
        assert_eq!(extension("several"), "several");
    }
}
