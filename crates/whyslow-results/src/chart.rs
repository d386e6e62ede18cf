//! A chart: curves over time, which a person is shown instead of rows.

/// One curve of a chart: a value per slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// What the curve is of: a process, or `other`.
    pub label: String,
    /// The value of each slice, in nanoseconds.
    pub values: Vec<i64>,
}

/// A chart of one file: stacked curves over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    /// Name of the file.
    pub file: String,
    /// What is drawn, as `CPU (precise)`.
    pub title: String,
    /// Start of the first slice, nanoseconds since the trace's start.
    pub start_ns: i64,
    /// Width of a slice.
    pub slice_ns: i64,
    /// The most a slice can hold: width times CPUs; `None` where the number of CPUs is unknown.
    pub full_ns: Option<i64>,
    /// The curves, largest first; the last may be `other`.
    pub series: Vec<Series>,
}
