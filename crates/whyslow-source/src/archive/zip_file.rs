//! `.zip`: stored and deflated, including Deflate64, which Windows uses beyond 2 GB.

use std::io::{Read, Seek};

use zip::ZipArchive;
use zip::result::ZipError;

use super::{Entry, Trouble, Unpacking};

/// Unpacks the recordings of an archive.
pub(super) fn unpack(file: impl Read + Seek, unpacking: &mut Unpacking<'_>) -> Result<(), Trouble> {
    let mut archive = ZipArchive::new(file).map_err(trouble)?;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).map_err(trouble)?;
        // Names of directories end in a slash, so they are not recordings.
        let name = String::from_utf8_lossy(file.name_raw()).into_owned();
        let bytes = file.size();
        entries.push(Entry { name, bytes });
    }
    let wanted = unpacking.choose(&entries)?;
    for (index, entry) in entries.iter().enumerate() {
        if wanted.get(index) == Some(&true) {
            let mut file = archive.by_index(index).map_err(trouble)?;
            unpacking.take(entry, &mut file)?;
        }
    }
    Ok(())
}

fn trouble(error: ZipError) -> Trouble {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Trouble::Encrypted,
        ZipError::CompressionMethodNotSupported(method) => Trouble::Method(method.to_string()),
        error => Trouble::Damaged(error.to_string()),
    }
}
