//! Build ids of files, for mappings that were there before the recording.
//!
//! The kernel puts build ids into the mappings it reports; for earlier mappings we read the note
//! `NT_GNU_BUILD_ID` ourselves, from the program headers' note segments (ELF
//! specification; `elf.h`). Files are read once each, known by device and inode.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Most bytes of notes read per segment; a build id is within the first few dozen.
const MAX_NOTE_BYTES: usize = 4096;
const PT_NOTE: u32 = 4;
const NT_GNU_BUILD_ID: u32 = 3;

/// Build ids by device and inode.
#[derive(Debug, Default)]
pub struct BuildIds {
    known: HashMap<(u32, u32, u64), Option<Vec<u8>>>,
}

impl BuildIds {
    /// The build id of the file `(major, minor, inode)`, which can be read at one of `places`.
    pub fn of(
        &mut self,
        file: (u32, u32, u64),
        places: impl Iterator<Item = impl AsRef<Path>>,
    ) -> Option<&[u8]> {
        let entry = self.known.entry(file);
        entry
            .or_insert_with(|| places.into_iter().find_map(read))
            .as_deref()
    }
}

/// The build id of one file.
pub fn read(path: impl AsRef<Path>) -> Option<Vec<u8>> {
    let metadata = std::fs::metadata(path.as_ref()).ok()?;
    // A device or a pipe could block us.
    if !metadata.is_file() {
        return None;
    }
    in_image(&File::open(path).ok()?, 0)
}

/// The build id of the vdso, which every process of this machine has in its memory.
pub fn of_vdso() -> Option<Vec<u8>> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| line.ends_with("[vdso]"))?;
    let start = u64::from_str_radix(line.split('-').next()?, 16).ok()?;
    in_image(&File::open("/proc/self/mem").ok()?, start)
}

/// The build id of the ELF image that starts at `base` in `file`.
fn in_image(file: &File, base: u64) -> Option<Vec<u8>> {
    let mut header = [0; 64];
    file.read_exact_at(&mut header, base).ok()?;
    if header.get(..4) != Some(b"\x7fELF") || header[5] != native_encoding() {
        return None;
    }
    let is_64_bit = header[4] == 2;
    let (table, entry_bytes, count) = if is_64_bit {
        (
            u64_at(&header, 32)?,
            u16_at(&header, 54)?,
            u16_at(&header, 56)?,
        )
    } else {
        (
            u64::from(u32_at(&header, 28)?),
            u16_at(&header, 42)?,
            u16_at(&header, 44)?,
        )
    };
    let wanted = if is_64_bit { 56 } else { 32 };
    if usize::from(entry_bytes) < wanted || count > 256 {
        return None;
    }
    let mut table_bytes = vec![0; usize::from(entry_bytes) * usize::from(count)];
    file.read_exact_at(&mut table_bytes, base.checked_add(table)?)
        .ok()?;
    table_bytes
        .chunks_exact(usize::from(entry_bytes))
        .find_map(|entry| {
            if u32_at(entry, 0)? != PT_NOTE {
                return None;
            }
            let (offset, size) = if is_64_bit {
                (u64_at(entry, 8)?, u64_at(entry, 32)?)
            } else {
                (u64::from(u32_at(entry, 4)?), u64::from(u32_at(entry, 16)?))
            };
            let mut notes = vec![0; usize::try_from(size).ok()?.min(MAX_NOTE_BYTES)];
            file.read_exact_at(&mut notes, base.checked_add(offset)?)
                .ok()?;
            in_notes(&notes)
        })
}

/// The build id in a run of notes, such as `/sys/kernel/notes`.
pub fn in_notes(mut notes: &[u8]) -> Option<Vec<u8>> {
    loop {
        let name_bytes = usize::try_from(u32_at(notes, 0)?).ok()?;
        let id_bytes = usize::try_from(u32_at(notes, 4)?).ok()?;
        let kind = u32_at(notes, 8)?;
        let name = notes.get(12..)?.get(..name_bytes)?;
        let body = notes.get(12 + name_bytes.next_multiple_of(4)..)?;
        let id = body.get(..id_bytes)?;
        if kind == NT_GNU_BUILD_ID && name == b"GNU\0" && (1..=20).contains(&id_bytes) {
            return Some(id.to_vec());
        }
        notes = body.get(id_bytes.next_multiple_of(4)..)?;
    }
}

fn native_encoding() -> u8 {
    if cfg!(target_endian = "big") { 2 } else { 1 }
}

fn u16_at(bytes: &[u8], offset: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(*bytes.get(offset..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(*bytes.get(offset..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(*bytes.get(offset..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::{in_notes, read};

    fn note(kind: u32, name: &[u8], body: &[u8]) -> Vec<u8> {
        let mut note = Vec::new();
        for word in [name.len(), body.len(), kind as usize] {
            note.extend_from_slice(&u32::try_from(word).unwrap().to_ne_bytes());
        }
        note.extend_from_slice(name);
        note.resize(note.len().next_multiple_of(4), 0);
        note.extend_from_slice(body);
        note.resize(note.len().next_multiple_of(4), 0);
        note
    }

    #[test]
    fn build_id_stands_behind_other_notes() {
        let mut notes = note(1, b"GNU\0", &[0; 16]);
        notes.extend(note(3, b"Xen\0", &[9; 20]));
        notes.extend(note(3, b"GNU\0", &[7; 20]));
        assert_eq!(in_notes(&notes), Some(vec![7; 20]));
        assert_eq!(in_notes(&notes[..60]), None);
        assert_eq!(in_notes(&[0xff; 40]), None);
    }

    #[test]
    fn build_id_of_a_file_that_is_no_program() {
        assert_eq!(read("/proc/self/status"), None);
        assert_eq!(read("/dev/zero"), None);
        assert_eq!(read("/does/not/exist"), None);
    }
}
