//! The table of runs.

use whyslow_results::{Column, Kind, ResultColumn, ResultTable, Value, shown};

use super::compare::Comparison;
use super::{Summary, compare, real};
use crate::failure::exited;
use crate::operation::Ending;
use crate::run::Run;
use crate::throughput::megabytes_per_second;
use whyslow_law::order::median_u64;
use whyslow_law::{Growth, Law};

const fn column(
    key: &'static str,
    name: &'static str,
    heading: &'static str,
    kind: Kind,
    doc: &'static str,
) -> ResultColumn {
    ResultColumn::new(key, name, heading, kind, doc)
}

/// A run and what a row says about it.
struct Described<'a> {
    run: &'a Run,
    summary: &'a Summary,
    /// With the first way on the same system.
    compared: Option<Comparison>,
    /// Writes a duration in nanoseconds.
    cost: fn(f64) -> String,
}

impl Described<'_> {
    fn growth(&self) -> Option<&Growth> {
        match &self.summary.decisive().law {
            Law::Growth(growth) => Some(growth),
            _ => None,
        }
    }

    fn again(&self) -> Value {
        let again: Vec<u64> = self
            .run
            .first
            .again
            .iter()
            .map(|one| one.duration_ns)
            .collect();
        match again.is_empty() {
            true => Value::Null,
            false => int(median_u64(&again)),
        }
    }
}

type Cell = fn(&Described<'_>) -> Value;

const ROWS: &[Column<Cell>] = &[
column(
        "system",
        "system",
        "On",
        Kind::Text,
        "The system the run used, as given",
    )
    .rigid()
    .priority(3)
.cell(|of| of.run.setup.system.as_str().into()),
column(
        "driver",
        "driver",
        "Driver",
        Kind::Text,
        "The file system's driver, as the kernel calls it",
    )
    .hidden()
.cell(|of| of.run.setup.driver.as_deref().map_or(Value::Null, Value::text)),
column(
        "operation",
        "operation",
        "Operation",
        Kind::Text,
        "What was repeated",
    )
    .rigid()
    .priority(0)
.cell(|of| of.run.setup.words.operation.into()),
column(
        "arm",
        "arm",
        "Way",
        Kind::Text,
        "The way it was done, where several are compared",
    )
    .rigid()
    .priority(0)
.cell(|of| of.run.setup.arm.as_str().into()),
column(
        "workers",
        "workers",
        "Workers",
        Kind::Count,
        "Processes or threads that did it at the same time",
    )
    .hidden()
.cell(|of| i64::from(of.run.setup.workers).into()),
column(
        "prefilled",
        "prefilled",
        "Prefilled",
        Kind::Count,
        "Files that were in the directory before",
    )
    .hidden()
.cell(|of| int(of.run.setup.prefilled)),
column(
        "operations",
        "operations",
        "Count",
        Kind::Count,
        "Operations that were timed",
    )
    .priority(2)
.cell(|of| size(of.summary.operations)),
column(
        "ending",
        "ending",
        "Ended",
        Kind::Text,
        "done, budget, interrupted, what is full (directory, inodes, disk, quota, short names), the system's error number, or exit code or signal of a command",
    )
    .hidden()
.cell(|of| Value::text(&ending(of.run.ending))),
column(
        "limit",
        "limit",
        "Limit",
        Kind::Text,
        "What was exhausted, if that ended the series: directory, inodes, disk, quota or short names",
    )
    .rigid()
    .priority(0)
.cell(|of| match of.run.ending {
Ending::Full(limit) => limit.name().into(),
_ => Value::Null,
}),
column(
        "total",
        "total_ns",
        "Total",
        Kind::Duration,
        "The durations of all operations together",
    )
    .priority(4)
.cell(|of| int(of.summary.total_ns)),
column(
        "rate",
        "per_second",
        "Ops/s",
        Kind::Ratio,
        "Operations per second, of all workers together",
    )
    .priority(4)
.cell(|of| Value::Float(of.summary.per_second)),
column(
        "bytes",
        "bytes_per_operation",
        "Bytes",
        Kind::Bytes,
        "Bytes that an operation wrote",
    )
    .hidden()
.cell(|of| match of.run.setup.bytes {
0 => Value::Null,
bytes => int(bytes),
}),
column(
        "megabytes",
        "megabytes_per_second",
        "MB/s",
        Kind::Ratio,
        "Millions of bytes that all workers together wrote a second; the median of several passes",
    )
    .priority(2)
.cell(|of| float(megabytes_per_second(of.run))),
column(
        "median",
        "median_ns",
        "Median",
        Kind::Duration,
        "Half of the operations took at most this",
    )
    .priority(1)
.cell(|of| int(of.summary.median_ns)),
column(
        "mean",
        "mean_ns",
        "Mean",
        Kind::Duration,
        "Average duration of an operation",
    )
    .priority(4)
.cell(|of| ns(Some(real(of.summary.total_ns) / whyslow_law::count(of.summary.operations.max(1))))),
column(
        "p95",
        "p95_ns",
        "p95",
        Kind::Duration,
        "95 of 100 operations took at most this",
    )
    .priority(6)
.cell(|of| int(of.summary.p95_ns)),
column(
        "p99",
        "p99_ns",
        "p99",
        Kind::Duration,
        "99 of 100 operations took at most this",
    )
    .priority(4)
.cell(|of| int(of.summary.p99_ns)),
column(
        "max",
        "max_ns",
        "Max",
        Kind::Duration,
        "The longest operation",
    )
    .priority(5)
.cell(|of| int(of.summary.max_ns)),
column(
        "first",
        "first_tenth_ns",
        "First tenth",
        Kind::Duration,
        "Median of the first tenth of the operations; of several passes, the fastest, but of a drift, the first",
    )
    .priority(2)
.cell(|of| ns(Some(of.summary.judgement.first))),
column(
        "last",
        "last_tenth_ns",
        "Last tenth",
        Kind::Duration,
        "Median of the last tenth of the operations; of several passes, the fastest, but of a drift, the first",
    )
    .priority(2)
.cell(|of| ns(Some(of.summary.judgement.last))),
column(
        "law",
        "law",
        "Law",
        Kind::Text,
        "How the cost of the typical operation grows, or its exact count, or on a busy machine its CPU time, where only that shows it: constant, steps, growth, exponential, levels off, growth with a step, bend, rise, warm-up, periodic, drift, falls, irregular, or too few operations to tell",
    )
    .rigid()
    .priority(1)
.cell(|of| of.summary.decisive().law.name().into()),
column(
        "p-range",
        "exponent_range",
        "Exponent",
        Kind::Text,
        "Growth: the exponents of n that fit (95 %)",
    )
    .rigid()
    .priority(2)
.cell(|of| of.growth().map_or(Value::Null, |growth| {
let (low, high) = (growth.exponent_low, growth.exponent_high);
Value::text(&format!("{low:.2}–{high:.2}"))
})),
column(
        "p-low",
        "exponent_low",
        "Exponent from",
        Kind::Ratio,
        "Growth: the least exponent of n that fits",
    )
    .hidden()
.cell(|of| float(of.growth().map(|growth| growth.exponent_low))),
column(
        "p",
        "exponent",
        "Best exponent",
        Kind::Ratio,
        "Growth: the exponent of n that fits best; 0 is a logarithm",
    )
    .hidden()
.cell(|of| float(of.growth().map(|growth| growth.exponent))),
column(
        "p-high",
        "exponent_high",
        "Exponent to",
        Kind::Ratio,
        "Growth: the largest exponent of n that fits",
    )
    .hidden()
.cell(|of| float(of.growth().map(|growth| growth.exponent_high))),
column(
        "offset",
        "offset_ns",
        "Offset",
        Kind::Duration,
        "Growth: the part of the cost that does not depend on n",
    )
    .hidden()
.cell(|of| ns(match &of.summary.judgement.law {
Law::Growth(growth) => Some(growth.offset),
_ => None,
})),
column(
        "ten",
        "at_ten_times_ns",
        "Expected at 10n",
        Kind::Duration,
        "Growth that repeated measurements confirm: the expected cost at ten times the largest n",
    )
    .priority(3)
.cell(|of| {
let growth = of.summary.judgement.predicting();
ns(growth.map(|growth| growth.at_ten_times))
}),
column(
        "ten-low",
        "at_ten_times_low_ns",
        "Expected from",
        Kind::Duration,
        "The least that is expected there (95 %)",
    )
    .hidden()
.cell(|of| {
let growth = of.summary.judgement.predicting();
ns(growth.map(|growth| growth.at_ten_times_range.0))
}),
column(
        "ten-high",
        "at_ten_times_high_ns",
        "Expected to",
        Kind::Duration,
        "The most that is expected there (95 %)",
    )
    .hidden()
.cell(|of| {
let growth = of.summary.judgement.predicting();
ns(growth.map(|growth| growth.at_ten_times_range.1))
}),
column(
        "tail",
        "tail_law",
        "Tail",
        Kind::Text,
        "The law of the slow operations or of the mean, where these cost more time than the typical one shows",
    )
    .rigid()
    .priority(2)
.cell(|of| match &of.summary.judgement.tail {
Some(tail) => tail.law.name().into(),
None => Value::Null,
}),
column(
        "bursts",
        "bursts",
        "Bursts",
        Kind::Count,
        "Groups of operations that took over ten times as long as usual",
    )
    .priority(7)
.cell(|of| size(of.summary.bursts.bursts)),
column(
        "burst-share",
        "burst_share_percent",
        "Time in bursts",
        Kind::Percent,
        "Share of the time that the operations in bursts took",
    )
    .priority(7)
.cell(|of| Value::Float(of.summary.bursts.share * 100.0)),
column(
        "ratio",
        "ratio_to_first",
        "Ratio",
        Kind::Ratio,
        "The typical operation, divided by that of the first way on the same system",
    )
    .hidden()
.cell(|of| float(of.compared.map(|compared| compared.typical))),
column(
        "ratio-low",
        "ratio_low",
        "Ratio from",
        Kind::Ratio,
        "The least that the ratio may be (95 %)",
    )
    .hidden()
.cell(|of| float(of.compared.map(|compared| compared.range.0))),
column(
        "ratio-high",
        "ratio_high",
        "Ratio to",
        Kind::Ratio,
        "The most that the ratio may be (95 %)",
    )
    .hidden()
.cell(|of| float(of.compared.map(|compared| compared.range.1))),
column(
        "again",
        "again_median_ns",
        "Again",
        Kind::Duration,
        "Median of the first sizes, measured once more at the end",
    )
    .hidden()
.cell(|of| of.again()),
column(
        "started",
        "started_ns",
        "Started",
        Kind::Id,
        "Reading of the monotonic clock at the first operation, as clock_start_ns of a recording",
    )
    .hidden()
.cell(|of| {
let first = of.run.first.operations.first();
first.map_or(Value::Null, |(_, one)| int(one.start_ns))
}),
column(
        "own",
        "own_ns",
        "Own",
        Kind::Duration,
        "What measuring adds to each operation: the median over empty ones",
    )
    .hidden()
.cell(|of| int(of.run.setup.own_ns.unwrap_or(0))),
column(
        "verdict",
        "verdict",
        "Verdict",
        Kind::Text,
        "The verdict in sentences",
    )
    .hidden()
.cell(|of| Value::text(&of.summary.sentences(of.run, of.cost).join(" "))),
];

/// The columns of [`table()`].
pub const COLUMNS: [ResultColumn; ROWS.len()] = shown(ROWS);

/// Returns the table of `runs` with their `summaries`; `cost` writes a duration in nanoseconds.
pub fn table(runs: &[Run], summaries: &[Summary], cost: fn(f64) -> String) -> ResultTable {
    let mut table = ResultTable::new("lab", "Runs", &COLUMNS);
    let arms = runs.iter().any(|run| !run.setup.arm.is_empty());
    let writes = runs.iter().any(|run| run.setup.bytes > 0);
    let limits = runs.iter().any(|run| matches!(run.ending, Ending::Full(_)));
    for column in &mut table.columns {
        column.shown &= arms || column.key != "arm";
        column.shown &= writes || column.key != "megabytes";
        column.shown &= limits || column.key != "limit";
    }
    for (run, summary) in runs.iter().zip(summaries) {
        let base = runs.iter().find(|base| {
            base.setup.system == run.setup.system
                && base.setup.words.operation == run.setup.words.operation
        });
        let base = base.filter(|base| !std::ptr::eq(*base, run));
        let described = Described {
            run,
            summary,
            compared: base.and_then(|base| compare(run, base)),
            cost,
        };
        let row = ROWS.iter().map(|column| (column.cell)(&described));
        table.rows.push(row.collect());
    }
    table.matched_rows = table.rows.len();
    table
}

fn float(value: Option<f64>) -> Value {
    value.map_or(Value::Null, Value::Float)
}

fn ns(value: Option<f64>) -> Value {
    value.map_or(Value::Null, |value| Value::Int(whole(value)))
}

fn size(value: usize) -> Value {
    int(u64::try_from(value).unwrap_or(u64::MAX))
}

fn int(value: u64) -> Value {
    Value::Int(i64::try_from(value).unwrap_or(i64::MAX))
}

#[expect(clippy::cast_possible_truncation, reason = "the range is clamped")]
fn whole(value: f64) -> i64 {
    value.round().clamp(0.0, real(1 << 62)) as i64
}

fn ending(ending: Ending) -> String {
    match ending {
        Ending::Done => "done".to_owned(),
        Ending::Budget => "budget".to_owned(),
        Ending::Interrupted => "interrupted".to_owned(),
        Ending::Failed(errno) => errno.to_string(),
        Ending::Full(limit) => format!("full: {}", limit.name()),
        Ending::Exited(code) => exited(code),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;
    use super::*;

    #[test]
    fn rows_are_as_wide_as_the_table_and_compare_with_the_first_way() {
        let mut runs = [run(500, |_| 10_000), run(500, |_| 5_000)];
        "slow".clone_into(&mut runs[0].setup.arm);
        let summaries: Vec<Summary> = runs.iter().map(Summary::of).collect();
        let table = table(&runs, &summaries, |ns| format!("{ns:.0} ns"));
        assert!(
            table
                .rows
                .iter()
                .all(|row| row.len() == table.columns.len())
        );
        assert_eq!(table.cell(0, "ratio"), Some(&Value::Null));
        assert_eq!(table.cell(1, "ratio"), Some(&Value::Float(0.5)));
        assert_eq!(table.cell(1, "median_ns"), Some(&Value::Int(5_000)));
        assert_eq!(table.cell(0, "law"), Some(&"constant".into()));
        let verdict = table
            .cell(0, "verdict")
            .map(|cell| cell.as_text().to_owned());
        assert!(verdict.is_some_and(|said| said.starts_with("Creating a file costs 10000 ns")));
        assert_eq!(table.cell(0, "per_second"), Some(&Value::Float(100_000.0)));
    }
}
