//! Fields of a payload, read one after another.

use crate::pointer::{PointerSize, Pointers};
use crate::text::{Ansi, Utf16};

/// A place in a payload. If the bytes end too early, a read returns `None` and does not move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    pub(crate) pointer: PointerSize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], pointer: PointerSize) -> Self {
        Self {
            bytes,
            at: 0,
            pointer,
        }
    }

    /// Returns the bytes not yet read.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.rest().get(..count)?;
        self.at += count;
        Some(taken)
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = *self.rest().first_chunk::<N>()?;
        self.at += N;
        Some(taken)
    }

    #[inline]
    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    #[inline]
    pub(crate) fn i8(&mut self) -> Option<i8> {
        self.u8().map(u8::cast_signed)
    }

    #[inline]
    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn i32(&mut self) -> Option<i32> {
        self.array().map(i32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    #[inline]
    pub(crate) fn i64(&mut self) -> Option<i64> {
        self.array().map(i64::from_le_bytes)
    }

    #[inline]
    pub(crate) fn pointer(&mut self) -> Option<u64> {
        let value = self.pointer.read(self.rest(), 0)?;
        self.at += self.pointer.bytes();
        Some(value)
    }

    /// Text up to its terminator or the end; `None` if no byte is left.
    pub(crate) fn ansi(&mut self) -> Option<Ansi<'a>> {
        let rest = self.rest();
        let (text, used) = Ansi::terminated(rest);
        self.at += used;
        (!rest.is_empty()).then_some(text)
    }

    /// Text up to its terminator or the end; `None` if no byte is left.
    pub(crate) fn utf16(&mut self) -> Option<Utf16<'a>> {
        let rest = self.rest();
        let (text, used) = Utf16::terminated(rest);
        self.at += used;
        (!rest.is_empty()).then_some(text)
    }

    /// The eight parts of a `SYSTEMTIME`.
    pub(crate) fn system_time(&mut self) -> Option<[u16; 8]> {
        let bytes = self.array::<16>()?;
        let mut parts = [0; 8];
        for (part, bytes) in parts.iter_mut().zip(bytes.as_chunks::<2>().0) {
            *part = u16::from_le_bytes(*bytes);
        }
        Some(parts)
    }

    /// All remaining pointers.
    pub(crate) fn pointers(&mut self) -> Pointers<'a> {
        let rest = self.rest();
        self.at = self.bytes.len();
        Pointers::new(rest, self.pointer)
    }

    /// A security identifier behind the two pointers of its token; `Some(&[])` if there is none,
    /// which four zero bytes mark.
    ///
    /// *Folklore:* some re-loggers (Sawbuck's) write zeros for the token and still an identifier
    /// after them. It is recognized by its revision, its length and its first authority byte.
    pub(crate) fn sid(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        let token = 2 * self.pointer.bytes();
        let sid = rest.get(token..).unwrap_or_default();
        let follows = matches!(sid, [1, 0..=15, 0, ..]);
        let is_absent = rest.starts_with(&[0; 4]) && !follows;
        if is_absent {
            self.at += 4;
            return Some(&[]);
        }
        let sid = sid.get(..sid_bytes(sid)?)?;
        self.at += token + sid.len();
        Some(sid)
    }

    /// A security identifier.
    pub(crate) fn plain_sid(&mut self) -> Option<&'a [u8]> {
        self.take(sid_bytes(self.rest())?)
    }
}

/// Length of a security identifier, from its second byte.
fn sid_bytes(sid: &[u8]) -> Option<usize> {
    let parts = sid.get(1)?;
    Some(8 + 4 * usize::from(*parts))
}
