//! Reading the payload of a tracepoint: its fields are located once, and then read at fixed
//! offsets.

use crate::endian::Endian;
use crate::trace_format::{Field, TraceFormat};

/// A number in a payload.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    offset: usize,
    size: usize,
    is_signed: bool,
}

/// A text of fixed size in a payload.
#[derive(Debug, Clone, Copy)]
pub struct TextPlace {
    offset: usize,
    size: usize,
}

/// Returns where a number is, or `None` if the format has no such field.
#[must_use]
pub fn place(format: &TraceFormat, name: &str) -> Option<Place> {
    let &Field {
        offset,
        size,
        signed,
        ..
    } = format.field(name)?;
    Some(Place {
        offset,
        size,
        is_signed: signed,
    })
}

/// Returns where a text of fixed size is, or `None` if the format has no such field.
#[must_use]
pub fn text(format: &TraceFormat, name: &str) -> Option<TextPlace> {
    let &Field { offset, size, .. } = format.field(name)?;
    Some(TextPlace { offset, size })
}

impl Place {
    /// Reads the number, or `None` if the payload is too short.
    #[must_use]
    pub fn read(self, payload: &[u8], endian: Endian) -> Option<i64> {
        let bytes = payload.get(self.offset..self.offset.checked_add(self.size)?)?;
        let is_little = endian == Endian::Little;
        let value = match *bytes {
            [a] => u64::from(a),
            [a, b] if is_little => u64::from(u16::from_le_bytes([a, b])),
            [a, b] => u64::from(u16::from_be_bytes([a, b])),
            [a, b, c, d] if is_little => u64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d] => u64::from(u32::from_be_bytes([a, b, c, d])),
            _ => {
                let bytes = <[u8; 8]>::try_from(bytes).ok()?;
                if is_little {
                    u64::from_le_bytes(bytes)
                } else {
                    u64::from_be_bytes(bytes)
                }
            }
        };
        let unused = 64 - 8 * u32::try_from(self.size).ok()?;
        let value = value.cast_signed();
        Some(if self.is_signed {
            (value << unused) >> unused
        } else {
            value
        })
    }

    /// Reads the text of variable length that the number at this place points to.
    #[must_use]
    pub fn text(self, payload: &[u8], endian: Endian) -> Option<String> {
        let place = u64::try_from(self.read(payload, endian)?).ok()? & u64::from(u32::MAX);
        let start = usize::try_from(place & 0xffff).ok()?;
        let length = usize::try_from(place >> 16).ok()?;
        Some(lossy(payload.get(start..start.checked_add(length)?)?))
    }
}

impl TextPlace {
    /// Reads the text.
    #[must_use]
    pub fn read(self, payload: &[u8]) -> Option<String> {
        Some(lossy(
            payload.get(self.offset..self.offset.checked_add(self.size)?)?,
        ))
    }
}

/// Returns bytes up to their first zero as text.
#[must_use]
pub fn lossy(bytes: &[u8]) -> String {
    let end = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or(bytes)).into_owned()
}
