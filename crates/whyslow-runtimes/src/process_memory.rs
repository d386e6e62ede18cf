//! The memory of a process that runs.

use std::fs::File;
use std::os::unix::fs::FileExt;

use whyslow_symbols::jvm::Memory;

use crate::mapping::Mapping;

/// The memory of a process. It stays that process's, also when another one gets its number.
#[derive(Debug)]
pub struct ProcessMemory(File);

impl ProcessMemory {
    /// Opens the memory of the process that mapped something; `None`: it is gone.
    pub fn of(mapped: &dyn Mapping) -> Option<Self> {
        let memory = File::open(format!("/proc/{}/mem", mapped.pid())).ok();
        // Opened first: from then on it is the memory of one process, even if its id is reused.
        let memory = memory.filter(|_| mapped.is_of_same_process());
        memory.map(Self)
    }
}

impl Memory for ProcessMemory {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        self.0.read_exact_at(into, address).ok()
    }
}
