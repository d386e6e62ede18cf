//! What went wrong, for a person: one line that says what and why, and one that says what to do.
//!
//! ```text
//! whyslow: cannot open x.whyslow: no such file or directory
//! hint: extracts are directories that `whyslow extract` makes from traces
//! ```

use std::error::Error;
use std::fmt;
use std::io;

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

    /// Returns the failure with the remedy that the error suggests, if it does.
    #[must_use]
    pub(crate) fn hint_on(self, error: &io::Error) -> Self {
        match io_hint(error) {
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

/// Returns what the user can do about an error of the system, if that is clear.
pub(crate) fn io_hint(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some("free some space, or name another directory with -o")
        }
        io::ErrorKind::PermissionDenied => {
            Some("check the permissions, or name a directory of your own with -o")
        }
        io::ErrorKind::ReadOnlyFilesystem => Some("name another directory with -o"),
        _ => None,
    }
}

/// Returns the error of the system without its number.
pub(crate) fn plain(error: &io::Error) -> String {
    let text = without_number(&error.to_string());
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Returns an error and its causes in one line, each once.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    without_number(&text)
}

/// Returns `text` without the number of a system's error, which says nothing to a person.
pub(crate) fn without_number(text: &str) -> String {
    match text.split_once(" (os error") {
        Some((before, after)) => {
            let after = after.split_once(')').map_or("", |(_, after)| after);
            format!("{before}{after}")
        }
        None => text.to_owned(),
    }
}
