//! Extracts come from anywhere: whatever their numbers claim, every question ends without a panic.
//!
//! A flipped bit in a compressed page gives other numbers, not an error. Here every table is made
//! of random numbers: mostly small, so that ids often match, and occasionally absurd.

use whyslow_query::View;
use whyslow_query::argument::{Argument, ArgumentValue, Takes};
use whyslow_query::questions;
use whyslow_query::{
    Arguments, FunctionPattern, NamePattern, Request, RollUps, Selection, TimePoint,
};
use whyslow_testkit::{Random, nonsense};

const TRACES: u64 = 60;

/// Asks everything, with every argument of a question by itself and all of them together. The
/// answers mean nothing; the test only checks that they come.
fn ask_everything(view: View<'_>, selection: &Selection) {
    for question in questions::ALL {
        let mut all = Arguments::default();
        let mut ways = vec![all.clone()];
        for argument in question.arguments {
            for value in values(argument) {
                ways.push(Arguments::default().with(argument, value.clone()));
                all.set(argument, value);
            }
        }
        ways.push(all);
        for arguments in &ways {
            let request = Request {
                selection,
                arguments,
                chart_slices: Request::CHART_SLICES,
            };
            let _any = (question.ask)(&[view], &request);
        }
    }
}

/// Returns values to try.
fn values(argument: &Argument) -> Vec<ArgumentValue> {
    match argument.takes {
        Takes::Nothing => vec![ArgumentValue::Given],
        Takes::Choice { choices, .. } => {
            let words = choices.iter().map(|choice| choice.word.to_owned());
            words.map(ArgumentValue::Word).collect()
        }
        Takes::Percent { .. } => vec![ArgumentValue::Percent(0.5)],
        Takes::Count { .. } => vec![ArgumentValue::Count(0), ArgumentValue::Count(5)],
        Takes::Pattern => ["", "*;!x", ";;!!"]
            .map(|text| ArgumentValue::Pattern(text.to_owned()))
            .into(),
        Takes::Duration => [1, 7_000_000].map(ArgumentValue::DurationNs).into(),
    }
}

#[test]
fn no_numbers_make_a_question_panic() {
    let selections = [
        Selection::default(),
        Selection {
            processes: Some(NamePattern::parse("main;!elf;7")),
            functions: Some(FunctionPattern::parse("*a*")),
            totals: true,
            ..Selection::default()
        },
        Selection {
            threads: Some(NamePattern::parse("*")),
            from: Some(TimePoint::parse("50ms").unwrap()),
            to: Some(TimePoint::parse("150ms").unwrap()),
            idle: true,
            sum: true,
            ..Selection::default()
        },
    ];
    for seed in 1..=TRACES {
        let absurd = [0, 2, 10, 60][usize::try_from(seed % 4).unwrap()];
        let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let trace = nonsense(random, absurd);
        for selection in &selections {
            ask_everything(&trace, selection);
        }
        let _any = RollUps::compute(&trace);
    }
}
