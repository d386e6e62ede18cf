//! The law of a series of costs: constant, steps, growth `a + b·nᵖ`, drift.
//!
//! ```text
//! costs in order ─► bins (medians) ─┬► constant ─┐
//!                                   ├► steps     ├► the cheapest description ─► gates ─► Law
//!                                   └► a + b·nᵖ ─┘
//! costs at small n, measured again after the end ─► with n, or with time?
//! ```
//!
//! A machine becomes slower and faster by itself, by a half and for seconds; so what one pass shows is
//! measured again ([`Series::repeats`]), and only what the passes agree on is described.
//!
//! A description pays for its misfit and for every figure it needs, so noise is not described.
//! Growth is claimed only where the cost at least doubles, or passes agree on less, and rises throughout. A rise alone does
//! not tell *n* from time; what tells is [`Series::again`], the first sizes measured once more at
//! the end: low again, and *n* was the reason; still high, and it was something that came with time.

use crate::bins::{self, Bins};
use crate::growth::{self, Growth};
use crate::levels::{self, Step};
use crate::series::Series;

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
    /// The same up to this *n*, and more and more from there.
    Bend(f64),
    /// It rose with time, whatever *n*.
    Drift,
    /// It fell throughout.
    Falls,
    /// It changed up and down, and none of the above describes how.
    Irregular,
}

/// Passes that are enough if each shows something.
const ENOUGH: usize = 3;

/// What was found out about a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The law.
    pub law: Law,
    /// Median of the first tenth, in the unit of the costs; of several passes, the quickest size by size.
    pub first: f64,
    /// The same of the last tenth.
    pub last: f64,
    /// Passes that were made.
    pub passes: usize,
    /// What the costs of the first pass say, where there were more.
    pub one_pass: Option<Law>,
    /// The largest *n* of the series.
    pub largest_n: f64,
    /// Relative scatter between neighboring bins, from 0.
    pub noise: f64,
    /// Whether the costs went up and down for many operations at a time, as where a machine is now
    /// slower and now faster.
    pub unsteady: bool,
    /// How far costs measured again lay on the way from first (0) to last (1); `None` where nothing
    /// was measured again or nothing had changed.
    pub again: Option<f64>,
}

/// Growth below this factor over the series is not claimed.
const LEAST_RISE: f64 = 2.0;

/// The same where several passes agree on it, …
const LEAST_RISE_AGREED: f64 = 1.25;

/// … rise this steadily, …
const AGREED_TAU: f64 = 0.8;

/// … and no less than by this power: what rises and then stays is a cache that is full.
const AGREED_EXPONENT: f64 = 0.4;

/// The same for exact counts.
const LEAST_RISE_EXACT: f64 = 1.2;

/// Kendall's rank correlation of growth is at least this.
const LEAST_TAU: f64 = 0.6;

/// A series has at least so many bins, or its law is not told.
const LEAST_BINS: usize = 5;

/// Costs measured again that lie so far on the way from first to last came with time.
const STAYED: f64 = 0.65;

/// Growth by this factor that predicts itself is nothing a machine does by itself.
const SURE_RISE: f64 = 4.0;

/// A change from first to last within this factor is none.
const SAME: f64 = 1.25;

impl Judgement {
    /// Returns the cost of the last tenth over that of the first.
    pub fn change(&self) -> f64 {
        // Both may be nothing.
        if self.first.total_cmp(&self.last).is_eq() {
            return 1.0;
        }
        self.last / self.first.max(f64::MIN_POSITIVE)
    }

    /// Returns the growth that holds beyond the series too: nothing speaks against it, and its first
    /// sizes cost little again.
    pub fn predicting(&self) -> Option<Growth> {
        match self.law {
            Law::Growth(growth) if growth.confirmed && self.again.is_some() => Some(growth),
            _ => None,
        }
    }

    /// Returns whether a further pass may show that this is the machine's doing.
    pub fn in_doubt(&self) -> bool {
        match &self.law {
            Law::TooFew => false,
            // Of two that differ, none is right by that.
            _ if self.passes == 2 => true,
            Law::Constant => self.unsteady || !(1.0 / SAME..SAME).contains(&self.change()),
            Law::Growth(growth) => !growth.confirmed || growth.rise() < SURE_RISE,
            Law::Steps(_) | Law::Bend(_) | Law::Drift | Law::Falls | Law::Irregular => true,
        }
    }
}

/// Returns whether further passes are needless though what they show is in doubt: three or more were
/// made, each of them alone shows something, and together they show a law.
pub fn is_settled(series: &Series<'_>) -> bool {
    let mut passes = std::iter::once(series.cost).chain(series.repeats.iter().map(Vec::as_slice));
    series.repeats.len() + 1 >= ENOUGH
        && passes.all(|cost| {
            let one = Series {
                cost,
                repeats: &[],
                ..*series
            };
            judge(&one).law != Law::Constant
        })
        && judge(series).law != Law::Irregular
}

/// Returns the law of `series`.
pub fn judge(series: &Series<'_>) -> Judgement {
    let one = Bins::new(series, &[], bins::quickest);
    let all = Bins::new(series, series.repeats, bins::quickest);
    let mut judgement = Judgement {
        law: Law::TooFew,
        first: all.first(),
        last: all.last(),
        passes: 1 + series.repeats.len(),
        one_pass: None,
        largest_n: series.n.last().copied().unwrap_or(0.0),
        noise: all.noise,
        unsteady: all.unsteady(SAME),
        again: None,
    };
    if series.repeats.is_empty() {
        let tenth = (series.cost.len() / 10).max(1).min(series.cost.len());
        judgement.first = bins::median(&series.cost[..tenth]);
        judgement.last = bins::median(&series.cost[series.cost.len() - tenth..]);
    }
    if one.len() < LEAST_BINS {
        return judgement;
    }
    judgement.again = again(series, &one);
    judgement.law = law(series, &one, judgement.again);
    if series.repeats.is_empty() {
        return judgement;
    }
    let largest = judgement.largest_n;
    // What came with time is at its end when the next pass begins: the passes need not look alike.
    let with_time = one.change() >= LEAST_RISE && judgement.again.is_some_and(|way| way > STAYED);
    let agreed = if with_time || judgement.law == Law::Drift {
        Law::Drift
    } else {
        let shape = Bins::new(series, series.repeats, bins::middle);
        let again = judgement.again;
        weak_growth(&[&all, &shape], judgement.passes, largest, again).unwrap_or_else(|| {
            let (quickest, shape) = (law(series, &all, again), law(series, &shape, again));
            agreed(quickest, shape, largest)
        })
    };
    judgement.one_pass = Some(std::mem::replace(&mut judgement.law, agreed));
    judgement
}

/// Returns growth by less than a doubling, if three passes or more show it in both views.
fn weak_growth(views: &[&Bins], passes: usize, largest: f64, again: Option<f64>) -> Option<Law> {
    let low = again.is_some_and(|way| way <= 0.35);
    let grows = |bins: &&Bins| {
        let growth = growth::fit(bins, largest);
        let rise = growth.rise();
        rise >= LEAST_RISE_AGREED
            && rise.ln() >= growth.certain
            && growth.score < levels::best(bins).score
            && growth.exponent_low >= AGREED_EXPONENT
            && bins.tau() >= AGREED_TAU
    };
    let seen = passes >= 3 && low && views.iter().all(grows);
    let best = views.first().filter(|_| seen)?;
    Some(Law::Growth(growth::fit(best, largest)))
}

/// Returns the law of two views of the same passes: the machine can bend one of them, and bends none
/// of them into growth. What they tell differently is no law.
fn agreed(quickest: Law, shape: Law, largest: f64) -> Law {
    match (quickest, shape) {
        (Law::Growth(growth), _) | (_, Law::Growth(growth)) => Law::Growth(growth),
        (Law::Constant, _) | (_, Law::Constant) => Law::Constant,
        (Law::Steps(steps), Law::Steps(others)) => match shared(steps, &others, largest) {
            steps if steps.is_empty() => Law::Irregular,
            steps => Law::Steps(steps),
        },
        (Law::Bend(from), Law::Bend(_) | Law::Steps(_)) | (Law::Steps(_), Law::Bend(from)) => {
            Law::Bend(from)
        }
        (Law::Falls, Law::Falls) => Law::Falls,
        (Law::Drift, Law::Drift) => Law::Drift,
        _ => Law::Irregular,
    }
}

/// Steps whose places differ by no more than this share of the largest *n* are the same.
const SAME_PLACE: f64 = 0.125;

/// Returns those of `steps` that another view tells too.
fn shared(steps: Vec<Step>, others: &[Step], largest: f64) -> Vec<Step> {
    let same = |one: &Step, other: &Step| {
        let near = (one.before - other.before).abs() <= SAME_PLACE * largest;
        near && (one.to > one.from) == (other.to > other.from)
    };
    let told = |one: &Step| others.iter().any(|other| same(one, other));
    steps.into_iter().filter(told).collect()
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
            Some(way) if way > STAYED => Law::Drift,
            Some(way) if way > 0.35 => Law::Growth(growth.unconfirmed()),
            _ => Law::Growth(growth),
        };
    }
    let steps = levels.steps(bins);
    let up = steps.iter().filter(|step| step.to > step.from).count();
    let back = up > 0 && up < steps.len();
    // What goes up and down again is no matter of n, and below a doubling nothing is claimed.
    if back && levels::spread(&steps) >= least {
        return late(bins, least, again).unwrap_or(Law::Irregular);
    }
    if !back && !steps.is_empty() {
        return match again {
            Some(way) if up > 0 && way > STAYED => Law::Drift,
            _ => match bend(&steps, bins, least) {
                Some(from) => Law::Bend(from),
                None => Law::Steps(steps),
            },
        };
    }
    let change = bins.change();
    if change <= 1.0 / LEAST_RISE && tau <= -LEAST_TAU {
        Law::Falls
    } else if !(1.0 / LEAST_RISE..LEAST_RISE).contains(&change) && !series.exact {
        late(bins, least, again).unwrap_or(Law::Irregular)
    } else {
        Law::Constant
    }
}

/// Returns from which *n* on the costs grow, if what follows the first step is no level but growth.
fn bend(steps: &[Step], bins: &Bins, least: f64) -> Option<f64> {
    let from = steps.first().filter(|step| step.to > step.from)?.after;
    let rest = bins.beyond(from);
    let largest = rest.n.last().copied()?;
    if rest.len() < LEAST_BINS {
        return None;
    }
    let growth = growth::fit(&rest, largest);
    let smooth = growth.score < levels::best(&rest).score && growth.rise().ln() >= growth.certain;
    (smooth && rest.change() >= least && rest.tau() >= LEAST_TAU).then_some(from)
}

/// Returns the bend of costs that stay about what they were at first, and then rise to the end.
fn late(bins: &Bins, least: f64, again: Option<f64>) -> Option<Law> {
    let low = bins.first().ln() + 1.5_f64.ln();
    let at = bins.z.iter().rposition(|&z| z <= low)?;
    let from = bins.n.get(at).copied()?;
    let rest = bins.beyond(from);
    let rises = rest.len() >= LEAST_BINS && rest.tau() >= LEAST_TAU && rest.change() >= least;
    let n = again.is_none_or(|way| way <= STAYED);
    (rises && n).then_some(Law::Bend(from))
}

/// Returns where the costs measured again lie between those of the same sizes at first and the last:
/// those after the end, and at the beginning of each further pass; of all these, one of the lower.
fn again(series: &Series<'_>, bins: &Bins) -> Option<f64> {
    let same = match series.again.len() {
        0 => (series.cost.len() / 20).max(1),
        same => same,
    };
    let same = same.min(series.cost.len());
    let before = bins::median(&series.cost[..same]).max(f64::MIN_POSITIVE);
    let heads = series.repeats.iter().filter_map(|pass| pass.get(..same));
    let end = (!series.again.is_empty()).then_some(series.again);
    let mut after: Vec<f64> = heads.chain(end).map(bins::median).collect();
    after.sort_by(f64::total_cmp);
    // All of them are high where the costs came with time; a slow machine lifts some.
    let after = after.get(after.len() / 4)?.max(f64::MIN_POSITIVE);
    let top = bins.last();
    let way = (top / before).ln();
    (way.abs() > 0.2).then(|| (after / before).ln() / way)
}
