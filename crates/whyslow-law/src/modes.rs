//! Kinds of operations: costs that lie in bands with nothing between them.

use crate::bins::{count, median};

/// Operations that show bands, at least.
const LEAST: usize = 200;

/// A step of the histogram of logarithms: 5 %.
const STEP: f64 = 0.05;

/// Neighbors on either side that smooth it.
const AROUND: usize = 3;

/// Bands lie apart by this factor at least.
const APART: f64 = 1.6;

/// Between two bands there is less than this share of the lower one.
const VALLEY: f64 = 0.25;

/// A band has this share of all operations at least.
const SHARE: f64 = 0.02;

/// Costs within this factor of a band's middle are near it …
const NEAR: f64 = 1.5;

/// … and so much of a band is near.
const DENSE: f64 = 0.7;

/// Bands alternate if they change at least this share as often as by chance.
const ALTERNATES: f64 = 0.5;

/// So many of the gaps between operations of a band are the same where it is every so many-th.
const REGULAR: f64 = 0.9;

/// One band of costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mode {
    /// What its operations cost.
    pub cost: f64,
    /// Its share of all operations.
    pub share: f64,
    /// It has every so many-th operation.
    pub every: Option<usize>,
}

/// The bands of a series, the cheapest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Modes {
    /// Two or more; none where all costs lie in one, or scatter.
    pub bands: Vec<Mode>,
    /// Whether operations of different bands follow each other, so that they are of different kinds. Where each band
    /// has its own time, it may be the machine that changed.
    pub alternate: bool,
}

/// Returns the bands of `costs`, which are in order.
pub fn modes(costs: &[f64]) -> Modes {
    if costs.len() < LEAST {
        return Modes::default();
    }
    let logs: Vec<f64> = costs.iter().map(|cost| cost.max(1e-3).ln()).collect();
    let edges = edges(&logs);
    if edges.is_empty() {
        return Modes::default();
    }
    let band = |log: f64| edges.partition_point(|edge| *edge <= log);
    let of: Vec<usize> = logs.iter().map(|&log| band(log)).collect();
    let mut bands = Vec::new();
    for own in 0..=edges.len() {
        let at: Vec<usize> = (0..of.len()).filter(|&at| of[at] == own).collect();
        let inside: Vec<f64> = at.iter().map(|&at| logs[at]).collect();
        let middle = median(&inside);
        let near = inside
            .iter()
            .filter(|log| (*log - middle).abs() <= NEAR.ln());
        if count(near.count()) < DENSE * count(inside.len()) {
            // What only scatters is no band.
            return Modes::default();
        }
        bands.push(Mode {
            cost: middle.exp(),
            share: count(at.len()) / count(of.len()),
            every: every(&at),
        });
    }
    let changes = of.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let stays: f64 = bands.iter().map(|band| band.share * band.share).sum();
    Modes {
        bands,
        alternate: count(changes) >= ALTERNATES * (1.0 - stays) * count(of.len()),
    }
}

/// Returns the logarithms between bands.
fn edges(logs: &[f64]) -> Vec<f64> {
    let least = logs.iter().copied().fold(f64::INFINITY, f64::min);
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let place = |log: f64| index((log - least) / STEP);
    let mut histogram = vec![0.0; place(most) + 1];
    for &log in logs {
        if let Some(bin) = histogram.get_mut(place(log)) {
            *bin += 1.0;
        }
    }
    let smooth = smooth(&histogram);
    // From the lowest to the highest: a band ends where little is left of it, and another one begins beyond.
    let enough = SHARE * count(logs.len());
    let apart = index(APART.ln() / STEP);
    let mut peaks: Vec<usize> = Vec::new();
    for at in 0..smooth.len() {
        let from = at.saturating_sub(AROUND);
        let around = &smooth[from..(at + AROUND + 1).min(smooth.len())];
        let is_peak = smooth[at] > 0.0 && around.iter().all(|other| *other <= smooth[at]);
        let mass: f64 = histogram[from..(at + AROUND + 1).min(histogram.len())]
            .iter()
            .sum();
        if !is_peak || mass < enough {
            continue;
        }
        match peaks.last().copied() {
            None => peaks.push(at),
            Some(last) => {
                let lower = smooth[last].min(smooth[at]);
                let deep = valley(&smooth, last, at).1 < VALLEY * lower;
                if deep && at - last >= apart {
                    peaks.push(at);
                } else if smooth[at] > smooth[last] {
                    peaks.pop();
                    peaks.push(at);
                }
            }
        }
    }
    let between = peaks
        .windows(2)
        .map(|pair| valley(&smooth, pair[0], pair[1]).0);
    between
        .map(|bin| least + (count(bin) + 0.5) * STEP)
        .collect()
}

/// Returns where the histogram is lowest between two bins, and how low.
fn valley(smooth: &[f64], from: usize, to: usize) -> (usize, f64) {
    let lowest = (from..=to)
        .map(|bin| smooth[bin])
        .fold(f64::INFINITY, f64::min);
    let flat: Vec<usize> = (from..=to).filter(|&bin| smooth[bin] <= lowest).collect();
    (flat[flat.len() / 2], lowest)
}

fn smooth(histogram: &[f64]) -> Vec<f64> {
    let of = |at: usize| {
        let part = &histogram[at.saturating_sub(AROUND)..(at + AROUND + 1).min(histogram.len())];
        part.iter().sum::<f64>()
    };
    (0..histogram.len()).map(of).collect()
}

/// Returns the gap that nearly all of the places have between them.
fn every(at: &[usize]) -> Option<usize> {
    let mut gaps: Vec<usize> = at.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_unstable();
    let usual = *gaps.get(gaps.len() / 2)?;
    let same = gaps.iter().filter(|gap| **gap == usual).count();
    (usual > 1 && count(same) >= REGULAR * count(gaps.len())).then_some(usual)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a bin of the few hundred between the least and the most"
)]
fn index(bin: f64) -> usize {
    bin.clamp(0.0, 1e4) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scatter by about a tenth, the same every time.
    fn scattered(cost: f64, at: u32) -> f64 {
        let turn = f64::from(at.wrapping_mul(2_654_435_761) >> 8) / f64::from(1_u32 << 24);
        cost * (0.35 * (turn - 0.5)).exp()
    }

    fn of(cost: impl Fn(u32) -> f64) -> Modes {
        modes(
            &(0..5_000)
                .map(|at| scattered(cost(at), at))
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn every_tenth_that_costs_more_is_a_kind_of_its_own() {
        let found = of(|at| if at % 10 == 9 { 60.0 } else { 6.0 });
        let [cheap, dear] = found.bands.as_slice() else {
            panic!("{found:?}");
        };
        assert!(
            found.alternate && (cheap.share - 0.9).abs() < 1e-9,
            "{found:?}"
        );
        assert_eq!((cheap.every, dear.every), (None, Some(10)));
        assert!(
            (cheap.cost - 6.0).abs() < 0.5 && (dear.cost - 60.0).abs() < 5.0,
            "{found:?}"
        );
    }

    #[test]
    fn bands_that_follow_each_other_in_time_are_no_kinds() {
        let found = of(|at| if at < 3_000 { 6.0 } else { 60.0 });
        assert_eq!((found.bands.len(), found.alternate), (2, false));
    }

    #[test]
    fn what_scatters_grows_or_rarely_comes_has_no_bands() {
        assert_eq!(of(|_| 6.0), Modes::default());
        assert_eq!(of(|at| 6.0 + f64::from(at)), Modes::default());
        assert_eq!(
            of(|at| if at % 97 == 0 { 900.0 } else { 6.0 }),
            Modes::default()
        );
        assert_eq!(
            of(|at| if at % 2 == 0 { 6.0 } else { 8.0 }),
            Modes::default()
        );
        // Outliers from ten to a thousand times as much lie nowhere close together.
        let long = |at: u32| 60.0 * 100f64.powf(f64::from(at % 1_000) / 1_000.0);
        assert_eq!(
            of(|at| if at % 20 == 0 { long(at) } else { 6.0 }),
            Modes::default()
        );
        assert_eq!(modes(&[1.0, 9.0]), Modes::default());
        assert_eq!(modes(&[0.0; 500]), Modes::default());
    }
}
