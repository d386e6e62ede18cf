//! `handles`: which handles processes opened, closed, and left open.

use std::collections::BTreeMap;

use whyslow_model::tables::HandleRow;
use whyslow_model::{Capability, HandleOrigin, Named, ProcessId, StackId};
use whyslow_results::{Columns, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::argument::{Argument, Choice, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::network::Labels;
use crate::peaks::Peaks;
use crate::question::{Empty, Question, Request, Subject};
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::stacks::{Stacks, WantedStacks};
use crate::sums::notes;
use crate::view::View;

/// The question; what most were left open of comes first.
pub(super) static QUESTION: Question = Question {
    name: "handles",
    about: "Windows handles: how many of each type processes opened, closed and left open",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[KIND, NAME, OPEN, LIST, BY],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const KIND: Argument = Argument {
    name: "type",
    doc: "Only handles of objects whose type matches, such as 'Event;Key'",
    takes: Takes::Pattern,
};

const NAME: Argument = Argument {
    name: "object",
    doc: r"Only handles of objects whose name matches, such as '\BaseNamedObjects\*'",
    takes: Takes::Pattern,
};

const OPEN: Argument = Argument {
    name: "open",
    doc: "Only handles that were not closed",
    takes: Takes::Nothing,
};

const LIST: Argument = Argument {
    name: "list",
    doc: "Show every handle in a row of its own, with time, object and stack",
    takes: Takes::Nothing,
};

const BY: Argument = Argument {
    name: "by",
    doc: "Sum by this",
    takes: Takes::Choice {
        choices: &[
            choice("type", "process and type"),
            choice("object", "process, type and name of the object"),
            choice(
                "stack",
                "process, type, and the place in the program that opened them",
            ),
            choice("process", "process"),
        ],
        default: "type",
    },
};

const fn choice(word: &'static str, doc: &'static str) -> Choice {
    Choice { word, doc }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Kind,
    Object,
    Stack,
    Process,
}

/// In the order of the choices in [`BY`].
const ALL_BY: [By; 4] = [By::Kind, By::Object, By::Stack, By::Process];

const HELP: &str = "\
A handle is the number by which a process uses an object of the kernel: a file, a registry key, an
event, a thread. Handles that are opened again and again and never closed are a leak. A handle counts
as open if it was not closed before the process, the recording or the selected time ended; Windows
closes the handles of a process that ends.

Handles from before the recording are known only if the recording begins or ends with a list of all open handles.
Names of objects are mostly known only from such lists. The kernel's own handles count for the
process in which they were opened. --functions selects handles by the stack that opened them.

Examples:
  whyslow handles x.whyslow --process app.exe
  whyslow handles x.whyslow --process app.exe --open --by stack
  whyslow handles x.whyslow --type Event --list --sort lifetime";

static TABLE: ResultSchema = ResultSchema::new(
    "handles",
    "Handles per process and type of object: opened, closed and left open.",
    "Handles",
    &SHOWN,
)
.largest("left");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Context> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process; empty where not known.").priority(0)
        .cell(|row, of| row.key.process.map_or(Value::Null, |id| Value::text(of.facts.process_name(id)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(4)
        .cell(|row, of| Value::int(row.key.process.and_then(|id| of.facts.process(id)).map(|process| process.os_pid))),
    ResultColumn::new("type", "type", "Type", Kind::Text, "Type of the objects, such as `Event` or `File`; its number in brackets where the recording does not name it.").priority(0)
        .cell(|row, _| Value::optional(row.key.kind.as_deref())),
    ResultColumn::new("opened", "opened", "Opened", Kind::Count, "Handles that were opened, including duplicates that the process got.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.opened)),
    ResultColumn::new("before", "before", "Before", Kind::Count, "Handles that were only listed: opened before the recording, or inherited.").priority(2).summed()
        .cell(|row, _| Value::Int(row.sum.before)),
    ResultColumn::new("closed", "closed", "Closed", Kind::Count, "Of those opened and those only listed: how many were closed.").priority(1).summed()
        .cell(|row, _| Value::Int(row.sum.closed)),
    ResultColumn::new("left", "left_open", "Left open", Kind::Count, "Of those opened and those only listed: how many were not closed before the process, the recording or the selected time ended.").priority(0).summed()
        .cell(|row, _| Value::Int(row.sum.open)),
    ResultColumn::new("peak", "peak", "Peak", Kind::Count, "The most that were open at one time.").priority(2)
        .cell(|row, _| Value::Int(row.peak)),
    ResultColumn::new("at", "first_ns", "First at", Kind::Time, "When the first of them was opened or listed.").priority(3)
        .cell(|row, _| Value::int(row.sum.first_ns)),
    ResultColumn::new("lifetime", "lifetime_ns", "Longest open", Kind::Duration, "The longest time from opening to closing; empty where none was closed.").priority(5)
        .cell(|row, _| Value::int(row.sum.lifetime_ns)),
    ResultColumn::new("how", "how", "How", Kind::Text, "With `--list`: `created`, `duplicated` or `listed`.").priority(4).rigid()
        .cell(|row, _| row.key.single.and_then(|one| HandleOrigin::from_code(one.origin)).map_or(Value::Null, |how| Value::text(how.name()))),
    ResultColumn::new("handle", "handle", "Handle", Kind::Text, "With `--list`: the number of the handle.").priority(3)
        .cell(|row, _| row.key.single.map_or(Value::Null, |one| Value::text(&format!("{:#x}", one.handle)))),
    ResultColumn::new("address", "address", "Address", Kind::Text, "With `--list`: the object's address.").hidden()
        .cell(|row, _| row.key.single.map_or(Value::Null, |one| Value::text(&format!("{:#x}", one.object)))),
    ResultColumn::new("object", "object", "Object", Kind::Text, "Name of the object, with `--by object` and `--list`; empty where it has none.").priority(1)
        .cell(|row, _| Value::optional(row.key.object.as_deref())),
    ResultColumn::new("frames", "stack", "Opened by", Kind::Text, "Functions of the program that opened them, nearest to the leaf first, with `--by stack` and `--list`.").priority(1)
        .cell(|row, of| of.frames(row)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// About so many changes are kept, to find peaks: 64 MB.
const MOST_CHANGES: usize = 4 << 20;

/// What handles of a row have in common, as far as rows are separate by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    process: Option<ProcessId>,
    kind: Option<String>,
    object: Option<String>,
    stack: Option<Option<StackId>>,
    single: Option<Single>,
}

/// The handle, if each has a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Single {
    /// Its number among all.
    number: usize,
    origin: i32,
    handle: i64,
    object: u64,
}

#[derive(Debug, Default)]
struct Sum {
    opened: i64,
    before: i64,
    closed: i64,
    open: i64,
    first_ns: Option<i64>,
    lifetime_ns: Option<i64>,
}

impl Sum {
    fn add(&mut self, row: &HandleRow, end_ns: Option<i64>) {
        match HandleOrigin::from_code(row.origin) {
            Some(HandleOrigin::Listed) => self.before += 1,
            _ => self.opened += 1,
        }
        self.first_ns = Some(self.first_ns.unwrap_or(i64::MAX).min(row.time_ns));
        match end_ns {
            Some(_) => {
                self.closed += 1;
                self.lifetime_ns = self.lifetime_ns.max(row.duration_ns);
            }
            None => self.open += 1,
        }
    }
}

struct Row {
    key: Key,
    sum: Sum,
    peak: i64,
}

/// What the cells of a row need.
struct Context {
    facts: Facts,
    stacks: Stacks,
}

impl Context {
    fn frames(&self, row: &Row) -> Value {
        let Some(Some(stack)) = row.key.stack else {
            return Value::Null;
        };
        match self.stacks.user_frames(Some(stack), 5).as_slice() {
            [] => Value::Null,
            frames => Value::text(&frames.join(" < ")),
        }
    }
}

/// What is asked for.
struct Wanted<'a> {
    request: &'a Request<'a>,
    by: By,
    lists: bool,
}

impl Wanted<'_> {
    fn key(&self, row: &HandleRow, number: usize, labels: &Labels) -> Key {
        let text = |id| labels.get(id).map(str::to_owned);
        let has_object = self.lists || self.by == By::Object;
        let has_stack = self.lists || self.by == By::Stack;
        let has_kind = self.lists || self.by != By::Process;
        Key {
            process: row.process,
            kind: text(row.kind).filter(|_| has_kind),
            object: text(row.name).filter(|_| has_object),
            stack: has_stack.then_some(row.stack),
            single: self.lists.then_some(Single {
                number,
                origin: row.origin,
                handle: row.handle,
                object: row.object.cast_unsigned(),
            }),
        }
    }

    /// Sums up the handles that are asked for.
    fn sums(
        &self,
        view: View<'_>,
        facts: &Facts,
    ) -> Result<(BTreeMap<Key, Sum>, Peaks<Key>), QueryError> {
        let (selection, arguments) = (self.request.selection, self.request.arguments);
        let (kinds, names) = (arguments.pattern(&KIND), arguments.pattern(&NAME));
        let only_open = arguments.has(&OPEN);
        let scope = Scope::new(view, facts, selection)?;
        let to_ns = scope.window_ns.map_or(i64::MAX, |(_, to)| to);
        let labels = Labels::read(view)?;
        let functions = WantedStacks::read(view, selection.functions.as_ref())?;
        let mut sums: BTreeMap<Key, Sum> = BTreeMap::new();
        let mut peaks = Peaks::new(MOST_CHANGES);
        let mut number = 0;
        let anybody = selection.is_of_anybody();
        recorded(view, &scope, anybody, |row: HandleRow| {
            let end_ns = row.duration_ns.map(|ns| row.time_ns.saturating_add(ns));
            let end_ns = end_ns.filter(|&end_ns| end_ns < to_ns);
            let is_wanted = kinds.matches(labels.get(row.kind).unwrap_or_default())
                && names.matches(labels.get(row.name).unwrap_or_default())
                && !(only_open && end_ns.is_some())
                && (selection.functions.is_none() || functions.has(row.stack));
            if is_wanted {
                number += 1;
                let key = self.key(&row, number, &labels);
                peaks.add(key.clone(), 1, (row.time_ns, end_ns));
                sums.entry(key).or_default().add(&row, end_ns);
            }
        })?;
        Ok((sums, peaks))
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let by = ALL_BY.get(request.arguments.choice(&BY)).copied();
    let wanted = Wanted {
        request,
        by: by.unwrap_or(By::Kind),
        lists: request.arguments.has(&LIST),
    };
    shape::ask(views, request.selection, &TABLE, |view, facts| {
        if !facts.has(Capability::Handles) {
            return Ok(Read::lacks(&facts, Capability::Handles));
        }
        let (sums, mut peaks) = wanted.sums(view, &facts)?;
        let rows = sums.into_iter().map(|(key, sum)| Row {
            peak: peaks.take(&key),
            key,
            sum,
        });
        let (rows, mut notes) = (rows.collect(), notes(&facts));
        if peaks.is_rough() {
            let text = "very many handles were opened and closed: real peaks may be somewhat higher than shown";
            notes.push(Note::info(text));
        }
        let stacks = Stacks::read(view)?;
        Ok(Read::rows(COLUMNS, rows, Context { facts, stacks }, notes))
    })
}
