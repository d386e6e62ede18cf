//! Suites: experiments that a file lists, on several systems and with several sizes.

mod file;

pub use file::{MOST_BYTES, PASSES, Wrong};

use std::time::{Duration, Instant};

use crate::bench::Context;
use crate::error::Error;
use crate::options::Units;
use crate::systems::System;
use file::{Entry, Listed};
use whyslow_series::Run;

/// A file to begin with.
pub const EXAMPLE: &str = include_str!("suite/example.toml");

/// Experiments that a file lists.
#[derive(Debug)]
pub struct Suite(Listed);

/// What could not be measured, and why.
#[derive(Debug)]
pub struct Missing {
    /// The experiment, as in the file.
    pub what: String,
    /// Why not.
    pub why: Why,
}

/// Why an experiment of a suite was not measured.
#[derive(Debug, thiserror::Error)]
pub enum Why {
    /// The time of the suite is over.
    #[error("the suite has no time left")]
    TimeIsOver,
    /// This machine lacks what it takes.
    #[error("cannot work on {system}: {lack}")]
    Lacks {
        /// The system.
        system: String,
        /// What is missing.
        lack: String,
    },
    /// It failed.
    #[error("{}", .0.plain())]
    Failed(Error),
}

impl Suite {
    /// Returns the suite of the file with these bytes.
    ///
    /// # Errors
    /// When something in it is wrong.
    pub fn parse(bytes: &[u8], units: Units) -> Result<Self, Wrong> {
        file::parse(bytes, units).map(Self)
    }

    /// Makes all experiments, as far as the time goes; `runs` gets their series. Returns what could not be
    /// measured.
    pub fn run(&self, context: Context<'_>, runs: &mut Vec<Run>) -> Vec<Missing> {
        let units = self.units();
        let end = Instant::now() + self.0.budget;
        let mut missing = Vec::new();
        for (at, (entry, system)) in units.iter().enumerate() {
            if context.stopped() {
                break;
            }
            let left = end.saturating_duration_since(Instant::now());
            let others = u32::try_from(units.len() - at).unwrap_or(u32::MAX);
            if let Err(why) = measure(entry, system, left / others, context, runs) {
                let on = if entry.request.case.needs_directory {
                    format!(" on {}", system.name)
                } else {
                    String::new()
                };
                let what = format!("the case of line {}{on}", entry.line);
                missing.push(Missing { what, why });
            }
        }
        missing
    }

    /// Returns the experiments on one system each; those without files are the same on all.
    fn units(&self) -> Vec<(&Entry, &System)> {
        let mut units = Vec::new();
        for entry in &self.0.entries {
            let all = entry.request.systems.len();
            let needed = if entry.request.case.needs_directory {
                all
            } else {
                1
            };
            let systems = entry.request.systems.iter().take(needed);
            units.extend(systems.map(|system| (entry, system)));
        }
        units
    }
}

/// Measures an experiment on one system within `share` of the time.
fn measure(
    entry: &Entry,
    system: &System,
    share: Duration,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Why> {
    if share < Duration::from_millis(1) {
        return Err(Why::TimeIsOver);
    }
    if let Some(lack) = system.lacks() {
        let system = system.name.clone();
        return Err(Why::Lacks { system, lack });
    }
    let request = &entry.request;
    let mut options = request.options.clone();
    // There must be room for what is measured again, and for removing.
    let series = (request.case.series)(&options).saturating_add(1);
    options.budget = options.budget.min(share / series);
    let done = system.measure(request.case, &options, request.force, context, runs);
    done.map_err(Why::Failed)
}
