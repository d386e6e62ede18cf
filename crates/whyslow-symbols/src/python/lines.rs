//! The table of a code object that maps instructions to lines.
//!
//! Three formats: up to 3.9 `co_lnotab`, pairs of increments (`Objects/lnotab_notes.txt`); in 3.10
//! `co_linetable`, pairs of increments of which each is a range (PEP 626); from 3.11 on entries of a
//! first byte with code and length (`Objects/locations.md`).

/// Ranges of a table that are kept.
const MOST_RANGES: usize = 1 << 14;

/// The lines of the instructions of a code object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    /// Where a range of instructions ends, in bytes, and its line.
    ranges: Vec<(u32, Option<u32>)>,
}

impl Lines {
    /// Reads the table of a code object of Python 3.`minor` that begins at line `first`.
    ///
    /// Damage or a cut ends the table.
    pub fn read(minor: u32, first: u32, table: &[u8]) -> Self {
        let mut lines = Self::default();
        let first = i64::from(first);
        match minor {
            ..10 => lines.read_increments(first, table),
            10 => lines.read_pairs(first, table),
            _ => lines.read_entries(first, table),
        }
        lines
    }

    /// Returns the line of the instruction at `offset` bytes.
    pub fn at(&self, offset: u32) -> Option<u32> {
        let after = self.ranges.partition_point(|&(end, _)| end <= offset);
        self.ranges.get(after)?.1
    }

    /// Returns all lines.
    pub fn all(&self) -> impl Iterator<Item = u32> {
        self.ranges.iter().filter_map(|&(_, line)| line)
    }

    fn push(&mut self, end: u64, line: Option<i64>) -> bool {
        let last = self.ranges.last().map_or(0, |&(end, _)| end);
        let Some(end) = u32::try_from(end).ok().filter(|&end| end >= last) else {
            return false;
        };
        if self.ranges.len() >= MOST_RANGES {
            return false;
        }
        let line = line.and_then(|line| u32::try_from(line).ok());
        match self.ranges.last_mut() {
            _ if end == last => {}
            Some(known) if known.1 == line => known.0 = end,
            _ => self.ranges.push((end, line)),
        }
        true
    }

    fn read_increments(&mut self, first: i64, table: &[u8]) {
        let (mut end, mut line) = (0, first);
        for &[bytes, lines] in table.as_chunks().0 {
            end += u64::from(bytes);
            if !self.push(end, Some(line)) {
                return;
            }
            line += i64::from(lines.cast_signed());
        }
        self.push(u64::from(u32::MAX), Some(line));
    }

    fn read_pairs(&mut self, first: i64, table: &[u8]) {
        /// The increment for instructions without a line.
        const NO_LINE: i8 = -128;
        let (mut end, mut line) = (0, first);
        for &[bytes, lines] in table.as_chunks().0 {
            end += u64::from(bytes);
            let lines = lines.cast_signed();
            let is_none = lines == NO_LINE;
            line += if is_none { 0 } else { i64::from(lines) };
            if !self.push(end, (!is_none).then_some(line)) {
                return;
            }
        }
    }

    fn read_entries(&mut self, first: i64, table: &[u8]) {
        let (mut end, mut line) = (0, first);
        let mut bytes = Bytes(table);
        while let Some(head) = bytes.next() {
            end += (u64::from(head & 7) + 1) * 2;
            let code = head >> 3 & 15;
            let Some(lines) = bytes.entry(code) else {
                return;
            };
            line += lines;
            if !self.push(end, (code != NOWHERE).then_some(line)) {
                return;
            }
        }
    }
}

/// The code of an entry without a line.
const NOWHERE: u8 = 15;

/// Takes bytes off the front.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// Takes the rest of an entry; returns how many lines it advances.
    fn entry(&mut self, code: u8) -> Option<i64> {
        match code {
            NOWHERE => Some(0),
            14 => {
                let lines = self.signed()?;
                for _ in 0..3 {
                    self.unsigned()?;
                }
                Some(lines)
            }
            13 => self.signed(),
            10..=12 => {
                self.next()?;
                self.next()?;
                Some(i64::from(code) - 10)
            }
            _ => {
                self.next()?;
                Some(0)
            }
        }
    }

    /// Takes a number in groups of six bits, the lowest first.
    fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..36).step_by(6) {
            let byte = self.next()?;
            number |= u64::from(byte & 63) << shift;
            if byte & 64 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// Takes a number whose lowest bit is the sign.
    fn signed(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        let size = (number >> 1).cast_signed();
        Some(if number & 1 == 1 { -size } else { size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(minor: u32, table: &[u8], wanted: &[(u32, Option<u32>)]) {
        let lines = Lines::read(minor, 7, table);
        let found: Vec<_> = wanted.iter().map(|&(at, _)| (at, lines.at(at))).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn increments_say_where_the_next_line_begins() {
        // def f(): / x = 1 / y = 2: line 8 from 0 on, line 9 from 4 on, line 8 again from 10 on.
        let table = [0, 1, 4, 1, 6, 0xff];
        check(
            9,
            &table,
            &[
                (0, Some(8)),
                (3, Some(8)),
                (4, Some(9)),
                (10, Some(8)),
                (99, Some(8)),
            ],
        );
        check(8, &[], &[(0, Some(7))]);
    }

    #[test]
    fn pairs_are_ranges_and_may_have_no_line() {
        let table = [4, 1, 2, 0x80, 6, 2];
        check(
            10,
            &table,
            &[
                (0, Some(8)),
                (4, None),
                (6, Some(10)),
                (11, Some(10)),
                (12, None),
            ],
        );
    }

    #[test]
    fn entries_have_a_length_and_a_code() {
        let short = [0x80 | 3 << 3 | 1, 0x00];
        let one_line = [0x80 | 11 << 3, 4, 9];
        let no_columns = [0x80 | 13 << 3, 40 << 1 & 63 | 64, 40 >> 5];
        let long = [0x80 | 14 << 3, 3, 0, 1, 2];
        let nowhere = [0x80 | 15 << 3];
        let table = [&short[..], &one_line, &no_columns, &long, &nowhere].concat();
        let lines = [
            (0, Some(7)),
            (3, Some(7)),
            (4, Some(8)),
            (6, Some(48)),
            (8, Some(47)),
        ];
        check(12, &table, &lines);
        check(12, &table, &[(10, None), (12, None)]);
        check(11, &table[..1], &[(0, None)]);
    }

    #[test]
    fn numbers_without_end_end_the_table() {
        check(
            11,
            &[0x80 | 13 << 3, 255, 255, 255, 255, 255, 255, 255],
            &[(0, None)],
        );
    }
}
