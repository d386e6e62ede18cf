//! The vdso, read from this process.
//!
//! The kernel maps the same small ELF image into every process and offers it in no file; under
//! the recorded kernel our own copy is the recorded one. (Processes of another width, such as
//! 32-bit ones, have another image; the build id shows it.)

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use crate::Reason;
use crate::file_bytes::FileBytes;

const MAX_VDSO_BYTES: u64 = 1 << 20;

/// Copies the vdso out of this process.
pub(crate) fn own_vdso() -> Result<FileBytes, Reason> {
    let maps = std::fs::read_to_string("/proc/self/maps").map_err(|_| Reason::VdsoUnavailable)?;
    let (start, end) = vdso_range(&maps).ok_or(Reason::VdsoUnavailable)?;
    let size = end
        .checked_sub(start)
        .filter(|&size| size <= MAX_VDSO_BYTES)
        .ok_or(Reason::VdsoUnavailable)?;
    let read = || -> std::io::Result<Vec<u8>> {
        let mut memory = File::open("/proc/self/mem")?;
        memory.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        memory.take(size).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|_| Reason::VdsoUnavailable)?;
    Ok(FileBytes::from_memory(bytes))
}

/// Start and end of the vdso in the text of `/proc/PID/maps`.
fn vdso_range(maps: &str) -> Option<(u64, u64)> {
    let line = maps.lines().find(|line| line.ends_with(" [vdso]"))?;
    let (start, end) = line.split(' ').next()?.split_once('-')?;
    let hex = |text| u64::from_str_radix(text, 16).ok();
    Some((hex(start)?, hex(end)?))
}
