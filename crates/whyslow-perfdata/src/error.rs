//! Why a file cannot be read at all. Mere damage is a [`Fault`](crate::Fault).

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What kind of error it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system could not open or read the file.
    Io,
    /// The file is empty.
    Empty,
    /// The file is something else.
    NotPerfData,
    /// The header is inconsistent.
    BadHeader,
    /// This reader does not support files of this kind.
    Unsupported,
}

/// A `perf.data` file that cannot be read.
///
/// Shown as `FILE: what was expected and found at 0x68`; the alternate form (`{:#}`) appends
/// `; what to do`.
///
/// It is boxed, because results are returned per record and errors are rare.
#[derive(Debug)]
pub struct Error {
    /// The file, or `None` if the source has no name.
    pub path: Option<PathBuf>,
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What was expected and what was found.
    pub what: String,
    advice: &'static str,
    source: Option<io::Error>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, offset: u64, what: impl Into<String>) -> Box<Self> {
        let advice = match kind {
            ErrorKind::Io => "",
            ErrorKind::Empty => "record again",
            ErrorKind::NotPerfData => "give a file that perf record or whyslow record wrote",
            ErrorKind::BadHeader => "the file is damaged or cut off: copy it again or record again",
            ErrorKind::Unsupported => "record again with a current tool",
        };
        Box::new(Self {
            path: None,
            offset,
            kind,
            what: what.into(),
            advice,
            source: None,
        })
    }

    pub(crate) fn io(offset: u64, source: io::Error) -> Box<Self> {
        let mut error = Self::new(ErrorKind::Io, offset, "cannot read");
        error.source = Some(source);
        error
    }

    pub(crate) fn with_advice(mut self: Box<Self>, advice: &'static str) -> Box<Self> {
        self.advice = advice;
        self
    }

    /// Returns what the user can do; empty if nothing is known to help.
    pub fn advice(&self) -> &'static str {
        self.advice
    }

    pub(crate) fn at_path(mut self: Box<Self>, path: &Path) -> Box<Self> {
        self.path = Some(path.to_owned());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self;
        if let Some(path) = &error.path {
            write!(f, "{}: ", path.display())?;
        }
        f.write_str(&error.what)?;
        if error.kind != ErrorKind::Empty {
            write!(f, " at {:#x}", error.offset)?;
        }
        if let Some(source) = &error.source {
            write!(f, ": {source}")?;
        }
        if f.alternate() && !error.advice.is_empty() {
            write!(f, "; {}", error.advice)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = self.source.as_ref()?;
        Some(source)
    }
}
