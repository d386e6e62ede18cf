//! Threads: one entry per lifetime within one process entry.
//!
//! An exec ends the thread that made it and starts another, so that a thread belongs to exactly
//! one process entry. What a thread is doing is the scheduling tracker's.

use crate::id_map::IdMap;
use crate::sched::{NONE, Slot};
use crate::text::TextId;

/// What is known of a thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Thread {
    pub(crate) os_tid: u32,
    /// The process's entry, or [`NONE`] while only the thread's id is known.
    pub(crate) process: u32,
    pub(crate) start_ns: Option<i64>,
    pub(crate) end_ns: Option<i64>,
    pub(crate) name: Option<TextId>,
    /// The CPU it is the idle thread of, or [`NONE`].
    pub(crate) idle_cpu: u32,
}

/// The threads of a trace, in order of first sight.
#[derive(Debug)]
pub(crate) struct Threads {
    pub(crate) all: Vec<Thread>,
    by_tid: IdMap,
    limit: u32,
    /// Threads left out because of the limit.
    pub(crate) refused: u64,
}

impl Threads {
    /// Returns an empty set of at most `limit` entries.
    pub(crate) fn new(limit: u32) -> Self {
        Self {
            all: Vec::new(),
            by_tid: IdMap::default(),
            limit,
            refused: 0,
        }
    }

    /// Adds an entry; `None` at the limit.
    pub(crate) fn add(&mut self, thread: Thread) -> Option<u32> {
        let number = u32::try_from(self.all.len())
            .ok()
            .filter(|&number| number < self.limit);
        let Some(number) = number else {
            self.refused += 1;
            return None;
        };
        self.all.push(thread);
        Some(number)
    }

    /// Returns the slot of the living thread with this id.
    pub(crate) fn slot(&self, tid: u32) -> Option<Slot> {
        self.by_tid.get(tid).map(Slot)
    }

    /// The living thread in `slot` has this id from now on.
    pub(crate) fn name_slot(&mut self, tid: u32, slot: Slot) {
        self.by_tid.insert(tid, slot.0);
    }

    /// The thread in `slot` no longer has this id.
    pub(crate) fn forget(&mut self, tid: u32, slot: Slot) {
        self.by_tid.remove(tid, slot.0);
    }

    /// Returns an entry.
    pub(crate) fn get(&self, number: u32) -> Option<&Thread> {
        self.all.get(usize::try_from(number).ok()?)
    }

    /// Returns an entry.
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Thread> {
        self.all.get_mut(usize::try_from(number).ok()?)
    }
}

impl Thread {
    /// Returns an entry of a process.
    pub(crate) fn new(os_tid: u32, process: u32, start_ns: Option<i64>) -> Self {
        Self {
            os_tid,
            process,
            start_ns,
            end_ns: None,
            name: None,
            idle_cpu: NONE,
        }
    }
}
