//! Byte order of a file, and bounds-checked reads in it.

/// The byte order of a file's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl Endian {
    /// Reads a `u16` at `at`, or `None` past the end.
    #[inline]
    pub fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        let raw = array(bytes, at)?;
        Some(match self {
            Self::Little => u16::from_le_bytes(raw),
            Self::Big => u16::from_be_bytes(raw),
        })
    }

    /// Reads a `u32` at `at`, or `None` past the end.
    #[inline]
    pub fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let raw = array(bytes, at)?;
        Some(match self {
            Self::Little => u32::from_le_bytes(raw),
            Self::Big => u32::from_be_bytes(raw),
        })
    }

    /// Reads a `u64` at `at`, or `None` past the end.
    #[inline]
    pub fn u64(self, bytes: &[u8], at: usize) -> Option<u64> {
        let raw = array(bytes, at)?;
        Some(match self {
            Self::Little => u64::from_le_bytes(raw),
            Self::Big => u64::from_be_bytes(raw),
        })
    }

    /// Reads an `i32` at `at`, or `None` past the end.
    #[inline]
    pub fn i32(self, bytes: &[u8], at: usize) -> Option<i32> {
        self.u32(bytes, at).map(u32::cast_signed)
    }
}

#[inline]
fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

/// Returns a count from the file as a size in memory; the largest size if it does not fit.
#[inline]
pub(crate) fn size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Returns a size in memory as a count.
#[inline]
pub(crate) fn count(size: usize) -> u64 {
    u64::try_from(size).unwrap_or(u64::MAX)
}

/// Returns bytes up to their first NUL.
pub(crate) fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// Returns bytes up to their first NUL as text; invalid bytes become the replacement character.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(until_nul(bytes)).into_owned()
}

/// A position in bytes of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    pub(crate) endian: Endian,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], endian: Endian) -> Self {
        Self { bytes, endian }
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.endian.u16(self.take(2)?, 0)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.endian.u32(self.take(4)?, 0)
    }

    pub(crate) fn i32(&mut self) -> Option<i32> {
        self.u32().map(u32::cast_signed)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.endian.u64(self.take(8)?, 0)
    }

    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    /// Takes as many bytes as the file says.
    pub(crate) fn take_count(&mut self, count: u64) -> Option<&'a [u8]> {
        self.take(size(count))
    }

    /// Takes text up to a NUL, which is skipped.
    pub(crate) fn c_str(&mut self) -> Option<&'a [u8]> {
        let length = self.bytes.iter().position(|&byte| byte == 0)?;
        let text = self.take(length)?;
        self.take(1)?;
        Some(text)
    }

    /// Takes a text in the form of feature sections: length, then bytes padded with NULs.
    pub(crate) fn string(&mut self) -> Option<String> {
        let length = self.u32()?;
        self.take_count(u64::from(length)).map(text)
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes
    }
}
