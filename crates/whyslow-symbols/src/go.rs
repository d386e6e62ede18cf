//! What the file of a Go program says about the runtime in it.

use std::ops::Range;
use std::path::Path;

use object::elf;

use crate::elf::ElfImage;
use crate::elf_module::go_table;
use crate::exported::{Loaded, bytes_at, is_x86_64};
use crate::file_bytes::FileBytes;

/// First bytes of section `.go.buildinfo`, and the bit that says that the version follows in it (since Go 1.18).
const MAGIC: &[u8] = b"\xff Go buildinf:";
const IS_INLINE: u8 = 2;
/// Where the version is: its length in one byte, and its letters.
const VERSION: usize = 32;
/// Most bytes of that section that are read.
const MOST_INFO_BYTES: u64 = 1 << 20;
/// The function that adds a goroutine to the list of all.
const ADDS_TO_LIST: &[u8] = b"runtime.allgadd";
/// Larger functions, and more places in them, are not believed.
const MOST_CODE_BYTES: u64 = 4096;
const MOST_PLACES: usize = 64;

/// A Go program, as its file describes it. Addresses are those of the file.
#[derive(Debug, Clone)]
pub struct GoImage {
    minor: u32,
    list_places: Vec<u64>,
    loaded: Loaded,
}

impl GoImage {
    /// Reads the file at `path`; `None`: it is not a Go program for x86-64, is older than Go 1.18, or cannot
    /// be read.
    pub fn read(path: &Path) -> Option<Self> {
        let image = ElfImage::new(FileBytes::open(path).ok()?).ok()?;
        is_x86_64(&image).then(|| Self::of(&image)).flatten()
    }

    fn of(image: &ElfImage) -> Option<Self> {
        let info = image.section(b".go.buildinfo")?;
        let minor = minor_of(&image.section_bytes(info, MOST_INFO_BYTES).ok()?)?;
        let code = go_table(image)?.function_named(ADDS_TO_LIST)?;
        let size = code.end.checked_sub(code.start)?;
        let bytes = bytes_at(image, code.start, size.min(MOST_CODE_BYTES))?;
        Some(Self {
            minor,
            list_places: list_places(image, code, &bytes),
            loaded: Loaded::of(image),
        })
    }

    /// Returns the second number of the version of Go.
    pub fn minor(&self) -> u32 {
        self.minor
    }

    /// Returns where `runtime.allgs`, the list of all goroutines, may be: stripped programs do not say which
    /// of these it is.
    pub fn list_places(&self) -> &[u64] {
        &self.list_places
    }

    /// Returns the bias to add to the file's addresses in a process that maps the file from
    /// `file_offset` on at `start`.
    pub fn bias(&self, start: u64, file_offset: u64) -> Option<u64> {
        self.loaded.bias(start, file_offset)
    }

    /// Returns a program whose list is at one of `places`; for tests.
    #[doc(hidden)]
    pub fn with_places(minor: u32, places: &[u64]) -> Self {
        Self {
            minor,
            list_places: places.to_vec(),
            loaded: Loaded::default(),
        }
    }
}

/// The second number of a version such as `go1.21.3`.
fn minor_of(info: &[u8]) -> Option<u32> {
    let head = info.strip_prefix(MAGIC)?;
    // The size of pointers, and the flags.
    let &[8, flags] = head.first_chunk()? else {
        return None;
    };
    if flags & IS_INLINE == 0 {
        return None;
    }
    let (&length, letters) = info.get(VERSION..)?.split_first()?;
    let text = std::str::from_utf8(letters.get(..usize::from(length))?).ok()?;
    // Builds of Go's own developers: `devel go1.27-…`.
    let (_, version) = text.split_once("go1.")?;
    let end = version.find(|letter: char| !letter.is_ascii_digit());
    version.get(..end.unwrap_or(version.len()))?.parse().ok()
}

/// Addresses of writable data that the instructions refer to relative to themselves.
///
/// An operand may begin anywhere, and one of one or four bytes may follow it; so some of these are not
/// real.
fn list_places(image: &ElfImage, code: Range<u64>, bytes: &[u8]) -> Vec<u64> {
    let data: Vec<Range<u64>> = image.sections.iter().filter_map(writable).collect();
    let mut found = Vec::new();
    for (at, operand) in bytes.windows(4).enumerate() {
        let distance = operand
            .first_chunk()
            .map_or(0, |bytes| i32::from_le_bytes(*bytes));
        let after = code.start.wrapping_add(at as u64 + 4);
        for behind in [0, 1, 4] {
            let address = after
                .wrapping_add(behind)
                .wrapping_add_signed(distance.into());
            let is_data = data.iter().any(|range| range.contains(&address));
            if is_data && address.is_multiple_of(8) && !found.contains(&address) {
                found.push(address);
            }
        }
        if found.len() >= MOST_PLACES {
            break;
        }
    }
    found
}

/// Where a section is loaded, if its data can be written.
fn writable(section: &crate::elf::Section) -> Option<Range<u64>> {
    let wanted = u64::from(elf::SHF_ALLOC | elf::SHF_WRITE);
    (section.flags & wanted == wanted).then(|| section.address..section.end())
}

#[cfg(test)]
mod tests {
    use super::{MAGIC, minor_of};

    fn info(flags: u8, version: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([8, flags]);
        bytes.resize(32, 0);
        bytes.push(u8::try_from(version.len()).unwrap());
        bytes.extend(version);
        bytes
    }

    #[test]
    fn versions_are_read() {
        assert_eq!(minor_of(&info(2, b"go1.21.13")), Some(21));
        assert_eq!(minor_of(&info(2, b"go1.18")), Some(18));
        assert_eq!(minor_of(&info(2, b"go1.26rc1 X:none")), Some(26));
        assert_eq!(minor_of(&info(2, b"devel go1.27-0123abc")), Some(27));
        assert_eq!(
            minor_of(&info(0, b"go1.21")),
            None,
            "older: a pointer to it"
        );
        assert_eq!(minor_of(&info(2, b"something")), None);
        let whole = info(2, b"go1.21");
        for end in 0..whole.len() {
            assert_eq!(minor_of(&whole[..end]), None);
        }
    }
}
