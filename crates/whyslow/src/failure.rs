//! What went wrong, for a person: one line that says what and why, and one that says what to do.
//!
//! ```text
//! whyslow: cannot open x.whyslow: no such file or directory
//! hint: extracts are directories that `whyslow extract` makes from traces
//! ```

use std::fmt;
use std::io;
use std::path::Path;

use whyslow_files::cause::{hint, hint_on_reading, plain};
use whyslow_render::number;
use whyslow_source::ErrorKind;

use crate::exit::Exit;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What could not be done and why, to follow `whyslow: `.
    message: String,
    /// What the user can do.
    hint: Option<String>,
    /// What the program exits with.
    pub(crate) exit: Exit,
}

impl Failure {
    /// Returns the failure to do `what` (`open x.whyslow`) because of `cause`.
    pub(crate) fn cannot(what: impl fmt::Display, cause: impl fmt::Display) -> Self {
        Self {
            message: format!("cannot {what}: {cause}"),
            hint: None,
            exit: Exit::Failure,
        }
    }

    /// Returns a failure to understand the command line.
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
            hint: None,
            exit: Exit::Usage,
        }
    }

    /// Returns the end by Ctrl-C; it needs no words.
    pub(crate) fn interrupted() -> Self {
        Self {
            message: "interrupted; nothing half written is left behind".to_owned(),
            hint: None,
            exit: Exit::Interrupted,
        }
    }

    /// Returns the failure with something the user can do.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }

    /// Returns the failure with something to do after what its cause needs.
    #[must_use]
    pub(crate) fn hint_first(mut self, then: &str) -> Self {
        self.hint = Some(match self.hint.take() {
            Some(hint) => format!("{hint}; {then}"),
            None => then.to_owned(),
        });
        self
    }

    /// Returns the failure with what else is known.
    #[must_use]
    pub(crate) fn add(mut self, text: &str) -> Self {
        self.message.push_str(text);
        self
    }

    /// Returns the failure with another exit code.
    #[must_use]
    pub(crate) fn exit(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }

    /// Returns the failure to do `what` to a file, with the remedy the error suggests.
    pub(crate) fn io(what: impl fmt::Display, error: &io::Error) -> Self {
        Self::cannot(what, plain(error)).hint_on(error)
    }

    /// Returns the failure to read something, with the remedy the error suggests.
    pub(crate) fn unread(what: impl fmt::Display, error: &io::Error) -> Self {
        let failure = Self::cannot(what, plain(error));
        match hint_on_reading(error) {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }

    /// Returns the failure with the remedy that the error suggests, if it does.
    #[must_use]
    pub(crate) fn hint_on(self, error: &io::Error) -> Self {
        match hint(error) {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// Returns the lines to print.
    pub(crate) fn lines(&self) -> (String, Option<String>) {
        let hint = self.hint.as_ref().map(|hint| format!("hint: {hint}"));
        (format!("whyslow: {}", self.message), hint)
    }
}

impl From<whyslow_source::Error> for Failure {
    fn from(error: whyslow_source::Error) -> Self {
        let failure = match error.kind {
            ErrorKind::Interrupted => return Self::interrupted(),
            ErrorKind::Selection => Self::usage(error.cause),
            ErrorKind::TooLarge { bytes, limit } => {
                let shown = |bytes| number::bytes(i64::try_from(bytes).unwrap_or(i64::MAX));
                let (is, most) = (shown(bytes), shown(limit));
                let cause = format!("it unpacks to {is}, more than {most}");
                Self::cannot(error.action, cause)
                    .hint("if that is expected, allow it with --most-unpacked")
            }
            _ => Self::cannot(error.action, error.cause),
        };
        match error.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl Failure {
    /// Returns the failure to begin `path`, which is to appear complete under its name.
    pub(crate) fn uncreated(path: &Path, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::IsADirectory => {
                Self::unwritten(path, error)
            }
            _ => Self::io(format!("create {}", path.display()), error),
        }
    }

    /// Returns the failure to write `path`, which is to appear complete under its name.
    pub(crate) fn unwritten(path: &Path, error: &io::Error) -> Self {
        let what = format!("write {}", path.display());
        match error.kind() {
            io::ErrorKind::AlreadyExists => Self::cannot(what, "it already exists")
                .hint("choose another name, or replace it with --force"),
            io::ErrorKind::IsADirectory => {
                Self::cannot(what, "it is a directory").hint("give the name of a file in it")
            }
            _ => Self::io(what, error),
        }
    }
}
