//! Why a question could not be asked or answered.

use whyslow_model::ViewError;
use whyslow_results::TextError;

/// Why a question could not be asked or answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A table could not be read.
    #[error(transparent)]
    View(#[from] ViewError),
    /// A text is not a range or a time, or the trace cannot place the time.
    #[error(transparent)]
    Text(#[from] TextError),
    /// No column has that name.
    #[error("unknown column {word:?}: {question} has {known}")]
    UnknownColumn {
        /// The name that was asked for.
        word: String,
        /// The question.
        question: &'static str,
        /// The existing columns.
        known: String,
    },
    /// Only the answer about recordings of another system has a column of that name.
    #[error(
        "only recordings of {system} have the column {word:?}; for other recordings, {question} has {known}"
    )]
    ColumnElsewhere {
        /// The name that was asked for.
        word: String,
        /// The other system.
        system: &'static str,
        /// The question.
        question: &'static str,
        /// The existing columns.
        known: String,
    },
    /// A range on a column that has no numbers.
    #[error("column {column} holds text; a range needs a column of numbers")]
    NoNumbers {
        /// The column.
        column: &'static str,
    },
    /// A text that is not a condition on a column.
    #[error("{text:?} is not a condition: {why}")]
    BadCondition {
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
    /// A window that is before or after the recording.
    #[error("{why}")]
    Outside {
        /// Which options say so, and how long the recording is.
        why: String,
    },
    /// More slices than a table can hold.
    #[error(
        "--slice would cut the answer into up to {rows} rows, more than {most}; take longer slices, \
         a window (--from, --to) or fewer processes"
    )]
    TooManySlices {
        /// The rows it would take.
        rows: i64,
        /// The maximum number of rows of a table.
        most: i64,
    },
    /// A line of a wait rule file that is not a rule.
    #[error("wait rules, line {line}: {why}")]
    BadRule {
        /// Line number, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}
