//! Why an experiment could not begin, or had to end without a result.

use std::io;
use std::path::{Path, PathBuf};

/// Why an experiment could not be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The directory holds something already.
    #[error("{} is not empty", .dir.display())]
    NotEmpty {
        /// The directory.
        dir: PathBuf,
    },
    /// Nothing was asked for.
    #[error("there is nothing to measure: the count is 0")]
    NothingToDo,
    /// More operations than their measurements have room for.
    #[error(
        "{count} operations need {needed} bytes of memory to be kept, and {available} are free"
    )]
    TooMany {
        /// Operations.
        count: u64,
        /// Bytes they need.
        needed: u64,
        /// Bytes there are.
        available: u64,
    },
    /// The options do not fit the case.
    #[error("{0}")]
    Options(String),
    /// The system refused something around the measurement.
    #[error("cannot {what} {}: {source}", .path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A worker process ended without its measurements.
    #[error("worker {worker} ended without its measurements: {why}")]
    Worker {
        /// Which one, from 0.
        worker: u32,
        /// Why, as far as known.
        why: String,
    },
    /// A file server did not do what it was asked.
    #[error(transparent)]
    Remote(crate::remote::Fault),
    /// The user stopped before anything was measured.
    #[error("interrupted before anything was measured")]
    Interrupted,
}

impl From<crate::remote::Fault> for Error {
    fn from(fault: crate::remote::Fault) -> Self {
        match fault {
            crate::remote::Fault::Interrupted => Self::Interrupted,
            fault => Self::Remote(fault),
        }
    }
}

impl Error {
    /// Returns what turns an error of the system into one of ours.
    pub(crate) fn io<E: Into<io::Error>>(
        what: &'static str,
        path: &Path,
    ) -> impl FnOnce(E) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            what,
            path,
            source: source.into(),
        }
    }
}
