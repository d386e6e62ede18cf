//! From a series to what is found out about it.
//!
//! ```text
//! costs in order ─► bins (medians) ─► the cheapest description ─► gates ─► Law ─┐
//!            │                                                                  ├─► Judgement
//!            └────► bins (mean, p95, p99) ─► the same ─► Tail, if it costs more ┘
//! costs at small n, measured again after the end ─► with n, or with time?
//! costs at 2 n and 4 n, measured after the law was found ─► does it hold?
//! ```
//!
//! A machine gets slower and faster by itself, by a half and for seconds; so what one pass shows is measured again
//! ([`Series::repeats`]), and only what the passes agree on is described. A rise alone does not distinguish *n*
//! from time; [`Series::again`] does, the first sizes measured once more at the end: low again, and *n* was the
//! reason; still high, and it was something that came with time.

use crate::agree::{agreed, weak_growth};
use crate::bins::{self, Bins};
use crate::describe::{self, LEAST_BINS, LEAST_CLIMB, LEAST_RISE, STAYED};
use crate::growth;
use crate::law::{Check, ENOUGH, Judgement, Law, Open, Rise, SAME, Tail};
use crate::measure::Measure;
use crate::paid::paid;
use crate::periodic::periodic;
use crate::series::Series;
use crate::tail::tail;

/// The begin and the end of a pass are each one of so many parts of it.
const PARTS: usize = 10;

/// Passes that differ by this factor have levels of their own.
const LEVELS: f64 = 3.0;

/// Growth comes with *n*, not with time, if the first sizes, measured again, lie no further than this on the way from
/// the first cost to the last.
const CAME_BACK: f64 = 0.35;

/// What is measured beyond the series holds if it is within this factor of what was said.
const HOLDS: f64 = 1.25;

/// A machine is slower or quicker than before by this factor at most.
const OTHER_SPEED: f64 = 2.5;

/// Returns whether further passes are needless though what they show is in doubt: three or more were
/// made, each of them alone shows something, and together they show a law.
pub fn is_settled(series: &Series<'_>) -> bool {
    let mut passes = std::iter::once(series.cost).chain(series.repeats.iter().map(Vec::as_slice));
    let one = |cost| {
        let one = Series {
            cost,
            repeats: &[],
            beyond: &[],
            ..*series
        };
        typical(&one)
    };
    series.repeats.len() + 1 >= ENOUGH
        && passes.all(|cost| one(cost) != Law::Constant)
        && judge(series).law != Law::Irregular
}

/// Returns the law of one pass.
fn typical(series: &Series<'_>) -> Law {
    let bins = Bins::new(series, &[], bins::quickest, Measure::Median);
    if bins.len() < LEAST_BINS {
        return Law::TooFew;
    }
    describe::law(series, &bins, again(series, &bins))
}

/// Returns the law of `series`.
pub fn judge(series: &Series<'_>) -> Judgement {
    let one = Bins::new(series, &[], bins::quickest, Measure::Median);
    let all = Bins::new(series, series.repeats, bins::quickest, Measure::Median);
    let mut judgement = Judgement {
        law: Law::TooFew,
        tail: None,
        first: all.first(),
        last: all.last(),
        passes: 1 + series.repeats.len(),
        one_pass: None,
        levels: levels(series),
        is_uneven: is_uneven(series),
        paid: None,
        checks: Vec::new(),
        limit: None,
        grain: one.grain,
        smallest_n: series.n.first().copied().unwrap_or(0.0),
        largest_n: series.n.last().copied().unwrap_or(0.0),
        noise: all.noise,
        unsteady: all.unsteady(SAME),
        ends_high: all.ends_high(LEAST_CLIMB),
        again: None,
        exact: series.exact,
    };
    if series.repeats.is_empty() {
        (judgement.first, judgement.last) = ends(series.cost, &one);
    }
    if one.len() < LEAST_BINS {
        return judgement;
    }
    judgement.again = again(series, &one);
    judgement.law = describe::law(series, &one, judgement.again);
    if !series.repeats.is_empty() {
        let agreed = of_passes(series, &one, &all, &judgement);
        judgement.one_pass = Some(std::mem::replace(&mut judgement.law, agreed));
    }
    if judgement.law != Law::Drift
        && !matches!(judgement.law, Law::Growth(_) | Law::Exponential(_))
        && let Some(found) = periodic(series)
    {
        judgement.law = Law::Periodic(found);
    }
    // One pass and its first sizes again differ by a level only where nothing else made them differ.
    if judgement.law == Law::Drift || judgement.passes == 1 && judgement.law != Law::Constant {
        judgement.levels = None;
    }
    if judgement.law == Law::Drift {
        // A change over time is described from one pass, the one that charts show. The quickest time at each size comes from several.
        (judgement.first, judgement.last) = ends(series.cost, &one);
    } else {
        judgement.tail = told_tail(series, &judgement, &all);
    }
    judgement.paid = paid(series, &all);
    check(series, &all, &mut judgement);
    judgement
}

/// Returns the costs of the first and of the last tenth of one pass, whose bins are `one`.
fn ends(cost: &[f64], one: &Bins) -> (f64, f64) {
    if one.grain.is_some() {
        return (one.first(), one.last());
    }
    let tenth = (cost.len() / PARTS).max(1).min(cost.len());
    let last = cost.len() - tenth;
    (bins::median(&cost[..tenth]), bins::median(&cost[last..]))
}

/// Returns the law that the passes agree on.
fn of_passes(series: &Series<'_>, one: &Bins, all: &Bins, judgement: &Judgement) -> Law {
    let (largest, again) = (judgement.largest_n, judgement.again);
    // What came with time is at its end when the next pass begins: the passes need not look alike.
    let with_time = one.change() >= LEAST_RISE && again.is_some_and(|way| way > STAYED);
    if with_time || judgement.law == Law::Drift {
        return Law::Drift;
    }
    let shape = Bins::new(series, series.repeats, bins::middle, Measure::Median);
    let weak = weak_growth(&[all, &shape], judgement.passes, largest, again);
    if let Some(weak) = weak {
        return weak;
    }
    let quickest = describe::law(series, all, again);
    let law = agreed(quickest, describe::law(series, &shape, again), largest);
    let open = matches!(law, Law::Constant | Law::Irregular);
    let high = open && all.ends_high(LEAST_CLIMB) && shape.ends_high(LEAST_CLIMB);
    if high && again.is_some_and(|way| way <= CAME_BACK) && each_ends_high(series) {
        let doubles = all.change() >= LEAST_RISE;
        let why = if doubles {
            Open::Vague
        } else {
            Open::LessThanDouble
        };
        return describe::open(all, why);
    }
    law
}

/// Returns whether the last bin is the highest in each of three or more passes. Where *k* bins only scatter, that
/// happens in one of *k* passes, but hardly ever in all of them.
fn each_ends_high(series: &Series<'_>) -> bool {
    let mut passes = std::iter::once(series.cost).chain(series.repeats.iter().map(Vec::as_slice));
    let high = |cost| {
        let one = Series { cost, ..*series };
        Bins::new(&one, &[], bins::quickest, Measure::Median).ends_high(1.0)
    };
    series.repeats.len() + 1 >= ENOUGH && passes.all(high)
}

/// Returns the tail, if it costs more time than the law of the typical operation.
fn told_tail(series: &Series<'_>, judgement: &Judgement, all: &Bins) -> Option<Tail> {
    if series.exact {
        return None;
    }
    let rises = judgement.law.is_up();
    let (first, last) = (all.first(), all.last());
    tail(series, if rises { (first, last) } else { (last, last) })
}

/// Returns the medians of the quickest and of the slowest pass, if they differ by three times; what was measured
/// again at the end counts as a pass.
fn levels(series: &Series<'_>) -> Option<(f64, f64)> {
    let same = series.again.len().min(series.cost.len());
    let mut medians = vec![bins::median(series.cost)];
    medians.extend(series.repeats.iter().map(|pass| bins::median(pass)));
    if series.repeats.is_empty() && same > 0 && !series.exact {
        let before = bins::median(&series.cost[..same]).max(f64::MIN_POSITIVE);
        medians.push(bins::median(series.again) / before * medians[0]);
    }
    let least = medians.iter().copied().fold(f64::INFINITY, f64::min);
    let most = medians.iter().copied().fold(0.0, f64::max);
    (least > 0.0 && most >= LEVELS * least).then_some((least, most))
}

/// Returns whether the cost at the end of some pass differs from that at its begin by as much as levels do.
fn is_uneven(series: &Series<'_>) -> bool {
    let repeats = series.repeats.iter().map(Vec::as_slice);
    let mut passes = std::iter::once(series.cost).chain(repeats);
    passes.any(|pass| {
        let part = pass.len() / PARTS;
        let begin = bins::median(pass.get(..part).unwrap_or_default());
        let end = bins::median(pass.get(pass.len() - part..).unwrap_or_default());
        part > 0 && begin.max(end) >= LEVELS * begin.min(end)
    })
}

/// Looks whether what the law predicts was measured beyond the series; `quickest` are the bins of all passes.
fn check(series: &Series<'_>, quickest: &Bins, judgement: &mut Judgement) {
    let Some(growth) = judgement.predicting().filter(|_| !series.beyond.is_empty()) else {
        return;
    };
    // The law is that of the passes together, in the one or the other way. The first alone may show something else.
    let shape = Bins::new(series, series.repeats, bins::middle, Measure::Median);
    let left = |bins: &Bins| {
        growth
            .misfits(bins)
            .iter()
            .map(|left| left.abs())
            .sum::<f64>()
    };
    let bins = if left(&shape) < left(quickest) {
        &shape
    } else {
        quickest
    };
    let largest = judgement.largest_n;
    let cost = |is: &dyn Fn(f64) -> bool| -> Vec<f64> {
        let at = series.beyond.iter().filter(|(size, _)| is(*size));
        at.map(|(_, cost)| *cost).collect()
    };
    let figure = |costs: &[f64]| Measure::Median.of(costs, judgement.grain);
    let now = cost(&|size| size <= largest);
    let slower = match now.is_empty() {
        true => 1.0,
        false => (figure(&now) / growth.at(largest)).clamp(1.0 / OTHER_SPEED, OTHER_SPEED),
    };
    let mut sizes: Vec<f64> = series.beyond.iter().map(|(n, _)| *n).collect();
    sizes.retain(|n| *n > largest);
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let mut longer = bins.clone();
    for n in sizes {
        let measured = figure(&cost(&|size| size.total_cmp(&n).is_eq()));
        let (low, high) = growth.range_at(n);
        let said = growth.at(n);
        // How quick the machine was just then lies between what it was during the series and what it was at the
        // largest size.
        let alike = measured / (measured / said).clamp(slower.min(1.0), slower.max(1.0));
        let holds =
            (low..=high).contains(&alike) || (1.0 / HOLDS..=HOLDS).contains(&(alike / said));
        judgement.checks.push(Check {
            n,
            said,
            measured,
            slower,
            holds,
        });
        longer.push(n, alike);
    }
    judgement.law = if judgement.checks.iter().all(|check| check.holds) {
        let off = judgement.checks.iter().map(Check::off);
        let longer = growth::fit(&longer, largest);
        Law::Growth(growth.narrowed(&longer).widened(off.fold(0.0, f64::max)))
    } else {
        let why = Open::Refuted;
        Law::Rise(Rise { growth, why })
    };
}

/// Returns where the costs measured again lie between those of the same sizes at first and the last:
/// those after the end, and at the beginning of each further pass; of all these, one of the lower.
fn again(series: &Series<'_>, bins: &Bins) -> Option<f64> {
    let same = match series.again.len() {
        0 => (series.cost.len() / 20).max(1),
        same => same,
    };
    let same = same.min(series.cost.len());
    let figure = |costs: &[f64]| Measure::Median.of(costs, bins.grain);
    let before = figure(&series.cost[..same]).max(f64::MIN_POSITIVE);
    let heads = series.repeats.iter().filter_map(|pass| pass.get(..same));
    let end = (!series.again.is_empty()).then_some(series.again);
    let mut after: Vec<f64> = heads.chain(end).map(figure).collect();
    after.sort_by(f64::total_cmp);
    // All of them are high where the costs came with time; a slow machine lifts some.
    let after = after.get(after.len() / 4)?.max(f64::MIN_POSITIVE);
    let top = bins.last();
    let way = (top / before).ln();
    (way.abs() > 0.2).then(|| (after / before).ln() / way)
}
