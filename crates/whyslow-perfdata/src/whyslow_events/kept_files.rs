//! Files that were executed and were gone, or replaced, when the recording ended.

use crate::endian::Endian;

/// Feature section: what names need of files that were gone at the end, as [`KeptFile`]s.
pub const FEATURE_KEPT_FILES: u16 = 242;

/// Bytes before the path of a file.
const HEAD_BYTES: usize = 24;
/// Bytes before those of a part.
const PART_HEAD_BYTES: usize = 16;

/// What is kept of a file: its headers and tables, without its code.
///
/// The section is one after another of these:
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | bytes of the path |
/// | 4 | 4 | bytes of the build id, 0: it has none |
/// | 8 | 8 | `length` |
/// | 16 | 4 | number of parts |
/// | 20 | 4 | 0 |
/// | 24 | … | the path, the build id, the parts: offset and size, 8 bytes each, and the bytes |
///
/// A file without parts had the same path as another one: what is at the path now is not what was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// The path, as the records of mappings have it.
    pub path: Vec<u8>,
    /// The build id; empty if it has none.
    pub build_id: Vec<u8>,
    /// Bytes of the whole file.
    pub length: u64,
    /// Parts by their offset in the file, in ascending order.
    pub parts: Vec<(u64, Vec<u8>)>,
}

impl KeptFile {
    /// Appends the file to a section.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let length = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_ne_bytes();
        out.extend_from_slice(&length(self.path.len()));
        out.extend_from_slice(&length(self.build_id.len()));
        out.extend_from_slice(&self.length.to_ne_bytes());
        out.extend_from_slice(&length(self.parts.len()));
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&self.path);
        out.extend_from_slice(&self.build_id);
        for (offset, bytes) in &self.parts {
            out.extend_from_slice(&offset.to_ne_bytes());
            out.extend_from_slice(&(bytes.len() as u64).to_ne_bytes());
            out.extend_from_slice(bytes);
        }
    }

    /// Reads a section, up to where it is damaged.
    pub fn decode_all(mut section: &[u8], endian: Endian) -> Vec<Self> {
        let mut all = Vec::new();
        while let Some((file, rest)) = Self::decode(section, endian) {
            all.push(file);
            section = rest;
        }
        all
    }

    fn decode(bytes: &[u8], endian: Endian) -> Option<(Self, &[u8])> {
        let size = |at| usize::try_from(endian.u32(bytes, at)?).ok();
        let length = endian.u64(bytes, 8)?;
        let (path, rest) = bytes.get(HEAD_BYTES..)?.split_at_checked(size(0)?)?;
        let (build_id, mut rest) = rest.split_at_checked(size(4)?)?;
        let mut parts = Vec::new();
        let mut end = 0;
        for _ in 0..size(16)? {
            let (offset, size) = (endian.u64(rest, 0)?, endian.u64(rest, 8)?);
            let body = rest.get(PART_HEAD_BYTES..)?;
            let (part, behind) = body.split_at_checked(usize::try_from(size).ok()?)?;
            if offset < end {
                return None;
            }
            end = offset.checked_add(size).filter(|end| *end <= length)?;
            parts.push((offset, part.to_vec()));
            rest = behind;
        }
        let file = Self {
            path: path.to_vec(),
            build_id: build_id.to_vec(),
            length,
            parts,
        };
        Some((file, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::KeptFile;
    use crate::endian::Endian;

    fn native() -> Endian {
        if cfg!(target_endian = "big") {
            Endian::Big
        } else {
            Endian::Little
        }
    }

    fn file(path: &str, parts: &[(u64, &[u8])]) -> KeptFile {
        KeptFile {
            path: path.into(),
            build_id: vec![7; 3],
            length: 100,
            parts: parts
                .iter()
                .map(|(at, part)| (*at, part.to_vec()))
                .collect(),
        }
    }

    #[test]
    fn a_section_is_read_back_up_to_its_damage() {
        let files = [
            file("/tmp/a", &[(0, b"head"), (90, b"tail")]),
            file("/b", &[]),
        ];
        let mut bytes = Vec::new();
        files.iter().for_each(|file| file.encode(&mut bytes));
        assert_eq!(KeptFile::decode_all(&bytes, native()), files);
        for end in 0..bytes.len() {
            let cut = KeptFile::decode_all(&bytes[..end], native());
            assert!(cut.len() < 2 && files.starts_with(&cut), "{end}");
        }
    }

    #[test]
    fn parts_that_overlap_or_leave_the_file_are_not_read() {
        for parts in [
            &[(4, &b"one"[..]), (5, b"two")],
            &[(4, b"one"), (98, b"two")],
            &[(4, b"one"), (u64::MAX, b"two")],
        ] {
            let mut bytes = Vec::new();
            file("/a", parts).encode(&mut bytes);
            assert_eq!(KeptFile::decode_all(&bytes, native()), []);
        }
    }
}
