//! One experiment: its series one after another, each in a new place, each with its first
//! sizes measured again at the end; and all of it once more if doubt remains.

use whyslow_share::Server;

use crate::bench::{Bench, Context, Placed, no_share};
use crate::case::Case;
use crate::error::Error;
use crate::operation::own_ns;
use crate::options::Options;
use crate::passes::passes;
use crate::place::Ground;
use crate::store::{LocalStore, ShareStore, Store};
use crate::system::{driver, skips_deleted};
use whyslow_series::{
    Ending, Run,
    failure::{errno_text, exited},
};

/// Where an experiment is made.
#[derive(Debug, Clone, Copy)]
pub enum Host<'a> {
    /// In a directory of this machine.
    Here(&'a Ground),
    /// On the share of a server.
    Share(&'a Server),
}

/// Makes the experiment `case` on `host`, which the user calls `system`; `runs` gets its series, also those that ended early, and those before an
/// error.
///
/// # Errors
/// When something around the measurements failed, the server is gone, the options make no sense, or the case makes none
/// on a share.
pub fn experiment(
    case: &Case,
    options: &Options,
    (system, host): (&str, Host<'_>),
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    case.check(options)?;
    let before = runs.len();
    let (store, driver, _inside): (Box<dyn Store + '_>, _, _) = match host {
        Host::Here(ground) => {
            let driver = case.needs_directory.then(|| driver(ground.dir()));
            (Box::new(LocalStore::new(ground)), driver.flatten(), None)
        }
        Host::Share(_) if !case.on_shares => return Err(no_share()),
        Host::Share(server) => {
            let inside = server.enter()?;
            let store = ShareStore::new(server.access(), context.stop);
            let software = server.software().to_owned();
            (Box::new(store), Some(software), Some(inside))
        }
    };
    let skips_deleted = match host {
        Host::Here(ground) => case.needs_directory && skips_deleted(ground.dir()),
        Host::Share(_) => false,
    };
    // What a pass made stays on a share until its server goes: much content, once.
    let stays = matches!(host, Host::Share(_)) && (case.is_heavy)(options);
    let options = &Options {
        passes: if stays { 1 } else { options.passes },
        ..options.clone()
    };
    let done = passes(case, options, context, runs, &|options, context, runs| {
        let bench = Bench {
            options,
            context,
            store: &*store,
            place: Placed {
                system: if case.needs_directory { system } else { "" },
                driver: driver.as_deref(),
                skips_deleted,
            },
            own_ns: own_ns(),
        };
        once(case, &bench, runs)
    });
    (context.tell)("removing what was made");
    let left = store.remove().err().map(|error| error.plain());
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
    let mut new = runs.split_off(before);
    let idle = |run: &Run| run.first.operations.iter().all(|(_, one)| one.result != 0);
    let why = new
        .iter()
        .find(|run| idle(run))
        .map(|run| (run.ending, run.setup.words, run.at_n()));
    // What a server that is gone, or an interruption, left of the first operation is a result.
    if done.is_ok() && new.iter().all(idle) {
        new.clear();
    }
    runs.extend(
        new.into_iter()
            .filter(|run| !run.first.operations.is_empty()),
    );
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
        Some((Ending::Budget, ..)) => Err(Error::NoTime),
        _ => Err(Error::Interrupted),
    }
}
