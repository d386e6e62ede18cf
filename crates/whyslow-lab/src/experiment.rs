//! One experiment in a directory: its series one after the other, each in a new place, each with its first
//! sizes measured again at the end; and all of it once more where that leaves a doubt.

use crate::bench::{Bench, Context, Filled};
use crate::case::Case;
use crate::error::{Error, errno_text, exited};
use crate::operation::{Ending, own_ns};
use crate::options::Options;
use crate::passes::passes;
use crate::place::Ground;
use crate::run::Run;
use crate::system;

/// Makes the experiment `case` on `ground`; `runs` gets its series, also those that ended early, and
/// those before an error.
///
/// # Errors
/// When something around the measurements failed, or the options make no sense.
pub fn experiment(
    case: &Case,
    options: &Options,
    ground: &Ground,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    case.check(options)?;
    let (filled, before) = (Filled::default(), runs.len());
    let done = passes(case, options, context, runs, &|options, context, runs| {
        let bench = Bench {
            options,
            ground,
            context,
            filled: &filled,
        };
        once(case, &bench, runs)
    });
    (context.tell)("removing what was made");
    let left = filled.remove().err().map(|error| error.plain());
    if let Some(run) = runs
        .iter_mut()
        .skip(before)
        .last()
        .filter(|_| left.is_some())
    {
        run.left = left;
    }
    done
}

/// One pass over all series of an experiment.
fn once(case: &Case, bench: &Bench<'_>, runs: &mut Vec<Run>) -> Result<(), Error> {
    let before = runs.len();
    let done = (case.measure)(bench, runs);
    let driver = case
        .needs_directory
        .then(|| system::driver(bench.ground.dir()))
        .flatten();
    let own = own_ns();
    for run in runs.iter_mut().skip(before) {
        run.driver.clone_from(&driver);
        run.own_ns = if run.measured_here { own } else { 0 };
    }
    let mut new = runs.split_off(before);
    let idle = |run: &Run| run.operations.iter().all(|(_, one)| one.result != 0);
    let why = new
        .iter()
        .find(|run| idle(run))
        .map(|run| (run.ending, run.words, run.at_n()));
    if new.iter().all(idle) {
        new.clear();
    }
    runs.extend(new.into_iter().filter(|run| !run.operations.is_empty()));
    match done {
        // What was measured before is whole.
        Err(Error::Interrupted) if runs.len() > before => {}
        done => done?,
    }
    match why {
        _ if runs.len() > before => Ok(()),
        Some((Ending::Failed(errno), words, _)) => Err(Error::First {
            doing: words.doing,
            why: errno_text(errno),
        }),
        Some((Ending::Full(limit), words, _)) => Err(Error::First {
            doing: words.doing,
            why: format!("a limit is reached ({})", limit.name()),
        }),
        Some((Ending::Exited(code), words, at)) => Err(Error::First {
            doing: words.doing,
            why: exited(code) + &at,
        }),
        Some((Ending::Budget, ..)) => Err(Error::Options(
            "the time budget ended before anything was measured".to_owned(),
        )),
        _ => Err(Error::Interrupted),
    }
}
