//! Free memory.

use std::fs;

/// Returns the bytes of memory that can be used without swapping; `None` where unknown.
pub(crate) fn free() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024)
}
