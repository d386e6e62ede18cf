//! The verdict as a sentence a person can quote.

mod growing;
mod paid;
mod sizes;

use crate::law::{Judgement, Law, Tail};
use crate::levels::Step;
use crate::measure::Measure;
use sizes::{Sizes, number};

/// The words of an experiment.
#[derive(Debug, Clone, Copy)]
pub struct Wording<'a> {
    /// What is done, to begin a sentence: `Creating a file`.
    pub doing: &'a str,
    /// What *n* counts: `files`; `n` itself where it counts nothing that has a name.
    pub things: &'a str,
    /// How a cost is written.
    pub cost: fn(f64) -> String,
}

impl<'a> Wording<'a> {
    fn sizes(&self) -> Sizes<'a> {
        Sizes(self.things)
    }

    /// Returns what is done, for the middle of a sentence.
    fn doing_within(&self) -> String {
        let mut letters = self.doing.chars();
        let first = letters.next().map(char::to_lowercase);
        first.into_iter().flatten().chain(letters).collect()
    }
}

/// Returns the verdict; what costs most time comes first.
pub fn sentence(judgement: &Judgement, wording: &Wording<'_>) -> String {
    let leads: Vec<String> = [
        paid::lead(judgement, wording),
        judgement
            .tail
            .as_ref()
            .map(|tail| slow(tail, judgement, wording)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut text = match (leads.as_slice(), &judgement.law, judgement.levels) {
        ([], Law::Constant, Some(levels)) => leveled(levels, judgement, wording),
        ([], ..) => typical(judgement, wording),
        _ => {
            let within = Wording {
                doing: &wording.doing_within(),
                ..*wording
            };
            let typical = typical(judgement, &within);
            format!("{} Typically, {typical}", leads.join(" "))
        }
    };
    if let (Some((low, high)), false) = (
        judgement.levels,
        judgement.law == Law::Constant || paid::names_levels(judgement),
    ) {
        let (low, high) = ((wording.cost)(low), (wording.cost)(high));
        text +=
            &format!(" The passes differ: typically {low} in the fastest, {high} in the slowest.");
    }
    if let Some(grain) = judgement.grain {
        let grain = (wording.cost)(grain);
        text += &format!(" The clock has a resolution of {grain}: anything shorter reads as 0.");
    }
    text
}

/// Returns what passes at different levels say.
fn leveled(levels: (f64, f64), judgement: &Judgement, wording: &Wording<'_>) -> String {
    let (doing, sizes) = (wording.doing, wording.sizes());
    let (low, high) = ((wording.cost)(levels.0), (wording.cost)(levels.1));
    let count = sizes.count();
    if judgement.passes == 1 {
        // One of the two levels is that of the series.
        let near = |level: f64| (level / judgement.last).ln().abs();
        let (own, again) = match near(levels.0) <= near(levels.1) {
            true => (low, high),
            false => (high, low),
        };
        return format!(
            "{doing} costs {own}, the same {}. Measured again {}, it cost {again}: {count} is not the \
             cause.",
            sizes.span(judgement.smallest_n, judgement.largest_n),
            sizes.few()
        );
    }
    if judgement.is_uneven {
        return format!(
            "{doing} costs {high} in the slowest pass and {low} in the fastest. It also changes within a \
             pass, but not alike in all of them: {count} is not the cause."
        );
    }
    format!(
        "{doing} costs {high} in the slowest pass and {low} in the fastest. Within each pass it is the \
         same {}: {count} is not the cause.",
        sizes.span(judgement.smallest_n, judgement.largest_n),
    )
}

/// Returns what the slow operations, or the mean, say.
fn slow(tail: &Tail, judgement: &Judgement, wording: &Wording<'_>) -> String {
    let sizes = wording.sizes();
    let (whose, or_more) = match tail.measure {
        Measure::Median => ("Typically", ""),
        Measure::Mean => ("On average", ""),
        Measure::P95 => ("In 5 of 100 cases", " or more"),
        Measure::P99 => ("In 1 of 100 cases", " or more"),
    };
    let (first, last) = ((wording.cost)(tail.first), (wording.cost)(tail.last));
    let how = match &tail.law {
        Law::Steps(steps) => {
            let from = steps.first().map_or(0.0, |step| step.before);
            format!("a step at {}", sizes.about(from))
        }
        Law::Growth(growth) => format!("it {}", growing::shape(growth, sizes)),
        Law::Exponential(_) => "it grows exponentially".to_owned(),
        Law::LevelsOff(found) => format!("it grows up to {}", sizes.about(found.from)),
        Law::Bend(bend) => format!("it grows from {} on", sizes.about(bend.from)),
        _ => "it grows".to_owned(),
    };
    format!(
        "{whose}, {} costs {first}{or_more} at first, and {last}{or_more} {}: {how}.",
        wording.doing_within(),
        sizes.at(judgement.largest_n)
    )
}

/// Returns what the typical operation says.
fn typical(judgement: &Judgement, wording: &Wording<'_>) -> String {
    let (cost, doing, sizes) = (wording.cost, wording.doing, wording.sizes());
    let (first, last) = (cost(judgement.first), cost(judgement.last));
    let at_end = sizes.at(judgement.largest_n);
    match &judgement.law {
        Law::TooFew => format!("{doing} took {last}. That is too few measurements to name a law."),
        Law::Constant => constant(judgement, wording),
        Law::Steps(steps) => stepped(steps, judgement.passes, wording),
        Law::Growth(growth) => growing::grown(growth, judgement, wording),
        Law::Exponential(found) => growing::exponential(found, judgement, wording),
        Law::Rise(rise) => growing::risen(rise, judgement, wording),
        Law::LevelsOff(found) => format!(
            "{doing} costs {first} at first, more and more up to {}, and {} from there on: it levels off.",
            sizes.about(found.from),
            cost(found.level)
        ),
        Law::GrowthWithStep(found) => format!(
            "{doing} costs {first} at first and {last} {at_end}: it grows, and jumps to {:.1} times as \
             much at {}. Nothing is predicted.",
            found.factor,
            sizes.about(found.from),
        ),
        Law::Bend(bend) => format!(
            "{doing} costs {first} up to {}. From there on it costs more and more, {last} {at_end}. Nothing \
             is predicted.",
            sizes.about(bend.from)
        ),
        Law::WarmUp(found) => format!(
            "{doing} costs {} {}. Before that it costs more, {first} at first: a warm-up.",
            cost(found.then),
            sizes.span(found.until, judgement.largest_n)
        ),
        Law::Periodic(found) => format!(
            "{doing} costs between {} and {}: it rises and falls about every {} operations, and follows no \
             law of {}.",
            cost(found.low),
            cost(found.high),
            number(found.every),
            sizes.count()
        ),
        Law::Drift => drifted(judgement, wording),
        Law::Falls => format!("{doing} became cheaper: {first} at first, {last} {at_end}."),
        Law::Irregular => format!(
            "{doing} took {first} at first and {last} {at_end}, with ups and downs in between: it follows no \
             law of {}.",
            sizes.count()
        ),
    }
}

/// Returns what became slower with time; the figures are those of the first pass.
fn drifted(judgement: &Judgement, wording: &Wording<'_>) -> String {
    let (cost, doing, sizes) = (wording.cost, wording.doing, wording.sizes());
    let end = match judgement.passes {
        1 => "at the end",
        _ => "at the end of the first pass",
    };
    let (first, last) = (cost(judgement.first), cost(judgement.last));
    format!(
        "{doing} took {first} at first and {last} {end}, and about as long when measured again {}: it became \
         slower with time, not with {}.",
        sizes.few(),
        sizes.count()
    )
}

fn constant(judgement: &Judgement, wording: &Wording<'_>) -> String {
    let (doing, sizes) = (wording.doing, wording.sizes());
    let change = judgement.change();
    let (first, last) = (
        (wording.cost)(judgement.first),
        (wording.cost)(judgement.last),
    );
    let at_end = sizes.at(judgement.largest_n);
    let text = if (0.8..1.25).contains(&change) {
        let span = sizes.span(judgement.smallest_n, judgement.largest_n);
        format!("{doing} costs {last}, the same {span}.")
    } else if (0.5..2.0).contains(&change) {
        let percent = (change - 1.0) * 100.0;
        format!(
            "{doing} costs {first} at first and {last} {at_end}: {percent:+.0} %, too little to name a \
             law."
        )
    } else {
        format!(
            "{doing} costs {first} at first and {last} {at_end}, but varies just as much in between: it \
             follows no law."
        )
    };
    if paid::names_levels(judgement) {
        return text;
    }
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
        return text + ": something other than the number caused it.";
    }
    text + "."
}

fn stepped(steps: &[Step], passes: usize, wording: &Wording<'_>) -> String {
    let (doing, sizes) = (wording.doing, wording.sizes());
    let first = steps.first().map_or(0.0, |step| step.from);
    let list: Vec<String> = steps
        .iter()
        .map(|step| {
            let to = (wording.cost)(step.to);
            format!("{to} from {} on", sizes.about(step.before))
        })
        .collect();
    let first = (wording.cost)(first);
    let (what, is, where_) = match steps.len() {
        1 => ("a step", "This is", "at the same size"),
        _ => ("steps", "These are", "at the same sizes"),
    };
    let sure = match passes {
        1 => format!(
            "One pass cannot tell whether {} or time is the cause.",
            sizes.count()
        ),
        passes => format!("{passes} passes show {what} {where_}."),
    };
    format!(
        "{doing} costs {first} at first, and {}. {is} {what}, not growth. {sure}",
        list.join(", then ")
    )
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
            "Creating a file costs 45 µs at first and 675 µs with 50,000 files: it grows linearly with the \
             number of files (exponent 0.95–1.05). With 500,000 files expect 7010 µs (6000 µs to 8190 µs). This is a \
             guess: nothing beyond 50,000 files was measured."
        );
        assert_eq!(
            said(linear, &[710_000.0; 100]),
            "Creating a file took 45 µs at first and 675 µs at the end, and about as long when measured again \
             with few files: it became slower with time, not with the number of files."
        );
        assert!(said(linear, &[]).ends_with("Nothing is predicted."));
        assert_eq!(
            said(|_| 9_000.0, &[]),
            "Creating a file costs 9 µs, the same from 1 to 50,000 files."
        );
        assert_eq!(
            said(
                |n| if n < 20_000.0 { 9_000.0 } else { 27_000.0 },
                &[9_000.0; 100]
            ),
            "Creating a file costs 9 µs at first, and 27 µs from about 20,700 files on. This is a step, not growth. \
             One pass cannot tell whether the number of files or time is the cause."
        );
    }

    #[test]
    fn a_drift_is_told_of_the_first_pass() {
        let n: Vec<f64> = (1..=5_000).map(f64::from).collect();
        let cost: Vec<f64> = n.iter().map(|n| 10_000.5 + 20.0 * n).collect();
        // Further passes begin where it ended, and one of them meets a quick moment.
        let high: Vec<f64> = n.iter().map(|n| 110_000.5 + n % 7.0).collect();
        let quick = |n: &f64| if *n < 500.0 { 6_000.5 } else { 110_000.5 };
        let repeats = [high.clone(), n.iter().map(quick).collect(), high];
        let series = Series {
            n: &n,
            cost: &cost,
            again: &[109_000.0; 100],
            repeats: &repeats,
            ..Series::default()
        };
        assert_eq!(
            sentence(&judge(&series), &CREATING),
            "Creating a file took 15 µs at first and 105 µs at the end of the first pass, and about as long when measured \
             again with few files: it became slower with time, not with the number of files."
        );
    }

    #[test]
    fn what_grows_otherwise_is_told_apart() {
        assert_eq!(
            said(
                |n| 1_000.0 + 1_000.0 * (n / 4_000.0).exp2(),
                &[2_000.0; 100]
            ),
            "Creating a file costs 3 µs at first and 3757 µs with 50,000 files: it grows exponentially, faster \
             than any power. It doubles with every 4,028 more files (3,948 to 4,109)."
        );
        assert_eq!(
            said(|n| 5_000.0 + n.min(20_000.0), &[5_100.0; 100]),
            "Creating a file costs 8 µs at first, more and more up to about 19,900 files, and 25 µs from \
             there on: it levels off."
        );
        let sorted = |n: f64| (9_000.0 + n) * if n > 10_000.0 { 3.0 } else { 1.0 };
        assert_eq!(
            said(sorted, &[9_100.0; 100]),
            "Creating a file costs 12 µs at first and 170 µs with 50,000 files: it grows, and jumps to 3.0 times as \
             much at about 10,500 files. Nothing is predicted."
        );
        assert_eq!(
            said(
                |n| 9_000.0 * (1.0 + 9.0 * (-n / 2_000.0).exp()),
                &[20_000.0; 100]
            ),
            "Creating a file costs 9 µs from 5,860 to 50,000 files. Before that it costs more, 32 µs at first: a \
             warm-up."
        );
        assert_eq!(
            said(|n| 5_000.0 + 4.0 * (n % 5_000.0), &[5_100.0; 100]),
            "Creating a file costs between 7 µs and 23 µs: it rises and falls about every 4,980 operations, and \
             follows no law of the number of files."
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
        let end = "Checked: with 10,000 files it should cost 210 µs and cost 212 µs; with 20,000 files it should cost \
                   410 µs and cost 405 µs.";
        assert!(held.ends_with(end), "{held}");
        assert!(held.contains("With 50,000 files expect 10"), "{held}");
        // The machine was slow only while the largest size was measured once more.
        let once = with(&[
            (5_000.0, 198_000.0),
            (10_000.0, 212_000.0),
            (20_000.0, 405_000.0),
        ]);
        assert!(once.contains("With 50,000 files expect 10"), "{once}");
        let failed = with(&[(10_000.0, 80_000.0)]);
        let end = "Up to there it grows linearly with the number of files, but not beyond: with 10,000 files it should \
                   cost 210 µs and cost 80 µs.";
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
            "In 5 of 100 cases, creating a file costs 22 µs or more at first, and 62 µs or more with 30,000 files: a \
             step at about 18,000 files. Typically, creating a file costs 6 µs, the same from 1 to 30,000 files."
        );
    }

    #[test]
    fn a_pass_that_cost_far_more_leads_and_both_levels_are_named() {
        let n: Vec<f64> = (1..=9_000).map(f64::from).collect();
        let quick: Vec<f64> = n.iter().map(|n| 7_000.5 + n % 7.0).collect();
        let hump = n.iter().zip(&quick);
        let hump: Vec<f64> = hump
            .map(|(n, cost)| {
                if *n > 3_000.0 && *n < 6_000.0 {
                    400_000.5
                } else {
                    *cost
                }
            })
            .collect();
        let series = Series {
            n: &n,
            cost: &hump,
            again: &[7_000.5; 100],
            repeats: &[quick.clone(), quick.clone()],
            ..Series::default()
        };
        let judgement = judge(&series);
        assert_eq!(judgement.law, Law::Constant);
        assert_eq!(
            sentence(&judgement, &CREATING),
            "On average, creating a file costs 138 µs in the slowest of 3 passes and 7 µs in the fastest: the number \
             of files does not explain the difference. In the slowest, half of the time went to the slowest 1,553 of \
             9,000 (400 µs or more each). Typically, creating a file costs 7 µs, the same from 1 to 9,000 files."
        );
        // Another level from the first operation to the last.
        let slow: Vec<f64> = quick.iter().map(|cost| 20.0 * cost).collect();
        let series = Series {
            cost: &quick,
            repeats: &[slow.clone(), quick.clone()],
            ..series
        };
        assert_eq!(
            sentence(&judge(&series), &CREATING),
            "Creating a file costs 140 µs in the slowest pass and 7 µs in the fastest. Within each pass it is the \
             same from 1 to 9,000 files: the number of files is not the cause."
        );
        // The slow pass was slow only at first.
        let waning: Vec<f64> = slow[..6000].iter().chain(&quick[6000..]).copied().collect();
        let series = Series {
            repeats: &[waning, quick.clone()],
            ..series
        };
        assert_eq!(
            sentence(&judge(&series), &CREATING),
            "Creating a file costs 140 µs in the slowest pass and 7 µs in the fastest. It also changes within a pass, \
             but not alike in all of them: the number of files is not the cause."
        );
        // The series was the slow one, and what was measured again the fast one.
        let series = Series {
            cost: &slow,
            again: &quick[..100],
            repeats: &[],
            ..series
        };
        let said = sentence(&judge(&series), &CREATING);
        assert!(
            said.starts_with("Creating a file costs 140 µs, the same"),
            "{said}"
        );
        assert!(
            said.contains("Measured again with few files, it cost 7 µs"),
            "{said}"
        );
    }
}
