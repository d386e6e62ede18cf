//! Inlined functions, files and lines, from DWARF debug information.
//!
//! Optional and separate from names: reading debug information costs a hundred times more than
//! reading symbols. It is taken from the file itself or its debug file, with sections compressed
//! by zlib unpacked and parts that `dwz` moved to a common file (`.gnu_debugaltlink`) joined.
//! The `addr2line` crate walks it and parses only units that an address lies in.
//!
//! Not read: split DWARF (`.dwo`, `.dwp`) and sections compressed by zstd.

mod namespace;

use std::path::Path;

use addr2line::Context;
use gimli::{DwarfSections, EndianSlice, RunTimeEndian, SectionId};
use object::elf;

use crate::debug_file::{FileFinder, FoundFile};
use crate::elf::{ElfImage, Section};
use crate::names::Named;
use crate::{Names, Reason, SymbolFrame};

/// Debug information of one module beyond this size is not read: it would be held in memory.
const MAX_DEBUG_BYTES: u64 = 256 << 20;
/// Nesting of debug entries beyond this is damage: walking it would exhaust our stack.
const MAX_NESTING: isize = 400;
/// Inlined functions at one address beyond this are dropped (outer ones are kept).
const MAX_FRAMES: usize = 128;
const MAX_LINK_BYTES: u64 = 4096;
/// Section that names the file that `dwz` moved common parts to.
const COMMON_FILE_LINK: &[u8] = b".gnu_debugaltlink";

type Bytes<'a> = EndianSlice<'a, RunTimeEndian>;

/// The debug sections of a file in memory, unpacked.
pub(crate) struct DebugSections {
    own: DwarfSections<Vec<u8>>,
    common: Option<DwarfSections<Vec<u8>>>,
    endian: RunTimeEndian,
}

impl DebugSections {
    /// Reads the debug sections of `file`; `None` when it has none.
    pub(crate) fn read(file: &FoundFile, finder: &FileFinder) -> Result<Option<Self>, Reason> {
        let image = &file.image;
        if !image.has_debug_info() {
            return Ok(None);
        }
        let common = common_file(file, finder)
            .map(|common| load(&common.image, MAX_DEBUG_BYTES))
            .transpose()?;
        Ok(Some(Self {
            own: load(image, MAX_DEBUG_BYTES)?,
            common,
            endian: endian_of(image),
        }))
    }

    /// Reads the debug sections of a file; `None` also when they have more than `limit` bytes unpacked,
    /// or when `dwz` moved parts of them to a common file.
    pub(crate) fn read_small(image: &ElfImage, limit: u64) -> Result<Option<Self>, Reason> {
        if !image.has_debug_info() || image.section(COMMON_FILE_LINK).is_some() {
            return Ok(None);
        }
        match load(image, limit) {
            Ok(own) => Ok(Some(Self {
                own,
                common: None,
                endian: endian_of(image),
            })),
            Err(Reason::TooLarge) => Ok(None),
            Err(reason) => Err(reason),
        }
    }
}

const fn endian_of(image: &ElfImage) -> RunTimeEndian {
    match image.endian {
        object::Endianness::Little => RunTimeEndian::Little,
        object::Endianness::Big => RunTimeEndian::Big,
    }
}

/// Reads sections that have at most `left` bytes together, unpacked.
fn load(image: &ElfImage, mut left: u64) -> Result<DwarfSections<Vec<u8>>, Reason> {
    DwarfSections::load(|id| {
        // Locations of variables are not needed here, and large.
        if matches!(id, SectionId::DebugLoc | SectionId::DebugLocLists) {
            return Ok(Vec::new());
        }
        let bytes = section_bytes(image, id.name(), left)?;
        left = left.saturating_sub(bytes.len() as u64);
        Ok(bytes)
    })
}

/// A debug section by its name, unpacked; empty when it is not there.
fn section_bytes(image: &ElfImage, name: &str, limit: u64) -> Result<Vec<u8>, Reason> {
    if let Some(section) = image.section(name.as_bytes()) {
        let bytes = image.section_bytes(section, limit)?;
        return if section.flags & u64::from(elf::SHF_COMPRESSED) == 0 {
            Ok(bytes)
        } else {
            unpack(image, &bytes, limit)
        };
    }
    // The older form: section `.zdebug_…`, starting with "ZLIB" and the size.
    let old = name.replacen(".debug", ".zdebug", 1);
    let section = image.section(old.as_bytes());
    let bytes = section.map(|section: &Section| image.section_bytes(section, limit));
    match bytes.transpose()?.as_deref() {
        Some([b'Z', b'L', b'I', b'B', _, _, _, _, _, _, _, _, packed @ ..]) => {
            inflate(packed, limit)
        }
        Some(_) => Err(Reason::BadElf),
        None => Ok(Vec::new()),
    }
}

/// Unpacks a section that begins with an `Elf32_Chdr` or `Elf64_Chdr`.
fn unpack(image: &ElfImage, bytes: &[u8], limit: u64) -> Result<Vec<u8>, Reason> {
    let header_bytes = if image.is_64 { 24 } else { 12 };
    let (header, packed) = bytes.split_at_checked(header_bytes).ok_or(Reason::BadElf)?;
    let kind = header.first_chunk::<4>().ok_or(Reason::BadElf)?;
    let kind = match image.endian {
        object::Endianness::Little => u32::from_le_bytes(*kind),
        object::Endianness::Big => u32::from_be_bytes(*kind),
    };
    if kind != elf::ELFCOMPRESS_ZLIB {
        return Err(Reason::BadElf);
    }
    inflate(packed, limit)
}

fn inflate(packed: &[u8], limit: u64) -> Result<Vec<u8>, Reason> {
    use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    decompress_to_vec_zlib_with_limit(packed, limit).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => Reason::TooLarge,
        _ => Reason::BadElf,
    })
}

/// The file that `dwz` moved common parts to.
fn common_file(file: &FoundFile, finder: &FileFinder) -> Option<FoundFile> {
    let section = file.image.section(COMMON_FILE_LINK)?;
    let bytes = file.image.section_bytes(section, MAX_LINK_BYTES).ok()?;
    let (name, build_id) = bytes.split_at(memchr::memchr(0, &bytes)?);
    let build_id = build_id.get(1..)?;
    let path = Path::new(std::str::from_utf8(name).ok()?);
    let beside = file.path.parent()?.join(path);
    FoundFile::open(&beside)
        .ok()
        .filter(|found| found.image.build_id.as_deref() == Some(build_id))
        .or_else(|| finder.debug_file_with_id(build_id))
}

/// Looks up addresses in debug information.
pub(crate) struct LineReader<'a> {
    context: Context<Bytes<'a>>,
}

impl<'a> LineReader<'a> {
    /// Reads the list of units; [`Reason::BadElf`] when that is damaged.
    pub(crate) fn new(sections: &'a DebugSections) -> Result<Self, Reason> {
        let endian = sections.endian;
        let borrow = |bytes: &'a Vec<u8>| EndianSlice::new(bytes, endian);
        let mut dwarf = sections.own.borrow(borrow);
        if let Some(common) = &sections.common {
            dwarf.set_sup(common.borrow(borrow));
        }
        if !nests_little(&dwarf).unwrap_or(false) {
            return Err(Reason::BadElf);
        }
        let context = Context::from_dwarf(dwarf).map_err(|_| Reason::BadElf)?;
        Ok(Self { context })
    }

    /// Replaces `frames` by those at a linked address, innermost first; it stays empty where
    /// neither debug information nor `symbol` knows a function.
    ///
    /// The outermost function keeps the name of `symbol`, so that totals by function agree
    /// with those made without debug information.
    pub(crate) fn frames_at(
        &self,
        address: u64,
        symbol: Option<Named>,
        names: &mut Names,
        frames: &mut Vec<SymbolFrame>,
    ) {
        frames.clear();
        let offset_bytes = symbol.map_or(0, |(_, start)| address.wrapping_sub(start));
        // The crate adds one to the address.
        if address != u64::MAX
            && let Ok(mut found) = self.context.find_frames(address).skip_all_loads()
        {
            while let Ok(Some(frame)) = found.next() {
                let location = frame.location.as_ref();
                let raw = frame.function.as_ref().and_then(|f| f.raw_name().ok());
                let language = frame.function.as_ref().and_then(|f| f.language);
                let module = location.and_then(|l| l.file);
                let module = module.filter(|_| language == Some(gimli::DW_LANG_Rust));
                let module = module.and_then(namespace::of_file);
                let function = match (&raw, symbol) {
                    // A name without a path, from line tables.
                    (Some(raw), _) if is_bare(raw) && module.is_some() => {
                        names.intern(&format!("{}::{raw}", module.unwrap_or_default()))
                    }
                    (Some(raw), _) => names.intern_linker_name(raw.as_bytes()),
                    (None, Some((symbol, _))) => symbol,
                    (None, None) => continue,
                };
                frames.push(SymbolFrame {
                    function,
                    offset_bytes,
                    inlined: true,
                    file: location.and_then(|l| l.file).map(|file| names.intern(file)),
                    line: location.and_then(|l| l.line).filter(|&line| line > 0),
                });
            }
        }
        let excess = frames.len().saturating_sub(MAX_FRAMES);
        frames.drain(..excess);
        match (frames.last_mut(), symbol) {
            (Some(outermost), symbol) => {
                outermost.inlined = false;
                outermost.function = symbol.map_or(outermost.function, |(name, _)| name);
            }
            (None, Some((function, _))) => frames.push(SymbolFrame {
                function,
                offset_bytes,
                inlined: false,
                file: None,
                line: None,
            }),
            (None, None) => {}
        }
    }
}

/// Whether a name is no linker name and has no path before its type arguments.
fn is_bare(name: &str) -> bool {
    let own = name.split('<').next().unwrap_or(name);
    !name.starts_with("_R") && !name.starts_with("_Z") && !own.contains("::")
}

/// Whether no unit nests deeper than real code does. `addr2line` recurses where functions are
/// nested, so a file made for it could exhaust the stack; this costs a tenth of the walk itself.
fn nests_little(dwarf: &gimli::Dwarf<Bytes<'_>>) -> gimli::Result<bool> {
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        let abbreviations = dwarf.abbreviations(&header)?;
        let mut entries = header.entries_raw(&abbreviations, None)?;
        while !entries.is_empty() {
            if entries.next_depth() > MAX_NESTING {
                return Ok(false);
            }
            if let Some(entry) = entries.read_abbreviation()? {
                entries.skip_attributes(entry.attributes())?;
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests;
