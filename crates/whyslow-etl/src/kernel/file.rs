//! Requests to file systems (group 4), the routines of mini-filters that see them, and faults that
//! read from a disk (group 2, opcode 32).
//!
//! Requests of versions 2 and 3 were tested on single payloads only. The manifest's provider
//! Microsoft-Windows-Kernel-File writes the same layouts, its version 0 as version 2 here and its
//! version 1 as version 3. The layouts of mini-filters follow the kernel's own class description.

use super::hooks::{Hook, file_io};
use crate::cursor::Cursor;
use crate::pointer::PointerSize;
use crate::text::Utf16;

/// The beginning of a request to a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct FileRequest<'a> {
    /// Identifies the request until it ends.
    pub irp: u64,
    /// The thread.
    pub thread_id: u32,
    /// The open file.
    pub file_object: u64,
    /// The file itself, however often it is open; 0 when it is being opened.
    pub file_key: u64,
    /// Where a transfer begins.
    pub offset: u64,
    /// How many bytes a transfer or a listing may have.
    pub size: u32,
    /// Of a transfer the flags of the request, of an opening its options.
    pub flags: u32,
    /// The class of the information that is asked for or set.
    pub class: u32,
    /// What else it is about, such as a new size.
    pub extra: u64,
    /// The path, or the pattern of a listing.
    pub path: Utf16<'a>,
}

impl<'a> FileRequest<'a> {
    /// Reads a payload of group 4, opcodes 64 to 75 and 77 to 82; `None` if it is too short or of
    /// another event.
    #[inline]
    pub fn read(payload: &'a [u8], hook: Hook, version: u16, pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let mut of = Self::default();
        let is_old = version < 3;
        match hook {
            file_io::CREATE | file_io::CREATE_NEW => {
                of.irp = cursor.pointer()?;
                if is_old {
                    of.thread_id = thread(cursor.pointer()?);
                }
                of.file_object = cursor.pointer()?;
                if !is_old {
                    of.thread_id = cursor.u32()?;
                }
                of.flags = cursor.u32()?;
                cursor.array::<8>()?;
                of.path = cursor.utf16().unwrap_or_default();
            }
            file_io::READ | file_io::WRITE => {
                of.offset = cursor.u64()?;
                of.start(&mut cursor, is_old, false)?;
                of.size = cursor.u32()?;
                of.flags = cursor.u32()?;
            }
            file_io::CLEANUP | file_io::CLOSE | file_io::FLUSH => {
                of.start(&mut cursor, is_old, false)?;
            }
            file_io::DIR_ENUM | file_io::DIR_NOTIFY => {
                of.start(&mut cursor, is_old, false)?;
                (of.size, of.class) = (cursor.u32()?, cursor.u32()?);
                cursor.u32()?;
                of.path = cursor.utf16().unwrap_or_default();
            }
            file_io::SET_INFO
            | file_io::DELETE
            | file_io::RENAME
            | file_io::QUERY_INFO
            | file_io::FS_CONTROL
            | file_io::SET_LINK => {
                of.start(&mut cursor, is_old, true)?;
                of.class = cursor.u32()?;
            }
            file_io::DELETE_PATH | file_io::RENAME_PATH | file_io::SET_LINK_PATH => {
                of.start(&mut cursor, is_old, true)?;
                of.class = cursor.u32()?;
                of.path = cursor.utf16().unwrap_or_default();
            }
            _ => return None,
        }
        Some(of)
    }

    /// Reads request, thread and file; from version 3 on, all pointers come before the thread.
    fn start(&mut self, cursor: &mut Cursor<'_>, is_old: bool, has_extra: bool) -> Option<()> {
        self.irp = cursor.pointer()?;
        if is_old {
            self.thread_id = thread(cursor.pointer()?);
        }
        self.file_object = cursor.pointer()?;
        self.file_key = cursor.pointer()?;
        if has_extra {
            self.extra = cursor.pointer()?;
        }
        if !is_old {
            self.thread_id = cursor.u32()?;
        }
        Some(())
    }
}

/// Returns the id of a thread in a field of a pointer's size.
fn thread(field: u64) -> u32 {
    u32::try_from(field).unwrap_or(u32::MAX)
}

/// The end of a request to a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileRequestEnd {
    /// Identifies the request.
    pub irp: u64,
    /// What it returns besides the status: bytes moved, or what an opening did.
    pub information: u64,
    /// The result.
    pub status: u32,
}

impl FileRequestEnd {
    /// Reads a payload of group 4, opcode 76; `None` if it is too short.
    #[inline]
    pub fn read(payload: &[u8], pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        Some(Self {
            irp: cursor.pointer()?,
            information: cursor.pointer()?,
            status: cursor.u32()?,
        })
    }
}

/// The name of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileName<'a> {
    /// The file, as in [`FileRequest::file_key`].
    pub file_key: u64,
    /// Its path in the kernel's form.
    pub path: Utf16<'a>,
}

impl<'a> FileName<'a> {
    /// Reads a payload of group 4, opcodes 0, 32, 35 and 36; `None` if it is too short.
    pub fn read(payload: &'a [u8], pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        Some(Self {
            file_key: cursor.pointer()?,
            path: cursor.utf16().unwrap_or_default(),
        })
    }
}

/// A routine of a mini-filter has seen a request before or after the file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilterCall {
    /// When it was called, in raw time; `None` for failures, which do not say.
    pub since: Option<i64>,
    /// Its address.
    pub routine: u64,
    /// The open file.
    pub file_object: u64,
    /// The file itself.
    pub file_key: u64,
    /// The request.
    pub irp: u64,
    /// Identifies what the filters are given of it.
    pub callback_data: u64,
    /// The kind of request (`IRP_MJ_*`).
    pub major_function: u32,
    /// The result, of failures.
    pub status: Option<u32>,
}

impl FilterCall {
    /// Reads a payload of group 4, opcodes 98 to 101; `None` if it is too short or of another event.
    #[inline]
    pub fn read(payload: &[u8], hook: Hook, pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let since = match hook {
            file_io::PRE_OPERATION | file_io::POST_OPERATION => Some(cursor.i64()?),
            file_io::PRE_OPERATION_FAILURE | file_io::POST_OPERATION_FAILURE => None,
            _ => return None,
        };
        Some(Self {
            since,
            routine: cursor.pointer()?,
            file_object: cursor.pointer()?,
            file_key: cursor.pointer()?,
            irp: cursor.pointer()?,
            callback_data: cursor.pointer()?,
            major_function: cursor.u32()?,
            status: match since {
                None => cursor.u32(),
                Some(_) => None,
            },
        })
    }
}

/// A fault that read from a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct HardFault {
    /// When it began, in raw time.
    pub since: i64,
    /// Where in the file.
    pub offset: u64,
    /// The address that the thread used.
    pub address: u64,
    /// The file, as in [`FileRequest::file_key`].
    pub file_key: u64,
    /// The thread.
    pub thread_id: u32,
    /// How many bytes were read.
    pub size: u32,
}

impl HardFault {
    /// Reads a payload of group 2, opcode 32; `None` if it is too short.
    pub fn read(payload: &[u8], pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        Some(Self {
            since: cursor.i64()?,
            offset: cursor.u64()?,
            address: cursor.pointer()?,
            file_key: cursor.pointer()?,
            thread_id: cursor.u32()?,
            size: cursor.u32()?,
        })
    }
}
