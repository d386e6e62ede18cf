//! Bytes of the stream that are not records: a record announces them, and they follow it.

use crate::endian::{count, size};
use crate::features::MOST_SECTION_BYTES;

/// The remaining bytes of this kind.
#[derive(Debug, Default)]
pub(crate) enum OutOfBand {
    /// Nothing.
    #[default]
    None,
    /// Bytes to be skipped.
    Skip(u64),
    /// The formats of the tracepoints.
    Formats {
        /// Size of the container, in bytes.
        size: usize,
        /// Bytes up to the next record.
        padding: u64,
        /// The bytes received so far.
        bytes: Vec<u8>,
    },
}

impl OutOfBand {
    /// Expects bytes without meaning.
    pub(crate) fn skip(bytes: u64) -> Self {
        if bytes == 0 {
            Self::None
        } else {
            Self::Skip(bytes)
        }
    }

    /// Expects formats; `None` if there are more than any file has.
    pub(crate) fn formats(bytes: u32) -> Option<Self> {
        let bytes = u64::from(bytes);
        if bytes > MOST_SECTION_BYTES {
            return None;
        }
        if bytes == 0 {
            return Some(Self::None);
        }
        Some(Self::Formats {
            size: size(bytes),
            padding: bytes.next_multiple_of(8) - bytes,
            bytes: Vec::new(),
        })
    }

    pub(crate) fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Takes bytes; returns how many, and the formats once they are complete.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> (usize, Option<Vec<u8>>) {
        match std::mem::take(self) {
            Self::None => (0, None),
            Self::Skip(left) => {
                let taken = left.min(count(bytes.len()));
                *self = Self::skip(left - taken);
                (size(taken), None)
            }
            Self::Formats {
                size,
                padding,
                bytes: mut held,
            } => {
                let taken = (size - held.len()).min(bytes.len());
                held.extend_from_slice(bytes.get(..taken).unwrap_or_default());
                if held.len() == size {
                    *self = Self::skip(padding);
                    return (taken, Some(held));
                }
                *self = Self::Formats {
                    size,
                    padding,
                    bytes: held,
                };
                (taken, None)
            }
        }
    }
}
