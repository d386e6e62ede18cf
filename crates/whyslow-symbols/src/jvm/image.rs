//! `libjvm.so`: where it exports the description of its structures.

use std::path::Path;

use object::elf;

use crate::elf::ElfImage;
use crate::exported::{Loaded, is_x86_64, symbols};
use crate::file_bytes::FileBytes;

const STRUCTS: &[u8] = b"gHotSpotVMStructs";
const TYPES: &[u8] = b"gHotSpotVMTypes";

/// A Java virtual machine, as its file describes it. Addresses are those of the file.
#[derive(Debug, Clone)]
pub struct JvmImage {
    /// Where the pointer to the table of fields is.
    pub(super) structs: u64,
    /// Where the pointer to the table of types is.
    pub(super) types: u64,
    loaded: Loaded,
}

impl JvmImage {
    /// Reads the file at `path`; `None`: it is not a HotSpot virtual machine for x86-64, or cannot be
    /// read.
    pub fn read(path: &Path) -> Option<Self> {
        let image = ElfImage::new(FileBytes::open(path).ok()?).ok()?;
        is_x86_64(&image).then(|| Self::of(&image)).flatten()
    }

    fn of(image: &ElfImage) -> Option<Self> {
        let (mut structs, mut types) = (None, None);
        symbols(image, elf::SHT_DYNSYM, |symbol| {
            if symbol.is(STRUCTS) {
                structs = Some(symbol.address);
            } else if symbol.is(TYPES) {
                types = Some(symbol.address);
            }
        });
        Some(Self {
            structs: structs?,
            types: types?,
            loaded: Loaded::of(image),
        })
    }

    /// Returns the bias to add to the file's addresses in a process that maps the file from
    /// `file_offset` on at `start`.
    pub fn bias(&self, start: u64, file_offset: u64) -> Option<u64> {
        self.loaded.bias(start, file_offset)
    }

    #[cfg(test)]
    pub(super) fn at(structs: u64, types: u64) -> Self {
        Self {
            structs,
            types,
            loaded: Loaded::default(),
        }
    }
}
