//! Why a text is not a range or a time, or why a time is not in the trace.

impl TextError {
    /// Returns what is wrong with the text, without the text and without what is right.
    #[must_use]
    pub fn why(&self) -> String {
        match self {
            Self::BadRange { why, .. } | Self::BadTime { why, .. } => why.clone(),
            Self::NoClock { .. } | Self::NoMark { .. } | Self::UnclearMark { .. } => {
                self.to_string()
            }
        }
    }
}

/// Why a text is not a range or a time, or why a time is not in the trace.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// A text that is not a range.
    #[error("{text:?} is not a range: {why}; ranges are 10-20ms, 10ms.., ..1s, 10 20, 5")]
    BadRange {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A text that is not a time.
    #[error(
        "{text:?} is not a time: {why}; times are 1.5s (since the trace's start), +2s, 14:30:05.25 or \
         2026-11-21T14:30:05 (local time of the recorded machine), and the same with Z (UTC)"
    )]
    BadTime {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A wall-clock time for a trace that does not say when it was recorded.
    #[error(
        "{trace} does not say at which {what} it was recorded; give trace seconds{}",
        if *what == "time zone" { ", or UTC: the same time with Z at its end" } else { "" }
    )]
    NoClock {
        /// The trace.
        trace: String,
        /// `time` or `time zone`.
        what: &'static str,
    },
    /// A text that is neither a time nor the name of a mark.
    #[error(
        "{text:?} is not a time: {not_time}; nor is it a mark of {trace}: {why}; times are 1.5s (since the trace's \
         start), +2s, 14:30:05.25 or 2026-11-21T14:30:05, and `whyslow marks` lists the marks"
    )]
    NoMark {
        /// The text.
        text: String,
        /// Why it is not a time.
        not_time: String,
        /// The trace.
        trace: String,
        /// Which marks there are.
        why: String,
    },
    /// A text that means more than one mark, or one of several that is not there.
    #[error("which mark is {text:?}? In {trace}, {why}")]
    UnclearMark {
        /// The text.
        text: String,
        /// The trace.
        trace: String,
        /// What there is, and how to choose.
        why: String,
    },
}
