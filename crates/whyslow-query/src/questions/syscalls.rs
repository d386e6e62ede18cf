//! `syscalls`: which system calls were made, how often, and with what result.

use std::collections::BTreeMap;

use whyslow_model::{Capability, ProcessId, SystemCall, SystemCallResult, ThreadId};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::argument::{Argument, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::question::{Empty, Question, Request, Subject};
use crate::rings;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::sums::notes;
use crate::system_calls::{CallSum, counted_calls};
use crate::view::View;

/// The question; what took longest comes first.
pub(super) static QUESTION: Question = Question {
    name: "syscalls",
    about: "System calls: how many, how long, how many bytes, and which errors",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[FAILED, PER_THREAD],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

/// An argument of every question about calls.
pub(super) const FAILED: Argument = Argument {
    name: "failed",
    doc: "Only calls that ended with an error",
    takes: Takes::Nothing,
};

const PER_THREAD: Argument = Argument {
    name: "per-thread",
    doc: "Show a row for each thread",
    takes: Takes::Nothing,
};

const HELP: &str = "\
Counts, bytes and errors are exact. Times run from kernel entry to kernel exit, and include waits.
Where a CPU made more than 50,000 calls per second, one in sixteen was timed: the column
`timed` says how many.

Calls are counted in stretches of about a second, so --from and --to cut no finer than that. One call of
io_uring_enter may pass any number of requests to the kernel; these requests are not counted.

Examples:
  whyslow syscalls x.whyslow --process make
  whyslow syscalls x.whyslow --failed --sort calls";

static TABLE: ResultSchema = ResultSchema::new(
    "syscalls",
    "System calls per process, call and result.",
    "System calls",
    &SHOWN,
)
.largest("time");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Facts> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0)
        .cell(|row, facts| Value::text(facts.process_name(row.key.process))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(2)
        .cell(|row, facts| Value::int(facts.process(row.key.process).map(|process| process.os_pid))),
    ResultColumn::new("tid", "tid", "TID", Kind::Id, "The system's thread id; only with --per-thread.").priority(5)
        .cell(|row, facts| Value::int(row.key.thread.and_then(|id| facts.thread(id)).map(|thread| thread.os_tid))),
    ResultColumn::new("call", "call", "Call", Kind::Text, "Name of the system call; `several` where the recorder had no room to tell them apart.").priority(0).rigid()
        .cell(|row, _| Value::text(&row.key.call.map_or_else(|| "several".to_owned(), SystemCall::spelled))),
    ResultColumn::new("result", "result", "Result", Kind::Text, "Its result: `ok` or an error, such as `ENOENT`; empty where the thread ended in the call.").priority(1).rigid()
        .cell(|row, _| row.key.result.map_or(Value::Null, |result| Value::text(&result.spelled()))),
    ResultColumn::new("calls", "calls", "Calls", Kind::Count, "Number of calls.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.count)),
    ResultColumn::new("rate", "calls_per_second", "Calls/s", Kind::Count, "Calls per second of the selected time.").priority(4)
        .cell(|row, _| Value::Int(per_second(row.sum.count, row.window_ns))),
    ResultColumn::new("bytes", "size_bytes", "Size", Kind::Bytes, "How much they moved; empty for calls that do not say.").priority(2).summed()
        .cell(|row, _| Value::int(row.sum.bytes)),
    ResultColumn::new("per-call", "bytes_per_call", "Size/call", Kind::Bytes, "How much one call moved, on average.").priority(3)
        .cell(|row, _| Value::int(row.sum.bytes.and_then(|bytes| bytes.checked_div(row.sum.count)))),
    ResultColumn::new("time", "time_ns", "Time (sum)", Kind::Duration, "Time in the calls, waits included, summed over threads; an estimate where not all were timed.").priority(1).summed()
        .cell(|row, _| Value::int(row.sum.ns)),
    ResultColumn::new("longest", "longest_ns", "Longest", Kind::Duration, "The longest call that was timed.").priority(3)
        .cell(|row, _| Value::int(row.sum.longest_ns)),
    ResultColumn::new("timed", "timed", "Timed", Kind::Count, "How many of the calls were timed.").hidden().summed()
        .cell(|row, _| Value::Int(row.sum.timed)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    process: ProcessId,
    thread: Option<ThreadId>,
    call: Option<SystemCall>,
    result: Option<SystemCallResult>,
}

/// Similar calls, of one process or thread.
struct Row {
    key: Key,
    sum: CallSum,
    window_ns: i64,
}

/// Returns the rate per second.
fn per_second(count: i64, ns: i64) -> i64 {
    let rate = i128::from(count) * 1_000_000_000 / i128::from(ns.max(1));
    i64::try_from(rate).unwrap_or(i64::MAX)
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let only_failed = request.arguments.has(&FAILED);
    let per_thread = request.arguments.has(&PER_THREAD);
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::SystemCalls) {
            return Ok(Read::lacks(&facts, Capability::SystemCalls));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let whole_ns = facts.trace.as_ref().map_or(0, |trace| trace.duration_ns);
        let (from, to) = scope.window_ns.unwrap_or((0, whole_ns));
        let window_ns = to.min(whole_ns).saturating_sub(from.max(0));
        let mut sums: BTreeMap<Key, CallSum> = BTreeMap::new();
        counted_calls(view, &scope, |calls| {
            let failed = calls.result.is_some_and(|result| result.0 != 0);
            if failed || !only_failed {
                let key = Key {
                    process: calls.process,
                    thread: per_thread.then_some(calls.thread),
                    call: calls.call,
                    result: calls.result,
                };
                sums.entry(key).or_default().add(&calls.sum);
            }
        })?;
        let row = |(key, sum)| Row {
            key,
            sum,
            window_ns,
        };
        let rows: Vec<Row> = sums.into_iter().map(row).collect();
        let mut notes = notes(&facts);
        let (timed, count) = rows.iter().fold((0_i64, 0_i64), |(timed, count), row| {
            let sum = &row.sum;
            (
                timed.saturating_add(sum.timed),
                count.saturating_add(sum.count),
            )
        });
        if timed < count {
            let text =
                "not all of these calls were timed: some times are estimates (--columns +timed)";
            notes.push(Note::info(text));
        }
        notes.extend(rings::note(view, &scope, &facts)?);
        if selection.functions.is_some() {
            let text = "counts of system calls have no stacks: --functions makes no difference";
            notes.push(Note::info(text));
        }
        Ok(Read::rows(COLUMNS, rows, facts, notes))
    })
}
