//! Curves `a + b·g(n)` with a, b ≥ 0, for every shape g that is looked for; their robust fits.

use crate::bins::Bins;
use crate::levels::misfit;

/// How a cost rises with n, up to two factors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    /// n to this power; 0 means a logarithm.
    Power(f64),
    /// e to this times n over the largest n.
    Exponential(f64),
    /// As n, up to this n, and level from there.
    Cap(f64),
    /// Ever slower towards a level; at this n two thirds of the rise are over.
    Saturation(f64),
    /// Level up to this n, then as what n is beyond it.
    Bend(f64),
}

/// A curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Curve {
    pub(crate) shape: Shape,
    /// The cost that does not depend on n.
    pub(crate) a: f64,
    /// What is paid beyond it at the largest n.
    pub(crate) b: f64,
    pub(crate) largest: f64,
    /// The least cost that shows.
    pub(crate) least: f64,
}

impl Curve {
    /// Returns the cost at `n`.
    pub(crate) fn at(&self, n: f64) -> f64 {
        (self.a + self.b * self.shape.of(n, self.largest)).max(self.least)
    }

    /// Returns the same curve, in terms of another largest n.
    pub(crate) fn stretched(&self, largest: f64) -> Self {
        let b = match self.shape {
            Shape::Power(0.0) => self.b * largest.ln_1p() / self.largest.ln_1p(),
            Shape::Power(p) => self.b * (largest / self.largest).powf(p),
            // The others know where they change.
            _ => self.b,
        };
        Self {
            b,
            largest,
            ..*self
        }
    }

    /// Returns what the curve leaves over of each bin, in natural logarithms.
    pub(crate) fn misfits(&self, bins: &Bins) -> Vec<f64> {
        let pairs = bins.n.iter().zip(&bins.z);
        pairs.map(|(&n, z)| z - self.at(n).ln()).collect()
    }

    /// Returns what that costs where the noise is `noise`.
    pub(crate) fn cost(&self, bins: &Bins, noise: f64) -> f64 {
        let misfits = self.misfits(bins);
        misfits.into_iter().map(|r| misfit(r, noise)).sum()
    }

    /// Returns the cost of the last bin over that of the first.
    pub(crate) fn rise(&self, bins: &Bins) -> f64 {
        let first = bins.n.first().copied().unwrap_or(0.0);
        self.at(self.largest) / self.at(first)
    }
}

impl Shape {
    /// Returns the shape at `n` as a share of that at the largest n.
    fn of(self, n: f64, largest: f64) -> f64 {
        let share = n / largest;
        match self {
            Self::Power(0.0) => n.ln_1p() / largest.ln_1p().max(f64::MIN_POSITIVE),
            Self::Power(p) => share.powf(p),
            Self::Exponential(k) => (k * (share - 1.0)).exp(),
            Self::Cap(from) => n.min(from) / largest.min(from),
            Self::Saturation(scale) => (-n / scale).exp_m1() / (-largest / scale).exp_m1(),
            Self::Bend(from) => (n - from).max(0.0) / (largest - from).max(f64::MIN_POSITIVE),
        }
    }

    /// Returns the robust fit of a and b: least squares of relative misfits, where those beyond two of the
    /// noise count less.
    pub(crate) fn fit(self, bins: &Bins) -> Curve {
        let largest = bins.n.last().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
        let shapes: Vec<f64> = bins.n.iter().map(|&n| self.of(n, largest)).collect();
        let costs: Vec<f64> = bins.z.iter().map(|z| z.exp()).collect();
        let mut weights: Vec<f64> = costs.iter().map(|y| 1.0 / (y * y)).collect();
        let least = bins.grain.map_or(1e-3, |grain| grain / 2.0);
        let (mut a, mut b) = (0.0, 0.0);
        for _ in 0..5 {
            (a, b) = solve(&shapes, &costs, &weights);
            for ((weight, g), y) in weights.iter_mut().zip(&shapes).zip(&costs) {
                let fitted = (a + b * g).max(least);
                let off = ((y / fitted).ln() / bins.noise).abs();
                *weight = (2.0 / off.max(2.0)) / (fitted * fitted);
                // What is too short to show says no more than that.
                if a + b * g <= least && *y <= least * 1.05 {
                    *weight = 0.0;
                }
            }
        }
        Curve {
            shape: self,
            a,
            b,
            largest,
            least,
        }
    }
}

/// Returns the best fit of the shapes that `make` makes of the figures `grid`: first roughly, then around the best.
pub(crate) fn best(grid: &[f64], make: fn(f64) -> Shape, bins: &Bins) -> Option<Curve> {
    let stride = (grid.len() / 16).max(1);
    let of = |at: &mut dyn Iterator<Item = usize>| {
        let fits = at.filter_map(|at| Some((at, make(*grid.get(at)?).fit(bins))));
        let scored = fits.map(|(at, curve)| (at, curve, curve.cost(bins, bins.noise)));
        scored.min_by(|a, b| a.2.total_cmp(&b.2))
    };
    let (at, rough, cost) = of(&mut (0..grid.len()).step_by(stride))?;
    let around = (at + 1).saturating_sub(stride)..(at + stride).min(grid.len());
    let fine = of(&mut around.filter(|other| *other != at));
    match fine {
        Some((_, curve, less)) if less < cost => Some(curve),
        _ => Some(rough),
    }
}

/// Returns the sizes at which a curve may change: between the bins, except the first and last `edge`.
pub(crate) fn places(bins: &Bins, edge: usize) -> Vec<f64> {
    let last = bins.len().saturating_sub(edge);
    let inner = bins.n.get(edge.saturating_sub(1)..last).unwrap_or(&[]);
    let halves = inner
        .windows(2)
        .flat_map(|pair| [pair[0], f64::midpoint(pair[0], pair[1])]);
    halves.chain(inner.last().copied()).collect()
}

/// Returns the exponents over the whole range that are tried for an exponential.
pub(crate) fn exponentials() -> Vec<f64> {
    let times = |k: &f64| Some(k * 1.04).filter(|k| *k <= 64.0);
    std::iter::successors(Some(2.0), times).collect()
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
