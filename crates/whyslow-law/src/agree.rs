//! Passes put together: the machine can bend one view of them, and bends none of them into growth.

use crate::bins::Bins;
use crate::growth;
use crate::law::{Law, Open, Rise};
use crate::levels::{self, Step};

/// Growth by less than this is not reported; passes have to agree on it …
const LEAST_RISE_AGREED: f64 = 1.25;

/// … and rise this steadily.
const AGREED_TAU: f64 = 0.8;

/// Steps whose places differ by no more than this share of the largest *n* are the same.
const SAME_PLACE: f64 = 0.125;

/// Returns growth by less than a doubling, if three passes or more show it in both views.
pub(crate) fn weak_growth(
    views: &[&Bins],
    passes: usize,
    largest: f64,
    again: Option<f64>,
) -> Option<Law> {
    let low = again.is_some_and(|way| way <= 0.35);
    let grows = |bins: &&Bins| {
        let growth = growth::fit(bins, largest);
        let rise = growth.rise();
        (LEAST_RISE_AGREED..2.0).contains(&rise)
            && rise.ln() >= growth.certain
            && growth.score < levels::best(bins).score
            && bins.tau() >= AGREED_TAU
    };
    let seen = passes >= 3 && low && views.iter().all(grows);
    let best = views.first().filter(|_| seen)?;
    let growth = growth::fit(best, largest);
    Some(Law::Rise(Rise {
        growth,
        why: Open::LessThanDouble,
    }))
}

/// Returns the law of two views of the same passes. Where they differ, there is no law.
pub(crate) fn agreed(quickest: Law, shape: Law, largest: f64) -> Law {
    let same = std::mem::discriminant(&quickest) == std::mem::discriminant(&shape);
    match (quickest, shape) {
        (Law::Steps(steps), Law::Steps(others)) => match shared(steps, &others, largest) {
            steps if steps.is_empty() => Law::Irregular,
            steps => Law::Steps(steps),
        },
        (one, _) if same => one,
        (Law::Exponential(found), _) | (_, Law::Exponential(found)) => Law::Exponential(found),
        (Law::Growth(growth), other) | (other, Law::Growth(growth)) => match other {
            // A machine of two speeds makes neither a level nor a step grow.
            Law::Constant | Law::Steps(_) | Law::Irregular => Law::Growth(growth),
            _ => Law::Growth(growth.unconfirmed()),
        },
        (Law::Constant, _) | (_, Law::Constant) => Law::Constant,
        (Law::Rise(rise), other) | (other, Law::Rise(rise)) if other.is_up() => Law::Rise(Rise {
            why: Open::Contradicting,
            ..rise
        }),
        (Law::Bend(bend), Law::Steps(_)) | (Law::Steps(_), Law::Bend(bend)) => Law::Bend(bend),
        (Law::LevelsOff(found), Law::Steps(_)) | (Law::Steps(_), Law::LevelsOff(found)) => {
            Law::LevelsOff(found)
        }
        (Law::GrowthWithStep(found), other) | (other, Law::GrowthWithStep(found))
            if other.is_up() =>
        {
            Law::Rise(Rise {
                growth: found.growth,
                why: Open::Contradicting,
            })
        }
        (Law::WarmUp(found), Law::Steps(_) | Law::Falls)
        | (Law::Steps(_) | Law::Falls, Law::WarmUp(found)) => Law::WarmUp(found),
        _ => Law::Irregular,
    }
}

/// Returns those of `steps` that another view shows, too.
fn shared(steps: Vec<Step>, others: &[Step], largest: f64) -> Vec<Step> {
    let same = |one: &Step, other: &Step| {
        let near = (one.before - other.before).abs() <= SAME_PLACE * largest;
        near && (one.to > one.from) == (other.to > other.from)
    };
    let told = |one: &Step| others.iter().any(|other| same(one, other));
    steps.into_iter().filter(told).collect()
}
