//! The curve of a law, to be drawn over what was measured.

/// A law that was found, as points on its curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// What it says, in a few words.
    pub label: String,
    /// Its points, the smallest size first.
    pub points: Vec<FitPoint>,
}

/// A point on the curve of a law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitPoint {
    /// The size.
    pub n: f64,
    /// The cost, in nanoseconds.
    pub ns: f64,
    /// The least and the most that the law allows there; the cost twice where nothing says so.
    pub range_ns: (f64, f64),
}

impl Fit {
    /// Returns the point at `n`, between those next to it.
    pub(crate) fn at(&self, n: f64) -> Option<FitPoint> {
        let pair = self
            .points
            .windows(2)
            .find(|pair| (pair[0].n..=pair[1].n).contains(&n))?;
        let span = (pair[1].n - pair[0].n).max(f64::MIN_POSITIVE);
        let between = |of: fn(&FitPoint) -> f64| {
            let (before, after) = (of(&pair[0]), of(&pair[1]));
            before + (after - before) * (n - pair[0].n) / span
        };
        Some(FitPoint {
            n,
            ns: between(|point| point.ns),
            range_ns: (
                between(|point| point.range_ns.0),
                between(|point| point.range_ns.1),
            ),
        })
    }
}
