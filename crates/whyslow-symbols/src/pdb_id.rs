//! The two keys by which a symbol server files what belongs to a Windows module.
//!
//! | key | of | written as |
//! |---|---|---|
//! | [`PdbId`] | the PDB: GUID and age of its first linking | `GUID` as 32 capital digits, then the age in hexadecimal |
//! | [`ImageId`] | the image: time stamp and size of its header | time stamp as 8 capital digits, then the size in hexadecimal |
//!
//! Source: "`SymStore` and `SymSrv`" in the documentation of the Debugging Tools for Windows, and
//! the `RSDS` record of the PE format's debug directory. All numbers are hexadecimal, without
//! separators.

use std::fmt;

/// Longest path of a PDB taken from an `RSDS` record, in bytes.
const MAX_PATH_BYTES: usize = 32 << 10;

/// Which PDB belongs to an image: the GUID of both, and how often the PDB had been rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PdbId {
    /// The GUID, its first three fields as the integers they are.
    pub guid: u128,
    /// The age that the image names.
    pub age: u32,
}

impl PdbId {
    /// Returns the id of a PDB whose GUID has these bytes in memory.
    pub fn new(guid: [u8; 16], age: u32) -> Self {
        let [a, b, c, d, e, f, g, h, rest @ ..] = guid;
        let [i, j, k, l, m, n, o, p] = rest;
        Self {
            guid: u128::from_be_bytes([d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p]),
            age,
        }
    }

    /// Reads an id as [`fmt::Display`] writes it, in either case, also with the dashes and braces
    /// of a GUID; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let is_mark = |c: &char| matches!(c, '-' | '{' | '}');
        let digits: String = text.chars().filter(|c| !is_mark(c)).take(41).collect();
        let (guid, age) = digits.split_at_checked(32)?;
        let hex = |text: &str| text.bytes().all(|b| b.is_ascii_hexdigit());
        if !hex(guid) || !hex(age) {
            return None;
        }
        Some(Self {
            guid: u128::from_str_radix(guid, 16).ok()?,
            age: u32::from_str_radix(age, 16).ok()?,
        })
    }

    /// Reads an `RSDS` record (`RSDS`, GUID, age, path, zero): the id, and the PDB's path as the
    /// linker wrote it. `None` when it is none.
    pub fn of_rsds(record: &[u8]) -> Option<(Self, &[u8])> {
        let rest = record.strip_prefix(b"RSDS")?;
        let (guid, rest) = rest.split_first_chunk::<16>()?;
        let (age, path) = rest.split_first_chunk::<4>()?;
        let path = path.get(..MAX_PATH_BYTES).unwrap_or(path);
        let path = path.split(|&byte| byte == 0).next().unwrap_or(path);
        Some((Self::new(*guid, u32::from_le_bytes(*age)), path))
    }
}

impl fmt::Display for PdbId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032X}{:x}", self.guid, self.age)
    }
}

/// Which build of an image it is, by its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImageId {
    /// `TimeDateStamp`: seconds since 1970, or a hash where the build is reproducible.
    pub time_stamp: u32,
    /// `SizeOfImage`, in bytes.
    pub size: u32,
}

impl fmt::Display for ImageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08X}{:x}", self.time_stamp, self.size)
    }
}

/// Last part of a Windows or Unix path.
pub(crate) fn last_part(path: &str) -> &str {
    path.rsplit(['\\', '/']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_as_the_symbol_server_writes_it() {
        let record = b"RSDS\x20\xbb\x44\x38\x74\x91\x67\x49\xbe\x7a\xa4\xa2\xc2\x04\x30\xfa\
            \x02\x00\x00\x00D:\\b\\ntkrnlmp.pdb\0rest";
        let (id, path) = PdbId::of_rsds(record).unwrap();
        assert_eq!(id.to_string(), "3844BB2091744967BE7AA4A2C20430FA2");
        assert_eq!(path, b"D:\\b\\ntkrnlmp.pdb");
        assert_eq!(PdbId::parse(&id.to_string()), Some(id));
        assert_eq!(PdbId::parse(&id.to_string().to_lowercase()), Some(id));
        let dashed = PdbId::parse("{3844BB20-9174-4967-BE7A-A4A2C20430FA}2");
        assert_eq!(dashed, Some(id));
        let old = PdbId { age: 0x1f, ..id };
        assert!(old.to_string().ends_with("FA1f"));
    }

    #[test]
    fn what_is_no_id_is_none() {
        for text in ["", "3844BB20", "3844BB2091744967BE7AA4A2C20430FA", "xyz"] {
            assert_eq!(PdbId::parse(text), None, "{text}");
        }
        assert_eq!(PdbId::parse(&"F".repeat(42)), None);
        assert_eq!(PdbId::parse(&format!("+{}", "1".repeat(33))), None);
        assert_eq!(PdbId::of_rsds(b"NB10"), None);
        assert_eq!(PdbId::of_rsds(b"RSDS0123456789"), None);
    }

    #[test]
    fn an_image_is_filed_under_stamp_and_size() {
        let id = ImageId {
            time_stamp: 0x4a5b_c63a,
            size: 0x3f000,
        };
        assert_eq!(id.to_string(), "4A5BC63A3f000");
        assert_eq!(last_part(r"\Device\HarddiskVolume2\a.dll"), "a.dll");
    }
}
