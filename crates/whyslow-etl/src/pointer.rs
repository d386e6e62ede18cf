//! Pointers, with the size used by the process or kernel that logged an event.

use crate::bytes::{u32_at, u64_at};

/// Size of the pointers in an event. It is a property of each event, not of the trace: 32-bit
/// processes on a 64-bit machine log into the same buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PointerSize {
    /// 32 bits.
    Four,
    /// 64 bits.
    Eight,
}

impl PointerSize {
    /// Returns the size in bytes.
    #[inline]
    pub fn bytes(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// Reads a pointer.
    #[inline]
    pub(crate) fn read(self, bytes: &[u8], at: usize) -> Option<u64> {
        match self {
            Self::Four => u32_at(bytes, at).map(u64::from),
            Self::Eight => u64_at(bytes, at),
        }
    }
}

/// Consecutive pointers, such as the frames of a stack, innermost first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pointers<'a> {
    bytes: &'a [u8],
    size: PointerSize,
}

impl<'a> Pointers<'a> {
    pub(crate) fn new(bytes: &'a [u8], size: PointerSize) -> Self {
        Self { bytes, size }
    }

    /// Returns how many there are, not counting an incomplete last one.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.size.bytes()
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns one of them.
    pub fn get(&self, index: usize) -> Option<u64> {
        self.size
            .read(self.bytes, index.checked_mul(self.size.bytes())?)
    }

    /// Returns all of them.
    pub fn iter(&self) -> impl Iterator<Item = u64> + 'a {
        let size = self.size;
        let pieces = self.bytes.chunks_exact(size.bytes());
        pieces.filter_map(move |piece| size.read(piece, 0))
    }
}
