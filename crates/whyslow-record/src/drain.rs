//! Empties the rings until told to stop, and nothing else.
//!
//! Processing the records can take long: the first stack in a compiler of 150 MB needs that file's
//! unwind tables. So this thread only copies bytes out of the rings and hands them on in batches;
//! [`crate::merge`] processes them in another thread. The queue between them holds
//! [`MAX_QUEUED_BYTES`]; only when it is full do the rings fill up, and the kernel counts what they
//! then lose.

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use crate::goroutines::Scout;
use crate::limiter::RingLimits;
use crate::python::Announcer;
use crate::raw_record::mappings;
use crate::settling::Settling;
use crate::sys::perf::PerfEvent;
use crate::sys::process::set_niceness;
use crate::sys::ring::Ring;
use crate::sys::signals::{EventFlag, poll};
use whyslow_bpf::now_ns;

/// Most bytes of records that wait to be processed.
pub(crate) const MAX_QUEUED_BYTES: u64 = 256 << 20;
/// Longest time between two rounds: bounds what a kill loses.
const ROUND_EVERY: Duration = Duration::from_millis(100);
/// Pause after a round that came soon after another and brought little, and between looks at a full
/// queue. A ring of usual size does not fill in this time.
const BREATH: Duration = Duration::from_millis(5);
/// Rounds that follow soon after one that found little: an event that wakes the recorder early
/// usually has more coming.
const SOON_ROUNDS: u32 = 6;
/// What is little: less than this is no reason to have been woken.
const LITTLE_BYTES: u64 = 32 << 10;

/// What all rings held at one moment.
#[derive(Debug)]
pub(crate) struct Batch {
    /// Records per ring, whole ones.
    pub(crate) rings: Vec<Vec<u8>>,
    /// No record up to this time, in nanoseconds of the recording's clock, is missing.
    pub(crate) settled_ns: u64,
    /// Nothing follows.
    pub(crate) is_last: bool,
}

impl Batch {
    /// Bytes of all records.
    pub(crate) fn bytes(&self) -> u64 {
        self.rings.iter().map(|ring| ring.len() as u64).sum()
    }
}

/// Where batches go, and how many bytes are on their way.
#[derive(Debug)]
pub(crate) struct Queue {
    pub(crate) batches: Sender<Batch>,
    /// Buffers that were processed, to be filled again.
    pub(crate) used: Receiver<Vec<u8>>,
    pub(crate) queued_bytes: Arc<AtomicU64>,
}

/// The rings and what belongs to them.
#[derive(Debug)]
pub(crate) struct RingSource {
    /// One per CPU.
    pub(crate) rings: Vec<Ring>,
    /// What limits the stacks, per ring.
    pub(crate) limits: Vec<RingLimits>,
    /// The events that own the rings, to wait for.
    pub(crate) leaders: Vec<Arc<PerfEvent>>,
    /// Announces new processes that run Python at once.
    pub(crate) announcer: Option<Announcer>,
    pub(crate) scout: Scout,
}

/// What the draining thread works with.
#[derive(Debug)]
pub(crate) struct Drain {
    pub(crate) source: RingSource,
    pub(crate) queue: Queue,
    pub(crate) settling: Settling,
    pub(crate) stop: Arc<EventFlag>,
}

/// Why a round begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Woken {
    ToStop,
    Settled,
    ByRing,
    ByTime,
}

/// Decides when to ask up to which time all records are in the rings.
#[derive(Debug, Default)]
struct Asking {
    /// Records have come since the last request, and are not known to be settled.
    is_left: bool,
}

impl Asking {
    /// Returns whether to ask after `bytes` were taken from the rings. It does not ask at once for the
    /// little that came since the last request, which would never end, but does so before everything
    /// falls silent.
    fn is_due(&mut self, woken: Woken, bytes: u64) -> bool {
        if woken == Woken::Settled {
            self.is_left |= bytes > 0;
            return false;
        }
        let is_due = bytes > 0 || woken == Woken::ToStop || woken == Woken::ByTime && self.is_left;
        self.is_left &= !is_due;
        is_due
    }
}

impl Drain {
    /// Runs until the flag is raised, then takes the rest and returns the rings. The events must be off by then,
    /// and what they had begun to write must be there.
    ///
    /// Ends early if nobody takes the batches any more, or if waiting fails.
    pub(crate) fn run(mut self) -> io::Result<Vec<Ring>> {
        // Reading the rings late loses records, and each round is short.
        let _ = set_niceness(-20);
        let (mut last_ns, mut soon) = (0, 0_u32);
        let (mut asking, mut told_ns) = (Asking::default(), 0);
        loop {
            let round_in = if soon > 0 { BREATH } else { ROUND_EVERY };
            let woken = self.wait(round_in)?;
            let is_last = woken == Woken::ToStop;
            let now = now_ns();
            let batch = self.batch(is_last);
            let bytes = batch.bytes();
            for (limits, records) in self.source.limits.iter_mut().zip(&batch.rings) {
                limits.take(records, now)?;
            }
            for mapping in batch.rings.iter().flat_map(|records| mappings(records)) {
                self.source.scout.look(mapping);
                if let Some(announcer) = &self.source.announcer {
                    announcer.look(mapping);
                }
            }
            if woken != Woken::Settled {
                soon = soon.saturating_sub(1);
                if woken == Woken::ByRing && bytes < LITTLE_BYTES {
                    soon = SOON_ROUNDS;
                }
                let since_last = Duration::from_nanos(now.saturating_sub(last_ns));
                last_ns = now;
                if bytes < LITTLE_BYTES && since_last < BREATH && !is_last {
                    // `poll` may return again and again for reasons other than data. Rounds at that
                    // rate would forever record little but the switches that they cause.
                    std::thread::sleep(BREATH);
                }
            }
            if asking.is_due(woken, bytes) {
                self.settling.ask();
            }
            // The settled time may have become known just after the wait.
            if bytes == 0 && !is_last && batch.settled_ns == told_ns {
                continue;
            }
            told_ns = batch.settled_ns;
            self.queue.queued_bytes.fetch_add(bytes, Ordering::Relaxed);
            if self.queue.batches.send(batch).is_err() || is_last {
                return Ok(self.source.rings);
            }
            // The thread that processes the batches may have failed: the stop flag ends this, too.
            while self.queue.queued_bytes.load(Ordering::Relaxed) > MAX_QUEUED_BYTES
                && !self.is_stopped_within(BREATH)?
            {}
        }
    }

    fn is_stopped_within(&self, time: Duration) -> io::Result<bool> {
        Ok(poll(&[self.stop.as_fd()], Some(time))? == [true])
    }

    /// Waits for data, for at most `time`.
    fn wait(&self, time: Duration) -> io::Result<Woken> {
        let mut fds = vec![self.stop.as_fd(), self.settling.as_fd()];
        fds.extend(self.source.leaders.iter().map(|leader| leader.as_fd()));
        let ready = poll(&fds, Some(time))?;
        Ok(match ready.as_slice() {
            [true, ..] => Woken::ToStop,
            [_, true, ..] => Woken::Settled,
            [_, _, rings @ ..] if rings.contains(&true) => Woken::ByRing,
            _ => Woken::ByTime,
        })
    }

    /// Takes all that the rings hold.
    fn batch(&mut self, is_last: bool) -> Batch {
        // In this order: the rings then hold everything that is settled.
        let settled_ns = self.settling.ns();
        let heads: Vec<u64> = self.source.rings.iter().map(Ring::head).collect();
        let used = &self.queue.used;
        let take = |(ring, head): (&mut Ring, u64)| {
            let tail = ring.tail();
            let length = usize::try_from(head.saturating_sub(tail)).unwrap_or(0);
            let mut bytes = used.try_recv().unwrap_or_default();
            bytes.clear();
            let (first, rest) = ring.bytes(tail, length);
            bytes.extend_from_slice(first);
            bytes.extend_from_slice(rest);
            ring.set_tail(head);
            bytes
        };
        Batch {
            rings: self.source.rings.iter_mut().zip(heads).map(take).collect(),
            settled_ns,
            is_last,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Asking, Woken};

    #[test]
    fn what_came_since_it_was_asked_is_asked_for_once_when_all_is_silent() {
        let mut asking = Asking::default();
        assert!(!asking.is_due(Woken::ByTime, 0));
        assert!(asking.is_due(Woken::ByRing, 100));
        assert!(!asking.is_due(Woken::Settled, 100));
        assert!(!asking.is_due(Woken::ByRing, 0));
        assert!(asking.is_due(Woken::ByTime, 0));
        assert!(!asking.is_due(Woken::ByTime, 0));
        assert!(!asking.is_due(Woken::Settled, 0));
        assert!(!asking.is_due(Woken::ByTime, 0));
    }
}
