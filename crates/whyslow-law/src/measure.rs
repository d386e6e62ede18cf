//! What a bin of operations is described by: the typical one, the mean, or the slow ones.

use crate::figures::median;

/// A figure of several costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The typical one.
    Median,
    /// What all cost together, by their number.
    Mean,
    /// What 95 of 100 cost at most.
    P95,
    /// What 99 of 100 cost at most.
    P99,
}

impl Measure {
    /// Returns the figure of `costs`; `grain` is the step of a coarse clock.
    pub(crate) fn of(self, costs: &[f64], grain: Option<f64>) -> f64 {
        match (self, grain) {
            (Self::Median, None) => median(costs),
            (Self::Median, Some(grain)) => grained_median(costs, grain),
            (Self::Mean, _) => mean(costs),
            (Self::P95, _) => quantile(costs, 95),
            (Self::P99, _) => quantile(costs, 99),
        }
    }

    /// Returns how many operations a bin has at least, unless all of a bin have the same size.
    pub(crate) fn least_in_bin(self) -> usize {
        match self {
            Self::Median => 8,
            Self::Mean => 80,
            Self::P95 => 100,
            Self::P99 => 400,
        }
    }

    /// Returns the share of the operations that cost at least about this.
    pub(crate) fn share(self) -> f64 {
        match self {
            Self::Median | Self::Mean => 1.0,
            Self::P95 => 0.05,
            Self::P99 => 0.01,
        }
    }

    /// Returns the words for it, to begin a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Median => "the typical one",
            Self::Mean => "the mean",
            Self::P95 => "the slowest 5 in 100",
            Self::P99 => "the slowest 1 in 100",
        }
    }
}

/// Returns the step of a coarse clock: the largest decimal part of a unit that all costs are multiples of, if
/// a typical one has few of them.
pub(crate) fn grain(costs: &[f64]) -> Option<f64> {
    let typical = median(costs);
    let mut grain = 1e9;
    while grain >= 1e3 {
        let whole = |cost: &f64| {
            let times = cost / grain;
            // What is something is at least one step.
            let is_step = *cost == 0.0 || times.round() >= 1.0;
            is_step && (times - times.round()).abs() <= 1e-6 * times.max(1.0)
        };
        if costs.iter().all(whole) {
            return (shows(costs) && typical < 50.0 * grain).then_some(grain);
        }
        grain /= 10.0;
    }
    None
}

/// Returns whether `costs` are so different that their steps are those of a clock: some are nothing and some are not, or
/// three differ.
fn shows(costs: &[f64]) -> bool {
    let (mut seen, mut differ) = ([f64::NAN; 2], 0);
    for cost in costs {
        if seen.iter().all(|other| other.total_cmp(cost).is_ne()) {
            differ += 1;
            seen = [*cost, seen[0]];
        }
    }
    let nothing = costs.iter().any(|&cost| cost <= 0.0);
    differ >= 3 || nothing && differ == 2
}

fn mean(costs: &[f64]) -> f64 {
    costs.iter().sum::<f64>() / crate::figures::count(costs.len().max(1))
}

/// Returns the median of costs that a clock with steps of `grain` rounded down: within the step that it lies in, by how
/// many lie below it and in it.
fn grained_median(costs: &[f64], grain: f64) -> f64 {
    let step = median(costs);
    let step = (step / grain + 1e-6).floor() * grain;
    let below = costs.iter().filter(|cost| **cost < step - grain / 2.0);
    let within = costs
        .iter()
        .filter(|cost| (*cost - step).abs() < grain / 2.0);
    let (below, within) = (below.count(), within.count());
    let half = crate::figures::count(costs.len()) / 2.0 - crate::figures::count(below);
    step + grain * half / crate::figures::count(within.max(1))
}

fn quantile(costs: &[f64], percent: usize) -> f64 {
    let mut costs = costs.to_vec();
    if costs.is_empty() {
        return 0.0;
    }
    let rank = (costs.len() * percent).div_ceil(100).max(1) - 1;
    let (_, &mut found, _) = costs.select_nth_unstable_by(rank, f64::total_cmp);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_of_whole_milliseconds_shows() {
        let whole = [0.0, 1e6, 0.0, 3e6, 17e6];
        assert_eq!(grain(&whole), Some(1e6));
        assert_eq!(grain(&[120e6, 130e6, 10e6]), Some(1e7));
        assert_eq!(grain(&[1_234.0, 1_000.0]), None);
        // Costs of some nanoseconds are no parts of a second that read as 0.
        let short: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!(grain(&short), None);
        assert_eq!(grain(&[0.0; 5]), None, "nothing shows");
        assert_eq!(grain(&[1e6, 1e6, 9e6]), None, "it may be so");
        assert_eq!(grain(&[0.0, 0.0, 1e6]), Some(1e6));
        assert_eq!(
            grain(&[1_500e6, 1_600e6, 1_400e6]),
            Some(1e8),
            "tenths of a second"
        );
        assert_eq!(
            grain(&[7_123e6, 7_124e6]),
            None,
            "fine enough for what it measures"
        );
    }

    #[test]
    fn the_median_lies_within_a_step_of_the_clock() {
        let of = |costs: &[f64]| Measure::Median.of(costs, Some(10.0));
        assert!((of(&[0.0; 8]) - 5.0).abs() < 1e-9);
        assert!((of(&[0.0, 0.0, 10.0, 10.0]) - 10.0).abs() < 1e-9);
        let quarter = [0.0, 10.0, 10.0, 10.0];
        assert!((of(&quarter) - (10.0 + 10.0 / 3.0)).abs() < 1e-9);
    }

    #[test]
    fn figures_are_those_of_the_costs() {
        let costs: Vec<f64> = (1..=200).map(f64::from).collect();
        let of = |measure: Measure| measure.of(&costs, None).round();
        assert!((of(Measure::P95) - 190.0).abs() < 0.5);
        assert!((of(Measure::P99) - 198.0).abs() < 0.5);
        assert!((Measure::Mean.of(&costs, None) - 100.5).abs() < 1e-9);
    }
}
