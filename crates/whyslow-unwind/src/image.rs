//! One executable file as far as unwinding needs it: where it is loaded and its CFI.
//!
//! The CFI sections are copied into memory, not mapped: a mapped file that is truncated (by a
//! linker that rewrites its output) would kill the recorder with `SIGBUS`.
//!
//! Format sources: System V gABI (program and section headers), LSB core "Exception Frames"
//! (`.eh_frame`, `.eh_frame_hdr`).
//!
//! Folklore: files that went through BOLT (`librustc_driver`, `clang`) have two frame sections,
//! `.eh_frame` for moved code and `.bolt.org.eh_frame` for the rest, and one `.eh_frame_hdr` over
//! both, so the offset of an entry relative to `.eh_frame` may be negative. Every section whose
//! name ends in `eh_frame` is therefore kept and an entry is looked for by its address.

use object::elf::{EM_X86_64, FileHeader64, NT_GNU_BUILD_ID, PF_X, PT_GNU_EH_FRAME, PT_LOAD};
use object::read::elf::{FileHeader, NoteIterator, ProgramHeader, SectionHeader};
use object::{LittleEndian, ReadRef};
use rustc_hash::FxHashMap;

use whyslow_symbols::go_table::{GoSections, GoTable};

use super::exits::{ReadCode, WayOut};
use super::rule::Rule;

const LE: LittleEndian = LittleEndian;
/// More headers than this are not believed.
const MAX_HEADERS: usize = 16 << 10;
/// Rules kept per image before they are thrown away and gathered anew.
const MAX_RULES: usize = 128 << 10;
/// Ways out kept per image, the same.
const MAX_WAYS_OUT: usize = 16 << 10;
/// Bytes of machine code after the entry point that count as `_start`.
const ENTRY_BYTES: u64 = 64;
/// Type of the note `Go` that Go's linker writes (`ELF_NOTE_GOBUILDID_TAG` of `cmd/link`).
const NT_GO_BUILD_ID: u32 = 4;

/// Why an image cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImageError {
    /// No candidate path led to the file.
    NotFound,
    /// Not a little-endian 64-bit ELF file, or damaged.
    NotElf,
    /// Its CFI is larger than the memory limit allows.
    TooLarge,
    /// The file found is not the one that was mapped.
    OtherFile,
}

/// An executable `PT_LOAD` segment.
#[derive(Debug, Clone, Copy)]
struct Segment {
    file_offset: u64,
    file_size: u64,
    address: u64,
}

/// A section of call frame information.
#[derive(Debug)]
pub(super) struct FrameSection {
    pub(super) address: u64,
    pub(super) data: Vec<u8>,
}

/// Number of an image in `Images`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ImageId(pub(super) u32);

/// Loaded unwind information of one file. Addresses are those of the file (before relocation).
#[derive(Debug)]
pub(super) struct Image {
    segments: Vec<Segment>,
    entry: u64,
    pub(super) frames: Vec<FrameSection>,
    /// Start address of code → address of its frame description, sorted by start address.
    pub(super) index: Vec<(u64, u64)>,
    pub(super) rules: FxHashMap<u64, Rule>,
    pub(super) build_id: Option<Vec<u8>>,
    /// Go's compiler made it, which keeps frame pointers everywhere but in functions without a frame.
    pub(super) is_go: bool,
    /// Go's own table of functions.
    pub(super) go: Option<GoTable>,
    /// The code, if hardly any of it has call frame information: its address and bytes.
    text: Vec<(u64, Vec<u8>)>,
    /// The ways out of that code, by where they begin; `None`: there is none.
    ways_out: FxHashMap<u64, Option<WayOut>>,
}

/// Largest code that is kept, and how much larger than its call frame information it must be.
const MOST_TEXT: u64 = 8 << 20;
const HARDLY_ANY: u64 = 8;

impl ReadCode for Image {
    fn bytes(&self, address: u64) -> Option<&[u8]> {
        self.text.iter().find_map(|(start, bytes)| {
            let at = usize::try_from(address.checked_sub(*start)?).ok()?;
            bytes.get(at..).filter(|bytes| !bytes.is_empty())
        })
    }
}

impl Image {
    /// Reads the ELF file in `data`. `max_bytes` limits what is kept of it.
    pub(super) fn read<'data, R: ReadRef<'data>>(
        data: R,
        max_bytes: usize,
    ) -> Result<Self, ImageError> {
        let header = FileHeader64::<LittleEndian>::parse(data).map_err(not_elf)?;
        let few = |count: usize| {
            if count <= MAX_HEADERS {
                Ok(())
            } else {
                Err(ImageError::NotElf)
            }
        };
        few(header.phnum(LE, data).map_err(not_elf)?)?;
        few(header.shnum(LE, data).unwrap_or(0))?;
        let mut image = Self {
            segments: Vec::new(),
            entry: header.e_entry.get(LE),
            frames: Vec::new(),
            index: Vec::new(),
            rules: FxHashMap::default(),
            build_id: None,
            is_go: false,
            go: None,
            text: Vec::new(),
            ways_out: FxHashMap::default(),
        };
        let mut frame_header = None;
        for program in header.program_headers(LE, data).map_err(not_elf)? {
            let segment = Segment {
                file_offset: program.p_offset(LE),
                file_size: program.p_filesz(LE),
                address: program.p_vaddr(LE),
            };
            match program.p_type(LE) {
                PT_LOAD if program.p_flags(LE) & PF_X != 0 => image.segments.push(segment),
                PT_GNU_EH_FRAME => frame_header = Some(segment),
                _ => {}
            }
            if let Ok(Some(mut notes)) = program.notes(LE, data) {
                read_notes(&mut image, &mut notes);
            }
        }
        image.read_frames(data, header, max_bytes)?;
        if image.is_go {
            image.go = go_table(data, header, max_bytes);
        }
        if let Some(segment) = frame_header {
            image.read_index(data, segment, max_bytes)?;
        }
        if !image.is_go && header.e_machine(LE) == EM_X86_64 {
            image.read_text(data, max_bytes);
        }
        Ok(image)
    }

    /// Reads the code, if hardly any of it has call frame information.
    fn read_text<'data, R: ReadRef<'data>>(&mut self, data: R, max_bytes: usize) {
        let frames: usize = self.frames.iter().map(|section| section.data.len()).sum();
        let sizes = self.segments.iter().map(|segment| segment.file_size);
        let text = sizes.fold(0, u64::saturating_add);
        let is_large = text > MOST_TEXT.min(max_bytes as u64);
        if is_large || (frames as u64).saturating_mul(HARDLY_ANY) > text {
            return;
        }
        for segment in &self.segments {
            if let Ok(bytes) = data.read_bytes_at(segment.file_offset, segment.file_size) {
                self.text.push((segment.address, bytes.to_vec()));
            }
        }
    }

    fn read_frames<'data, R: ReadRef<'data>>(
        &mut self,
        data: R,
        header: &FileHeader64<LittleEndian>,
        max_bytes: usize,
    ) -> Result<(), ImageError> {
        let Ok(sections) = header.sections(LE, data) else {
            return Ok(());
        };
        let mut left = max_bytes as u64;
        for section in sections.iter() {
            let name = sections.section_name(LE, section).unwrap_or_default();
            if !name.ends_with(b"eh_frame") {
                continue;
            }
            let Some((offset, size)) = section.file_range(LE) else {
                continue;
            };
            left = left.checked_sub(size).ok_or(ImageError::TooLarge)?;
            let Ok(bytes) = data.read_bytes_at(offset, size) else {
                continue;
            };
            let address = section.sh_addr(LE);
            self.frames.push(FrameSection {
                address,
                data: bytes.to_vec(),
            });
        }
        Ok(())
    }

    /// Reads the search table of `.eh_frame_hdr` in the one form that linkers write; another form
    /// is as good as none.
    fn read_index<'data, R: ReadRef<'data>>(
        &mut self,
        data: R,
        segment: Segment,
        max_bytes: usize,
    ) -> Result<(), ImageError> {
        const VERSION_POINTER_COUNT_TABLE: [u8; 4] = [1, 0x1b, 0x03, 0x3b];
        if segment.file_size > max_bytes as u64 {
            return Err(ImageError::TooLarge);
        }
        let Ok(bytes) = data.read_bytes_at(segment.file_offset, segment.file_size) else {
            return Ok(());
        };
        let Some((head, rest)) = bytes.split_first_chunk::<4>() else {
            return Ok(());
        };
        let Some((pointer, rest)) = rest.split_first_chunk::<4>() else {
            return Ok(());
        };
        let Some((count, table)) = rest.split_first_chunk::<4>() else {
            return Ok(());
        };
        if *head != VERSION_POINTER_COUNT_TABLE {
            return Ok(());
        }
        let relative = |bytes: &[u8]| {
            let bytes = bytes.first_chunk::<4>().copied().unwrap_or_default();
            segment
                .address
                .wrapping_add_signed(i64::from(i32::from_le_bytes(bytes)))
        };
        if self.frames.is_empty() {
            self.read_frames_after(data, relative(pointer).wrapping_add(4), max_bytes)?;
        }
        let count = u32::from_le_bytes(*count) as usize;
        self.index = table
            .chunks_exact(8)
            .take(count)
            .map(|entry| (relative(&entry[..4]), relative(&entry[4..])))
            .collect();
        if !self.index.is_sorted() {
            self.index.sort_unstable();
        }
        Ok(())
    }

    /// Without section headers: the frame section begins at `address` and ends with its segment.
    fn read_frames_after<'data, R: ReadRef<'data>>(
        &mut self,
        data: R,
        address: u64,
        max_bytes: usize,
    ) -> Result<(), ImageError> {
        let header = FileHeader64::<LittleEndian>::parse(data).map_err(not_elf)?;
        for program in header.program_headers(LE, data).map_err(not_elf)? {
            let into = address.wrapping_sub(program.p_vaddr(LE));
            if program.p_type(LE) != PT_LOAD || into >= program.p_filesz(LE) {
                continue;
            }
            let size = program.p_filesz(LE) - into;
            if size > max_bytes as u64 {
                return Err(ImageError::TooLarge);
            }
            let offset = program.p_offset(LE).wrapping_add(into);
            if let Ok(bytes) = data.read_bytes_at(offset, size) {
                self.frames.push(FrameSection {
                    address,
                    data: bytes.to_vec(),
                });
            }
            break;
        }
        Ok(())
    }

    /// The file's own address of a byte at `file_offset`, if that byte is code.
    pub(super) fn address_of_offset(&self, file_offset: u64) -> Option<u64> {
        const PAGE: u64 = 4096;
        let segment = self.segments.iter().find(|segment| {
            let first = segment.file_offset & !(PAGE - 1);
            let end = segment.file_offset.saturating_add(segment.file_size);
            (first..end.saturating_add(PAGE - 1) & !(PAGE - 1)).contains(&file_offset)
        })?;
        Some(
            segment
                .address
                .wrapping_add(file_offset.wrapping_sub(segment.file_offset)),
        )
    }

    /// Where the frame description that may cover `address` is: section number and offset.
    pub(super) fn frame_description(&self, address: u64) -> Option<(usize, usize)> {
        let after = self.index.partition_point(|entry| entry.0 <= address);
        let (_, at) = *self.index.get(after.checked_sub(1)?)?;
        self.frames
            .iter()
            .enumerate()
            .find_map(|(number, section)| {
                let offset = usize::try_from(at.checked_sub(section.address)?).ok()?;
                (offset < section.data.len()).then_some((number, offset))
            })
    }

    /// Whether `address` is in the first instructions of the program.
    pub(super) fn is_entry(&self, address: u64) -> bool {
        self.entry != 0 && address.wrapping_sub(self.entry) < ENTRY_BYTES
    }

    /// Remembers a rule.
    pub(super) fn remember(&mut self, address: u64, rule: Rule) {
        if self.rules.len() >= MAX_RULES {
            self.rules.clear();
        }
        self.rules.insert(address, rule);
    }

    /// The way out of code without call frame information, if it was found before.
    pub(super) fn way_out(&self, address: u64) -> Option<&Option<WayOut>> {
        self.ways_out.get(&address)
    }

    /// Remembers a way out, or that there is none.
    pub(super) fn remember_way_out(&mut self, address: u64, way: Option<WayOut>) {
        if self.ways_out.len() >= MAX_WAYS_OUT {
            self.ways_out.clear();
        }
        self.ways_out.insert(address, way);
    }

    /// Bytes held, without the rules.
    pub(super) fn size_bytes(&self) -> usize {
        let frames: usize = self.frames.iter().map(|section| section.data.len()).sum();
        let go = self.go.as_ref().map_or(0, GoTable::size_bytes);
        let text: usize = self.text.iter().map(|(_, bytes)| bytes.len()).sum();
        frames + go + text + self.index.len() * size_of::<(u64, u64)>()
    }
}

/// Reads Go's table of functions; `None` if it is too large, too.
fn go_table<'data, R: ReadRef<'data>>(
    data: R,
    header: &FileHeader64<LittleEndian>,
    max_bytes: usize,
) -> Option<GoTable> {
    let sections = header.sections(LE, data).ok()?;
    let find = |name: &[u8]| {
        sections
            .section_by_name(LE, name)
            .map(|(_, section)| section)
    };
    let read = |name: &[u8], limit| {
        let (offset, size) = find(name)?.file_range(LE)?;
        let is_small = size <= limit;
        let bytes = data.read_bytes_at(offset, is_small.then_some(size)?);
        bytes.ok().map(<[u8]>::to_vec)
    };
    let (text, entry) = (find(b".text")?.sh_addr(LE), header.e_entry.get(LE));
    GoTable::new(GoSections::read((text, entry), max_bytes as u64, read)?)
}

fn not_elf(_: object::Error) -> ImageError {
    ImageError::NotElf
}

/// Takes from notes what is kept of them.
fn read_notes(image: &mut Image, notes: &mut NoteIterator<'_, FileHeader64<LittleEndian>>) {
    while let Ok(Some(note)) = notes.next() {
        match (note.name(), note.n_type(LE)) {
            (b"GNU", NT_GNU_BUILD_ID) => {
                image.build_id.get_or_insert_with(|| note.desc().to_vec());
            }
            (b"Go", NT_GO_BUILD_ID) => image.is_go = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of nothing but executable segments of these sizes.
    fn file(sizes: &[u64]) -> Vec<u8> {
        let word = u64::to_le_bytes;
        let short = |values: [u16; 6]| values.map(u16::to_le_bytes).concat();
        let count = u16::try_from(sizes.len()).unwrap();
        let mut file = [
            // The kind of file, a program of this processor, version.
            vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0],
            vec![0; 8],
            short([2, EM_X86_64, 1, 0, 0, 0])[..8].to_vec(),
            // The entry, where the program headers are, no section headers, no flags.
            [0, 64, 0].map(word).concat(),
            vec![0; 4],
            short([64, 56, count, 64, 0, 0]),
        ]
        .concat();
        for size in sizes {
            file.extend([PT_LOAD, PF_X].map(u32::to_le_bytes).concat());
            let values = [0, 0x1000, 0x1000, *size, *size, 0x1000];
            file.extend(values.map(word).concat());
        }
        file
    }

    #[test]
    fn code_of_impossible_sizes_is_not_kept() {
        let kept = |sizes: &[u64]| {
            let file = file(sizes);
            let image = Image::read(file.as_slice(), usize::MAX).unwrap();
            image
                .text
                .iter()
                .map(|(_, bytes)| bytes.len())
                .sum::<usize>()
        };
        assert_eq!(kept(&[64]), 64_usize);
        assert_eq!(kept(&[64, 1 << 63, 1 << 63]), 0);
        assert_eq!(kept(&[64, u64::MAX]), 0);
    }
}
