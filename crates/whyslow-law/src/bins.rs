//! Bins of equally many neighboring operations, each with its median: what laws are fitted to.

pub use crate::figures::count;
pub(crate) use crate::figures::{deviation, lasting, median};
use crate::measure::{Measure, grain};
use crate::series::Series;

/// Bins of a long series.
const MOST_BINS: usize = 64;

/// Noise that lasts for this many bins is not that of single operations.
const LASTING: f64 = 3.0;

/// How many times the noise a change is at least.
const CERTAIN: f64 = 3.0;

/// Bins in the order of the series.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bins {
    /// Median size per bin.
    pub(crate) n: Vec<f64>,
    /// Natural logarithm of the median cost per bin.
    pub(crate) z: Vec<f64>,
    /// Relative scatter between neighboring bins.
    pub(crate) noise: f64,
    /// The least that the noise is taken for.
    pub(crate) floor: f64,
    /// Whether the costs are exact counts.
    pub(crate) exact: bool,
    /// The step of the clock, where it shows.
    pub(crate) grain: Option<f64>,
}

impl Bins {
    /// Returns the bins of `series` and of its `repeats`, as far as all came, put together by `view`, each
    /// described by `measure`; none where the operations are too few for it.
    pub(crate) fn new(
        series: &Series<'_>,
        repeats: &[Vec<f64>],
        view: View,
        measure: Measure,
    ) -> Self {
        let lengths = repeats.iter().map(Vec::len).chain([series.cost.len()]);
        let len = lengths.min().unwrap_or(0).min(series.n.len());
        let n = &series.n[..len];
        let mut ranges = ranges(n, measure.least_in_bin());
        let least = ranges.iter().map(|(from, to)| to - from).min();
        if measure != Measure::Median && least.is_none_or(|least| least < measure.least_in_bin()) {
            ranges.clear();
        }
        let grain = (!series.exact).then(|| grain(series.cost)).flatten();
        let figures = |cost: &[f64]| -> Vec<f64> {
            let bins = ranges.iter();
            bins.map(|&(from, to)| measure.of(&cost[from..to], grain).max(1e-3).ln())
                .collect()
        };
        let floor = if series.exact { 1e-3 } else { 1e-2 };
        let passes = std::iter::once(series.cost).chain(repeats.iter().map(Vec::as_slice));
        let mut bins = Self {
            n: ranges
                .iter()
                .map(|&(from, to)| median(&n[from..to]))
                .collect(),
            z: view(&passes.map(figures).collect::<Vec<_>>()),
            noise: 0.0,
            floor,
            exact: series.exact,
            grain,
        };
        bins.noise = bins.scatter().max(floor);
        bins
    }

    /// Returns the bins `from..to`, with the noise of all.
    pub(crate) fn part(&self, from: usize, to: usize) -> Self {
        Self {
            n: self.n[from..to].to_vec(),
            z: self.z[from..to].to_vec(),
            ..*self
        }
    }

    /// Returns the bins with another noise.
    pub(crate) fn with_noise(&self, noise: f64) -> Self {
        Self {
            noise,
            ..self.clone()
        }
    }

    /// Adds what was measured beyond them.
    pub(crate) fn push(&mut self, n: f64, cost: f64) {
        self.n.push(n);
        self.z.push(cost.max(1e-3).ln());
    }

    /// Returns the bins of sizes beyond `from`, which count from there.
    pub(crate) fn beyond(&self, from: f64) -> Self {
        let at = self.n.partition_point(|&n| n <= from);
        let mut rest = self.part(at, self.len());
        for n in &mut rest.n {
            *n -= from;
        }
        rest
    }

    pub(crate) fn len(&self) -> usize {
        self.n.len()
    }

    /// Returns the cost of the first tenth of the bins.
    pub(crate) fn first(&self) -> f64 {
        let tenth = (self.len() / 10).max(1).min(self.len());
        median(&self.z[..tenth]).exp()
    }

    /// Returns the cost of the last tenth of the bins.
    pub(crate) fn last(&self) -> f64 {
        let tenth = (self.len() / 10).max(1);
        median(&self.z[self.len().saturating_sub(tenth)..]).exp()
    }

    /// Returns the cost of the last tenth over that of the first.
    pub(crate) fn change(&self) -> f64 {
        self.last() / self.first()
    }

    /// Returns whether a tenth of the bins each is by `factor` above and below the others, and they are
    /// so in a row.
    pub(crate) fn unsteady(&self, factor: f64) -> bool {
        let mut sorted = self.z.clone();
        sorted.sort_by(f64::total_cmp);
        let tenth = sorted.len() / 10;
        let (low, high) = (sorted.get(tenth), sorted.iter().rev().nth(tenth));
        let (Some(low), Some(high)) = (low, high) else {
            return false;
        };
        let middle = median(&self.z);
        let left: Vec<f64> = self.z.iter().map(|z| z - middle).collect();
        high - low >= factor.ln() && lasting(&left) >= LASTING
    }

    /// Returns how many of the last bins are each higher than all before them.
    pub(crate) fn climbs(&self) -> usize {
        let mut highest = f64::MIN;
        let mut climbs = 0;
        for &z in &self.z {
            climbs = if z > highest { climbs + 1 } else { 0 };
            highest = highest.max(z);
        }
        climbs
    }

    /// Returns whether the last bin is higher than all before it, and higher than their median by this factor.
    pub(crate) fn ends_high(&self, factor: f64) -> bool {
        let Some((last, before)) = self.z.split_last() else {
            return false;
        };
        before.iter().all(|z| z < last) && last - median(before) >= factor.ln()
    }

    /// Returns Kendall's rank correlation of cost and order, −1 to 1.
    pub(crate) fn tau(&self) -> f64 {
        let mut sum = 0.0;
        for (at, &later) in self.z.iter().enumerate() {
            for &earlier in &self.z[..at] {
                sum += f64::from(i8::from(later > earlier) - i8::from(later < earlier));
            }
        }
        let pairs = self.len() * self.len().saturating_sub(1) / 2;
        sum / count(pairs.max(1))
    }

    /// Returns the least change, as a logarithm, that is more than noise: `left` are the residuals of
    /// a description, and the longer they last, the less many bins help.
    pub(crate) fn certain(&self, left: &[f64]) -> f64 {
        CERTAIN * self.noise.max(deviation(left)) * lasting(left).sqrt()
    }

    /// Returns the scatter around what is smooth: of neighbors, or where more, of bins a sixteenth of
    /// the series apart, which noise that lasts for several bins shows in.
    fn scatter(&self) -> f64 {
        let apart = |by: usize| {
            let bends = self.z.windows(2 * by + 1);
            let bends = bends.map(|part| part[0] - 2.0 * part[by] + part[2 * by]);
            deviation(&bends.collect::<Vec<_>>()) / 6f64.sqrt()
        };
        let steps = self.z.windows(2).map(|pair| pair[1] - pair[0]);
        let near = deviation(&steps.collect::<Vec<_>>()) / std::f64::consts::SQRT_2;
        near.max(apart((self.len() / 16).max(1)))
    }
}

/// How passes become one curve.
pub(crate) type View = fn(&[Vec<f64>]) -> Vec<f64>;

/// Returns the quickest of `passes`, bin by bin: right if each bin once met a quick machine.
pub(crate) fn quickest(passes: &[Vec<f64>]) -> Vec<f64> {
    let bins = passes.first().map_or(0, Vec::len);
    let least = |bin: usize| {
        let here = passes.iter().filter_map(|pass| pass.get(bin).copied());
        here.min_by(f64::total_cmp).unwrap_or(0.0)
    };
    (0..bins).map(least).collect()
}

/// Returns the shape that most of `passes` have: they are moved on top of each other, by what most of
/// their bins differ, and the middle one counts, at the level of the quickest. Right if most passes
/// did not meet a change of the machine at the same size.
pub(crate) fn middle(passes: &[Vec<f64>]) -> Vec<f64> {
    let [first, others @ ..] = passes else {
        return Vec::new();
    };
    let above = |pass: &Vec<f64>| {
        let pairs = pass.iter().zip(first);
        median(&pairs.map(|(z, first)| z - first).collect::<Vec<_>>())
    };
    let levels: Vec<f64> = std::iter::once(0.0)
        .chain(others.iter().map(above))
        .collect();
    let least = levels.iter().copied().fold(0.0, f64::min);
    let middle = |bin: usize| {
        let pairs = passes.iter().zip(&levels);
        let here: Vec<f64> = pairs
            .filter_map(|(pass, level)| Some(pass.get(bin)? - level))
            .collect();
        median(&here) + least
    };
    (0..first.len()).map(middle).collect()
}

/// Returns from where to where the bins of operations with the sizes `n` go, of at least `least` operations, unless
/// all of a bin have the same size.
fn ranges(n: &[f64], least: usize) -> Vec<(usize, usize)> {
    let mut groups = Vec::new();
    let mut from = 0;
    for at in 1..=n.len() {
        if at == n.len() || n[at] > n[from] {
            groups.push((from, at));
            from = at;
        }
    }
    if groups.len() <= MOST_BINS && groups.len() < n.len() || n.len() < 8 * least {
        return groups;
    }
    let bins = (n.len() / least).clamp(1, MOST_BINS);
    let edge = |bin: usize| bin * n.len() / bins;
    (0..bins).map(|bin| (edge(bin), edge(bin + 1))).collect()
}
