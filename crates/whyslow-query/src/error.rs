//! Why a question could not be asked or answered.

use whyslow_model::ViewError;

/// Why a question could not be asked or answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A table could not be read.
    #[error(transparent)]
    View(#[from] ViewError),
    /// No column is called like that.
    #[error("unknown column {word:?}: {question} has {known}")]
    UnknownColumn {
        /// What was asked for.
        word: String,
        /// The question.
        question: &'static str,
        /// The columns there are.
        known: String,
    },
    /// Text that is no range.
    #[error("{text:?} is no range: {why}; ranges are 10-20ms, 10ms.., ..1s, 10 20, 5")]
    BadRange {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A range on a column that has no numbers.
    #[error("column {column} holds text; a range needs a column of numbers")]
    NoNumbers {
        /// The column.
        column: &'static str,
    },
    /// Text that is no time.
    #[error(
        "{text:?} is no time: {why}; times are 1.5s (since the trace's start), +2s, 14:30:05.25 or \
         2026-11-21T14:30:05 (local time of the recorded machine), and the same with Z (UTC)"
    )]
    BadTime {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A window that ends before it begins.
    #[error("the window is empty: --to ({to_s:.3} s) is not later than --from ({from_s:.3} s)")]
    EmptyWindow {
        /// Its start, in seconds of the trace.
        from_s: f64,
        /// Its end, in seconds of the trace.
        to_s: f64,
    },
    /// More slices than a table can hold.
    #[error(
        "--slice would cut the answer into up to {rows} rows, more than {most}; take longer slices, \
         a window (--from, --to) or fewer processes"
    )]
    TooManySlices {
        /// The rows it would take.
        rows: i64,
        /// The most a table may have.
        most: i64,
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
    /// A line of a wait rule file that is no rule.
    #[error("wait rules, line {line}: {why}")]
    BadRule {
        /// Line number, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}
