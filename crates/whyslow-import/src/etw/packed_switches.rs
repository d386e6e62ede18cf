//! Context switches in packed form: one record holds many switches of a processor.
//!
//! ```text
//! record at 10:  a stops at 10, idle at 25, b at 31          record at 44:  c stops at 44 …
//! switches:      10 a → idle    25 idle → b   31 b → ?  ──────────────────► 31 b → c
//! ```
//!
//! A packed switch names the thread that stops. The thread that runs next is named only when it
//! stops in turn. So the last switch of a record is complete only when the processor's next record
//! comes; until then no later event goes to the trackers ([`Emitter::hold`]). A record has the time
//! of its first switch; its other switches wait until their time has come. No public description
//! says how the form encodes why a thread stopped.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use whyslow_etl::Record;
use whyslow_etl::kernel::{PackedSwitch, SwitchBatch};
use whyslow_model::WaitReason;

use super::emitter::Emitter;
use crate::event::{EventKind, Site, Switch};
use whyslow_stacks::StackRef;

/// Maximum number of switches that wait for their time.
const MOST_AHEAD: usize = 1 << 16;
/// Maximum time that a record spans, in seconds; a switch further ahead is damage.
const LONGEST_S: i64 = 60;
/// The id of no thread.
const NOBODY: u32 = u32::MAX;

/// Packed switches not yet handed on.
#[derive(Debug, Default)]
pub(super) struct PackedSwitches {
    /// The last switch of each processor's last record.
    open: BTreeMap<u32, PackedSwitch>,
    /// Switches ahead of the record they came with, by time and order of arrival.
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

impl PackedSwitches {
    /// Takes a record of packed switches.
    pub(super) fn take(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        let Some(mut batch) = SwitchBatch::read(record.payload()) else {
            return out.bad(record, "switches");
        };
        let cpu = out.cpu(record).unwrap_or(0);
        let latest = out.frequency().saturating_mul(LONGEST_S);
        let latest = record.raw_time.saturating_add(latest);
        let mut held = self.open.remove(&cpu);
        for stop in &mut batch {
            if stop.time < record.raw_time || stop.time > latest {
                out.bad(record, "switches out of their time");
                break;
            }
            if let Some(before) = held.replace(stop) {
                self.switch(record, cpu, (before, stop.old_thread_id), out);
            }
        }
        if let Some(held) = held {
            self.open.insert(cpu, held);
        }
        let first = self.open.values().map(|stop| stop.time).min();
        out.hold(first.unwrap_or(i64::MAX));
    }

    fn switch(
        &mut self,
        record: &Record<'_>,
        cpu: u32,
        (stop, in_tid): (PackedSwitch, u32),
        out: &mut Emitter<'_>,
    ) {
        self.given += 1;
        let ahead = Ahead {
            time: stop.time,
            number: self.given,
            cpu,
            out_tid: stop.old_thread_id,
            priority: stop.old_priority,
            raw: stop.old_state_and_reason,
            in_tid,
        };
        if stop.time < record.raw_time {
            out.insert_of(stop.time, cpu, ahead.event());
        } else if self.ahead.len() < MOST_AHEAD {
            self.ahead.push(Reverse(ahead));
        } else {
            out.refuse("switches left out: too many in records ahead of their time");
        }
    }

    /// Queues the packed switches up to a time.
    #[inline]
    pub(super) fn catch_up(&mut self, raw_time: i64, out: &mut Emitter<'_>) {
        while let Some(Reverse(next)) = self.ahead.peek() {
            if next.time > raw_time {
                break;
            }
            let Some(Reverse(next)) = self.ahead.pop() else {
                break;
            };
            out.push_of(next.time, next.cpu, next.event());
        }
    }

    /// Ends the trace: which threads ran after the last switches is unknown.
    pub(super) fn finish(&mut self, out: &mut Emitter<'_>) {
        self.catch_up(i64::MAX, out);
        for (cpu, stop) in std::mem::take(&mut self.open) {
            let event = Ahead {
                time: stop.time,
                number: 0,
                cpu,
                out_tid: stop.old_thread_id,
                priority: stop.old_priority,
                raw: stop.old_state_and_reason,
                in_tid: NOBODY,
            };
            out.insert_of(stop.time, cpu, event.event());
        }
    }
}

impl Ahead {
    fn event(self) -> EventKind {
        EventKind::Switch(Switch {
            out_tid: self.out_tid,
            out_pid: None,
            reason: WaitReason::Unknown,
            reason_raw: self.raw.into(),
            priority: Some(self.priority.into()),
            is_idle_class: false,
            out_stack: StackRef::NONE,
            in_tid: self.in_tid,
            in_pid: None,
            in_stack: StackRef::NONE,
            out_site: Site::default(),
            out_accounted_ns: None,
            out_recorder_ns: None,
            in_waker_site: Site::default(),
        })
    }
}
