//! The law of a series of costs: constant, steps, growth `a + b·nᵖ`, drift.
//!
//! ```text
//! costs in order ─► bins (medians) ─┬► constant ─┐
//!                                   ├► steps     ├► the cheapest description ─► gates ─► Law
//!                                   └► a + b·nᵖ ─┘
//! costs at small n, measured again after the end ─► with n, or with time?
//! ```
//!
//! A description pays for its misfit and for every figure it needs, so noise is not described.
//! Growth is claimed only where the cost at least doubles and rises throughout. A rise alone does
//! not tell *n* from time; what tells is [`Series::again`], the first sizes measured once more at
//! the end: low again, and *n* was the reason; still high, and it was something that came with time.

mod bins;
mod growth;
mod levels;
mod sentence;

use bins::Bins;

#[cfg(target_os = "linux")]
pub(crate) use bins::count as real;

pub use growth::Growth;
pub use levels::Step;
pub use sentence::{Wording, sentence};

/// Costs of an operation in the order they were paid.
#[derive(Debug, Clone, Copy, Default)]
pub struct Series<'a> {
    /// The size each operation met: the number of files, of processes, of bytes …; as long as
    /// `cost`, and not falling.
    pub n: &'a [f64],
    /// What each operation cost, in nanoseconds, or as a count.
    pub cost: &'a [f64],
    /// Costs at the first sizes, measured again after the end; empty where that was not done.
    pub again: &'a [f64],
    /// Whether costs are exact counts instead of times.
    pub exact: bool,
}

/// How the cost depends on *n*.
#[derive(Debug, Clone, PartialEq)]
pub enum Law {
    /// Fewer operations than a law can be told from.
    TooFew,
    /// The same from first to last, within what noise allows to say.
    Constant,
    /// Levels, and where one ends and the next begins.
    Steps(Vec<Step>),
    /// `a + b·nᵖ`.
    Growth(Growth),
    /// It rose with time, whatever *n*.
    Drift,
    /// It fell throughout.
    Falls,
    /// It changed up and down, and none of the above describes how.
    Irregular,
}

/// What was found out about a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The law.
    pub law: Law,
    /// Median of the first tenth, in the unit of the costs.
    pub first: f64,
    /// Median of the last tenth, in the unit of the costs.
    pub last: f64,
    /// The least and the most that `last / first` may be, with 95 % confidence.
    pub ratio: (f64, f64),
    /// The largest *n* of the series.
    pub largest_n: f64,
    /// Relative scatter between neighboring bins, from 0.
    pub noise: f64,
    /// How far costs measured again lay on the way from first (0) to last (1); `None` where nothing
    /// was measured again or nothing had changed.
    pub again: Option<f64>,
}

/// Growth below this factor over the series is not claimed.
const LEAST_RISE: f64 = 2.0;

/// The same for exact counts.
const LEAST_RISE_EXACT: f64 = 1.2;

/// Kendall's rank correlation of growth is at least this.
const LEAST_TAU: f64 = 0.6;

/// A series has at least so many bins, or its law is not told.
const LEAST_BINS: usize = 5;

/// Returns the law of `series`.
pub fn judge(series: &Series<'_>) -> Judgement {
    let bins = Bins::new(series);
    let tenth = (series.cost.len() / 10).max(1).min(series.cost.len());
    let (head, tail) = (
        &series.cost[..tenth],
        &series.cost[series.cost.len() - tenth..],
    );
    let (first, last) = (bins::median(head), bins::median(tail));
    let mut judgement = Judgement {
        law: Law::TooFew,
        first,
        last,
        ratio: bins::ratio(head, tail),
        largest_n: series.n.last().copied().unwrap_or(0.0),
        noise: bins.noise,
        again: None,
    };
    if bins.len() >= LEAST_BINS {
        judgement.again = again(series, &bins);
        judgement.law = law(series, &bins, judgement.again);
    }
    judgement
}

fn law(series: &Series<'_>, bins: &Bins, again: Option<f64>) -> Law {
    let levels = levels::best(bins);
    let largest = series.n.last().copied().unwrap_or(0.0);
    let growth = growth::fit(bins, largest);
    let least = if series.exact {
        LEAST_RISE_EXACT
    } else {
        LEAST_RISE
    };
    let (tau, rise) = (bins.tau(), growth.rise());
    let smooth = growth.score < levels.score && rise.ln() >= growth.certain;
    if smooth && rise >= least && tau >= LEAST_TAU {
        return match again {
            Some(way) if way > 0.65 => Law::Drift,
            Some(way) if way > 0.35 => Law::Growth(growth.unconfirmed()),
            _ => Law::Growth(growth),
        };
    }
    let steps = levels.steps(bins);
    let up = steps.iter().filter(|step| step.to > step.from).count();
    let back = up > 0 && up < steps.len();
    // What goes up and down again is no matter of n, and below a doubling nothing is claimed.
    if back && levels::spread(&steps) >= least {
        return Law::Irregular;
    }
    if !back && !steps.is_empty() {
        return match again {
            Some(way) if up > 0 && way > 0.65 => Law::Drift,
            _ => Law::Steps(steps),
        };
    }
    let change = bins.change();
    if change <= 1.0 / LEAST_RISE && tau <= -LEAST_TAU {
        Law::Falls
    } else if !(1.0 / LEAST_RISE..LEAST_RISE).contains(&change) && !series.exact {
        Law::Irregular
    } else {
        Law::Constant
    }
}

/// Returns where the costs measured again lie between those of the same sizes at first and the last.
fn again(series: &Series<'_>, bins: &Bins) -> Option<f64> {
    if series.again.is_empty() {
        return None;
    }
    let same = series.again.len().min(series.cost.len());
    let before = bins::median(&series.cost[..same]).max(f64::MIN_POSITIVE);
    let after = bins::median(series.again).max(f64::MIN_POSITIVE);
    let top = bins.last();
    let way = (top / before).ln();
    (way.abs() > 0.2).then(|| (after / before).ln() / way)
}
