//! Durations in the unit that suits each: they span six decimal powers.

use whyslow_render::number;
use whyslow_results::{Kind, ResultTable, Value};

/// Returns a duration in nanoseconds, for sentences.
pub fn cost(ns: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the range is clamped")]
    let whole = ns.round().clamp(0.0, 9e18) as i64;
    number::brief_duration(whole)
}

/// Returns the table with every duration in the unit that suits it.
pub(crate) fn with_units(table: &ResultTable) -> ResultTable {
    let mut table = table.clone();
    for (at, column) in table.columns.iter_mut().enumerate() {
        if column.kind != Kind::Duration {
            continue;
        }
        column.kind = Kind::Text;
        column.elastic = false;
        for cell in table.rows.iter_mut().filter_map(|row| row.get_mut(at)) {
            if let Value::Int(ns) = *cell {
                *cell = Value::text(&number::brief_duration(ns));
            }
        }
    }
    table
}
