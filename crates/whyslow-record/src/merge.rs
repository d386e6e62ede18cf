//! Processes what the drain took out of the rings, in time order and round by round.
//!
//! A *round* merges the records of all rings up to one moment by time, so the unwinder sees
//! mappings before the stacks that run through them, whichever CPU either came from. It ends with
//! a `FINISHED_ROUND` record: readers sort between those, and assume that nothing comes that is older than
//! the round before the last.
//!
//! The moment is one up to which nothing is missing in the rings ([`crate::settling`]); what is newer
//! stays for a later round. Some records carry a time earlier than their position here: the time at which an
//! eBPF program began. That program had not ended at the border of the round, so it began after the border
//! before, which was settled in between. The same holds for related records on both sides of a border. So
//! each round needs a moment of its own: the end of a round is not written twice.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::drain::{Batch, MAX_QUEUED_BYTES, Queue};
use crate::raw_record::{HEADER_BYTES, header, time_ns};
use crate::sink::{CHUNK_BYTES, Sink};
use crate::sys::process::set_niceness;
use crate::transform::Transform;
use whyslow_bpf::now_ns;

/// With this many waiting bytes, stacks are no longer unwound: the rings come first.
const HURRY_BYTES: u64 = MAX_QUEUED_BYTES / 4;
/// With this many unsettled bytes, the order is given up.
const MAX_UNSETTLED_BYTES: usize = 256 << 20;

/// The other end of the drain's [`Queue`].
#[derive(Debug)]
pub(crate) struct Intake {
    batches: Receiver<Batch>,
    used: Sender<Vec<u8>>,
    queued_bytes: Arc<AtomicU64>,
    discard: Arc<AtomicBool>,
}

/// Returns both ends of a new queue; once `discard` is set, its contents are no longer needed.
pub(crate) fn queue(discard: Arc<AtomicBool>) -> (Queue, Intake) {
    let (batches, intake) = channel();
    let (give_back, used) = channel();
    let queued_bytes = Arc::new(AtomicU64::new(0));
    let queue = Queue {
        batches,
        used,
        queued_bytes: Arc::clone(&queued_bytes),
    };
    (
        queue,
        Intake {
            batches: intake,
            used: give_back,
            queued_bytes,
            discard,
        },
    )
}

/// What the merging thread works with.
#[derive(Debug)]
pub(crate) struct Merge {
    cursors: Vec<Cursor>,
    intake: Intake,
    transform: Transform,
    sink: Sink,
    /// When it was made: what was written before, such as the states of threads, is not newer.
    made_ns: u64,
    /// The moment of the last round.
    settled_ns: u64,
    /// [`MAX_UNSETTLED_BYTES`], except in tests.
    max_unsettled_bytes: usize,
}

/// What is left when all batches have been merged.
#[derive(Debug)]
pub(crate) struct Merged {
    pub(crate) transform: Transform,
    pub(crate) sink: Sink,
    /// Why it ended early. [`BrokenPipe`](io::ErrorKind::BrokenPipe): ask the sink.
    pub(crate) failure: Option<io::Error>,
}

/// Records of one ring, and how far they have been processed.
#[derive(Debug, Default)]
struct Cursor {
    bytes: Vec<u8>,
    position: usize,
}

impl Merge {
    /// Returns a merge of `rings` rings that has not begun.
    pub(crate) fn new(rings: usize, intake: Intake, transform: Transform, sink: Sink) -> Self {
        let cursors = (0..rings).map(|_| Cursor::default()).collect();
        Self {
            cursors,
            intake,
            transform,
            sink,
            made_ns: now_ns(),
            settled_ns: 0,
            max_unsettled_bytes: MAX_UNSETTLED_BYTES,
        }
    }

    /// Works until the last batch.
    pub(crate) fn run(mut self) -> Merged {
        let _ = set_niceness(-10);
        let failure = self.run_rounds().err();
        Merged {
            transform: self.transform,
            sink: self.sink,
            failure,
        }
    }

    fn run_rounds(&mut self) -> io::Result<()> {
        // The drain ends without a last batch only if it failed.
        while let Ok(batch) = self.intake.batches.recv() {
            if self.intake.discard.load(Ordering::Relaxed) {
                return Err(io::Error::from(io::ErrorKind::Interrupted));
            }
            let bytes = batch.bytes();
            let (settled_ns, is_last) = (batch.settled_ns, batch.is_last);
            for (cursor, records) in self.cursors.iter_mut().zip(batch.rings) {
                let spare = cursor.add(records);
                // Nothing receives it once the drain has ended.
                let _ = self.intake.used.send(spare);
            }
            let waiting = self.intake.queued_bytes.load(Ordering::Relaxed);
            let is_behind = self.is_behind(waiting.saturating_sub(bytes));
            self.transform.walker.set_hurried(is_behind);
            if is_last || self.left_bytes() > self.max_unsettled_bytes {
                // An earlier settled time says nothing new.
                self.settled_ns = self.settled_ns.max(now_ns());
                self.finished_round(u64::MAX)?;
            } else if settled_ns > self.settled_ns {
                self.settled_ns = settled_ns;
                self.finished_round(settled_ns)?;
            }
            self.hand_over()?;
            self.intake.queued_bytes.fetch_sub(bytes, Ordering::Relaxed);
            if is_last {
                return Ok(());
            }
        }
        Err(io::Error::other("the rings could not be read to their end"))
    }

    /// Whether there is too much to do, counting what is here and the `waiting` bytes on their way.
    fn is_behind(&self, waiting: u64) -> bool {
        waiting.saturating_add(self.left_bytes() as u64) > HURRY_BYTES
    }

    /// Bytes that were not processed.
    fn left_bytes(&self) -> usize {
        self.cursors.iter().map(Cursor::left_bytes).sum()
    }

    /// Processes all records up to the time `until`, and writes the end of the round.
    fn finished_round(&mut self, until: u64) -> io::Result<()> {
        let before = self.left_bytes();
        self.round(until)?;
        self.transform.end_round(until.min(now_ns()))?;
        // What was taken from the rings before this was made is older than what was written meanwhile, so it
        // belongs to the same round.
        if self.left_bytes() < before && until >= self.made_ns {
            self.transform.output().finished_round();
        }
        Ok(())
    }

    /// Processes all records up to the time `until`.
    fn round(&mut self, until: u64) -> io::Result<()> {
        let mut order = BinaryHeap::new();
        for (ring, cursor) in self.cursors.iter().enumerate() {
            order.extend(cursor.time()?.map(|time| Reverse((time, ring))));
        }
        while let Some(Reverse((time, ring))) = order.pop() {
            if time > until {
                break;
            }
            let next_other = order.peek().map_or(u64::MAX, |Reverse((time, _))| *time);
            let Some(cursor) = self.cursors.get_mut(ring) else {
                continue;
            };
            let next = loop {
                self.transform.record(ring, cursor.record());
                cursor.advance();
                match cursor.time()? {
                    Some(time) if time <= next_other.min(until) => {}
                    next => break next,
                }
            };
            order.extend(next.map(|time| Reverse((time, ring))));
            if self.transform.output().as_bytes().len() >= CHUNK_BYTES {
                self.hand_over()?;
            }
        }
        Ok(())
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let records = self.transform.output();
        if records.as_bytes().is_empty() {
            return Ok(());
        }
        self.sink.send(records.replace(self.sink.buffer()))
    }
}

impl Cursor {
    /// Appends records; returns a buffer that is no longer needed.
    fn add(&mut self, records: Vec<u8>) -> Vec<u8> {
        if self.position == self.bytes.len() {
            self.position = 0;
            return std::mem::replace(&mut self.bytes, records);
        }
        self.bytes.drain(..self.position);
        self.position = 0;
        self.bytes.extend_from_slice(&records);
        records
    }

    /// The time of the next record; `None` at the end.
    fn time(&self) -> io::Result<Option<u64>> {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(None);
        }
        let (_, _, size) = header(rest);
        // The kernel writes whole records; if we cannot parse one, we cannot find the next.
        if size < HEADER_BYTES || size > rest.len() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a ring holds no records",
            ));
        }
        Ok(Some(time_ns(rest)))
    }

    /// Bytes that were not processed.
    fn left_bytes(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// The next record; empty at the end.
    fn record(&self) -> &[u8] {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        rest.get(..header(rest).2).unwrap_or_default()
    }

    fn advance(&mut self) {
        self.position += self.record().len();
    }
}

#[cfg(test)]
mod tests;
