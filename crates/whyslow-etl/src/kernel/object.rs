//! Handles of kernel objects, and names of the types of objects (group 17).
//!
//! Layouts are those of MSDN (classes `ObHandleEvent`, `ObHandleDuplicateEvent`,
//! `ObHandleRundownEvent`) and of the kernel's public symbols. No real trace at hand has these
//! events, and no single payloads either.

use super::hooks::{Hook, object};
use crate::cursor::Cursor;
use crate::pointer::PointerSize;
use crate::text::Utf16;

/// The events that [`ObjectHandle::read`] reads.
pub const HANDLE_EVENTS: &[Hook] = &[
    object::CREATE_HANDLE,
    object::CLOSE_HANDLE,
    object::DUPLICATE_HANDLE,
    object::HANDLE_DC_START,
    object::HANDLE_DC_END,
];

/// A handle that is opened, closed, duplicated or listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ObjectHandle<'a> {
    /// Address of the object.
    pub object: u64,
    /// The handle; of a duplicate the new one.
    pub handle: u32,
    /// Of a duplicate, and in lists: the process whose handle it is; otherwise it is that of the event's thread.
    pub process_id: Option<u32>,
    /// Number of the object's type.
    pub kind: u16,
    /// Name of the object, which most do not have.
    pub name: Utf16<'a>,
}

impl<'a> ObjectHandle<'a> {
    /// Reads a payload of group 17, opcodes 32 to 34, 38 and 39; `None` if it is too short or of
    /// another event.
    #[inline]
    pub fn read(payload: &'a [u8], hook: Hook, pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let object = cursor.pointer()?;
        let (handle, process_id);
        match hook {
            object::CREATE_HANDLE | object::CLOSE_HANDLE => {
                (handle, process_id) = (cursor.u32()?, None);
            }
            object::DUPLICATE_HANDLE => {
                // The handle that was duplicated.
                cursor.u32()?;
                (handle, process_id) = (cursor.u32()?, Some(cursor.u32()?));
            }
            object::HANDLE_DC_START | object::HANDLE_DC_END => {
                process_id = Some(cursor.u32()?);
                handle = cursor.u32()?;
            }
            _ => return None,
        }
        let kind = cursor.u16()?;
        let named = payload.len() - cursor.rest().len() + 4;
        // Behind the type of a duplicate comes the process that it was duplicated from; elsewhere two
        // bytes alone are padding.
        let name = match hook {
            object::DUPLICATE_HANDLE => None,
            _ => cursor.utf16().filter(|_| payload.len() >= named),
        };
        Some(Self {
            object,
            handle,
            process_id,
            kind,
            name: name.unwrap_or_default(),
        })
    }
}

/// The name of a type of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ObjectType<'a> {
    /// Its number.
    pub kind: u16,
    /// Its name, such as `Event`.
    pub name: Utf16<'a>,
}

impl<'a> ObjectType<'a> {
    /// Reads a payload of group 17, opcodes 36 and 37; `None` if it is too short.
    #[inline]
    pub fn read(payload: &'a [u8], pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let kind = cursor.u16()?;
        cursor.u16()?;
        Some(Self {
            kind,
            name: cursor.utf16()?,
        })
    }
}
