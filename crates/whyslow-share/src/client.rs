//! What clients of all protocols can do.

use crate::fault::Fault;

/// Parts of a listing at most.
pub(crate) const MOST_PARTS: u32 = 1_000_000;

/// Bytes of the longest file that is read or written at once: its content is in memory.
pub const MOST_CONTENT: u64 = 1 << 30;

/// What a client can do in a directory of a share; every file operation opens and closes the file.
pub trait Remote: Send {
    /// Works in `directory` from now on, which is made if asked.
    fn enter(&mut self, directory: &str, make: bool) -> Result<(), Fault>;
    /// Makes an empty file; fails where it is there.
    fn create(&mut self, name: &str) -> Result<(), Fault>;
    /// Opens a file for reading.
    fn open(&mut self, name: &str) -> Result<(), Fault>;
    /// Reads at most `most` bytes at `offset`, to the end of `to`.
    fn read(&mut self, name: &str, offset: u64, most: u32, to: &mut Vec<u8>) -> Result<(), Fault>;
    /// Reads all of a file, to the end of `to`.
    fn read_all(&mut self, name: &str, to: &mut Vec<u8>) -> Result<(), Fault>;
    /// Makes a file with this content.
    fn write(&mut self, name: &str, content: &[u8]) -> Result<(), Fault>;
    /// Returns the size of a file, in bytes.
    fn stat(&mut self, name: &str) -> Result<u64, Fault>;
    /// Gives a file another name.
    fn rename(&mut self, from: &str, to: &str) -> Result<(), Fault>;
    /// Removes a file.
    fn remove(&mut self, name: &str) -> Result<(), Fault>;
    /// Returns the number of entries.
    fn list(&mut self) -> Result<u32, Fault>;
    /// Returns how many round trips there were, those of connecting included.
    fn round_trips(&self) -> u64;
    /// Returns the protocol as spoken: `SMB 3.11`.
    fn protocol(&self) -> String;
}
