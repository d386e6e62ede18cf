//! A thread: group 5, opcodes 1 start, 2 end, 3 and 4 rundown at start and end of the session.
//!
//! Seen: version 3 (Windows 7 to 11); versions 1 and 2 in single payloads.

use crate::cursor::Cursor;
use crate::pointer::PointerSize;
use crate::text::Utf16;

/// What an event says about a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thread<'a> {
    /// Id of its process.
    pub process_id: u32,
    /// Id of the thread; 0 is the idle thread of every processor.
    pub thread_id: u32,
    /// Start address in user mode; 0 if not stated.
    pub start_address: u64,
    /// The service that it works for, as a number.
    pub service_tag: u32,
    /// Its base priority, in version 3.
    pub base_priority: Option<u8>,
    /// Its name, reported only by newer Windows 10; empty if it has none.
    pub name: Utf16<'a>,
}

impl<'a> Thread<'a> {
    /// Reads a payload of group 5, opcodes 1 to 4; `None` if it is too short.
    pub fn read(payload: &'a [u8], version: u16, pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let (process_id, thread_id) = (cursor.u32()?, cursor.u32()?);
        // Bounds of the kernel's and the user's stack, and the start in the kernel; in version 1
        // the end of a thread has nothing more.
        cursor.take(5 * pointer.bytes());
        let start_address = cursor.pointer().unwrap_or(0);
        let mut thread = Self {
            process_id,
            thread_id,
            start_address,
            service_tag: 0,
            base_priority: None,
            name: Utf16::default(),
        };
        if version >= 2 {
            cursor.pointer()?;
            thread.service_tag = cursor.u32()?;
        }
        if version >= 3 {
            let [base, ..] = cursor.array::<4>()?;
            thread.base_priority = Some(base);
            thread.name = cursor.utf16().unwrap_or_default();
        }
        Some(thread)
    }
}
