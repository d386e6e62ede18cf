//! Runs grouped by what they did: the systems of a suite side by side.

use std::collections::BTreeMap;

use whyslow_results::{Kind, ResultColumn, ResultTable, Value};

use super::compare::compare;
use crate::run::Run;

/// The columns of the comparison.
const COLUMNS: [ResultColumn; 12] = [
    column("operation", "Operation", Kind::Text).rigid(),
    column("way", "Way", Kind::Text).rigid(),
    column("times", "Times", Kind::Count),
    column("on", "On", Kind::Text).rigid(),
    column("mean", "Mean", Kind::Duration),
    column("ratio", "Ratio", Kind::Ratio),
    column("p99", "p99", Kind::Duration),
    column("median", "Median", Kind::Duration),
    column("typical", "Typical", Kind::Ratio),
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
        let found = runs
            .iter()
            .position(|run| run.setup.words.operation == operation);
        found.unwrap_or(0)
    };
    for (at, run) in runs.iter().enumerate() {
        let key = (
            first_of(run.setup.words.operation),
            run.setup.arm.as_str(),
            run.setup.asked,
            run.setup.prefilled,
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
                run.setup.words.operation.into(),
                run.setup.arm.as_str().into(),
                cell("operations"),
                run.setup.system.as_str().into(),
                cell("mean_ns"),
                ratio(found.map(|found| found.mean)),
                cell("p99_ns"),
                cell("median_ns"),
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

#[cfg(test)]
mod tests {
    use super::super::tests::run;
    use super::super::{Summary, table};
    use super::*;

    #[test]
    fn the_mean_is_compared_and_the_typical_operation_beside_it() {
        let quick = run(1_000, |_| 10_000);
        let mut slow = run(1_000, |at| if at % 20 == 0 { 800_000 } else { 10_000 });
        "there".clone_into(&mut slow.setup.system);
        let runs = [quick, slow];
        let summaries: Vec<Summary> = runs.iter().map(Summary::of).collect();
        let table = table(&runs, &summaries, |ns| format!("{ns:.0} ns"));
        let side = side_by_side(&runs, &table);
        assert_eq!(side.cell(1, "mean"), Some(&Value::Int(49_500)));
        assert_eq!(side.cell(1, "ratio"), Some(&Value::Float(4.95)));
        assert_eq!(side.cell(1, "typical"), Some(&Value::Float(1.0)));
    }
}
