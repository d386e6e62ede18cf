//! Why a recording did not happen, or did not end well.

use std::io;
use std::path::{Path, PathBuf};

use crate::report::CommandOutcome;

/// Why a recording failed. The message fits after "cannot record: ".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The kernel lets this user record nothing at all.
    #[error("the kernel permits no recording ({what}): {source}; {remedy}")]
    NotPermitted {
        /// What was tried.
        what: String,
        /// What the kernel answered.
        source: io::Error,
        /// What the user can do.
        remedy: String,
    },
    /// Recording the whole machine is not permitted, and there is no command to record alone.
    #[error("the kernel permits recording only your own processes: {remedy}")]
    CommandNeeded {
        /// What the user can do.
        remedy: String,
    },
    /// The kernel lacks something that recording cannot do without.
    #[error("{what}: {source}")]
    System {
        /// What was tried.
        what: String,
        /// What the system answered.
        source: io::Error,
    },
    /// A setting that cannot be had.
    #[error("{0}")]
    Settings(String),
    /// A file with the output's name already exists.
    #[error("{} already exists; choose another name or remove it", path.display())]
    OutputExists {
        /// The output.
        path: PathBuf,
    },
    /// The output cannot be created or written; nothing of it is left.
    #[error("cannot write {}: {source}{}", path.display(), remedy_for(source))]
    Output {
        /// The output.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
        /// How the command ended, if there was one: it ran to its end despite the error.
        command: Option<CommandOutcome>,
    },
    /// The command could not be executed.
    #[error("cannot run {command}: {source}")]
    Command {
        /// The command's name.
        command: String,
        /// What the system answered.
        source: io::Error,
    },
    /// Ctrl-C came before the command could begin, or a second one before the recording was complete. Nothing is left
    /// of it.
    #[error("interrupted; the recording is discarded")]
    Aborted {
        /// How the command ended, if it has.
        command: Option<CommandOutcome>,
    },
}

impl Error {
    /// The output cannot be written.
    pub(crate) fn unwritten(output: &Path, source: io::Error) -> Self {
        let path = output.to_owned();
        match source.kind() {
            io::ErrorKind::AlreadyExists => Self::OutputExists { path },
            _ => Self::Output {
                path,
                source,
                command: None,
            },
        }
    }

    /// Makes the error of a system call that must not fail.
    pub(crate) fn system(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::System { what, source }
    }

    /// Adds how the command ended, if the error can hold that.
    pub(crate) fn with_command(mut self, outcome: Option<CommandOutcome>) -> Self {
        if let Self::Output { command, .. } | Self::Aborted { command } = &mut self {
            *command = outcome;
        }
        self
    }

    /// How the command ended, if it ran and its end is known: its exit code is still worth passing
    /// on.
    pub fn command(&self) -> Option<CommandOutcome> {
        match self {
            Self::Output { command, .. } | Self::Aborted { command } => *command,
            _ => None,
        }
    }
}

fn remedy_for(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; free some space or write elsewhere"
        }
        io::ErrorKind::PermissionDenied => "; write to a directory of your own",
        _ => "",
    }
}
