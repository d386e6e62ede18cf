//! What is paid: the mean of a pass, where the typical operation explains less than half of it.

use crate::bins::Bins;
use crate::figures::count;
use crate::series::Series;

/// Less than half of the time is explained by the typical operation where the mean is so many times its cost.
const UNEXPLAINED: f64 = 2.0;

/// Passes whose means differ by this factor cost differently.
const DIFFERENT: f64 = 2.0;

/// Operations that say something about a mean, at least.
const LEAST: usize = 20;

/// A mean that the typical operation explains less than half of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paid {
    /// The mean of the fastest pass.
    pub least: f64,
    /// The mean of the slowest pass.
    pub most: f64,
    /// The slowest operations that half of the time of the slowest pass went to …
    pub slow: usize,
    /// … of so many.
    pub of: usize,
    /// What the fastest of these slow ones cost.
    pub from: f64,
}

impl Paid {
    /// Returns whether the passes cost differently.
    pub(crate) fn passes_differ(&self) -> bool {
        self.most >= DIFFERENT * self.least
    }

    /// Returns whether more than a few operations cost so much.
    pub(crate) fn is_common(&self) -> bool {
        self.slow * 100 >= self.of
    }
}

/// Returns what is paid where `typical`, the bins of the typical operation, does not say it.
pub(crate) fn paid(series: &Series<'_>, typical: &Bins) -> Option<Paid> {
    if series.exact || series.cost.len() < LEAST {
        return None;
    }
    let costs = typical.z.iter().map(|z| z.exp());
    let explained = costs.sum::<f64>() / count(typical.len().max(1));
    let passes = std::iter::once(series.cost).chain(series.repeats.iter().map(Vec::as_slice));
    let passes = passes.filter(|pass| !pass.is_empty());
    let means = passes.map(|pass| (pass, pass.iter().sum::<f64>() / count(pass.len())));
    let slowest = means.clone().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let fastest = means.min_by(|a, b| a.1.total_cmp(&b.1))?;
    if slowest.1 < UNEXPLAINED * explained {
        return None;
    }
    let (slow, from) = half(slowest.0);
    Some(Paid {
        least: fastest.1,
        most: slowest.1,
        slow,
        of: slowest.0.len(),
        from,
    })
}

/// Returns how many of the slowest took half of the time, and the cost of the fastest of these.
fn half(costs: &[f64]) -> (usize, f64) {
    let mut sorted = costs.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut left = costs.iter().sum::<f64>() / 2.0;
    for (at, &cost) in sorted.iter().enumerate() {
        left -= cost;
        if left <= 0.0 {
            return (at + 1, cost);
        }
    }
    (sorted.len(), 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bins;
    use crate::measure::Measure;

    fn of(passes: &[&dyn Fn(usize) -> f64]) -> Option<Paid> {
        let n: Vec<f64> = (1..=9_000).map(f64::from).collect();
        let mut costs = passes
            .iter()
            .map(|cost| (0..9_000).map(*cost).collect::<Vec<f64>>());
        let cost = costs.next().expect("a pass");
        let repeats: Vec<Vec<f64>> = costs.collect();
        let series = Series {
            n: &n,
            cost: &cost,
            repeats: &repeats,
            ..Series::default()
        };
        let typical = Bins::new(&series, &repeats, bins::quickest, Measure::Median);
        paid(&series, &typical)
    }

    #[test]
    fn a_mean_counts_where_the_typical_operation_does_not_explain_it() {
        let level = |_: usize| 7_000.0;
        let hump = |at: usize| {
            if at % 9_000 < 6_000 {
                7_000.0
            } else {
                400_000.0
            }
        };
        assert_eq!(of(&[&level]), None);
        assert_eq!(of(&[&|at| 100.0 + count(at)]), None, "growth explains it");
        let found = of(&[&hump, &level, &level]).expect("a pass was dear");
        assert_eq!((found.slow, found.of), (1_553, 9_000));
        assert!((found.most / 138_000.0 - 1.0).abs() < 1e-9, "{found:?}");
        assert!(found.passes_differ() && found.is_common(), "{found:?}");
        let kinds = |at: usize| {
            if at.is_multiple_of(20) {
                900_000.0
            } else {
                7_000.0
            }
        };
        let found = of(&[&kinds, &kinds]).expect("one in twenty pays");
        assert!(!found.passes_differ() && found.is_common(), "{found:?}");
        let once = |at: usize| if at == 5 { 9e9 } else { 7_000.0 };
        let found = of(&[&once]).expect("one paid for all");
        assert_eq!((found.slow, found.is_common()), (1, false));
    }
}
