//! From changes to intervals: what a goroutine did, and for how long.
//!
//! What a look sees is assumed to last until the next look, which comes at a random moment. So times
//! are right on
//! average, and a wait shorter than the time between two looks is seen in proportion to its length.

use std::collections::{BTreeMap, HashMap};

use crate::change::State;

/// Goroutines that are followed at a time, in all processes.
const MOST_OPEN: usize = 1 << 16;
/// Processes whose end is remembered.
const MOST_ENDED: usize = 4096;

/// A goroutine did one thing at one place for some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended<P> {
    /// Its process.
    pub pid: u32,
    /// Its number.
    pub id: u64,
    /// When it was seen so first.
    pub from_ns: u64,
    /// When it was no longer seen so.
    pub until_ns: u64,
    /// What it did.
    pub state: State,
    /// How many goroutines it represents.
    pub stands_for: u32,
    /// Where.
    pub place: P,
}

/// What the goroutines of all processes do now.
#[derive(Debug)]
pub struct Intervals<P> {
    open: HashMap<u32, BTreeMap<u64, Ended<P>>>,
    n_open: usize,
    ended_ns: HashMap<u32, u64>,
    refused: u64,
}

impl<P> Default for Intervals<P> {
    fn default() -> Self {
        Self {
            open: HashMap::new(),
            n_open: 0,
            ended_ns: HashMap::new(),
            refused: 0,
        }
    }
}

impl<P> Intervals<P> {
    /// Whether something that a look at `time_ns` found is of a process that had not ended.
    pub fn is_alive(&self, pid: u32, time_ns: u64) -> bool {
        self.ended_ns
            .get(&pid)
            .is_none_or(|&ended_ns| ended_ns < time_ns)
    }

    /// A goroutine begins something; returns what it did until then.
    pub fn begin(&mut self, now: Ended<P>) -> Option<Ended<P>> {
        let before = self.end(now.pid, now.id, now.from_ns);
        if self.n_open < MOST_OPEN {
            self.n_open += 1;
            self.open.entry(now.pid).or_default().insert(now.id, now);
        } else {
            self.refused += 1;
        }
        before
    }

    /// A goroutine ended; returns what it did until then.
    pub fn end(&mut self, pid: u32, id: u64, time_ns: u64) -> Option<Ended<P>> {
        let mut last = self.open.get_mut(&pid)?.remove(&id)?;
        self.n_open -= 1;
        last.until_ns = time_ns;
        Some(last)
    }

    /// A process ended or runs another program; returns what its goroutines did until then.
    pub fn end_process(&mut self, pid: u32, time_ns: u64) -> Vec<Ended<P>> {
        if self.ended_ns.len() >= MOST_ENDED {
            self.ended_ns.clear();
        }
        let Some(open) = self.open.remove(&pid) else {
            return Vec::new();
        };
        self.ended_ns.insert(pid, time_ns);
        self.n_open -= open.len();
        let mut ended: Vec<_> = open.into_values().collect();
        for one in &mut ended {
            one.until_ns = time_ns.max(one.from_ns);
        }
        ended
    }

    /// The recording ends; returns what is open.
    pub fn finish(&mut self, time_ns: u64) -> Vec<Ended<P>> {
        let mut pids: Vec<_> = self.open.keys().copied().collect();
        pids.sort_unstable();
        let ended = pids.iter().flat_map(|&pid| self.end_process(pid, time_ns));
        ended.collect()
    }

    /// How often there was no room.
    pub fn refused(&self) -> u64 {
        self.refused
    }
}
