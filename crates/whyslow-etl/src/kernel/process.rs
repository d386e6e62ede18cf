//! A process: group 3, opcodes 1 start, 2 end, 3 and 4 rundown at start and end of the session, 39
//! defunct (all handles to it closed).
//!
//! Seen: version 2 (32 bits), 3 (Windows 7), 4 and 5 (Windows 8 to 11).

use crate::clock::FileTime;
use crate::cursor::Cursor;
use crate::pointer::PointerSize;
use crate::text::{Ansi, Utf16};

/// What an event says about a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Process<'a> {
    /// Id of the process; 0 is the idle process, 4 the system. The id in the event's header is that
    /// of the process that started it.
    pub process_id: u32,
    /// Id of its parent.
    pub parent_id: u32,
    /// Its terminal session.
    pub session_id: u32,
    /// Its exit code; 259 while it runs.
    pub exit_code: i32,
    /// A key unique among the processes of the session at one time; the page directory in version
    /// 1.
    pub key: u64,
    /// Flags, in version 4 and newer: bit 1 for a packaged application, bit 2 for WOW64.
    pub flags: u32,
    /// The user's security identifier; empty if there is none.
    pub sid: &'a [u8],
    /// File name of its image, no longer than 15 bytes; its load event has the whole path.
    pub image: Ansi<'a>,
    /// Its command line; empty in version 1.
    pub command_line: Utf16<'a>,
    /// Full name of its package, in version 4 and newer.
    pub package: Utf16<'a>,
    /// Its application id, in version 4 and newer.
    pub application: Utf16<'a>,
    /// When it ended, in version 5.
    pub exit_time: Option<FileTime>,
}

impl<'a> Process<'a> {
    /// Reads a payload of group 3, opcodes 1 to 4 or 39; `None` if it is too short.
    pub fn read(payload: &'a [u8], version: u16, pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let key = cursor.pointer()?;
        let (process_id, parent_id) = (cursor.u32()?, cursor.u32()?);
        let (session_id, exit_code) = (cursor.u32()?, cursor.i32()?);
        if version >= 3 {
            cursor.pointer()?;
        }
        let flags = if version >= 4 { cursor.u32()? } else { 0 };
        Some(Self {
            process_id,
            parent_id,
            session_id,
            exit_code,
            key,
            flags,
            sid: cursor.sid()?,
            image: cursor.ansi()?,
            // Fields after the name may be cut off.
            command_line: cursor.utf16().unwrap_or_default(),
            package: cursor.utf16().unwrap_or_default(),
            application: cursor.utf16().unwrap_or_default(),
            exit_time: cursor.i64().map(FileTime),
        })
    }
}
