//! The checksum of `.gnu_debuglink` (CRC-32 as in zlib, IEEE 802.3).

use crate::file_bytes::FileBytes;

/// Checksum of a whole file; `None` when reading fails.
pub(crate) fn crc32(file: &FileBytes) -> Option<u32> {
    let mut checksum = crc32fast::Hasher::new();
    let mut offset = 0;
    let mut block = vec![0; 256 << 10];
    while offset < file.len_bytes() {
        let rest = usize::try_from(file.len_bytes() - offset).unwrap_or(usize::MAX);
        let (part, _) = block.split_at_mut(rest.min(256 << 10));
        file.read_exact_at(offset, part).ok()?;
        checksum.update(part);
        offset += part.len() as u64;
    }
    Some(checksum.finalize())
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
