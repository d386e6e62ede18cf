//! Operations on the registry, and the names of its keys (group 9).
//!
//! Tested on single payloads only: no real trace at hand has these events.

use crate::cursor::Cursor;
use crate::pointer::PointerSize;
use crate::text::Utf16;

/// An operation on the registry that has ended, or the name of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegistryCall<'a> {
    /// When it began, in raw time; `None` before version 2.
    pub since: Option<i64>,
    /// The result.
    pub status: u32,
    /// The key (address of its control block); when one is opened, the one that the name is relative to, or 0.
    pub key: u64,
    /// Depends on the operation: a name of a key, relative to `key` or whole, or the name of a value.
    pub name: Utf16<'a>,
}

impl<'a> RegistryCall<'a> {
    /// Reads a payload of group 9, opcodes 10 to 29; `None` if it is too short.
    #[inline]
    pub fn read(payload: &'a [u8], version: u16, pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let (since, status, key);
        if version < 2 {
            (since, status, key) = (None, cursor.u32()?, cursor.pointer()?);
            // How long it took, in a unit that is not documented, and the index.
            cursor.array::<12>()?;
        } else {
            (since, status) = (Some(cursor.i64()?), cursor.u32()?);
            cursor.u32()?;
            key = cursor.pointer()?;
        }
        Some(Self {
            since,
            status,
            key,
            name: cursor.utf16().unwrap_or_default(),
        })
    }
}
