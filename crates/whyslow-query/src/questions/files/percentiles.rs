//! Percentiles of the durations of calls on files, computed from the calls with a row of their own.

use crate::error::QueryError;
use crate::file_calls::single_file_calls;
use crate::scope::Scope;
use crate::selection::Selection;
use crate::view::View;

use super::OfFile;

/// Number of classes of durations per doubling.
const PER_DOUBLING: u32 = 16;
const CLASSES: usize = 64 * PER_DOUBLING as usize;

/// Durations of calls, by class: a result is wrong by at most a sixteenth of a doubling, 5 %.
#[derive(Debug, Default)]
pub(super) struct Percentiles {
    classes: Vec<u32>,
    count: u64,
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
            self.count += 1;
        }
    }

    /// Returns the duration that `percent` of the calls did not exceed; `None` without calls.
    pub(super) fn get(&self, percent: u64) -> Option<i64> {
        let wanted = (self.count * percent).div_ceil(100).max(1);
        let mut seen = 0;
        for (class, &count) in self.classes.iter().enumerate() {
            seen += u64::from(count);
            if seen >= wanted {
                return Some(middle(class));
            }
        }
        None
    }
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
pub(super) fn are_asked_for(selection: &Selection) -> bool {
    let is_one = |word: &str| word.starts_with('p') || word.starts_with("median");
    let ranges = selection.ranges.iter();
    let sort = selection.sort.iter();
    !selection.columns.words.is_empty()
        || ranges.map(|range| range.column.as_str()).any(is_one)
        || sort.map(|sort| sort.column.as_str()).any(is_one)
}

/// Passes each timed call with its duration to `each`.
pub(super) fn add(
    view: View<'_>,
    scope: &Scope,
    mut each: impl FnMut(&OfFile, i64),
) -> Result<(), QueryError> {
    single_file_calls(view, scope, |call| {
        if let Some(ns) = call.duration_ns {
            each(&(call.process, call.operation, call.result, call.file), ns);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(all.get(50), None);
        for ns in 1..=20 {
            all.add(ns);
        }
        assert_eq!(
            (all.get(50), all.get(95), all.get(99)),
            (Some(10), Some(19), Some(20))
        );
    }
}
