//! An open buffer: a run of events, with no more than a window of them in memory.

use crate::buffer::{BufferHeader, HEADER_BYTES};
use crate::bytes::{align8, narrow, size};
use crate::error::Error;
use crate::fault::{FaultKind, Faults};
use crate::head::{HEAD_BYTES, Head, HeaderKind};
use crate::index::Slot;
use crate::pointer::PointerSize;
use crate::record::Record;
use crate::source::Source;
use crate::xpress::{HISTORY, Xpress};

/// Bytes of events in memory; twice the largest event.
const WINDOW_BYTES: usize = 128 << 10;
/// Bytes of compressed input in memory.
const INPUT_BYTES: usize = 32 << 10;
/// Room after the window, which makes decompression faster.
const SLACK: usize = 64;
/// Maximum size of the events of a buffer that is decompressed as a whole, in bytes.
const MOST_WHOLE_BYTES: usize = 1 << 20;
/// The bytes that fill the end of a buffer.
const FILLER: &[u8] = &[0xff; 4];

/// An open buffer, at one of its events.
#[derive(Debug)]
pub(crate) struct Run {
    /// File offset of the buffer.
    offset: u64,
    cpu: u16,
    /// Key of the current event.
    pub(crate) time: i64,
    /// Maximum number of ticks that an event may be ahead of the one before it without
    /// confirmation.
    jump: i64,
    head: Head,
    /// The window: its valid bytes, its place in the buffer, and the event's place in the window.
    data: Vec<u8>,
    filled: usize,
    base: u32,
    at: usize,
    /// Where the events in the buffer end.
    end: u32,
    is_compressed: bool,
    packed: Option<Packed>,
    /// Memory of `packed` while it is not used.
    spare: Vec<u8>,
}

/// What remains to be decompressed.
#[derive(Debug)]
struct Packed {
    xpress: Xpress,
    input: Vec<u8>,
    used: usize,
    next: u64,
    end: u64,
}

impl Run {
    pub(crate) fn new(jump: i64) -> Self {
        Self {
            offset: 0,
            cpu: 0,
            time: 0,
            jump,
            head: Head {
                kind: HeaderKind::Error,
                pointer: PointerSize::Eight,
                size: 0,
                time: None,
            },
            data: Vec::new(),
            filled: 0,
            base: 0,
            at: 0,
            end: 0,
            is_compressed: false,
            packed: None,
            spare: Vec::new(),
        }
    }

    /// Opens the buffer at `slot`, with no event earlier than the slot says; returns whether it has
    /// an event. `ready` is the output of [`Unpacker::unpack`] for it; it is swapped for other
    /// memory.
    pub(crate) fn open<S: Source>(
        &mut self,
        source: &S,
        slot: Slot,
        ready: Option<&mut Vec<u8>>,
        faults: &mut Faults,
    ) -> Result<bool, Box<Error>> {
        let Some((header, in_file)) = read_header(source, slot.offset)? else {
            return Ok(false);
        };
        (self.offset, self.cpu, self.time) = (slot.offset, header.cpu, slot.time);
        (self.filled, self.at, self.base) = (0, 0, HEADER_BYTES);
        self.head.size = 0;
        self.end = header.end_within(in_file);
        self.is_compressed = header.is_compressed();
        let whole = size(self.end.saturating_sub(HEADER_BYTES));
        if let Some(ready) = ready.filter(|ready| ready.len() == whole + SLACK) {
            std::mem::swap(&mut self.data, ready);
            self.filled = whole;
        } else if self.is_compressed {
            let input = std::mem::take(&mut self.spare);
            self.packed = Some(Packed::new(slot.offset, in_file, input));
        }
        self.advance(source, faults)
    }

    /// Goes to the next event; returns whether there is one.
    #[inline]
    pub(crate) fn advance<S: Source>(
        &mut self,
        source: &S,
        faults: &mut Faults,
    ) -> Result<bool, Box<Error>> {
        self.at += size(align8(self.head.size));
        if let Some(head) = self.head_at_hand()
            && self.at + size(head.size) <= self.filled
        {
            self.take(head, source, faults)?;
            return Ok(true);
        }
        self.advance_slowly(source, faults)
    }

    #[inline]
    fn head_at_hand(&self) -> Option<Head> {
        let bytes = self.data.get(self.at..self.filled)?;
        Head::read(bytes, self.end.checked_sub(self.place())?)
    }

    /// Place of the current event in the buffer.
    #[inline]
    fn place(&self) -> u32 {
        self.base.saturating_add(narrow(self.at))
    }

    #[cold]
    fn advance_slowly<S: Source>(
        &mut self,
        source: &S,
        faults: &mut Faults,
    ) -> Result<bool, Box<Error>> {
        self.ensure(HEAD_BYTES, source, faults)?;
        let bytes = self.data.get(self.at..self.filled).unwrap_or_default();
        if bytes.len() < 8 || bytes.starts_with(FILLER) {
            self.close();
            return Ok(false);
        }
        if self.head_at_hand().is_none() {
            self.resync(source, faults)?;
        }
        let Some(head) = self.head_at_hand() else {
            self.close();
            return Ok(false);
        };
        self.ensure(size(head.size), source, faults)?;
        if self.at + size(head.size) > self.filled {
            self.close();
            return Ok(false);
        }
        self.take(head, source, faults)?;
        Ok(true)
    }

    /// Makes the event at the current place the current one.
    ///
    /// *Folklore:* one damaged time stamp in the far future would hold all events after it back
    /// until the very end. A jump of more than an hour is accepted only if the next event confirms
    /// it; otherwise the event gets the time of the one before it.
    #[inline]
    fn take<S: Source>(
        &mut self,
        head: Head,
        source: &S,
        faults: &mut Faults,
    ) -> Result<(), Box<Error>> {
        // One by one: if copied at once, they would be read back before all of them are written.
        self.head.kind = head.kind;
        self.head.pointer = head.pointer;
        self.head.size = head.size;
        let Some(time) = head.time else {
            return Ok(());
        };
        if time <= self.time.saturating_add(self.jump)
            || self.is_confirmed(head, time, source, faults)?
        {
            self.time = time;
        } else {
            let offset = self.file_offset(self.place());
            faults.add(FaultKind::BadTime, offset, || format!("raw time {time:#x}"));
        }
        Ok(())
    }

    #[cold]
    fn is_confirmed<S: Source>(
        &mut self,
        head: Head,
        time: i64,
        source: &S,
        faults: &mut Faults,
    ) -> Result<bool, Box<Error>> {
        self.ensure(size(align8(head.size)) + HEAD_BYTES, source, faults)?;
        let at = self.at + size(align8(head.size));
        let behind = self.data.get(at..self.filled).unwrap_or_default();
        let room = self.end.saturating_sub(self.place() + align8(head.size));
        let next = Head::read(behind, room).and_then(|head| head.time);
        Ok(next.is_none_or(|next| next >= time))
    }

    /// Frees memory that a closed buffer does not need.
    fn close(&mut self) {
        if let Some(packed) = self.packed.take() {
            self.spare = packed.input;
        }
    }

    /// Skips bytes that are not an event, up to two events in a row that are no earlier than the
    /// last, or to the end.
    fn resync<S: Source>(&mut self, source: &S, faults: &mut Faults) -> Result<(), Box<Error>> {
        let start = self.place();
        let bytes = self.data.get(self.at..self.filled).unwrap_or_default();
        let found: Vec<u8> = bytes.iter().take(8).copied().collect();
        loop {
            self.at += 8;
            self.ensure(HEAD_BYTES, source, faults)?;
            if self.at + 8 > self.filled {
                self.at = self.filled;
                break;
            }
            let Some(head) = self.head_at_hand() else {
                continue;
            };
            self.ensure(size(align8(head.size)) + HEAD_BYTES, source, faults)?;
            if self.is_certain(head) {
                break;
            }
        }
        let lost = u64::from(self.place().saturating_sub(start));
        let offset = self.file_offset(start);
        faults.lose(FaultKind::BadEvent, offset, lost, || {
            format!("found {found:02x?}")
        });
        Ok(())
    }

    /// Returns whether the current event and the one after it are plausible.
    fn is_certain(&self, head: Head) -> bool {
        let Some(time) = head.time.filter(|time| *time >= self.time) else {
            return false;
        };
        let next = self.place() + align8(head.size);
        let at = self.at + size(align8(head.size));
        let behind = self.data.get(at..self.filled).unwrap_or_default();
        if next + 8 > self.end || behind.starts_with(FILLER) {
            return true;
        }
        let second = Head::read(behind, self.end - next);
        second.and_then(|head| head.time).is_some_and(|t| t >= time)
    }

    /// Ensures that `count` bytes from the event on are in the window, or all there are.
    #[inline]
    fn ensure<S: Source>(
        &mut self,
        count: usize,
        source: &S,
        faults: &mut Faults,
    ) -> Result<(), Box<Error>> {
        let window_end = self.base.saturating_add(narrow(self.filled));
        if self.at + count > self.filled && window_end < self.end {
            self.fill(source, faults)?;
        }
        Ok(())
    }

    #[cold]
    fn fill<S: Source>(&mut self, source: &S, faults: &mut Faults) -> Result<(), Box<Error>> {
        // Padding may reach beyond the end of the last event.
        self.at = self.at.min(self.filled);
        let history = if self.packed.is_some() { HISTORY } else { 0 };
        let keep = self.at.min(self.filled.saturating_sub(history));
        self.data.copy_within(keep..self.filled, 0);
        self.filled -= keep;
        self.at -= keep;
        self.base = self.base.saturating_add(narrow(keep));
        let wanted = size(self.end - self.base).min(WINDOW_BYTES + history);
        if self.data.len() < wanted + SLACK {
            self.data.resize(wanted + SLACK, 0);
        }
        let got = match &mut self.packed {
            Some(packed) => packed.fill(source, &mut self.data, self.filled..wanted)?,
            None => {
                let from = self.offset + u64::from(self.base) + u64::from(narrow(self.filled));
                let into = self.data.get_mut(self.filled..wanted).unwrap_or_default();
                let read = source.read_at(from, into);
                self.filled + read.map_err(|cause| Error::io(from, cause))?
            }
        };
        self.filled = got;
        if got < wanted {
            let end = self.base.saturating_add(narrow(got));
            if self.packed.is_some() {
                let lost = u64::from(self.end - end);
                faults.lose(FaultKind::BadCompression, self.offset, lost, || {
                    format!("{lost} of {} bytes are missing", self.end - HEADER_BYTES)
                });
            }
            self.end = end;
        }
        Ok(())
    }

    fn file_offset(&self, place: u32) -> u64 {
        if self.is_compressed {
            self.offset
        } else {
            self.offset.saturating_add(u64::from(place))
        }
    }

    /// Returns the current event, and whether its extended items are sound.
    #[inline]
    pub(crate) fn record(&self) -> (Record<'_>, bool) {
        let end = self.at + size(self.head.size);
        let bytes = self.data.get(self.at..end).unwrap_or_default();
        let (mut record, sound) = Record::new(self.head, bytes);
        record.offset = self.file_offset(self.place());
        record.cpu = self.cpu;
        record.raw_time = self.time;
        (record, sound)
    }
}

/// Reads the header of the buffer at `offset`; also returns how many bytes of it the file has.
fn read_header<S: Source + ?Sized>(
    source: &S,
    offset: u64,
) -> Result<Option<(BufferHeader, u32)>, Box<Error>> {
    let mut bytes = [0; HEADER_BYTES as usize];
    let read = source.read_at(offset, &mut bytes);
    read.map_err(|cause| Error::io(offset, cause))?;
    let rest = source.size().saturating_sub(offset);
    Ok(BufferHeader::read(&bytes).map(|header| {
        let in_file = u32::try_from(rest).map_or(header.bytes, |rest| rest.min(header.bytes));
        (header, in_file)
    }))
}

/// Decompresses whole buffers.
#[derive(Debug, Default)]
pub(crate) struct Unpacker {
    input: Vec<u8>,
}

impl Unpacker {
    /// Decompresses the buffer at `offset` into `out`, in the form that [`Run::open`] takes;
    /// returns whether that is possible: it is not too large, can be read and is sound.
    pub(crate) fn unpack<S: Source>(&mut self, source: &S, offset: u64, out: &mut Vec<u8>) -> bool {
        let Ok(Some((header, in_file))) = read_header(source, offset) else {
            return false;
        };
        let whole = size(header.end_within(in_file).saturating_sub(HEADER_BYTES));
        if !header.is_compressed() || whole > MOST_WHOLE_BYTES {
            return false;
        }
        out.resize(whole + SLACK, 0);
        let mut packed = Packed::new(offset, in_file, std::mem::take(&mut self.input));
        let filled = packed.fill(source, out, 0..whole);
        self.input = packed.input;
        filled.is_ok_and(|filled| filled == whole)
    }
}

impl Packed {
    /// Returns the start of a buffer of `in_file` bytes.
    fn new(offset: u64, in_file: u32, mut input: Vec<u8>) -> Self {
        input.clear();
        Self {
            xpress: Xpress::default(),
            input,
            used: 0,
            next: offset + u64::from(HEADER_BYTES),
            end: offset + u64::from(in_file),
        }
    }

    /// Decompresses into `out[range]`; returns the end of the decompressed bytes.
    fn fill<S: Source>(
        &mut self,
        source: &S,
        out: &mut [u8],
        mut range: std::ops::Range<usize>,
    ) -> Result<usize, Box<Error>> {
        loop {
            let last = self.next >= self.end;
            let input = self.input.get(self.used..).unwrap_or_default();
            let step = self.xpress.decode(input, last, out, range.clone());
            self.used += step.used;
            range.start = step.filled;
            if range.is_empty() || step.corrupt.is_some() || last {
                return Ok(range.start);
            }
            self.read_more(source)?;
        }
    }

    fn read_more<S: Source>(&mut self, source: &S) -> Result<(), Box<Error>> {
        self.input.drain(..self.used.min(self.input.len()));
        self.used = 0;
        let rest = usize::try_from(self.end - self.next).unwrap_or(usize::MAX);
        let old = self.input.len();
        self.input.resize(old + rest.min(INPUT_BYTES), 0);
        let into = self.input.get_mut(old..).unwrap_or_default();
        let read = source.read_at(self.next, into);
        let read = read.map_err(|cause| Error::io(self.next, cause))?;
        self.input.truncate(old + read);
        self.next += u64::from(narrow(read));
        if read == 0 {
            self.end = self.next;
        }
        Ok(())
    }
}
