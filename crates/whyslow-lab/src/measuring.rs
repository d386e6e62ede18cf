//! How a run is measured: alone in this process, its first sizes again, and what is left of its place.

use std::time::Duration;

use whyslow_series::{Ending, Run, Setup, run::gather};

use crate::account::Account;
use crate::bench::Context;
use crate::error::Error;
use crate::limit;
use crate::operation::{Limits, Operation, measure, room};
use crate::options::Options;
use crate::place::Place;

/// The most memory that measurements take, as a share of what is free.
pub(crate) const SHARE_OF_MEMORY: u64 = 4;

/// Bytes an operation takes while it is measured, sorted and judged.
pub(crate) const BYTES_PER_OPERATION: u64 = 96;

/// Finds out which limit of the system that `place` is on ended `run`, if one did.
pub(crate) fn find_limit(run: &mut Run, place: &Place) {
    if let Ending::Failed(errno) = run.ending {
        run.ending = limit::of(errno, place.fd()).map_or(run.ending, Ending::Full);
    }
}

/// Removes the place that `run` worked in, and keeps what stays.
pub(crate) fn remove(run: &mut Run, place: Place) {
    run.left = place.remove().err().map(|error| error.plain());
}

/// Returns how many operations are measured again at the end of `count`.
fn again_count(count: usize) -> u64 {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    (count / 20).clamp(10, 2_000).min(count)
}

/// Returns the limits of a second look.
pub(crate) fn again_limits(done: usize, budget: Duration) -> Limits {
    Limits {
        count: again_count(done),
        budget: budget / 10,
    }
}

/// Lets `pass` measure the first sizes of `run` again; where it cannot, the run says so.
pub(crate) fn look_again(
    run: &mut Run,
    options: &Options,
    context: Context<'_>,
    pass: impl FnOnce(Limits) -> Result<Run, Error>,
) {
    if context.stopped() {
        return;
    }
    match pass(again_limits(run.first.operations.len(), options.budget)) {
        Ok(again) => run.first.again = again.first.into_measured(),
        Err(error) => {
            let why = error.plain();
            run.notes.push(format!(
                "The first sizes could not be measured again: {why}."
            ));
        }
    }
}

/// Measures `operation` in this process.
pub(crate) fn alone(
    operation: &mut dyn Operation,
    setup: Setup,
    limits: Limits,
    context: Context<'_>,
) -> Run {
    let mut log = room(limits.count);
    let account = Account::now();
    let ending = measure(operation, limits, context.stop, &mut log);
    let spent = account.spent();
    let mut run = gather(vec![(log, ending)], setup);
    run.first.spent = Some(spent);
    run
}
