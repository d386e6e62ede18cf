//! A loaded image: group 20 (and opcode 10 of group 3), opcodes 10 load, 2 unload, 3 and 4 rundown
//! at start and end of the session.
//!
//! The rundown at the end is often the only full list. Seen: versions 0 to 3 (Windows 7 to 11).

use crate::cursor::Cursor;
use crate::pointer::PointerSize;
use crate::text::Utf16;

/// What an event says about an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Image<'a> {
    /// Its address in memory.
    pub base: u64,
    /// Its size in memory, in bytes.
    pub size: u64,
    /// The process; 0 for drivers and the kernel. `None` in version 0, where the event's header has
    /// it.
    pub process_id: Option<u32>,
    /// Checksum from the file's header, in version 2 and newer.
    pub checksum: u32,
    /// Time stamp from the file's header, in seconds since 1970 or a hash, in version 2 and newer;
    /// together with the size it identifies the file at symbol servers.
    pub time_stamp: u32,
    /// Its preferred address, in version 2 and newer.
    pub default_base: u64,
    /// Path in the kernel's form, such as `\Device\HarddiskVolume3\Windows\notepad.exe`.
    pub path: Utf16<'a>,
}

impl<'a> Image<'a> {
    /// Reads a payload of group 20, opcodes 2, 3, 4 or 10; `None` if it is too short.
    pub fn read(payload: &'a [u8], version: u16, pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let base = cursor.pointer()?;
        let mut image = Self {
            base,
            size: 0,
            process_id: None,
            checksum: 0,
            time_stamp: 0,
            default_base: 0,
            path: Utf16::default(),
        };
        if version == 0 {
            image.size = u64::from(cursor.u32()?);
        } else {
            image.size = cursor.pointer()?;
            image.process_id = Some(cursor.u32()?);
        }
        if version >= 2 {
            image.checksum = cursor.u32()?;
            image.time_stamp = cursor.u32()?;
            cursor.u32()?;
            image.default_base = cursor.pointer()?;
            cursor.array::<16>()?;
        }
        image.path = cursor.utf16().unwrap_or_default();
        Some(image)
    }
}
