//! The memory of a running process, and numbers and texts in it.

/// Reads the memory of a process.
pub trait Memory {
    /// Fills `into` with what is at `address`; `None`: it cannot be read completely.
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()>;
}

/// Returns the number of `bytes` bytes at `address`, little endian.
pub(crate) fn number(memory: &dyn Memory, address: u64, bytes: usize) -> Option<u64> {
    let mut word = [0; 8];
    memory.read(address, word.get_mut(..bytes)?)?;
    Some(u64::from_le_bytes(word))
}

/// Returns the pointer at `address`; `None` also for a null pointer.
pub(crate) fn pointer(memory: &dyn Memory, address: u64) -> Option<u64> {
    number(memory, address, 8).filter(|&pointer| pointer != 0)
}

/// Returns the text that ends with a zero at `address`, at most `most` bytes of it.
pub(crate) fn text(memory: &dyn Memory, address: u64, most: usize) -> Option<String> {
    /// A page may be the last that can be read.
    const PAGE: u64 = 4096;
    let mut bytes = Vec::new();
    while bytes.len() < most {
        let at = address.checked_add(bytes.len() as u64)?;
        let to_page = usize::try_from(PAGE - at % PAGE).ok()?;
        let start = bytes.len();
        bytes.resize(start + to_page.min(64).min(most - start), 0);
        memory.read(at, bytes.get_mut(start..)?)?;
        if let Some(end) = bytes.iter().position(|&byte| byte == 0) {
            bytes.truncate(end);
            break;
        }
    }
    String::from_utf8(bytes).ok()
}
