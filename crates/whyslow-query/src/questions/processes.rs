//! `processes`: which processes ran, as a tree, when they ran, and what they cost.

use whyslow_model::tables::{self, ProcessRow};
use whyslow_model::{Capability, ProcessId};
use whyslow_results::{Column, Kind, Outcome, ResultColumn, ResultSchema, TreeStyle, Value, shown};

use super::costs::{CostCell, CostRead, facts, sums};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::question::{Empty, Question, Request, Subject};
use crate::scope::Scope;
use crate::selection::Selection;
use crate::shape::{self, Read};
use crate::sums::{Known, notes};
use crate::view::View;

/// The question: a tree; with `--sort` or `--top` a list.
pub(super) static QUESTION: Question = Question {
    name: "processes",
    about: "Processes: tree, lifetime, command line, how they ended, CPU, wait, ready",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const HELP: &str = "\
Examples:
  whyslow processes x.whyslow                         the tree of processes
  whyslow processes x.whyslow --new --sort duration   those that started meanwhile, longest first
  whyslow processes x.whyslow --process 'cc1;ld' --totals
  whyslow processes runs/*.whyslow --cmdline '*test*' --format csv";

static TABLE: ResultSchema = ResultSchema::new(
    "processes",
    "Which processes ran, from when to when, and what they cost.",
    "Processes",
    &SHOWN,
)
.tree("process", TreeStyle::Levels)
.best("cpu");

#[rustfmt::skip]
const COLUMNS: &[Column<CostCell>] = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process, below the one that started it.").priority(0)
        .cell(facts(|row, of| of.process(row, |process| Value::text(&process.name)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id; an exec makes a new row with the same id.").priority(0)
        .cell(facts(|row, of| of.process(row, |process| Value::Int(process.os_pid.into())))),
    ResultColumn::new("parent", "parent_pid", "Parent", Kind::Id, "The system's id of the process that started it.").hidden()
        .cell(facts(|row, of| of.process(row, |process| Value::int(process.os_ppid)))),
    ResultColumn::new("start", "start_ns", "Start", Kind::Time, "When it started; empty if before the trace.").priority(2)
        .cell(facts(|row, of| of.process(row, |process| Value::int(process.start_ns)))),
    ResultColumn::new("end", "end_ns", "End", Kind::Time, "When it ended or became another image; empty if it outlived the trace.").priority(3)
        .cell(facts(|row, of| of.process(row, |process| Value::int(process.end_ns)))),
    ResultColumn::new("duration", "lifetime_ns", "Lifetime", Kind::Duration, "How long it lived within the trace.").priority(1)
        .cell(facts(|row, of| of.process(row, |process| Value::Int(of.facts.lifetime_ns(process.start_ns, process.end_ns))))),
    ResultColumn::new("exit", "exit_code", "Exit", Kind::ExitCode, "Exit code; for a status of Windows in hexadecimal, with its name if that is known; empty if it did not exit in the trace, or it is not recorded.").priority(4)
        .cell(facts(|row, of| of.process(row, |process| Value::int(process.exit_code)))),
    ResultColumn::new("signal", "exit_signal", "Signal", Kind::Id, "Number of the signal that killed it.").hidden()
        .cell(facts(|row, of| of.process(row, |process| Value::int(process.exit_signal)))),
    ResultColumn::new("cpu", "cpu_sampled_ns", "CPU (sampled)", Kind::Duration, "CPU time by samples.").priority(1).summed()
        .cell(sums(&["cpu_sampled_ns"], |row, of| Known::value(of.known.sampled, row.sum.cpu_sampled_ns))),
    ResultColumn::new("cpu-precise", "cpu_precise_ns", "CPU (precise)", Kind::Duration, "CPU time by context switches, as the system accounts it where the recording has that.").priority(5).summed()
        .cell(sums(&["cpu_ns"], |row, of| Known::value(of.precise, row.sum.cpu_ns))),
    ResultColumn::new("wait", "wait_ns", "Wait", Kind::Duration, "Time its threads were blocked, summed over threads.").priority(6).summed()
        .cell(sums(&["wait_ns"], |row, of| Known::value(of.known.wakeups, row.sum.wait_ns))),
    ResultColumn::new("ready", "ready_ns", "Ready", Kind::Duration, "Time its threads were runnable without a CPU, summed over threads.").priority(6).summed()
        .cell(sums(&["ready_ns"], |row, of| Known::value(of.known.wakeups, row.sum.ready_ns))),
    ResultColumn::new("off-cpu", "off_cpu_ns", "Off CPU", Kind::Duration, "Time its threads were off the CPU where wake-ups were not recorded.").hidden().summed()
        .cell(sums(&["off_cpu_ns"], |row, of| of.known.off_cpu(row.sum.off_cpu_ns))),
    ResultColumn::new("unknown", "unknown_ns", "Unknown", Kind::Duration, "Time of its threads about which nothing is known.").hidden().summed()
        .cell(sums(&["unknown_ns"], |row, of| Known::value(of.precise, row.sum.unknown_ns))),
    ResultColumn::new("threads", "threads", "Threads", Kind::Count, "Number of its threads in the trace; empty if no event was about any.").priority(7).summed()
        .cell(facts(|row, _| Value::int(row.threads))),
    ResultColumn::new("switches", "switches", "Switches", Kind::Count, "Times a thread of it left a CPU.").hidden().summed()
        .cell(sums(&["switches"], |row, of| Known::value(of.known.switches, row.sum.switches))),
    ResultColumn::new("user", "user", "User", Kind::Text, "Name or id of the user.").hidden()
        .cell(facts(|row, of| of.process(row, |process| Value::optional(process.user.as_deref())))),
    ResultColumn::new("session", "session", "Session", Kind::Id, "Session id.").hidden()
        .cell(facts(|row, of| of.process(row, |process| Value::int(process.session)))),
    ResultColumn::new("services", "services", "Services", Kind::Text, "Names of the services that it runs (Windows).").hidden()
        .cell(facts(|row, of| of.process(row, |process| Value::optional(process.services.as_deref())))),
    ResultColumn::new("path", "path", "Path", Kind::Text, "Path of the executable.").hidden()
        .cell(facts(|row, of| of.process(row, |process| Value::optional(process.path.as_deref())))),
    ResultColumn::new("cmdline", "command_line", "Command line", Kind::Text, "Command line, or path, as far as recorded.").priority(3)
        .cell(facts(|row, of| of.process(row, Facts::command_line))),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    processes(views, request.selection)
}

/// Lists processes.
fn processes(views: &[View<'_>], selection: &Selection) -> Result<Outcome, QueryError> {
    let read = CostRead {
        columns: COLUMNS,
        selection,
        several: views.len() > 1,
        order: tree,
    };
    shape::ask_with(
        views,
        selection,
        &TABLE,
        Facts::head,
        |view, facts, deciding| {
            let nothing_recorded = !facts.has(Capability::ProcessEvents);
            if nothing_recorded && view.read(&tables::PROCESS, &["id"])?.is_empty() {
                return Ok(Read::lacks(&facts, Capability::ProcessEvents));
            }
            let notes = notes(&facts);
            read.rows(view, facts, deciding, notes)
        },
    )
}

/// Returns the processes of `scope` in the order of the tree, with their depths.
///
/// A process whose parent is not in the scope comes below its nearest ancestor that is. The image
/// that an exec started comes after the process, at the same depth.
fn tree(facts: &Facts, scope: &Scope) -> Vec<(ProcessId, u16)> {
    let count = facts.processes.len();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut roots = Vec::new();
    let wanted = |id: usize| scope.processes.get(id).copied().unwrap_or(false);
    for id in (0..count).filter(|&id| wanted(id)) {
        let mut above = parent(facts, id);
        let mut steps = 0;
        while let Some(at) = above.filter(|&at| !wanted(at) && steps < count) {
            above = parent(facts, at);
            steps += 1;
        }
        match above.filter(|&at| wanted(at) && at != id) {
            Some(at) => children[at].push(id),
            None => roots.push(id),
        }
    }
    let key = |&id: &usize| {
        let process = &facts.processes[id];
        let head = &facts.processes[head(facts, id)];
        let start = |row: &ProcessRow| row.start_ns.unwrap_or(i64::MIN);
        (start(head), process.os_pid, start(process), id)
    };
    let mut order = Vec::new();
    let mut placed = vec![false; count];
    roots.sort_by_key(key);
    // Processes in a circle of parents become roots of their own.
    let circular = (0..count).filter(|&id| wanted(id));
    for root in roots.into_iter().chain(circular) {
        let mut todo = vec![(root, 0_u16)];
        while let Some((id, depth)) = todo.pop() {
            if std::mem::replace(&mut placed[id], true) {
                continue;
            }
            order.extend(ProcessId::from_index(id).map(|id| (id, depth)));
            let mut below = std::mem::take(&mut children[id]);
            below.sort_by_key(key);
            let deeper = depth.saturating_add(1);
            todo.extend(below.into_iter().rev().map(|id| (id, deeper)));
        }
    }
    order
}

fn parent(facts: &Facts, id: usize) -> Option<usize> {
    let parent = facts.processes[id].parent?.index();
    (parent < facts.processes.len()).then_some(parent)
}

/// Returns the first image of the process that `id` is an image of.
fn head(facts: &Facts, id: usize) -> usize {
    let mut at = id;
    for _ in 0..facts.processes.len() {
        let before = facts.processes[at].predecessor;
        match before.map(ProcessId::index) {
            Some(before) if before < facts.processes.len() => at = before,
            _ => break,
        }
    }
    at
}
