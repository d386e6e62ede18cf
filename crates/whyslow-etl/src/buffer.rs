//! Buffers: a trace file is a sequence of them (`WMI_BUFFER_HEADER`, from `ntwmi.h` of System
//! Informer and observation, Windows 7 to 11).
//!
//! A buffer occupies as many bytes as it says. In uncompressed files all buffers have the same
//! size; in compressed files sizes vary and there is no alignment. Only some of its fields can be
//! trusted:
//!
//! * *Folklore:* three fields say where the events end. `Offset` is right. `SavedOffset` is 0 up to
//!   Windows 7 and too small in header buffers; `CurrentOffset` may be 0 (relogged) or beyond the
//!   buffer.
//! * *Folklore:* the time is that of the flush, comes from another clock in relogged files, and is
//!   0 in the first buffer. It gives no order; nor does the sequence number, which is per session.

use crate::bytes::{u8_at, u16_at, u32_at};

/// Size of a buffer's header.
pub(crate) const HEADER_BYTES: u32 = 72;

/// Maximum size of a buffer, on disk or decompressed; Windows allows 16 MiB.
pub(crate) const MOST_BYTES: u32 = 64 << 20;

/// Maximum number of bytes that one compressed byte may expand to: an event of 64 KiB takes at
/// least some bytes for its header. Without such a bound, a few bytes could cause hours of work.
const MOST_RATIO: u32 = 1 << 12;

/// The fields of a buffer's header that are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BufferHeader {
    /// Bytes it occupies in the file.
    pub(crate) bytes: u32,
    /// Where the events end, from the buffer's start, decompressed.
    pub(crate) end: u32,
    pub(crate) cpu: u16,
    pub(crate) flags: u16,
    pub(crate) kind: u16,
}

const EVENTS_LOST: u16 = 0x2;
const BUFFER_LOST: u16 = 0x4;
const HAS_CPU: u16 = 0x20;
const COMPRESSED: u16 = 0x40;

/// The kind of a file's first buffer.
pub(crate) const KIND_HEADER: u16 = 4;

impl BufferHeader {
    /// Reads a header; `None` if the bytes cannot be one.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let size = u32_at(bytes, 0)?;
        let flags = u16_at(bytes, 0x34)?;
        let kind = u16_at(bytes, 0x36)?;
        let offsets = [u32_at(bytes, 0x30)?, u32_at(bytes, 4)?, u32_at(bytes, 8)?];
        let plausible = (HEADER_BYTES..=MOST_BYTES).contains(&size) && kind < 16 && flags < 0x400;
        if !plausible {
            return None;
        }
        let limit = if flags & COMPRESSED == 0 {
            size
        } else {
            MOST_BYTES
        };
        let end = offsets.into_iter().find(|end| *end >= HEADER_BYTES);
        let cpu = if flags & HAS_CPU == 0 {
            u16::from(u8_at(bytes, 0x28)?)
        } else {
            u16_at(bytes, 0x28)? & 0x7ff
        };
        Some(Self {
            bytes: size,
            end: end.unwrap_or(HEADER_BYTES).min(limit),
            cpu,
            flags,
            kind,
        })
    }

    /// Returns where the events end if the file has only `in_file` bytes of the buffer.
    pub(crate) fn end_within(&self, in_file: u32) -> u32 {
        self.end.min(if self.is_compressed() {
            in_file.saturating_mul(MOST_RATIO).max(1 << 16)
        } else {
            in_file
        })
    }

    pub(crate) fn is_compressed(&self) -> bool {
        self.flags & COMPRESSED != 0
    }

    pub(crate) fn is_after_loss(&self) -> bool {
        self.flags & (EVENTS_LOST | BUFFER_LOST) != 0
    }
}
