//! The buffers of a file: where each is, and the time of its first event.
//!
//! Buffers are in the file in the order they were flushed, which is not the order of time: a quiet
//! processor's buffer comes long after the events in it, a circular file has its end somewhere in
//! the middle, a merged file concatenates sessions. So all headers are read first, and buffers are
//! opened by the time of their first event.

use std::sync::Arc;

use crate::buffer::{BufferHeader, HEADER_BYTES, MOST_BYTES};
use crate::bytes::{narrow, size, u32_at};
use crate::error::Error;
use crate::fault::{FaultKind, Faults};
use crate::head::{HEAD_BYTES, Head};
use crate::session::{LogMode, Session};
use crate::source::Source;
use crate::xpress::Xpress;

/// A buffer that holds events.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    /// Time of the first event, or an earlier one if that is not known.
    pub(crate) time: i64,
    pub(crate) offset: u64,
    pub(crate) cpu: u16,
}

/// The buffers of a file, by time.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) slots: Arc<[Slot]>,
    /// Buffers in the file, including empty ones.
    pub(crate) buffers: u64,
}

/// Maximum number of buffers with events; at 4 KiB each, 64 GiB of trace.
const MOST_SLOTS: usize = 1 << 24;

/// Bytes that include a buffer's header and, decompressed, the head of its first event.
const PEEK_BYTES: usize = 72 + 2 * HEAD_BYTES + 16;

/// Bytes read at once where buffers are small.
const BLOCK_BYTES: usize = 128 << 10;

/// Reads the headers of all buffers of `source`.
pub(crate) fn scan<S: Source>(
    source: &S,
    session: &Session,
    faults: &mut Faults,
) -> Result<Index, Box<Error>> {
    let mut scan = Scan {
        blocks: Blocks::new(source),
        stride: None,
        most: match session.buffer_bytes {
            bytes if (HEADER_BYTES..=MOST_BYTES).contains(&bytes) => bytes,
            _ => MOST_BYTES,
        },
        slots: Vec::new(),
        buffers: 0,
        faults,
    };
    if !session.mode.has(LogMode::COMPRESSED) {
        scan.stride = scan.usual_stride(session)?;
    }
    scan.all()?;
    let mut slots = scan.slots;
    slots.sort_by_key(|slot| (slot.time, slot.offset));
    Ok(Index {
        slots: slots.into(),
        buffers: scan.buffers,
    })
}

struct Scan<'s, S> {
    blocks: Blocks<'s, S>,
    stride: Option<u32>,
    /// If sizes differ, the largest that is certainly a buffer's: compression makes none larger
    /// than it was.
    most: u32,
    slots: Vec<Slot>,
    buffers: u64,
    faults: &'s mut Faults,
}

impl<S: Source> Scan<'_, S> {
    /// Returns the size of every buffer: the first buffer's or the session's, whichever the second
    /// buffer confirms.
    fn usual_stride(&mut self, session: &Session) -> Result<Option<u32>, Box<Error>> {
        let first = BufferHeader::read(self.blocks.peek(0, PEEK_BYTES)?);
        let first = first.map_or(0, |header| header.bytes);
        let sane = |bytes: u32| (HEADER_BYTES..=MOST_BYTES).contains(&bytes);
        for bytes in [session.buffer_bytes, first] {
            let second = self.blocks.peek(u64::from(bytes), PEEK_BYTES)?;
            let second = BufferHeader::read(second);
            if sane(bytes) && second.is_some_and(|header| header.bytes == bytes) {
                return Ok(Some(bytes));
            }
        }
        Ok([session.buffer_bytes, first].into_iter().find(|b| sane(*b)))
    }

    fn all(&mut self) -> Result<(), Box<Error>> {
        let end = self.blocks.end;
        let mut at = 0;
        while at < end {
            let bytes = self.blocks.peek(at, PEEK_BYTES)?;
            let header = BufferHeader::read(bytes);
            let length = match header {
                Some(header) => self.length(at, header)?,
                None => None,
            };
            let (Some(header), Some(length)) = (header, length) else {
                at = self.resync(at)?;
                continue;
            };
            self.push(at, header)?;
            let next = at + u64::from(length);
            if next > end {
                let missing = next - end;
                self.faults.lose(FaultKind::Truncated, at, missing, || {
                    format!("{missing} bytes of the last buffer are missing")
                });
            }
            at = next;
        }
        Ok(())
    }

    /// Returns the length of a possible buffer: the usual one, or the one it states if its events
    /// or another buffer behind it confirm that; `None` if it is not a buffer.
    fn length(&mut self, at: u64, header: BufferHeader) -> Result<Option<u32>, Box<Error>> {
        let stated = header.bytes;
        if let Some(stride) = self.stride {
            if stated == stride {
                return Ok(Some(stride));
            }
            if self.ends_well(at, stride)? {
                self.faults.add(FaultKind::BadBuffer, at, || {
                    format!("its length is {stated:#x} instead of {stride:#x}")
                });
                return Ok(Some(stride));
            }
        }
        if at == 0 || self.ends_well(at, stated)? {
            return Ok(Some(stated));
        }
        // The next one may be damaged; but no sound one may be within this one.
        let is_sound = self.stride.is_none() && self.is_buffer(at)?;
        let next = at + u64::from(stated).min(self.blocks.end - at);
        let is_one = is_sound && self.search(at + u64::from(HEADER_BYTES))? >= next;
        Ok(is_one.then_some(stated))
    }

    /// Returns whether a buffer of `length` bytes is followed by another, or by the end.
    fn ends_well(&mut self, at: u64, length: u32) -> Result<bool, Box<Error>> {
        let next = at + u64::from(length);
        Ok(next == self.blocks.end || self.is_buffer(next)?)
    }

    fn push(&mut self, offset: u64, header: BufferHeader) -> Result<(), Box<Error>> {
        self.buffers += 1;
        if header.is_after_loss() {
            let detail = || format!("flags {:#x}", header.flags);
            self.faults.add(FaultKind::LossFlagged, offset, detail);
        }
        if header.end < HEADER_BYTES + 8 {
            return Ok(());
        }
        if self.slots.len() == MOST_SLOTS {
            let lost = u64::from(header.end - HEADER_BYTES);
            self.faults.lose(FaultKind::Limit, offset, lost, || {
                format!("more than {MOST_SLOTS} buffers")
            });
            return Ok(());
        }
        let last = self.slots.last().map_or(i64::MIN, |slot| slot.time);
        let bytes = self.blocks.peek(offset, PEEK_BYTES)?;
        let time = first_head(bytes, header).and_then(|head| head.time);
        self.slots.push(Slot {
            time: time.unwrap_or(last),
            offset,
            cpu: header.cpu,
        });
        Ok(())
    }

    /// Skips bytes that are not a buffer, and returns where the next one is, or the end.
    fn resync(&mut self, at: u64) -> Result<u64, Box<Error>> {
        let bytes = self.blocks.peek(at, PEEK_BYTES)?;
        let kind = if bytes.len() < size(HEADER_BYTES) {
            FaultKind::Truncated
        } else if bytes.iter().all(|byte| *byte == 0) {
            FaultKind::Unused
        } else {
            FaultKind::BadBuffer
        };
        let start: Vec<u8> = bytes.iter().take(8).copied().collect();
        let found = self.search(at + 1)?;
        self.faults
            .lose(kind, at, found - at, || format!("found {start:02x?}"));
        Ok(found)
    }

    /// Returns the first place from `from` on that is certainly a buffer, or the end.
    fn search(&mut self, from: u64) -> Result<u64, Box<Error>> {
        let end = self.blocks.end;
        let mut at = from;
        while at + u64::from(HEADER_BYTES) <= end {
            let (found, passed) = candidate(self.blocks.from(at)?);
            at += u64::from(narrow(passed));
            if found && self.is_buffer(at)? {
                return Ok(at);
            }
            at += u64::from(found);
        }
        Ok(end)
    }

    /// Returns whether a buffer starts at `at`, by everything that is known about buffers.
    fn is_buffer(&mut self, at: u64) -> Result<bool, Box<Error>> {
        let stride = self.stride;
        let bytes = self.blocks.peek(at, PEEK_BYTES)?;
        let Some(header) = BufferHeader::read(bytes) else {
            return Ok(false);
        };
        let right_size = match stride {
            Some(stride) => header.bytes == stride,
            None => header.bytes <= self.most,
        };
        // Without a size to expect, too many bytes look like a buffer without events.
        let empty = stride.is_some() && header.end <= HEADER_BYTES;
        Ok(right_size && header.kind < 8 && (empty || first_head(bytes, header).is_some()))
    }
}

/// Looks for bytes that may begin a buffer; returns whether there are any, and the number of bytes
/// before them, or else the number that certainly begin none.
fn candidate(block: &[u8]) -> (bool, usize) {
    let mut at = 0;
    while let Some(bytes) = block.get(at..at + size(HEADER_BYTES)) {
        let length = u32_at(bytes, 0).unwrap_or(0);
        if length == 0 {
            // A length that is not zero begins at most three bytes before a byte that is not zero.
            let rest = block.get(at..).unwrap_or_default();
            let zeros = rest.iter().position(|byte| *byte != 0);
            at += zeros.unwrap_or(rest.len()) - 3;
        } else if BufferHeader::read(bytes).is_some() {
            return (true, at);
        } else {
            at += 1;
        }
    }
    (false, at)
}

/// Returns the head of a buffer's first event, from its first bytes.
fn first_head(bytes: &[u8], header: BufferHeader) -> Option<Head> {
    let room = header.end.checked_sub(HEADER_BYTES)?;
    let events = bytes.get(size(HEADER_BYTES)..)?;
    if !header.is_compressed() {
        return Head::read(events, room);
    }
    let mut out = [0; HEAD_BYTES];
    let wanted = out.len().min(size(room));
    let input = events.len().min(size(header.bytes - HEADER_BYTES));
    let input = events.get(..input)?;
    let step = Xpress::default().decode(input, true, &mut out, 0..wanted);
    Head::read(out.get(..step.filled)?, room)
}

/// A source, read in small pieces or in blocks.
struct Blocks<'s, S> {
    source: &'s S,
    end: u64,
    block: Vec<u8>,
    start: u64,
    /// Whether the last pieces were close together.
    dense: bool,
}

impl<'s, S: Source> Blocks<'s, S> {
    fn new(source: &'s S) -> Self {
        Self {
            source,
            end: source.size(),
            block: Vec::new(),
            start: 0,
            dense: false,
        }
    }

    /// Returns up to `count` bytes from `at`; fewer only at the end.
    fn peek(&mut self, at: u64, count: usize) -> Result<&[u8], Box<Error>> {
        let rest = usize::try_from(self.end.saturating_sub(at)).unwrap_or(usize::MAX);
        let count = count.min(rest);
        if self.inside(at, count).is_none() {
            self.dense = at.abs_diff(self.start) < 32 << 10;
            let length = if self.dense { BLOCK_BYTES } else { count };
            self.load(at, length)?;
        }
        Ok(self.inside(at, count).unwrap_or_default())
    }

    /// Returns the bytes in memory from `at` on: at least enough for a peek, or all there are.
    fn from(&mut self, at: u64) -> Result<&[u8], Box<Error>> {
        if self.inside(at, PEEK_BYTES).is_none() {
            self.load(at, BLOCK_BYTES)?;
        }
        let from = usize::try_from(at - self.start).unwrap_or(usize::MAX);
        Ok(self.block.get(from..).unwrap_or_default())
    }

    fn inside(&self, at: u64, count: usize) -> Option<&[u8]> {
        let from = usize::try_from(at.checked_sub(self.start)?).ok()?;
        self.block.get(from..from.checked_add(count)?)
    }

    fn load(&mut self, at: u64, count: usize) -> Result<(), Box<Error>> {
        self.block.resize(count, 0);
        let read = self.source.read_at(at, &mut self.block);
        let read = read.map_err(|cause| Error::io(at, cause))?;
        self.block.truncate(read);
        self.start = at;
        Ok(())
    }
}
