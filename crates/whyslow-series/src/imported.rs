//! Series that others measured, as runs.

pub use whyslow_law::numbers::{Asked, Numbers, Unit, Wrong, read};
use whyslow_law::{Series, Wording, judge, sentence};

use crate::operation::{Ending, Measured};
use crate::run::{Run, gather};
use crate::setup::Setup;
use crate::summary::Summary;
use crate::words::Words;

/// What rows without sizes are called.
const ROWS: Words = Words::new("law", "An operation", "operations");

/// What rows with sizes are called.
const SIZES: Words = Words::new("law", "An operation", "n");

/// Returns the series as a run; `None` for counts, which are not times.
pub fn run(numbers: &Numbers) -> Option<Run> {
    if numbers.unit == Unit::Count {
        return None;
    }
    let mut start_ns = 0u64;
    let operations = numbers.cost.iter().map(|cost| {
        let one = Measured {
            start_ns,
            duration_ns: whole(*cost),
            result: 0,
            count: 0,
        };
        start_ns = start_ns.saturating_add(one.duration_ns);
        one
    });
    let operations: Vec<Measured> = operations.collect();
    let asked = u64::try_from(operations.len()).unwrap_or(u64::MAX);
    // The rows show when operations began only if they are in the order of measurement.
    let words = match numbers.sorted {
        true => words(numbers).simulated(),
        false => words(numbers),
    };
    let setup = Setup::new(words, asked).named(&numbers.name);
    let mut run = gather(vec![(operations, Ending::Done)], setup);
    run.first.n.clone_from(&numbers.n);
    if numbers.sorted {
        let note = "The rows were sorted by n.";
        run.notes.push(note.to_owned());
    }
    Some(run)
}

fn words(numbers: &Numbers) -> Words {
    if numbers.has_n { SIZES } else { ROWS }
}

/// Returns what the series says; `cost` writes a duration in nanoseconds.
pub fn sentences(numbers: &Numbers, cost: fn(f64) -> String) -> Vec<String> {
    match run(numbers) {
        Some(run) => Summary::of(&run).sentences(&run, cost),
        None => vec![law(numbers)],
    }
}

/// Returns the law of counts.
fn law(numbers: &Numbers) -> String {
    let judgement = judge(&Series {
        n: &numbers.n,
        cost: &numbers.cost,
        exact: true,
        ..Series::default()
    });
    let words = words(numbers);
    let wording = Wording {
        doing: words.doing,
        things: words.things,
        cost: counted,
    };
    sentence(&judgement, &wording)
}

/// Writes a count.
fn counted(count: f64) -> String {
    if count.fract() == 0.0 || count >= 100.0 {
        whyslow_results::grouped(whole(count))
    } else {
        format!("{count:.1}")
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is clamped"
)]
fn whole(cost: f64) -> u64 {
    cost.round().clamp(0.0, 9e18) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, unit: Option<Unit>) -> Vec<String> {
        let asked = Asked {
            unit,
            ..Asked::default()
        };
        let series = read(text.as_bytes(), &asked).expect("it is read");
        sentences(&series[0], |ns| format!("{:.0} µs", ns / 1e3))
    }

    #[test]
    fn counts_are_exact_and_claim_no_causes_of_time() {
        let text: String = (1..=3_000).map(|n| format!("{}\n", 5 + n)).collect();
        let said = said(&text, Some(Unit::Count));
        assert_eq!(said.len(), 1, "{said:?}");
        let begin = "An operation costs 156 at first and 2,856 with 3,000 operations: it grows linearly with the \
                     number of operations";
        assert!(said[0].starts_with(begin), "{said:?}");
        assert!(
            said[0].contains("With 30,000 operations expect 30,005"),
            "{said:?}"
        );
    }

    #[test]
    fn whole_milliseconds_are_recognized() {
        let text: String = (1..=2_000).map(|n| format!("{}\n", n / 100)).collect();
        let said = said(&text, Some(Unit::Ms));
        let end = "The clock has a resolution of 1000 µs: anything shorter reads as 0.";
        assert!(said[0].ends_with(end), "{said:?}");
        assert!(
            said[0].contains("grows linearly with the number of operations"),
            "{said:?}"
        );
    }
}
