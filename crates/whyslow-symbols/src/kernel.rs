//! Symbols of the running kernel, if it is the recorded one.
//!
//! Two facts identify a kernel and its place in memory: the build id (`/sys/kernel/notes`) and
//! the address of `_text`, which changes at every boot where the kernel is placed at random.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::build_id::build_id_in_native_notes;
use crate::{KernelSymbols, Reason};

const MAX_KALLSYMS_BYTES: u64 = 256 << 20;
const MAX_NOTES_BYTES: u64 = 1 << 20;

/// What a trace says about the kernel it was recorded under.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KernelIdentity {
    /// GNU build id of the kernel; `None` when the trace has none.
    pub build_id: Option<Vec<u8>>,
    /// Address of `_text` in the kernel's memory; `None` when the trace has none.
    pub text_address: Option<u64>,
}

impl KernelSymbols {
    /// Reads the symbols of the running kernel, provided that it is the `expected` one.
    ///
    /// # Errors
    /// [`Reason::KernelDiffers`] when build id or `_text` differ from what is expected, or when
    /// nothing is expected that could be compared; [`Reason::KernelHidden`] when the kernel shows
    /// no addresses to this user; [`Reason::KernelMissing`] when it has no symbol list.
    pub fn from_running_kernel(expected: &KernelIdentity) -> Result<Self, Reason> {
        from_files(
            Path::new("/proc/kallsyms"),
            Path::new("/sys/kernel/notes"),
            expected,
        )
    }
}

fn from_files(
    kallsyms: &Path,
    notes: &Path,
    expected: &KernelIdentity,
) -> Result<KernelSymbols, Reason> {
    if expected.build_id.is_none() && expected.text_address.is_none() {
        return Err(Reason::KernelDiffers);
    }
    if let Some(id) = &expected.build_id {
        let notes = read_limited(notes, MAX_NOTES_BYTES)?;
        if build_id_in_native_notes(&notes).as_ref() != Some(id) {
            return Err(Reason::KernelDiffers);
        }
    }
    let text = read_limited(kallsyms, MAX_KALLSYMS_BYTES)?;
    let symbols = KernelSymbols::from_kallsyms_text(text)?;
    if let Some(address) = expected.text_address
        && symbols.address_of("_text") != Some(address)
    {
        return Err(Reason::KernelDiffers);
    }
    Ok(symbols)
}

fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, Reason> {
    let file = File::open(path).map_err(|_| Reason::KernelMissing)?;
    // The kernel reports these files as empty, so there is no size to go by.
    let mut bytes = Vec::with_capacity(64 << 10);
    file.take(limit)
        .read_to_end(&mut bytes)
        .map_err(|_| Reason::KernelMissing)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
