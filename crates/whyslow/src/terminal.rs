//! What we print to: whether there is a terminal, how wide it is, and whether it shows colors.
//!
//! Answers go to standard output, everything about the work (progress, notes, failures) to standard
//! error. `NO_COLOR` and `CLICOLOR_FORCE` are respected.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use terminal_size::terminal_size_of;
use whyslow_render::{Paint, message};

use crate::exit::Exit;
use crate::failure::Failure;

/// The width of a terminal that does not say.
const USUAL_WIDTH: usize = 80;

/// The two streams we print to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    /// Styles for standard output.
    pub(crate) paint: Paint,
    /// Styles for standard error.
    pub(crate) error_paint: Paint,
    /// Columns of the terminal behind standard output; `None` if there is none.
    pub(crate) width: Option<usize>,
    /// Columns of the terminal behind standard error; `None` if there is none.
    pub(crate) error_width: Option<usize>,
    /// Whether progress may be shown.
    pub(crate) progress: bool,
}

impl Terminal {
    /// Looks at the two streams.
    pub(crate) fn new(no_color: bool, quiet: bool) -> Self {
        let (out, error) = (io::stdout(), io::stderr());
        let paint = |choice: ColorChoice| match choice {
            ColorChoice::Never => Paint::Plain,
            _ if no_color => Paint::Plain,
            _ => Paint::Colors,
        };
        let width = |found: Option<(terminal_size::Width, terminal_size::Height)>| {
            found.map_or(USUAL_WIDTH, |(width, _)| width.0.into())
        };
        Self {
            paint: paint(AutoStream::choice(&out)),
            error_paint: paint(AutoStream::choice(&error)),
            width: out.is_terminal().then(|| width(terminal_size_of(&out))),
            error_width: error.is_terminal().then(|| width(terminal_size_of(&error))),
            progress: error.is_terminal() && !quiet,
        }
    }

    /// Prints a line on standard error.
    pub(crate) fn tell(&self, text: &str) {
        // If standard error is gone, nobody can be told.
        let _gone = writeln!(io::stderr().lock(), "{text}");
    }

    /// Prints a sentence about the answer or the work on standard error.
    pub(crate) fn note(&self, label: &str, text: &str) {
        let label = self.error_paint.warning(label);
        self.tell(&format!("{label}: {}", message(text)));
    }

    /// Prints why a command ended early; returns what to exit with.
    pub(crate) fn fail(&self, failure: &Failure) -> Exit {
        let (what, hint) = failure.lines();
        let what = message(&what);
        let what = match what.split_once(": ") {
            Some((name, rest)) => format!("{}: {rest}", self.error_paint.error(name)),
            None => what,
        };
        self.tell(&what);
        if let Some(hint) = hint {
            let hint = message(&hint);
            let (label, text) = hint.split_once(": ").unwrap_or(("hint", &hint));
            self.tell(&format!("{}: {text}", self.error_paint.warning(label)));
        }
        failure.exit
    }
}
