//! Further passes: if the machine may have caused a curve, the experiment is repeated.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::bench::Context;
use crate::case::Case;
use crate::checks::{Once, check};
use crate::error::Error;
use crate::measuring::{BYTES_PER_OPERATION, SHARE_OF_MEMORY};
use crate::options::Options;
use whyslow_series::{Run, summary::in_doubt};

/// A machine that is slow stays so for a while: short passes are at least this far apart.
const APART: Duration = Duration::from_millis(200);

/// Makes the first pass with `once`, and further ones as long as a series is in doubt, there is time,
/// and the options allow it; then checks what the laws predict.
pub(crate) fn passes(
    case: &Case,
    options: &Options,
    context: Context<'_>,
    runs: &mut Vec<Run>,
    once: &Once<'_>,
) -> Result<(), Error> {
    let (before, begin) = (runs.len(), Instant::now());
    once(options, context, runs)?;
    let took = begin.elapsed();
    for pass in 2..=options.passes {
        let doubt = runs.iter().skip(before).any(in_doubt);
        let late = begin.elapsed() + took > options.budget;
        if !doubt || late || context.stopped() || !fits(runs.iter().skip(before)) {
            break;
        }
        sleep(APART.saturating_sub(took));
        let tell = |what: &str| (context.tell)(&format!("{what}, pass {pass} to make sure"));
        let again = Context {
            tell: &tell,
            ..context
        };
        let mut more = Vec::new();
        let done = once(options, again, &mut more);
        let mut new: Vec<&mut Run> = runs.iter_mut().skip(before).collect();
        for one in more {
            let same = |run: &&mut Run| run.setup.is_like(&one.setup);
            if let Some(at) = new.iter().position(same) {
                take(new.remove(at), one);
            }
        }
        // The first pass is complete, whatever happens to a further one.
        if let Err(error) = done {
            if !matches!(error, Error::Interrupted) {
                let note = format!("It could not be repeated: {}.", error.plain());
                runs.iter_mut()
                    .skip(before)
                    .for_each(|run| run.notes.push(note.clone()));
            }
            return Ok(());
        }
    }
    let new = runs.get_mut(before..).unwrap_or_default();
    check(case, options, context, new, begin, once);
    Ok(())
}

/// Returns whether there is memory for as many operations again.
fn fits<'a>(runs: impl Iterator<Item = &'a Run>) -> bool {
    let operations: usize = runs.map(|run| run.first.operations.len()).sum();
    let needed = u64::try_from(operations)
        .unwrap_or(u64::MAX)
        .saturating_mul(BYTES_PER_OPERATION);
    needed <= crate::memory::free().unwrap_or(u64::MAX) / SHARE_OF_MEMORY
}

/// Lets `run` take a further pass, unless that ended long before the first: then its sizes say too little.
fn take(run: &mut Run, pass: Run) {
    if run.left.is_none() {
        run.left = pass.left;
    }
    if pass.first.operations.len() * 10 >= run.first.operations.len() * 9 {
        run.repeats.push(pass.first);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use whyslow_law::Law;
    use whyslow_series::run::gather;
    use whyslow_series::summary::judged;
    use whyslow_series::{Ending, Measured, Setup, Words};

    const FILES: u64 = 1_000;

    /// Returns a run of `count` creates with these durations.
    pub(crate) fn run(count: u64, duration: impl Fn(u64) -> u64) -> Run {
        let mut start_ns = 1_000;
        let operations = (0..count).map(|at| {
            let one = Measured {
                start_ns,
                duration_ns: duration(at),
                result: 0,
                count: 0,
            };
            start_ns += one.duration_ns;
            one
        });
        let words = Words::new("create", "Creating a file", "files");
        gather(
            vec![(operations.collect(), Ending::Done)],
            Setup::new(words, count),
        )
    }

    /// Returns how many passes are made of which each has a step where `steps` says so, and its law.
    fn made(most: u32, steps: impl Fn(u32) -> bool, count: impl Fn(u32) -> u64) -> (u32, Run) {
        let options = Options {
            passes: most,
            budget: Duration::from_secs(59),
            ..Options::default()
        };
        let stop = AtomicBool::new(false);
        let context = Context {
            program: Path::new("/"),
            stop: &stop,
            tell: &|_| {},
        };
        let done = Cell::new(0);
        let mut runs = Vec::new();
        let made = passes(&Case::PLAIN, &options, context, &mut runs, &|_, _, runs| {
            done.set(done.get() + 1);
            let pass = done.get();
            let slow = |at: u64| steps(pass) && at > FILES / 2;
            let cost = |at: u64| if slow(at) { 30_000 } else { 10_000 };
            runs.push(run(count(pass), cost));
            Ok(())
        });
        made.expect("nothing fails");
        (done.get(), runs.remove(0))
    }

    #[test]
    fn what_is_clear_is_made_once_and_what_is_not_until_the_passes_agree() {
        let all = |_| FILES;
        let (passes, _) = made(7, |_| false, all);
        assert_eq!(passes, 1, "constant");
        let (passes, step) = made(7, |_| true, all);
        assert_eq!(passes, 3, "each shows it");
        let judgement = judged(&step);
        assert!(matches!(judgement.law, Law::Steps(_)), "{judgement:?}");
        let (passes, once) = made(7, |pass| pass == 1, all);
        assert_eq!(passes, 3, "two of three do not show it");
        assert_eq!(judged(&once).law, Law::Constant);
        assert!(matches!(judged(&once).one_pass, Some(Law::Steps(_))));
        let (passes, step) = made(1, |_| true, all);
        assert_eq!((passes, step.repeats.len()), (1, 0), "as the user wants");
    }

    #[test]
    fn a_pass_that_ended_long_before_the_first_says_nothing() {
        let (_, run) = made(7, |_| true, |pass| if pass == 2 { 100 } else { FILES });
        let lengths = run.repeats.iter().map(|pass| pass.operations.len());
        assert!(lengths.clone().count() >= 2);
        assert!(lengths.min() >= Some(900));
    }

    #[test]
    fn what_cannot_be_made_again_keeps_its_first_pass() {
        let options = Options {
            passes: 7,
            budget: Duration::from_secs(59),
            ..Options::default()
        };
        let (stop, done) = (AtomicBool::new(false), Cell::new(0));
        let context = Context {
            program: Path::new("/"),
            stop: &stop,
            tell: &|_| {},
        };
        let mut runs = Vec::new();
        passes(&Case::PLAIN, &options, context, &mut runs, &|_, _, runs| {
            done.set(done.get() + 1);
            if done.get() == 2 {
                return Err(Error::NothingToDo);
            }
            // Two series of one name, each with a step.
            for _ in 0..2 {
                runs.push(run(FILES, |at| if at < 500 { 10_000 } else { 30_000 }));
            }
            Ok(())
        })
        .expect("the first pass is whole");
        assert_eq!((done.get(), runs.len()), (2, 2));
        let notes = runs.iter().flat_map(|run| &run.notes);
        let notes: Vec<_> = notes
            .filter(|note| note.starts_with("It could not be repeated"))
            .collect();
        assert_eq!(notes.len(), 2, "{runs:?}");
    }
}
