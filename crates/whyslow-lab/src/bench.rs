//! What cases work with: the options, the place to work, the program around them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;
use crate::operation::Limits;
use crate::options::Options;
use crate::place::Ground;
use crate::store::{Base, Store};
use whyslow_series::{Setup, Words};

/// What an experiment runs in.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Our own program, for workers and started processes.
    pub program: &'a Path,
    /// Whether the user asked to stop.
    pub stop: &'a AtomicBool,
    /// Receives what is done next.
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

/// Where and how much a case measures.
#[derive(Debug, Clone, Copy)]
pub struct Bench<'a> {
    /// What is asked.
    pub options: &'a Options,
    /// What it runs in.
    pub context: Context<'a>,
    /// Where its files are.
    pub(crate) store: &'a dyn Store,
    /// The name of that place.
    pub(crate) place: Placed<'a>,
    /// What measuring adds to each operation, in nanoseconds.
    pub(crate) own_ns: u64,
}

/// Operations whose time contains the creation of a file.
const CREATING: [&str; 3] = ["create", "rename", "write"];

/// The name of the place in which an experiment is made.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Placed<'a> {
    /// The system, as the user calls it; empty where none matters.
    pub(crate) system: &'a str,
    /// The file system's driver, where one matters.
    pub(crate) driver: Option<&'a str>,
    /// Whether creating a file there passes over files that were deleted in the last minutes.
    pub(crate) skips_deleted: bool,
}

impl<'a> Bench<'a> {
    /// Returns how a series with these words is made here, in this process, with as many operations as are asked for.
    pub(crate) fn setup(&self, words: Words) -> Setup {
        Setup {
            system: self.place.system.to_owned(),
            driver: self.place.driver.map(str::to_owned),
            own_ns: Some(self.own_ns),
            skips_deleted: self.place.skips_deleted && CREATING.contains(&words.operation),
            ..Setup::new(words, self.options.count)
        }
    }

    /// Returns the directory of this machine that it works in.
    ///
    /// # Errors
    /// When it works on a share.
    pub(crate) fn ground(&self) -> Result<&'a Ground, Error> {
        match self.store.base() {
            Base::Ground(ground) => Ok(ground),
            Base::Share(_) => Err(no_share()),
        }
    }
}

/// Returns the error of a case that makes no sense on a share.
pub(crate) fn no_share() -> Error {
    Error::Options("this case uses no files that a share could hold".to_owned())
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
