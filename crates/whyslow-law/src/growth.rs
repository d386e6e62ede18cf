//! Growth: `a + b·nᵖ` with a, b ≥ 0, and the range of p that the noise leaves open.

use crate::bins::{Bins, count, deviation, lasting, median};
use crate::curve::{self, Curve, Shape};
use crate::levels::price;

/// The share of the bins that predicts the rest, to confirm a law.
const KNOWN_SHARE: f64 = 0.6;

/// A law is confirmed where the rest is predicted this well.
const PREDICTED: f64 = 0.2;

/// An interval is at least this wide to either side: no real curve is exactly a power.
const LEAST_WIDTH: f64 = 0.02;

/// The exponent of a time is at least so uncertain: caches, and a machine that others use too, bend every curve.
const BENT: f64 = 0.05;

/// The same of an exact count.
const BENT_EXACT: f64 = 0.005;

/// The largest power that is tried; what reaches it has no range that ends.
pub(crate) const LARGEST_POWER: f64 = 8.0;

/// Growth of the cost with *n*.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// The cost that does not depend on *n*.
    pub offset: f64,
    /// The exponent that fits best; 0 means a logarithm.
    pub exponent: f64,
    /// The least exponent that fits about as well.
    pub exponent_low: f64,
    /// The largest exponent that fits about as well.
    pub exponent_high: f64,
    /// The expected cost at ten times the largest *n*.
    pub at_ten_times: f64,
    /// The least and the most expected there (95 %).
    pub at_ten_times_range: (f64, f64),
    /// Whether the first part of the series predicts the rest, and nothing else speaks against it.
    pub confirmed: bool,
    /// How far the prediction from the first part lay off, as a share.
    pub prediction_error: f64,
    /// Costs that the fit gives for the first and the last bin.
    pub fitted: (f64, f64),
    /// What the description costs; the lower, the better.
    pub(crate) score: f64,
    /// The least rise, as a logarithm, that what is left over the fit does not explain.
    pub(crate) certain: f64,
    curve: Curve,
    /// The curves that rise least and most of those that fit about as well.
    band: (Curve, Curve),
    /// What an interval adds to either side, as a logarithm.
    width: f64,
    /// What the exponent is at least uncertain by.
    bent: f64,
    /// Ten times the largest n of the series.
    ten: f64,
}

impl Growth {
    /// Returns the expected cost at `n`.
    pub fn at(&self, n: f64) -> f64 {
        self.curve.at(n)
    }

    /// Returns the least and the most expected at `n` (95 %).
    pub fn range_at(&self, n: f64) -> (f64, f64) {
        let three = [self.curve.at(n), self.band.0.at(n), self.band.1.at(n)];
        let least = three.into_iter().fold(f64::INFINITY, f64::min);
        let most = three.into_iter().fold(0.0, f64::max);
        // The further beyond what was measured, the less what was measured says.
        let beyond = (n / self.curve.largest).max(1.0).log10();
        let width =
            (self.width * (1.0 + beyond) + self.bent * beyond * std::f64::consts::LN_10).exp();
        (least / width, most * width)
    }

    /// Returns the curve that fits best.
    pub(crate) fn curve(&self) -> &Curve {
        &self.curve
    }

    /// Returns the fitted cost at the end over that at the beginning.
    pub fn rise(&self) -> f64 {
        self.fitted.1 / self.fitted.0.max(f64::MIN_POSITIVE)
    }

    /// Returns whether the first part of the series predicts the rest.
    pub(crate) fn predicts_itself(&self) -> bool {
        self.prediction_error < PREDICTED
    }

    /// Returns the growth with doubts.
    pub(crate) fn unconfirmed(mut self) -> Self {
        self.confirmed = false;
        self
    }

    /// Returns the growth narrowed by `longer`, which includes what was measured beyond the series.
    pub(crate) fn narrowed(self, longer: &Self) -> Self {
        Self {
            confirmed: true,
            fitted: self.fitted,
            ..*longer
        }
    }

    /// Returns it with intervals that hold what lay off by `off`, a logarithm, when it was measured once more.
    pub(crate) fn widened(mut self, off: f64) -> Self {
        self.width += off;
        self.at_ten_times_range = self.range_at(self.ten);
        self
    }

    /// Returns what it leaves over of each bin, in natural logarithms.
    pub(crate) fn misfits(&self, bins: &Bins) -> Vec<f64> {
        self.curve.misfits(bins)
    }

    /// Returns whether no exponent that was tried is too large.
    pub(crate) fn has_no_end(&self) -> bool {
        self.exponent_high >= LARGEST_POWER
    }
}

/// Returns the exponents that are tried.
fn powers() -> Vec<f64> {
    let fine = (0..=60).map(|step| f64::from(step) / 20.0);
    let coarse = (25..=64).map(|step| f64::from(step) / 8.0);
    fine.chain(coarse).collect()
}

/// Returns the fits of every other exponent, which give the range, and of those around the best.
fn fits(bins: &Bins) -> (Curve, Vec<Curve>) {
    let best = best_power(bins);
    let around = |p: &f64| (p - exponent(&best)).abs() <= 0.11;
    let powers = powers().into_iter().enumerate();
    let tried = powers.filter(|(at, p)| at % 2 == 0 || around(p));
    let mut fits: Vec<Curve> = tried.map(|(_, p)| Shape::Power(p).fit(bins)).collect();
    fits.push(best);
    (best, fits)
}

fn exponent(curve: &Curve) -> f64 {
    match curve.shape {
        Shape::Power(p) => p,
        _ => 1.0,
    }
}

/// Returns the best growth, and what it comes to at ten times `largest_n`.
pub(crate) fn fit(bins: &Bins, largest_n: f64) -> Growth {
    let (best, fits) = fits(bins);
    // What is left over the best fit is noise too, also where it lasts for several bins.
    let left = best.misfits(bins);
    let noise = bins.noise.max(deviation(&left));
    let allowed = best.cost(bins, noise) + 4.0 * lasting(&left);
    let mut open: Vec<Curve> = fits
        .into_iter()
        .filter(|fit| fit.cost(bins, noise) <= allowed)
        .collect();
    open.extend(windows(bins, &best, noise));
    let of_open = |value: &dyn Fn(&Curve) -> f64| {
        let values = || open.iter().chain([&best]).map(value);
        let low = values().fold(f64::INFINITY, f64::min);
        (low, values().fold(f64::NEG_INFINITY, f64::max))
    };
    let (low, high) = of_open(&exponent);
    let bent = if bins.exact { BENT_EXACT } else { BENT };
    let ten = 10.0 * largest_n;
    let by_ten = |a: &&Curve, b: &&Curve| a.at(ten).total_cmp(&b.at(ten));
    let band = (
        open.iter().min_by(by_ten).copied().unwrap_or(best),
        open.iter().max_by(by_ten).copied().unwrap_or(best),
    );
    let first = bins.n.first().copied().unwrap_or(0.0);
    let prediction_error = prediction_error(bins);
    let spread = 2.0 * noise * (lasting(&left) / count(bins.len().max(1))).sqrt();
    let mut growth = Growth {
        offset: best.a,
        exponent: exponent(&best),
        // An interval never ends at its own estimate.
        exponent_low: (low - bent).max(0.0),
        exponent_high: high + bent,
        at_ten_times: best.at(ten),
        at_ten_times_range: (0.0, 0.0),
        confirmed: prediction_error < PREDICTED,
        prediction_error,
        fitted: (best.at(first), best.at(best.largest)),
        certain: bins.certain(&left),
        score: best.cost(bins, bins.noise) + price(3, bins.len()),
        curve: best,
        band,
        width: spread.max(if bins.exact { 1e-3 } else { LEAST_WIDTH }),
        bent,
        ten,
    };
    growth.at_ten_times_range = growth.range_at(ten);
    growth
}

/// Returns the fits of the later parts alone that the best of the whole does not describe as well: the ends of real
/// curves show what they do beyond the series, and the more they differ from the whole, the less is known.
fn windows(bins: &Bins, whole: &Curve, noise: f64) -> Vec<Curve> {
    let len = bins.len();
    let later = [len * 3 / 10, len / 2];
    let later = later.into_iter().filter(|from| len - from >= 8);
    let other = later.filter_map(|from| {
        let part = bins.part(from, len);
        let (best, fits) = fits(&part);
        let least = best.cost(&part, noise);
        let open = 2.0 * lasting(&best.misfits(&part));
        let better = whole.cost(&part, noise) - least;
        // Of those that describe the part as well, the one that is most like the whole.
        let well = |fit: &Curve| fit.b > 0.0 && fit.cost(&part, noise) <= least + open;
        let far = |fit: &Curve| (exponent(fit) - exponent(whole)).abs();
        let fits = fits.into_iter().filter(well);
        let nearest = fits.min_by(|a, b| far(a).total_cmp(&far(b)));
        nearest.filter(|_| better > open)
    });
    other.collect()
}

fn best_power(bins: &Bins) -> Curve {
    let best = curve::best(&powers(), Shape::Power, bins);
    best.unwrap_or_else(|| Shape::Power(1.0).fit(bins))
}

/// Returns how far a fit of the first bins lies off the others, as the median share.
fn prediction_error(bins: &Bins) -> f64 {
    let known = (0..bins.len()).take_while(|&at| count(at) < KNOWN_SHARE * count(bins.len()));
    let known = known.count();
    let (before, after) = (bins.part(0, known), bins.part(known, bins.len()));
    let off = best_power(&before).misfits(&after);
    median(&off.iter().map(|r| r.abs()).collect::<Vec<_>>()).exp_m1()
}
