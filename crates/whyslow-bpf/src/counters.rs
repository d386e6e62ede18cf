//! What the programs counted.

/// Counts of one kind of output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KindCounters {
    /// Written.
    pub written: u64,
    /// Left out or written without a stack (samples: with less of it) because of the rate limit.
    pub limited: u64,
    /// Did not fit into the ring.
    pub lost: u64,
    /// Written without stack, or with less of it, because memory could not be read.
    pub unreadable: u64,
}

impl KindCounters {
    /// What was counted after `before`.
    fn since(self, before: Self) -> Self {
        Self {
            written: self.written.saturating_sub(before.written),
            limited: self.limited.saturating_sub(before.limited),
            lost: self.lost.saturating_sub(before.lost),
            unreadable: self.unreadable.saturating_sub(before.unreadable),
        }
    }
}

/// Counts since the programs were loaded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Waits in system calls.
    pub waits: KindCounters,
    /// Blocks outside system calls.
    pub blocks: KindCounters,
    /// Preempted threads.
    pub preempted: KindCounters,
    /// Stacks of CPU samples.
    pub samples: KindCounters,
    /// Wakers; `limited` counts those that were written without stack for that reason.
    pub wakers: KindCounters,
    /// Command lines.
    pub execs: KindCounters,
    /// Exits.
    pub exits: KindCounters,
    /// Changes of the CPUs that threads may use.
    pub affinities: KindCounters,
    /// Switches; `limited` counts those that were written without kernel stack although their
    /// site's sample includes them.
    pub switches: KindCounters,
    /// Kernel stacks of wake-ups; `limited` as for switches.
    pub wakings: KindCounters,
    /// Stacks of system calls.
    pub calls: KindCounters,
    /// What waits are for.
    pub objects: KindCounters,
}

impl Counters {
    /// What was counted after `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            waits: self.waits.since(before.waits),
            blocks: self.blocks.since(before.blocks),
            preempted: self.preempted.since(before.preempted),
            samples: self.samples.since(before.samples),
            wakers: self.wakers.since(before.wakers),
            execs: self.execs.since(before.execs),
            exits: self.exits.since(before.exits),
            affinities: self.affinities.since(before.affinities),
            switches: self.switches.since(before.switches),
            wakings: self.wakings.since(before.wakings),
            calls: self.calls.since(before.calls),
            objects: self.objects.since(before.objects),
        }
    }
}
