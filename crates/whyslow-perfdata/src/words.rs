//! Sequences of 64-bit numbers that stay in the file's bytes.

use crate::abi::context;
use crate::endian::Endian;

/// 64-bit values in the byte order of the file: a call chain, registers, branches.
///
/// The bytes need not be aligned; values are assembled on access.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    bytes: &'a [u8],
    endian: Endian,
}

/// A call chain, leaf first: addresses, and [markers](Words::is_marker) that say in which mode the
/// frames after them ran (see [`abi::context`](crate::abi::context)).
pub type Callchain<'a> = Words<'a>;

impl<'a> Words<'a> {
    pub(crate) fn new(bytes: &'a [u8], endian: Endian) -> Self {
        Self { bytes, endian }
    }

    /// Returns the number of values, markers included.
    pub fn len(&self) -> usize {
        self.bytes.len() / 8
    }

    /// Returns whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() < 8
    }

    /// Returns the value at `index`, or `None` past the end.
    pub fn get(&self, index: usize) -> Option<u64> {
        self.endian.u64(self.bytes, index.checked_mul(8)?)
    }

    /// Returns the values in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator + use<'a> {
        let endian = self.endian;
        let (words, _) = self.bytes.as_chunks::<8>();
        words.iter().map(move |&word| match endian {
            Endian::Little => u64::from_le_bytes(word),
            Endian::Big => u64::from_be_bytes(word),
        })
    }

    /// Returns the values as they are in the file: within one file, equal bytes are equal values.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns whether a value of a call chain is a context marker, not an address.
    pub fn is_marker(value: u64) -> bool {
        value >= context::MAX
    }
}
