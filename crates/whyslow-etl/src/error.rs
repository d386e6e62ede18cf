//! Why a trace cannot be read at all. Mere damage is a [`Fault`](crate::Fault).

use std::io;

/// What kind of error it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes could not be read.
    Io,
    /// The file is empty, or holds nothing but zeros.
    Empty,
    /// The file is something else.
    NotEtl,
    /// It begins like a trace, but its session header is inconsistent.
    BadHeader,
}

/// A trace that cannot be read: what was expected, what was found, and where.
///
/// It is boxed, because results are returned per record and errors are rare.
#[derive(Debug, thiserror::Error)]
#[error("{what} at {offset:#x}")]
#[non_exhaustive]
pub struct Error {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What was expected and what was found.
    pub what: String,
    #[source]
    cause: Option<io::Error>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, offset: u64, what: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            offset,
            kind,
            what: what.into(),
            cause: None,
        })
    }

    pub(crate) fn io(offset: u64, cause: io::Error) -> Box<Self> {
        let mut error = Self::new(ErrorKind::Io, offset, "cannot read");
        error.cause = Some(cause);
        error
    }

    /// Returns what the user can do; empty if nothing is known to help.
    pub fn advice(&self) -> &'static str {
        match self.kind {
            ErrorKind::Io => "",
            ErrorKind::Empty => "record again: the session wrote nothing",
            ErrorKind::NotEtl => "give an .etl file, or the archive that holds one",
            ErrorKind::BadHeader => "copy the file again or record again",
        }
    }
}
