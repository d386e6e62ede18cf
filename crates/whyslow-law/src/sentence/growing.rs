//! What is said about costs that grow.

use super::Wording;
use super::sizes::{Sizes, number};
use crate::growth::Growth;
use crate::law::{Check, Exponential, Judgement, Open, Rise};

/// Returns what growth by a power says.
pub(super) fn grown(growth: &Growth, judgement: &Judgement, wording: &Wording<'_>) -> String {
    let (cost, sizes) = (wording.cost, wording.sizes());
    let (low, high) = growth.at_ten_times_range;
    let mut text = format!(
        "{}: it {} (exponent {}).",
        from_to(judgement, wording),
        shape(growth, sizes),
        range(growth)
    );
    if judgement.limit.is_some() {
        // There is nothing beyond it.
    } else if judgement.predicting().is_some() {
        let ten = sizes.at(10.0 * judgement.largest_n);
        text += &format!(
            " {} expect {} ({} to {}).",
            capitalized(&ten),
            cost(growth.at_ten_times),
            cost(low),
            cost(high)
        );
        if judgement.checks.is_empty() && !judgement.exact {
            text += &format!(
                " This is a guess: nothing beyond {} was measured.",
                sizes.exactly(judgement.largest_n)
            );
        }
        if !judgement.checks.is_empty() {
            text += &format!(" Checked: {}.", checked(&judgement.checks, wording));
        }
    } else {
        text += &unpredicted(growth, judgement, wording);
    }
    text
}

/// Returns why nothing is predicted.
fn unpredicted(growth: &Growth, judgement: &Judgement, wording: &Wording<'_>) -> String {
    let sizes = wording.sizes();
    let few = sizes.few();
    let why = match judgement.again {
        Some(way) if way > 0.35 => format!(
            "Measured again {few}, it took longer than at first, so part of the rise came with time"
        ),
        _ if growth.confirmed => format!(
            "It was not measured again {few}, so time may be the cause, not {}",
            sizes.count()
        ),
        _ if !growth.predicts_itself() => {
            "The first part of the curve does not predict the rest".to_owned()
        }
        _ => "The passes differ too much".to_owned(),
    };
    format!(" {why}. Nothing is predicted.")
}

/// Returns what it costs at first and at the end.
fn from_to(judgement: &Judgement, wording: &Wording<'_>) -> String {
    let (first, last) = (
        (wording.cost)(judgement.first),
        (wording.cost)(judgement.last),
    );
    let at_end = wording.sizes().at(judgement.largest_n);
    format!(
        "{} costs {first} at first and {last} {at_end}",
        wording.doing
    )
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Returns what was measured beyond the series.
fn checked(checks: &[Check], wording: &Wording<'_>) -> String {
    let cost = wording.cost;
    let each: Vec<String> = checks
        .iter()
        .map(|check| {
            format!(
                "{} it should cost {} and cost {}",
                wording.sizes().at(check.n),
                cost(check.said),
                cost(check.measured)
            )
        })
        .collect();
    let slower = checks.first().map_or(1.0, |check| check.slower);
    let mut then = String::new();
    if !(0.87..1.15).contains(&slower) {
        then = format!(" (the machine then took {slower:.1} times as long)");
    }
    format!("{}{then}", each.join("; "))
}

/// Returns the exponents that fit, with enough digits to distinguish them.
fn range(growth: &Growth) -> String {
    let (low, high) = (growth.exponent_low, growth.exponent_high);
    if high - low < 0.3 {
        format!("{low:.2}–{high:.2}")
    } else {
        format!("{low:.1}–{high:.1}")
    }
}

/// Returns what growth faster than any power says.
pub(super) fn exponential(
    found: &Exponential,
    judgement: &Judgement,
    wording: &Wording<'_>,
) -> String {
    let (low, high) = found.doubles_range;
    let some = |n: f64| match found.doubles_after < 10.0 {
        true => format!("{n:.1}"),
        false => number(n),
    };
    let after = some(found.doubles_after);
    let mut range = format!(" ({} to {})", some(low), some(high));
    if some(low) == some(high) {
        range = String::new();
    }
    let when = match wording.things {
        "n" => format!("whenever n grows by {after}"),
        things => format!("with every {after} more {things}"),
    };
    format!(
        "{}: it grows exponentially, faster than any power. It doubles {when}{range}.",
        from_to(judgement, wording)
    )
}

/// Returns what growth without a law says.
pub(super) fn risen(rise: &Rise, judgement: &Judgement, wording: &Wording<'_>) -> String {
    let sizes = wording.sizes();
    let change = judgement.change();
    let by = if change < 2.0 {
        format!("rises by {:.0} %", (change - 1.0) * 100.0)
    } else {
        format!("rises {change:.1}-fold")
    };
    let why = match rise.why {
        Open::LessThanDouble => ", too little to name a law.".to_owned(),
        Open::LessThanTwoDecades => format!(
            ". Meanwhile {} grew less than a hundredfold, too little to name a law.",
            sizes.count()
        ),
        Open::Vague => ". Several laws fit, so none is named.".to_owned(),
        Open::FasterThanCubic => format!(
            ". That is faster than the cube of {}; it may be exponential.",
            sizes.count()
        ),
        Open::Contradicting => ". The passes show different laws, so none is named.".to_owned(),
        Open::Refuted => format!(
            ". Up to there it {}, but not beyond: {}.",
            shape(&rise.growth, sizes),
            checked(&judgement.checks, wording)
        ),
    };
    format!("{}: it {by}{why}", from_to(judgement, wording))
}

/// A range of exponents wider than this has no name.
const VAGUE: f64 = 1.2;

/// An exponent below this looks like a logarithm.
const LOGARITHM: f64 = 0.3;

/// Returns how it grows: after the whole exponent in its range, if it is the only one.
pub(super) fn shape(growth: &Growth, sizes: Sizes<'_>) -> String {
    let holds = |p: f64| growth.exponent_low <= p && p <= growth.exponent_high;
    let of = sizes.count();
    match growth.exponent {
        _ if growth.exponent_high - growth.exponent_low > VAGUE => format!("grows with {of}"),
        // From a logarithm to a straight line, all fit.
        _ if growth.exponent_low < LOGARITHM && holds(1.0) => format!("grows with {of}"),
        _ if holds(1.0) && !holds(2.0) => format!("grows linearly with {of}"),
        _ if holds(2.0) && !holds(1.0) => format!("grows with the square of {of}"),
        p if p < LOGARITHM => format!("grows slowly, about like the logarithm of {of}"),
        p if p < 0.75 => format!("grows more slowly than linearly with {of}"),
        p if p < 1.3 => format!("grows about linearly with {of}"),
        p if p < 1.75 => format!("grows faster than linearly with {of}"),
        p if p < 2.4 => format!("grows about with the square of {of}"),
        p if p < 3.4 => format!("grows about with the cube of {of}"),
        _ => format!("grows faster than the cube of {of}"),
    }
}
