//! `timeline`: what processes did over time, as rows and as curves for a chart.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use whyslow_model::tables::{TIMELINE_SLICE_NS, TimelineRow};
use whyslow_model::{Capability, ProcessId, Scan, ThreadState, tables};
use whyslow_results::{
    Chart, Columns, Kind, Outcome, ResultColumn, ResultSchema, Series, Value, shown,
};

use super::marks;
use crate::argument::{Argument, Arguments, Takes};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::question::{Empty, Question, Request, Subject};
use crate::rows;
use crate::scope::Scope;
use crate::selection::Selection;
use crate::shape::{self, Read};
use crate::slices::{Cut, MOST_SLICES, SliceSum, Slices};
use crate::stacks::WantedStacks;
use crate::sums::{Known, notes};
use crate::view::View;
use crate::weight::Weight;

/// The question.
pub(super) static QUESTION: Question = Question {
    name: "timeline",
    about: "Processes over time, as a chart and as rows",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[BY, LINES, SLICE, ROWS],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const HELP: &str = "\
With --where, which chooses among the rows, there are rows instead of a chart.

Examples:
  whyslow timeline x.whyslow
  whyslow timeline x.whyslow --by ready --process 'java;postgres'
  whyslow timeline x.whyslow --rows --slice 100ms --format csv -o timeline.csv";

const BY: Argument = Weight::argument("Chart this");

const LINES: Argument = Argument {
    name: "lines",
    doc: "Chart this many processes; the others are summed",
    takes: Takes::Count { default: 10 },
};

const SLICE: Argument = Argument {
    name: "slice",
    doc: "Cut the rows into slices of this length, such as 100ms",
    takes: Takes::Duration,
};

const ROWS: Argument = Argument {
    name: "rows",
    doc: "Print rows instead of a chart",
    takes: Takes::Nothing,
};

static TABLE: ResultSchema = ResultSchema::new(
    "timeline",
    "What processes did over time.",
    "Processes over time",
    &SHOWN,
)
.best("cpu");

#[rustfmt::skip]
const COLUMNS: Columns<SliceSum, File> = &[
    ResultColumn::new("start", "start_ns", "Time", Kind::Time, "Start of the slice.").priority(0)
        .cell(|row, of| Value::Int(of.cut.start(row.slice as usize))),
    ResultColumn::new("width", "width_ns", "Width", Kind::Duration, "Width of the slice.").hidden()
        .cell(|_, of| Value::Int(of.cut.width_ns)),
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(0)
        .cell(|row, of| Value::text(of.facts.process_name(row.process))),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(1)
        .cell(|row, of| Value::int(of.facts.process(row.process).map(|process| process.os_pid))),
    ResultColumn::new("cpu", "cpu_sampled_ns", "CPU (sampled)", Kind::Duration, "CPU time by samples.").priority(1).summed()
        .cell(|row, of| Known::value(of.known.sampled, row.cpu_sampled_ns)),
    ResultColumn::new("cpu-precise", "cpu_precise_ns", "CPU (precise)", Kind::Duration, "CPU time of its threads by context switches, as the system accounts it where the recording has that.").priority(2).summed()
        .cell(|row, of| Known::value(of.precise, row.cpu_ns)),
    ResultColumn::new("ready", "ready_ns", "Ready", Kind::Duration, "Time its threads were runnable without a CPU, summed over threads.").priority(3).summed()
        .cell(|row, of| Known::value(of.known.wakeups, row.ready_ns)),
    ResultColumn::new("wait", "wait_ns", "Wait", Kind::Duration, "Time its threads were blocked, summed over threads.").priority(4).summed()
        .cell(|row, of| Known::value(of.known.wakeups, row.wait_ns)),
    ResultColumn::new("off-cpu", "off_cpu_ns", "Off CPU", Kind::Duration, "Time off the CPU where wake-ups were not recorded.").hidden().summed()
        .cell(|row, of| of.known.off_cpu(row.off_cpu_ns)),
    ResultColumn::new("unknown", "unknown_ns", "Unknown", Kind::Duration, "Time about which nothing is known.").hidden().summed()
        .cell(|row, of| Known::value(of.precise, row.unknown_ns)),
    ResultColumn::new("switches", "switches", "Switches", Kind::Count, "Times a thread of it left a CPU.").priority(5).summed()
        .cell(|row, of| Known::value(of.precise, row.switches)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// What all rows of a file share.
struct File {
    facts: Facts,
    cut: Cut,
    known: Known,
    /// Whether the precise times are known.
    precise: bool,
}

/// How time is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TimelineOptions {
    /// The number of slices of the chart.
    slices: usize,
    /// The number of curves of the chart, not counting `other`.
    series: usize,
    /// What the chart shows.
    weight: Weight,
    /// Width of a slice of the rows; `None` for the slices of the chart.
    slice_ns: Option<i64>,
    /// Whether rows are shown instead of charts.
    rows: bool,
}

impl TimelineOptions {
    /// Returns the options in the question's arguments.
    fn of(arguments: &Arguments, slices: usize) -> Self {
        Self {
            slices,
            series: arguments.count(&LINES),
            weight: Weight::chosen(arguments, &BY),
            slice_ns: arguments.duration_ns(&SLICE),
            rows: arguments.has(&ROWS),
        }
    }
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let options = TimelineOptions::of(request.arguments, request.chart_slices);
    timeline(views, request.selection, &options)
}

/// Shows processes over time.
fn timeline(
    views: &[View<'_>],
    selection: &Selection,
    options: &TimelineOptions,
) -> Result<Outcome, QueryError> {
    let charts = Mutex::new(BTreeMap::new());
    let mut outcome = shape::ask(views, selection, &TABLE, |view, facts| {
        let known = Known::new(&facts);
        if !known.sampled && !known.switches {
            return Ok(Read::lacks(&facts, Capability::Switches));
        }
        let scope = Scope::new(view, &facts, selection)?;
        let (from, to) = scope.span_ns(&facts);
        let span = (from.max(0), to.min(facts.duration_ns()));
        let slices = i64::try_from(options.slices.max(1)).unwrap_or(i64::MAX);
        let length = span.1.saturating_sub(span.0).max(1);
        let mut width = length / slices + i64::from(length % slices != 0);
        if width > TIMELINE_SLICE_NS {
            // Whole slices of the roll-up, so that it can answer.
            let whole = width / TIMELINE_SLICE_NS + i64::from(width % TIMELINE_SLICE_NS != 0);
            width = whole.saturating_mul(TIMELINE_SLICE_NS);
        }
        let cut = Cut::new(span.0, span.1, width);
        let sums = sums(view, &scope, selection, cut)?;
        let by_stack = filtered(selection);
        let chart = chart(&facts, &cut, &sums, options, known, by_stack);
        // Files are distinguished by their place in `views`; names may repeat.
        let at = views
            .iter()
            .position(|other| std::ptr::addr_eq(*other, view));
        if let (Ok(mut charts), false) = (charts.lock(), chart.series.is_empty()) {
            charts.insert(at.unwrap_or(usize::MAX), chart);
        }
        let (cut, sums) = match options.slice_ns {
            Some(width) if width != cut.width_ns => {
                bounded(&facts, &scope, span, width)?;
                let cut = Cut::new(span.0, span.1, width);
                (cut, self::sums(view, &scope, selection, cut)?)
            }
            _ => (cut, sums),
        };
        let mut notes = notes(&facts);
        notes.extend(marks::note(view, &facts, span)?);
        let file = File {
            facts,
            cut,
            known,
            precise: known.switches && !by_stack,
        };
        Ok(Read::rows(COLUMNS, sums, file, notes))
    })?;
    let charts = charts
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    // Conditions choose among the rows; a chart would show what they leave out.
    let all_rows = selection.ranges.is_empty() && selection.conditions.is_empty();
    if let Outcome::Table(table) = &mut outcome
        && !options.rows
        && all_rows
    {
        table.charts = Some(charts.into_values().collect());
    }
    Ok(outcome)
}

/// Refuses slices so narrow that the lifetimes of the processes cover more than [`MOST_SLICES`].
fn bounded(
    facts: &Facts,
    scope: &Scope,
    (from, to): (i64, i64),
    width_ns: i64,
) -> Result<(), QueryError> {
    let lives = ProcessId::all().zip(&facts.processes);
    let lives = lives.filter(|&(id, _)| scope.process(id));
    let slices = lives.map(|(_, process)| {
        let start = process.start_ns.unwrap_or(from).max(from);
        let end = process.end_ns.unwrap_or(to).min(to);
        let slices = end.saturating_sub(start).max(0) / width_ns.max(1);
        slices.saturating_add(1)
    });
    let rows = slices.fold(0_i64, i64::saturating_add);
    let rows = rows.max(to.saturating_sub(from) / width_ns.max(1));
    if rows > MOST_SLICES {
        let most = MOST_SLICES;
        return Err(QueryError::TooManySlices { rows, most });
    }
    Ok(())
}

fn filtered(selection: &Selection) -> bool {
    let methods = selection.functions.as_ref();
    methods.is_some_and(|pattern| !pattern.matches_everything())
}

/// Computes the sums per process and slice, from the roll-up if its slices fit.
fn sums(
    view: View<'_>,
    scope: &Scope,
    selection: &Selection,
    cut: Cut,
) -> Result<Vec<SliceSum>, QueryError> {
    let fits = cut.start_ns == 0 && cut.width_ns % TIMELINE_SLICE_NS == 0;
    if fits && scope.is_whole() && !filtered(selection) && view.has(&tables::TIMELINE) {
        return from_rollup(view, scope, cut);
    }
    let pattern = selection.functions.as_ref().filter(|_| filtered(selection));
    let wanted = WantedStacks::read(view, pattern)?;
    let mut slices = Slices::new(cut);
    rows::samples(view, scope, |sample| {
        if wanted.has(sample.stack) {
            slices.sample(sample);
        }
    })?;
    rows::intervals(view, scope, |interval| {
        let running = interval.state == ThreadState::Running;
        if pattern.is_none() || (!running && wanted.has(interval.stack)) {
            slices.interval(interval);
        }
    })?;
    Ok(slices.finish())
}

fn from_rollup(view: View<'_>, scope: &Scope, cut: Cut) -> Result<Vec<SliceSum>, QueryError> {
    let scan = Scan {
        columns: &[],
        processes: scope.chosen.as_deref(),
        window_ns: None,
    };
    let mut sums: Vec<SliceSum> = Vec::new();
    view.scan(&tables::TIMELINE, &scan, &mut |table| {
        for row in table.rows::<TimelineRow>() {
            let process = row.process;
            if !scope.process(process) {
                continue;
            }
            let sum = SliceSum::of_row(&row, cut.slice_of(row.start_ns));
            let same = |last: &&mut SliceSum| (last.process, last.slice) == (process, sum.slice);
            match sums.last_mut().filter(same) {
                Some(last) => last.add(&sum),
                None => sums.push(sum),
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(sums)
}

/// Returns the curves: processes with the same name together, largest first, the rest as `other`.
fn chart(
    facts: &Facts,
    cut: &Cut,
    sums: &[SliceSum],
    options: &TimelineOptions,
    known: Known,
    by_stack: bool,
) -> Chart {
    let precise = known.switches && !by_stack;
    let (title, value): (_, fn(&SliceSum) -> i64) = match options.weight {
        Weight::Cpu if precise => ("CPU (precise)", |sum| sum.cpu_ns),
        Weight::Cpu => ("CPU (sampled)", |sum| sum.cpu_sampled_ns),
        Weight::Wait => ("Wait, summed over threads", |sum| sum.wait_ns),
        Weight::Ready => ("Ready, summed over threads", |sum| sum.ready_ns),
    };
    let mut curves: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for sum in sums.iter().filter(|sum| value(sum) != 0) {
        let name = facts
            .process(sum.process)
            .map_or("?", |row| row.name.as_str());
        let curve = curves.entry(name).or_insert_with(|| vec![0; cut.count]);
        if let Some(slot) = curve.get_mut(sum.slice as usize) {
            *slot = slot.saturating_add(value(sum));
        }
    }
    let mut series: Vec<Series> = curves
        .into_iter()
        .map(|(label, values)| Series {
            label: label.to_owned(),
            values,
        })
        .collect();
    series.sort_by_key(|curve| {
        let total = curve.values.iter().copied().fold(0, i64::saturating_add);
        std::cmp::Reverse(total)
    });
    if series.len() > options.series {
        let rest = series.split_off(options.series);
        let mut values = vec![0_i64; cut.count];
        for curve in rest {
            values
                .iter_mut()
                .zip(curve.values)
                .for_each(|(sum, more)| *sum = sum.saturating_add(more));
        }
        series.push(Series {
            label: "other".to_owned(),
            values,
        });
    }
    let cpus = facts.trace.as_ref().and_then(|trace| trace.cpus);
    let full = cpus.map(|cpus| i64::from(cpus).saturating_mul(cut.width_ns));
    Chart {
        file: facts.name.to_string(),
        title: title.to_owned(),
        start_ns: cut.start_ns,
        slice_ns: cut.width_ns,
        full_ns: full.filter(|_| options.weight == Weight::Cpu),
        series,
    }
}
