//! `libjvm.so`: where it exports the description of its structures.

use std::ops::Range;
use std::path::Path;

use object::elf;

use crate::elf::{ElfImage, Section};
use crate::file_bytes::FileBytes;

/// Bytes of a symbol of 64-bit files.
const SYMBOL_BYTES: usize = 24;
/// Largest table of symbols, or of their names, that is read.
const MOST_TABLE_BYTES: u64 = 64 << 20;

const STRUCTS: &[u8] = b"gHotSpotVMStructs";
const TYPES: &[u8] = b"gHotSpotVMTypes";

/// A Java virtual machine, as its file tells. Addresses are those of the file.
#[derive(Debug, Clone)]
pub struct JvmImage {
    /// Where the pointer to the table of fields is.
    pub(super) structs: u64,
    /// Where the pointer to the table of types is.
    pub(super) types: u64,
    /// The file's offsets of what is loaded, with the addresses.
    loaded: Vec<(Range<u64>, u64)>,
}

impl JvmImage {
    /// Reads the file at `path`; `None`: it is no HotSpot virtual machine for x86-64, or cannot be read.
    pub fn read(path: &Path) -> Option<Self> {
        let image = ElfImage::new(FileBytes::open(path).ok()?).ok()?;
        let fits = image.is_64 && image.machine == elf::EM_X86_64;
        fits.then(|| Self::of(&image)).flatten()
    }

    fn of(image: &ElfImage) -> Option<Self> {
        let section = image.section_of_kind(elf::SHT_DYNSYM)?;
        let read = |section: &Section| image.section_bytes(section, MOST_TABLE_BYTES).ok();
        let names = read(image.sections.get(section.link as usize)?)?;
        let table = read(section)?;
        let loaded = image.segments.iter().map(|segment| {
            let end = segment.offset.saturating_add(segment.file_size);
            (segment.offset..end, segment.address)
        });
        Some(Self {
            structs: symbol(&table, &names, STRUCTS)?,
            types: symbol(&table, &names, TYPES)?,
            loaded: loaded.collect(),
        })
    }

    /// Returns what is to be added to the file's addresses in a process that has the file mapped from
    /// `file_offset` on at `start`.
    pub fn bias(&self, start: u64, file_offset: u64) -> Option<u64> {
        let page = !0xfff;
        let holds = |range: &Range<u64>| range.start & page <= file_offset;
        let loaded = self.loaded.iter().filter(|(range, _)| holds(range));
        let (range, address) = loaded.max_by_key(|(range, _)| range.start)?;
        let mapped = address.wrapping_sub(range.start).wrapping_add(file_offset);
        Some(start.wrapping_sub(mapped))
    }

    #[cfg(test)]
    pub(super) fn at(structs: u64, types: u64) -> Self {
        Self {
            structs,
            types,
            loaded: Vec::new(),
        }
    }
}

/// Returns the address of a symbol that the file defines.
fn symbol(table: &[u8], names: &[u8], wanted: &[u8]) -> Option<u64> {
    table.chunks_exact(SYMBOL_BYTES).find_map(|symbol| {
        let head = u64::from_le_bytes(*symbol.first_chunk()?);
        let value = u64::from_le_bytes(*symbol.get(8..)?.first_chunk()?);
        let name = names.get(usize::try_from(head & 0xffff_ffff).ok()?..)?;
        let is_wanted = name.strip_prefix(wanted)?.first() == Some(&0);
        // The upper half: the section; 0: it is another file's.
        (is_wanted && head >> 48 != 0).then_some(value)
    })
}
