//! Extended data items, between the header and the payload of an event.
//!
//! Each is `u16` size (a multiple of 8, with its own 8 bytes), `u16` type, `u16` whether another
//! follows, `u16` data size, data, padding. Types 1, 6, 11 and 12 were seen in real traces (Windows
//! 8 to 11); the others are from `evntcons.h` and `ntwmi.h`.

use crate::bytes::{u16_at, u32_at, u64_at};
use crate::guid::Guid;
use crate::pointer::{PointerSize, Pointers};
use crate::text::{Ansi, Utf16};

/// One extended data item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Extended<'a> {
    /// The activity that this one was started from.
    RelatedActivity(Guid),
    /// The user's security identifier.
    Sid(&'a [u8]),
    /// The terminal session.
    Session(u32),
    /// Instance, parent instance and the class of the parent.
    Instance {
        /// The instance.
        id: u32,
        /// The instance of the parent.
        parent: u32,
        /// The class of the parent.
        parent_class: Guid,
    },
    /// The stack of the thread when it logged the event, innermost frame first.
    Stack {
        /// Joins the kernel and user halves if they come separately; 0 if the stack is whole.
        match_id: u64,
        /// The frames.
        frames: Pointers<'a>,
    },
    /// The key of a stack that is defined elsewhere.
    StackKey {
        /// As in `Stack`.
        match_id: u64,
        /// The key.
        key: u64,
        /// Its pointer size.
        pointer: PointerSize,
    },
    /// Precise event sampling data.
    Pebs(&'a [u8]),
    /// Values of the processor's performance counters.
    Counters(Pointers<'a>),
    /// The package and application key.
    PackageKey(Utf16<'a>),
    /// A key of the event itself.
    EventKey(u64),
    /// The event's own description (`TraceLogging`).
    Schema(&'a [u8]),
    /// Name and group of the provider (`TraceLogging`).
    Traits(&'a [u8]),
    /// A key of the process that no later process has.
    ProcessStartKey(u64),
    /// The control GUID of the provider.
    ControlGuid(Guid),
    /// Ticks between the event's clock and the performance counter.
    CounterDelta(i64),
    /// The container's id as text.
    Container(Ansi<'a>),
    /// An item of another type, or one that is too short for its type.
    Unknown {
        /// Its type.
        kind: u16,
        /// Its data.
        data: &'a [u8],
    },
}

impl<'a> Extended<'a> {
    fn read(kind: u16, data: &'a [u8]) -> Self {
        Self::typed(kind, data).unwrap_or(Self::Unknown { kind, data })
    }

    fn typed(kind: u16, data: &'a [u8]) -> Option<Self> {
        use PointerSize::{Eight, Four};
        let stack = |pointer| {
            let match_id = u64_at(data, 0)?;
            let frames = Pointers::new(data.get(8..)?, pointer);
            Some(Self::Stack { match_id, frames })
        };
        let key = |pointer: PointerSize| {
            let match_id = u64_at(data, 0)?;
            let key = pointer.read(data, 8)?;
            Some(Self::StackKey {
                match_id,
                key,
                pointer,
            })
        };
        Some(match kind {
            1 => Self::RelatedActivity(Guid::read(data, 0)?),
            2 => Self::Sid(data),
            3 => Self::Session(u32_at(data, 0)?),
            4 => Self::Instance {
                id: u32_at(data, 0)?,
                parent: u32_at(data, 4)?,
                parent_class: Guid::read(data, 8)?,
            },
            5 => stack(Four)?,
            6 => stack(Eight)?,
            7 => Self::Pebs(data),
            8 => Self::Counters(Pointers::new(data, Eight)),
            9 => Self::PackageKey(Utf16::terminated(data).0),
            10 => Self::EventKey(u64_at(data, 0)?),
            11 => Self::Schema(data),
            12 => Self::Traits(data),
            13 => Self::ProcessStartKey(u64_at(data, 0)?),
            14 => Self::ControlGuid(Guid::read(data, 0)?),
            15 => Self::CounterDelta(u64_at(data, 0)?.cast_signed()),
            16 => Self::Container(Ansi::terminated(data).0),
            18 => key(Four)?,
            19 => key(Eight)?,
            _ => return None,
        })
    }
}

/// The extended data items of one event.
#[derive(Debug, Clone, Copy, Default)]
pub struct Items<'a> {
    bytes: &'a [u8],
}

impl<'a> Items<'a> {
    /// Takes items that were measured by [`measure`].
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Extended<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = Piece::read(self.bytes)?;
        let data = self.bytes.get(8..8 + usize::from(item.data))?;
        self.bytes = self.bytes.get(item.size..)?;
        Some(Extended::read(item.kind, data))
    }
}

/// The fixed part of one item.
struct Piece {
    size: usize,
    kind: u16,
    another: bool,
    data: u16,
}

impl Piece {
    #[inline]
    fn read(bytes: &[u8]) -> Option<Self> {
        let size = usize::from(u16_at(bytes, 0)?);
        let data = u16_at(bytes, 6)?;
        let fits = size >= 8 + usize::from(data) && size <= bytes.len() && size.is_multiple_of(8);
        fits.then_some(Self {
            size,
            kind: u16_at(bytes, 2)?,
            another: u16_at(bytes, 4)? & 1 != 0,
            data,
        })
    }
}

/// Returns how many bytes the items at the start of `bytes` occupy, and whether they are sound. The
/// first item that does not fit ends them.
pub(crate) fn measure(bytes: &[u8]) -> (usize, bool) {
    let mut at = 0;
    loop {
        let Some(piece) = bytes.get(at..).and_then(Piece::read) else {
            return (at, false);
        };
        at += piece.size;
        if !piece.another {
            return (at, true);
        }
    }
}
