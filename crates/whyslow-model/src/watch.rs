//! How long-running work is watched: it reports what it does and how far it is, and asks whether to
//! stop.

use std::fmt::{Debug, Display};
use std::ops::ControlFlow;

/// What long-running work reports to, and asks whether to continue.
///
/// The command line shows a line of progress and stops on Ctrl-C; a server or a test may do
/// something else. All methods may be called many times a second.
pub trait Watch: Debug + Send + Sync {
    /// Reports a new step without known progress, such as `perf.data: sorting`.
    fn step(&self, _what: &dyn Display) {}

    /// Reports the progress of a step: `done` bytes, out of `of` if that is known.
    fn progress(&self, _what: &dyn Display, _done: u64, _of: Option<u64>) {}

    /// Reports a problem that does not end the work.
    fn warn(&self, _text: &str) {}

    /// Returns whether the work must stop as soon as it can.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Returns whether to continue, for code that takes a [`ControlFlow`].
    fn flow(&self) -> ControlFlow<()> {
        if self.is_interrupted() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// A watcher for work that nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}
