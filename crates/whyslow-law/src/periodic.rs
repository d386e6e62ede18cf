//! Saw teeth and other rhythms of operations: the cost rises and falls again after equally many.

use crate::bins::{count, deviation, median};
use crate::law::Periodic;
use crate::series::Series;

/// Operations of a neighborhood, at least.
const LEAST_IN_PART: usize = 8;

/// Neighborhoods at most.
const MOST_PARTS: usize = 512;

/// Periods that a pass has at least.
const LEAST_PERIODS: f64 = 2.5;

/// Neighborhoods of a period, at least.
const LEAST_LAG: usize = 4;

/// What a period later is alike by at least this much, …
const ALIKE: f64 = 0.5;

/// … and half a period later unlike by this.
const UNLIKE: f64 = -0.15;

/// The cost swings by this factor at least.
const LEAST_SWING: f64 = 1.5;

/// Returns the rhythm that all passes have.
pub(crate) fn periodic(series: &Series<'_>) -> Option<Periodic> {
    let found = rhythm(series.cost)?;
    let mut repeats = series.repeats.iter().map(|pass| rhythm(pass));
    let same = |other: Option<Periodic>| {
        other.is_some_and(|other| (other.every / found.every - 1.0).abs() <= 0.15)
    };
    repeats.all(same).then_some(found)
}

fn rhythm(cost: &[f64]) -> Option<Periodic> {
    let parts = (cost.len() / LEAST_IN_PART).min(MOST_PARTS);
    if parts < 4 * LEAST_LAG {
        return None;
    }
    let edge = |part: usize| part * cost.len() / parts;
    let z: Vec<f64> = (0..parts)
        .map(|part| median(&cost[edge(part)..edge(part + 1)]).max(1e-3).ln())
        .collect();
    // A trend is left in: a steady rise is not a rhythm.
    let mean = z.iter().sum::<f64>() / count(parts);
    let left: Vec<f64> = z.iter().map(|z| z - mean).collect();
    let like: Vec<f64> = (0..parts * 2 / 5 + 1)
        .map(|lag| alike(&left, lag))
        .collect();
    let low = like.iter().position(|&like| like < UNLIKE)?;
    let lag = (low..like.len()).max_by(|&a, &b| like[a].total_cmp(&like[b]))?;
    // The first of the highest: later ones are its multiples.
    let lag = (low..=lag).find(|&at| like[at] >= 0.9 * like[lag] && is_top(&like, at))?;
    let twice = like.get(2 * lag).is_none_or(|&like| like >= ALIKE * 0.6);
    let enough = count(parts) / count(lag) >= LEAST_PERIODS;
    if lag < LEAST_LAG || like[lag] < ALIKE || !twice || !enough {
        return None;
    }
    let mut sorted = z;
    sorted.sort_by(f64::total_cmp);
    let tenth = parts / 10;
    let (low, high) = (sorted[tenth].exp(), sorted[parts - 1 - tenth].exp());
    let swings = high / low >= LEAST_SWING && (high / low).ln() >= 2.0 * scatter(&left);
    swings.then(|| Periodic {
        every: count(lag) * count(cost.len()) / count(parts),
        low,
        high,
    })
}

fn is_top(like: &[f64], at: usize) -> bool {
    let around = like.get(at.saturating_sub(1)..(at + 2).min(like.len()));
    around.is_some_and(|around| around.iter().all(|other| *other <= like[at]))
}

/// Returns the scatter between neighbors.
fn scatter(z: &[f64]) -> f64 {
    let steps: Vec<f64> = z.windows(2).map(|pair| pair[1] - pair[0]).collect();
    deviation(&steps) / std::f64::consts::SQRT_2
}

/// Returns how alike values are to those `lag` later, −1 to 1.
fn alike(left: &[f64], lag: usize) -> f64 {
    let square: f64 = left.iter().map(|r| r * r).sum();
    let pairs = left.iter().zip(left.iter().skip(lag));
    let together: f64 = pairs.map(|(a, b)| a * b).sum();
    let share = count(left.len()) / count(left.len().saturating_sub(lag).max(1));
    share * together / square.max(f64::MIN_POSITIVE)
}
