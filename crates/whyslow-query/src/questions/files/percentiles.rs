//! Percentiles of the time that calls on files took, from the calls that have a row of their own.
//!
//! If there are many calls, every slow one has a row, but only some of the quick ones do. So the row of a quick call
//! also counts for the quick calls without a row, and the row of a slow call counts once.

use crate::error::QueryError;
use crate::file_calls::{SingleCall, single_file_calls};
use crate::scope::Scope;
use crate::selection::Selection;
use crate::shape;
use crate::view::View;

use whyslow_results::ResultSchema;

/// Number of classes of durations per doubling.
const PER_DOUBLING: u32 = 16;
const CLASSES: usize = 64 * PER_DOUBLING as usize;

/// Calls that took as long have a row each, however many there are.
const SLOW_NS: i64 = 1_000_000;

/// Durations of calls, by class: results are off by at most a sixteenth of a doubling, 5 %.
#[derive(Debug, Default)]
pub(super) struct Percentiles {
    classes: Vec<u32>,
    quick: u64,
    slow: u64,
}

impl Percentiles {
    /// Adds a call.
    pub(super) fn add(&mut self, ns: i64) {
        let class = class(ns);
        if class >= self.classes.len() {
            self.classes.resize(class + 1, 0);
        }
        if let Some(count) = self.classes.get_mut(class) {
            *count = count.saturating_add(1);
            match is_slow(class) {
                true => self.slow += 1,
                false => self.quick += 1,
            }
        }
    }

    /// Returns the duration that `percent` of the calls did not exceed; `None` without rows.
    pub(super) fn get(&self, percent: u64, calls: i64) -> Option<i64> {
        let calls = u64::try_from(calls).unwrap_or(0);
        // What the quick ones represent together.
        let quick = calls.saturating_sub(self.slow).max(self.quick);
        let (rows, all) = (u128::from(self.quick.max(1)), u128::from(quick + self.slow));
        // In parts of a call, as many as there are quick rows.
        let wanted = (all * rows * u128::from(percent)).div_ceil(100).max(1);
        let mut seen = 0;
        for (class, &count) in self.classes.iter().enumerate() {
            let each = match is_slow(class) {
                true => rows,
                false => u128::from(quick),
            };
            seen += u128::from(count) * each;
            if seen >= wanted {
                return Some(middle(class));
            }
        }
        None
    }
}

fn is_slow(class: usize) -> bool {
    middle(class) >= SLOW_NS
}

/// Short durations have a class each; above them, a doubling has 16.
fn class(ns: i64) -> usize {
    let ns = ns.max(0).cast_unsigned();
    let bits = u64::BITS - ns.leading_zeros();
    let shift = bits.saturating_sub(5);
    let class = (u64::from(shift) << 4) + (ns >> shift);
    usize::try_from(class).unwrap_or(CLASSES)
}

fn middle(class: usize) -> i64 {
    let class = u64::try_from(class).unwrap_or(0);
    if class < 32 {
        return class.cast_signed();
    }
    let shift = (class >> 4) - 1;
    let from = ((class & 15) | 16) << shift;
    (from + (1 << shift >> 1)).cast_signed()
}

/// Returns whether a selection needs percentiles; they cost a pass over all single calls.
pub(super) fn are_asked_for(selection: &Selection, schema: &ResultSchema) -> bool {
    shape::needs_one_of(selection, schema, &["median", "p95", "p99"])
}

/// Passes each timed call with its duration to `each`.
pub(super) fn add(
    view: View<'_>,
    scope: &Scope,
    mut each: impl FnMut(&SingleCall, i64),
) -> Result<(), QueryError> {
    single_file_calls(view, scope, |call| {
        if let Some(ns) = call.duration_ns {
            each(call, ns);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::TABLE;
    use super::*;
    use crate::selection::{ColumnChoice, ColumnRange, Sort};

    #[test]
    fn classes_are_exact_below_32_and_within_a_twentieth_beyond() {
        for ns in 0..32 {
            assert_eq!(middle(class(ns)), ns);
        }
        let mut ns = 32_i64;
        while ns < i64::MAX / 4 {
            let told = middle(class(ns));
            assert!((told - ns).abs() <= ns / 20, "{ns}: {told}");
            assert!(class(ns) < CLASSES);
            ns += ns / 7;
        }
        assert!(class(i64::MAX) < CLASSES);
        assert!(middle(class(i64::MAX)) > 0);
    }

    #[test]
    fn percentiles_are_of_the_calls_that_were_added() {
        let mut all = Percentiles::default();
        assert_eq!(all.get(50, 0), None);
        for ns in 1..=20 {
            all.add(ns);
        }
        assert_eq!(
            (all.get(50, 20), all.get(95, 20), all.get(99, 20)),
            (Some(10), Some(19), Some(20))
        );
        // Fewer calls than rows are none.
        assert_eq!(all.get(50, 0), Some(10));
    }

    #[test]
    fn slow_calls_that_all_have_rows_do_not_count_for_more_than_they_are() {
        let mut all = Percentiles::default();
        // A hundred slow calls of 10,000, and of the quick ones one in a hundred.
        for _ in 0..100 {
            all.add(5_000_000);
        }
        for _ in 0..99 {
            all.add(20);
        }
        assert_eq!(
            (all.get(50, 10_000), all.get(99, 10_000)),
            (Some(20), Some(20))
        );
        let slowest = all.get(100, 10_000).unwrap();
        assert!((slowest - 5_000_000).abs() <= 250_000, "{slowest}");
        // Were these all, most would be slow.
        assert!(all.get(50, 199).unwrap() > 1_000_000);
    }

    #[test]
    fn single_calls_are_looked_at_only_for_columns_that_need_them() {
        let are_asked_for = |selection: &Selection| are_asked_for(selection, &TABLE);
        let selection = |text: &str| Selection {
            columns: ColumnChoice::parse(text),
            ..Selection::default()
        };
        for text in [
            "+p95",
            "calls,median",
            "*",
            "p9?",
            "P99_NS",
            "med",
            "+median-ns",
        ] {
            assert!(are_asked_for(&selection(text)), "{text}");
        }
        for text in ["", "calls,path", "process", "+timed", "!p95", "p9"] {
            assert!(!are_asked_for(&selection(text)), "{text}");
        }
    }

    #[test]
    fn a_column_decides_under_every_name_that_it_has() {
        for (word, expected) in [
            ("median", true),
            ("Med", true),
            ("median-ns", true),
            ("p95_n", true),
            ("time", false),
            ("longest", false),
            ("p9", false),
            ("none", false),
        ] {
            let compares = Selection {
                conditions: vec![format!("{word}>=50ms")],
                ..Selection::default()
            };
            let sorts = Selection {
                sort: Some(Sort::parse(word)),
                ..Selection::default()
            };
            let has_range = Selection {
                ranges: vec![ColumnRange {
                    column: word.to_owned(),
                    range: "50ms..".to_owned(),
                }],
                ..Selection::default()
            };
            for selection in [compares, sorts, has_range] {
                assert_eq!(are_asked_for(&selection, &TABLE), expected, "{selection:?}");
            }
        }
    }
}
