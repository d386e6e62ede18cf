//! A script: its file and where its lines end.

use std::sync::Arc;

use super::budget::Budget;
use super::heap::{Heap, Kinds};
use super::strings::Piece;

/// Longest name of a file that is kept, in letters.
const MOST_NAME: u64 = 4096;
/// Largest source whose lines are counted, in bytes, and most lines of it.
pub(super) const MOST_SOURCE_BYTES: u64 = 32 << 20;
const MOST_LINES: usize = 1 << 20;
/// Bytes that are read at once.
const BLOCK_BYTES: u64 = 64 << 10;

/// A script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Script {
    /// Its file as the program names it, or a substitute; empty if it has none.
    pub(super) file: Arc<str>,
    /// Positions of the ends of lines; `None`: its source cannot be read.
    line_ends: Option<Vec<u32>>,
    length: u32,
    /// Bytes of its source if it was too large to be read now; else 0.
    pub(super) put_off: u64,
    /// By which another one in its place is recognized.
    pub(super) words: [u64; 2],
}

impl Script {
    /// Reads the script `object`, and its source if `bytes` of it may be.
    pub(super) fn read(
        heap: Heap<'_>,
        kinds: &mut Kinds,
        object: u64,
        bytes: &mut Budget,
    ) -> Option<Self> {
        if !heap.is(kinds, object, heap.layout.script_kind) {
            return None;
        }
        let words = Self::words(heap, object)?;
        let [name, source] = words;
        let file = heap.text(kinds, name, MOST_NAME).unwrap_or_default();
        let piece = heap.piece(kinds, source);
        let length = piece.map_or(0, |piece| u32::try_from(piece.length).unwrap_or(0));
        let piece = piece.filter(|piece| source_bytes(*piece) <= MOST_SOURCE_BYTES);
        let now = piece.filter(|piece| bytes.spend(source_bytes(*piece)).is_some());
        Some(Self {
            file: plain_file(&file).into(),
            line_ends: now.and_then(|piece| line_ends(heap, piece)),
            length,
            put_off: piece.filter(|_| now.is_none()).map_or(0, source_bytes),
            words,
        })
    }

    /// Returns the references to its name and its source.
    pub(super) fn words(heap: Heap<'_>, object: u64) -> Option<[u64; 2]> {
        let name = heap.word(object, heap.layout.script_name)?;
        Some([name, heap.word(object, heap.layout.script_source)?])
    }

    /// Returns the line of a position in its source.
    pub(super) fn line(&self, position: u32) -> Option<u32> {
        let ends = self.line_ends.as_ref()?;
        if position > self.length {
            return None;
        }
        let before = ends.partition_point(|&end| end < position);
        u32::try_from(before).ok()?.checked_add(1)
    }

    /// Returns whether this part is the whole source.
    pub(super) fn is_whole(&self, start: u32, end: u32) -> bool {
        start == 0 && end == self.length
    }

    /// Returns how many bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        self.file.len() + self.line_ends.as_ref().map_or(0, Vec::len) * size_of::<u32>()
    }
}

/// Returns the path of a file that a module names as a URL.
fn plain_file(name: &str) -> &str {
    name.strip_prefix("file://").unwrap_or(name)
}

/// Returns how many bytes a text has; its letters are less than 2^30.
fn source_bytes(piece: Piece) -> u64 {
    piece.length.saturating_mul(piece.width)
}

/// Finds the ends of lines.
fn line_ends(heap: Heap<'_>, piece: Piece) -> Option<Vec<u32>> {
    let bytes = source_bytes(piece);
    let mut ends = Vec::new();
    let mut position = 0;
    // A carriage return ends a line alone, or with the line feed behind it.
    let mut is_after_return = false;
    let mut at = 0;
    let mut block = Vec::new();
    while at < bytes {
        let size = usize::try_from(BLOCK_BYTES.min(bytes - at)).ok()?;
        block.resize(size, 0);
        heap.memory
            .read(piece.address.wrapping_add(at), &mut block)?;
        for letter in block.chunks_exact(if piece.width == 1 { 1 } else { 2 }) {
            let letter = match *letter {
                [byte] => u16::from(byte),
                [low, high] => u16::from_le_bytes([low, high]),
                _ => 0,
            };
            if is_after_return && letter != 0x0a {
                ends.push(position - 1);
            }
            is_after_return = letter == 0x0d;
            if matches!(letter, 0x0a | 0x2028 | 0x2029) {
                ends.push(position);
            }
            position += 1;
        }
        if ends.len() > MOST_LINES {
            return None;
        }
        at += BLOCK_BYTES;
    }
    Some(ends)
}
