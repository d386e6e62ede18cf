//! How long work is watched: it says what it does and how far it is, and asks whether to stop.

use std::fmt::{Debug, Display};
use std::ops::ControlFlow;

/// What long work reports to and asks whether to go on.
///
/// The command line shows a line of progress and stops on Ctrl-C; a server or a test does what it
/// likes. All methods may be called many times a second.
pub trait Watch: Debug + Send + Sync {
    /// Reports a new step that cannot say how far it is, as `perf.data: sorting`.
    fn step(&self, _what: &dyn Display) {}

    /// Reports how far a step is: `done` bytes, of `of` where that is known.
    fn progress(&self, _what: &dyn Display, _done: u64, _of: Option<u64>) {}

    /// Reports something that went wrong and does not end the work.
    fn warn(&self, _text: &str) {}

    /// Returns whether the work is to stop as soon as it can.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Returns whether to go on, for code that takes a [`ControlFlow`].
    fn flow(&self) -> ControlFlow<()> {
        if self.is_interrupted() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Work that nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}
