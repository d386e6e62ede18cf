//! What cases work with: the options, the place to work, the program around them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use whyslow_share::Access;

pub use crate::filled::Filled;
use crate::operation::Limits;
use crate::options::Options;
use crate::place::Ground;

/// What an experiment runs in.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Our own program, for workers and started processes.
    pub program: &'a Path,
    /// Whether the user asked to stop.
    pub stop: &'a AtomicBool,
    /// Hears what is done next.
    pub tell: &'a dyn Fn(&str),
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut all = out.debug_struct("Context");
        all.field("program", &self.program)
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

impl Context<'_> {
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Where and how much a case measures in a directory.
#[derive(Debug, Clone, Copy)]
pub struct Bench<'a> {
    /// What is asked.
    pub options: &'a Options,
    /// Where it works.
    pub ground: &'a Ground,
    /// What it runs in.
    pub context: Context<'a>,
    /// A directory that is filled once for all.
    pub filled: &'a Filled,
}

/// Where and how much a case measures on a share that this thread can reach.
#[derive(Debug, Clone, Copy)]
pub struct ShareBench<'a> {
    /// What is asked.
    pub options: &'a Options,
    /// How to get to the share.
    pub access: &'a Access,
    /// What it runs in.
    pub context: Context<'a>,
}

impl Options {
    /// Returns the limits of a series.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            count: self.count,
            budget: self.budget,
        }
    }
}
