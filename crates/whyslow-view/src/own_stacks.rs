//! How many waits have a stack of their own, if only a sample of the stacks was taken.
//!
//! Frequent short waits are too many to take a stack of each. The others get the stack of another
//! wait of the same thread at the same place, and are flagged
//! [`APPROXIMATE_STACK`](StateFlags::APPROXIMATE_STACK). Shares by stack then come from a sample.

use std::sync::Arc;

use whyslow_model::{StateFlags, ThreadState};
use whyslow_results::{Note, NoteLevel, grouped};

use crate::facts::Facts;
use crate::interval::Interval;

/// Percentage of waits with the stack of another wait from which the answer says so.
const WORTH_SAYING: u64 = 5;

/// Number of waits, and how many of them have the stack of another wait.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OwnStacks {
    /// Waits that were counted.
    pub waits: u64,
    /// How many of them have the stack of another wait.
    pub of_others: u64,
}

impl OwnStacks {
    /// Counts an interval, if it is a wait.
    pub fn add(&mut self, interval: &Interval) {
        let is_wait = matches!(interval.state, ThreadState::Waiting | ThreadState::OffCpu);
        if is_wait {
            let of_other = interval.flags.has(StateFlags::APPROXIMATE_STACK);
            self.waits += 1;
            self.of_others += u64::from(of_other);
        }
    }

    /// Counts an interval that is a wait, if it is in a selection.
    pub fn add_if(&mut self, is_counted: bool, interval: &Interval) {
        if is_counted {
            self.add(interval);
        }
    }

    /// Returns how many waits have a stack of their own.
    pub fn own(&self) -> u64 {
        self.waits - self.of_others
    }

    /// Returns whether shares by stack come from a sample to a noticeable degree.
    pub fn is_sample(&self) -> bool {
        self.of_others > 0 && self.of_others * 100 >= self.waits * WORTH_SAYING
    }

    /// Returns what a reader of shares by stack must know, if anything.
    pub fn note(&self, facts: &Facts) -> Option<Note> {
        let (own, waits) = (grouped(self.own()), grouped(self.waits));
        self.is_sample().then(|| Note {
            level: NoteLevel::Info,
            file: Some(Arc::clone(&facts.name)),
            text: format!("from a sample: the stacks of {own} of {waits} waits"),
        })
    }
}
