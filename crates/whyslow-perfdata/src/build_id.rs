//! Build ids: they identify the mapped file exactly, so that its symbols can be found elsewhere.

use crate::abi::misc;
use crate::endian::{Endian, text};

/// The build id of a file that was mapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildId {
    /// The process; -1 for the kernel and for files that apply to all processes.
    pub pid: i32,
    /// Whether the file belongs to the kernel.
    pub kernel: bool,
    /// The id, 1 to 20 bytes.
    pub id: Vec<u8>,
    /// The path.
    pub path: String,
}

/// Header, pid, id, its length and padding.
const FIXED_BYTES: usize = 36;
const MOST_ID_BYTES: usize = 20;

impl BuildId {
    /// Decodes a `BUILD_ID` record or an entry of the section, which has the same form.
    ///
    /// *Folklore:* before Linux 5.10 an id had no length and was 20 bytes, with zeros after a
    /// shorter one (MD5, UUID). A flag in `misc` says whether the length is present.
    pub(crate) fn decode(entry: &[u8], endian: Endian) -> Option<Self> {
        let path = entry.get(FIXED_BYTES..)?;
        let misc = endian.u16(entry, 4)?;
        let length = if misc & misc::BUILD_ID_SIZE != 0 {
            usize::from(*entry.get(32)?).min(MOST_ID_BYTES)
        } else {
            MOST_ID_BYTES
        };
        let mode = misc & misc::CPUMODE_MASK;
        Some(Self {
            pid: endian.i32(entry, 8)?,
            kernel: mode == misc::KERNEL || mode == misc::GUEST_KERNEL,
            id: entry.get(12..)?.get(..length)?.to_vec(),
            path: text(path),
        })
    }
}
