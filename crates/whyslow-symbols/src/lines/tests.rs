use miniz_oxide::deflate::compress_to_vec_zlib;
use object::{Endianness, elf};

use super::DebugSections;
use crate::Reason;
use crate::elf::{ElfImage, Section};
use crate::file_bytes::FileBytes;

const UNPACKED: usize = 100_000;

/// A file with these sections, each with its flags and bytes.
fn image(parts: &[(&[u8], u32, &[u8])]) -> ElfImage {
    let mut bytes = Vec::new();
    let mut sections = Vec::new();
    for &(name, flags, part) in parts {
        sections.push(Section {
            name: name.into(),
            kind: elf::SHT_PROGBITS,
            flags: u64::from(flags),
            address: 0,
            offset: bytes.len() as u64,
            size: part.len() as u64,
            link: 0,
            entry_size: 0,
        });
        bytes.extend(part);
    }
    ElfImage {
        section_table: (0, 0),
        bytes: FileBytes::from_memory(bytes),
        is_64: true,
        endian: Endianness::Little,
        machine: elf::EM_X86_64,
        entry: 0,
        segments: Vec::new(),
        sections,
        build_id: None,
    }
}

/// A section of zeros behind an `Elf64_Chdr`.
fn packed() -> Vec<u8> {
    let mut bytes = elf::ELFCOMPRESS_ZLIB.to_le_bytes().to_vec();
    bytes.extend([0; 4]);
    bytes.extend((UNPACKED as u64).to_le_bytes());
    bytes.extend(1_u64.to_le_bytes());
    bytes.extend(compress_to_vec_zlib(&[0; UNPACKED], 6));
    bytes
}

fn is_read(image: &ElfImage, limit: usize) -> Result<bool, Reason> {
    DebugSections::read_small(image, limit as u64).map(|sections| sections.is_some())
}

#[test]
fn little_debug_information_is_little_when_unpacked() {
    let packed = packed();
    assert!(packed.len() < UNPACKED / 100);
    let info: (&[u8], _, &[u8]) = (b".debug_info", elf::SHF_COMPRESSED, &packed);
    let one = image(&[info]);
    assert_eq!(is_read(&one, UNPACKED), Ok(true));
    assert_eq!(is_read(&one, UNPACKED - 1), Ok(false));
    let two = image(&[info, (b".debug_str", elf::SHF_COMPRESSED, &packed)]);
    assert_eq!(is_read(&two, 2 * UNPACKED), Ok(true));
    assert_eq!(is_read(&two, 2 * UNPACKED - 1), Ok(false), "their sum");
    let mut old = b"ZLIB".to_vec();
    old.extend((UNPACKED as u64).to_be_bytes());
    old.extend(&packed[24..]);
    let old = image(&[(b".zdebug_info", 0, &old)]);
    assert_eq!(is_read(&old, UNPACKED), Ok(true));
    assert_eq!(is_read(&old, UNPACKED - 1), Ok(false));
    // Where variables live is not read.
    let bare = image(&[
        (b".debug_info", 0, &[0; 100]),
        (b".debug_loc", 0, &[0; 100]),
    ]);
    assert_eq!(is_read(&bare, 100), Ok(true));
    assert_eq!(is_read(&bare, 99), Ok(false));
}

#[test]
fn what_is_no_little_debug_information_is_told_apart() {
    assert_eq!(is_read(&image(&[]), UNPACKED), Ok(false));
    let shared = image(&[
        (b".debug_info", 0, &[0; 100]),
        (b".gnu_debugaltlink", 0, b"common\0id"),
    ]);
    assert_eq!(is_read(&shared, UNPACKED), Ok(false));
    let damaged = image(&[(b".debug_info", elf::SHF_COMPRESSED, &[0; 100])]);
    assert_eq!(is_read(&damaged, UNPACKED), Err(Reason::BadElf));
}
