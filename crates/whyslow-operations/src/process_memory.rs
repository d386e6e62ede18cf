//! How much memory processes have: what was read becomes a row if it has changed.

use whyslow_model::tables::ProcessMemoryRow;
use whyslow_model::{FastMap, RawRow};

use crate::tracker::{NO_THREAD, Scene, Tracker};

/// How much memory a process has now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessMemoryEvent {
    /// The process.
    pub pid: u32,
    /// How much.
    pub figures: MemoryFigures,
}

/// How much memory a process has, in bytes, as far as known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemoryFigures {
    /// In RAM.
    pub resident: Option<i64>,
    /// Of that: memory of its own.
    pub private: Option<i64>,
    /// Of that: pages of files.
    pub file: Option<i64>,
    /// Of that: shared memory.
    pub shared: Option<i64>,
    /// In the swap area.
    pub swapped: Option<i64>,
    /// Promised by the system.
    pub committed: Option<i64>,
    /// The most that was in RAM.
    pub peak: Option<i64>,
}

/// What was read last of every process.
#[derive(Debug)]
pub struct ProcessMemories {
    /// By some thread of the process, because ids of processes are used again.
    last: FastMap<u32, MemoryFigures>,
    most: usize,
}

impl Tracker for ProcessMemories {
    type Event = ProcessMemoryEvent;

    fn new(most_open: u32) -> Self {
        Self {
            last: FastMap::default(),
            most: usize::try_from(most_open).unwrap_or(usize::MAX),
        }
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let thread = scene.thread_of_process(event.pid);
        let figures = event.figures;
        if thread == NO_THREAD || self.last.get(&thread) == Some(&figures) {
            return;
        }
        // A process beyond the limit has rows that do not differ.
        if self.last.len() < self.most || self.last.contains_key(&thread) {
            self.last.insert(thread, figures);
        }
        let mut row = RawRow::<ProcessMemoryRow, _>::new();
        let ns = scene.ns().max(scene.start_ns());
        row.set(ProcessMemoryRow::time_ns, ns);
        row.set(ProcessMemoryRow::resident_bytes, figures.resident);
        row.set(ProcessMemoryRow::private_bytes, figures.private);
        row.set(ProcessMemoryRow::file_bytes, figures.file);
        row.set(ProcessMemoryRow::shared_bytes, figures.shared);
        row.set(ProcessMemoryRow::swapped_bytes, figures.swapped);
        row.set(ProcessMemoryRow::committed_bytes, figures.committed);
        row.set(ProcessMemoryRow::peak_bytes, figures.peak);
        scene.push(thread, &row);
    }

    /// What is read later says what holds then.
    fn loss(&mut self) {}

    fn end(&mut self, _: &mut dyn Scene) {}
}
