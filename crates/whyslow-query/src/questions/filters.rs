//! `filters`: what the mini-filters of Windows cost, such as virus scanners.

use std::collections::BTreeMap;

use whyslow_model::tables::FilterCallRow;
use whyslow_model::{Capability, FileId, FileOperation, FilterPhase, Named, ProcessId, StackId};
use whyslow_results::{Columns, Kind, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::argument::{Argument, Choice, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::file_calls::FileNames;
use crate::question::{Empty, Question, Request, Subject};
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::stacks::Stacks;
use crate::sums::notes;
use crate::view::View;

/// The question; what took longest comes first.
pub(super) static QUESTION: Question = Question {
    name: "filters",
    about: "Mini-filters of Windows, such as virus scanners: how long each held up which requests",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[FILE, BY],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const FILE: Argument = Argument {
    name: "file",
    doc: "Only requests about files whose path matches, such as '*.dll;!C:\\Windows\\*'",
    takes: Takes::Pattern,
};

const BY: Argument = Argument {
    name: "by",
    doc: "Sum by this",
    takes: Takes::Choice {
        choices: &[
            choice("operation", "process, driver, operation and phase"),
            choice("driver", "driver"),
            choice("routine", "driver and routine"),
            choice("process", "process and driver"),
            choice("file", "driver and file"),
        ],
        default: "operation",
    },
};

const fn choice(word: &'static str, doc: &'static str) -> Choice {
    Choice { word, doc }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Operation,
    Driver,
    Routine,
    Process,
    File,
}

/// In the order of the choices in [`BY`].
const ALL_BY: [By; 5] = [
    By::Operation,
    By::Driver,
    By::Routine,
    By::Process,
    By::File,
];

const HELP: &str = "\
A mini-filter is a driver that sees requests to file systems before the file system does, after it,
or both: virus scanners, encryption, backup, cloud storage. Its time is part of the time of the call
that `files` shows, and includes what the filter waits for, such as its own service.

Counts are those of single routines: a request that two filters see counts for both.

Examples:
  whyslow filters x.whyslow --by driver
  whyslow filters x.whyslow --process make --by file --columns +path
  whyslow filters x.whyslow --file '*.dll'";

static TABLE: ResultSchema = ResultSchema::new(
    "filters",
    "Calls of mini-filters per process, driver, operation and phase.",
    "Mini-filters",
    &SHOWN,
)
.largest("time");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Context> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process that made the requests.").priority(1)
        .cell(|row, of| row.key.process.map_or(Value::Null, |id| Value::text(of.facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(4)
        .cell(|row, of| Value::int(row.key.process.and_then(|id| of.facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("driver", "driver", "Driver", Kind::Text, "The mini-filter's driver.").priority(0)
        .cell(|row, _| Value::text(&row.key.driver)),
    ResultColumn::new("routine", "routine", "Routine", Kind::Text, "Its routine, with `--by routine`.").hidden()
        .cell(|row, _| Value::optional(row.key.routine.as_deref())),
    ResultColumn::new("operation", "operation", "Operation", Kind::Text, "What the requests do, such as `open` or `write`.").priority(1).rigid()
        .cell(|row, _| row.key.operation.and_then(FileOperation::from_code).map_or(Value::Null, |operation| Value::text(operation.name()))),
    ResultColumn::new("phase", "phase", "Phase", Kind::Text, "Whether it saw them `before` or `after` the file system.").priority(2).rigid()
        .cell(|row, _| row.key.phase.and_then(FilterPhase::from_code).map_or(Value::Null, |phase| Value::text(phase.name()))),
    ResultColumn::new("calls", "calls", "Calls", Kind::Count, "Number of calls.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.count)),
    ResultColumn::new("time", "time_ns", "Time (sum)", Kind::Duration, "Time in them, waits included, summed over threads.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.ns)),
    ResultColumn::new("longest", "longest_ns", "Longest", Kind::Duration, "The longest call.").priority(3)
        .cell(|row, _| Value::Int(row.sum.longest_ns)),
    ResultColumn::new("path", "path", "File", Kind::Text, "The file, with `--by file`; `several` where there were too many to keep apart.").hidden()
        .cell(|row, of| row.key.file.map_or(Value::Null, |file| Value::text(of.names.path(file)))),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// What calls of a row have in common, as far as rows are separate by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    process: Option<ProcessId>,
    driver: String,
    routine: Option<String>,
    operation: Option<i32>,
    phase: Option<i32>,
    file: Option<Option<FileId>>,
}

#[derive(Debug, Default)]
struct Sum {
    count: i64,
    ns: i64,
    longest_ns: i64,
}

struct Row {
    key: Key,
    sum: Sum,
}

/// What the cells of a row need.
struct Context {
    facts: Facts,
    names: FileNames,
}

fn key(row: &FilterCallRow, by: By, names: &mut Routines) -> Key {
    let (driver, routine) = names.of(row.stack);
    let by_operation = by == By::Operation;
    Key {
        process: row.process.filter(|_| by_operation || by == By::Process),
        driver,
        routine: routine.filter(|_| by == By::Routine),
        operation: by_operation.then_some(row.operation),
        phase: by_operation.then_some(row.phase),
        file: (by == By::File).then_some(row.file),
    }
}

/// The names of routines, which are stacks of one frame.
struct Routines {
    stacks: Stacks,
    known: BTreeMap<Option<StackId>, (String, Option<String>)>,
}

impl Routines {
    fn of(&mut self, stack: Option<StackId>) -> (String, Option<String>) {
        let (tree, frames) = (&self.stacks.tree, &self.stacks.frames);
        let function = || Some(frames.function(tree.innermost(tree.node(Some(stack?)))?));
        let name = || match function().filter(|function| !function.module.is_empty()) {
            Some(function) => (function.module.to_string(), Some(function.name.to_string())),
            None => ("unknown".to_owned(), None),
        };
        self.known.entry(stack).or_insert_with(name).clone()
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let wanted = request.arguments.pattern(&FILE);
    let by = ALL_BY.get(request.arguments.choice(&BY)).copied();
    let by = by.unwrap_or(By::Operation);
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::FilterCalls) {
            return Ok(Read::lacks(&facts, Capability::FilterCalls));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let names = FileNames::read(view)?;
        let mut routines = Routines {
            stacks: Stacks::read(view)?,
            known: BTreeMap::new(),
        };
        let mut sums: BTreeMap<Key, Sum> = BTreeMap::new();
        let anybody = selection.is_of_anybody();
        recorded(view, &scope, anybody, |row: FilterCallRow| {
            if !wanted.matches(names.path(row.file)) {
                return;
            }
            let sum = sums.entry(key(&row, by, &mut routines)).or_default();
            sum.count = sum.count.saturating_add(row.count);
            sum.ns = sum.ns.saturating_add(row.time_ns.max(0));
            sum.longest_ns = sum.longest_ns.max(row.longest_ns);
        })?;
        let rows = sums.into_iter().map(|(key, sum)| Row { key, sum });
        let (rows, notes) = (rows.collect(), notes(&facts));
        let context = Context { facts, names };
        Ok(Read::rows(COLUMNS, rows, context, notes))
    })
}
