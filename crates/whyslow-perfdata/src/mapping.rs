//! A mapping: MMAP, and MMAP2 with either the file's build id or its device and inode.
//!
//! *Folklore:* a bit of `misc` says which of the two an MMAP2 holds, and the bit can be wrong. The
//! kernel (seen in 6.18) passes one record to every recorder in turn. If one of them requested
//! build ids (`attr.build_id`), the bit stays set for the later ones that did not, and their
//! records hold device and inode. Perf 6.1 then takes the device's number for the length of an id
//! and crashes. So the bit is trusted if the record's own event requested build ids. Otherwise, as
//! in files that ids were injected into, it is trusted only if the id has a usual length.

use crate::abi::{misc, record};
use crate::endian::{Cursor, until_nul};

/// A mapping of a file, or of anonymous memory under a name such as `//anon`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mmap<'a> {
    /// The process; -1 for the kernel.
    pub pid: i32,
    /// The thread.
    pub tid: i32,
    /// First address.
    pub address: u64,
    /// Length in bytes.
    pub length: u64,
    /// Offset in the file, in bytes.
    pub file_offset: u64,
    /// Whether the range can be executed.
    pub executable: bool,
    /// Whether it belongs to the kernel.
    pub kernel: bool,
    /// The build id; empty if the record has none.
    pub build_id: &'a [u8],
    /// The file; `None` if the record does not say.
    pub inode: Option<Inode>,
    /// `PROT_*` bits; `None` in MMAP, which lacks them.
    pub protection: Option<u32>,
    /// `MAP_*` bits; `None` in MMAP, which lacks them.
    pub flags: Option<u32>,
    /// Path; may not be UTF-8.
    pub path: &'a [u8],
}

/// A file by its place in its file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inode {
    /// Major number of the device.
    pub major: u32,
    /// Minor number of the device.
    pub minor: u32,
    /// The inode.
    pub number: u64,
    /// Its generation.
    pub generation: u64,
}

const PROT_EXEC: u32 = 4;
const MOST_BUILD_ID_BYTES: usize = 20;
/// Length, three bytes of padding, the id: the same size as device and inode.
const UNION_BYTES: usize = 24;

impl<'a> Mmap<'a> {
    /// Decodes a record's content; `asked` says whether its event requested build ids.
    pub(crate) fn decode(
        (ty, misc): (u32, u16),
        asked: bool,
        mut cursor: Cursor<'a>,
    ) -> Option<Self> {
        let mut mmap = Self {
            pid: cursor.i32()?,
            tid: cursor.i32()?,
            address: cursor.u64()?,
            length: cursor.u64()?,
            file_offset: cursor.u64()?,
            executable: misc & misc::MMAP_DATA == 0,
            kernel: misc & misc::CPUMODE_MASK == misc::KERNEL,
            build_id: &[],
            inode: None,
            protection: None,
            flags: None,
            path: &[],
        };
        if ty == record::MMAP2 {
            let union = cursor.take(UNION_BYTES)?;
            let said = misc & misc::MMAP_BUILD_ID != 0;
            match build_id(union, asked).filter(|_| said) {
                Some(build_id) => mmap.build_id = build_id,
                None => mmap.inode = Inode::take(Cursor::new(union, cursor.endian)),
            }
            let protection = cursor.u32()?;
            mmap.protection = Some(protection);
            mmap.flags = Some(cursor.u32()?);
            mmap.executable = protection & PROT_EXEC != 0;
        }
        mmap.path = until_nul(cursor.rest());
        Some(mmap)
    }
}

impl Inode {
    fn take(mut cursor: Cursor<'_>) -> Option<Self> {
        Some(Self {
            major: cursor.u32()?,
            minor: cursor.u32()?,
            number: cursor.u64()?,
            generation: cursor.u64()?,
        })
    }
}

/// Returns the build id; `None` if there cannot be one.
fn build_id(union: &[u8], asked: bool) -> Option<&[u8]> {
    let (length, rest) = union.split_first()?;
    let (padding, id) = rest.split_at_checked(3)?;
    let length = usize::from(*length);
    let usual = matches!(length, 16 | MOST_BUILD_ID_BYTES) && padding == [0; 3];
    if !asked && !usual {
        return None;
    }
    id.get(..length.min(MOST_BUILD_ID_BYTES))
}
