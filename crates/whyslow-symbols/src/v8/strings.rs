//! Texts: in one piece, or put together of others.

use super::heap::{Heap, Kinds, small_number};
use crate::process_memory::number;

/// Texts within texts that are followed.
const MOST_DEPTH: u32 = 16;
/// Texts that one text is gathered from, with those on the way to their letters: parts may be shared, so
/// their number doubles with each depth.
const MOST_PARTS: u32 = 128;
/// Set in kinds of texts outside the heap whose place only the resource knows.
const IS_UNCACHED: u16 = 0x10;

/// A text in one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) address: u64,
    /// Bytes of a letter: 1 (Latin 1) or 2 (UTF-16).
    pub(super) width: u64,
    /// Letters.
    pub(super) length: u64,
}

/// A text that is being gathered.
struct Gathered {
    text: String,
    letters_left: u64,
    parts_left: u32,
}

impl Heap<'_> {
    /// Returns a text of at most `most` letters; `None` also for longer ones.
    pub(super) fn text(&self, kinds: &mut Kinds, string: u64, most: u64) -> Option<String> {
        let mut to = Gathered {
            text: String::new(),
            letters_left: most,
            parts_left: MOST_PARTS,
        };
        self.append(kinds, string, MOST_DEPTH, &mut to)?;
        Some(to.text)
    }

    fn append(&self, kinds: &mut Kinds, string: u64, depth: u32, to: &mut Gathered) -> Option<()> {
        let fields = &self.layout.string;
        let kind = self.kind(kinds, string)?;
        if self.length(string)? > to.letters_left {
            return None;
        }
        if self.layout.is_string(kind) && kind & fields.form_mask == fields.cons {
            let depth = depth.checked_sub(1)?;
            to.parts_left = to.parts_left.checked_sub(1)?;
            for part in [fields.cons_first, fields.cons_second] {
                self.append(kinds, self.word(string, part)?, depth, to)?;
            }
            return Some(());
        }
        let piece = self.piece_within(kinds, string, &mut to.parts_left)?;
        to.letters_left = to.letters_left.checked_sub(piece.length)?;
        let mut bytes = vec![0; usize::try_from(piece.length * piece.width).ok()?];
        self.memory.read(piece.address, &mut bytes)?;
        match piece.width {
            1 => to.text.extend(bytes.iter().copied().map(char::from)),
            _ => {
                let units = bytes.chunks_exact(2);
                let units = units.filter_map(|unit| unit.first_chunk().copied());
                let units: Vec<u16> = units.map(u16::from_le_bytes).collect();
                to.text.push_str(&String::from_utf16_lossy(&units));
            }
        }
        Some(())
    }

    /// Returns where the letters of a text are; `None`: they are not in one piece.
    pub(super) fn piece(&self, kinds: &mut Kinds, string: u64) -> Option<Piece> {
        let mut parts_left = MOST_DEPTH;
        self.piece_within(kinds, string, &mut parts_left)
    }

    /// Returns where the letters of a text are, if at most `parts_left` texts are on the way there.
    fn piece_within(&self, kinds: &mut Kinds, string: u64, parts_left: &mut u32) -> Option<Piece> {
        let fields = &self.layout.string;
        let (mut string, mut skipped) = (string, 0);
        let length = self.length(string)?;
        loop {
            *parts_left = parts_left.checked_sub(1)?;
            let kind = self.kind(kinds, string)?;
            if !self.layout.is_string(kind) {
                return None;
            }
            let is_one_byte = kind & fields.encoding_mask == fields.one_byte;
            let width = if is_one_byte { 1 } else { 2 };
            let form = kind & fields.form_mask;
            let start = if form == fields.sequential {
                let text = match is_one_byte {
                    true => fields.one_byte_text,
                    false => fields.two_byte_text,
                };
                (string - 1).wrapping_add(text)
            } else if form == fields.external && kind & IS_UNCACHED == 0 {
                // The text's address follows the resource that holds it.
                self.word(string, fields.external_resource + 8)?
            } else if form == fields.thin {
                string = self.word(string, fields.thin_actual)?;
                continue;
            } else if form == fields.sliced {
                let offset = small_number(self.word(string, fields.sliced_offset)?)?;
                skipped += u64::try_from(offset).ok()?;
                string = self.word(string, fields.sliced_parent)?;
                continue;
            } else if form == fields.cons {
                // One that was put together, and then into one piece.
                let second = self.word(string, fields.cons_second)?;
                if self.length(second)? != 0 {
                    return None;
                }
                string = self.word(string, fields.cons_first)?;
                continue;
            } else {
                return None;
            };
            return Some(Piece {
                address: start.wrapping_add(skipped * width),
                width,
                length,
            });
        }
    }

    /// Returns the number of letters of a text.
    fn length(&self, string: u64) -> Option<u64> {
        let at = string.checked_sub(1)?;
        let length = number(self.memory, at.wrapping_add(self.layout.string.length), 4)?;
        Some(length).filter(|&length| length < 1 << 30)
    }
}
