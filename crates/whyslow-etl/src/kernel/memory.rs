//! Memory that a process gets from the system or gives back (group 2, opcodes 98 and 99).
//!
//! Tested on single payloads only: no real trace at hand has these events.

use crate::cursor::Cursor;
use crate::pointer::PointerSize;

/// Memory that a process gets or gives back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct VirtualMemory {
    /// Where it begins.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
    /// The process whose memory it is.
    pub process_id: u32,
    /// What is done (`MEM_COMMIT`, `MEM_RESERVE`, `MEM_DECOMMIT`, `MEM_RELEASE`).
    pub flags: u32,
}

impl VirtualMemory {
    /// Reads a payload of group 2, opcodes 98 and 99; `None` if it is too short.
    #[inline]
    pub fn read(payload: &[u8], pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        Some(Self {
            address: cursor.pointer()?,
            bytes: cursor.pointer()?,
            process_id: cursor.u32()?,
            flags: cursor.u32()?,
        })
    }
}
