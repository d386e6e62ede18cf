//! `exceptions`: exceptions of .NET programs.

use std::collections::BTreeMap;

use whyslow_model::tables::ExceptionRow;
use whyslow_model::{Capability, ExceptionFlags, Named, ProcessId, StackId};
use whyslow_results::{Columns, Kind, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::argument::{Argument, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::network::Labels;
use crate::question::{Empty, Question, Request, Subject};
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::stacks::{Stacks, WantedStacks};
use crate::sums::notes;
use crate::view::View;

/// The question; what was thrown most often comes first.
pub(super) static QUESTION: Question = Question {
    name: "exceptions",
    about: "Exceptions of .NET programs: who threw which one, how often, with what message",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[KIND, MESSAGE, LIST],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const KIND: Argument = Argument {
    name: "type",
    doc: "Only exceptions whose type matches, such as '*Timeout*;!System.IO.*'",
    takes: Takes::Pattern,
};

const MESSAGE: Argument = Argument {
    name: "message",
    doc: "Only exceptions whose message matches",
    takes: Takes::Pattern,
};

const LIST: Argument = Argument {
    name: "list",
    doc: "Show every exception in a row of its own, with time and stack",
    takes: Takes::Nothing,
};

const HELP: &str = "\
An exception counts each time that it is thrown, also if it is caught, and again if it is thrown
again. Stacks are there if the recording has them; --functions chooses by them.

Examples:
  whyslow exceptions x.whyslow
  whyslow exceptions x.whyslow --type '*Timeout*' --list
  whyslow exceptions x.whyslow --functions '*Connect*'";

static TABLE: ResultSchema = ResultSchema::new(
    "exceptions",
    "Exceptions of .NET programs per process, type and message.",
    "Exceptions",
    &SHOWN,
)
.largest("count");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Context> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process; empty where not known.").priority(0)
        .cell(|row, of| row.key.process.map_or(Value::Null, |id| Value::text(of.facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(4)
        .cell(|row, of| Value::int(row.key.process.and_then(|id| of.facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("type", "type", "Type", Kind::Text, "Name of its type.").priority(0)
        .cell(|row, _| Value::optional(row.key.kind.as_deref())),
    ResultColumn::new("count", "count", "Count", Kind::Count, "How often it was thrown.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.count)),
    ResultColumn::new("at", "first_ns", "First at", Kind::Time, "When it was thrown first.").priority(2)
        .cell(|row, _| Value::int(row.sum.first_ns)),
    ResultColumn::new("last", "last_ns", "Last at", Kind::Time, "When it was thrown last.").hidden()
        .cell(|row, _| Value::int(row.sum.last_ns)),
    ResultColumn::new("code", "code", "Code", Kind::Text, "Its code (HRESULT).").priority(5).rigid()
        .cell(|row, _| Value::text(&format!("{:#010x}", row.key.code.cast_unsigned()))),
    ResultColumn::new("how", "how", "How", Kind::Text, "`inner` if it contains another one, `nested` if it was thrown while another one was handled, `again` if it was thrown again, `corrupted` if the state of the process is.").priority(6)
        .cell(|row, _| Value::text(&how(row.key.flags))),
    ResultColumn::new("message", "message", "Message", Kind::Text, "Its message.").priority(1)
        .cell(|row, _| Value::optional(row.key.message.as_deref())),
    ResultColumn::new("frames", "stack", "Thrown by", Kind::Text, "Functions of the program, nearest to the leaf first, of the first one that has a stack.").priority(3)
        .cell(|row, of| of.frames(row)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    process: Option<ProcessId>,
    kind: Option<String>,
    message: Option<String>,
    code: i32,
    flags: i32,
    /// Its number among all, if each has a row.
    number: Option<usize>,
}

#[derive(Debug, Default)]
struct Sum {
    count: i64,
    first_ns: Option<i64>,
    last_ns: Option<i64>,
    stack: Option<StackId>,
}

struct Row {
    key: Key,
    sum: Sum,
}

/// What the cells of a row need.
struct Context {
    facts: Facts,
    stacks: Stacks,
}

impl Context {
    fn frames(&self, row: &Row) -> Value {
        if row.sum.stack.is_none() {
            return Value::Null;
        }
        match self.stacks.user_frames(row.sum.stack, 5).as_slice() {
            [] => Value::Null,
            frames => Value::text(&frames.join(" < ")),
        }
    }
}

fn how(flags: i32) -> String {
    let flags = ExceptionFlags(flags);
    let all = ExceptionFlags::ALL.iter();
    let told = all.filter(|(flag, _)| flags.has(*flag));
    told.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let kinds = request.arguments.pattern(&KIND);
    let messages = request.arguments.pattern(&MESSAGE);
    let lists = request.arguments.has(&LIST);
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::Exceptions) {
            return Ok(Read::lacks(&facts, Capability::Exceptions));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let labels = Labels::read(view)?;
        let functions = WantedStacks::read(view, selection.functions.as_ref())?;
        let mut sums: BTreeMap<Key, Sum> = BTreeMap::new();
        let mut number = 0;
        let anybody = selection.is_of_anybody();
        recorded(view, &scope, anybody, |row: ExceptionRow| {
            let text = |id| labels.get(id).map(str::to_owned);
            let (kind, message) = (text(row.kind), text(row.message));
            let is_wanted = kinds.matches(kind.as_deref().unwrap_or_default())
                && messages.matches(message.as_deref().unwrap_or_default())
                && (selection.functions.is_none() || functions.has(row.stack));
            if !is_wanted {
                return;
            }
            number += 1;
            let key = Key {
                process: row.process,
                kind,
                message,
                code: row.code,
                flags: row.flags,
                number: lists.then_some(number),
            };
            let sum = sums.entry(key).or_default();
            sum.count += 1;
            sum.first_ns = Some(sum.first_ns.unwrap_or(i64::MAX).min(row.time_ns));
            sum.last_ns = sum.last_ns.max(Some(row.time_ns));
            sum.stack = sum.stack.or(row.stack);
        })?;
        let rows = sums.into_iter().map(|(key, sum)| Row { key, sum });
        let (rows, notes) = (rows.collect(), notes(&facts));
        let stacks = Stacks::read(view)?;
        Ok(Read::rows(COLUMNS, rows, Context { facts, stacks }, notes))
    })
}
