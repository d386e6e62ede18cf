//! `processes`: which processes ran, as a tree, from when to when, and what they cost.

use whyslow_model::tables::ProcessRow;
use whyslow_model::{Capability, ProcessId};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::result::{Kind, Order, Outcome, ResultColumn, Value};
use crate::scope::Scope;
use crate::selection::{Selection, View};
use crate::shape::{self, ListRows, Part, Read, Shape};
use crate::sums::{Known, Sums, notes};

#[rustfmt::skip]
pub(super) static COLUMNS: &[ResultColumn] = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process, below the one that started it.").priority(0),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id; an exec makes a new row with the same id.").priority(0),
    ResultColumn::new("parent", "parent_pid", "Parent", Kind::Id, "The system's id of the process that started it.").hidden(),
    ResultColumn::new("start", "start_ns", "Start", Kind::Time, "When it started; empty if before the trace.").priority(2),
    ResultColumn::new("end", "end_ns", "End", Kind::Time, "When it ended or became another image; empty if it outlived the trace.").priority(3),
    ResultColumn::new("duration", "lifetime_ns", "Lifetime", Kind::Duration, "How long it lived within the trace.").priority(1),
    ResultColumn::new("exit", "exit_code", "Exit", Kind::Id, "Exit code; empty if it did not exit in the trace, or it is not recorded.").priority(4),
    ResultColumn::new("signal", "exit_signal", "Signal", Kind::Id, "Number of the signal that killed it.").hidden(),
    ResultColumn::new("cpu", "cpu_sampled_ns", "CPU (sampled)", Kind::Duration, "CPU time by samples.").priority(1).summed(),
    ResultColumn::new("cpu-precise", "cpu_precise_ns", "CPU (precise)", Kind::Duration, "CPU time by context switches.").priority(5).summed(),
    ResultColumn::new("wait", "wait_ns", "Wait", Kind::Duration, "Time its threads were blocked, summed over threads.").priority(6).summed(),
    ResultColumn::new("ready", "ready_ns", "Ready", Kind::Duration, "Time its threads were runnable without a CPU, summed over threads.").priority(6).summed(),
    ResultColumn::new("off-cpu", "off_cpu_ns", "Off CPU", Kind::Duration, "Time its threads were off the CPU where wake-ups were not recorded.").hidden().summed(),
    ResultColumn::new("unknown", "unknown_ns", "Unknown", Kind::Duration, "Time of its threads that nothing tells about.").hidden().summed(),
    ResultColumn::new("threads", "threads", "Threads", Kind::Count, "Number of its threads in the trace.").priority(7).summed(),
    ResultColumn::new("switches", "switches", "Switches", Kind::Count, "Times a thread of it left a CPU.").hidden().summed(),
    ResultColumn::new("user", "user", "User", Kind::Text, "Name or id of the user.").hidden(),
    ResultColumn::new("session", "session", "Session", Kind::Id, "Session id.").hidden(),
    ResultColumn::new("path", "path", "Path", Kind::Text, "Path of the executable.").hidden(),
    ResultColumn::new("cmdline", "command_line", "Command line", Kind::Text, "Command line, or path, as far as recorded.").priority(3),
];

static SHAPE: Shape = Shape {
    question: "processes",
    title: "Processes",
    columns: COLUMNS,
    tree: Some("process"),
    order: None,
    top_order: Some(("cpu", Order::Descending)),
    swap: &[],
};

/// Lists processes as a tree; with `--sort` or `--top` as a list.
///
/// # Errors
/// As [`cpu`](super::cpu()).
pub fn processes(views: &[View<'_>], selection: &Selection) -> Result<Outcome, QueryError> {
    shape::ask(views, selection, &SHAPE, |view, facts| {
        if facts.processes.is_empty() && !facts.has(Capability::ProcessEvents) {
            return Ok(Read::NotRecorded(Capability::ProcessEvents));
        }
        let scope = Scope::new(facts, selection)?;
        let sums = Sums::new(view, facts, &scope, selection)?;
        let threads = facts.threads_per_process(&scope);
        let mut list = ListRows::default();
        for (id, depth) in tree(facts, &scope) {
            let threads = threads.get(id).copied();
            list.rows.push(row(facts, id, &sums, threads));
            list.depths.push(depth);
        }
        Ok(Read::Part(Part {
            rows: Box::new(list),
            notes: notes(facts),
        }))
    })
}

fn row(facts: &Facts, id: usize, sums: &Sums, threads: Option<i32>) -> Vec<Value> {
    let process = &facts.processes[id];
    let known = Known::new(facts);
    let sum = sums.process(process.id);
    let text = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::text);
    let by_switch = known.switches && !sums.by_stack;
    vec![
        Value::text(&process.name),
        Value::Int(process.os_pid.into()),
        Value::int(process.os_ppid),
        Value::int(process.start_ns),
        Value::int(process.end_ns),
        Value::Int(facts.lifetime_ns(process.start_ns, process.end_ns)),
        Value::int(process.exit_code),
        Value::int(process.exit_signal),
        Known::value(known.sampled, sum.cpu_sampled_ns),
        Known::value(by_switch, sum.cpu_ns),
        Known::value(known.wakeups, sum.wait_ns),
        Known::value(known.wakeups, sum.ready_ns),
        known.off_cpu(sum.off_cpu_ns),
        Known::value(by_switch, sum.unknown_ns),
        Value::int(threads),
        Known::value(known.switches, sum.switches),
        text(&process.user),
        Value::int(process.session),
        text(&process.path),
        Facts::command_line(process),
    ]
}

/// Returns the processes of `scope` in the order of the tree, with their depths.
///
/// A process whose parent is not in the scope stands below the nearest ancestor that is. What an
/// exec made of a process stands after it, at the same depth.
fn tree(facts: &Facts, scope: &Scope) -> Vec<(usize, u16)> {
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
    // Whatever hangs in a circle of parents is a root of its own.
    let circular = (0..count).filter(|&id| wanted(id));
    for root in roots.into_iter().chain(circular) {
        let mut todo = vec![(root, 0_u16)];
        while let Some((id, depth)) = todo.pop() {
            if std::mem::replace(&mut placed[id], true) {
                continue;
            }
            order.push((id, depth));
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
