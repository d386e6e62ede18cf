//! From bytes to the window: reads blocks, finds records in them, takes facts, and inflates
//! compressed records.
//!
//! There are two lanes. The *outer* one is the file itself; the *inner* one is the inflated stream
//! of the compressed records. In each, a record may begin in one block and end in the next; then
//! its beginning is carried over. Each call of [`Intake::fill`] does a bounded amount of work, so
//! that records found can be delivered before more is read.

use std::io::Read;

use crate::abi::{feature, record};
use crate::endian::{Cursor, Endian, count};
use crate::error::Error;
use crate::facts::Facts;
use crate::fault::FaultKind;
use crate::inflate::Inflater;
use crate::out_of_band::OutOfBand;
use crate::record::is_time;
use crate::resync::{self, Found, Head};
use crate::window::Window;

/// Bytes read at a time.
pub(crate) const BLOCK_BYTES: usize = 1 << 20;

/// Reads records into the window.
pub(crate) struct Intake {
    pub(crate) facts: Facts,
    pub(crate) window: Window,
    pub(crate) window_bytes: usize,
    pub(crate) endian: Endian,
    /// File offset of the next byte to be read.
    pub(crate) offset: u64,
    /// Nothing more will come.
    pub(crate) ended: bool,
    /// Why the source could not be read to its end.
    pub(crate) failure: Option<Box<Error>>,
    input: Box<dyn Read + Send>,
    /// Remaining bytes of the data section; `None` in pipe mode.
    left: Option<u64>,
    outer: Lane,
    inner: Lane,
    inflater: Inflater,
    /// File offset of the compressed record being inflated.
    inflating_at: u64,
    out_of_band: OutOfBand,
    /// The block in which an outer compressed record was found; processing continues there
    /// afterwards.
    current: Option<Current>,
    at_end: bool,
}

/// The extent of a source's records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    /// File offset of the first record.
    pub(crate) offset: u64,
    /// Bytes of records; `None` in pipe mode, where they extend to the end.
    pub(crate) size: Option<u64>,
}

/// State of a sequence of records between two blocks.
#[derive(Debug, Default)]
struct Lane {
    /// Beginning of a record whose end was not in the last block.
    carried: Vec<u8>,
    /// The last bytes were not a record; the next record is being searched for.
    lost: bool,
}

/// A block in which records are searched.
#[derive(Debug, Clone, Copy)]
struct Current {
    number: u32,
    /// File offset of its first byte; in the inner lane, that of the compressed record.
    offset: u64,
    outer: bool,
    at: usize,
    records: usize,
}

impl Intake {
    pub(crate) fn new(input: Box<dyn Read + Send>, endian: Endian, extent: Extent) -> Self {
        Self {
            facts: Facts::default(),
            window: Window::default(),
            window_bytes: usize::MAX,
            endian,
            offset: extent.offset,
            ended: false,
            failure: None,
            input,
            left: extent.size,
            outer: Lane::default(),
            inner: Lane::default(),
            inflater: Inflater::default(),
            inflating_at: 0,
            out_of_band: OutOfBand::None,
            current: None,
            at_end: false,
        }
    }

    /// Does a bounded amount of work.
    pub(crate) fn fill(&mut self) {
        if self.window.is_over(self.window_bytes) {
            let detail = || "rounds do not end; sorted within a window".to_owned();
            let faults = &mut self.facts.faults;
            faults.add(FaultKind::WindowFull, self.offset, detail);
            self.window.release_half();
        } else if self.inflater.is_busy() {
            self.inflate();
        } else if let Some(current) = self.current.take() {
            self.search(current);
        } else if self.at_end {
            self.end();
        } else {
            self.read_block();
        }
    }

    fn end(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        let inner = std::mem::take(&mut self.inner);
        self.count_cut(&inner.carried, inner.lost, self.offset);
        if !self.out_of_band.is_none() {
            let detail = || "the data ends before what a record announces".to_owned();
            let faults = &mut self.facts.faults;
            faults.add(FaultKind::Truncated, self.offset, detail);
        }
        self.facts.count_missing(self.offset);
        self.window.end();
    }

    /// Counts the beginning of a record whose end never comes.
    fn count_cut(&mut self, rest: &[u8], lost: bool, offset: u64) {
        let (bytes, faults) = (count(rest.len()), &mut self.facts.faults);
        if lost {
            faults.lose(FaultKind::BadRecord, bytes);
        } else if bytes > 0 {
            faults.add_lost(FaultKind::Truncated, offset, bytes, || {
                "the data ends in the middle of a record".to_owned()
            });
        }
    }

    fn read_block(&mut self) {
        let mut bytes = self.window.buffer();
        let offset = self.offset - count(self.outer.carried.len());
        // One more byte makes the end of the source visible without growing the buffer.
        bytes.reserve_exact(self.outer.carried.len() + BLOCK_BYTES + 1);
        bytes.append(&mut self.outer.carried);
        let wanted = count(BLOCK_BYTES).min(self.left.unwrap_or(u64::MAX));
        let carried = bytes.len();
        let result = self.input.by_ref().take(wanted).read_to_end(&mut bytes);
        let read = count(bytes.len() - carried);
        self.offset += read;
        self.left = self.left.map(|left| left.saturating_sub(read));
        self.at_end = read < wanted || self.left == Some(0);
        match result {
            Err(error) => self.failure = Some(Error::io(self.offset, error)),
            Ok(_) if read < wanted && self.left.is_some() => {
                let missing = self.left.unwrap_or(0);
                let faults = &mut self.facts.faults;
                faults.add_lost(FaultKind::Truncated, self.offset, missing, || {
                    format!("{missing} bytes of the data are missing at the file's end")
                });
            }
            Ok(_) => {}
        }
        let number = self.window.open(offset, false);
        self.window.put(number, bytes, 0);
        self.search(Current {
            number,
            offset,
            outer: true,
            at: 0,
            records: 0,
        });
    }

    fn inflate(&mut self) {
        let mut bytes = self.window.buffer();
        bytes.append(&mut self.inner.carried);
        let offset = self.inflating_at;
        if let Err(why) = self.inflater.step(&mut bytes) {
            let lost = count(bytes.len());
            let faults = &mut self.facts.faults;
            faults.add_lost(FaultKind::BadCompression, offset, lost, || why);
            // A stream that restarts need not start with a record.
            bytes.clear();
            self.inner.lost = true;
        }
        let number = self.window.open(offset, true);
        self.window.put(number, bytes, 0);
        self.search(Current {
            number,
            offset,
            outer: false,
            at: 0,
            records: 0,
        });
    }

    /// Finds the records of a block, up to a compressed one.
    fn search(&mut self, mut current: Current) {
        let number = current.number;
        let bytes = self.window.take_back(number);
        self.scan(&bytes, &mut current);
        if current.outer && self.inflater.is_busy() {
            self.window.put(number, bytes, current.records);
            current.records = 0;
            self.current = Some(current);
            return;
        }
        let rest = bytes.get(current.at..).unwrap_or_default();
        if !current.outer {
            self.inner.carried.extend_from_slice(rest);
        } else if !self.at_end {
            self.outer.carried.extend_from_slice(rest);
        } else {
            let offset = self.offset - count(rest.len());
            self.count_cut(rest, self.outer.lost, offset);
        }
        self.window.put(number, bytes, current.records);
        self.window.close(number);
    }

    fn scan(&mut self, bytes: &[u8], current: &mut Current) {
        loop {
            let rest = bytes.get(current.at..).unwrap_or_default();
            if current.outer && !self.out_of_band.is_none() {
                current.at += self.take_out_of_band(rest);
                if current.at == bytes.len() {
                    return;
                }
                continue;
            }
            if self.lane(current).lost && !self.resync(rest, current) {
                return;
            }
            let rest = bytes.get(current.at..).unwrap_or_default();
            let Some(head) = Head::decode(rest, self.endian) else {
                return;
            };
            if !head.is_possible() {
                self.lose_way(head, current);
                continue;
            }
            let Some(record) = rest.get(..head.size) else {
                return;
            };
            let at = current.at;
            current.at += head.size;
            if head.ty >= record::HEADER_ATTR && self.take_tool_record(head.ty, record, current, at)
            {
                return;
            }
            let time = self.time_of(head.ty, record);
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            self.window.add(time, current.number, at);
            current.records += 1;
            if head.ty == record::FINISHED_ROUND {
                self.window.end_round();
            }
        }
    }

    fn lane(&mut self, current: &Current) -> &mut Lane {
        if current.outer {
            &mut self.outer
        } else {
            &mut self.inner
        }
    }

    #[cold]
    fn lose_way(&mut self, head: Head, current: &mut Current) {
        let Head { ty, size } = head;
        let offset = current.offset_of(current.at);
        let faults = &mut self.facts.faults;
        faults.add_lost(FaultKind::BadRecord, offset, 1, || {
            format!("expected a record, found type {ty} and {size} bytes")
        });
        self.lane(current).lost = true;
        current.at += 1;
    }

    /// Searches for the next record; returns whether it was found in these bytes.
    #[cold]
    fn resync(&mut self, rest: &[u8], current: &mut Current) -> bool {
        let at_end = current.outer && self.at_end;
        let found = resync::find(rest, self.endian, at_end);
        let (Found::At(passed) | Found::Perhaps(passed)) = found;
        current.at += passed;
        let faults = &mut self.facts.faults;
        faults.lose(FaultKind::BadRecord, count(passed));
        let found = matches!(found, Found::At(_));
        self.lane(current).lost = !found;
        found
    }

    /// Returns the time a record is sorted by.
    #[inline]
    fn time_of(&self, ty: u32, record: &[u8]) -> Option<u64> {
        let (_, layout) = self.facts.events.of_record(ty, record, self.endian)?;
        let at = if ty == record::SAMPLE {
            usize::from(layout.time)
        } else {
            let place = usize::from(layout.tail.time);
            record.len().checked_sub(place).filter(|_| place != 0)?
        };
        let time = self.endian.u64(record, at).filter(|_| at != 0)?;
        is_time(time).then_some(time)
    }

    /// Takes bytes that are not records and returns how many.
    fn take_out_of_band(&mut self, bytes: &[u8]) -> usize {
        let (taken, formats) = self.out_of_band.take(bytes);
        if let Some(formats) = formats {
            let bit = feature::TRACING_DATA;
            if self
                .facts
                .take_section(bit, &formats, self.endian)
                .is_none()
            {
                let detail = || "formats of tracepoints".to_owned();
                let faults = &mut self.facts.faults;
                faults.add(FaultKind::BadFeature, self.offset, detail);
            }
        }
        taken
    }

    /// Takes a record of the perf tool that states a fact or announces other bytes. Returns whether
    /// it is a compressed record, which must be inflated to get the records it holds.
    fn take_tool_record(&mut self, ty: u32, bytes: &[u8], current: &Current, at: usize) -> bool {
        let (endian, offset) = (self.endian, current.offset_of(at));
        let mut cursor = Cursor::new(bytes.get(8..).unwrap_or_default(), endian);
        let taken = match ty {
            record::COMPRESSED | record::COMPRESSED2 if current.outer => {
                let payload = if ty == record::COMPRESSED {
                    Some(cursor.rest())
                } else {
                    cursor.u64().and_then(|size| cursor.take_count(size))
                };
                self.inflater.start(payload.unwrap_or_default());
                self.inflating_at = offset;
                if payload.is_none() {
                    self.count_short(ty, offset);
                }
                return true;
            }
            record::TRACING_DATA if current.outer => {
                let formats = cursor.u32().and_then(OutOfBand::formats);
                formats.map(|formats| self.out_of_band = formats)
            }
            record::AUXTRACE if current.outer => {
                let size = cursor.u64();
                size.and_then(|size| self.expect_auxiliary(size, offset))
            }
            _ => {
                self.facts.take(ty, bytes, endian, offset);
                Some(())
            }
        };
        if taken.is_none() {
            self.count_short(ty, offset);
        }
        false
    }

    fn count_short(&mut self, ty: u32, offset: u64) {
        let detail = || format!("type {ty}");
        let faults = &mut self.facts.faults;
        faults.add(FaultKind::ShortRecord, offset, detail);
    }

    /// Skips the trace data that follows a record, unless there cannot be that much.
    fn expect_auxiliary(&mut self, bytes: u64, offset: u64) -> Option<()> {
        let there = self
            .left
            .map(|left| left.saturating_add(count(BLOCK_BYTES)));
        if there.is_some_and(|there| bytes > there) {
            return None;
        }
        let detail = || format!("{bytes} bytes of auxiliary trace data");
        let faults = &mut self.facts.faults;
        faults.add_lost(FaultKind::AuxSkipped, offset, bytes, detail);
        self.out_of_band = OutOfBand::skip(bytes);
        Some(())
    }
}

impl Current {
    fn offset_of(&self, at: usize) -> u64 {
        if self.outer {
            self.offset.saturating_add(count(at))
        } else {
            self.offset
        }
    }
}
