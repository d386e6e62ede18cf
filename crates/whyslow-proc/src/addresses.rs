//! The distinct kernel addresses of a recording.
//!
//! Only the symbols that cover them go into the file: a few hundred lines instead of the five
//! megabytes of `/proc/kallsyms`. Stacks repeat, so a small cache in front of the set answers
//! nearly every question with one comparison.

use std::collections::HashSet;

const CACHE_ENTRIES: usize = 4096;

/// A set of kernel addresses.
#[derive(Debug)]
pub struct KernelAddresses {
    recent: Vec<u64>,
    all: HashSet<u64>,
}

impl Default for KernelAddresses {
    fn default() -> Self {
        Self {
            recent: vec![0; CACHE_ENTRIES],
            all: HashSet::new(),
        }
    }
}

impl KernelAddresses {
    /// Adds an address; those of user mode are ignored.
    pub fn add(&mut self, address: u64) {
        if address >> 63 == 0 {
            return;
        }
        let slot = usize::try_from((address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) & 0xfff);
        match slot.ok().and_then(|slot| self.recent.get_mut(slot)) {
            Some(seen) if *seen == address => {}
            Some(seen) => {
                *seen = address;
                self.all.insert(address);
            }
            None => {}
        }
    }

    /// The addresses in ascending order.
    pub fn sorted(&self) -> Vec<u64> {
        let mut sorted: Vec<u64> = self.all.iter().copied().collect();
        sorted.sort_unstable();
        sorted
    }
}
