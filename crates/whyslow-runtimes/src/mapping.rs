//! An executable mapping, as the runtimes need it.

use std::fmt::Debug;
use std::path::PathBuf;

/// Bytes of device, inode and generation, or of a build id with its length.
const KEY_BYTES: usize = 24;

/// Which file was mapped. Different containers may have different files with the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileKey {
    /// Whether the bytes are the length of a build id and the id, not device, inode and generation.
    pub has_build_id: bool,
    /// What the kernel says about the file.
    pub bytes: [u8; KEY_BYTES],
}

/// A file that a process mapped as code. Process ids are reused, so an implementation has to say
/// whether the id still belongs to that process.
pub trait Mapping: Debug {
    /// The process.
    fn pid(&self) -> u32;
    /// Where the mapping begins.
    fn start(&self) -> u64;
    /// The place in the file that is mapped there.
    fn file_offset(&self) -> u64;
    /// The path of the file as the process sees it.
    fn path(&self) -> &[u8];
    /// Which file it is.
    fn file(&self) -> FileKey;
    /// Whether the number of the process belongs to the process that mapped the file.
    fn is_of_same_process(&self) -> bool;
    /// Where the file can be read, given its path; never another file with the same path.
    fn places(&self, path: &str) -> Box<dyn Iterator<Item = PathBuf> + '_>;
}
