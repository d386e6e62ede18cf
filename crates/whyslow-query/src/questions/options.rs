//! What single questions take beside the selection, and what they give beside the table.

use crate::result::Outcome;

/// What stacks are weighed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Weight {
    /// CPU (sampled).
    #[default]
    Cpu,
    /// Waiting, summed over threads.
    Wait,
    /// Ready, summed over threads.
    Ready,
}

/// Which way a call tree grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Direction {
    /// From the root of the stacks to their leaves.
    #[default]
    TopDown,
    /// From the functions that match `--methods` (or the leaves) to their callers.
    Callers,
}

/// How `stacks` draws its tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StackOptions {
    /// What stacks are weighed by.
    pub weight: Weight,
    /// Which way the tree grows.
    pub direction: Direction,
    /// Branches below this share of the total are left out, 0 to 100.
    pub cutoff_percent: f64,
    /// Whether a chain of only children becomes one row.
    pub collapse: bool,
    /// Whether every process has a tree of its own.
    pub per_process: bool,
}

impl Default for StackOptions {
    fn default() -> Self {
        Self {
            weight: Weight::Cpu,
            direction: Direction::TopDown,
            cutoff_percent: 1.0,
            collapse: true,
            per_process: false,
        }
    }
}

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

/// What `timeline` answers with.
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// One row per process and slice.
    pub outcome: Outcome,
    /// One chart per file.
    pub charts: Vec<Chart>,
}

/// How `timeline` cuts time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimelineOptions {
    /// The number of slices of the chart.
    pub slices: usize,
    /// The number of curves of the chart, `other` not counted.
    pub series: usize,
    /// What the chart shows.
    pub weight: Weight,
    /// Width of a slice of the rows; `None` for the slices of the chart.
    pub slice_ns: Option<i64>,
}

impl Default for TimelineOptions {
    fn default() -> Self {
        Self {
            slices: 60,
            series: 6,
            weight: Weight::Cpu,
            slice_ns: None,
        }
    }
}
