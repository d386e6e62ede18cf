//! `memory`: which processes were held up because memory was short; of Windows, what processes got and kept; how much
//! processes had over time.

mod allocations;
mod processes;

use std::collections::BTreeMap;

use whyslow_model::{Capability, MemoryStall, Named, ProcessId, System};
use whyslow_results::{Columns, Kind, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::argument::{Argument, Choice, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::memory::{Stall, stalls};
use crate::question::{Empty, Question, Request, Subject};
use crate::scope::Scope;
use crate::shape::{self, Read, elsewhere};
use crate::sums::notes;
use crate::view::View;

/// The question; what took longest comes first.
pub(super) static QUESTION: Question = Question {
    name: "memory",
    about: "Stalls because memory was short; how much memory processes had; in Windows traces, what they got and kept",
    help: HELP,
    tables: &[
        &TABLE,
        &processes::TABLE,
        &processes::LISTED,
        &allocations::TABLE,
    ],
    arguments: &[PROCESSES, LIST, BY],
    about_what: Subject::Selection,
    empty: Empty::AllIsWell(
        "nothing was held up because memory was short; --processes shows how much memory each process had",
    ),
    ask,
};

const PROCESSES: Argument = Argument {
    name: "processes",
    doc: "Show how much memory each process had in RAM: at first, at most, at last",
    takes: Takes::Nothing,
};

const LIST: Argument = Argument {
    name: "list",
    doc: "Show how much memory processes had over time: one row for each reading that differs",
    takes: Takes::Nothing,
};

const BY: Argument = Argument {
    name: "by",
    doc: "For Windows traces: sum by this",
    takes: Takes::Choice {
        choices: &[
            Choice {
                word: "process",
                doc: "process",
            },
            Choice {
                word: "stack",
                doc: "process and place that got the memory",
            },
        ],
        default: "process",
    },
};

const HELP: &str = "\
A thread that wants memory when little is left has to free some first (reclaim), because the whole
machine is short or because its cgroup is at its limit (group reclaim), or to move some so that a
large piece is free (compaction). A thread that writes faster than the disk is paused (write pause).
If nothing helps, a process is killed.

With --processes, it shows how much memory each process had in RAM. Whyslow reads that about five times per second,
less often if there are very many processes, and keeps a reading if it differs from the one before by at least 64 KB
and 0.4 %. The peak is the system's own figure if the process reached it during the recording. Pages that processes
share count for each of them. Growth alone is not a leak: only memory that is never used again is leaked.
--list shows the readings one by one.

Windows traces show the memory that processes got with VirtualAlloc and gave back during the
recording. Memory counts as kept if it was not given back before the process or the recording ended.
Heaps get large blocks and divide them, so single malloc calls do not appear. --functions selects
allocations by stack.

Examples:
  whyslow memory x.whyslow
  whyslow memory x.whyslow --process app --from 2s --to 3s
  whyslow memory x.whyslow --processes --sort growth
  whyslow memory x.whyslow --list --process app
  whyslow memory x.whyslow --by stack --sort kept-bytes";

static TABLE: ResultSchema = ResultSchema::new(
    "memory",
    "What held processes up because memory was short.",
    "Stalls because memory was short",
    &SHOWN,
)
.largest("time");

#[rustfmt::skip]
const COLUMNS: Columns<Row, Facts> = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process that was held up.").priority(0)
        .cell(|row, facts| Value::text(facts.process_name(row.process))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(2)
        .cell(|row, facts| Value::int(facts.process(row.process).map(|process| process.os_pid))),
    ResultColumn::new("stall", "stall", "Stall", Kind::Text, "What was done meanwhile: `reclaim`, `group reclaim`, `compaction`, `reclaim pause`, `write pause`, or `kill`.").priority(0).rigid()
        .cell(|row, _| Value::text(row.kind.name())),
    ResultColumn::new("count", "count", "Count", Kind::Count, "How often.").priority(1).summed()
        .cell(|row, _| Value::Int(row.sum.count)),
    ResultColumn::new("time", "time_ns", "Time (sum)", Kind::Duration, "How long it took, summed over threads. What began during another stall counts in both.").priority(1).summed()
        .cell(|row, _| Value::Int(row.sum.ns)),
    ResultColumn::new("longest", "longest_ns", "Longest", Kind::Duration, "The longest one.").priority(3)
        .cell(|row, _| Value::Int(row.sum.longest_ns)),
    ResultColumn::new("longest-at", "longest_at_ns", "Longest at", Kind::Time, "When the longest one began.").priority(6)
        .cell(|row, _| Value::Int(row.sum.longest_at_ns)),
    ResultColumn::new("pages", "pages", "Pages freed", Kind::Count, "Pages that were freed, of 4 KB on most machines; empty where that was not recorded.").priority(4).summed()
        .cell(|row, _| Value::int(row.sum.pages)),
    ResultColumn::new("killed", "killed", "Killed", Kind::Text, "The process that was killed, the last one of several.").priority(5)
        .cell(|row, _| row.sum.killed.as_deref().map_or(Value::Null, Value::text)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// The stalls of one kind of one process.
struct Row {
    process: ProcessId,
    kind: MemoryStall,
    sum: Sum,
}

#[derive(Debug, Default)]
struct Sum {
    count: i64,
    ns: i64,
    longest_ns: i64,
    longest_at_ns: i64,
    pages: Option<i64>,
    killed: Option<String>,
}

impl Sum {
    fn add(&mut self, stall: &Stall, facts: &Facts) {
        if stall.ns > self.longest_ns || self.count == 0 {
            self.longest_ns = stall.ns;
            self.longest_at_ns = stall.start_ns;
        }
        self.count += 1;
        self.ns = self.ns.saturating_add(stall.ns);
        if let Some(pages) = stall.pages {
            let sum = self.pages.get_or_insert(0);
            *sum = sum.saturating_add(pages);
        }
        let victim = stall.victim.and_then(|thread| facts.thread(thread));
        if let Some(victim) = victim {
            self.killed = Some(facts.process_name(victim.process).to_owned());
        }
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    let lists = request.arguments.has(&LIST);
    if lists || request.arguments.has(&PROCESSES) {
        return processes::ask(views, request, lists);
    }
    let mut of_windows = false;
    for &view in views {
        let trace = Facts::head(view)?.trace;
        let system = System::of(trace.and_then(|trace| trace.os).as_deref());
        of_windows |= system == System::Windows;
    }
    if of_windows {
        let by_stack = request.arguments.choice(&BY) == 1;
        let answer = allocations::ask(views, request, by_stack);
        return answer.map_err(|error| elsewhere(error, "Linux", &TABLE));
    }
    let answer = shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::MemoryStalls) {
            return Ok(Read::lacks(&facts, Capability::MemoryStalls));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let mut sums: BTreeMap<_, Sum> = BTreeMap::new();
        stalls(view, &scope, |stall| {
            let key = (stall.process, stall.kind);
            sums.entry(key).or_default().add(stall, &facts);
        })?;
        let rows = sums.into_iter();
        let rows = rows.map(|((process, kind), sum)| Row { process, kind, sum });
        let (rows, notes) = (rows.collect(), notes(&facts));
        Ok(Read::rows(COLUMNS, rows, facts, notes))
    });
    answer.map_err(|error| elsewhere(error, "Windows", &allocations::TABLE))
}
