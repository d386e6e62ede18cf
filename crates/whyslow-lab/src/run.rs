//! A run: the operations of one way of doing it, and how they were gathered.

use std::time::Duration;

use crate::bench::Context;
use crate::error::Error;
use crate::limit::Limit;
use crate::operation::{Ending, Limits, Measured, Operation, measure};
use crate::options::Options;
use crate::place::Place;
use crate::words::Words;

/// The most memory that measurements take, as a share of what is free.
pub(crate) const SHARE_OF_MEMORY: u64 = 4;

/// Bytes an operation takes while it is measured, sorted and judged.
pub(crate) const BYTES_PER_OPERATION: u64 = 96;

/// The operations of one way of doing it, on one system.
#[derive(Debug, Clone)]
pub struct Run {
    /// The way, as `linear`; empty where there is only one.
    pub arm: String,
    /// The system, as the user calls it.
    pub system: String,
    /// The file system's driver, where one matters.
    pub driver: Option<String>,
    /// Its words.
    pub words: Words,
    /// The operations in the order of their starts, each with its worker.
    pub operations: Vec<(u32, Measured)>,
    /// The size each operation met.
    pub n: Vec<f64>,
    /// The first sizes, measured again at the end; empty where that was not done.
    pub again: Vec<Measured>,
    /// Further passes, where the first left a doubt.
    pub repeats: Vec<Pass>,
    /// The largest size and sizes beyond it, and what an operation cost there, in nanoseconds: measured to check
    /// what the law predicts.
    pub beyond: Vec<(f64, f64)>,
    /// Operations that were asked for.
    pub asked: u64,
    /// Why it ended.
    pub ending: Ending,
    /// Processes or threads.
    pub workers: u32,
    /// Files that were there from the beginning.
    pub prefilled: u64,
    /// Bytes each operation wrote.
    pub bytes: u64,
    /// What else is to be said about it, in sentences.
    pub notes: Vec<String>,
    /// What measuring added to each operation, in nanoseconds; 0 where they were not measured here.
    pub own_ns: u64,
    /// Whether the operations were timed here, and not by the command that they are of.
    pub measured_here: bool,
    /// What stayed that should have been removed, and why.
    pub left: Option<String>,
}

impl Run {
    /// Returns what it is called: operation, way, system, driver.
    pub fn title(&self) -> String {
        let mut title = self.words.operation.to_owned();
        if !self.arm.is_empty() {
            title += &format!(", {}", self.arm);
        }
        match &self.driver {
            Some(driver) if *driver == self.system => title + &format!(", on {driver}"),
            Some(driver) => title + &format!(", on {} ({driver})", self.system),
            None => title,
        }
    }

    /// Returns the durations of all operations, in nanoseconds.
    pub fn durations(&self) -> Vec<u64> {
        let operations = self.operations.iter();
        operations.map(|(_, one)| one.duration_ns).collect()
    }

    /// Finds out which limit of the system that `place` is on ended it, if one did.
    pub(crate) fn find_limit(&mut self, place: &Place) {
        if let Ending::Failed(errno) = self.ending {
            self.ending = Limit::of(errno, place.fd()).map_or(self.ending, Ending::Full);
        }
    }

    /// Returns whether its command failed: what the user runs is wrong then, and no limit was found.
    pub fn command_failed(&self) -> bool {
        matches!(self.ending, Ending::Exited(_))
            || self.words.operation == "command" && matches!(self.ending, Ending::Failed(_))
    }

    /// Returns whether an operation failed, so that it could not continue.
    pub fn has_failed(&self) -> bool {
        matches!(
            self.ending,
            Ending::Failed(_) | Ending::Full(_) | Ending::Exited(_)
        )
    }

    /// Returns the size at which it ended, for the end of a sentence.
    pub(crate) fn at_n(&self) -> String {
        let last = self.n.last();
        last.map(|n| format!(" at n = {n}")).unwrap_or_default()
    }

    /// Returns the run as the way `arm`.
    pub(crate) fn named(mut self, arm: &str) -> Self {
        arm.clone_into(&mut self.arm);
        self
    }
}

/// Removes a place; what stays is noted with the last run.
pub(crate) fn finish(place: Place, runs: &mut [Run]) {
    let left = place.remove().err().map(|error| error.plain());
    if let Some(run) = runs.last_mut() {
        run.left = left;
    }
}

/// A further pass over the sizes of a run.
#[derive(Debug, Clone)]
pub struct Pass {
    /// Its operations, each with its worker.
    pub operations: Vec<(u32, Measured)>,
    /// The size each met.
    pub n: Vec<f64>,
    /// The first sizes, measured again at its end.
    pub again: Vec<Measured>,
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
    match pass(again_limits(run.operations.len(), options.budget)) {
        Ok(again) => run.again = again.operations.into_iter().map(|(_, one)| one).collect(),
        Err(error) => {
            let why = error.plain();
            run.notes.push(format!(
                "The first sizes could not be measured again: {why}."
            ));
        }
    }
}

/// Measures `operation` in this process, as a run without an arm.
pub(crate) fn alone(
    operation: &mut dyn Operation,
    words: Words,
    limits: Limits,
    context: Context<'_>,
) -> Run {
    let mut log = Vec::new();
    let ending = measure(operation, limits, context.stop, &mut log);
    gather(vec![(log, ending)], words, limits.count)
}

/// Returns what workers measured as one run; *n* counts from 1.
pub(crate) fn gather(workers: Vec<(Vec<Measured>, Ending)>, words: Words, asked: u64) -> Run {
    let endings = workers.iter().map(|(_, ending)| *ending);
    let ending = endings.max_by_key(|ending| severity(*ending));
    let count = u32::try_from(workers.len()).unwrap_or(u32::MAX);
    let mut operations: Vec<(u32, Measured)> = Vec::new();
    for (worker, (log, _)) in (0..).zip(workers) {
        operations.extend(log.into_iter().map(|one| (worker, one)));
    }
    operations.sort_by_key(|(_, one)| one.start_ns);
    let n = (1..=operations.len()).map(whyslow_law::count).collect();
    Run {
        arm: String::new(),
        system: String::new(),
        driver: None,
        words,
        operations,
        n,
        again: Vec::new(),
        repeats: Vec::new(),
        asked,
        ending: ending.unwrap_or(Ending::Done),
        workers: count,
        prefilled: 0,
        bytes: 0,
        notes: Vec::new(),
        own_ns: 0,
        measured_here: true,
        left: None,
        beyond: Vec::new(),
    }
}

fn severity(ending: Ending) -> u8 {
    match ending {
        Ending::Done => 0,
        Ending::Budget => 1,
        Ending::Failed(_) | Ending::Full(_) | Ending::Exited(_) => 2,
        Ending::Interrupted => 3,
    }
}
