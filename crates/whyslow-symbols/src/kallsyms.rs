//! Kernel symbols in the text form of `/proc/kallsyms`.
//!
//! One line per symbol, `address type name [module]`, sorted by address within the kernel but
//! not between kernel and modules (source: `proc_kallsyms(5)`, kernel `kernel/kallsyms.c`):
//!
//! ```text
//! ffffffff81000000 T _text
//! ffffffffc0356000 t ext4_check_acl    [ext4]
//! ffffffffc03a1c50 t bpf_prog_6deef7357e7b4530_sd_devices      [bpf]
//! ```
//!
//! The text is kept as it is and read through once per batch of addresses; nothing is allocated
//! per symbol. Symbols have no size: each reaches to the next one, the last of the kernel or of a
//! module to the end of the following page. As in `perf`, of several names of one address the
//! last in the file wins, and only types `T`, `t`, `W`, `w` (code) and `D`, `d`, `B`, `b` (data,
//! as ends) count.

use crate::{NameId, Names, Reason};

/// Symbols of one kernel.
#[derive(Debug, Clone)]
pub struct KernelSymbols {
    text: Vec<u8>,
}

const PAGE: u64 = 4096;

impl KernelSymbols {
    /// Takes the text of `/proc/kallsyms`, whole or a part of its lines.
    ///
    /// # Errors
    /// [`Reason::KernelHidden`] when all addresses are zero, [`Reason::KernelMissing`] when there
    /// is no symbol at all.
    pub fn from_kallsyms_text(text: Vec<u8>) -> Result<Self, Reason> {
        let mut seen = false;
        for line in Lines::new(&text) {
            if line.address != 0 {
                return Ok(Self { text });
            }
            seen = true;
        }
        Err(if seen {
            Reason::KernelHidden
        } else {
            Reason::KernelMissing
        })
    }

    /// The text this was made from.
    pub fn kallsyms_text(&self) -> &[u8] {
        &self.text
    }

    /// Address of the first symbol of this name, such as `_text`.
    pub fn address_of(&self, name: &str) -> Option<u64> {
        Lines::new(&self.text)
            .find(|line| line.name() == name.as_bytes())
            .map(|line| line.address)
    }

    /// Only the lines that matter for the given addresses (sorted ascending), for storing in a
    /// trace: with them alone, each of the addresses gets the same name as with all lines.
    pub fn lines_for(&self, addresses: &[u64]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut last = None;
        for (symbol, next) in self.neighbors(addresses) {
            for place in [symbol, next].into_iter().flatten() {
                if last.replace(place) != Some(place) {
                    let tail = self.text.get(place.line..).unwrap_or(&[]);
                    out.extend_from_slice(first_line(tail));
                    out.push(b'\n');
                }
            }
        }
        out
    }

    /// Name and start of the symbol at each address; `addresses` are sorted ascending.
    pub(crate) fn symbols_of(
        &self,
        addresses: &[u64],
        names: &mut Names,
    ) -> Vec<Option<(NameId, u64)>> {
        let mut last: Option<(Place, NameId)> = None;
        let mut named = Vec::with_capacity(addresses.len());
        for (&address, (symbol, next)) in addresses.iter().zip(self.neighbors(addresses)) {
            let symbol = symbol.filter(|&symbol| self.reaches(symbol, next, address));
            named.push(symbol.map(|place| {
                let id = match last {
                    Some((known, id)) if known == place => id,
                    _ => names.intern_linker_name(self.line(place).map_or(&[], |line| line.name())),
                };
                last = Some((place, id));
                (id, place.address)
            }));
        }
        named
    }

    fn line(&self, place: Place) -> Option<Line<'_>> {
        Lines::new(self.text.get(place.line..)?).next()
    }

    /// Whether `symbol`, the last one at or before `address`, extends to it; `next` follows it.
    fn reaches(&self, symbol: Place, next: Option<Place>, address: u64) -> bool {
        let module = |place| self.line(place).map(|line| line.module());
        if next.is_some_and(|next| module(next) == module(symbol)) {
            return true;
        }
        let page_end = symbol.address.checked_next_multiple_of(PAGE);
        page_end.is_none_or(|end| address < end.saturating_add(PAGE))
    }

    /// For each address the last symbol at or before it, and the first one after it.
    fn neighbors(&self, addresses: &[u64]) -> Vec<(Option<Place>, Option<Place>)> {
        // Slot i takes the symbols between addresses i - 1 (excluded) and i (included).
        let mut slots: Vec<Option<(Place, Place)>> = vec![None; addresses.len() + 1];
        let mut at = 0;
        for line in Lines::new(&self.text).filter(Line::is_function_or_end) {
            // Lines are mostly in order: the slot of the last one, or a later one near it, fits.
            let fits = |at: usize| {
                addresses.get(at).is_none_or(|&a| line.address <= a)
                    && (at == 0 || addresses.get(at - 1).is_some_and(|&a| a < line.address))
            };
            if !fits(at) {
                at = addresses.partition_point(|&a| a < line.address);
            }
            let place = Place {
                address: line.address,
                line: line.offset,
            };
            if let Some(slot) = slots.get_mut(at) {
                let (first, last) = slot.get_or_insert((place, place));
                if place.address >= last.address {
                    *last = place;
                }
                if place.address <= first.address {
                    *first = place;
                }
            }
        }
        let mut out = vec![(None, None); addresses.len()];
        let mut before = None;
        for (entry, slot) in out.iter_mut().zip(&slots) {
            before = slot.map(|(_, last)| last).or(before);
            entry.0 = before;
        }
        let mut behind = None;
        for (entry, slot) in out.iter_mut().zip(slots.iter().skip(1)).rev() {
            behind = slot.map(|(first, _)| first).or(behind);
            entry.1 = behind;
        }
        out
    }
}

/// Where a symbol is in memory and in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    address: u64,
    line: usize,
}

/// One line of the text.
#[derive(Debug, Clone, Copy)]
struct Line<'a> {
    offset: usize,
    address: u64,
    kind: u8,
    /// Name and module.
    rest: &'a [u8],
}

impl<'a> Line<'a> {
    fn is_function_or_end(&self) -> bool {
        matches!(self.kind.to_ascii_uppercase(), b'T' | b'W' | b'D' | b'B')
            && self.address != 0
            && !self.rest.starts_with(b"$")
    }

    fn name(&self) -> &'a [u8] {
        self.parts().0
    }

    fn module(&self) -> &'a [u8] {
        self.parts().1.trim_ascii()
    }

    /// Most lines are only passed over: they are not taken apart.
    fn parts(&self) -> (&'a [u8], &'a [u8]) {
        match memchr::memchr2(b'\t', b' ', self.rest) {
            Some(end) => self.rest.split_at(end),
            None => (self.rest, &[]),
        }
    }
}

/// The well-formed lines of a text; others are skipped.
struct Lines<'a> {
    text: &'a [u8],
    position: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, position: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        loop {
            let offset = self.position;
            let tail = self.text.get(offset..).filter(|tail| !tail.is_empty())?;
            let line = first_line(tail);
            self.position = offset + line.len() + 1;
            if let Some(line) = parse_line(line, offset) {
                return Some(line);
            }
        }
    }
}

fn first_line(text: &[u8]) -> &[u8] {
    memchr::memchr(b'\n', text).map_or(text, |end| text.split_at(end).0)
}

fn parse_line(line: &[u8], offset: usize) -> Option<Line<'_>> {
    let (address, rest) = hex_word(line)?;
    let (&[b' ', kind, b' '], rest) = rest.split_first_chunk()? else {
        return None;
    };
    let is_named = rest
        .first()
        .is_some_and(|first| !matches!(first, b'\t' | b' '));
    is_named.then_some(Line {
        offset,
        address,
        kind,
        rest,
    })
}

/// The value of each hexadecimal digit; [`NO_DIGIT`] for all other bytes.
const DIGITS: [u8; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let mut value = 0_u8;
    while value < 16 {
        digits[b"0123456789abcdef"[value as usize] as usize] = value;
        digits[b"0123456789ABCDEF"[value as usize] as usize] = value;
        value += 1;
    }
    digits
};
const NO_DIGIT: u8 = 0xff;

/// Leading hexadecimal number of at most 16 digits, and what follows it.
pub(crate) fn hex_word(text: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (i, &byte) in text.iter().enumerate().take(17) {
        let digit = DIGITS[usize::from(byte)];
        if digit == NO_DIGIT {
            return (i > 0).then(|| (value, text.split_at(i).1));
        }
        if i == 16 {
            return None;
        }
        value = value << 4 | u64::from(digit);
    }
    (!text.is_empty()).then_some((value, &[]))
}

#[cfg(test)]
mod tests;
