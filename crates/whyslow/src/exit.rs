//! The codes the program exits with: part of its interface, documented in `whyslow help` and
//! `docs/commands.md`.

use std::process::ExitCode;

/// What the program exits with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; also when the reader of our output stopped reading.
    Success,
    /// The question was answered, and nothing matched the selection.
    NothingMatched,
    /// The command line was not understood.
    Usage,
    /// Something could not be read or written; with several inputs, some of them.
    Failure,
    /// The recording does not hold what the question needs.
    NotRecorded,
    /// `run` or `record` failed by itself, not the command.
    RecorderFailed,
    /// The command of `run` or `record` is there but cannot be executed.
    NotExecutable,
    /// The command of `run` or `record` was not found.
    NotFound,
    /// Stopped by Ctrl-C.
    Interrupted,
    /// The exit code of the command of `run` or `record`, or 128 and the signal that ended it.
    Command(u8),
}

impl Exit {
    /// Returns the number.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::NothingMatched => 1,
            Self::Usage => 2,
            Self::Failure => 3,
            Self::NotRecorded => 4,
            Self::RecorderFailed => 125,
            Self::NotExecutable => 126,
            Self::NotFound => 127,
            Self::Interrupted => 130,
            Self::Command(code) => code,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
