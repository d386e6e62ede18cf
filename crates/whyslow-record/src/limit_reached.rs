//! A limit of the recorder that kept something out of the recording.

/// What was left out, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitReached {
    /// What, as a sentence without its end.
    pub what: &'static str,
    /// How many; 0: nothing was left out.
    pub count: u64,
}

impl LimitReached {
    /// Returns so many of these.
    pub(crate) fn new(what: &'static str, count: u64) -> Self {
        Self { what, count }
    }
}
