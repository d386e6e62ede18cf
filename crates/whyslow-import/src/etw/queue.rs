//! Holds events back until their stacks have come.
//!
//! Windows writes an event's stack after the event, as a separate record that names the event by
//! its time stamp and thread:
//!
//! ```text
//! time     10       12            13             30
//! cpu 0    sample   stack of 10   switch         stack of 13 …
//!            ▲────────┘             ▲──────────────┘
//! ```
//!
//! So events wait here for a short time, in order, and receive their stacks. Only the user half of
//! events in the kernel comes later: it is recorded when the thread returns to its own code, and
//! applies to everything that the thread did until then ([`Pending`]).
//!
//! [`Pending`]: whyslow_stacks::HalfRef::Pending

use std::collections::VecDeque;

use crate::event::{Event, EventKind, Waker};
use whyslow_stacks::StackRef;

/// Maximum number of waiting events; beyond it, the oldest continues without its stack.
const MOST_EVENTS: usize = 1 << 16;
/// Maximum number of events of one time stamp that are searched for a stack's owner.
pub(super) const MOST_ALIKE: usize = 1 << 8;
/// Steps that each record allows for inserting late events, and for how many records unused steps
/// are kept. This is enough for occasional late events, but not for a file made to cost time.
const STEPS_PER_RECORD: usize = 64;
const MOST_STEPS: usize = 1 << 20;
/// Fraction of a second that an event waits. Stacks follow within microseconds, unless the
/// processor is interrupted in between.
const WAIT_PER_SECOND: i64 = 100;

/// Events that wait for their stacks, oldest first.
#[derive(Debug)]
pub(super) struct Queue {
    events: VecDeque<Held>,
    /// Ticks that an event waits.
    wait: i64,
    newest: i64,
    /// Events later than this wait longer.
    held_from: i64,
    steps: usize,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    /// Its own time stamp, or that of the event before it if that is later.
    order: i64,
    event: Event,
}

/// What a stack record says about the event it belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owner {
    /// Its time stamp.
    pub(super) raw_time: i64,
    /// The process of the thread.
    pub(super) pid: u32,
    /// The thread whose stack it is.
    pub(super) tid: u32,
    /// The CPU the stack was recorded on; usually that of the event.
    pub(super) cpu: Option<u32>,
}

impl Queue {
    /// Returns an empty queue for a clock of `frequency` ticks per second.
    pub(super) fn new(frequency: i64) -> Self {
        Self {
            events: VecDeque::new(),
            wait: (frequency / WAIT_PER_SECOND).max(1),
            newest: i64::MIN,
            held_from: i64::MAX,
            steps: MOST_STEPS,
        }
    }

    /// Takes an event of a time stamp; an event without a time follows those before it.
    pub(super) fn push(&mut self, raw_time: i64, event: Event) {
        self.newest = self.newest.max(raw_time);
        let before = self.events.back().map_or(i64::MIN, |held| held.order);
        let order = raw_time.max(before);
        self.events.push_back(Held { order, event });
    }

    /// Takes an event that comes late, at its place among the others.
    pub(super) fn insert(&mut self, raw_time: i64, event: Event) {
        let at = self.events.partition_point(|held| held.order <= raw_time);
        let steps = at.min(self.events.len() - at);
        let Some(left) = self.steps.checked_sub(steps) else {
            return self.push(raw_time, event);
        };
        self.steps = left;
        let before = at.checked_sub(1).and_then(|at| self.events.get(at));
        let order = before.map_or(raw_time, |before| before.order.max(raw_time));
        self.events.insert(at, Held { order, event });
    }

    /// Holds back events later than a time, because an event of that time is still to come.
    pub(super) fn hold(&mut self, from: i64) {
        self.held_from = from;
    }

    /// Notes the time of a record that is not an event for the queue.
    #[inline]
    pub(super) fn tick(&mut self, raw_time: i64) {
        self.newest = self.newest.max(raw_time);
        self.steps = (self.steps + STEPS_PER_RECORD).min(MOST_STEPS);
    }

    /// Returns the newest time stamp; `None` where there was none.
    pub(super) fn newest(&self) -> Option<i64> {
        (self.newest != i64::MIN).then_some(self.newest)
    }

    /// Returns the next event that has waited long enough, and the time stamp it is found by.
    #[inline]
    pub(super) fn due(&mut self) -> Option<(i64, Event)> {
        let due = self.newest.saturating_sub(self.wait).min(self.held_from);
        let is_full = self.events.len() > MOST_EVENTS;
        let first = self.events.front()?;
        if first.order >= due && !is_full {
            return None;
        }
        let held = self.events.pop_front()?;
        Some((held.order, held.event))
    }

    /// Returns whether events of a time have waited long enough.
    pub(super) fn has_gone(&self, raw_time: i64) -> bool {
        raw_time < self.newest.saturating_sub(self.wait).min(self.held_from)
    }

    /// Returns the next event, however short it has waited.
    pub(super) fn pop(&mut self) -> Option<Event> {
        self.events.pop_front().map(|held| held.event)
    }

    /// Returns the event that a stack record names, whose stack is to be completed.
    ///
    /// Several events may have the same time stamp: then the thread decides, else the CPU.
    pub(super) fn owner(&mut self, owner: Owner) -> Option<&mut EventKind> {
        let first = self
            .events
            .partition_point(|held| held.order < owner.raw_time);
        let same = self.events.range(first..);
        let same = same.take_while(|held| held.order == owner.raw_time);
        let same = same.take(MOST_ALIKE);
        let (mut best, mut place) = ((Fit::None, true), None);
        for (number, held) in (first..).zip(same) {
            let fit = held.event.fits(owner);
            if fit > best {
                (best, place) = (fit, Some(number));
            }
        }
        let held = self.events.get_mut(place?)?;
        match &mut held.event.kind {
            EventKind::Waking(waking) if waking.waker == Waker::Running && owner.tid != 0 => {
                waking.waker = Waker::Thread { tid: owner.tid };
            }
            EventKind::Sample(sample) if sample.tid == Some(owner.tid) && owner.tid != 0 => {
                sample.pid = Some(owner.pid);
            }
            EventKind::Switch(switch) if switch.in_tid == owner.tid && owner.tid != 0 => {
                switch.in_pid = Some(owner.pid);
            }
            _ => {}
        }
        Some(&mut held.event.kind)
    }
}

/// How well an event fits a stack record with its time stamp, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// Not at all.
    None,
    Cpu,
    Thread,
    Both,
}

impl Fit {
    /// Returns how well an event of a thread and CPU fits a stack's owner.
    pub(super) fn of(tid: Option<u32>, cpu: Option<u32>, owner: Owner) -> Self {
        let is_thread = tid == Some(owner.tid);
        let is_cpu = cpu.is_some() && cpu == owner.cpu;
        match (is_thread, is_cpu) {
            (true, true) => Self::Both,
            (true, false) => Self::Thread,
            (false, true) => Self::Cpu,
            (false, false) => Self::None,
        }
    }
}

impl Event {
    /// Returns how well a stack's owner fits, and whether the event still lacks a stack.
    fn fits(&self, owner: Owner) -> (Fit, bool) {
        let Some(stack) = self.kind.stack() else {
            return (Fit::None, false);
        };
        let fit = Fit::of(self.kind.stack_tid(), self.cpu, owner);
        (fit, stack == StackRef::NONE)
    }
}

impl EventKind {
    /// Returns the thread whose stack the event has, where the event says.
    pub(super) fn stack_tid(&self) -> Option<u32> {
        match self {
            Self::Sample(sample) => sample.tid,
            Self::Switch(switch) => Some(switch.in_tid),
            Self::Waking(waking) => match waking.waker {
                Waker::Thread { tid } => Some(tid),
                _ => None,
            },
            Self::Operation(operation) => operation.tid,
            _ => None,
        }
    }

    fn stack(&self) -> Option<StackRef> {
        match self {
            Self::Sample(sample) => Some(sample.stack),
            Self::Switch(switch) => Some(switch.in_stack),
            Self::Waking(waking) => Some(waking.stack),
            Self::Operation(operation) if operation.has_own_stack() => Some(operation.stack),
            _ => None,
        }
    }

    /// Returns the stack of the event, if events of its kind have one.
    pub(super) fn stack_mut(&mut self) -> Option<&mut StackRef> {
        match self {
            Self::Sample(sample) => Some(&mut sample.stack),
            Self::Switch(switch) => Some(&mut switch.in_stack),
            Self::Waking(waking) => Some(&mut waking.stack),
            Self::Operation(operation) if operation.has_own_stack() => Some(&mut operation.stack),
            _ => None,
        }
    }
}
