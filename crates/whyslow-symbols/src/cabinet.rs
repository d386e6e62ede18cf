//! Compressed files of symbol stores: `name.pd_` is a cabinet that holds `name.pdb`.

use std::io::{Cursor, Read as _};

use crate::Reason;
use crate::file_bytes::FileBytes;

/// Larger cabinets are refused: they are unpacked in memory.
const MAX_PACKED_BYTES: u64 = 512 << 20;
/// What one may unpack to.
const MAX_BYTES: u64 = 2 << 30;

/// Unpacks the only file of a cabinet.
pub(crate) fn unpack(packed: &FileBytes) -> Result<FileBytes, Reason> {
    let bytes = packed.read(0, packed.len_bytes(), MAX_PACKED_BYTES)?;
    let unpacked = whyslow_caught::caught(move || {
        let mut cabinet = cab::Cabinet::new(Cursor::new(bytes)).ok()?;
        let mut files = cabinet
            .folder_entries()
            .flat_map(|folder| folder.file_entries());
        let name = files.next()?.name().to_owned();
        drop(files);
        let mut unpacked = Vec::new();
        let mut file = cabinet.read_file(&name).ok()?.take(MAX_BYTES + 1);
        file.read_to_end(&mut unpacked).ok()?;
        Some(unpacked)
    });
    let unpacked = unpacked.ok().flatten().ok_or(Reason::BadPdb)?;
    if unpacked.len() as u64 > MAX_BYTES {
        return Err(Reason::TooLarge);
    }
    Ok(FileBytes::from_memory(unpacked))
}
