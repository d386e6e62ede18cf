//! The verdict as a sentence a person can quote.

mod growing;

use crate::law::{Judgement, Law, Tail};
use crate::levels::Step;
use crate::measure::Measure;

/// The words of an experiment.
#[derive(Debug, Clone, Copy)]
pub struct Wording<'a> {
    /// What is done, to begin a sentence: `Creating a file`.
    pub doing: &'a str,
    /// What *n* counts: `files`.
    pub things: &'a str,
    /// How a cost is written.
    pub cost: fn(f64) -> String,
}

/// Returns the verdict; what costs most time comes first.
pub fn sentence(judgement: &Judgement, wording: &Wording<'_>) -> String {
    let mut text = match (&judgement.tail, &judgement.law, judgement.levels) {
        (Some(tail), _, _) => {
            let typical = typical(judgement, wording);
            format!("{} Typically: {typical}", slow(tail, judgement, wording))
        }
        (None, Law::Constant, Some(levels)) => leveled(levels, judgement, wording),
        _ => typical(judgement, wording),
    };
    if let (Some((low, high)), false) = (judgement.levels, judgement.law == Law::Constant) {
        let (low, high) = ((wording.cost)(low), (wording.cost)(high));
        text += &format!(
            " The passes differ: {low} is typical of the quickest, {high} of the slowest."
        );
    }
    if let Some(grain) = judgement.grain {
        let grain = (wording.cost)(grain);
        text +=
            &format!(" The clock counted whole steps of {grain}; shorter times show as nothing.");
    }
    text
}

/// Returns what passes at different levels say.
fn leveled(levels: (f64, f64), judgement: &Judgement, wording: &Wording<'_>) -> String {
    let Wording { doing, things, .. } = wording;
    let (low, high) = ((wording.cost)(levels.0), (wording.cost)(levels.1));
    let n = number(judgement.largest_n);
    if judgement.passes == 1 {
        return format!(
            "{doing} costs {low}, the same with few and with {n} {things}; at another time it cost \
             {high}, with as few {things}. The number of {things} is not the cause."
        );
    }
    format!(
        "{doing} costs {low} in the quickest pass and {high} in the slowest, in each the same with few \
         and with {n} {things}: something else than the number of {things} decides."
    )
}

/// Returns what the slow operations, or the mean, say.
fn slow(tail: &Tail, judgement: &Judgement, wording: &Wording<'_>) -> String {
    let Wording { doing, things, .. } = wording;
    let whose = match tail.measure {
        Measure::Median => "Typically",
        Measure::Mean => "On average",
        Measure::P95 => "In the slowest 5 of 100 cases",
        Measure::P99 => "In the slowest 1 of 100 cases",
    };
    let mut letters = doing.chars();
    let first = letters.next().map(char::to_lowercase);
    let doing: String = first.into_iter().flatten().chain(letters).collect();
    let (first, last) = ((wording.cost)(tail.first), (wording.cost)(tail.last));
    let n = number(judgement.largest_n);
    let how = match &tail.law {
        Law::Steps(steps) => {
            let from = steps.first().map_or(0.0, |step| step.before);
            format!("a step at about {} {things}", number(from))
        }
        Law::Growth(growth) => growing::shape(growth, things),
        Law::Exponential(_) => "it grows exponentially".to_owned(),
        Law::LevelsOff(found) => {
            format!("it grows up to about {} {things}", number(found.from))
        }
        Law::Bend(from) => format!("it grows from about {} {things} on", number(*from)),
        _ => "it grows".to_owned(),
    };
    format!("{whose}, {doing} costs {first} at first and {last} at {n} {things}: {how}.")
}

/// Returns what the typical operation says.
fn typical(judgement: &Judgement, wording: &Wording<'_>) -> String {
    let cost = wording.cost;
    let Wording { doing, things, .. } = wording;
    let (first, last) = (cost(judgement.first), cost(judgement.last));
    let n = number(judgement.largest_n);
    match &judgement.law {
        Law::TooFew => format!("{doing} took {last}; it was done too few times to name a law."),
        Law::Constant => constant(judgement, wording),
        Law::Steps(steps) => stepped(steps, judgement.passes, wording),
        Law::Growth(growth) => growing::grown(growth, judgement, wording),
        Law::Exponential(found) => growing::exponential(found, judgement, wording),
        Law::Rise(rise) => growing::risen(rise, judgement, wording),
        Law::LevelsOff(found) => format!(
            "{doing} costs {first} at first, more and more up to about {} {things}, and {} from there \
             on: it levels off.",
            number(found.from),
            cost(found.level)
        ),
        Law::GrowthWithStep(found) => format!(
            "{doing} costs {first} at first and {last} at {n} {things}: it grows, and from about {} \
             {things} on it costs {:.1} times as much. Nothing is predicted.",
            number(found.from),
            found.factor
        ),
        Law::Bend(from) => format!(
            "{doing} costs {first} at first, more and more from about {} {things} on, and {last} at \
             {n}. No single law fits, so nothing is predicted.",
            number(*from)
        ),
        Law::WarmUp(found) => format!(
            "{doing} costs {}, the same from about {} to {n} {things}. Before, it costs more, {first} at \
             first: a warm-up.",
            cost(found.then),
            number(found.until)
        ),
        Law::Periodic(found) => format!(
            "{doing} costs {} to {}, up and down again after about {} times: it follows no law of the \
             number of {things}.",
            cost(found.low),
            cost(found.high),
            number(found.every)
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

fn constant(judgement: &Judgement, wording: &Wording<'_>) -> String {
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
        Some(law) if law.is_up() => "growth",
        Some(Law::Falls | Law::WarmUp(_)) => "a fall",
        Some(Law::Irregular | Law::Periodic(_)) => "ups and downs",
        _ => return text,
    };
    let passes = judgement.passes;
    let text = format!("{text} One pass showed {claim}, but {passes} passes do not agree on it");
    if (0.8..1.25).contains(&change) {
        return text + ": the machine was the cause.";
    }
    text + "."
}

fn stepped(steps: &[Step], passes: usize, wording: &Wording<'_>) -> String {
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
    use crate::judge::judge;
    use crate::series::Series;

    const CREATING: Wording<'static> = Wording {
        doing: "Creating a file",
        things: "files",
        cost: |ns| format!("{:.0} µs", ns / 1e3),
    };

    fn said(cost: impl Fn(f64) -> f64, again: &[f64]) -> String {
        let n: Vec<f64> = (1..=50_000).map(f64::from).collect();
        // As a clock of nanoseconds shows it.
        let cost: Vec<f64> = n.iter().map(|&n| cost(n) + 0.5).collect();
        let series = Series {
            n: &n,
            cost: &cost,
            again,
            ..Series::default()
        };
        sentence(&judge(&series), &CREATING)
    }

    #[test]
    fn verdicts_can_be_quoted() {
        let linear = |n: f64| 10_000.0 + 14.0 * n;
        assert_eq!(
            said(linear, &[10_400.0; 100]),
            "Creating a file costs 45 µs at first and 675 µs after 50,000 files: linear in the \
             number of files (p 0.95–1.05). At 500,000 expect 7010 µs (6000 µs to 8190 µs); that is a guess, \
             for nothing beyond 50,000 was measured."
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
    fn what_grows_otherwise_is_told_apart() {
        assert_eq!(
            said(
                |n| 1_000.0 + 1_000.0 * (n / 4_000.0).exp2(),
                &[2_000.0; 100]
            ),
            "Creating a file costs 3 µs at first and 3757 µs at 50,000 files: it grows exponentially, faster \
             than any power. Every 4,028 files more double it (3,948 to 4,109)."
        );
        assert_eq!(
            said(|n| 5_000.0 + n.min(20_000.0), &[5_100.0; 100]),
            "Creating a file costs 8 µs at first, more and more up to about 19,920 files, and 25 µs from \
             there on: it levels off."
        );
        let sorted = |n: f64| (9_000.0 + n) * if n > 10_000.0 { 3.0 } else { 1.0 };
        assert_eq!(
            said(sorted, &[9_100.0; 100]),
            "Creating a file costs 12 µs at first and 170 µs at 50,000 files: it grows, and from about 10,550 \
             files on it costs 3.0 times as much. Nothing is predicted."
        );
        assert_eq!(
            said(
                |n| 9_000.0 * (1.0 + 9.0 * (-n / 2_000.0).exp()),
                &[20_000.0; 100]
            ),
            "Creating a file costs 9 µs, the same from about 5,860 to 50,000 files. Before, it costs more, 32 \
             µs at first: a warm-up."
        );
        assert_eq!(
            said(|n| 5_000.0 + 4.0 * (n % 5_000.0), &[5_100.0; 100]),
            "Creating a file costs 7 µs to 23 µs, up and down again after about 4,980 times: it follows no law \
             of the number of files."
        );
    }

    #[test]
    fn a_law_that_was_checked_says_so_and_one_that_failed_is_none() {
        let n: Vec<f64> = (1..=5_000).map(f64::from).collect();
        let cost: Vec<f64> = n.iter().map(|n| 10_000.0 + 20.0 * n).collect();
        let with = |beyond: &[(f64, f64)]| {
            let series = Series {
                n: &n,
                cost: &cost,
                again: &[10_100.0; 100],
                beyond,
                ..Series::default()
            };
            sentence(&judge(&series), &CREATING)
        };
        let held = with(&[(10_000.0, 212_000.0), (20_000.0, 405_000.0)]);
        let end = "Checked: at 10,000 it said 210 µs, 212 µs was measured; at 20,000 it said 410 µs, 405 µs \
                   was measured.";
        assert!(held.ends_with(end), "{held}");
        assert!(held.contains("At 50,000 expect 10"), "{held}");
        let failed = with(&[(10_000.0, 80_000.0)]);
        let end = "It looked linear in the number of files, but that does not hold beyond 5,000: at 10,000 it \
                   said 210 µs, 80 µs was measured.";
        assert!(failed.ends_with(end), "{failed}");
    }

    #[test]
    fn the_tail_leads_where_it_costs_more() {
        let n: Vec<f64> = (1..=30_000).map(f64::from).collect();
        let slow = |n: f64| if n > 18_000.0 { 62_000.0 } else { 22_000.0 };
        let cost = n.iter().map(|&n| {
            if n % 10.0 < 1.0 {
                slow(n)
            } else {
                6_000.0 + n % 7.0
            }
        });
        let cost: Vec<f64> = cost.collect();
        let repeats = [cost.clone(), cost.clone()];
        let series = Series {
            n: &n,
            cost: &cost,
            again: &[6_000.0; 100],
            repeats: &repeats,
            ..Series::default()
        };
        assert_eq!(
            sentence(&judge(&series), &CREATING),
            "In the slowest 5 of 100 cases, creating a file costs 22 µs at first and 62 µs at 30,000 files: a \
             step at about 18,050 files. Typically: Creating a file costs 6 µs, the same with few and with \
             30,000 files."
        );
    }

    #[test]
    fn numbers_are_round() {
        assert_eq!(number(317_441.0), "317,400");
        assert_eq!(number(9_999.0), "9,999");
        assert_eq!(number(12.0), "12");
    }
}
