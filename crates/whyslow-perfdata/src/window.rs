//! The window in which records are sorted by time.
//!
//! The recorder drains one ring after another, so the file is sorted within each ring's piece and
//! jumps back in time between pieces. A `FINISHED_ROUND` says that all rings were drained once:
//! every record older than the newest record of the *previous* round can then be delivered, because
//! nothing older can still come.
//!
//! ```text
//! ring 0: 1 4 7 | 9 12    ring 1: 2 3 8 | 10 11        | = end of a round
//! file:   1 4 7 2 3 8 R 9 12 10 11 R
//!                     └ nothing    └ delivers 1 2 3 4 7 8
//! ```
//!
//! Records stay in the blocks they were read into; an [`Entry`] is a time and a place. Sorting is
//! the standard library's stable sort, which finds the ascending pieces and merges them.
//!
//! *Folklore:* one damaged time stamp in the far future would destroy the order of the whole rest
//! of the file: the next round would seem to reach up to it. So a jump ahead by more than an hour
//! counts only when a second record confirms it; until then its record waits.

use std::collections::VecDeque;

use crate::endian::size;

/// One record's time and place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) time: u64,
    pub(crate) block: u32,
    pub(crate) at: u32,
}

/// The bytes of some records.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// File offset of the first byte; of the compressed record if the bytes were compressed.
    offset: u64,
    /// Whether the bytes were compressed in the file.
    inflated: bool,
    /// Records not delivered yet.
    undelivered: usize,
    /// Whether records may still be added.
    open: bool,
}

impl Block {
    /// Returns whether nothing refers to it, and nothing will.
    fn is_used_up(&self) -> bool {
        !self.open && self.undelivered == 0
    }

    /// Returns the file offset of the byte at `at`.
    pub(crate) fn offset_of(&self, at: u32) -> u64 {
        if self.inflated {
            self.offset
        } else {
            self.offset.saturating_add(u64::from(at))
        }
    }
}

/// Records read and not delivered yet.
#[derive(Debug, Default)]
pub(crate) struct Window {
    blocks: VecDeque<Block>,
    /// Number of the front block.
    first: u32,
    pending: Vec<Entry>,
    ready: Vec<Entry>,
    next: usize,
    /// Time of the newest record with a plausible time.
    newest: u64,
    /// A time too far ahead to be accepted yet; 0 if there is none.
    doubtful: u64,
    /// `newest` at the end of the last round.
    round_end: u64,
    /// Key of the last record with a plausible time: records without a time are placed there.
    last: u64,
    bytes: usize,
    spare: Vec<Vec<u8>>,
}

/// How far a record may be ahead of all others without confirmation.
const MOST_JUMP_NS: u64 = 3_600_000_000_000;
const MOST_SPARE: usize = 4;

impl Window {
    /// Returns an empty buffer, a used one if there is any.
    pub(crate) fn buffer(&mut self) -> Vec<u8> {
        self.spare.pop().unwrap_or_default()
    }

    /// Opens a block for records.
    pub(crate) fn open(&mut self, offset: u64, inflated: bool) -> u32 {
        let number = u32::try_from(self.blocks.len()).unwrap_or(u32::MAX);
        self.blocks.push_back(Block {
            offset,
            inflated,
            open: true,
            ..Block::default()
        });
        self.first.wrapping_add(number)
    }

    /// Gives an opened block its bytes and the number of records added from them.
    pub(crate) fn put(&mut self, number: u32, bytes: Vec<u8>, records: usize) {
        self.bytes += bytes.len();
        if let Some(block) = self.block_mut(number) {
            block.bytes = bytes;
            block.undelivered += records;
        }
    }

    /// Takes an opened block's bytes out again, to search for more records in them.
    pub(crate) fn take_back(&mut self, number: u32) -> Vec<u8> {
        let block = self.block_mut(number);
        let bytes = block.map(|block| std::mem::take(&mut block.bytes));
        let bytes = bytes.unwrap_or_default();
        self.bytes -= bytes.len();
        bytes
    }

    /// Closes a block: no more records are added to it.
    pub(crate) fn close(&mut self, number: u32) {
        if let Some(block) = self.block_mut(number) {
            block.open = false;
        }
        self.free(number);
    }

    /// Returns a block.
    #[inline]
    pub(crate) fn block(&self, number: u32) -> Option<&Block> {
        let index = number.wrapping_sub(self.first);
        self.blocks.get(size(u64::from(index)))
    }

    fn block_mut(&mut self, number: u32) -> Option<&mut Block> {
        let index = number.wrapping_sub(self.first);
        self.blocks.get_mut(size(u64::from(index)))
    }

    /// Adds a record with its time, or with none.
    #[inline]
    pub(crate) fn add(&mut self, time: Option<u64>, block: u32, at: u32) {
        if let Some(time) = time {
            if time > self.newest {
                self.advance(time);
            }
            if time <= self.newest {
                self.last = time;
            }
        }
        let time = time.unwrap_or(self.last);
        self.pending.push(Entry { time, block, at });
    }

    #[inline]
    fn advance(&mut self, time: u64) {
        if time - self.newest <= MOST_JUMP_NS {
            self.newest = time;
        } else if self.doubtful != 0 && time.abs_diff(self.doubtful) <= MOST_JUMP_NS {
            self.newest = time.max(self.doubtful);
            self.doubtful = 0;
        } else {
            self.doubtful = time;
        }
    }

    /// Returns whether a time is plausible.
    #[inline]
    pub(crate) fn believes(&self, time: u64) -> bool {
        time <= self.newest
    }

    /// Ends a round.
    pub(crate) fn end_round(&mut self) {
        let limit = self.round_end;
        self.round_end = self.newest;
        self.release(limit);
    }

    /// Makes all records ready: there are no more.
    pub(crate) fn end(&mut self) {
        self.release(u64::MAX);
    }

    /// Returns whether more bytes are held than `limit`.
    pub(crate) fn is_over(&self, limit: usize) -> bool {
        // While entries are sorted, each is in memory up to twice.
        let entries = self.pending.len() * (2 * size_of::<Entry>());
        !self.pending.is_empty() && self.bytes + entries > limit
    }

    /// Makes the older half ready although its round has not ended.
    pub(crate) fn release_half(&mut self) {
        self.pending.sort_by_key(|entry| entry.time);
        let middle = self.pending.get(self.pending.len() / 2);
        let limit = middle.map_or(u64::MAX, |entry| entry.time);
        self.release(limit);
    }

    fn release(&mut self, limit: u64) {
        self.pending.sort_by_key(|entry| entry.time);
        let count = self.pending.partition_point(|entry| entry.time <= limit);
        if self.next >= self.ready.len() {
            self.ready.clear();
            self.next = 0;
        }
        self.ready.extend(self.pending.drain(..count));
    }

    /// Takes the next record that is ready, without freeing its block.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<Entry> {
        let entry = *self.ready.get(self.next)?;
        self.next += 1;
        Some(entry)
    }

    /// Marks the record taken last as used.
    #[inline]
    pub(crate) fn done(&mut self, number: u32) {
        if let Some(block) = self.block_mut(number) {
            block.undelivered = block.undelivered.saturating_sub(1);
            if block.undelivered == 0 {
                self.free(number);
            }
        }
    }

    /// Frees a block's bytes if nothing refers to them, and the blocks at the front.
    fn free(&mut self, number: u32) {
        if let Some(block) = self.block_mut(number)
            && block.is_used_up()
        {
            let mut bytes = std::mem::take(&mut block.bytes);
            self.bytes -= bytes.len();
            if self.spare.len() < MOST_SPARE {
                bytes.clear();
                self.spare.push(bytes);
            }
        }
        while self.blocks.front().is_some_and(Block::is_used_up) {
            self.blocks.pop_front();
            self.first = self.first.wrapping_add(1);
        }
        // Compressed records that hold nothing leave blocks without records, which would pile up
        // behind one that waits. Nothing refers to them, so their numbers can be reused.
        while self.blocks.back().is_some_and(Block::is_used_up) {
            self.blocks.pop_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_without_records_do_not_pile_up() {
        let mut window = Window::default();
        let waiting = window.open(0, false);
        window.add(Some(1), waiting, 0);
        window.put(waiting, vec![0; 8], 1);
        window.close(waiting);
        let outer = window.open(8, false);
        window.put(outer, vec![0; 8], 0);
        for _ in 0..1000 {
            let inner = window.open(8, true);
            window.put(inner, Vec::new(), 0);
            window.close(inner);
        }
        assert_eq!(window.blocks.len(), 2);
        let inner = window.open(8, true);
        window.add(Some(2), inner, 4);
        window.put(inner, vec![7; 8], 1);
        window.close(inner);
        window.close(outer);
        window.end();
        let entries: Vec<Entry> = std::iter::from_fn(|| window.take()).collect();
        assert_eq!(
            entries.iter().map(|entry| entry.block).collect::<Vec<_>>(),
            [waiting, inner]
        );
        assert_eq!(window.block(inner).map(|block| block.bytes.len()), Some(8));
        for entry in entries {
            window.done(entry.block);
        }
        assert_eq!((window.blocks.len(), window.bytes), (0, 0));
    }
}
