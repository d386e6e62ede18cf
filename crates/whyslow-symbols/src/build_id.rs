//! The build id: the note by which a linked file, its copies and its debug file are recognized.
//!
//! Note type `NT_GNU_BUILD_ID` of owner `GNU`, usually a SHA-1 (source: `ld(1)`, `--build-id`).

use object::Endianness;
use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader as _, SectionHeader as _};

use crate::file_bytes::FileBytes;

const MAX_NOTE_BYTES: u64 = 64 << 10;
/// Build ids have 16 or 20 bytes; the kernel stores at most 20.
const MAX_BUILD_ID_BYTES: usize = 64;

/// Offset, size and alignment of everything that may hold the build id, likeliest first.
fn note_places<'n, E: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    sections: impl Iterator<Item = (&'n [u8], &'n E::SectionHeader)> + Clone,
    segments: &[E::ProgramHeader],
) -> Vec<(u64, u64, E::Word)>
where
    E::SectionHeader: 'n,
{
    let notes = sections.filter(|(_, raw)| raw.sh_type(endian) == elf::SHT_NOTE);
    let named = notes.clone();
    let mut places: Vec<_> = named
        .filter(|(name, _)| *name == b".note.gnu.build-id")
        .chain(notes.take(64))
        .map(|(_, s)| {
            let (offset, size) = (s.sh_offset(endian).into(), s.sh_size(endian).into());
            (offset, size, s.sh_addralign(endian))
        })
        .collect();
    let segments = segments
        .iter()
        .filter(|s| s.p_type(endian) == elf::PT_NOTE)
        .take(64);
    places.extend(segments.map(|s| {
        let (offset, size) = (s.p_offset(endian).into(), s.p_filesz(endian).into());
        (offset, size, s.p_align(endian))
    }));
    places
}

/// Reads the build id from the notes of a file, whose sections come with their names.
pub(crate) fn find_build_id<'n, E: FileHeader<Endian = Endianness>>(
    (bytes, endian): (&FileBytes, Endianness),
    sections: impl Iterator<Item = (&'n [u8], &'n E::SectionHeader)> + Clone,
    segments: &[E::ProgramHeader],
) -> Option<Vec<u8>>
where
    E::SectionHeader: 'n,
{
    for (offset, size, align) in note_places::<E>(endian, sections, segments) {
        let Ok(data) = bytes.read(offset, size, MAX_NOTE_BYTES) else {
            continue;
        };
        if let Some(id) = build_id_in_notes::<E>(endian, align, &data) {
            return Some(id);
        }
    }
    None
}

fn build_id_in_notes<E: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    align: E::Word,
    data: &[u8],
) -> Option<Vec<u8>> {
    let mut notes = object::read::elf::NoteIterator::<E>::new(endian, align, data).ok()?;
    while let Ok(Some(note)) = notes.next() {
        let id = note.desc();
        if note.name() == elf::ELF_NOTE_GNU
            && note.n_type(endian) == elf::NT_GNU_BUILD_ID
            && (1..=MAX_BUILD_ID_BYTES).contains(&id.len())
        {
            return Some(id.to_vec());
        }
    }
    None
}

/// Build id in notes of this machine's own class and byte order, such as `/sys/kernel/notes`.
pub(crate) fn build_id_in_native_notes(data: &[u8]) -> Option<Vec<u8>> {
    build_id_in_notes::<FileHeader64<Endianness>>(Endianness::default(), 4, data)
}
