//! Why an experiment could not begin, or had to end without a result.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use whyslow_results::grouped;
use whyslow_series::failure::reason;
use whyslow_share::Fault;

/// Why an experiment could not be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The directory holds something already.
    #[error("{} is not empty", .dir.display())]
    NotEmpty {
        /// The directory.
        dir: PathBuf,
    },
    /// Others can exchange what is made in the directory.
    #[error("{} belongs to another user, or others can write to it", .dir.display())]
    NotPrivate {
        /// The directory.
        dir: PathBuf,
    },
    /// Nothing was asked for.
    #[error("there is nothing to measure: the count is 0")]
    NothingToDo,
    /// More operations than their measurements have room for.
    #[error(
        "keeping {} operations needs {} of memory, but only {} is free",
        grouped(*count), size(*needed), size(*available)
    )]
    TooMany {
        /// Operations.
        count: u64,
        /// Bytes they need.
        needed: u64,
        /// Bytes there are.
        available: u64,
        /// Operations that fit.
        most: u64,
    },
    /// What was asked for does not belong together.
    #[error("{what}")]
    Unfit {
        /// What does not.
        what: String,
        /// What to write instead.
        hint: String,
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
    /// The first operation failed, so nothing was measured.
    #[error("{doing} failed the first time: {why}")]
    First {
        /// What was done, to begin a sentence.
        doing: &'static str,
        /// Why it failed.
        why: String,
    },
    /// A worker process ended without its measurements.
    #[error("worker {worker} ended without reporting its measurements: {why}")]
    Worker {
        /// Which one, from 0.
        worker: u32,
        /// Why, as far as known.
        why: String,
    },
    /// There is no file server.
    #[error(transparent)]
    Server(whyslow_share::Error),
    /// A file server did not do what it was asked.
    #[error(transparent)]
    Remote(Fault),
    /// The time was over before anything was measured.
    #[error("the time budget ended before anything was measured")]
    NoTime,
    /// The user stopped before anything was measured.
    #[error("interrupted before anything was measured")]
    Interrupted,
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Interrupted => Self::Interrupted,
            fault => Self::Remote(fault),
        }
    }
}

impl From<whyslow_share::Error> for Error {
    fn from(error: whyslow_share::Error) -> Self {
        match error {
            whyslow_share::Error::Interrupted => Self::Interrupted,
            error => Self::Server(error),
        }
    }
}

impl Error {
    /// Returns it for the middle of a sentence.
    pub(crate) fn plain(&self) -> String {
        match self {
            Self::Io { what, path, source } => {
                format!("cannot {what} {}: {}", path.display(), reason(source))
            }
            other => other.to_string(),
        }
    }

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

/// Returns an amount of memory in the largest unit that it fills.
pub(crate) fn size(bytes: u64) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"];
    let mut whole = bytes;
    let mut unit = "bytes";
    for next in units {
        if whole < 1000 {
            break;
        }
        (whole, unit) = (whole / 1000, next);
    }
    format!("{whole} {unit}")
}

/// Returns the system's error number, or "no child" where there is none.
pub(crate) fn errno(error: &io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::CHILD)
}
