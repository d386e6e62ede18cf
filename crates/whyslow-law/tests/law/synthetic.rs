//! Series with a known law: what the detector is measured with.
//!
//! The noise is that of machines, not of textbooks: a log-normal scatter of every operation, rare
//! operations many times slower, bursts, and load that comes and goes for hundreds of operations.

use crate::random::Random;

/// What disturbs the costs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Noise {
    /// Scatter of every operation, as the standard deviation of its logarithm.
    pub(crate) scatter: f64,
    /// Share of operations that take 10 to 1000 times as long.
    pub(crate) outliers: f64,
    /// Share of operations inside bursts of 20, each 50 times as long.
    pub(crate) bursts: f64,
    /// Scatter of the load, which lasts for hundreds of operations.
    pub(crate) load: f64,
}

/// Returns the costs of `count` operations with the law `cost(n, share of the time that is over)`,
/// disturbed.
pub(crate) fn series(
    count: usize,
    noise: Noise,
    random: &mut Random,
    law: impl Fn(f64, f64) -> f64,
) -> Vec<f64> {
    let (mut load, mut burst) = (0.0, 0);
    let keeps = 1.0 - 5.0 / count.max(50) as f64;
    (0..count)
        .map(|at| {
            let n = (at + 1) as f64;
            // An Ornstein-Uhlenbeck walk: the load forgets itself after a fifth of the series.
            load = keeps * load + (1.0 - keeps * keeps).sqrt() * noise.load * random.normal();
            let mut factor = (noise.scatter * random.normal() + load).exp();
            if random.unit() < noise.outliers {
                factor *= 10f64.powf(1.0 + 2.0 * random.unit());
            }
            if burst == 0 && random.unit() < noise.bursts / 20.0 {
                burst = 20;
            }
            if burst > 0 {
                burst -= 1;
                factor *= 50.0;
            }
            law(n, n / count as f64) * factor
        })
        .collect()
}
