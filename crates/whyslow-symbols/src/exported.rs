//! What the file of a runtime exports, and where it is in a process.

use std::ops::Range;

use object::elf;

use crate::elf::{ElfImage, Section};

/// Bytes of a symbol of 64-bit files.
const SYMBOL_BYTES: usize = 24;
/// Largest table of symbols, or of their names, that is read.
const MOST_TABLE_BYTES: u64 = 64 << 20;

/// The file's offsets of what is loaded, with the addresses.
#[derive(Debug, Clone, Default)]
pub(crate) struct Loaded(Vec<(Range<u64>, u64)>);

impl Loaded {
    pub(crate) fn of(image: &ElfImage) -> Self {
        let loaded = image.segments.iter().map(|segment| {
            let end = segment.offset.saturating_add(segment.file_size);
            (segment.offset..end, segment.address)
        });
        Self(loaded.collect())
    }

    /// Returns the bias to add to the file's addresses in a process that maps the file from
    /// `file_offset` on at `start`.
    pub(crate) fn bias(&self, start: u64, file_offset: u64) -> Option<u64> {
        let page = !0xfff;
        let holds = |range: &Range<u64>| range.start & page <= file_offset;
        let loaded = self.0.iter().filter(|(range, _)| holds(range));
        let (range, address) = loaded.max_by_key(|(range, _)| range.start)?;
        let mapped = address.wrapping_sub(range.start).wrapping_add(file_offset);
        Some(start.wrapping_sub(mapped))
    }
}

/// A symbol that the file defines.
#[derive(Debug)]
pub(crate) struct Symbol<'a> {
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// Its number in the table.
    pub(crate) number: u64,
    /// What follows from the beginning of its name on.
    names: &'a [u8],
}

impl<'a> Symbol<'a> {
    /// Returns whether this is its name.
    pub(crate) fn is(&self, name: &[u8]) -> bool {
        self.rest(name).is_some_and(|rest| rest.first() == Some(&0))
    }

    /// Returns what follows the prefix in its name, and after it, if the name begins with it.
    fn rest(&self, prefix: &[u8]) -> Option<&'a [u8]> {
        self.names.strip_prefix(prefix)
    }

    /// Returns whether its name begins with `prefix`.
    pub(crate) fn begins_with(&self, prefix: &[u8]) -> bool {
        self.rest(prefix).is_some()
    }

    /// Returns the rest of its name if it begins with `prefix` and is text.
    pub(crate) fn name_after(&self, prefix: &[u8]) -> Option<&'a str> {
        let rest = self.rest(prefix)?;
        let end = rest.iter().position(|&byte| byte == 0)?;
        std::str::from_utf8(rest.get(..end)?).ok()
    }
}

/// Calls `take` with each symbol that a table of this kind (`SHT_DYNSYM`, `SHT_SYMTAB`) defines.
pub(crate) fn symbols(
    image: &ElfImage,
    kind: u32,
    mut take: impl FnMut(&Symbol<'_>),
) -> Option<()> {
    let section = image.section_of_kind(kind)?;
    let read = |section: &Section| image.section_bytes(section, MOST_TABLE_BYTES).ok();
    let names = read(image.sections.get(section.link as usize)?)?;
    let table = read(section)?;
    for (number, symbol) in (0..).zip(table.chunks_exact(SYMBOL_BYTES)) {
        let word = |at: usize| {
            let bytes = symbol.get(at..).and_then(|rest| rest.first_chunk());
            bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        let head = word(0);
        // The upper part: the section; 0: it is another file's.
        if head >> 48 == 0 {
            continue;
        }
        let name = usize::try_from(head & 0xffff_ffff).unwrap_or(usize::MAX);
        take(&Symbol {
            address: word(8),
            size: word(16),
            number,
            names: names.get(name..).unwrap_or_default(),
        });
    }
    Some(())
}

/// Returns the bytes at an address of the file.
pub(crate) fn bytes_at(image: &ElfImage, address: u64, count: u64) -> Option<Vec<u8>> {
    let mut segments = image.segments.iter();
    let segment = segments.find(|segment| {
        let offset = address.wrapping_sub(segment.address);
        offset < segment.file_size && segment.file_size - offset >= count
    })?;
    let offset = segment.offset.checked_add(address - segment.address)?;
    image.bytes.read(offset, count, count).ok()
}

/// Returns whether the file is of this kind of machine: 64 bits, x86-64.
pub(crate) fn is_x86_64(image: &ElfImage) -> bool {
    image.is_64 && image.machine == elf::EM_X86_64
}
