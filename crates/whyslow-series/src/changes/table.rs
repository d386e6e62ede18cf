//! The table of changes: a row for each series that both experiments have.

use whyslow_results::{Column, Kind, ResultColumn, ResultTable, Value, shown};

use super::{Change, Changed, Figure};

const fn column(
    name: &'static str,
    heading: &'static str,
    kind: Kind,
    doc: &'static str,
) -> ResultColumn {
    ResultColumn::new(name, name, heading, kind, doc)
}

type Cell = fn(&Change) -> Value;

const ROWS: &[Column<Cell>] = &[
    column("operation", "Operation", Kind::Text, "What was repeated")
        .rigid()
        .cell(|of| Value::text(&of.operation)),
    column(
        "way",
        "Way",
        Kind::Text,
        "The way it was done, where several were compared",
    )
    .rigid()
    .cell(|of| Value::text(&of.arm)),
    column(
        "before_system",
        "On",
        Kind::Text,
        "The system the first used",
    )
    .rigid()
    .cell(|of| Value::text(&of.systems[0])),
    column(
        "after_system",
        "and on",
        Kind::Text,
        "The system the second used",
    )
    .hidden()
    .cell(|of| Value::text(&of.systems[1])),
    column(
        "largest",
        "up to n",
        Kind::Ratio,
        "The largest size that both have; no other is compared",
    )
    .hidden()
    .cell(|of| Value::Float(of.largest)),
    column(
        "before_operations",
        "Times",
        Kind::Count,
        "Operations of the first that were compared",
    )
    .cell(|of| count(of.operations[0])),
    column(
        "after_operations",
        "and times",
        Kind::Count,
        "Operations of the second that were compared",
    )
    .hidden()
    .cell(|of| count(of.operations[1])),
    column(
        "before_mean_ns",
        "Mean",
        Kind::Duration,
        "Mean of the first",
    )
    .cell(|of| ns(of, Figure::Mean, 0)),
    column(
        "after_mean_ns",
        "then",
        Kind::Duration,
        "Mean of the second",
    )
    .cell(|of| ns(of, Figure::Mean, 1)),
    column(
        "mean_ratio",
        "times",
        Kind::Ratio,
        "Mean of the second over that of the first",
    )
    .cell(|of| ratio(of, Figure::Mean)),
    column(
        "mean_low",
        "from",
        Kind::Ratio,
        "The least that this ratio may be (95 %)",
    )
    .cell(|of| low(of, Figure::Mean)),
    column(
        "mean_high",
        "to",
        Kind::Ratio,
        "The most that this ratio may be (95 %)",
    )
    .cell(|of| high(of, Figure::Mean)),
    column(
        "mean",
        "Mean now",
        Kind::Text,
        "more, less, same, or open: what the interval of the mean's ratio says",
    )
    .hidden()
    .cell(|of| certainty(of, Figure::Mean)),
    column(
        "before_median_ns",
        "Median",
        Kind::Duration,
        "Median of the first",
    )
    .cell(|of| ns(of, Figure::Typical, 0)),
    column(
        "after_median_ns",
        "then",
        Kind::Duration,
        "Median of the second",
    )
    .cell(|of| ns(of, Figure::Typical, 1)),
    column(
        "median_ratio",
        "times",
        Kind::Ratio,
        "The typical operation of the second over that of the first, size by size",
    )
    .cell(|of| ratio(of, Figure::Typical)),
    column(
        "median_low",
        "from",
        Kind::Ratio,
        "The least that this ratio may be (95 %)",
    )
    .hidden()
    .cell(|of| low(of, Figure::Typical)),
    column(
        "median_high",
        "to",
        Kind::Ratio,
        "The most that this ratio may be (95 %)",
    )
    .hidden()
    .cell(|of| high(of, Figure::Typical)),
    column(
        "p95_ratio",
        "p95 times",
        Kind::Ratio,
        "p95 of the second over that of the first",
    )
    .hidden()
    .cell(|of| ratio(of, Figure::P95)),
    column("before_p99_ns", "p99", Kind::Duration, "p99 of the first")
        .cell(|of| ns(of, Figure::P99, 0)),
    column("after_p99_ns", "then", Kind::Duration, "p99 of the second")
        .cell(|of| ns(of, Figure::P99, 1)),
    column(
        "p99_ratio",
        "times",
        Kind::Ratio,
        "p99 of the second over that of the first",
    )
    .cell(|of| ratio(of, Figure::P99)),
    column(
        "p99_low",
        "from",
        Kind::Ratio,
        "The least that this ratio may be (95 %)",
    )
    .hidden()
    .cell(|of| low(of, Figure::P99)),
    column(
        "p99_high",
        "to",
        Kind::Ratio,
        "The most that this ratio may be (95 %)",
    )
    .hidden()
    .cell(|of| high(of, Figure::P99)),
    column(
        "before_law",
        "Law",
        Kind::Text,
        "The law of the first, as in the table lab",
    )
    .rigid()
    .cell(|of| of.laws[0].into()),
    column("after_law", "now", Kind::Text, "The law of the second")
        .rigid()
        .cell(|of| of.laws[1].into()),
];

/// The columns of [`table()`].
pub const COLUMNS: [ResultColumn; ROWS.len()] = shown(ROWS);

/// Returns the table of `changes`.
pub fn table(changes: &[Change]) -> ResultTable {
    let mut table = ResultTable::new("lab-changes", "Changes", &COLUMNS);
    for change in changes {
        table
            .rows
            .push(ROWS.iter().map(|column| (column.cell)(change)).collect());
    }
    table.matched_rows = table.rows.len();
    table
}

fn find(of: &Change, figure: Figure) -> Option<&Changed> {
    of.figures.iter().find(|one| one.figure == figure)
}

fn ns(of: &Change, figure: Figure, side: usize) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "the range is clamped")]
    let whole = |ns: f64| Value::Int(ns.round().clamp(0.0, 9e18) as i64);
    find(of, figure)
        .and_then(|one| one.ns.get(side).copied())
        .map_or(Value::Null, whole)
}

fn float(value: Option<f64>) -> Value {
    value.map_or(Value::Null, Value::Float)
}

fn ratio(of: &Change, figure: Figure) -> Value {
    float(find(of, figure).map(|one| one.ratio))
}

fn low(of: &Change, figure: Figure) -> Value {
    float(
        find(of, figure)
            .and_then(|one| one.interval)
            .map(|(low, _)| low),
    )
}

fn high(of: &Change, figure: Figure) -> Value {
    float(
        find(of, figure)
            .and_then(|one| one.interval)
            .map(|(_, high)| high),
    )
}

fn certainty(of: &Change, figure: Figure) -> Value {
    find(of, figure).map_or(Value::Null, |one| one.certainty().name().into())
}

fn count(count: usize) -> Value {
    i64::try_from(count).map_or(Value::Null, Value::Int)
}
