//! `disk`: the requests of processes to disks, and how long those took.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{Capability, DiskOperation, FileId, Named, ProcessId, System};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::argument::{Argument, Choice, Takes};
use crate::disks::{Devices, RequestSum, disk_requests};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::file_calls::FileNames;
use crate::question::{Empty, Question, Request, Subject};
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
    arguments: &[BY, LIST],
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
            Choice {
                word: "disk",
                doc: "disk and operation, over all processes",
            },
        ],
        default: "operation",
    },
};

const LIST: Argument = Argument {
    name: "list",
    doc: "Show every request in a row of its own",
    takes: Takes::Nothing,
};

const HELP: &str = "\
A request counts for the process that issued it. Data that programs write into the page cache is
written back later by a kernel worker.

A request first spends time in the disk's queue, where the system may reorder and merge requests, and then at the
device. Long times in the queue usually mean that requests came faster than the device could take them.

Examples:
  whyslow disk x.whyslow
  whyslow disk x.whyslow --process make --from 2s --to 3s
  whyslow disk x.whyslow --by disk --columns +queue-p99,+device-p99
  whyslow disk x.whyslow --list --sort at
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
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process that issued the requests; empty where not known, and with `--by disk`.").priority(0)
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
        .cell(|row, _| Value::Int(row.sum.times.sum().unwrap_or(0))),
    ResultColumn::new("longest", "longest_ns", "Longest", Kind::Duration, "The longest request.").priority(3)
        .cell(|row, _| Value::Int(row.sum.longest_ns)),
    ResultColumn::new("longest-at", "longest_at_ns", "Longest at", Kind::Time, "When the longest request was issued.").priority(6)
        .cell(|row, _| Value::int(row.sum.longest_at_ns)),
    ResultColumn::new("median", "median_ns", "Median", Kind::Duration, "Half of the requests took no longer.").priority(4)
        .cell(|row, _| Value::int(row.sum.times.percentile(50))),
    ResultColumn::new("p95", "p95_ns", "p95", Kind::Duration, "95 % of the requests took no longer.").hidden()
        .cell(|row, _| Value::int(row.sum.times.percentile(95))),
    ResultColumn::new("p99", "p99_ns", "p99", Kind::Duration, "99 % of the requests took no longer.").priority(4)
        .cell(|row, _| Value::int(row.sum.times.percentile(99))),
    ResultColumn::new("queue", "queue_ns", "In queue", Kind::Duration, "Time in the disk's queue, before the disk's driver took the requests, summed; empty where none was queued or that was not recorded.").priority(5).summed()
        .cell(|row, _| Value::int(row.sum.queued.sum())),
    ResultColumn::new("queue-median", "queue_median_ns", "Queue median", Kind::Duration, "Half of the queued requests spent no longer in the queue.").hidden()
        .cell(|row, _| Value::int(row.sum.queued.percentile(50))),
    ResultColumn::new("queue-p99", "queue_p99_ns", "Queue p99", Kind::Duration, "99 % of the queued requests spent no longer in the queue.").hidden()
        .cell(|row, _| Value::int(row.sum.queued.percentile(99))),
    ResultColumn::new("device", "device_ns", "At device", Kind::Duration, "Time from when the disk's driver took the requests to their completion, summed; the whole time where no time in the queue is known.").priority(5).summed()
        .cell(|row, _| Value::int(row.sum.driver.sum())),
    ResultColumn::new("device-median", "device_median_ns", "Device median", Kind::Duration, "Half of the requests spent no longer at the device.").hidden()
        .cell(|row, _| Value::int(row.sum.driver.percentile(50))),
    ResultColumn::new("device-p99", "device_p99_ns", "Device p99", Kind::Duration, "99 % of the requests spent no longer at the device.").hidden()
        .cell(|row, _| Value::int(row.sum.driver.percentile(99))),
    ResultColumn::new("service", "service_ns", "Service", Kind::Duration, "Time the system itself measured, summed over requests; empty where it does not.").hidden().summed()
        .cell(|row, _| Value::int(row.sum.service_ns)),
    ResultColumn::new("open", "open", "Open", Kind::Count, "Requests without a completion in the trace; their time is not counted.").priority(7).summed()
        .cell(|row, _| Value::Int(row.sum.open)),
    ResultColumn::new("failed", "failed", "Failed", Kind::Count, "Requests that ended with an error.").priority(7).summed()
        .cell(|row, _| Value::Int(row.sum.failed)),
    ResultColumn::new("at", "issue_ns", "Issued", Kind::Time, "When the first of them was issued.").hidden()
        .cell(|row, _| Value::int(row.sum.first_ns)),
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
    sum: RequestSum,
}

/// What the cells of a row need.
struct Context {
    facts: Facts,
    names: FileNames,
}

/// So many disks are described below the table.
const MOST_DESCRIBED: usize = 4;

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
        let mut sums: BTreeMap<_, RequestSum> = BTreeMap::new();
        let anybody = selection.is_of_anybody();
        let by = request.arguments.choice(&BY);
        let lists = request.arguments.has(&LIST);
        let mut number = 0;
        disk_requests(view, &scope, anybody, |request| {
            number += 1;
            let (operation, file) = (request.operation, request.file.filter(|_| by == 1));
            let process = request.process.filter(|_| by != 2 || lists);
            let key = (
                process,
                request.disk,
                operation,
                file,
                lists.then_some(number),
            );
            sums.entry(key).or_default().add(request);
        })?;
        let rows = sums
            .into_iter()
            .map(|((process, disk, operation, file, _), mut sum)| {
                sum.finish();
                Row {
                    process,
                    disk,
                    operation,
                    file,
                    sum,
                }
            });
        let rows: Vec<Row> = rows.collect();
        let mut notes = notes(&facts);
        let disks: BTreeSet<i32> = rows.iter().filter_map(|row| row.disk).collect();
        let devices = Devices::read(view)?;
        let described = disks.iter().filter_map(|&disk| devices.described(disk));
        notes.extend(described.take(MOST_DESCRIBED).map(Note::info));
        if selection.functions.is_some() {
            let text = "--functions does not choose among requests to disks";
            notes.push(Note::info(text));
        }
        let names = FileNames::read(view)?;
        let context = Context { facts, names };
        Ok(Read::rows(COLUMNS, rows, context, notes))
    })
}
