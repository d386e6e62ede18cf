//! Finds switches that the kernel does not report, and reports them.
//!
//! Every switch of a CPU begins with the thread that the one before ended with. Not so where a
//! kernel keeps certain threads from being traced at all: a switch *from* such a thread runs into
//! no tracepoint, for any recorder. (Seen on virtual machines whose kernel hides the threads of the
//! agent that manages them; the idle thread of the second CPU, made by the same first process, was
//! hidden with them. Who wakes up on an idle CPU then seems never to begin to run.)
//!
//! The thread that comes is not hidden, and perf has another way to tell that it runs: `SWITCH`
//! records. They cost as much again as the tracepoint, so they run during the first moments of a
//! recording, and go on only if they tell something new. What they tell becomes a sample of
//! `sched:sched_switch` with an empty call chain and what is known of it: state `R` and its
//! priority for an idle thread; for others a state that no kernel reports ([`UNKNOWN_STATE`]).
//! Names are empty.

use std::io;
use std::sync::Arc;

use whyslow_perfdata::whyslow_events::UNKNOWN_STATE;

use crate::raw_record::u32_at;
use crate::sys::perf::PerfEvent;

/// How long to watch a recording that shows no gap.
const PROBATION_NS: u64 = 200_000_000;
/// The priority of ordinary threads, for want of a better.
const PRIORITY: u32 = 120;

/// Follows the switches of all CPUs.
#[derive(Debug)]
pub(crate) struct SwitchChain {
    layout: SwitchLayout,
    /// Per ring: the threads of the last switch, leaver and comer.
    last: Vec<Option<(u32, u32)>>,
    watch: Watch,
    /// The events that make `SWITCH` records, one per CPU.
    notes: Vec<Arc<PerfEvent>>,
    gaps: u64,
    reported: u64,
}

/// Whether there are `SWITCH` records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watch {
    /// Yes, for a while; since when is not known before the first round.
    Trial(Option<u64>),
    /// No, as long as there is no gap.
    Off,
    /// Yes.
    On,
}

/// A switch that was not reported: the payload for it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unreported {
    /// The thread that left.
    pub(crate) leaver_tid: u32,
    /// Its process.
    pub(crate) leaver_pid: u32,
    /// Payload of `sched:sched_switch`.
    pub(crate) payload: Vec<u8>,
}

impl SwitchChain {
    /// Follows `rings` rings; `notes` are the events that make `SWITCH` records, switched on.
    pub(crate) fn new(layout: SwitchLayout, rings: usize, notes: Vec<Arc<PerfEvent>>) -> Self {
        let watch = Watch::Trial(None);
        Self {
            layout,
            last: vec![None; rings],
            watch,
            notes,
            gaps: 0,
            reported: 0,
        }
    }

    /// Switches that were reported for the kernel.
    pub(crate) fn reported(&self) -> u64 {
        self.reported
    }

    /// A switch was recorded; this is its payload.
    pub(crate) fn switch(&mut self, ring: usize, payload: &[u8]) {
        let Some(last) = self.last.get_mut(ring) else {
            return;
        };
        let now = self.layout.threads(payload);
        // While stacks are limited a switch comes twice.
        if last.is_some_and(|last| last != now && last.1 != now.0) {
            self.gaps += 1;
        }
        *last = Some(now);
    }

    /// A `SWITCH` record says that `comer_tid` runs now, after a thread of `leaver`. Returns the
    /// switch if nothing else has told it.
    pub(crate) fn comes(
        &mut self,
        ring: usize,
        comer_tid: u32,
        (leaver_pid, leaver_tid): (u32, u32),
    ) -> Option<Unreported> {
        let last = self.last.get_mut(ring)?;
        // Before the first switch nothing can be missing.
        let (_, running) = (*last)?;
        // A thread that is ending has no number any more; the tracepoint knows it, though.
        if running == comer_tid || comer_tid == u32::MAX {
            return None;
        }
        *last = Some((leaver_tid, comer_tid));
        self.reported += 1;
        let payload = self.layout.payload(leaver_tid, comer_tid);
        Some(Unreported {
            leaver_tid,
            leaver_pid,
            payload,
        })
    }

    /// Switches the `SWITCH` records on or off, as needed.
    pub(crate) fn adjust(&mut self, now_ns: u64) -> io::Result<()> {
        let is_needed = self.gaps > 0 || self.reported > 0;
        match self.watch {
            Watch::Trial(None) => self.watch = Watch::Trial(Some(now_ns)),
            Watch::Trial(Some(_)) if is_needed => self.watch = Watch::On,
            Watch::Trial(Some(since)) if now_ns.saturating_sub(since) > PROBATION_NS => {
                self.notes.iter().try_for_each(|event| event.disable())?;
                self.watch = Watch::Off;
            }
            Watch::Off if is_needed => {
                self.notes.iter().try_for_each(|event| event.enable())?;
                self.watch = Watch::On;
            }
            Watch::Trial(Some(_)) | Watch::Off | Watch::On => {}
        }
        Ok(())
    }
}

/// Where the fields of the payload of `sched:sched_switch` are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SwitchLayout {
    id: u16,
    /// Offset and size, in the order of [`FIELDS`].
    fields: [(usize, usize); FIELDS.len()],
    bytes: usize,
}

const FIELDS: [&str; 6] = [
    "common_pid",
    "prev_pid",
    "prev_prio",
    "prev_state",
    "next_pid",
    "next_prio",
];

impl SwitchLayout {
    /// Reads the layout from the tracepoint's format; `None` if it is not as expected.
    pub(crate) fn parse(format: &str) -> Option<Self> {
        let id = format.lines().find_map(|line| line.strip_prefix("ID:"))?;
        let mut fields = [None; FIELDS.len()];
        let mut bytes = 0;
        for (name, offset, size) in format.lines().filter_map(parse_field) {
            bytes = bytes.max(offset + size);
            for (field, wanted) in fields.iter_mut().zip(FIELDS) {
                if name == wanted {
                    *field = Some((offset, size));
                }
            }
        }
        let mut found = [(0, 0); FIELDS.len()];
        for (place, field) in found.iter_mut().zip(fields) {
            *place = field?;
        }
        Some(Self {
            id: id.trim().parse().ok()?,
            fields: found,
            bytes,
        })
    }

    /// The threads of a switch: leaver, comer.
    fn threads(&self, payload: &[u8]) -> (u32, u32) {
        let [_, (leaver, _), _, _, (comer, _), _] = self.fields;
        (u32_at(payload, leaver), u32_at(payload, comer))
    }

    /// The payload of a switch of which little is known.
    fn payload(&self, leaver_tid: u32, comer_tid: u32) -> Vec<u8> {
        // An idle thread can always run on.
        let state = if leaver_tid == 0 { 0 } else { UNKNOWN_STATE };
        let values: [&[u8]; FIELDS.len()] = [
            &leaver_tid.to_ne_bytes(),
            &leaver_tid.to_ne_bytes(),
            &PRIORITY.to_ne_bytes(),
            &state.to_ne_bytes(),
            &comer_tid.to_ne_bytes(),
            &PRIORITY.to_ne_bytes(),
        ];
        let mut payload = vec![0; self.bytes];
        let mut put = |offset: usize, value: &[u8]| {
            if let Some(place) = payload.get_mut(offset..offset + value.len()) {
                place.copy_from_slice(value);
            }
        };
        // `common_type` is always the first field.
        put(0, &self.id.to_ne_bytes());
        for ((offset, size), value) in self.fields.into_iter().zip(values) {
            put(offset, value.get(..size).unwrap_or(value));
        }
        payload
    }
}

/// Name, offset and size from a line such as `field:pid_t prev_pid; offset:24; size:4; signed:1;`.
fn parse_field(line: &str) -> Option<(&str, usize, usize)> {
    let mut parts = line
        .trim()
        .strip_prefix("field:")?
        .split(';')
        .map(str::trim);
    let name = parts.next()?.split('[').next()?.rsplit(' ').next()?;
    let offset = parts.next()?.strip_prefix("offset:")?.parse().ok()?;
    let size = parts.next()?.strip_prefix("size:")?.parse().ok()?;
    Some((name, offset, size))
}

#[cfg(test)]
mod tests;
