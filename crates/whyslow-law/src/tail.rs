//! The slow operations and the mean: they may grow while the typical operation stays.

use crate::agree;
use crate::bins::{self, Bins};
use crate::describe::{self, LEAST_BINS};
use crate::law::{SAME, Tail};
use crate::measure::Measure;
use crate::series::Series;

/// The slow operations cost at least this many times as much at the end, or nothing is claimed.
const LEAST_RISE: f64 = 2.0;

/// The same for the mean, most of which the typical operations may be.
const LEAST_RISE_MEAN: f64 = 1.5;

/// The extra cost of the tail counts if it is this many times the extra cost of the typical
/// operation.
const MORE: f64 = 2.0;

/// The tail rises by this many times the factor of the typical operation.
const STEEPER: f64 = 1.5;

/// Returns the tail of `series` that costs most, if it costs more than the law of the typical operation, which
/// goes from `typical.0` to `typical.1`.
pub(crate) fn tail(series: &Series<'_>, typical: (f64, f64)) -> Option<Tail> {
    let measures = [Measure::P95, Measure::P99, Measure::Mean];
    let found = measures.into_iter().filter_map(|measure| {
        let tail = told(series, measure)?;
        let extra = (tail.last - tail.first) * measure.share();
        let more = extra > MORE * (typical.1 - typical.0).max(0.0);
        let steeper = tail.last / tail.first >= STEEPER * typical.1 / typical.0;
        (more && steeper).then_some((tail, extra))
    });
    // The mean says least of who is slow: it leads only where the others say nothing.
    let mut found: Vec<(Tail, f64)> = found.collect();
    if found.iter().any(|(tail, _)| tail.measure != Measure::Mean) {
        found.retain(|(tail, _)| tail.measure != Measure::Mean);
    }
    let most = found.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    most.map(|(tail, _)| tail)
}

/// Returns the rise of a measure, if there is one that the passes agree on.
fn told(series: &Series<'_>, measure: Measure) -> Option<Tail> {
    let quickest = Bins::new(series, series.repeats, bins::quickest, measure);
    if quickest.len() < LEAST_BINS || quickest.change() < SAME {
        return None;
    }
    let mut law = describe::law(series, &quickest, None);
    if !series.repeats.is_empty() {
        let shape = Bins::new(series, series.repeats, bins::middle, measure);
        let other = describe::law(series, &shape, None);
        law = agree::agreed(law, other, quickest.n.last().copied()?);
    }
    let (first, last) = (quickest.first(), quickest.last());
    let least = if measure == Measure::Mean {
        LEAST_RISE_MEAN
    } else {
        LEAST_RISE
    };
    let rises = law.is_up() && last >= least * first;
    rises.then_some(Tail {
        measure,
        law,
        first,
        last,
    })
}
