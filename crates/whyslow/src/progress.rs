//! One line of progress on a terminal, gone when the work is done; nothing in a pipe.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use whyslow_model::Watch;
use whyslow_render::measure::cut;
use whyslow_render::{escape, number};

use crate::failure::Failure;
use crate::interrupt::Interrupt;
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
        let text = cut(&escape(&text()), width.saturating_sub(1));
        write_line(&format!("\r{text}\x1b[K"));
    }

    /// Shows `text` now, before a step that cannot report its progress.
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

/// A user at a terminal: a line shows what is being done, and Ctrl-C stops it.
#[derive(Debug)]
pub(crate) struct Spectator {
    terminal: Terminal,
    /// What Ctrl-C does.
    pub(crate) interrupt: Interrupt,
    line: Mutex<Progress>,
}

impl Spectator {
    /// Returns one that watches from now on.
    pub(crate) fn new(terminal: &Terminal) -> Result<Arc<Self>, Failure> {
        Ok(Arc::new(Self {
            terminal: *terminal,
            interrupt: Interrupt::watch()?,
            line: Mutex::new(Progress::new(terminal)),
        }))
    }

    /// Removes the line, before something else is printed or when the work is done.
    pub(crate) fn clear(&self) {
        let mut line = self.line();
        line.clear();
        line.next = Instant::now() + EVERY * 3;
    }

    fn line(&self) -> MutexGuard<'_, Progress> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Spectator {
    fn step(&self, what: &dyn Display) {
        self.line().step(&what.to_string());
    }

    fn progress(&self, what: &dyn Display, done: u64, of: Option<u64>) {
        self.line().show(|| match of.filter(|of| *of > 0) {
            Some(of) => {
                let percent = u128::from(done) * 100 / u128::from(of);
                format!("{what}, {percent} %")
            }
            None => {
                let done = i64::try_from(done).unwrap_or(i64::MAX);
                format!("{what}, {}", number::bytes(done))
            }
        });
    }

    fn warn(&self, text: &str) {
        self.clear();
        self.terminal.note("warning", text);
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.asked()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

fn write_line(text: &str) {
    let mut error = io::stderr().lock();
    // If the terminal is gone, nothing needs to be shown.
    let _gone = error
        .write_all(text.as_bytes())
        .and_then(|()| error.flush());
}
