//! A series: what was measured, in the order it was paid, and the sizes it belongs to.

/// Costs of an operation in the order they were paid.
#[derive(Debug, Clone, Copy, Default)]
pub struct Series<'a> {
    /// The size each operation met: the number of files, of processes, of bytes …; as long as
    /// `cost`, and not falling.
    pub n: &'a [f64],
    /// What each operation cost, in nanoseconds, or as a count.
    pub cost: &'a [f64],
    /// Costs at the first sizes, measured again after the end; empty where that was not done.
    pub again: &'a [f64],
    /// Costs of further passes over the same sizes, as far as each came.
    pub repeats: &'a [Vec<f64>],
    /// The largest size and sizes beyond it, and what an operation cost there: measured after the law was found, to
    /// check it. The cost of the largest size now shows whether the machine is as fast as it was.
    pub beyond: &'a [(f64, f64)],
    /// Whether costs are exact counts instead of times.
    pub exact: bool,
}
