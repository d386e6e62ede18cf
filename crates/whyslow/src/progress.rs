//! One line of progress on a terminal, gone when the work is done; nothing in a pipe.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use whyslow_render::harmless;
use whyslow_render::measure::cut;

use crate::terminal::Terminal;

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(100);

/// A line of progress.
#[derive(Debug)]
pub(crate) struct Progress {
    width: Option<usize>,
    next: Instant,
    shown: bool,
}

impl Progress {
    /// Returns a line that is not shown yet; short work never shows it.
    pub(crate) fn new(terminal: &Terminal) -> Self {
        Self {
            width: terminal.error_width.filter(|_| terminal.progress),
            next: Instant::now() + EVERY * 3,
            shown: false,
        }
    }

    /// Shows `text`, unless it is too early.
    pub(crate) fn show(&mut self, text: impl FnOnce() -> String) {
        let Some(width) = self.width else {
            return;
        };
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + EVERY;
        self.shown = true;
        let text = cut(&harmless(&text()), width.saturating_sub(1));
        write_line(&format!("\r{text}\x1b[K"));
    }

    /// Shows `text` now, before a step that cannot tell how far it is.
    pub(crate) fn step(&mut self, text: &str) {
        if self.shown {
            self.next = Instant::now();
        }
        self.show(|| text.to_owned());
    }

    /// Removes the line, so that something else can be printed.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            write_line("\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

fn write_line(text: &str) {
    let mut error = io::stderr().lock();
    // A terminal that is gone needs no progress.
    let _gone = error
        .write_all(text.as_bytes())
        .and_then(|()| error.flush());
}
