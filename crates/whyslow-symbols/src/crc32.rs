//! The checksum of `.gnu_debuglink` (CRC-32 as in zlib, IEEE 802.3), eight bytes at a step.

use crate::file_bytes::FileBytes;

const TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 256 {
        let mut crc = i as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
            bit += 1;
        }
        tables[0][i] = crc;
        i += 1;
    }
    let mut i = 0;
    while i < 256 {
        let mut t = 1;
        while t < 8 {
            let last = tables[t - 1][i];
            tables[t][i] = (last >> 8) ^ tables[0][(last & 0xff) as usize];
            t += 1;
        }
        i += 1;
    }
    tables
}

fn update(mut crc: u32, bytes: &[u8]) -> u32 {
    let (eights, rest) = bytes.as_chunks::<8>();
    for &[a, b, c, d, e, f, g, h] in eights {
        let low = crc ^ u32::from_le_bytes([a, b, c, d]);
        let [a, b, c, d] = low.to_le_bytes();
        crc = [a, b, c, d, e, f, g, h]
            .iter()
            .zip(TABLES.iter().rev())
            .fold(0, |crc, (&byte, table)| crc ^ table[usize::from(byte)]);
    }
    for &byte in rest {
        let [low, ..] = crc.to_le_bytes();
        crc = (crc >> 8) ^ TABLES[0][usize::from(low ^ byte)];
    }
    crc
}

/// Checksum of a whole file; `None` when reading fails.
pub(crate) fn crc32(file: &FileBytes) -> Option<u32> {
    let mut crc = !0;
    let mut offset = 0;
    let mut block = vec![0; 256 << 10];
    while offset < file.len_bytes() {
        let rest = usize::try_from(file.len_bytes() - offset).unwrap_or(usize::MAX);
        let (part, _) = block.split_at_mut(rest.min(256 << 10));
        file.read_exact_at(offset, part).ok()?;
        crc = update(crc, part);
        offset += part.len() as u64;
    }
    Some(!crc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        let of = |text: &[u8]| crc32(&FileBytes::from_memory(text.to_vec()));
        assert_eq!(of(b"123456789"), Some(0xcbf4_3926));
        assert_eq!(of(b""), Some(0));
        assert_eq!(
            of(b"The quick brown fox jumps over the lazy dog"),
            Some(0x414f_a339)
        );
    }
}
