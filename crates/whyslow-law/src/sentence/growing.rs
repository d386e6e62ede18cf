//! What is said of costs that grow.

use super::{Wording, number};
use crate::growth::Growth;
use crate::law::{Check, Exponential, Judgement, Open, Rise};

/// Returns what growth by a power says.
pub(super) fn grown(growth: &Growth, judgement: &Judgement, wording: &Wording<'_>) -> String {
    let Wording { doing, things, .. } = wording;
    let cost = wording.cost;
    let (first, last) = (cost(judgement.first), cost(judgement.last));
    let n = number(judgement.largest_n);
    let mut text = format!(
        "{doing} costs {first} at first and {last} after {n} {things}: {} ({}).",
        shape(growth, things),
        range(growth)
    );
    let (low, high) = growth.at_ten_times_range;
    let ten = number(10.0 * judgement.largest_n);
    if judgement.predicting().is_some() {
        let expected = cost(growth.at_ten_times);
        text += &format!(
            " At {ten} expect {expected} ({} to {})",
            cost(low),
            cost(high)
        );
        if judgement.checks.is_empty() && !judgement.exact {
            text += &format!("; that is a guess, for nothing beyond {n} was measured");
        }
        text += ".";
        text += &checked(&judgement.checks, wording);
    } else if growth.confirmed {
        text +=
            " It was not measured again with few; time may be the cause, so nothing is predicted.";
    } else {
        text += " The curve follows no single law, so nothing is predicted.";
    }
    match judgement.again {
        Some(way) if way > 0.35 => {
            text +=
                " With few again it was not as quick as at first: part of the rise came with time.";
        }
        _ => {}
    }
    text
}

/// Returns what was measured beyond the series.
fn checked(checks: &[Check], wording: &Wording<'_>) -> String {
    let cost = wording.cost;
    let each: Vec<String> = checks
        .iter()
        .map(|check| {
            format!(
                "at {} it said {}, {} was measured",
                number(check.n),
                cost(check.said),
                cost(check.measured)
            )
        })
        .collect();
    if each.is_empty() {
        return String::new();
    }
    let slower = checks.first().map_or(1.0, |check| check.slower);
    let mut then = String::new();
    if !(0.87..1.15).contains(&slower) {
        then = format!(", on a machine that then took {slower:.1} times as long");
    }
    format!(" Checked: {}{then}.", each.join("; "))
}

/// Returns the exponents that fit, with as many digits as tell them apart.
fn range(growth: &Growth) -> String {
    let (low, high) = (growth.exponent_low, growth.exponent_high);
    if high - low < 0.3 {
        format!("p {low:.2}–{high:.2}")
    } else {
        format!("p {low:.1}–{high:.1}")
    }
}

/// Returns what growth faster than any power says.
pub(super) fn exponential(
    found: &Exponential,
    judgement: &Judgement,
    wording: &Wording<'_>,
) -> String {
    let Wording { doing, things, .. } = wording;
    let (first, last) = (
        (wording.cost)(judgement.first),
        (wording.cost)(judgement.last),
    );
    let (low, high) = found.doubles_range;
    let digits = if found.doubles_after < 10.0 { 1 } else { 0 };
    let some = |n: f64| match digits {
        0 => number(n),
        _ => format!("{n:.1}"),
    };
    let after = some(found.doubles_after);
    let mut range = format!(" ({} to {})", some(low), some(high));
    if some(low) == some(high) {
        range = String::new();
    }
    format!(
        "{doing} costs {first} at first and {last} at {} {things}: it grows exponentially, faster than any \
         power. Every {after} {things} more double it{range}.",
        number(judgement.largest_n)
    )
}

/// Returns what growth without a law says.
pub(super) fn risen(rise: &Rise, judgement: &Judgement, wording: &Wording<'_>) -> String {
    let Wording { doing, things, .. } = wording;
    let (first, last) = (
        (wording.cost)(judgement.first),
        (wording.cost)(judgement.last),
    );
    let n = number(judgement.largest_n);
    let change = judgement.change();
    let by = if change < 2.0 {
        format!("rises by {:.0} %", (change - 1.0) * 100.0)
    } else {
        format!("rises {change:.1}-fold")
    };
    let why = match rise.why {
        Open::LessThanDouble => ", too little to name a law.".to_owned(),
        Open::LessThanTwoDecades => format!(
            ". That was seen over less than two decades of the number of {things}, too little to name a law."
        ),
        Open::Vague => ". Several laws fit that, so none is named.".to_owned(),
        Open::FasterThanCubic => format!(
            ". That is faster than the cube of the number of {things}; it may be exponential."
        ),
        Open::Contradicting => ". The passes show different laws, so none is named.".to_owned(),
        Open::Refuted => format!(
            ". It looked {}, but that does not hold beyond {n}:{}",
            shape(&rise.growth, things),
            checked(&judgement.checks, wording).trim_start_matches(" Checked:")
        ),
    };
    format!("{doing} costs {first} at first and {last} at {n} {things}: it {by}{why}")
}

/// A range of exponents wider than this has no name.
const VAGUE: f64 = 1.2;

/// Returns what the growth is called: after the whole exponent in its range, if it is the only one.
pub(super) fn shape(growth: &Growth, things: &str) -> String {
    let holds = |p: f64| growth.exponent_low <= p && p <= growth.exponent_high;
    let of = format!("the number of {things}");
    match growth.exponent {
        _ if growth.exponent_high - growth.exponent_low > VAGUE => format!("it grows with {of}"),
        _ if holds(1.0) && !holds(2.0) => format!("linear in {of}"),
        _ if holds(2.0) && !holds(1.0) => format!("quadratic in {of}"),
        p if p < 0.3 => format!("slowly, about like the logarithm of {of}"),
        p if p < 0.75 => format!("slower than linear in {of}"),
        p if p < 1.3 => format!("about linear in {of}"),
        p if p < 1.75 => format!("faster than linear in {of}"),
        p if p < 2.4 => format!("about quadratic in {of}"),
        p if p < 3.4 => format!("about cubic in {of}"),
        _ => format!("faster than the cube of {of}"),
    }
}
