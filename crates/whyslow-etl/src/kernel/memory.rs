//! Memory that a process gets from the system or gives back (group 2, opcodes 98 and 99), and how much processes have:
//! their working sets (group 2, opcode 125), and what a process had when it ended or the session did (group 3, opcodes
//! 32 and 33).
//!
//! Only those of group 3 are in real traces at hand; the unit of their sizes, bytes, is known from these. The others
//! are tested on single payloads: working sets are as in the kernel's public symbols (`PERFINFO_WORKINGSET_ENTRY`) and
//! in the manifest of Microsoft-Windows-Kernel-Memory, whose event 2 has the same payload.

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

/// How much memory a process has, in pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkingSet {
    /// The process.
    pub process_id: u32,
    /// Pages that it has in RAM.
    pub pages: u64,
    /// Pages that the system has promised it.
    pub committed_pages: u64,
    /// Pages in RAM that no other process shares.
    pub private_pages: u64,
}

/// Reads a payload of group 2, opcode 125, or of event 2 of Microsoft-Windows-Kernel-Memory: the working sets of many
/// processes. `None` if it is too short. Later systems add fields to each entry.
pub fn working_sets(
    payload: &[u8],
    pointer: PointerSize,
) -> Option<impl Iterator<Item = WorkingSet>> {
    let mut cursor = Cursor::new(payload, pointer);
    let count = usize::try_from(cursor.u32()?).ok()?;
    let entries = cursor.rest();
    let stride = entries.len().checked_div(count).unwrap_or(usize::MAX);
    // The process, then the sizes of the working set, of what is committed, of addresses, of the private working set.
    let least = 4 + 4 * pointer.bytes();
    let entry = move |entry: &[u8]| {
        let mut cursor = Cursor::new(entry, pointer);
        let (process_id, pages) = (cursor.u32()?, cursor.pointer()?);
        let (committed_pages, _, private_pages) =
            (cursor.pointer()?, cursor.pointer()?, cursor.pointer()?);
        Some(WorkingSet {
            process_id,
            pages,
            committed_pages,
            private_pages,
        })
    };
    let all = entries.chunks_exact(stride.max(1)).take(count);
    (stride >= least).then(|| all.filter_map(entry))
}

/// What a process has, or had when it ended, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessCounters {
    /// The process.
    pub process_id: u32,
    /// The most that it had in RAM since it started.
    pub peak_working_set: u64,
    /// What it has in RAM; 0 where it has ended.
    pub working_set: u64,
    /// What the system has promised it; 0 where it has ended.
    pub committed: u64,
}

impl ProcessCounters {
    /// Reads a payload of group 3, opcodes 32 and 33; `None` if it is too short.
    pub fn read(payload: &[u8], pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let process_id = cursor.u32()?;
        // Page faults, handles, something reserved.
        let _: [u32; 3] = [cursor.u32()?, cursor.u32()?, cursor.u32()?];
        let mut sizes = [0; 11];
        for size in &mut sizes {
            *size = cursor.pointer()?;
        }
        // The peaks are those of addresses, of the working set, of the page file, and of two pools; then what it has now
        // of these, and of private pages.
        let [
            _,
            peak_working_set,
            _,
            _,
            _,
            _,
            working_set,
            _,
            _,
            _,
            committed,
        ] = sizes;
        Some(Self {
            process_id,
            peak_working_set,
            working_set,
            committed,
        })
    }
}
