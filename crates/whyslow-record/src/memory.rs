//! What is known of the memory of processes: what looks found that is not written yet, and peaks from before.

use std::collections::{HashMap, HashSet};

use whyslow_looks::{MemoryReading, MemoryReadings, MemorySampler};
use whyslow_proc::processes::processes;

use crate::limit_reached::LimitReached;
use whyslow_bpf::now_ns;

/// Processes whose earlier peak is remembered.
const MOST_PROCESSES: usize = 1 << 20;

/// What is known of the memory of processes.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Whether it is recorded at all.
    pub(crate) is_recorded: bool,
    pub(crate) readings: Option<MemoryReadings>,
    /// It is newer than the records that are there.
    pub(crate) next: Option<MemoryReading>,
    /// The peaks from before the recording, or before the program that a process executes, in bytes.
    before: HashMap<u32, u64>,
    /// Processes that were there before the recording and whose peak until then is not known.
    unknown: HashSet<u32>,
    pub(crate) lost: u64,
}

impl Memory {
    /// Starts to look at all processes, or at one and those that it starts, if memory is recorded.
    pub(crate) fn start(is_recorded: bool, only: Option<u32>) -> (Self, Option<MemorySampler>) {
        if !is_recorded {
            return (Self::default(), None);
        }
        let there = processes().into_iter().take(MOST_PROCESSES);
        // Without the thread, only peaks are known.
        let (sampler, readings) = MemorySampler::start(only, now_ns).ok().unzip();
        let memory = Self {
            is_recorded,
            readings,
            unknown: there.collect(),
            ..Self::default()
        };
        (memory, sampler)
    }

    /// The next reading of at most this time.
    pub(crate) fn next(&mut self, until_ns: u64) -> Option<MemoryReading> {
        let new = || self.readings.as_ref()?.next_reading();
        let next = self.next.take().or_else(new)?;
        if next.time_ns > until_ns {
            self.next = Some(next);
            return None;
        }
        Some(next)
    }

    /// Remembers that a process had so much at most before now.
    pub(crate) fn had(&mut self, pid: u32, bytes: u64) {
        if self.before.len() < MOST_PROCESSES || self.before.contains_key(&pid) {
            self.unknown.remove(&pid);
            // The kernel's own figure is never smaller, but may have come first.
            let before = self.before.entry(pid).or_default();
            *before = bytes.max(*before);
        }
    }

    /// A process has ended that ever had so much at most. Returns whether it had that during the recording, in the
    /// program that it executed last.
    pub(crate) fn ended(&mut self, pid: u32, bytes: u64) -> bool {
        let before = self.before.remove(&pid).unwrap_or(0);
        let is_unknown = self.unknown.remove(&pid);
        self.is_recorded && !is_unknown && bytes > before
    }

    /// What exceeded a limit.
    pub(crate) fn limits(&self) -> [LimitReached; 1] {
        [LimitReached::new(
            "readings of the memory of processes: too many at once",
            self.lost,
        )]
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    fn memory() -> Memory {
        Memory {
            is_recorded: true,
            ..Memory::default()
        }
    }

    #[test]
    fn the_highest_of_earlier_peaks_counts_in_whatever_order_they_come() {
        // What the recorder had before the command executed its program, and what the first look read after that.
        for order in [[60, 2], [2, 60]] {
            let mut memory = memory();
            order.iter().for_each(|&bytes| memory.had(7, bytes));
            assert!(!memory.ended(7, 60));
            order.iter().for_each(|&bytes| memory.had(7, bytes));
            assert!(memory.ended(7, 61));
        }
    }

    #[test]
    fn a_peak_counts_of_what_began_during_the_recording_or_was_read_before() {
        let mut memory = memory();
        memory.unknown = [7, 8].into();
        memory.had(8, 5);
        assert!(!memory.ended(7, 9) && memory.ended(8, 9) && memory.ended(9, 9));
        // Another one with the same id.
        assert!(memory.ended(7, 9));
        memory.is_recorded = false;
        assert!(!memory.ended(9, 9));
    }
}
