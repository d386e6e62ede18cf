//! `disk`: the requests of processes to disks, and how long those took.

use std::collections::BTreeMap;

use whyslow_model::{Capability, DiskOperation, FileId, Named, ProcessId, System};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::argument::{Argument, Choice, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::file_calls::FileNames;
use crate::network::joined_ns;
use crate::question::{Empty, Question, Request, Subject};
use crate::rows::{self, DiskRequest};
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::sums::notes;
use crate::view::View;

/// The question; requests that kept disks busy longest come first.
pub(super) static QUESTION: Question = Question {
    name: "disk",
    about: "Requests to disks: who read and wrote how much, and how long the disk took",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[BY],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const BY: Argument = Argument {
    name: "by",
    doc: "Sum by this",
    takes: Takes::Choice {
        choices: &[
            Choice {
                word: "operation",
                doc: "process, disk and operation",
            },
            Choice {
                word: "file",
                doc: "file, too, where the recording has it (Windows)",
            },
        ],
        default: "operation",
    },
};

const HELP: &str = "\
A request counts for the process that issued it. Data that programs write into the page cache is
written back later by a kernel worker.

Examples:
  whyslow disk x.whyslow
  whyslow disk x.whyslow --process make --from 2s --to 3s
  whyslow disk x.whyslow --by file --columns +path";

static TABLE: ResultSchema = ResultSchema::new(
    "disk",
    "Disk requests of processes, per disk and operation.",
    "Requests to disks",
    &SHOWN,
)
.largest("busy");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Context> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process that issued the requests; empty where not known.").priority(0)
        .cell(|row, of| row.process.map_or(Value::Null, |id| Value::text(of.facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(2)
        .cell(|row, of| Value::int(row.process.and_then(|id| of.facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("disk", "disk", "Disk", Kind::Text, "The disk: major and minor number of the device (Linux), or number of the disk (Windows).").priority(0)
        .cell(|row, of| disk_name(row.disk, &of.facts)),
    ResultColumn::new("operation", "operation", "Operation", Kind::Text, "What was asked: `read`, `write`, `flush`, `discard` or another.").priority(0).rigid()
        .cell(|row, _| Value::text(row.operation.name())),
    ResultColumn::new("requests", "requests", "Requests", Kind::Count, "Number of requests.").priority(1).summed()
        .cell(|row, _| Value::Int(row.sum.count)),
    ResultColumn::new("bytes", "size_bytes", "Size", Kind::Bytes, "How much they read, write or discard.").priority(1).summed()
        .cell(|row, _| Value::Int(row.sum.bytes)),
    ResultColumn::new("busy", "busy_ns", "Busy", Kind::Duration, "Time in which at least one of them was under way; overlaps count once.").priority(1)
        .cell(|row, _| Value::Int(row.sum.busy_ns)),
    ResultColumn::new("time", "time_ns", "Time (sum)", Kind::Duration, "Time from issue to completion, summed over requests.").priority(2).summed()
        .cell(|row, _| Value::Int(row.sum.ns)),
    ResultColumn::new("longest", "longest_ns", "Longest", Kind::Duration, "The longest request.").priority(3)
        .cell(|row, _| Value::Int(row.sum.longest_ns)),
    ResultColumn::new("longest-at", "longest_at_ns", "Longest at", Kind::Time, "When the longest request was issued.").priority(6)
        .cell(|row, _| Value::int(row.sum.longest_at_ns)),
    ResultColumn::new("service", "service_ns", "Service", Kind::Duration, "Time the system itself measured, summed over requests; empty where it does not.").hidden().summed()
        .cell(|row, _| Value::int(row.sum.service_ns)),
    ResultColumn::new("open", "open", "Open", Kind::Count, "Requests without a completion in the trace; their time is not counted.").priority(7).summed()
        .cell(|row, _| Value::Int(row.sum.open)),
    ResultColumn::new("failed", "failed", "Failed", Kind::Count, "Requests that ended with an error.").priority(7).summed()
        .cell(|row, _| Value::Int(row.sum.failed)),
    ResultColumn::new("path", "path", "File", Kind::Text, "The file, with `--by file`; empty where it was not recorded.").hidden()
        .cell(|row, of| of.names.known_path(row.file).map_or(Value::Null, Value::text)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// The requests of one process to one disk for one operation.
struct Row {
    process: Option<ProcessId>,
    disk: Option<i32>,
    operation: DiskOperation,
    file: Option<FileId>,
    sum: Sum,
}

/// What the cells of a row need.
struct Context {
    facts: Facts,
    names: FileNames,
}

#[derive(Debug, Default)]
struct Sum {
    count: i64,
    bytes: i64,
    ns: i64,
    busy_ns: i64,
    longest_ns: i64,
    longest_at_ns: Option<i64>,
    service_ns: Option<i64>,
    open: i64,
    failed: i64,
    /// The spans of time in which requests were under way.
    spans: Vec<(i64, i64)>,
}

impl Sum {
    fn add(&mut self, request: &DiskRequest) {
        self.count += 1;
        self.bytes = self.bytes.saturating_add(request.size_bytes);
        self.failed += i64::from(request.result.is_some_and(|result| result != 0));
        if let Some(ns) = request.service_ns {
            let sum = self.service_ns.get_or_insert(0);
            *sum = sum.saturating_add(ns);
        }
        let Some(end_ns) = request.end_ns else {
            self.open += 1;
            return;
        };
        let ns = end_ns.saturating_sub(request.start_ns);
        self.ns = self.ns.saturating_add(ns);
        if ns > self.longest_ns || self.longest_at_ns.is_none() {
            self.longest_ns = ns;
            self.longest_at_ns = Some(request.start_ns);
        }
        self.spans.push((request.start_ns, end_ns));
    }

    /// Joins the spans, which may overlap and be in any order.
    fn join(&mut self) {
        self.busy_ns = joined_ns(&mut std::mem::take(&mut self.spans));
    }
}

fn disk_name(disk: Option<i32>, facts: &Facts) -> Value {
    let Some(disk) = disk else {
        return Value::Null;
    };
    let os = facts.trace.as_ref().and_then(|trace| trace.os.as_deref());
    Value::text(&System::of(os).disk(disk))
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::DiskIo) {
            return Ok(Read::lacks(&facts, Capability::DiskIo));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let mut sums: BTreeMap<_, Sum> = BTreeMap::new();
        let anybody = selection.is_of_anybody();
        let by_file = request.arguments.choice(&BY) == 1;
        rows::disk_requests(view, &scope, anybody, |request| {
            let (operation, file) = (request.operation, request.file.filter(|_| by_file));
            let key = (request.process, request.disk, operation, file);
            sums.entry(key).or_default().add(request);
        })?;
        let rows = sums
            .into_iter()
            .map(|((process, disk, operation, file), mut sum)| {
                sum.join();
                Row {
                    process,
                    disk,
                    operation,
                    file,
                    sum,
                }
            });
        let rows = rows.collect();
        let mut notes = notes(&facts);
        if selection.functions.is_some() {
            let text = "--functions does not choose among requests to disks";
            notes.push(Note::info(text));
        }
        let names = FileNames::read(view)?;
        let context = Context { facts, names };
        Ok(Read::rows(COLUMNS, rows, context, notes))
    })
}
