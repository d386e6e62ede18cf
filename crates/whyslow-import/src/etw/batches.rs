//! Switches in packed form, one record for many of a processor.
//!
//! ```text
//! record at 10:  a stops at 10, idle at 25, b at 31          record at 44:  c stops at 44 …
//! switches:      10 a → idle    25 idle → b   31 b → ?  ──────────────────► 31 b → c
//! ```
//!
//! A packet says which thread stops; that which goes on is told where it stops itself. So the last
//! switch of a record is known when the processor's next record comes, and until then nothing that
//! happened later goes to the trackers ([`Queue::hold`](super::queue::Queue::hold)). A record has the
//! time of its first switch: the others wait until their time has come. Why a thread stopped is not
//! told in a form that is public.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use whyslow_etl::Record;
use whyslow_etl::kernel::{PackedSwitch, SwitchBatch};
use whyslow_model::WaitReason;

use super::Frontend;
use crate::event::{Event, EventKind, Switch};
use crate::stacks::StackRef;

/// Switches that wait for their time at most.
const MOST_AHEAD: usize = 1 << 16;
/// Seconds that a record spans at most: what is further ahead is damage.
const LONGEST_S: i64 = 60;
/// The id of no thread.
const NOBODY: u32 = u32::MAX;

/// Packed switches that are not told yet.
#[derive(Debug, Default)]
pub(super) struct Batches {
    /// The last switch of each processor's last record.
    open: BTreeMap<u32, PackedSwitch>,
    /// Switches ahead of the record they came with, by time and order of sight.
    ahead: BinaryHeap<Reverse<Ahead>>,
    given: u64,
}

/// A switch whose time has not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ahead {
    time: i64,
    number: u64,
    cpu: u32,
    out_tid: u32,
    priority: i8,
    raw: u8,
    in_tid: u32,
}

impl Frontend<'_> {
    /// Takes a record of packed switches.
    pub(super) fn switches(&mut self, record: &Record<'_>) {
        let Some(mut batch) = SwitchBatch::read(record.payload()) else {
            return self.bad(record, "switches");
        };
        let cpu = self.cpu(record).unwrap_or(0);
        let latest = self.clock.frequency().saturating_mul(LONGEST_S);
        let latest = record.raw_time.saturating_add(latest);
        let mut held = self.batches.open.remove(&cpu);
        for stop in &mut batch {
            if stop.time < record.raw_time || stop.time > latest {
                self.bad(record, "switches out of their time");
                break;
            }
            if let Some(before) = held.replace(stop) {
                self.packed_switch(record, cpu, (before, stop.old_thread_id));
            }
        }
        if let Some(held) = held {
            self.batches.open.insert(cpu, held);
        }
        let first = self.batches.open.values().map(|stop| stop.time).min();
        self.queue.hold(first.unwrap_or(i64::MAX));
    }

    fn packed_switch(&mut self, record: &Record<'_>, cpu: u32, of: (PackedSwitch, u32)) {
        let (stop, in_tid) = of;
        self.batches.given += 1;
        let ahead = Ahead {
            time: stop.time,
            number: self.batches.given,
            cpu,
            out_tid: stop.old_thread_id,
            priority: stop.old_priority,
            raw: stop.old_state_and_reason,
            in_tid,
        };
        if stop.time < record.raw_time {
            let event = ahead.event(self.ns(stop.time));
            self.queue.insert(stop.time, event);
        } else if self.batches.ahead.len() < MOST_AHEAD {
            self.batches.ahead.push(Reverse(ahead));
        } else {
            self.refuse("switches left out: too many in records ahead of their time");
        }
    }

    /// Queues the packed switches up to a time.
    #[inline]
    pub(super) fn catch_up(&mut self, raw_time: i64) {
        while let Some(Reverse(next)) = self.batches.ahead.peek() {
            if next.time > raw_time {
                break;
            }
            let Some(Reverse(next)) = self.batches.ahead.pop() else {
                break;
            };
            let event = next.event(self.ns(next.time));
            self.queue.push(next.time, event);
        }
    }

    /// The trace ends: nobody knows who went on after the last switches.
    pub(super) fn finish_batches(&mut self) {
        self.catch_up(i64::MAX);
        for (cpu, stop) in std::mem::take(&mut self.batches.open) {
            let event = Ahead {
                time: stop.time,
                number: 0,
                cpu,
                out_tid: stop.old_thread_id,
                priority: stop.old_priority,
                raw: stop.old_state_and_reason,
                in_tid: NOBODY,
            };
            let event = event.event(self.ns(stop.time));
            self.queue.insert(stop.time, event);
        }
    }
}

impl Ahead {
    fn event(self, ns: i64) -> Event {
        let switch = Switch {
            out_tid: self.out_tid,
            out_pid: None,
            reason: WaitReason::Unknown,
            reason_raw: self.raw.into(),
            priority: Some(self.priority.into()),
            out_stack: StackRef::NONE,
            in_tid: self.in_tid,
            in_pid: None,
            in_stack: StackRef::NONE,
        };
        Event {
            time_ns: Some(ns),
            cpu: Some(self.cpu),
            kind: EventKind::Switch(switch),
        }
    }
}
