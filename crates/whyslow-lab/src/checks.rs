//! Laws that predict something, checked: what lies beyond the series is measured, where the time allows.

use std::time::{Duration, Instant};

use whyslow_law::Law;

use crate::bench::Context;
use crate::case::Case;
use crate::error::Error;
use crate::options::Options;
use whyslow_series::{
    Ending, Run,
    summary::{judged, real},
};

/// How many times the largest size is looked at, the better first.
const TIMES: [u64; 2] = [4, 2];

/// Most operations that determine the cost at a size.
const MOST_AT_SIZE: usize = 400;

/// The same at least.
const LEAST_AT_SIZE: usize = 3;

/// Sizes that differ by less than this share are the same, …
const SAME_SIZE: f64 = 0.03;

/// … or by this, where there are few.
const ABOUT_SAME_SIZE: f64 = 0.1;

/// One pass over all series of an experiment.
pub(crate) type Once<'a> = dyn Fn(&Options, Context<'_>, &mut Vec<Run>) -> Result<(), Error> + 'a;

/// Measures beyond the sizes of `runs` what their laws predict, if that ends within the budget that began at `begin`.
pub(crate) fn check(
    case: &Case,
    options: &Options,
    context: Context<'_>,
    runs: &mut [Run],
    begin: Instant,
    once: &Once<'_>,
) {
    // Who wants one pass gets one.
    if options.passes < 2 || context.stopped() || !runs.iter().any(wants_check) {
        return;
    }
    let left = options.budget.saturating_sub(begin.elapsed());
    for times in TIMES {
        let Some(larger) = (case.larger)(options, times) else {
            return;
        };
        let each = runs.iter().map(|run| expected(case, run, times));
        if case.check(&larger).is_err() || each.sum::<Duration>() > left {
            continue;
        }
        let tell =
            |what: &str| (context.tell)(&format!("{what}, {times} times as many to check the law"));
        let further = Context {
            tell: &tell,
            ..context
        };
        let mut more = Vec::new();
        // What fails there limits what can be checked, and nothing that was measured before.
        let _failed = once(&larger, further, &mut more);
        for run in runs.iter_mut().filter(|run| wants_check(run)) {
            let same = |one: &&Run| one.setup.is_like(&run.setup);
            if let Some(one) = more.iter().find(same) {
                run.beyond = beyond(run, one, times);
            }
        }
        return;
    }
}

/// Returns whether the law of `run` predicts something that can be looked at.
fn wants_check(run: &Run) -> bool {
    let whole = run.ending == Ending::Done && !run.setup.words.simulated && run.setup.workers == 1;
    whole && run.beyond.is_empty() && judged(run).wants_check()
}

/// Returns how long `run` will take with `times` the sizes.
fn expected(case: &Case, run: &Run, times: u64) -> Duration {
    let factor = real(times);
    let durations = run.first.operations.iter().map(|(_, one)| one.duration_ns);
    let all: f64 = durations.map(real).sum();
    let ns = match judged(run).law {
        Law::Growth(growth) if case.takes_command => {
            let largest = run.first.n.last().copied().unwrap_or(0.0);
            let sizes = [1.0, 2.0, factor].map(|times| growth.at(times * largest));
            real(u64::from(AT_SIZE)) * sizes.iter().sum::<f64>()
        }
        Law::Growth(growth) => {
            let costs = run.first.n.iter().map(|n| growth.at(factor * n));
            factor * costs.sum::<f64>()
        }
        _ => factor * all,
    };
    Duration::from_secs_f64((ns / 1e9).clamp(0.0, 1e9))
}

/// How often a command runs at each size that is checked.
const AT_SIZE: u32 = 3;

/// Returns the numbers that check what a command costs: the largest of `numbers`, twice that, and `times` that.
pub(crate) fn numbers(numbers: &[u64], times: u64) -> Option<Vec<u64>> {
    let largest = *numbers.last()?;
    let mut sizes = vec![
        largest,
        largest.checked_mul(2)?,
        largest.checked_mul(times)?,
    ];
    sizes.dedup();
    let each = sizes.into_iter();
    Some(each.flat_map(|n| (0..AT_SIZE).map(move |_| n)).collect())
}

/// Returns what the operations of `larger` cost at the largest size of `run`, at twice that, and at `times`
/// that.
fn beyond(run: &Run, larger: &Run, times: u64) -> Vec<(f64, f64)> {
    let largest = run.first.n.last().copied().unwrap_or(0.0);
    let mut sizes = vec![largest, 2.0 * largest, real(times) * largest];
    sizes.dedup();
    let at = |size: f64, near: f64| -> Vec<(f64, f64)> {
        let pairs = larger.first.n.iter().zip(&larger.first.operations);
        let pairs =
            pairs.filter(|(n, (_, one))| one.result == 0 && (*n / size - 1.0).abs() <= near);
        let costs = pairs.map(|(_, (_, one))| (size, real(one.duration_ns)));
        costs.take(MOST_AT_SIZE).collect()
    };
    let found = sizes
        .into_iter()
        .flat_map(|size| match at(size, SAME_SIZE) {
            few if few.len() < LEAST_AT_SIZE => at(size, ABOUT_SAME_SIZE),
            costs => costs,
        });
    found.collect()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::cases;
    use crate::passes::passes;
    use crate::passes::tests::run;

    /// Returns the numbers of operations that were measured, and the run.
    fn checked(budget: Duration, cost: impl Fn(u64) -> u64) -> (Vec<u64>, Run) {
        let options = Options {
            count: 2_000,
            passes: 7,
            budget,
            ..Options::default()
        };
        let stop = AtomicBool::new(false);
        let context = Context {
            program: Path::new("/"),
            stop: &stop,
            tell: &|_| {},
        };
        let case = cases::named("create").expect("a case");
        let counts = RefCell::new(Vec::new());
        let mut runs = Vec::new();
        let done = passes(case, &options, context, &mut runs, &|options, _, runs| {
            counts.borrow_mut().push(options.count);
            let mut one = run(options.count, &cost);
            one.first.again = one
                .first
                .operations
                .iter()
                .take(100)
                .map(|(_, one)| *one)
                .collect();
            runs.push(one);
            Ok(())
        });
        done.expect("nothing fails");
        (counts.into_inner(), runs.remove(0))
    }

    #[test]
    fn a_law_is_checked_at_four_times_or_twice_the_size_as_the_budget_allows() {
        // Costs that are far from the budgets, whatever the machine does meanwhile.
        let linear = |at: u64| 100 * (20_000 + 60 * at) + at % 7;
        let (counts, run) = checked(Duration::from_secs(900), linear);
        assert_eq!(counts, [2_000, 8_000]);
        let judgement = judged(&run);
        let sizes: Vec<f64> = judgement.checks.iter().map(|check| check.n).collect();
        assert_eq!(sizes, [4_000.0, 8_000.0]);
        assert!(
            judgement.checks.iter().all(|check| check.holds),
            "{judgement:?}"
        );
        let (counts, run) = checked(Duration::from_secs(140), linear);
        assert_eq!(counts, [2_000, 4_000]);
        assert_eq!(judged(&run).checks.len(), 1);
        let (counts, _) = checked(Duration::from_secs(15), linear);
        assert_eq!(counts, [2_000], "no time is left");
        let (counts, _) = checked(Duration::from_secs(60), |at| 20_000 + at % 7);
        assert_eq!(counts, [2_000], "nothing is predicted");
    }

    #[test]
    fn what_does_not_hold_beyond_the_series_is_no_law() {
        let cap = |at: u64| 100 * (20_000 + 60 * at.min(2_200)) + at % 7;
        let (counts, run) = checked(Duration::from_secs(900), cap);
        assert_eq!(counts, [2_000, 8_000]);
        let judgement = judged(&run);
        assert_eq!(
            (judgement.law.name(), judgement.predicting()),
            ("rise", None)
        );
    }

    #[test]
    fn commands_run_at_the_largest_size_and_beyond() {
        assert_eq!(
            numbers(&[1, 8], 4),
            Some(vec![8, 8, 8, 16, 16, 16, 32, 32, 32])
        );
        assert_eq!(numbers(&[8], 2), Some(vec![8, 8, 8, 16, 16, 16]));
        assert_eq!(numbers(&[u64::MAX], 2), None);
    }
}
