//! Texts of a description, which refers to them by their offset.

use crate::bytes::size;
use crate::text::Utf16;

/// Longest text of a description, in bytes of UTF-16.
const MOST_BYTES: usize = 2 << 10;

/// The texts of one description.
///
/// Several may start at one place; together they are never longer than twice the description, so
/// that a file cannot ask for more memory than it has bytes.
#[derive(Debug)]
pub(super) struct Texts<'a> {
    info: &'a [u8],
    left: usize,
}

impl<'a> Texts<'a> {
    pub(super) fn of(info: &'a [u8]) -> Self {
        Self {
            info,
            left: info.len().saturating_mul(2),
        }
    }

    /// Returns the text at `from`, cut off if it is too long for a name; `None` if there is none,
    /// or the description has too many.
    pub(super) fn at(&mut self, from: u32) -> Option<String> {
        let bytes = self.info.get(size(from)..)?;
        let (text, bytes) = Utf16::terminated(bytes.get(..MOST_BYTES).unwrap_or(bytes));
        self.left = self.left.checked_sub(bytes)?;
        // Merges of Windows write a space after every name.
        Some(text.to_string().trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_at_one_place_end_with_the_description() {
        let mut info = vec![0; 8];
        info.extend("text ".encode_utf16().flat_map(u16::to_le_bytes));
        info.extend([0, 0]);
        let mut texts = Texts::of(&info);
        let all: Vec<_> = (0..9).map_while(|_| texts.at(8)).collect();
        assert_eq!(all, ["text", "text", "text"]);
        assert_eq!(Texts::of(&info).at(100), None);
    }

    #[test]
    fn a_long_text_is_cut() {
        let info = vec![b'a'; 1 << 16];
        let text = Texts::of(&info).at(0).map(|text| text.chars().count());
        assert_eq!(text, Some(MOST_BYTES / 2));
    }
}
