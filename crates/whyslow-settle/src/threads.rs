//! Threads: one entry per lifetime within one process entry.
//!
//! An exec ends the thread that called it and starts another, so that a thread belongs to exactly
//! one process entry. What a thread is doing is the scheduling tracker's business.

use crate::NONE;
use crate::id_map::IdMap;
use crate::text::TextId;

/// A slot of the table of live threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot(pub u32);

impl Slot {
    /// Returns its index in that table.
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// A thread may use these CPUs from a time on.
#[derive(Debug, Clone, Copy)]
pub struct Affinity {
    /// Its number.
    pub thread: u32,
    /// Since when; `None` is since before the trace.
    pub from_ns: Option<i64>,
    /// The CPUs, as in the table.
    pub cpus: TextId,
}

/// What is known about a thread.
#[derive(Debug, Clone, Copy)]
pub struct Thread {
    /// The operating system's id.
    pub os_tid: u32,
    /// The process's entry, or [`NONE`] while only the thread's id is known.
    pub process: u32,
    /// When it started; `None` is before the trace.
    pub start_ns: Option<i64>,
    /// When it ended; `None` is after the trace.
    pub end_ns: Option<i64>,
    /// Its name.
    pub name: Option<TextId>,
    /// The CPU whose idle thread it is, or [`NONE`].
    pub idle_cpu: u32,
}

/// The threads of a trace, in the order they were first seen.
#[derive(Debug)]
pub struct Threads {
    /// The entries, by their numbers.
    pub all: Vec<Thread>,
    by_tid: IdMap,
    limit: u32,
    /// Threads left out because of the limit.
    pub refused: u64,
}

impl Threads {
    /// Returns an empty set of at most `limit` entries.
    pub fn new(limit: u32) -> Self {
        Self {
            all: Vec::new(),
            by_tid: IdMap::default(),
            limit,
            refused: 0,
        }
    }

    /// Adds an entry; `None` at the limit.
    pub fn add(&mut self, thread: Thread) -> Option<u32> {
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
    pub fn slot(&self, tid: u32) -> Option<Slot> {
        self.by_tid.get(tid).map(Slot)
    }

    /// Gives the living thread in `slot` this id from now on.
    pub fn name_slot(&mut self, tid: u32, slot: Slot) {
        self.by_tid.insert(tid, slot.0);
    }

    /// Removes this id from the thread in `slot`.
    pub fn forget(&mut self, tid: u32, slot: Slot) {
        self.by_tid.remove(tid, slot.0);
    }

    /// Returns an entry.
    pub fn get(&self, number: u32) -> Option<&Thread> {
        self.all.get(usize::try_from(number).ok()?)
    }

    /// Returns an entry.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Thread> {
        self.all.get_mut(usize::try_from(number).ok()?)
    }
}

impl Thread {
    /// Returns an entry of a process.
    pub fn new(os_tid: u32, process: u32, start_ns: Option<i64>) -> Self {
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
