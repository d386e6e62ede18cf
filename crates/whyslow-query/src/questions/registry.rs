//! `registry`: what was done with which keys and values of the registry of Windows.

use std::collections::BTreeMap;

use whyslow_model::tables::RegistryCallRow;
use whyslow_model::{
    Capability, FileId, LabelId, Named, ProcessId, RegistryOperation, SystemCallResult,
};
use whyslow_results::{Columns, Kind, Outcome, ResultColumn, ResultSchema, Value, shown};

use super::syscalls::FAILED;
use whyslow_results::Note;

use crate::argument::{Argument, Choice, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::file_calls::FileNames;
use crate::network::Labels;
use crate::question::{Empty, Question, Request, Subject};
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::sums::notes;
use crate::view::View;

/// The question; what took longest comes first.
pub(super) static QUESTION: Question = Question {
    name: "registry",
    about: "Windows registry: which processes opened, read, set or did not find which keys and values, and how often",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[KEY, VALUE, FAILED, BY],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const KEY: Argument = Argument {
    name: "key",
    doc: r"Only keys whose name matches, such as '*\Run;!HKU\*'",
    takes: Takes::Pattern,
};

const VALUE: Argument = Argument {
    name: "value",
    doc: "Only values whose name matches",
    takes: Takes::Pattern,
};

const BY: Argument = Argument {
    name: "by",
    doc: "Sum by this",
    takes: Takes::Choice {
        choices: &[
            choice("key", "process, operation, result and key"),
            choice("value", "process, operation, result, key and value"),
            choice("operation", "process, operation and result"),
            choice("process", "process"),
        ],
        default: "key",
    },
};

const fn choice(word: &'static str, doc: &'static str) -> Choice {
    Choice { word, doc }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Key,
    Value,
    Operation,
    Process,
}

/// In the order of the choices in [`BY`].
const ALL_BY: [By; 4] = [By::Key, By::Value, By::Operation, By::Process];

const HELP: &str = r"
Counts and results are exact. Keys have short names: HKLM is \REGISTRY\MACHINE. HKU is
\REGISTRY\USER, which has the keys of each user. A key that the trace does not name is [unnamed].
Reading a value often takes two operations: the first fails with STATUS_BUFFER_TOO_SMALL or
STATUS_BUFFER_OVERFLOW and says how large the value is. A list ends with STATUS_NO_MORE_ENTRIES.

Operations are counted in stretches of about a second, so --from and --to are only that precise.

Examples:
  whyslow registry x.whyslow --process setup.exe --failed
  whyslow registry x.whyslow --by value --key '*\CurrentVersion\Run'
  whyslow registry x.whyslow --by operation --sort calls";

static TABLE: ResultSchema = ResultSchema::new(
    "registry",
    "Operations on the registry per process, operation, result and key.",
    "Registry",
    &SHOWN,
)
.largest("time");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Context> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0)
        .cell(|row, of| row.key.process.map_or(Value::Null, |id| Value::text(of.facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(4)
        .cell(|row, of| Value::int(row.key.process.and_then(|id| of.facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("operation", "operation", "Operation", Kind::Text, "What was done, such as `open` or `query value`.").priority(0).rigid()
        .cell(|row, _| row.key.operation.and_then(RegistryOperation::from_code).map_or(Value::Null, |operation| Value::text(operation.name()))),
    ResultColumn::new("result", "result", "Result", Kind::Text, "`ok`, or the status.").priority(1)
        .cell(|row, _| row.key.result.map_or(Value::Null, |result| Value::text(&SystemCallResult(result).spelled()))),
    ResultColumn::new("calls", "calls", "Calls", Kind::Count, "Number of operations.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.count)),
    ResultColumn::new("time", "time_ns", "Time (sum)", Kind::Duration, "Time in them, waits included, summed over threads; empty where it was not recorded.").priority(0).summed()
        .cell(|row, _| Value::int(row.sum.ns)),
    ResultColumn::new("longest", "longest_ns", "Longest", Kind::Duration, "The longest operation.").priority(3)
        .cell(|row, _| Value::int(row.sum.longest_ns)),
    ResultColumn::new("value", "value", "Value", Kind::Text, "Name of the value, with `--by value`; empty for operations on keys.").priority(1)
        .cell(|row, of| Value::optional(row.key.value.and_then(|id| of.labels.get(Some(id))))),
    ResultColumn::new("key", "key", "Key", Kind::Text, "Name of the key; `several` where there were too many to keep apart.").priority(0)
        .cell(|row, of| row.key.key.map_or(Value::Null, |key| Value::text(of.names.path(key)))),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// What operations of a row have in common, as far as rows are separate by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    process: Option<ProcessId>,
    operation: Option<i32>,
    result: Option<i32>,
    key: Option<Option<FileId>>,
    value: Option<LabelId>,
}

#[derive(Debug, Default)]
struct Sum {
    count: i64,
    ns: Option<i64>,
    longest_ns: Option<i64>,
}

struct Row {
    key: Key,
    sum: Sum,
}

/// What the cells of a row need.
struct Context {
    facts: Facts,
    names: FileNames,
    labels: Labels,
}

fn key(row: &RegistryCallRow, by: By) -> Key {
    let by_operation = by != By::Process;
    Key {
        process: row.process,
        operation: by_operation.then_some(row.operation),
        result: by_operation.then_some(row.result),
        key: matches!(by, By::Key | By::Value).then_some(row.key),
        value: row.value.filter(|_| by == By::Value),
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let keys = request.arguments.pattern(&KEY);
    let values = request.arguments.pattern(&VALUE);
    let only_failed = request.arguments.has(&FAILED);
    let by = ALL_BY.get(request.arguments.choice(&BY)).copied();
    let by = by.unwrap_or(By::Key);
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::Registry) {
            return Ok(Read::lacks(&facts, Capability::Registry));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let names = FileNames::read(view)?;
        let labels = Labels::read(view)?;
        let mut sums: BTreeMap<Key, Sum> = BTreeMap::new();
        let anybody = selection.is_of_anybody();
        recorded(view, &scope, anybody, |row: RegistryCallRow| {
            let value = labels.get(row.value).unwrap_or_default();
            let is_wanted = keys.matches(names.path(row.key))
                && values.matches(value)
                && (!only_failed || row.result != 0);
            if !is_wanted {
                return;
            }
            let sum = sums.entry(key(&row, by)).or_default();
            sum.count = sum.count.saturating_add(row.count);
            sum.longest_ns = sum.longest_ns.max(row.longest_ns);
            if let Some(ns) = row.time_ns {
                sum.ns = Some(sum.ns.unwrap_or(0).saturating_add(ns.max(0)));
            }
        })?;
        let rows = sums.into_iter().map(|(key, sum)| Row { key, sum });
        let (rows, mut notes) = (rows.collect(), notes(&facts));
        if selection.functions.is_some() {
            let text = "operations on the registry have no stacks: --functions makes no difference";
            notes.push(Note::info(text));
        }
        let context = Context {
            facts,
            names,
            labels,
        };
        Ok(Read::rows(COLUMNS, rows, context, notes))
    })
}
