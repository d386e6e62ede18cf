//! Event headers: kind, size and time of the event at a place in a buffer.
//!
//! Byte 2 of every header is its type; byte 3 says whether it is a header at all; the size is in
//! bytes 0–1 or, for kernel events, 4–5. From `ntwmi.h` of System Informer and observation (Windows
//! 7 to 11); no observed trace had compact, instance, error or message headers.

use crate::bytes::{i64_at, u8_at, u16_at};
use crate::pointer::PointerSize;

/// The shape of an event's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HeaderKind {
    /// Kernel event with process, thread and processor times (32 bytes).
    System,
    /// Kernel event with process and thread (24 bytes).
    Compact,
    /// Kernel event with only its time (16 bytes), perhaps with counters.
    PerfInfo,
    /// Classic event, named by the GUID of its class (48 bytes).
    Full,
    /// Classic event with the ids of its instance and of its parent (56 or 72 bytes).
    Instance,
    /// Event of a manifest, an event source or `TraceLogging` (80 bytes and extended items).
    Event,
    /// Message of the trace preprocessor (WPP), 8 bytes and what its flags announce.
    Message,
    /// Placeholder of an event that failed (8 bytes).
    Error,
}

/// What must be known about an event to skip it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    pub(crate) kind: HeaderKind,
    pub(crate) pointer: PointerSize,
    /// Size with the header, without padding.
    pub(crate) size: u32,
    /// Raw time stamp; `None` in error placeholders and messages without one.
    pub(crate) time: Option<i64>,
}

/// Bytes of a buffer that are needed to read any head.
pub(crate) const HEAD_BYTES: usize = 48;

const HEADER: u8 = 0xc0;
const MESSAGE: u8 = 0x90;

/// Where the parts of one type of header are.
#[derive(Debug, Clone, Copy)]
struct Shape {
    kind: HeaderKind,
    pointer: PointerSize,
    least: u8,
    size_at: u8,
    /// 0 if it has no time.
    time_at: u8,
}

/// Shapes by type. A table, because this is read for every event.
const SHAPES: [Option<Shape>; 22] = {
    use HeaderKind::{Compact, Error, Event, Full, Instance, PerfInfo, System};
    use PointerSize::{Eight, Four};
    const fn shape(
        kind: HeaderKind,
        pointer: PointerSize,
        [least, size_at, time_at]: [u8; 3],
    ) -> Option<Shape> {
        Some(Shape {
            kind,
            pointer,
            least,
            size_at,
            time_at,
        })
    }
    [
        None,
        shape(System, Four, [32, 4, 16]),
        shape(System, Eight, [32, 4, 16]),
        shape(Compact, Four, [24, 4, 16]),
        shape(Compact, Eight, [24, 4, 16]),
        None,
        None,
        None,
        None,
        None,
        shape(Full, Four, [48, 0, 16]),
        shape(Instance, Four, [56, 0, 16]),
        None,
        shape(Error, Eight, [8, 0, 0]),
        None,
        None,
        shape(PerfInfo, Four, [16, 4, 8]),
        shape(PerfInfo, Eight, [16, 4, 8]),
        shape(Event, Four, [80, 0, 16]),
        shape(Event, Eight, [80, 0, 16]),
        shape(Full, Eight, [48, 0, 16]),
        shape(Instance, Eight, [56, 0, 16]),
    ]
};

impl Head {
    /// Reads the head at the start of `bytes`, of an event no longer than `room`.
    #[inline]
    pub(crate) fn read(bytes: &[u8], room: u32) -> Option<Self> {
        let [_, _, code, flags, ..] = *bytes else {
            return None;
        };
        if flags & HEADER != HEADER {
            return Self::message(bytes, room);
        }
        let shape = (*SHAPES.get(usize::from(code))?)?;
        let size = u32::from(u16_at(bytes, usize::from(shape.size_at))?);
        if size < u32::from(shape.least) || size > room {
            return None;
        }
        let time = match shape.time_at {
            0 => None,
            at => Some(i64_at(bytes, usize::from(at))?),
        };
        Some(Self {
            kind: shape.kind,
            pointer: shape.pointer,
            size,
            time,
        })
    }

    #[cold]
    fn message(bytes: &[u8], room: u32) -> Option<Self> {
        let size = u32::from(u16_at(bytes, 0)?);
        if u8_at(bytes, 3)? != MESSAGE || size < 8 || size > room {
            return None;
        }
        let layout = MessageLayout::new(u16_at(bytes, 6)?);
        if u32::from(layout.end) > size {
            return None;
        }
        let time = match layout.time {
            Some(at) => Some(i64_at(bytes, usize::from(at))?),
            None => None,
        };
        Some(Self {
            kind: HeaderKind::Message,
            pointer: layout.pointer,
            size,
            time,
        })
    }
}

/// Where the parts of a message header are, according to its flags (`TRACE_MESSAGE_*`).
#[derive(Debug, Clone, Copy)]
pub(crate) struct MessageLayout {
    pub(crate) guid: Option<u8>,
    pub(crate) component: Option<u8>,
    pub(crate) time: Option<u8>,
    pub(crate) ids: Option<u8>,
    pub(crate) end: u8,
    pub(crate) pointer: PointerSize,
}

impl MessageLayout {
    pub(crate) fn new(flags: u16) -> Self {
        let mut end = 8;
        let mut part = |present: bool, bytes: u8| {
            let at = end;
            if present {
                end += bytes;
            }
            present.then_some(at)
        };
        part(flags & 1 != 0, 4);
        let guid = part(flags & 2 != 0, 16);
        let component = part(flags & 6 == 4, 4);
        let time = part(flags & 0x18 != 0, 8);
        let ids = part(flags & 0x20 != 0, 8);
        let pointer = if flags & 0x40 != 0 {
            PointerSize::Four
        } else {
            PointerSize::Eight
        };
        Self {
            guid,
            component,
            time,
            ids,
            end,
            pointer,
        }
    }
}
