//! Files that may be gone when names are looked up: the parts that names need, and where a recording keeps
//! them.
//!
//! These are headers, tables of symbols and strings, the stubs of calls to other files, Go's own tables,
//! and small debug information; not code and data.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use object::elf;

use crate::debug_file::FoundFile;
use crate::elf::{ElfImage, Section};
use crate::file_bytes::FileBytes;
use crate::{ModuleRef, Reason};

/// Most debug information that is kept of a file.
const MOST_DEBUG_BYTES: u64 = 24 << 20;
/// Headers at the beginning: of the file and of its segments.
const HEAD_BYTES: u64 = 4096;

/// A part of a file: its offset, and its bytes.
pub type FilePart = (u64, Vec<u8>);

/// What a recording has of a file that may be gone.
#[derive(Debug, Clone)]
pub struct KeptFile {
    /// The path, as the recording has it.
    pub path: PathBuf,
    /// The build id; `None`: it has none.
    pub build_id: Option<Vec<u8>>,
    /// Bytes of the whole file.
    pub length: u64,
    /// Parts by their offset in the file, in ascending order. None: the path now has another file.
    pub parts: Arc<[FilePart]>,
}

impl KeptFile {
    /// Returns whether it is the file of a module.
    fn is_of(&self, module: &ModuleRef<'_>) -> bool {
        let ids = (module.build_id, self.build_id.as_deref());
        match ids {
            (Some(wanted), Some(own)) => {
                let padding = wanted.strip_prefix(own);
                padding.is_some_and(|padding| padding.iter().all(|&byte| byte == 0))
            }
            (None, None) => self.path == module.path,
            _ => false,
        }
    }
}

/// The file of a module, if the recording has it: the file, or the fact that its path now has another
/// one.
pub(crate) fn find(kept: &[KeptFile], module: &ModuleRef<'_>) -> Option<Result<FoundFile, Reason>> {
    let file = kept.iter().find(|file| file.is_of(module))?;
    if file.parts.is_empty() {
        return Some(Err(Reason::FileReplaced));
    }
    let bytes = FileBytes::from_parts(Arc::clone(&file.parts), file.length);
    let found = ElfImage::new(bytes).map(|image| FoundFile {
        image,
        path: file.path.clone(),
    });
    Some(found)
}

/// The parts of a file that names need: its length, and parts by their offsets, at most `limit` bytes.
/// `None` if it is not a program or library, or needs more.
pub fn parts_for_names(file: File, limit: u64) -> Option<(u64, Vec<FilePart>)> {
    let image = ElfImage::new(FileBytes::of(file).ok()?).ok()?;
    let length = image.bytes.len_bytes();
    let mut ranges = vec![(0, HEAD_BYTES.min(length))];
    ranges.push(image.section_table);
    let debug = || image.sections.iter().filter(|section| is_debug(section));
    let debug_bytes = debug().fold(0_u64, |sum, section| sum.saturating_add(section.size));
    let is_small = debug_bytes <= MOST_DEBUG_BYTES;
    let wanted = image.sections.iter().filter(|section| {
        let for_names = is_table(section) || is_debug(section) && is_small;
        section.has_bytes() && for_names
    });
    ranges.extend(wanted.map(|section| (section.offset, section.size)));
    let ranges = merged(ranges, length);
    let all: u64 = ranges.iter().map(|(_, size)| size).sum();
    if all > limit {
        return None;
    }
    let parts = ranges.into_iter().map(|(offset, size)| {
        let bytes = image.bytes.read(offset, size, size).ok()?;
        Some((offset, bytes))
    });
    Some((length, parts.collect::<Option<_>>()?))
}

/// Returns whether a section holds debug information.
fn is_debug(section: &Section) -> bool {
    let names: [&[u8]; 2] = [b".debug_", b".zdebug_"];
    names.iter().any(|name| section.name.starts_with(name))
}

/// Returns whether names, build ids or the callees of stubs are in a section.
fn is_table(section: &Section) -> bool {
    const LOADED: [&[u8]; 5] = [
        b".plt",
        b".iplt",
        b".gopclntab",
        b".go.",
        b".data.rel.ro.go",
    ];
    let is_loaded = section.flags & u64::from(elf::SHF_ALLOC) != 0;
    let kinds = [
        elf::SHT_DYNSYM,
        elf::SHT_STRTAB,
        elf::SHT_NOTE,
        elf::SHT_RELA,
    ];
    kinds.contains(&section.kind)
        || !is_loaded && !is_debug(section)
        || LOADED.iter().any(|name| section.name.starts_with(name))
}

/// Ranges of a file (offset, size) in ascending order; those that touch become one.
fn merged(mut ranges: Vec<(u64, u64)>, length: u64) -> Vec<(u64, u64)> {
    ranges.retain(|&(offset, size)| {
        size > 0 && offset.checked_add(size).is_some_and(|end| end <= length)
    });
    ranges.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (offset, size) in ranges {
        match merged.last_mut() {
            Some((first, known)) if offset <= first.saturating_add(*known) => {
                let end = offset
                    .saturating_add(size)
                    .max(first.saturating_add(*known));
                *known = end - *first;
            }
            _ => merged.push((offset, size)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::merged;

    #[test]
    fn ranges_that_touch_become_one() {
        let ranges = vec![(50, 10), (0, 10), (10, 5), (12, 20), (90, 20), (70, 0)];
        assert_eq!(merged(ranges, 100), [(0, 32), (50, 10)]);
        assert_eq!(merged(vec![(u64::MAX, 2), (4, 4), (4, 1)], 100), [(4, 4)]);
    }
}
