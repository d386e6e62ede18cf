//! `cpu`: which processes used the CPUs.

use whyslow_model::{Capability, ProcessId};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::result::{Kind, Order, Outcome, ResultColumn, Value};
use crate::scope::Scope;
use crate::selection::{Selection, View};
use crate::shape::{self, Part, Read, Shape};
use crate::sums::{Known, Sums, notes};

#[rustfmt::skip]
pub(super) static COLUMNS: &[ResultColumn] = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(1),
    ResultColumn::new("cpu", "cpu_sampled_ns", "CPU (sampled)", Kind::Duration, "CPU time by samples: number of samples times their weight.").priority(0).summed(),
    ResultColumn::new("cpu-precise", "cpu_precise_ns", "CPU (precise)", Kind::Duration, "CPU time by context switches: time its threads were on a CPU.").priority(2).summed(),
    ResultColumn::new("share", "machine_percent", "Machine", Kind::Percent, "Share of what all CPUs together could do in the trace or window; precise where switches are recorded, else sampled.").priority(3).summed(),
    ResultColumn::new("ready", "ready_ns", "Ready", Kind::Duration, "Time its threads were runnable without a CPU, summed over threads.").priority(4).summed(),
    ResultColumn::new("wait", "wait_ns", "Wait", Kind::Duration, "Time its threads were blocked, summed over threads.").priority(6).summed(),
    ResultColumn::new("off-cpu", "off_cpu_ns", "Off CPU", Kind::Duration, "Time its threads were off the CPU where wake-ups were not recorded, so that wait and ready cannot be told apart.").hidden().summed(),
    ResultColumn::new("threads", "threads", "Threads", Kind::Count, "Number of its threads in the trace.").priority(7).summed(),
    ResultColumn::new("switches", "switches", "Switches", Kind::Count, "Times a thread of it left a CPU.").priority(5).summed(),
    ResultColumn::new("cmdline", "command_line", "Command line", Kind::Text, "Command line, or path, as far as recorded.").priority(8),
];

static SHAPE: Shape = Shape {
    question: "cpu",
    title: "CPU per process",
    columns: COLUMNS,
    tree: None,
    order: Some(("cpu", Order::Descending)),
    top_order: None,
    swap: &[],
};

/// Without samples the precise times tell.
static PRECISE: Shape = Shape {
    order: Some(("cpu-precise", Order::Descending)),
    ..SHAPE
};

/// Lists the CPU time of every process.
///
/// # Errors
/// When a table cannot be read, or the selection names a column that is not there, a range that is
/// none, or a wall-clock time that the trace does not know.
pub fn cpu(views: &[View<'_>], selection: &Selection) -> Result<Outcome, QueryError> {
    let sampled = views.iter().any(|view| {
        let facts = Facts::head(*view);
        facts.is_ok_and(|facts| facts.has(Capability::CpuSamples))
    });
    let shape = if sampled { &SHAPE } else { &PRECISE };
    shape::ask(views, selection, shape, |view, facts| {
        read(view, facts, selection)
    })
}

fn read(view: View<'_>, facts: &Facts, selection: &Selection) -> Result<Read, QueryError> {
    let known = Known::new(facts);
    if !known.sampled && !known.switches {
        return Ok(Read::NotRecorded(Capability::CpuSamples));
    }
    let scope = Scope::new(facts, selection)?;
    let sums = Sums::new(view, facts, &scope, selection)?;
    let threads = facts.threads_per_process(&scope);
    let span = scope.span_ns(facts);
    let capacity = facts.capacity_ns(span);
    let mut rows = Vec::new();
    for (id, process) in ProcessId::all().zip(&facts.processes) {
        if !scope.process(id) {
            continue;
        }
        let sum = sums.process(id);
        let precise = known.switches && !sums.by_stack;
        let used = if precise {
            sum.cpu_ns
        } else {
            sum.cpu_sampled_ns
        };
        #[expect(clippy::cast_precision_loss, reason = "a share for a person")]
        let share = capacity.map_or(Value::Null, |all| Value::Float(100.0 * used as f64 / all));
        let by_wakeup = known.wakeups;
        rows.push(vec![
            Value::text(&process.name),
            Value::Int(process.os_pid.into()),
            Known::value(known.sampled, sum.cpu_sampled_ns),
            Known::value(precise, sum.cpu_ns),
            share,
            Known::value(by_wakeup, sum.ready_ns),
            Known::value(by_wakeup, sum.wait_ns),
            known.off_cpu(sum.off_cpu_ns),
            Value::int(threads.get(id.index()).copied()),
            Known::value(known.switches, sum.switches),
            Facts::command_line(process),
        ]);
    }
    Ok(Read::Part(Part::list(rows, notes(facts))))
}
