//! The parts of an ELF file that matter for names: segments, sections, build id.
//!
//! The layouts come from the `object` crate; this file turns them into plain numbers (both
//! classes, both byte orders) and reads only the headers, so that opening a library of 150 MB
//! costs a few pages. Every size a file asks for has a limit.
//! Source: System V gABI chapter 4 and 5, and `elf(5)`.

use std::io::{Read, Seek, SeekFrom};

use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader as _, SectionHeader as _};
use object::{Endianness, ReadCache};

use crate::Reason;
use crate::build_id::find_build_id;
use crate::file_bytes::FileBytes;

/// More sections than this (per file) are refused; linked files have 30 to 100.
const MAX_SECTIONS: usize = 200_000;
/// More segments than this are refused; linked files have about 14.
const MAX_SEGMENTS: usize = 10_000;
/// Longest section name taken.
const MAX_SECTION_NAME: usize = 128;
const MAX_SECTION_NAMES_BYTES: u64 = 16 << 20;

/// A loadable part of the file (`PT_LOAD`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) offset: u64,
    pub(crate) address: u64,
    pub(crate) file_size: u64,
    pub(crate) executable: bool,
}

/// A section header in plain numbers.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    pub(crate) name: Box<[u8]>,
    pub(crate) kind: u32,
    pub(crate) flags: u64,
    pub(crate) address: u64,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) link: u32,
    pub(crate) entry_size: u64,
}

impl Section {
    /// Whether the section holds code that is loaded.
    pub(crate) const fn is_code(&self) -> bool {
        let code = (elf::SHF_ALLOC | elf::SHF_EXECINSTR) as u64;
        self.flags & code == code
    }

    /// First address after the section.
    pub(crate) const fn end(&self) -> u64 {
        self.address.saturating_add(self.size)
    }

    /// Whether the section has bytes in the file.
    pub(crate) const fn has_bytes(&self) -> bool {
        self.kind != elf::SHT_NOBITS && self.kind != elf::SHT_NULL
    }
}

/// An opened ELF file: headers in memory, the rest on demand.
#[derive(Debug)]
pub(crate) struct ElfImage {
    pub(crate) bytes: FileBytes,
    pub(crate) is_64: bool,
    pub(crate) endian: Endianness,
    pub(crate) machine: u16,
    /// Address at which the program begins.
    pub(crate) entry: u64,
    pub(crate) segments: Vec<Segment>,
    pub(crate) sections: Vec<Section>,
    /// Where the table of sections is in the file: offset and size.
    pub(crate) section_table: (u64, u64),
    /// Note `NT_GNU_BUILD_ID`; `None` when the linker wrote none.
    pub(crate) build_id: Option<Vec<u8>>,
}

impl ElfImage {
    /// Returns whether the file has debug information of its own.
    pub(crate) fn has_debug_info(&self) -> bool {
        [&b".debug_info"[..], b".zdebug_info"]
            .iter()
            .filter_map(|name| self.section(name))
            .any(|section| section.has_bytes() && section.size > 0)
    }

    /// Reads the headers.
    ///
    /// # Errors
    /// [`Reason::BadElf`] or [`Reason::TooLarge`] for anything but an acceptable ELF executable,
    /// library or debug file; [`Reason::FileUnreadable`] when reading fails.
    pub(crate) fn new(bytes: FileBytes) -> Result<Self, Reason> {
        let mut ident = [0; 16];
        if bytes.len_bytes() < 52 {
            return Err(Reason::BadElf);
        }
        bytes.read_exact_at(0, &mut ident)?;
        match (ident.first_chunk() == Some(&elf::ELFMAG), ident[4]) {
            (true, elf::ELFCLASS64) => parse::<FileHeader64<Endianness>>(bytes, true),
            (true, elf::ELFCLASS32) => parse::<FileHeader32<Endianness>>(bytes, false),
            _ => Err(Reason::BadElf),
        }
    }

    /// First section of this name.
    pub(crate) fn section(&self, name: &[u8]) -> Option<&Section> {
        self.sections.iter().find(|section| *section.name == *name)
    }

    /// First section of this type, such as `SHT_SYMTAB`, that has bytes in the file.
    pub(crate) fn section_of_kind(&self, kind: u32) -> Option<&Section> {
        self.sections
            .iter()
            .find(|section| section.kind == kind && section.size > 0)
    }

    /// The bytes of a section, at most `limit`.
    pub(crate) fn section_bytes(&self, section: &Section, limit: u64) -> Result<Vec<u8>, Reason> {
        if !section.has_bytes() {
            return Ok(Vec::new());
        }
        self.bytes.read(section.offset, section.size, limit)
    }

    /// Whether this is the output of `objcopy --only-keep-debug`: code sections without bytes.
    pub(crate) fn is_debug_only(&self) -> bool {
        let mut code = self.sections.iter().filter(|section| section.is_code());
        code.clone().next().is_some() && code.all(|section| section.kind == elf::SHT_NOBITS)
    }

    /// Address that the byte at `file_offset` is linked to; `None` outside all segments.
    ///
    /// The kernel maps whole pages: the bytes around a segment that share its first and last page
    /// are reachable through it too, so a second look allows for page rounding.
    pub(crate) fn address_of(&self, file_offset: u64) -> Option<u64> {
        const PAGE: u64 = 4096;
        let exact = |s: &&Segment| file_offset.wrapping_sub(s.offset) < s.file_size;
        let rounded = |s: &&Segment| {
            let start = s.offset & !(PAGE - 1);
            let end = s
                .offset
                .saturating_add(s.file_size)
                .saturating_add(PAGE - 1)
                & !(PAGE - 1);
            s.file_size > 0 && start <= file_offset && file_offset < end
        };
        let code = self.segments.iter().filter(|s| s.executable);
        let segment = code
            .clone()
            .find(exact)
            .or_else(|| self.segments.iter().find(exact))
            .or_else(|| code.clone().find(rounded))?;
        Some(
            file_offset
                .wrapping_sub(segment.offset)
                .wrapping_add(segment.address),
        )
    }

    /// Offset in the file of the code at a linked address; `None` outside the segments of code.
    pub(crate) fn code_offset(&self, address: u64) -> Option<u64> {
        let mut code = self.segments.iter().filter(|s| s.executable);
        let segment = code.find(|s| address.wrapping_sub(s.address) < s.file_size)?;
        let within = address.wrapping_sub(segment.address);
        segment.offset.checked_add(within)
    }

    /// Lowest address of code; in a kernel that is the symbol `_text`.
    pub(crate) fn first_code_address(&self) -> Option<u64> {
        let code = self.sections.iter().filter(|section| section.is_code());
        code.map(|section| section.address).min()
    }

    /// Linked address minus file offset of the code, where all code segments agree on it.
    pub(crate) fn bias(&self) -> Option<u64> {
        if self.is_debug_only() {
            return None;
        }
        let mut all = self
            .segments
            .iter()
            .filter(|s| s.executable && s.file_size > 0)
            .map(|s| s.address.wrapping_sub(s.offset));
        let first = all.next()?;
        all.all(|bias| bias == first).then_some(first)
    }
}

fn parse<E: FileHeader<Endian = Endianness>>(
    bytes: FileBytes,
    is_64: bool,
) -> Result<ElfImage, Reason> {
    let cache = ReadCache::new(Cursor {
        bytes: bytes.clone(),
        position: 0,
    });
    let header = E::parse(&cache).map_err(|_| Reason::BadElf)?;
    let endian = header.endian().map_err(|_| Reason::BadElf)?;
    let n_sections = header.shnum(endian, &cache).map_err(|_| Reason::BadElf)?;
    let n_segments = header.phnum(endian, &cache).map_err(|_| Reason::BadElf)?;
    if n_sections > MAX_SECTIONS || n_segments > MAX_SEGMENTS {
        return Err(Reason::TooLarge);
    }
    let segments = header
        .program_headers(endian, &cache)
        .map_err(|_| Reason::BadElf)?;
    // A damaged section table leaves a file that can still be mapped: no names, but no error.
    let raw = header.section_headers(endian, &cache).unwrap_or(&[]);
    let mut image = ElfImage {
        is_64,
        endian,
        machine: header.e_machine(endian),
        entry: header.e_entry(endian).into(),
        segments: segments
            .iter()
            .filter(|s| s.p_type(endian) == elf::PT_LOAD)
            .map(|s| Segment {
                offset: s.p_offset(endian).into(),
                address: s.p_vaddr(endian).into(),
                file_size: s.p_filesz(endian).into(),
                executable: s.p_flags(endian) & elf::PF_X != 0,
            })
            .collect(),
        sections: raw
            .iter()
            .map(|s| Section {
                name: Box::default(),
                kind: s.sh_type(endian),
                flags: s.sh_flags(endian).into(),
                address: s.sh_addr(endian).into(),
                offset: s.sh_offset(endian).into(),
                size: s.sh_size(endian).into(),
                link: s.sh_link(endian),
                entry_size: s.sh_entsize(endian).into(),
            })
            .collect(),
        build_id: None,
        section_table: section_table(header, endian, raw.len()),
        bytes,
    };
    let names = header
        .shstrndx(endian, &cache)
        .ok()
        .and_then(|index| image.sections.get(index as usize))
        .and_then(|s| image.section_bytes(s, MAX_SECTION_NAMES_BYTES).ok())
        .unwrap_or_default();
    for (section, raw) in image.sections.iter_mut().zip(raw) {
        let tail = names.get(raw.sh_name(endian) as usize..).unwrap_or(&[]);
        let tail = tail.get(..MAX_SECTION_NAME).unwrap_or(tail);
        section.name = tail.split(|&b| b == 0).next().unwrap_or(&[]).into();
    }
    let names = image.sections.iter().map(|section| &*section.name);
    image.build_id = find_build_id::<E>((&image.bytes, endian), names.zip(raw), segments);
    Ok(image)
}

fn section_table<E: FileHeader<Endian = Endianness>>(
    header: &E,
    endian: Endianness,
    count: usize,
) -> (u64, u64) {
    let each = size_of::<E::SectionHeader>() as u64;
    let size = (count as u64).saturating_mul(each);
    (header.e_shoff(endian).into(), size)
}

/// What `object` reads headers through.
#[derive(Debug)]
struct Cursor {
    bytes: FileBytes,
    position: u64,
}

impl Read for Cursor {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let rest = self.bytes.len_bytes().saturating_sub(self.position);
        let n = buffer
            .len()
            .min(usize::try_from(rest).unwrap_or(usize::MAX));
        let (head, _) = buffer.split_at_mut(n);
        self.bytes
            .read_exact_at(self.position, head)
            .map_err(|_| std::io::ErrorKind::UnexpectedEof)?;
        self.position += n as u64;
        Ok(n)
    }
}

impl Seek for Cursor {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.position = match to {
            SeekFrom::Start(offset) => offset,
            SeekFrom::End(delta) => self.bytes.len_bytes().saturating_add_signed(delta),
            SeekFrom::Current(delta) => self.position.saturating_add_signed(delta),
        };
        Ok(self.position)
    }
}
