//! Levels: one (constant) or several, with steps between them.

use crate::bins::{Bins, count, median};

/// Bins a level has at least.
const LEAST_IN_LEVEL: usize = 3;

/// Levels that are looked for at most.
const MOST_LEVELS: usize = 4;

/// A step smaller than this is not one, in natural logarithms (a quarter).
const LEAST_STEP: f64 = 0.22;

/// What differs by this factor between two steps is no level.
pub(crate) const VARIES: f64 = 1.3;

/// A change of the cost from one level to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The step comes after this *n* …
    pub after: f64,
    /// … and before this one.
    pub before: f64,
    /// The cost before it.
    pub from: f64,
    /// The cost after it.
    pub to: f64,
}

/// A description as levels.
#[derive(Debug, Clone)]
pub(crate) struct Levels {
    /// Where levels begin, beside the first.
    cuts: Vec<usize>,
    /// What the description costs; the lower, the better.
    pub(crate) score: f64,
}

/// Returns what a misfit of `r` costs where the noise is `noise`: quadratic up to two of it, linear
/// beyond, so that single bins do not decide.
pub(crate) fn misfit(r: f64, noise: f64) -> f64 {
    let u = (r / noise).abs();
    if u <= 2.0 { u * u / 2.0 } else { 2.0 * u - 2.0 }
}

/// Returns what `figures` of a description cost.
pub(crate) fn price(figures: usize, bins: usize) -> f64 {
    count(figures) * count(bins).ln()
}

/// Returns the best description as levels.
pub(crate) fn best(bins: &Bins) -> Levels {
    let len = bins.len();
    let costs = segment_costs(bins);
    let one = Levels {
        cuts: Vec::new(),
        score: costs[0][len] + price(1, len),
    };
    // `reached[level][end]` is the cheapest way to describe the bins before `end`, and its last cut.
    let mut reached = vec![vec![(f64::INFINITY, 0); len + 1]; MOST_LEVELS + 1];
    for end in 1..=len {
        reached[1][end] = (costs[0][end], 0);
    }
    let mut best = one;
    for level in 2..=MOST_LEVELS {
        for end in level * LEAST_IN_LEVEL..=len {
            let cuts = (level - 1) * LEAST_IN_LEVEL..=end - LEAST_IN_LEVEL;
            let way = |cut: usize| (reached[level - 1][cut].0 + costs[cut][end], cut);
            let least = cuts.map(way).min_by(|a, b| a.0.total_cmp(&b.0));
            reached[level][end] = least.unwrap_or((f64::INFINITY, 0));
        }
        let score = reached[level][len].0 + price(2 * level - 1, len);
        if score < best.score {
            let cuts = cuts(&reached, level, len);
            best = Levels { cuts, score };
        }
    }
    best
}

fn cuts(reached: &[Vec<(f64, usize)>], level: usize, len: usize) -> Vec<usize> {
    let mut end = len;
    let mut cuts = Vec::new();
    for level in (2..=level).rev() {
        end = reached[level][end].1;
        cuts.push(end);
    }
    cuts.reverse();
    cuts
}

/// Returns the highest level over the lowest.
pub(crate) fn spread(steps: &[Step]) -> f64 {
    let levels = || steps.iter().flat_map(|step| [step.from, step.to]);
    let low = levels().min_by(f64::total_cmp).unwrap_or(1.0);
    let high = levels().max_by(f64::total_cmp).unwrap_or(low);
    high / low.max(f64::MIN_POSITIVE)
}

/// Returns what describing bins `from..to` by their median costs, as `costs[from][to]`.
fn segment_costs(bins: &Bins) -> Vec<Vec<f64>> {
    let len = bins.len();
    let mut costs = vec![vec![f64::INFINITY; len + 1]; len];
    for (from, costs) in costs.iter_mut().enumerate() {
        let mut sorted: Vec<f64> = Vec::new();
        for (&z, cost) in bins.z[from..].iter().zip(&mut costs[from + 1..]) {
            sorted.insert(sorted.partition_point(|&other| other < z), z);
            let middle = sorted[sorted.len() / 2];
            let misfits = sorted.iter().map(|z| misfit(z - middle, bins.noise));
            *cost = misfits.sum();
        }
    }
    costs
}

impl Levels {
    /// Returns the steps that are large enough to be called so.
    pub(crate) fn steps(&self, bins: &Bins) -> Vec<Step> {
        let edges = self.edges(bins);
        let level = |edges: &[usize]| median(&bins.z[edges[0]..edges[1]]);
        let left = edges.windows(2).flat_map(|edges| {
            let level = level(edges);
            bins.z[edges[0]..edges[1]].iter().map(move |z| z - level)
        });
        let least = bins.certain(&left.collect::<Vec<_>>()).max(LEAST_STEP);
        let mut steps = Vec::new();
        for around in edges.windows(3) {
            let (from, to) = (level(&around[..2]), level(&around[1..]));
            if (to - from).abs() >= least {
                steps.push(Step {
                    after: bins.n[around[1] - 1],
                    before: bins.n[around[1]],
                    from: from.exp(),
                    to: to.exp(),
                });
            }
        }
        steps
    }

    /// Returns whether the cost before, between or after `steps` is no level: those found there differ by more than
    /// [`VARIES`], though none of them by what is certain.
    pub(crate) fn vary_between(&self, bins: &Bins, steps: &[Step]) -> bool {
        let is_step = |at: usize| {
            steps
                .iter()
                .any(|step| bins.n[at].total_cmp(&step.before).is_eq())
        };
        let edges = self.edges(bins);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        edges.windows(2).any(|edges| {
            if edges[0] == 0 || is_step(edges[0]) {
                (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
            }
            let level = median(&bins.z[edges[0]..edges[1]]);
            (low, high) = (low.min(level), high.max(level));
            high - low >= VARIES.ln()
        })
    }

    /// Returns where levels begin, and the end of the last.
    fn edges(&self, bins: &Bins) -> Vec<usize> {
        let begin = std::iter::once(0).chain(self.cuts.iter().copied());
        begin.chain([bins.len()]).collect()
    }
}
