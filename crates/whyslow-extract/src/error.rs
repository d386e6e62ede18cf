//! Why an extract cannot be written or read, and what to do.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

/// What kind of error it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Something already exists at the place of the extract.
    Exists,
    /// Something is there that is not replaced in any case.
    NotReplaced,
    /// The operating system refused.
    Io,
    /// The disk is full.
    DiskFull,
    /// There is nothing at the path.
    NotFound,
    /// The path is not an extract.
    NotAnExtract,
    /// The extract was written by a newer version.
    NewerSchema,
    /// A file of the extract is damaged.
    Damaged,
}

/// An extract that cannot be written or read.
#[derive(Debug)]
pub struct Error {
    /// The file or directory.
    pub path: PathBuf,
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What happened.
    pub what: String,
    source: Option<io::Error>,
}

impl Error {
    pub(crate) fn new(path: &Path, kind: ErrorKind, what: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            kind,
            what: what.into(),
            source: None,
        }
    }

    pub(crate) fn io(path: &Path, what: &str, source: io::Error) -> Self {
        let kind = match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorKind::DiskFull,
            io::ErrorKind::NotFound => ErrorKind::NotFound,
            _ => ErrorKind::Io,
        };
        Self {
            source: Some(source),
            ..Self::new(path, kind, what)
        }
    }

    /// Turns an error of the Parquet library, which reads a file, into ours: the file is damaged, unless the operating
    /// system refused.
    pub(crate) fn unread(path: &Path, error: ParquetError) -> Self {
        let error = Self::parquet(path, "is damaged", error);
        match &error.source {
            // What unpacks data reports what it does not understand as an error of input and output.
            Some(source) if source.raw_os_error().is_none() => Self {
                kind: ErrorKind::Damaged,
                ..error
            },
            Some(_) => Self {
                what: "cannot read".to_owned(),
                ..error
            },
            None => error,
        }
    }

    /// Turns an error of the Parquet library into ours; I/O errors keep their kind.
    pub(crate) fn parquet(path: &Path, what: &str, error: ParquetError) -> Self {
        if let ParquetError::External(inner) = error {
            return match inner.downcast::<io::Error>() {
                Ok(source) => Self::io(path, what, *source),
                Err(other) => Self::new(path, ErrorKind::Damaged, format!("{what}: {other}")),
            };
        }
        Self::new(path, ErrorKind::Damaged, format!("{what}: {error}"))
    }

    /// Returns what to do about it where an extract was read, in one sentence.
    pub fn hint_on_reading(&self) -> &'static str {
        match self.kind {
            ErrorKind::Io => match self.source.as_ref().map(io::Error::kind) {
                Some(io::ErrorKind::PermissionDenied) => {
                    "read it as its owner, or ask the owner for read access"
                }
                _ => "check the disk, or use a copy of the extract",
            },
            _ => self.hint(),
        }
    }

    /// Returns what to do about it where an extract was written, in one sentence.
    pub fn hint(&self) -> &'static str {
        match self.kind {
            ErrorKind::Exists => "give another place with -o, or replace it with --force",
            ErrorKind::NotReplaced => "give another place with -o",
            ErrorKind::DiskFull => "free some space, or write to another disk with -o DIR",
            ErrorKind::NotFound => "check the path; `whyslow extract TRACE` makes an extract",
            ErrorKind::NotAnExtract => {
                "an extract is a directory NAME.whyslow; make one with `whyslow extract TRACE`"
            }
            ErrorKind::NewerSchema => {
                "update whyslow, or extract the trace again with this version"
            }
            ErrorKind::Damaged => {
                "extract the trace again with --force, or use a copy of the extract"
            }
            ErrorKind::Io => {
                "check the permissions of the directory, or write elsewhere with -o DIR"
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)?;
        self.source
            .as_ref()
            .map_or(Ok(()), |source| write!(f, ": {source}"))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}
