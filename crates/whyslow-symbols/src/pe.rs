//! A Windows image (PE file): which build it is, which PDB belongs to it, what it exports.
//!
//! Exports have no sizes. On x86-64 the table of functions that every image carries for unwinding
//! (`.pdata`) bounds them: an address belongs to an export only if no other function begins
//! between the two. Elsewhere an export reaches to the next one, within its section.
//! Source: "PE Format" in Microsoft's documentation; the layouts come from the `object` crate.

use std::path::Path;

use object::LittleEndian as LE;
use object::pe::{
    IMAGE_DEBUG_TYPE_CODEVIEW, IMAGE_DIRECTORY_ENTRY_DEBUG, IMAGE_DIRECTORY_ENTRY_EXCEPTION,
    IMAGE_DIRECTORY_ENTRY_EXPORT, IMAGE_FILE_MACHINE_AMD64, IMAGE_FILE_MACHINE_I386,
    IMAGE_SCN_MEM_EXECUTE, ImageDebugDirectory, ImageDosHeader, ImageNtHeaders32, ImageNtHeaders64,
};
use object::read::pe::{
    ExportTable, ExportTarget, ImageNtHeaders, ImageOptionalHeader as _, optional_header_magic,
};

use crate::elf_module::is_better_name;
use crate::file_bytes::FileBytes;
use crate::nearest::{Candidate, Nearest, rank};
use crate::{ImageId, PdbId, Reason};
use whyslow_demangle::{demangle, plain_c_name};

/// Headers are looked for in this many bytes from the start.
const MAX_HEADER_BYTES: u64 = 64 << 10;
/// Sections that Windows accepts in an image.
const MAX_SECTIONS: usize = 96;
/// Largest table (exports, functions) read.
const MAX_TABLE_BYTES: u64 = 64 << 20;
/// Exported names looked at; ordinals have 16 bits.
const MAX_EXPORTS: usize = 1 << 20;
/// Longest exported name taken.
const MAX_NAME_BYTES: usize = 4096;
/// Entries of the debug directory looked at.
const MAX_DEBUG_ENTRIES: usize = 32;
const MAX_RSDS_BYTES: u64 = 64 << 10;
/// Links followed from a part of a function to its beginning.
const MAX_CHAIN: usize = 32;

/// Name of an exported function, and where it starts.
pub(crate) type Export = (Box<[u8]>, u64);

/// A part of the image, in the file and as mapped.
#[derive(Debug, Clone, Copy)]
struct Section {
    address: u32,
    size: u32,
    offset: u32,
    file_size: u32,
    is_code: bool,
}

/// The headers of an opened image; the rest is read on demand.
#[derive(Debug)]
pub(crate) struct PeImage {
    bytes: FileBytes,
    /// Which build it is.
    pub(crate) id: ImageId,
    machine: u16,
    sections: Vec<Section>,
    /// Address and size of the data directories, by their numbers.
    directories: Vec<(u32, u32)>,
}

impl PeImage {
    /// Opens the image at `path`.
    pub(crate) fn open(path: &Path) -> Result<Self, Reason> {
        Self::new(FileBytes::open(path)?)
    }

    pub(crate) fn new(bytes: FileBytes) -> Result<Self, Reason> {
        let size = bytes.len_bytes().min(MAX_HEADER_BYTES);
        let head = bytes.read(0, size, size)?;
        let magic = optional_header_magic(&*head).map_err(|_| Reason::BadImage)?;
        match magic {
            object::pe::IMAGE_NT_OPTIONAL_HDR64_MAGIC => parse::<ImageNtHeaders64>(bytes, &head),
            _ => parse::<ImageNtHeaders32>(bytes, &head),
        }
    }

    /// The PDB that belongs to the image, and the path the linker wrote it to.
    pub(crate) fn pdb(&self) -> Option<(PdbId, String)> {
        let data = self.directory(IMAGE_DIRECTORY_ENTRY_DEBUG)?;
        let size = size_of::<ImageDebugDirectory>();
        let entries = data.chunks_exact(size).take(MAX_DEBUG_ENTRIES);
        entries
            .filter_map(|entry| object::pod::from_bytes::<ImageDebugDirectory>(entry).ok())
            .filter(|(entry, _)| entry.typ.get(LE) == IMAGE_DEBUG_TYPE_CODEVIEW)
            .find_map(|(entry, _)| {
                let (at, size) = (entry.pointer_to_raw_data, entry.size_of_data);
                let (at, size) = (at.get(LE).into(), size.get(LE).into());
                let record = self.bytes.read(at, size, MAX_RSDS_BYTES).ok()?;
                let (id, path) = PdbId::of_rsds(&record)?;
                Some((id, String::from_utf8_lossy(path).into_owned()))
            })
    }

    /// Whether names of C functions carry the marks of 32-bit x86.
    const fn is_x86(&self) -> bool {
        self.machine == IMAGE_FILE_MACHINE_I386
    }

    /// Name and start of the exported function at each address; `addresses` are relative to the
    /// image's base and sorted ascending.
    pub(crate) fn exports_of(&self, addresses: &[u64]) -> Result<Vec<Option<Export>>, Reason> {
        let index = IMAGE_DIRECTORY_ENTRY_EXPORT;
        let data = self.directory(index).ok_or(Reason::PdbMissing)?;
        let address = self.directories.get(index).map_or(0, |&(at, _)| at);
        let table = ExportTable::parse(&data, address).map_err(|_| Reason::BadImage)?;
        let mut exports = Vec::new();
        for (name, ordinal) in table.name_iter().take(MAX_EXPORTS) {
            if let Ok(ExportTarget::Address(at)) = table.target_by_index(ordinal.into()) {
                exports.push((u64::from(at), name.wrapping_sub(address)));
            }
        }
        let mut nearest = Nearest::new(addresses);
        for (number, &(start, _)) in (0..).zip(&exports) {
            let bound = self.end_of_code(start);
            nearest.offer(Candidate {
                start,
                end: start,
                bound: bound.unwrap_or(start),
                rank: rank(false, bound.is_none(), true),
                name: number,
                table: 0,
            });
        }
        let name_of = |number: u64| {
            let export = usize::try_from(number).ok().and_then(|n| exports.get(n));
            let at = export.and_then(|&(_, at)| usize::try_from(at).ok());
            let name = at.and_then(|at| data.get(at..)).unwrap_or_default();
            let name = name.get(..MAX_NAME_BYTES).unwrap_or(name);
            let name = name.split(|&byte| byte == 0).next().unwrap_or(name);
            if self.is_x86() {
                plain_c_name(name)
            } else {
                name
            }
        };
        let shown = |number: u64| demangle(name_of(number));
        let found = nearest.finish(|a, b| is_better_name(&shown(b.name), &shown(a.name)));
        let functions = self.functions();
        let named = addresses.iter().zip(found).map(|(&address, found)| {
            let found = found.filter(|f| self.end_of_code(f.start).is_some())?;
            let first = functions.as_ref().map_or(0, |f| f.first_of(self, address));
            (found.start >= first).then(|| (name_of(found.name).into(), found.start))
        });
        Ok(named.collect())
    }

    /// End of the code section that holds `address`; `None` outside code.
    fn end_of_code(&self, address: u64) -> Option<u64> {
        let section = self.sections.iter().find(|section| {
            section.is_code && address.wrapping_sub(section.address.into()) < section.size.into()
        })?;
        Some(u64::from(section.address) + u64::from(section.size))
    }

    /// The functions of an x86-64 image.
    fn functions(&self) -> Option<Functions> {
        if self.machine != IMAGE_FILE_MACHINE_AMD64 {
            return None;
        }
        let data = self.directory(IMAGE_DIRECTORY_ENTRY_EXCEPTION)?;
        let mut ranges: Vec<_> = data.chunks_exact(12).filter_map(Range::read).collect();
        ranges.retain(|range| range.start < range.end);
        ranges.sort_unstable_by_key(|range| range.start);
        Some(Functions { ranges })
    }

    fn directory(&self, index: usize) -> Option<Vec<u8>> {
        let &(address, size) = self.directories.get(index)?;
        self.read_at(address, size, MAX_TABLE_BYTES)
            .filter(|data| !data.is_empty())
    }

    /// Reads what is mapped at `address`.
    fn read_at(&self, address: u32, size: u32, limit: u64) -> Option<Vec<u8>> {
        let section = self.sections.iter().find(|section| {
            address.wrapping_sub(section.address) < section.size.max(section.file_size)
        })?;
        let within = address.wrapping_sub(section.address);
        let rest = section.file_size.checked_sub(within)?;
        let offset = u64::from(section.offset) + u64::from(within);
        self.bytes.read(offset, size.min(rest).into(), limit).ok()
    }
}

fn parse<P: ImageNtHeaders>(bytes: FileBytes, head: &[u8]) -> Result<PeImage, Reason> {
    let bad = |_| Reason::BadImage;
    let mut offset = ImageDosHeader::parse(head)
        .map_err(bad)?
        .nt_headers_offset()
        .into();
    let (headers, directories) = P::parse(head, &mut offset).map_err(bad)?;
    let sections = headers.sections(head, offset).map_err(bad)?;
    Ok(PeImage {
        id: ImageId {
            time_stamp: headers.file_header().time_date_stamp.get(LE),
            size: headers.optional_header().size_of_image(),
        },
        machine: headers.file_header().machine.get(LE),
        sections: sections
            .iter()
            .take(MAX_SECTIONS)
            .map(|section| Section {
                address: section.virtual_address.get(LE),
                size: section.virtual_size.get(LE),
                offset: section.pointer_to_raw_data.get(LE),
                file_size: section.size_of_raw_data.get(LE),
                is_code: section.characteristics.get(LE) & IMAGE_SCN_MEM_EXECUTE != 0,
            })
            .collect(),
        directories: directories
            .iter()
            .take(16)
            .map(|entry| (entry.virtual_address.get(LE), entry.size.get(LE)))
            .collect(),
        bytes,
    })
}

/// A function, or a part of one (`RUNTIME_FUNCTION`).
#[derive(Debug, Clone, Copy)]
struct Range {
    start: u32,
    end: u32,
    unwind: u32,
}

impl Range {
    fn read(entry: &[u8]) -> Option<Self> {
        let word = |at: usize| {
            let bytes = entry.get(at..)?.first_chunk()?;
            Some(u32::from_le_bytes(*bytes))
        };
        Some(Self {
            start: word(0)?,
            end: word(4)?,
            unwind: word(8)?,
        })
    }
}

/// The functions of an image, by address.
struct Functions {
    ranges: Vec<Range>,
}

impl Functions {
    /// First address that the function at `address` may start at: where its first part does, or
    /// after the preceding function, since functions that touch no stack are not in the table.
    fn first_of(&self, image: &PeImage, address: u64) -> u64 {
        let behind = self
            .ranges
            .partition_point(|range| u64::from(range.start) <= address);
        let Some(&before) = behind.checked_sub(1).and_then(|at| self.ranges.get(at)) else {
            return 0;
        };
        if address >= before.end.into() {
            return before.end.into();
        }
        let mut part = before;
        for _ in 0..MAX_CHAIN {
            match chained(image, part.unwind) {
                Some(parent) => part = parent,
                None => break,
            }
        }
        part.start.into()
    }
}

/// The part of the function that the unwind information at `address` continues.
fn chained(image: &PeImage, address: u32) -> Option<Range> {
    const CHAINED: u8 = 0x4;
    let head = image.read_at(address, 4, 4)?;
    let &[version_and_flags, _prolog, n_codes, _frame] = head.first_chunk()?;
    if version_and_flags >> 3 & CHAINED == 0 {
        return None;
    }
    // Codes of two bytes, padded to an even number.
    let codes = u32::from(n_codes).div_ceil(2) * 4;
    let parent = image.read_at(address.checked_add(4 + codes)?, 12, 12)?;
    Range::read(&parent)
}
