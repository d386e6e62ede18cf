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
    /// For how long its group (cgroup) was stopped, because it had used up its CPU quota; added up over its CPUs.
    pub throttled_ns: u64,
}

/// The least share of a pass for which a quota stops it that changes what operations cost.
const HINDERED: f64 = 0.05;

impl Spent {
    /// Returns for how long a quota stopped the thread: no longer than it had no CPU. Where that is not known, because
    /// processes were started, it is the most that it may be.
    pub fn stopped_ns(&self) -> u64 {
        let most = self.ready_ns.unwrap_or(self.wall_ns);
        self.throttled_ns.min(most)
    }

    /// Returns the same as a share of the time.
    pub fn stopped_share(&self) -> f64 {
        real(self.stopped_ns()) / real(self.wall_ns.max(1))
    }

    /// Returns whether a quota stopped it for so long that its costs are not those of the operations.
    pub fn is_hindered(&self) -> bool {
        self.stopped_share() >= HINDERED
    }
}

#[expect(clippy::cast_precision_loss, reason = "durations are below 2⁵³ ns")]
fn real(ns: u64) -> f64 {
    ns as f64
}
