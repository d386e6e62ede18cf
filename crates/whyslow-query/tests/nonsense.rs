//! Extracts come from anywhere: whatever their numbers claim, every question ends without a panic.
//!
//! A flipped bit in a compressed page gives other numbers, not an error. Here every table is made of
//! random ones, mostly small so that ids often hit, now and then absurd.

use whyslow_query::questions::{self, Direction, StackOptions, TimelineOptions, Weight};
use whyslow_query::selection::View;
use whyslow_query::{MethodPattern, NamePattern, RollUps, Selection, TimePoint};
use whyslow_testkit::{Random, nonsense};

const TRACES: u64 = 60;
/// Asks everything; the answers mean nothing, so they are only looked at for their end.
fn ask_everything(view: View<'_>, selection: &Selection) {
    let views = [view];
    let questions = [
        questions::processes,
        questions::threads,
        questions::cpu,
        questions::methods,
        questions::waits,
        questions::stats,
        questions::problems,
    ];
    for question in questions {
        let _any = question(&views, selection);
    }
    for (weight, direction) in [
        (Weight::Cpu, Direction::TopDown),
        (Weight::Wait, Direction::Callers),
        (Weight::Ready, Direction::TopDown),
    ] {
        let options = StackOptions {
            weight,
            direction,
            cutoff_percent: 0.5,
            collapse: weight == Weight::Cpu,
            per_process: weight == Weight::Wait,
        };
        let _any = questions::stacks(&views, selection, &options);
        let options = TimelineOptions {
            slices: 60,
            series: 5,
            weight,
            slice_ns: None,
        };
        let _any = questions::timeline(&views, selection, &options);
    }
}

#[test]
fn no_numbers_make_a_question_panic() {
    let selections = [
        Selection::default(),
        Selection {
            processes: Some(NamePattern::parse("main;!elf;7")),
            methods: Some(MethodPattern::parse("*a*")),
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
