//! The lines of a Ruby method: entries in the order of its code, and an index that tells the entry of a place.
//!
//! The index has a bit for each word of code at which an entry begins, and counts of the bits before. It
//! begins with [`HEAD_WORDS`] counts of 7 bits, nine in a word; then come blocks of 80 bytes for [`BLOCK_WORDS`]
//! words each: the count before the block, seven counts of 9 bits within it, and the bits.

/// Words of code that the head of the index tells of, and its bytes.
const HEAD_WORDS: usize = 54;
const HEAD_BYTES: usize = 48;
/// Words of code that a block tells of, and its bytes.
const BLOCK_WORDS: usize = 512;
const BLOCK_BYTES: usize = 80;

/// The table of lines of an instruction sequence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RubyLines {
    lines: Vec<u32>,
    index: Vec<u8>,
}

impl RubyLines {
    /// Reads a table of entries of `entry_bytes` each, perhaps cut, and its index.
    pub fn read(entries: &[u8], entry_bytes: u32, index: &[u8]) -> Self {
        let size = usize::try_from(entry_bytes).unwrap_or_default().max(4);
        let entries = entries.chunks_exact(size);
        let lines = entries.filter_map(|entry| Some(u32::from_le_bytes(*entry.first_chunk()?)));
        Self {
            lines: lines.collect(),
            index: index.to_vec(),
        }
    }

    /// Returns the line of the instruction before the one at `offset` bytes: an interpreter that runs an
    /// instruction is about to take the next one.
    pub fn at(&self, offset: u32) -> Option<u32> {
        let word = usize::try_from(offset / 8).ok()?.saturating_sub(1);
        let entry = match self.lines.len() {
            1 => 0,
            _ => self.entry(word)?.checked_sub(1)?,
        };
        self.lines.get(entry).copied()
    }

    /// Returns all lines.
    pub fn all(&self) -> impl Iterator<Item = u32> {
        self.lines.iter().copied()
    }

    /// Returns how many entries begin at or before a word of code.
    fn entry(&self, word: usize) -> Option<usize> {
        let Some(word) = word.checked_sub(HEAD_WORDS) else {
            let counts = self.word(word / 9 * 8)?;
            return usize::try_from(counts >> (word % 9 * 7) & 0x7f).ok();
        };
        let block = HEAD_BYTES + word / BLOCK_WORDS * BLOCK_BYTES;
        let (part, bit) = (word % BLOCK_WORDS / 64, word % 64);
        let before = self.word(block)? & 0xffff_ffff;
        let within = match part.checked_sub(1) {
            Some(part) => self.word(block + 8)? >> (part * 9) & 0x1ff,
            None => 0,
        };
        let bits = self.word(block + 16 + part * 8)? << (63 - bit);
        usize::try_from(before + within + u64::from(bits.count_ones())).ok()
    }

    fn word(&self, at: usize) -> Option<u64> {
        let bytes = self.index.get(at..)?.first_chunk()?;
        Some(u64::from_le_bytes(*bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes the index of entries that begin at these words of code, the way Ruby does.
    fn index(words: usize, begins: &[usize]) -> Vec<u8> {
        let count = |until: usize| begins.iter().filter(|&&at| at <= until).count() as u64;
        let mut index = Vec::new();
        for first in (0..HEAD_WORDS).step_by(9) {
            let counts = (0..9).fold(0, |sum, n| sum | count(first + n) << (n * 7));
            index.extend_from_slice(&counts.to_le_bytes());
        }
        for block in (HEAD_WORDS..words).step_by(BLOCK_WORDS) {
            let before = count(block - 1);
            let within = (1..8).fold(0, |sum, part| {
                sum | (count(block + part * 64 - 1) - before) << ((part - 1) * 9)
            });
            index.extend_from_slice(&before.to_le_bytes());
            index.extend_from_slice(&within.to_le_bytes());
            for part in (block..block + BLOCK_WORDS).step_by(64) {
                let has = |bit: &usize| begins.contains(&(part + bit));
                let bits = (0..64).filter(has).fold(0, |bits, bit| bits | 1_u64 << bit);
                index.extend_from_slice(&bits.to_le_bytes());
            }
        }
        index
    }

    fn entries(lines: &[u32]) -> Vec<u8> {
        let entries = lines.iter().flat_map(|line| [*line, 77, 88]);
        entries.flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn each_place_has_the_line_of_the_last_entry_before_it() {
        let begins = [0, 7, 53, 54, 55, 118, 400, 565, 566, 900];
        let lines: Vec<u32> = (1..=10).map(|n| n * 10).collect();
        let table = RubyLines::read(&entries(&lines), 12, &index(1000, &begins));
        for word in 0_u32..1000 {
            let entry = begins.iter().filter(|&&at| at <= word as usize).count();
            assert_eq!(
                table.at(8 * (word + 1)),
                lines.get(entry - 1).copied(),
                "{word}"
            );
        }
        assert_eq!(table.at(0), Some(10));
        assert_eq!(table.all().max(), Some(100));
    }

    #[test]
    fn a_method_of_one_line_has_no_index() {
        let table = RubyLines::read(&entries(&[12]), 12, &[]);
        assert_eq!(table.at(8), Some(12));
        assert_eq!(table.at(8000), Some(12));
    }

    #[test]
    fn what_is_cut_has_no_line() {
        let table = RubyLines::read(&entries(&[1, 2]), 12, &index(2000, &[0, 1500])[..100]);
        assert_eq!(table.at(80), Some(1));
        assert_eq!(table.at(8 * 1600), None);
        assert_eq!(RubyLines::read(&[], 0, &[]).at(8), None);
        let other = RubyLines::read(&entries(&[1, 2]), 12, &[0xff; 500]);
        assert_eq!(other.at(u32::MAX), None);
    }
}
