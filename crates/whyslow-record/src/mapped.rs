//! What a record says of an executable mapping.

use crate::raw_record::{HEADER_BYTES, TRAILER_BYTES, u32_at, u64_at};

const PROT_EXEC: u32 = 4;

/// An executable mapping, as a record tells it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapped<'a> {
    pub(crate) pid: u32,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) file_offset: u64,
    pub(crate) path: &'a [u8],
}

impl<'a> Mapped<'a> {
    /// Reads a record `MMAP2`; `None` if what it maps is not executable.
    pub(crate) fn of_record(record: &'a [u8]) -> Option<Self> {
        if u32_at(record, 64) & PROT_EXEC == 0 {
            return None;
        }
        let path = record.get(72..record.len().saturating_sub(TRAILER_BYTES));
        let path = path.unwrap_or_default().split(|&byte| byte == 0).next();
        let start = u64_at(record, 16);
        Some(Self {
            pid: u32_at(record, HEADER_BYTES),
            start,
            end: start.saturating_add(u64_at(record, 24)),
            file_offset: u64_at(record, 32),
            path: path.unwrap_or_default(),
        })
    }
}
