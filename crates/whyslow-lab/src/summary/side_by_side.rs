//! Runs grouped by what they did: the systems of a suite side by side.

use std::collections::BTreeMap;

use whyslow_results::{Kind, ResultColumn, ResultTable, Value};

use super::compare::compare;
use crate::run::Run;

/// The columns of the comparison.
const COLUMNS: [ResultColumn; 10] = [
    column("operation", "Operation", Kind::Text).rigid(),
    column("way", "Way", Kind::Text).rigid(),
    column("times", "Times", Kind::Count),
    column("on", "On", Kind::Text).rigid(),
    column("median", "Median", Kind::Duration),
    column("p99", "p99", Kind::Duration),
    column("ratio", "Ratio", Kind::Ratio),
    column("low", "from", Kind::Ratio),
    column("high", "to", Kind::Ratio),
    column("law", "Law", Kind::Text).rigid(),
];

const fn column(key: &'static str, heading: &'static str, kind: Kind) -> ResultColumn {
    ResultColumn::new(key, key, heading, kind, "")
}

/// Returns the runs grouped by what they did, each compared with the first of its group; `table` is the
/// table of the runs.
pub fn side_by_side(runs: &[Run], table: &ResultTable) -> ResultTable {
    let mut side = ResultTable::new("side", "Side by side", &COLUMNS);
    let mut groups: BTreeMap<(usize, &str, u64, u64), Vec<usize>> = BTreeMap::new();
    let first_of = |operation: &str| {
        let found = runs.iter().position(|run| run.words.operation == operation);
        found.unwrap_or(0)
    };
    for (at, run) in runs.iter().enumerate() {
        let key = (
            first_of(run.words.operation),
            run.arm.as_str(),
            run.asked,
            run.prefilled,
        );
        groups.entry(key).or_default().push(at);
    }
    for group in groups.values() {
        let base = group.first().copied().unwrap_or(0);
        for &at in group {
            let (run, base) = (&runs[at], &runs[base]);
            let found = compare(run, base);
            let cell = |name: &str| table.cell(at, name).cloned().unwrap_or(Value::Null);
            let ratio = |value: Option<f64>| value.map_or(Value::Null, Value::Float);
            side.rows.push(vec![
                run.words.operation.into(),
                run.arm.as_str().into(),
                cell("operations"),
                run.system.as_str().into(),
                cell("median_ns"),
                cell("p99_ns"),
                ratio(found.map(|found| found.typical)),
                ratio(found.map(|found| found.range.0)),
                ratio(found.map(|found| found.range.1)),
                cell("law"),
            ]);
        }
    }
    side.matched_rows = side.rows.len();
    side
}
