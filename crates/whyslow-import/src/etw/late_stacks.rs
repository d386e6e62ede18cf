//! Events that left the queue without a stack, kept for stacks that come even later.
//!
//! ```text
//! time     10                30 ms                   1 s
//!          event ──queue──→  event, key 7  ──…──→    key 7 means nothing
//!                                      ▲ stack of 10: key 7 means it
//! ```
//!
//! Such an event carries keys of our own for the halves of its stack ([`HalfRef::Key`]). A stack
//! that comes within a second defines them. Only events of a kind that has had stacks get keys, so
//! a trace without stacks costs nothing. Keys are not free: a row carries them to the end. So their
//! number is limited, unless late stacks do come.

use std::collections::VecDeque;

use super::queue::{Fit, MOST_ALIKE, Owner};
use crate::event::{Event, EventKind};
use whyslow_stacks::{HalfRef, StackRef};

/// Maximum number of waiting events.
const MOST_EVENTS: usize = 1 << 16;
/// Additional events that may get keys for each stack that came late.
const EVENTS_PER_STACK: u32 = 16;

/// Events whose stack may still come.
#[derive(Debug)]
pub(super) struct LateStacks {
    /// The oldest first.
    events: VecDeque<Waiting>,
    /// By [`Stacked`]: whether any had a stack.
    have_stacks: [bool; 4],
    /// Ticks that an event waits: one second.
    wait: i64,
    /// Events that may still get keys.
    left: u32,
}

/// An event that was handed on without a stack.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    raw_time: i64,
    tid: Option<u32>,
    cpu: Option<u32>,
    /// `None` where its stack has come.
    keys: Option<LateKeys>,
}

/// The keys for the halves of a stack that has not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LateKeys {
    pub(super) kernel: u64,
    pub(super) user: u64,
}

/// Events that have stacks.
#[derive(Debug, Clone, Copy)]
enum Stacked {
    Sample,
    Switch,
    Waking,
    Operation,
}

impl LateStacks {
    /// Returns an empty set for a clock of `frequency` ticks per second. At most about `most`
    /// events get keys, unless late stacks come.
    pub(super) fn new(frequency: i64, most: u32) -> Self {
        Self {
            events: VecDeque::new(),
            have_stacks: [false; 4],
            wait: frequency.max(1),
            left: most,
        }
    }

    /// Notes that an event had a stack.
    pub(super) fn saw_stack(&mut self, of: &EventKind) {
        if let Some(kind) = Stacked::of(of) {
            self.have_stacks[kind as usize] = true;
        }
    }

    /// Gives keys to an event that leaves the queue without a stack, if one may still come.
    #[inline]
    pub(super) fn take(&mut self, raw_time: i64, event: &mut Event, next_key: &mut u64) {
        let Some(kind) = Stacked::of(&event.kind) else {
            return;
        };
        if !self.have_stacks[kind as usize] || self.left == 0 {
            return;
        }
        let (tid, cpu) = (event.kind.stack_tid(), event.cpu);
        let is_idle = tid == Some(0);
        let Some(stack) = event.kind.stack_mut().filter(|_| !is_idle) else {
            return;
        };
        if *stack != StackRef::NONE || self.events.len() >= MOST_EVENTS {
            return;
        }
        let keys = LateKeys {
            kernel: *next_key + 1,
            user: *next_key + 2,
        };
        *next_key += 2;
        self.left -= 1;
        *stack = StackRef {
            kernel: HalfRef::Key(keys.kernel),
            user: HalfRef::Key(keys.user),
        };
        self.events.push_back(Waiting {
            raw_time,
            tid,
            cpu,
            keys: Some(keys),
        });
    }

    /// Returns the keys of the event that a stack record names, for the caller to define.
    pub(super) fn find(&mut self, owner: Owner) -> Option<LateKeys> {
        let first = self
            .events
            .partition_point(|event| event.raw_time < owner.raw_time);
        let same = self.events.range(first..);
        let same = same.take_while(|event| event.raw_time == owner.raw_time);
        let waiting = same
            .take(MOST_ALIKE)
            .zip(first..)
            .filter(|(event, _)| event.keys.is_some());
        let fits = waiting.map(|(event, place)| (Fit::of(event.tid, event.cpu, owner), place));
        let (best, place) = fits.max_by_key(|(fit, _)| *fit)?;
        if best == Fit::None {
            return None;
        }
        self.left = self.left.saturating_add(EVENTS_PER_STACK);
        self.events.get_mut(place)?.keys.take()
    }

    /// Returns the keys of the next event that has waited long enough by then; no stack will define
    /// them.
    #[inline]
    pub(super) fn expired(&mut self, newest: i64) -> Option<LateKeys> {
        let due = newest.saturating_sub(self.wait);
        while self
            .events
            .front()
            .is_some_and(|first| first.raw_time < due)
        {
            let event = self.events.pop_front();
            if let Some(keys) = event.and_then(|event| event.keys) {
                return Some(keys);
            }
        }
        None
    }
}

impl Stacked {
    fn of(kind: &EventKind) -> Option<Self> {
        match kind {
            EventKind::Sample(_) => Some(Self::Sample),
            EventKind::Switch(_) => Some(Self::Switch),
            EventKind::Waking(_) => Some(Self::Waking),
            EventKind::Operation(_) => Some(Self::Operation),
            _ => None,
        }
    }
}
