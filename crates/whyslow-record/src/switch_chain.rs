//! Finds switches that the kernel does not report, and reports them.
//!
//! Every switch of a CPU begins with the thread that the one before ended with. Not so where a
//! kernel keeps certain threads from being traced at all: a switch *from* such a thread hits no tracepoint,
//! for any recorder. (Seen on virtual machines whose kernel hides the threads of the
//! agent that manages them; the idle thread of the second CPU, made by the same first process, was
//! hidden with them. A thread that wakes up on an idle CPU then seems never to run.)
//!
//! Since Linux 6.16 an eBPF program runs when a thread has come, and reports such a switch at once
//! (`on_switched`). Before that, and without eBPF, this file does. The thread that comes is not hidden,
//! and perf has another way to tell that it runs: `SWITCH` records. They cost as much as the tracepoint, so
//! they run during the first moments of a recording, and continue only if they report something new on any
//! CPU: a hidden thread may come to each. The first one that comes later is not reported. Each becomes a
//! sample of
//! `sched:sched_switch` with an empty call chain and what is known of it: state `R` and its
//! priority for an idle thread; for others a state that no kernel reports ([`UNKNOWN_STATE`]).
//! Names are empty.

use std::io;
use std::sync::Arc;

use whyslow_perfdata::whyslow_events::UNKNOWN_STATE;

use crate::switch_layout::{SwitchFields, SwitchLayout};
use crate::sys::perf::PerfEvent;

/// How long to watch a recording that shows no gap.
const PROBATION_NS: u64 = 200_000_000;
/// The priority of ordinary threads, for lack of a better one.
const PRIORITY: u32 = 120;

/// Follows the switches of all CPUs.
#[derive(Debug)]
pub(crate) struct SwitchChain {
    layout: SwitchLayout,
    rings: Vec<RingChain>,
    reported: u64,
}

/// Follows the switches of one CPU.
#[derive(Debug)]
struct RingChain {
    /// The threads of the last switch: the one that left, the one that came.
    last: Option<(u32, u32)>,
    watch: Watch,
    /// The event that makes `SWITCH` records.
    notes: Option<Arc<PerfEvent>>,
    /// A switch was missing.
    has_gap: bool,
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
        let mut notes = notes.into_iter();
        let ring = |_| RingChain {
            last: None,
            watch: Watch::Trial(None),
            notes: notes.next(),
            has_gap: false,
        };
        Self {
            layout,
            rings: (0..rings).map(ring).collect(),
            reported: 0,
        }
    }

    /// Switches that were reported for the kernel.
    pub(crate) fn reported(&self) -> u64 {
        self.reported
    }

    /// A switch was recorded; this is its payload.
    pub(crate) fn switch(&mut self, ring: usize, payload: &[u8]) {
        let Some(ring) = self.rings.get_mut(ring) else {
            return;
        };
        let now = self.layout.threads(payload);
        // While stacks are limited a switch comes twice.
        if ring.last.is_some_and(|last| last != now && last.1 != now.0) {
            ring.has_gap = true;
        }
        ring.last = Some(now);
    }

    /// A `SWITCH` record says that `comer_tid` runs now, after a thread of `leaver`. Returns the
    /// switch if nothing else has reported it.
    pub(crate) fn comes(
        &mut self,
        ring: usize,
        comer_tid: u32,
        (leaver_pid, leaver_tid): (u32, u32),
    ) -> Option<Unreported> {
        let ring = self.rings.get_mut(ring)?;
        // Before the first switch nothing can be missing.
        let (_, running) = ring.last?;
        // A thread that is ending has no number any more; the tracepoint knows it, though.
        if running == comer_tid || comer_tid == u32::MAX {
            return None;
        }
        ring.last = Some((leaver_tid, comer_tid));
        ring.has_gap = true;
        self.reported += 1;
        Some(Unreported {
            leaver_tid,
            leaver_pid,
            payload: self.layout.payload(&little_known(leaver_tid, comer_tid)),
        })
    }

    /// Switches the `SWITCH` records of all CPUs on or off, as needed.
    pub(crate) fn adjust(&mut self, now_ns: u64) -> io::Result<()> {
        let has_gap = self.rings.iter().any(|ring| ring.has_gap);
        let mut rings = self.rings.iter_mut();
        rings.try_for_each(|ring| ring.adjust(now_ns, has_gap))
    }
}

impl RingChain {
    fn adjust(&mut self, now_ns: u64, has_gap: bool) -> io::Result<()> {
        match self.watch {
            Watch::Trial(None) => self.watch = Watch::Trial(Some(now_ns)),
            Watch::Trial(Some(_)) if has_gap => self.watch = Watch::On,
            Watch::Trial(Some(since)) if now_ns.saturating_sub(since) > PROBATION_NS => {
                self.notes.iter().try_for_each(|event| event.disable())?;
                self.watch = Watch::Off;
            }
            Watch::Off if has_gap => {
                self.notes.iter().try_for_each(|event| event.enable())?;
                self.watch = Watch::On;
            }
            Watch::Trial(Some(_)) | Watch::Off | Watch::On => {}
        }
        Ok(())
    }
}

/// A switch of which little is known.
fn little_known(leaver_tid: u32, comer_tid: u32) -> SwitchFields {
    SwitchFields {
        leaver_tid,
        comer_tid,
        // An idle thread can always continue.
        state: if leaver_tid == 0 { 0 } else { UNKNOWN_STATE },
        leaver_priority: PRIORITY,
        comer_priority: PRIORITY,
        ..SwitchFields::default()
    }
}

#[cfg(test)]
mod tests;
