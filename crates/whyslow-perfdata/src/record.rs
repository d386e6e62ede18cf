//! One record: its place in the file, when and where it was written, and its content.

use crate::abi::{misc, record};
use crate::body::RecordBody;
use crate::endian::Endian;
use crate::event::EventIndex;
use crate::layout::{HEADER_BYTES, Layout, Place, Tail};
use crate::sample::Sample;

/// A record of the file, borrowed from the reader until the next one is requested.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// File offset of the record, or of the compressed record that contains it.
    pub offset: u64,
    /// The type's number, see [`abi::record`](crate::abi::record).
    pub ty: u32,
    /// The header's `misc` bits, see [`abi::misc`](crate::abi::misc).
    pub misc: u16,
    /// Size in bytes, header included.
    pub size: u16,
    /// When, in nanoseconds of the file's clock; `None` if the record has no time.
    pub time_ns: Option<u64>,
    /// The CPU it was written on; `None` if the record does not say.
    pub cpu: Option<u32>,
    /// The process it was written in; -1 for one that has ended.
    pub pid: Option<i32>,
    /// The thread it was written in; -1 for one that has ended.
    pub tid: Option<i32>,
    /// The event it belongs to; `None` for records of the perf tool.
    pub event: Option<EventIndex>,
    /// Whether it came after records with later times had been delivered.
    pub late: bool,
    /// Its content.
    pub body: RecordBody<'a>,
    /// Everything after the header, undecoded.
    pub content: &'a [u8],
}

/// A record's bytes and their place in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Raw<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) offset: u64,
    pub(crate) endian: Endian,
    pub(crate) late: bool,
}

impl<'a> Record<'a> {
    /// Returns whether a switch record says that the thread left although it could have continued.
    pub fn is_preemption(&self) -> bool {
        let is_switch = matches!(self.body, RecordBody::Switch { out: true, .. });
        is_switch && self.misc & misc::SWITCH_OUT_PREEMPT != 0
    }

    /// Decodes a record; `event` is the one it belongs to, with its layout.
    #[inline]
    pub(crate) fn decode(raw: Raw<'a>, event: Option<(EventIndex, &'a Layout)>) -> Self {
        let Raw { bytes, endian, .. } = raw;
        let mut record = Self {
            offset: raw.offset,
            ty: endian.u32(bytes, 0).unwrap_or(0),
            misc: endian.u16(bytes, 4).unwrap_or(0),
            size: u16::try_from(bytes.len()).unwrap_or(u16::MAX),
            time_ns: None,
            cpu: None,
            pid: None,
            tid: None,
            event: event.map(|(index, _)| index),
            late: raw.late,
            body: RecordBody::Other,
            content: bytes.get(usize::from(HEADER_BYTES)..).unwrap_or_default(),
        };
        if record.ty == record::SAMPLE {
            let Some((_, layout)) = event else {
                return record;
            };
            let Some(sample) = Sample::new(bytes, layout, endian) else {
                record.body = RecordBody::Short;
                return record;
            };
            record.time_ns = sample.time_ns();
            record.cpu = sample.cpu();
            record.pid = sample.pid();
            record.tid = sample.tid();
            record.body = RecordBody::Sample(sample);
            return record;
        }
        record.decode_other(endian, event.map(|(_, layout)| layout));
        record
    }

    fn decode_other(&mut self, endian: Endian, layout: Option<&Layout>) {
        let mut content = self.content;
        if self.ty < record::HEADER_ATTR
            && let Some(layout) = layout
        {
            content = self.decode_tail(endian, layout.tail);
        }
        let absent = Layout::default();
        let layout = layout.unwrap_or(&absent);
        let body = RecordBody::decode((self.ty, self.misc), content, endian, layout);
        self.body = body.unwrap_or(RecordBody::Short);
    }

    /// Decodes the fields at the record's end and returns the bytes before them.
    fn decode_tail(&mut self, endian: Endian, tail: Tail) -> &'a [u8] {
        let content = self.content;
        let at = |place: Place| {
            let place = usize::from(place);
            (place != 0).then(|| content.len().checked_sub(place))?
        };
        let Some(start) = content.len().checked_sub(usize::from(tail.bytes)) else {
            return content;
        };
        if let Some(at) = at(tail.tid) {
            self.pid = endian.i32(content, at);
            self.tid = endian.i32(content, at + 4);
        }
        let time = at(tail.time).and_then(|at| endian.u64(content, at));
        self.time_ns = time.filter(|&time| is_time(time));
        self.cpu = at(tail.cpu).and_then(|at| endian.u32(content, at));
        content.get(..start).unwrap_or_default()
    }
}

/// Returns whether a time stamp is valid: perf writes 0 (or all ones) into records that it
/// synthesized.
#[inline]
pub(crate) fn is_time(time: u64) -> bool {
    time != 0 && time != u64::MAX
}
