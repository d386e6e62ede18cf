//! Finding the way back to records after bytes that are none.
//!
//! A record's size is the only way to the next one, so one flipped bit can cost the rest of a
//! file. What looks like records again is where three headers in a row lead from one to the next;
//! types known, sizes possible.

use crate::abi::record;
use crate::endian::Endian;

/// Smallest record: a header alone.
const LEAST_BYTES: usize = 8;
/// Types above this are damage, not records of a newer tool.
const MOST_TYPE: u32 = 255;
/// Headers in a row that are believed.
const CHAIN: usize = 3;

/// A record's header, as far as the way to the next one needs it.
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

    /// Returns whether this can be a record, of a newer tool perhaps.
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

/// Where records go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// At this offset.
    At(usize),
    /// Perhaps at this offset; more bytes would tell. Before it there is nothing.
    Perhaps(usize),
}

/// Looks for records; at the end of the data a shorter chain is believed if it ends there exactly.
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
    /// As many headers as it takes.
    Whole,
    /// The bytes end inside of the chain.
    Open,
    /// The bytes end just where a record of the chain ends.
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
