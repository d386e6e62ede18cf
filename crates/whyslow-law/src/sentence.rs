//! The verdict as a sentence a person can quote.

use crate::growth::Growth;
use crate::law::{Judgement, Law};
use crate::levels::Step;

/// The words of an experiment.
#[derive(Debug, Clone, Copy)]
pub struct Wording {
    /// What is done, to begin a sentence: `Creating a file`.
    pub doing: &'static str,
    /// What *n* counts: `files`.
    pub things: &'static str,
    /// How a cost is written.
    pub cost: fn(f64) -> String,
}

/// Returns the verdict.
pub fn sentence(judgement: &Judgement, wording: &Wording) -> String {
    let cost = wording.cost;
    let Wording { doing, things, .. } = wording;
    let (first, last) = (cost(judgement.first), cost(judgement.last));
    let n = number(judgement.largest_n);
    match &judgement.law {
        Law::TooFew => format!("{doing} took {last}; it was done too few times to name a law."),
        Law::Constant => constant(judgement, wording),
        Law::Steps(steps) => stepped(steps, judgement.passes, wording),
        Law::Growth(growth) => grown(growth, judgement, wording),
        Law::Bend(from) => format!(
            "{doing} costs {first} at first, more and more from about {} {things} on, and {last} at \
             {n}. No single law fits, so nothing is predicted.",
            number(*from)
        ),
        Law::Drift => format!(
            "{doing} took {first} at first and {last} at the end, and was as slow with few {things} \
             again: time made it slow, not the number of {things}."
        ),
        Law::Falls => format!("{doing} became cheaper: {first} at first, {last} at {n} {things}."),
        Law::Irregular => format!(
            "{doing} took {first} at first and {last} at {n} {things}, with ups and downs in between: \
             it follows no law of the number of {things}."
        ),
    }
}

fn constant(judgement: &Judgement, wording: &Wording) -> String {
    let Wording { doing, things, .. } = wording;
    let change = judgement.change();
    let (first, last) = (
        (wording.cost)(judgement.first),
        (wording.cost)(judgement.last),
    );
    let n = number(judgement.largest_n);
    let text = if (0.8..1.25).contains(&change) {
        format!("{doing} costs {last}, the same with few and with {n} {things}.")
    } else if (0.5..2.0).contains(&change) {
        let percent = (change - 1.0) * 100.0;
        format!(
            "{doing} costs {first} at first and {last} at {n} {things}: {percent:+.0} %, too \
             little to name a law."
        )
    } else {
        format!(
            "{doing} costs {first} at first and {last} at {n} {things}, but varies just as \
             much in between: it follows no law."
        )
    };
    let claim = match &judgement.one_pass {
        Some(Law::Steps(_)) => "a step",
        Some(Law::Growth(_) | Law::Bend(_)) => "growth",
        Some(Law::Falls) => "a fall",
        Some(Law::Irregular) => "ups and downs",
        _ => return text,
    };
    let passes = judgement.passes;
    let text = format!("{text} One pass showed {claim}, but {passes} passes do not agree on it");
    if (0.8..1.25).contains(&change) {
        return text + ": the machine was the cause.";
    }
    text + "."
}

fn stepped(steps: &[Step], passes: usize, wording: &Wording) -> String {
    let Wording { doing, things, .. } = wording;
    let first = steps.first().map_or(0.0, |step| step.from);
    let list: Vec<String> = steps
        .iter()
        .map(|step| {
            let (to, before) = ((wording.cost)(step.to), number(step.before));
            format!("{to} from about {before} {things} on")
        })
        .collect();
    let first = (wording.cost)(first);
    let noun = match (steps.len(), passes) {
        (1, 1) => "A step, no growth; one pass cannot say whether the number or the moment \
                   caused it."
            .to_owned(),
        (_, 1) => "Steps, no growth; one pass cannot say whether the numbers or the moments \
                   caused them."
            .to_owned(),
        (1, passes) => format!("A step, no growth; {passes} passes agree on the number."),
        (_, passes) => format!("Steps, no growth; {passes} passes agree on the numbers."),
    };
    format!(
        "{doing} costs {first}, and {}. {noun}",
        list.join(", then ")
    )
}

fn grown(growth: &Growth, judgement: &Judgement, wording: &Wording) -> String {
    let Wording { doing, things, .. } = wording;
    let cost = wording.cost;
    let (first, last) = (cost(judgement.first), cost(judgement.last));
    let n = number(judgement.largest_n);
    let (low, high) = (growth.exponent_low, growth.exponent_high);
    let mut range = format!("p {low:.1}–{high:.1}");
    if format!("{low:.1}") == format!("{high:.1}") {
        range = format!("p {low:.1}");
    }
    let mut text = format!(
        "{doing} costs {first} at first and {last} after {n} {things}: {} ({range}).",
        shape(growth, things)
    );
    let (low, high) = growth.at_ten_times_range;
    let ten = number(10.0 * judgement.largest_n);
    if judgement.predicting().is_some() {
        text += &format!(" At {ten} expect {}", cost(growth.at_ten_times));
        if high / low.max(f64::MIN_POSITIVE) > 1.1 {
            text += &format!(" ({} to {})", cost(low), cost(high));
        }
        text += ".";
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

/// A range of exponents wider than this has no name.
const VAGUE: f64 = 1.2;

/// Returns what the growth is called: after the whole exponent in its range, if it is the only one.
fn shape(growth: &Growth, things: &str) -> String {
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
        _ => format!("about cubic in {of}"),
    }
}

/// Returns a number with its thousands in groups, rounded to three digits from 10,000.
fn number(n: f64) -> String {
    let mut rounded = n.round();
    let mut unit = 1.0;
    while rounded / unit >= 1e4 {
        unit *= 10.0;
    }
    if unit > 1.0 {
        rounded = (rounded / unit).round() * unit;
    }
    let digits = format!("{rounded:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::judge;
    use crate::series::Series;

    const CREATING: Wording = Wording {
        doing: "Creating a file",
        things: "files",
        cost: |ns| format!("{:.0} µs", ns / 1e3),
    };

    fn said(cost: impl Fn(f64) -> f64, again: &[f64]) -> String {
        let n: Vec<f64> = (1..=50_000).map(f64::from).collect();
        let cost: Vec<f64> = n.iter().map(|&n| cost(n)).collect();
        let series = Series {
            n: &n,
            cost: &cost,
            again,
            repeats: &[],
            exact: false,
        };
        sentence(&judge(&series), &CREATING)
    }

    #[test]
    fn verdicts_can_be_quoted() {
        let linear = |n: f64| 10_000.0 + 14.0 * n;
        assert_eq!(
            said(linear, &[10_400.0; 100]),
            "Creating a file costs 45 µs at first and 675 µs after 50,000 files: linear in the \
             number of files (p 1.0). At 500,000 expect 7010 µs."
        );
        assert_eq!(
            said(linear, &[710_000.0; 100]),
            "Creating a file took 45 µs at first and 675 µs at the end, and was as slow with few \
             files again: time made it slow, not the number of files."
        );
        assert!(said(linear, &[]).ends_with("time may be the cause, so nothing is predicted."));
        assert_eq!(
            said(|_| 9_000.0, &[]),
            "Creating a file costs 9 µs, the same with few and with 50,000 files."
        );
        assert_eq!(
            said(
                |n| if n < 20_000.0 { 9_000.0 } else { 27_000.0 },
                &[9_000.0; 100]
            ),
            "Creating a file costs 9 µs, and 27 µs from about 20,700 files on. A step, no growth; \
             one pass cannot say whether the number or the moment caused it."
        );
    }

    #[test]
    fn numbers_are_round() {
        assert_eq!(number(317_441.0), "317,400");
        assert_eq!(number(9_999.0), "9,999");
        assert_eq!(number(12.0), "12");
    }
}
