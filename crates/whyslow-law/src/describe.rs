//! The law of one curve: the cheapest description, and the gates it has to pass.
//!
//! A description pays for its misfit and for every figure it needs, so noise is not described.

use crate::bins::{Bins, count, deviation, median};
use crate::curve::{self, Curve, Shape};
use crate::growth::{self, Growth};
use crate::law::{Bend, Exponential, GrowthWithStep, Law, LevelsOff, Open, Rise, WarmUp};
use crate::levels::{self, Levels, misfit, price};
use crate::series::Series;

/// Growth below this factor over the series has no law.
pub(crate) const LEAST_RISE: f64 = 2.0;

/// Rises of exact counts below this factor are not reported.
const LEAST_RISE_EXACT: f64 = 1.2;

/// Kendall's rank correlation of growth is at least this.
pub(crate) const LEAST_TAU: f64 = 0.6;

/// With fewer bins, a series gets no law.
pub(crate) const LEAST_BINS: usize = 5;

/// Costs measured again that lie so far on the way from first to last came with time.
pub(crate) const STAYED: f64 = 0.65;

/// Growth that is seen over less has no law: two decades, of which the first and the last bin show only their middles.
const TWO_DECADES: f64 = 80.0;

/// A range of exponents wider than this has no name.
const WIDEST: f64 = 1.5;

/// A description that replaces a power is cheaper by this: odds of e⁴ to 1.
const MARGIN: f64 = 4.0;

/// An exponential grows at least by this factor over the series.
const LEAST_EXPONENTIAL: f64 = 4.0;

/// The fewest bins of a part of a curve that is distinct from the other part.
const EDGE: usize = 3;

/// A curve that is not a power, and what its description costs.
#[derive(Debug, Clone, Copy)]
struct Other {
    curve: Curve,
    /// Figures that it needs.
    figures: usize,
    score: f64,
    /// Where a step is, and its factor.
    step: Option<(f64, f64)>,
}

/// Returns the law of `bins`; `again` says how far along the costs measured again lay.
pub(crate) fn law(series: &Series<'_>, bins: &Bins, again: Option<f64>) -> Law {
    let least = if series.exact {
        LEAST_RISE_EXACT
    } else {
        LEAST_RISE
    };
    let largest = series.n.last().copied().unwrap_or(0.0);
    let growth = growth::fit(bins, largest);
    let others = others(bins);
    let bins = &bins.with_noise(smooth_noise(bins, &growth, &others));
    let levels = levels::best(bins);
    let growth = growth::fit(bins, largest);
    let others = others.into_iter().map(|other| other.scored(bins));
    if let Some(law) = rising(bins, &levels, growth, others.collect(), least) {
        return match again {
            Some(way) if way > STAYED => Law::Drift,
            Some(way) if way > 0.35 => doubtful(law),
            _ => law,
        };
    }
    level(series, bins, &levels, least, again)
}

/// Returns growth as one that predicts nothing.
fn doubtful(law: Law) -> Law {
    match law {
        Law::Growth(growth) => Law::Growth(growth.unconfirmed()),
        law => law,
    }
}

/// A smooth curve that leaves less than this share of the noise shows that the noise was none.
const LESS_NOISE: f64 = 0.6;

/// Returns the noise over what is smooth: neighbors of a steep curve differ by more than noise.
fn smooth_noise(bins: &Bins, growth: &Growth, others: &[Other]) -> f64 {
    if bins.len() < 10 {
        return bins.noise;
    }
    let power = deviation(&growth.misfits(bins));
    let other = others
        .iter()
        .map(|other| deviation(&other.misfits(bins)))
        .fold(power, f64::min);
    let free = count(bins.len()) / (count(bins.len()) - 4.0);
    let floor = bins.floor;
    match (other * free.sqrt()).max(floor) {
        noise if noise < LESS_NOISE * bins.noise => noise,
        _ => bins.noise,
    }
}

/// Returns the law of costs that rise with n, if they do.
fn rising(
    bins: &Bins,
    levels: &Levels,
    growth: Growth,
    mut others: Vec<Other>,
    least: f64,
) -> Option<Law> {
    let largest = bins.n.last().copied().unwrap_or(0.0);
    others.sort_by(|a, b| a.score.total_cmp(&b.score));
    let best = others
        .first()
        .filter(|other| other.score + MARGIN < growth.score);
    let (score, rise) = match best {
        Some(other) => (other.score, other.rise(bins)),
        None => (growth.score, growth.rise()),
    };
    let certain = match best {
        Some(other) => bins.certain(&other.misfits(bins)),
        None => growth.certain,
    };
    let flattens =
        best.is_some_and(|other| matches!(other.curve.shape, Shape::Cap(_) | Shape::Saturation(_)));
    let curve = best.map_or(*growth.curve(), |other| other.curve);
    let steady =
        bins.tau() >= LEAST_TAU || flattens && bins.tau() > 0.0 || rises_late(bins, &curve);
    if score >= levels.score || rise.ln() < certain || rise < least || !steady {
        return None;
    }
    let open = |why| Some(Law::Rise(Rise { growth, why }));
    if rise < LEAST_RISE {
        return open(Open::LessThanDouble);
    }
    let Some(other) = best else {
        return Some(power(bins, growth, &others));
    };
    match (other.curve.shape, other.step) {
        (_, Some((from, factor))) => Some(Law::GrowthWithStep(GrowthWithStep {
            growth,
            from,
            factor,
            curve: other.curve,
        })),
        (Shape::Exponential(_), _) if rise < LEAST_EXPONENTIAL => open(Open::Vague),
        (Shape::Exponential(_), _) => Some(Law::Exponential(exponential(bins, &other.curve))),
        (Shape::Cap(from), _) => Some(Law::LevelsOff(LevelsOff {
            from,
            level: other.curve.at(largest),
            curve: other.curve,
        })),
        (Shape::Saturation(scale), _) if 3.0 * scale <= largest => {
            Some(Law::LevelsOff(LevelsOff {
                from: 3.0 * scale,
                level: other.curve.at(largest),
                curve: other.curve,
            }))
        }
        (Shape::Bend(from), _) => Some(bent(bins, from)),
        _ => open(Open::Vague),
    }
}

/// Returns whether a curve rises steadily from where its rise shows. Before that, the cost that does not depend on *n*
/// hides the rise, and the costs only scatter.
fn rises_late(bins: &Bins, curve: &Curve) -> bool {
    let steep = matches!(curve.shape, Shape::Exponential(_) | Shape::Power(_));
    let shows = curve.a * (3.0 * bins.noise).exp();
    let from = bins.n.partition_point(|&n| curve.at(n) <= shows);
    let rest = bins.part(from, bins.len());
    let before = bins.z[..from].iter().copied().fold(f64::MIN, f64::max);
    let above = rest.z.last().is_some_and(|last| *last > before);
    steep && above && rest.len() >= EDGE && rest.tau() >= LEAST_TAU
}

/// Returns what growth by a power is called.
fn power(bins: &Bins, growth: Growth, others: &[Other]) -> Law {
    let open = |why| Law::Rise(Rise { growth, why });
    let first = bins.n.first().copied().unwrap_or(0.0);
    let last = bins.n.last().copied().unwrap_or(0.0);
    let exponential = others.iter().any(|other| {
        matches!(other.curve.shape, Shape::Exponential(_)) && other.score < growth.score + MARGIN
    });
    if growth.exponent > 3.0 && (growth.has_no_end() || exponential) {
        open(Open::FasterThanCubic)
    } else if !bins.exact && last < TWO_DECADES * first {
        open(Open::LessThanTwoDecades)
    } else if growth.exponent_high - growth.exponent_low > WIDEST || growth.has_no_end() {
        open(Open::Vague)
    } else {
        Law::Growth(growth)
    }
}

/// Returns the curves that are not powers.
fn others(bins: &Bins) -> Vec<Other> {
    // What does not rise is not looked at.
    if bins.change() < LEAST_RISE_EXACT || bins.tau() < 0.1 && bins.climbs() < EDGE {
        return Vec::new();
    }
    let plain = |found: Option<Curve>, figures| {
        found.map(|curve| Other {
            curve,
            figures,
            score: 0.0,
            step: None,
        })
    };
    let places = curve::places(bins, EDGE);
    let exponentials = curve::exponentials();
    let found = [
        plain(curve::best(&exponentials, Shape::Exponential, bins), 3),
        plain(curve::best(&places, Shape::Cap, bins), 4),
        plain(curve::best(&places, Shape::Saturation, bins), 3),
        plain(curve::best(&places, Shape::Bend, bins), 4),
        broken(bins),
    ];
    let found = found.into_iter().flatten();
    found.map(|other| other.scored(bins)).collect()
}

impl Other {
    /// Returns it with what it costs to describe `bins`.
    fn scored(self, bins: &Bins) -> Self {
        let misfits = self.misfits(bins).into_iter();
        let cost: f64 = misfits.map(|r| misfit(r, bins.noise)).sum();
        Self {
            score: cost + price(self.figures, bins.len()),
            ..self
        }
    }

    fn misfits(&self, bins: &Bins) -> Vec<f64> {
        let mut left = self.curve.misfits(bins);
        if let Some((from, factor)) = self.step {
            for (left, _) in left.iter_mut().zip(&bins.n).filter(|(_, n)| **n >= from) {
                *left -= factor.ln();
            }
        }
        left
    }

    fn rise(&self, bins: &Bins) -> f64 {
        self.curve.rise(bins) * self.step.map_or(1.0, |(_, factor)| factor)
    }
}

/// Powers that a growth with a step is looked for with.
const STEPPED_POWERS: [f64; 6] = [0.0, 0.5, 0.75, 1.0, 1.5, 2.0];

/// A step within growth is at least this factor.
const LEAST_FACTOR: f64 = 1.4;

/// Returns the power that costs a multiple from some bin on.
fn broken(bins: &Bins) -> Option<Other> {
    let edge = EDGE + 1;
    let last = bins.len().saturating_sub(edge);
    let best = |cuts: &mut dyn Iterator<Item = usize>| {
        let tried = cuts.flat_map(|cut| STEPPED_POWERS.map(|p| (cut, p)));
        let fits = tried.filter_map(|(cut, p)| Some((cut, stepped(bins, cut, Shape::Power(p))?)));
        fits.min_by(|a, b| a.1.score.total_cmp(&b.1.score))
    };
    // First roughly, then around the best.
    let stride = (bins.len() / 16).max(1);
    let (cut, rough) = best(&mut (edge..last).step_by(stride))?;
    if stride == 1 {
        return Some(rough);
    }
    let around = (cut + 1).saturating_sub(stride).max(edge)..(cut + stride).min(last);
    best(&mut around.into_iter()).map(|(_, found)| found)
}

fn stepped(bins: &Bins, cut: usize, shape: Shape) -> Option<Other> {
    let from = *bins.n.get(cut)?;
    let mut factor: f64 = 1.0;
    let mut lowered = bins.clone();
    let mut curve = shape.fit(&bins.part(0, cut));
    curve = curve.stretched(bins.n.last().copied()?);
    for _ in 0..5 {
        let beyond = curve.misfits(bins).split_off(cut);
        factor = median(&beyond).exp();
        for (low, z) in lowered.z.iter_mut().zip(&bins.z).skip(cut) {
            *low = z - factor.ln();
        }
        curve = shape.fit(&lowered);
    }
    let other = Other {
        curve,
        figures: 6,
        score: 0.0,
        step: Some((from, factor)),
    };
    let grows = curve.rise(bins) >= LEAST_RISE && factor >= LEAST_FACTOR;
    grows.then(|| other.scored(bins))
}

/// Returns what an exponential `best` is called, with the range that fits about as well.
fn exponential(bins: &Bins, best: &Curve) -> Exponential {
    let left = best.misfits(bins);
    let noise = bins.noise.max(deviation(&left));
    let allowed = best.cost(bins, noise) + 4.0 * crate::bins::lasting(&left);
    let doubles = |curve: &Curve| match curve.shape {
        Shape::Exponential(k) => curve.largest * std::f64::consts::LN_2 / k,
        _ => f64::INFINITY,
    };
    let exponentials = curve::exponentials().into_iter();
    let fits = exponentials.map(|k| Shape::Exponential(k).fit(bins));
    let open: Vec<f64> = fits
        .filter(|fit| fit.cost(bins, noise) <= allowed)
        .map(|fit| doubles(&fit))
        .collect();
    let doubles_after = doubles(best);
    let least = open.iter().copied().fold(doubles_after, f64::min);
    let most = open.iter().copied().fold(doubles_after, f64::max);
    Exponential {
        offset: best.a,
        doubles_after,
        doubles_range: (least * 0.98, most * 1.02),
        late: bins.tau() < LEAST_TAU,
        curve: *best,
    }
}

/// Returns the law of costs that do not rise throughout.
fn level(series: &Series<'_>, bins: &Bins, levels: &Levels, least: f64, again: Option<f64>) -> Law {
    let steps = levels.steps(bins);
    let up = steps.iter().filter(|step| step.to > step.from).count();
    let back = up > 0 && up < steps.len();
    let (change, tau) = (bins.change(), bins.tau());
    if up == 0
        && let Some(law) = warm_up(bins)
    {
        return law;
    }
    if change <= 1.0 / LEAST_RISE && tau <= -LEAST_TAU && (steps.len() != 1 || tau < -0.8) {
        return Law::Falls;
    }
    // A cost that goes up and down again does not depend on n, and below a doubling nothing is
    // claimed.
    if back && levels::spread(&steps) >= least {
        return late(bins, least, again).unwrap_or(Law::Irregular);
    }
    if !back && !steps.is_empty() {
        return match again {
            Some(way) if up > 0 && way > STAYED => Law::Drift,
            _ => match bend(&steps, bins, least) {
                Some(from) => bent(bins, from),
                None if up > 0
                    && (still_rises(bins, &steps)
                        || rises_between(bins, &steps)
                        || climbs(bins)) =>
                {
                    open(bins, Open::Vague)
                }
                None if levels.vary_between(bins, &steps) => Law::Irregular,
                None => Law::Steps(steps),
            },
        };
    }
    if series.exact && change >= least && tau >= LEAST_TAU {
        return open(bins, Open::LessThanDouble);
    }
    if !(1.0 / LEAST_RISE..LEAST_RISE).contains(&change) && !series.exact {
        late(bins, least, again).unwrap_or(Law::Irregular)
    } else if climbs(bins) && again.is_none_or(|way| way <= STAYED) {
        open(bins, Open::LessThanDouble)
    } else {
        Law::Constant
    }
}

/// A rise at the end by less than this factor is none.
pub(crate) const LEAST_CLIMB: f64 = 1.25;

/// Returns whether the costs climb at the end of the series, each of the last bins above all before it: what grows
/// exponentially behind a cost that hides it begins like that. Bins that only scatter hardly ever do so.
fn climbs(bins: &Bins) -> bool {
    let climbs = bins.climbs();
    let Some(before) = bins.len().checked_sub(climbs).filter(|at| *at >= EDGE) else {
        return false;
    };
    let level = median(&bins.z[..before]);
    let left: Vec<f64> = bins.z[..before].iter().map(|z| z - level).collect();
    let by = bins.z.last().map_or(0.0, |last| last - level);
    climbs >= EDGE && by >= LEAST_CLIMB.ln().max(bins.certain(&left))
}

/// Returns growth without a law.
pub(crate) fn open(bins: &Bins, why: Open) -> Law {
    let growth = growth::fit(bins, bins.n.last().copied().unwrap_or(0.0));
    Law::Rise(Rise { growth, why })
}

/// Returns whether what follows the last of `steps` is not a level: each bin is higher, and the last by a
/// half.
fn still_rises(bins: &Bins, steps: &[levels::Step]) -> bool {
    let from = steps.last().map_or(0.0, |step| step.before);
    let at = bins.n.partition_point(|&n| n < from);
    let rest = bins.z.get(at..).unwrap_or(&[]);
    let rises = rest.windows(2).all(|pair| pair[1] > pair[0]);
    let by = rest
        .last()
        .zip(rest.first())
        .map(|(last, first)| last - first);
    rises && by.is_some_and(|by| by >= 1.5_f64.ln())
}

/// Returns whether the cost rises steadily before the first of `steps`, between them or after the last:
/// then these are no levels. A machine that changes its speed makes a step of its own in a cost that grows.
fn rises_between(bins: &Bins, steps: &[levels::Step]) -> bool {
    let mut edges = vec![0];
    edges.extend(
        steps
            .iter()
            .map(|step| bins.n.partition_point(|&n| n < step.before)),
    );
    edges.push(bins.len());
    edges.windows(2).any(|pair| {
        let part = bins.part(pair[0], pair[1]);
        let third = part.len() / 3;
        if third < 2 || part.tau() < LEAST_TAU {
            return false;
        }
        let by = median(&part.z[part.len() - third..]) - median(&part.z[..third]);
        by >= levels::VARIES.ln().max(3.0 * bins.noise)
    })
}

/// Returns the beginning that costs more, if what follows it is level.
fn warm_up(bins: &Bins) -> Option<Law> {
    let len = bins.len();
    let high = 1.25_f64.ln().max(3.0 * bins.noise);
    let cut = (1..=len * 2 / 5).find(|&cut| {
        let rest = bins.part(cut, len);
        let level = median(&rest.z);
        let steady = rest.len() >= LEAST_BINS
            && levels::best(&rest).steps(&rest).is_empty()
            && (1.0 / 1.25..1.25).contains(&rest.change());
        steady && bins.z[..cut].iter().all(|z| z - level > -bins.noise)
    })?;
    let then = median(&bins.z[cut..]);
    let warm = bins.z.first().is_some_and(|first| first - then >= high);
    warm.then(|| {
        Law::WarmUp(WarmUp {
            until: bins.n[cut],
            then: then.exp(),
        })
    })
}

/// Returns from which *n* on the costs grow, if what follows the first step is not a level but
/// growth.
fn bend(steps: &[levels::Step], bins: &Bins, least: f64) -> Option<f64> {
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
    (rises && n).then(|| bent(bins, from))
}

/// Returns the bend at `from`.
fn bent(bins: &Bins, from: f64) -> Law {
    let curve = Shape::Bend(from).fit(bins);
    Law::Bend(Bend { from, curve })
}
