//! Why work on a recording ended early, and what to do about it.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use whyslow_files::cause::{self, plain, without_number};

/// What kind of error it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is no such file.
    NotFound,
    /// The operating system refused to read.
    Unreadable,
    /// The file is not a recording, or not of a kind that can be read.
    NotARecording,
    /// The file is damaged.
    Damaged,
    /// The recording is empty.
    Empty,
    /// An archive cannot be unpacked: it is encrypted, or packed by an unknown method.
    Packed,
    /// More would be unpacked than is allowed.
    TooLarge {
        /// Size of the recordings in the archive.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// Files that were to be read as one recording do not belong together.
    NotTogether,
    /// The output cannot be written.
    Unwritable,
    /// The selection has no meaning for this recording.
    Selection,
    /// The work was asked to stop; no incomplete output is left.
    Interrupted,
}

/// Why work on a recording ended early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot {action}: {cause}")]
pub struct Error {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// The action that failed, such as `read perf.data`.
    pub action: Box<str>,
    /// The file or directory.
    pub path: PathBuf,
    /// Where in the file, in bytes.
    pub offset: Option<u64>,
    /// Why.
    pub cause: Box<str>,
    /// What the user can do.
    pub hint: Option<Box<str>>,
}

impl Error {
    /// Returns the error that `action` failed on `path` because of `cause`.
    pub fn new(kind: ErrorKind, action: impl Display, path: &Path, cause: impl Display) -> Self {
        Self {
            kind,
            action: action.to_string().into(),
            path: path.to_owned(),
            offset: None,
            cause: without_number(&cause.to_string()).into(),
            hint: None,
        }
    }

    /// Returns the error that the system failed to do `action` to `path`, with the matching remedy.
    pub fn io(kind: ErrorKind, action: impl Display, path: &Path, error: &io::Error) -> Self {
        Self {
            hint: match kind {
                ErrorKind::Unreadable => cause::hint_on_reading(error).map(Into::into),
                _ => cause::hint(error).map(Into::into),
            },
            ..Self::new(kind, action, path, plain(error))
        }
    }

    /// Returns the error for work that the watcher stopped.
    pub fn interrupted(path: &Path) -> Self {
        Self::new(ErrorKind::Interrupted, "go on", path, "interrupted")
    }

    /// Returns the error with something the user can do.
    #[must_use]
    pub fn hint(mut self, hint: impl Display) -> Self {
        self.hint = Some(hint.to_string().into());
        self
    }

    /// Returns the error with a place in the file.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }
}
