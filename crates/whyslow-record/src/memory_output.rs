//! How much memory processes have, placed between the records of the processes.
//!
//! Most of it comes from looks into `/proc` ([`whyslow_looks`]). How much a process had at most by the time it ended is
//! what the kernel itself kept. It keeps that beyond an `exec`, though, and since long before the recording. So a peak
//! counts only if it is higher than the one before.

use rustix::param::page_size;
use whyslow_looks::MemoryReading;
use whyslow_perfdata::whyslow_events::ProcessMemory;
use whyslow_perfdata::writer::SampleIdentity;

use crate::events::EventKind;
use crate::transform::Transform;

impl Transform {
    /// Takes what looks of at most this time found.
    pub(crate) fn memory_readings(&mut self, until_ns: u64) {
        while let Some(MemoryReading {
            time_ns,
            pid,
            memory,
            is_first,
        }) = self.memory.next(until_ns)
        {
            if let Some(peak) = memory.peak.filter(|_| is_first) {
                self.memory.had(pid, peak);
            }
            let told = ProcessMemory {
                pid,
                resident: Some(memory.resident),
                anonymous: memory.anonymous,
                file: memory.file,
                shared: memory.shared,
                swapped: memory.swapped,
                peak: memory.peak.filter(|_| !is_first),
            };
            self.write_memory(self.behind_round(time_ns), &told);
        }
    }

    /// The recording has ended: takes what is left.
    pub(crate) fn finish_memory(&mut self) {
        self.memory_readings(u64::MAX);
        if let Some(readings) = self.memory.readings.take() {
            self.memory.lost = readings.lost();
        }
    }

    /// A process starts a new program; before, it had so many pages at most.
    pub(crate) fn memory_before_exec(&mut self, pid: u32, most_pages: u64) {
        self.memory.had(pid, bytes(most_pages));
    }

    /// A process has ended that ever had so many pages at most.
    pub(crate) fn memory_at_exit(&mut self, identity: SampleIdentity, most_pages: u64) {
        let (pid, peak) = (identity.pid, bytes(most_pages));
        if self.memory.ended(pid, peak) {
            let told = ProcessMemory {
                pid,
                peak: Some(peak),
                ..ProcessMemory::default()
            };
            self.write_memory(identity.time_ns, &told);
        }
    }

    fn write_memory(&mut self, time_ns: u64, told: &ProcessMemory) {
        let mut bytes = Vec::with_capacity(ProcessMemory::BYTES);
        told.encode(&mut bytes);
        let identity = SampleIdentity {
            pid: told.pid,
            tid: told.pid,
            time_ns,
            cpu: 0,
            id: 0,
        };
        self.own_sample(EventKind::ProcessMemory, identity, &[], &bytes);
    }
}

fn bytes(pages: u64) -> u64 {
    pages.saturating_mul(u64::try_from(page_size()).unwrap_or(4096))
}
