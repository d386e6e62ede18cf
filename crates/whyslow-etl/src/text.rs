//! Text in the form that traces hold it: borrowed bytes, decoded when shown. Text is never an
//! error: an invalid character is shown as U+FFFD.

use std::fmt::{self, Write as _};

/// UTF-16 text, little-endian, without its terminator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Utf16<'a>(&'a [u8]);

impl<'a> Utf16<'a> {
    /// Takes `bytes` whole; an odd last byte is ignored.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Takes the text up to a zero unit or the end; returns it, and the bytes it occupies with its
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

    /// Returns whether it may be a path in the kernel's form, which few texts are.
    pub(crate) fn is_path(&self) -> bool {
        self.0.starts_with(b"\\\0")
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.len() < 2
    }
}

impl fmt::Display for Utf16<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nearly all text is ASCII: it is written in pieces.
        let mut piece = [0_u8; 64];
        let mut rest = *self;
        while !rest.is_empty() {
            let units = rest.0.as_chunks::<2>().0.iter().take(piece.len());
            let mut length = 0;
            for (byte, [low, high]) in piece.iter_mut().zip(units) {
                *byte = if *high == 0 { *low } else { u8::MAX };
                length += 1;
            }
            let ascii = piece.get(..length).filter(|ascii| ascii.is_ascii());
            let Some(ascii) = ascii.and_then(|ascii| std::str::from_utf8(ascii).ok()) else {
                return rest.chars().try_for_each(|c| f.write_char(c));
            };
            f.write_str(ascii)?;
            rest = Self(rest.0.get(2 * length..).unwrap_or_default());
        }
        Ok(())
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

/// 8-bit text without its terminator: UTF-8 if valid, otherwise Latin-1, the common part of
/// Windows-1252. A trace does not say which code page its machine had.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Ansi<'a>(pub &'a [u8]);

impl<'a> Ansi<'a> {
    /// Takes the text up to a zero byte or the end; returns it, and the bytes it occupies with its
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_any_length_and_script() {
        for text in ["", "a", "naïve", "日本語 🙂", "x".repeat(64).as_str()] {
            for before in [0, 1, 63, 64, 65, 200] {
                let text = "a".repeat(before) + text + "end";
                let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                assert_eq!(Utf16::new(&bytes).to_string(), text);
            }
        }
        assert_eq!(Utf16::new(&[0x00, 0xd8, b'a', 0]).to_string(), "\u{fffd}a");
        assert_eq!(Utf16::new(&[b'a', 0, 7]).to_string(), "a");
    }
}
