//! The cases: what is repeated, what *n* counts, and which ways are compared.

pub(crate) mod command;
pub(crate) mod files;
pub(crate) mod settings;
pub(crate) mod starts;
pub(crate) mod writing;

use std::ffi::OsString;
use std::time::Duration;

pub use starts::{START, start};
pub use writing::Strategy;

use crate::shortnames::Generation;

/// A kind of experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// Creates files in one directory, then deletes them.
    Create,
    /// Creates and renames files in one directory.
    Rename,
    /// Reads the status of files in a growing directory.
    Stat,
    /// Opens files in a growing directory.
    Open,
    /// Lists a growing directory.
    List,
    /// Finds short names for new files.
    ShortNames,
    /// Reads settings: reopening the file for each, against reading it once.
    Reopen,
    /// Starts processes that look for a free log name.
    Probe,
    /// Starts processes from a growing parent.
    Spawn,
    /// Writes files with one thread or several.
    Write,
    /// Runs a command with growing numbers.
    Command,
}

/// What is asked of an experiment.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Operations per series.
    pub count: u64,
    /// Time per series.
    pub budget: Duration,
    /// Passes at most: further ones where the first leaves a doubt, and `budget` allows them.
    pub passes: u32,
    /// Processes per series of [`Case::Create`], [`Case::Rename`], [`Case::Stat`], [`Case::Open`];
    /// empty measures in this process.
    pub jobs: Vec<u32>,
    /// Files that are there from the beginning.
    pub prefill: u64,
    /// Who gives new names a short one, in [`Case::Create`], [`Case::Rename`] and [`Case::ShortNames`],
    /// each a way of its own; `None` is nobody.
    pub short_names: Vec<Option<Generation>>,
    /// Threads of [`Case::Write`].
    pub threads: Vec<u32>,
    /// How [`Case::Write`] shares its files out; empty for every way.
    pub strategies: Vec<Strategy>,
    /// Bytes per file of [`Case::Write`].
    pub size: u64,
    /// Bytes the parent of [`Case::Spawn`] has at the end; 0 for one that does not grow.
    pub memory: u64,
    /// Open files the parent of [`Case::Spawn`] has more than usual.
    pub descriptors: u32,
    /// The command of [`Case::Command`].
    pub command: Vec<OsString>,
    /// The numbers of [`Case::Command`], not falling.
    pub numbers: Vec<u64>,
    /// Nanoseconds of the unit in which the command prints durations; `None` times it instead.
    pub printed_unit_ns: Option<f64>,
}

/// The words of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// What is done, as one word: `create`.
    pub operation: &'static str,
    /// What is done, to begin a sentence: `Creating a file`.
    pub doing: &'static str,
    /// What *n* counts: `files`.
    pub things: &'static str,
    /// What the operations' own counts count; `None` where they have none.
    pub counts: Option<&'static str>,
}

impl Words {
    pub(crate) const fn new(
        operation: &'static str,
        doing: &'static str,
        things: &'static str,
    ) -> Self {
        Self {
            operation,
            doing,
            things,
            counts: None,
        }
    }

    pub(crate) const fn counting(mut self, counts: &'static str) -> Self {
        self.counts = Some(counts);
        self
    }
}

impl Case {
    /// Returns the words of its series.
    pub fn words(self) -> Words {
        match self {
            Self::Create => Words::new("create", "Creating a file", "files"),
            Self::Rename => Words::new("rename", "Creating and renaming a file", "files"),
            Self::Stat => Words::new("stat", "Reading the status of a file", "files"),
            Self::Open => Words::new("open", "Opening a file", "files"),
            Self::List => Words::new("list", "Listing the directory", "files").counting("entries"),
            Self::ShortNames => {
                Words::new("shortnames", "Creating a file and its short name", "files")
                    .counting("probes")
            }
            Self::Reopen => {
                Words::new("reopen", "Reading a setting", "settings").counting("system calls")
            }
            Self::Probe => Words::new("probe", "Starting a process", "starts").counting("probes"),
            Self::Spawn => Words::new("spawn", "Starting a process", "starts"),
            Self::Write => Words::new("write", "Writing a file", "files"),
            Self::Command => Words::new("command", "A run of the command", "units of n"),
        }
    }

    /// Returns whether it works with files in a directory.
    pub fn has_files(self) -> bool {
        !matches!(self, Self::Spawn | Self::Command)
    }

    /// Returns the operations per series where the user names no number.
    pub fn usual_count(self) -> u64 {
        match self {
            Self::Create | Self::Rename | Self::Stat | Self::Open => 50_000,
            Self::List => 20_000,
            Self::ShortNames => 100_000,
            Self::Reopen => 3_000,
            Self::Probe => 1_000,
            Self::Spawn => 500,
            Self::Write => 500,
            Self::Command => 100,
        }
    }
}

/// Deleting, the second series of [`Case::Create`].
pub(crate) const DELETING: Words = Words::new("delete", "Deleting a file", "deleted files");

/// Starting from a parent that grows.
pub(crate) const GROWING: Words = Words::new("spawn", "Starting a process", "MB of the parent");

/// Finding short names that are not written anywhere.
pub(crate) const SIMULATED: Words =
    Words::new("shortnames", "Finding a free short name", "files").counting("probes");

/// What a command printed.
pub(crate) const PRINTED: Words =
    Words::new("command", "An operation of the command", "operations");
