//! What a pass spent its time on, as the kernel accounts it: whether a slow one computed for longer, or waited.

/// The time of one thread, and of the processes that it started and waited for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// From its begin to its end.
    pub wall_ns: u64,
    /// CPU time of programs.
    pub program_ns: u64,
    /// CPU time of the kernel.
    pub kernel_ns: u64,
    /// Ready to run, but without a CPU; `None` where processes were started, for nobody adds up theirs.
    pub ready_ns: Option<u64>,
}
