//! The small symbol table that some distributions pack into stripped files.
//!
//! Section `.gnu_debugdata` is an ELF file, compressed by xz, whose `.symtab` has the functions
//! that are not exported (source: GDB manual, "MiniDebugInfo"; Fedora, RHEL and others ship it).

use std::io::{Cursor, Read as _};
use std::num::NonZeroUsize;

use xz4rust::{XzDecoder, XzReader};

use crate::elf::ElfImage;
use crate::file_bytes::FileBytes;

const MAX_PACKED_BYTES: u64 = 32 << 20;
const MAX_UNPACKED_BYTES: u64 = 128 << 20;
const MAX_DICTIONARY_BYTES: usize = 64 << 20;
const BUFFER_BYTES: NonZeroUsize = NonZeroUsize::new(64 << 10).unwrap();

/// The packed file of `image`; `None` when there is none, or a damaged one.
pub(crate) fn mini_debug_image(image: &ElfImage) -> Option<ElfImage> {
    let section = image.section(b".gnu_debugdata")?;
    let packed = image.section_bytes(section, MAX_PACKED_BYTES).ok()?;
    let decoder = XzDecoder::in_heap_with_alloc_dict_size(1 << 16, MAX_DICTIONARY_BYTES);
    let reader =
        XzReader::new_with_buffer_size_and_decoder(Cursor::new(packed), BUFFER_BYTES, decoder);
    let mut bytes = Vec::new();
    reader
        .take(MAX_UNPACKED_BYTES)
        .read_to_end(&mut bytes)
        .ok()?;
    ElfImage::new(FileBytes::from_memory(bytes)).ok()
}
