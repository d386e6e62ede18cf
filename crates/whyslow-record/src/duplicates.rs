//! Removes what arrives twice while stacks are limited.
//!
//! The event with stack and its bare duplicate (see [`crate::limiter`]) fire within the same
//! tracepoint, interrupts off, so the two records of one switch are neighbors in the ring with
//! equal payloads; which comes first depends on the kernel's list. Two different switches of a CPU
//! that follow each other never have equal payloads: the first one's next thread is the second
//! one's previous. Wake-ups can; then each one with stack removes exactly one duplicate, so the count
//! stays exact.
//!
//! One oddity: when its period has just been raised from 1, the kernel lets an event overflow
//! twice at once (`perf_swevent_set_period` divides by the period of before), which shows as two
//! equal records of the same nanosecond. Two wake-ups of one nanosecond are of different threads.

/// What to do with a record without stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is the duplicate of the one with stack before it: forget it.
    Drop,
    /// Keep it until the next one is known.
    Hold,
}

/// The state of one pair of events on one CPU.
#[derive(Debug, Default)]
pub(crate) struct Duplicates {
    /// Record without stack that may yet turn out to be a duplicate.
    held: Vec<u8>,
    held_payload: Vec<u8>,
    held_ns: u64,
    /// Payload of the last one with stack, unless its duplicate was found.
    unpaired: Vec<u8>,
    /// Time and payload of the last one with stack.
    full_ns: u64,
    full_payload: Vec<u8>,
}

impl Duplicates {
    /// A record without stack came.
    pub(crate) fn bare(&mut self, payload: &[u8]) -> Verdict {
        let is_duplicate = !self.unpaired.is_empty() && self.unpaired == payload;
        // Duplicates are neighbors: what comes next cannot be one any more.
        self.unpaired.clear();
        if is_duplicate {
            Verdict::Drop
        } else {
            Verdict::Hold
        }
    }

    /// Keeps a record without stack; the one held before must have been released.
    pub(crate) fn hold(&mut self, record: &[u8], payload: &[u8], time_ns: u64) {
        self.held.clear();
        self.held.extend_from_slice(record);
        self.held_payload.clear();
        self.held_payload.extend_from_slice(payload);
        self.held_ns = time_ns;
    }

    /// A record with stack came; its duplicate, if held, is dropped. False: it is the second of one
    /// event, to be forgotten.
    pub(crate) fn full(&mut self, payload: &[u8], time_ns: u64) -> bool {
        if std::mem::replace(&mut self.full_ns, time_ns) == time_ns && self.full_payload == payload
        {
            return false;
        }
        self.full_payload.clear();
        self.full_payload.extend_from_slice(payload);
        self.unpaired.clear();
        if !self.held.is_empty() && self.held_payload == payload {
            self.held.clear();
        } else {
            self.unpaired.extend_from_slice(payload);
        }
        true
    }

    /// Hands the record held back, if any, to `write`, because it is no duplicate.
    pub(crate) fn release(&mut self, write: impl FnOnce(&[u8])) {
        if !self.held.is_empty() {
            write(&self.held);
            self.held.clear();
        }
    }

    /// As [`release`](Self::release), of what was held when the round before this one ended: its
    /// duplicate would be there. A round may end between the two.
    pub(crate) fn release_old(&mut self, before_ns: u64, write: impl FnOnce(&[u8])) {
        if self.held_ns <= before_ns {
            self.release(write);
        }
    }
}

#[cfg(test)]
mod tests;
