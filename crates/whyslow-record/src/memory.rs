//! What is known of the memory of processes: what looks found that is not written yet, and peaks from before.

use std::collections::HashMap;

use whyslow_looks::{MemoryReading, MemoryReadings, MemorySampler};

use crate::limit_reached::LimitReached;
use whyslow_bpf::now_ns;

/// Processes whose earlier peak is remembered.
const MOST_PROCESSES: usize = 1 << 20;

/// What is known of the memory of processes.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Whether it is recorded at all.
    pub(crate) is_recorded: bool,
    pub(crate) looks: Option<(MemorySampler, MemoryReadings)>,
    /// It is newer than the records that are there.
    pub(crate) next: Option<MemoryReading>,
    /// The peaks from before the recording, or before the program that a process executes, in bytes.
    pub(crate) before: HashMap<u32, u64>,
    pub(crate) lost: u64,
}

impl Memory {
    /// Starts to look at all processes, or at one and those that it starts.
    pub(crate) fn start(only: Option<u32>) -> Self {
        Self {
            is_recorded: true,
            // Without the thread, only peaks are known.
            looks: MemorySampler::start(only, now_ns).ok(),
            ..Self::default()
        }
    }

    /// The next reading of at most this time.
    pub(crate) fn next(&mut self, until_ns: u64) -> Option<MemoryReading> {
        let new = || {
            self.looks
                .as_ref()
                .and_then(|(_, readings)| readings.next_reading())
        };
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
            self.before.insert(pid, bytes);
        }
    }

    /// What exceeded a limit.
    pub(crate) fn limits(&self) -> [LimitReached; 1] {
        [LimitReached::new(
            "readings of the memory of processes: too many at once",
            self.lost,
        )]
    }
}
