//! Finds records again after bytes that are not records.
//!
//! A record's size is the only way to the next one, so one flipped bit can cost the rest of a file.
//! Records are found again where three headers in a row lead from one to the next, with known types
//! and possible sizes.

use crate::abi::record;
use crate::endian::Endian;

/// Smallest record: a header alone.
const LEAST_BYTES: usize = 8;
/// Types above this are damage, not records of a newer tool.
const MOST_TYPE: u32 = 255;
/// Number of consecutive headers that are trusted.
const CHAIN: usize = 3;

/// The parts of a record's header that are needed to find the next one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    pub(crate) ty: u32,
    pub(crate) size: usize,
}

impl Head {
    #[inline]
    pub(crate) fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let ty = endian.u32(bytes, 0)?;
        let size = usize::from(endian.u16(bytes, 6)?);
        Some(Self { ty, size })
    }

    /// Returns whether this can be a record, perhaps of a newer tool.
    #[inline]
    pub(crate) fn is_possible(self) -> bool {
        self.size >= LEAST_BYTES && self.ty.wrapping_sub(1) < MOST_TYPE
    }

    fn is_known(self) -> bool {
        let kernel = 1..=record::KERNEL_MAX;
        let tool = record::HEADER_ATTR..=record::TOOL_MAX;
        self.size >= LEAST_BYTES && (kernel.contains(&self.ty) || tool.contains(&self.ty))
    }
}

/// Where records continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// At this offset.
    At(usize),
    /// Perhaps at this offset; more bytes are needed to decide. There is no record before it.
    Perhaps(usize),
}

/// Searches for records; at the end of the data a shorter chain is accepted if it ends there
/// exactly.
pub(crate) fn find(bytes: &[u8], endian: Endian, at_end: bool) -> Found {
    for start in 0..bytes.len() {
        let rest = bytes.get(start..).unwrap_or_default();
        match chain(rest, endian) {
            Chain::Whole => return Found::At(start),
            Chain::Open if !at_end => return Found::Perhaps(start),
            Chain::Ends if at_end => return Found::At(start),
            Chain::Ends if !at_end => return Found::Perhaps(start),
            _ => {}
        }
    }
    Found::Perhaps(bytes.len())
}

enum Chain {
    /// As many headers as needed.
    Whole,
    /// The bytes end within the chain.
    Open,
    /// The bytes end exactly where a record of the chain ends.
    Ends,
    /// No chain.
    None,
}

fn chain(bytes: &[u8], endian: Endian) -> Chain {
    let mut rest = bytes;
    for _ in 0..CHAIN {
        if rest.is_empty() {
            return Chain::Ends;
        }
        let Some(head) = Head::decode(rest, endian) else {
            return Chain::Open;
        };
        if !head.is_known() {
            return Chain::None;
        }
        let Some(after) = rest.get(head.size..) else {
            return Chain::Open;
        };
        rest = after;
    }
    Chain::Whole
}
