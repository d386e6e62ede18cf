//! `cpu`: which processes used the CPUs.

use whyslow_model::{Capability, ProcessId};
use whyslow_results::{Column, Kind, Outcome, ResultColumn, ResultSchema, Value, shown};

use super::costs::{CostCell, CostRead, Costs, ProcessCost, facts, sums};
use super::functions::{self, functions};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::question::{Empty, Question, Request, Subject};
use crate::scope::Scope;
use crate::selection::Selection;
use crate::shape::{self, Read};
use crate::shown::{LANGUAGE, NO_NATIVE, Shown};
use crate::sums::{Known, notes};
use crate::view::View;

/// The question; with `--functions` it is [about functions](super::functions).
pub(super) static QUESTION: Question = Question {
    name: "cpu",
    about: "CPU per process; with --functions CPU, wait and ready per function",
    help: HELP,
    tables: &[&TABLE, &functions::TABLE],
    arguments: &[LANGUAGE, NO_NATIVE],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const HELP: &str = "\
With --functions, one row per process and function. CPU (sampled) is inclusive: the function
anywhere on the stack, counted once; the exclusive column counts it at the leaf only. Waits and
ready intervals of several threads that overlap count once; --sum adds them up. --language and
--no-native leave frames out; without --functions they imply all functions.

Examples:
  whyslow cpu x.whyslow
  whyslow cpu x.whyslow --functions '*' --top 20
  whyslow cpu x.whyslow --process cc1 --functions '*alloc*;*free*'
  whyslow cpu x.whyslow --functions '*' --sort wait --wait 100ms..
  whyslow cpu x.whyslow --process python3 --language python
  whyslow cpu runs/*.whyslow --functions 'parse*' --format csv -o parse.csv";

static TABLE: ResultSchema = ResultSchema::new(
    "cpu",
    "Which processes used the CPUs.",
    "CPU per process",
    &SHOWN,
)
.largest("cpu");

/// Without samples, the precise times decide.
static PRECISE: ResultSchema = TABLE.largest("cpu-precise");

#[rustfmt::skip]
const COLUMNS: &[Column<CostCell>] = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0)
        .cell(facts(|row, of| of.process(row, |process| Value::text(&process.name)))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(1)
        .cell(facts(|row, of| of.process(row, |process| Value::Int(process.os_pid.into())))),
    ResultColumn::new("cpu", "cpu_sampled_ns", "CPU (sampled)", Kind::Duration, "CPU time by samples: number of samples times their weight.").priority(0).summed()
        .cell(sums(&["cpu_sampled_ns"], |row, of| Known::value(of.known.sampled, row.sum.cpu_sampled_ns))),
    ResultColumn::new("cpu-precise", "cpu_precise_ns", "CPU (precise)", Kind::Duration, "CPU time by context switches, as the system accounts it where the recording has that.").priority(2).summed()
        .cell(sums(&["cpu_ns"], |row, of| Known::value(of.precise, row.sum.cpu_ns))),
    ResultColumn::new("share", "machine_percent", "Machine", Kind::Percent, "Share of what all CPUs together could do in the trace or window; precise where switches are recorded, else sampled.").priority(3).summed()
        .cell(sums(&["cpu_sampled_ns", "cpu_ns"], share)),
    ResultColumn::new("ready", "ready_ns", "Ready", Kind::Duration, "Time its threads were runnable without a CPU, summed over threads.").priority(4).summed()
        .cell(sums(&["ready_ns"], |row, of| Known::value(of.known.wakeups, row.sum.ready_ns))),
    ResultColumn::new("wait", "wait_ns", "Wait", Kind::Duration, "Time its threads were blocked, summed over threads.").priority(6).summed()
        .cell(sums(&["wait_ns"], |row, of| Known::value(of.known.wakeups, row.sum.wait_ns))),
    ResultColumn::new("off-cpu", "off_cpu_ns", "Off CPU", Kind::Duration, "Time its threads were off the CPU where wake-ups were not recorded, so that wait and ready cannot be told apart.").hidden().summed()
        .cell(sums(&["off_cpu_ns"], |row, of| of.known.off_cpu(row.sum.off_cpu_ns))),
    ResultColumn::new("threads", "threads", "Threads", Kind::Count, "Number of its threads in the trace.").priority(7).summed()
        .cell(facts(|row, _| Value::int(row.threads))),
    ResultColumn::new("switches", "switches", "Switches", Kind::Count, "Times a thread of it left a CPU.").priority(5).summed()
        .cell(sums(&["switches"], |row, of| Known::value(of.known.switches, row.sum.switches))),
    ResultColumn::new("cmdline", "command_line", "Command line", Kind::Text, "Command line, or path, as far as recorded.").priority(8)
        .cell(facts(|row, of| of.process(row, Facts::command_line))),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

#[expect(clippy::cast_precision_loss, reason = "a share for a person")]
fn share(row: &ProcessCost, of: &Costs) -> Value {
    let used = if of.precise {
        row.sum.cpu_ns
    } else {
        row.sum.cpu_sampled_ns
    };
    of.capacity_ns
        .map_or(Value::Null, |all| Value::Float(100.0 * used as f64 / all))
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let shown = Shown::chosen(request.arguments);
    match request.selection.functions.is_some() || shown.is_some() {
        true => functions(views, request.selection, shown),
        false => cpu(views, request.selection),
    }
}

/// Lists the CPU time of every process.
fn cpu(views: &[View<'_>], selection: &Selection) -> Result<Outcome, QueryError> {
    let sampled = views.iter().any(|view| {
        let facts = Facts::head(*view);
        facts.is_ok_and(|facts| facts.has(Capability::CpuSamples))
    });
    let table = if sampled { &TABLE } else { &PRECISE };
    let read = CostRead {
        columns: COLUMNS,
        selection,
        several: views.len() > 1,
        order,
    };
    shape::ask_with(
        views,
        selection,
        table,
        Facts::head,
        |view, facts, deciding| {
            let known = Known::new(&facts);
            if !known.sampled && !known.switches {
                return Ok(Read::lacks(&facts, Capability::CpuSamples));
            }
            let notes = notes(&facts);
            read.rows(view, facts, deciding, notes)
        },
    )
}

fn order(facts: &Facts, scope: &Scope) -> Vec<(ProcessId, u16)> {
    let ids = ProcessId::all().take(facts.processes.len());
    ids.filter(|&id| scope.process(id))
        .map(|id| (id, 0))
        .collect()
}
