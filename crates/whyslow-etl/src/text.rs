//! Text as traces hold it: borrowed bytes, decoded when shown. Text is never an error: what is no
//! character is shown as U+FFFD.

use std::fmt::{self, Write as _};

/// UTF-16 text, little-endian, without its terminator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Utf16<'a>(&'a [u8]);

impl<'a> Utf16<'a> {
    /// Takes `bytes` whole; an odd last byte is ignored.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Takes the text up to a zero unit or the end; returns it and the bytes it occupies with its
    /// terminator.
    pub(crate) fn terminated(bytes: &'a [u8]) -> (Self, usize) {
        let units = bytes.as_chunks::<2>().0;
        match units.iter().position(|unit| *unit == [0, 0]) {
            Some(length) => {
                let text = bytes.get(..2 * length).unwrap_or_default();
                (Self(text), 2 * length + 2)
            }
            None => (Self(bytes), bytes.len()),
        }
    }

    /// Returns the UTF-16 units.
    pub fn units(&self) -> impl Iterator<Item = u16> + 'a {
        let units = self.0.as_chunks::<2>().0;
        units.iter().map(|unit| u16::from_le_bytes(*unit))
    }

    /// Returns the characters.
    pub fn chars(&self) -> impl Iterator<Item = char> + 'a {
        let all = char::decode_utf16(self.units());
        all.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Returns whether there is no character.
    pub fn is_empty(&self) -> bool {
        self.0.len() < 2
    }
}

impl fmt::Display for Utf16<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|c| f.write_char(c))
    }
}

impl fmt::Debug for Utf16<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl PartialEq<str> for Utf16<'_> {
    fn eq(&self, other: &str) -> bool {
        self.units().eq(other.encode_utf16())
    }
}

/// 8-bit text without its terminator: UTF-8 where it is valid, else taken as Windows-1252's
/// common part, Latin-1. A trace does not say which code page its machine had.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Ansi<'a>(pub &'a [u8]);

impl<'a> Ansi<'a> {
    /// Takes the text up to a zero byte or the end; returns it and the bytes it occupies with its
    /// terminator.
    pub(crate) fn terminated(bytes: &'a [u8]) -> (Self, usize) {
        match bytes.iter().position(|byte| *byte == 0) {
            Some(length) => (Self(bytes.get(..length).unwrap_or_default()), length + 1),
            None => (Self(bytes), bytes.len()),
        }
    }
}

impl fmt::Display for Ansi<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(self.0) {
            Ok(text) => f.write_str(text),
            Err(_) => self.0.iter().try_for_each(|b| f.write_char(char::from(*b))),
        }
    }
}

impl fmt::Debug for Ansi<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}
