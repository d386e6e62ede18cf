//! Growth: `a + b·nᵖ` with a, b ≥ 0, and the range of p that the noise leaves open.

use crate::bins::{Bins, count, deviation, lasting, median};
use crate::levels::{misfit, price};

/// Steps of p that are tried, in twentieths: 0 (a logarithm) to 3.
const STEPS: std::ops::RangeInclusive<u32> = 0..=60;

/// The share of the bins that predicts the rest, to confirm a law.
const KNOWN_SHARE: f64 = 0.6;

/// A law is confirmed where the rest is predicted this well.
const PREDICTED: f64 = 0.2;

/// Growth of the cost with *n*.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// What is paid whatever *n*.
    pub offset: f64,
    /// The exponent that fits best; 0 stands for a logarithm.
    pub exponent: f64,
    /// The least exponent that fits about as well.
    pub exponent_low: f64,
    /// The largest exponent that fits about as well.
    pub exponent_high: f64,
    /// The expected cost at ten times the largest *n*.
    pub at_ten_times: f64,
    /// The least and the most expected there.
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
}

impl Growth {
    /// Returns the fitted cost at the end over that at the beginning.
    pub(crate) fn rise(&self) -> f64 {
        self.fitted.1 / self.fitted.0.max(f64::MIN_POSITIVE)
    }

    /// Returns the growth with doubts.
    pub(crate) fn unconfirmed(mut self) -> Self {
        self.confirmed = false;
        self
    }
}

/// `a + b·g(n)` for one exponent.
#[derive(Debug, Clone, Copy)]
struct Fit {
    p: f64,
    a: f64,
    b: f64,
    largest: f64,
}

impl Fit {
    /// Returns n to the power p, or its logarithm, as a share of that of the largest n.
    fn shape(&self, n: f64) -> f64 {
        shape(self.p, n, self.largest)
    }

    fn at(&self, n: f64) -> f64 {
        (self.a + self.b * self.shape(n)).max(1e-3)
    }

    fn misfits(&self, bins: &Bins) -> Vec<f64> {
        let pairs = bins.n.iter().zip(&bins.z);
        pairs.map(|(&n, z)| z - self.at(n).ln()).collect()
    }
}

fn shape(p: f64, n: f64, largest: f64) -> f64 {
    if p == 0.0 {
        n.ln_1p() / largest.ln_1p().max(f64::MIN_POSITIVE)
    } else {
        (n / largest).powf(p)
    }
}

/// Returns the best growth, and what it comes to at ten times `largest_n`.
pub(crate) fn fit(bins: &Bins, largest_n: f64) -> Growth {
    let fits: Vec<Fit> = STEPS
        .map(|step| fit_at(f64::from(step) / 20.0, bins))
        .collect();
    let cost = |fit: &Fit, noise: f64| -> f64 {
        let misfits = fit.misfits(bins);
        misfits.into_iter().map(|r| misfit(r, noise)).sum()
    };
    let best = fits
        .iter()
        .copied()
        .min_by(|a, b| cost(a, bins.noise).total_cmp(&cost(b, bins.noise)));
    let best = best.unwrap_or_else(|| fit_at(1.0, bins));
    // What is left over the best fit is noise too, also where it lasts for several bins.
    let left = best.misfits(bins);
    let noise = bins.noise.max(deviation(&left));
    let allowed = cost(&best, noise) + 4.0 * lasting(&left);
    let open: Vec<Fit> = fits
        .into_iter()
        .filter(|fit| cost(fit, noise) <= allowed)
        .collect();
    let ten = 10.0 * largest_n;
    let of_open = |value: &dyn Fn(&Fit) -> f64| {
        let values = || open.iter().map(value);
        let low = values().min_by(f64::total_cmp).unwrap_or(value(&best));
        (low, values().max_by(f64::total_cmp).unwrap_or(low))
    };
    let (exponent_low, exponent_high) = of_open(&|fit| fit.p);
    let first = bins.n.first().copied().unwrap_or(0.0);
    let prediction_error = prediction_error(bins);
    Growth {
        offset: best.a,
        exponent: best.p,
        exponent_low,
        exponent_high,
        at_ten_times: best.at(ten),
        at_ten_times_range: of_open(&|fit| fit.at(ten)),
        confirmed: prediction_error < PREDICTED,
        prediction_error,
        fitted: (best.at(first), best.at(best.largest)),
        certain: bins.certain(&left),
        score: cost(&best, bins.noise) + price(3, bins.len()),
    }
}

/// Returns how far a fit of the first bins lies off the others, as the median share.
fn prediction_error(bins: &Bins) -> f64 {
    let known = (0..bins.len()).take_while(|&at| count(at) < KNOWN_SHARE * count(bins.len()));
    let known = known.count();
    let (before, after) = (bins.part(0, known), bins.part(known, bins.len()));
    let fits = STEPS.map(|step| fit_at(f64::from(step) / 20.0, &before));
    let cost = |fit: &Fit| -> f64 {
        let misfits = fit.misfits(&before);
        misfits.into_iter().map(|r| misfit(r, bins.noise)).sum()
    };
    let best = fits.min_by(|a, b| cost(a).total_cmp(&cost(b)));
    let off = best.map(|best| best.misfits(&after)).unwrap_or_default();
    median(&off.iter().map(|r| r.abs()).collect::<Vec<_>>()).exp_m1()
}

/// Returns the robust fit of a and b for one exponent: least squares of relative misfits, where
/// those beyond two of the noise count less.
fn fit_at(p: f64, bins: &Bins) -> Fit {
    let largest = bins.n.last().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
    let shapes: Vec<f64> = bins.n.iter().map(|&n| shape(p, n, largest)).collect();
    let costs: Vec<f64> = bins.z.iter().map(|z| z.exp()).collect();
    let mut weights: Vec<f64> = costs.iter().map(|y| 1.0 / (y * y)).collect();
    let (mut a, mut b) = (0.0, 0.0);
    for _ in 0..8 {
        (a, b) = solve(&shapes, &costs, &weights);
        for ((weight, g), y) in weights.iter_mut().zip(&shapes).zip(&costs) {
            let fitted = (a + b * g).max(1e-3);
            let off = ((y / fitted).ln() / bins.noise).abs();
            *weight = (2.0 / off.max(2.0)) / (fitted * fitted);
        }
    }
    Fit { p, a, b, largest }
}

/// Returns a and b, neither below zero, with the least weighted squares.
fn solve(shapes: &[f64], costs: &[f64], weights: &[f64]) -> (f64, f64) {
    let (mut w, mut wg, mut wgg, mut wy, mut wgy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for ((g, y), weight) in shapes.iter().zip(costs).zip(weights) {
        w += weight;
        wg += weight * g;
        wgg += weight * g * g;
        wy += weight * y;
        wgy += weight * g * y;
    }
    let determinant = w * wgg - wg * wg;
    let b = (w * wgy - wg * wy) / determinant;
    let a = (wy - b * wg) / w;
    if !b.is_finite() || b < 0.0 {
        (wy / w, 0.0)
    } else if a < 0.0 {
        (0.0, wgy / wgg.max(f64::MIN_POSITIVE))
    } else {
        (a, b)
    }
}
