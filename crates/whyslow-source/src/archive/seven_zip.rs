//! `.7z`: LZMA and LZMA2 with their filters, the default of 7-Zip.

mod head;

use std::io::{Read, Seek};

use sevenz_rust2::{Archive, ArchiveEntry, BlockDecoder, Error, Password};

use super::{Entry, Trouble, Unpacking};

/// Unpacks the recordings of an archive.
pub(super) fn unpack(
    mut file: impl Read + Seek,
    unpacking: &mut Unpacking<'_>,
) -> Result<(), Trouble> {
    head::check(&mut file)?;
    let password = Password::empty();
    let archive = Archive::read(&mut file, &password).map_err(trouble)?;
    let files = archive.files.iter().filter(|file| !file.is_directory);
    let wanted = unpacking.choose(&files.map(entry).collect::<Vec<_>>())?;
    debug_assert!(wanted.contains(&true));
    for number in 0..archive.blocks.len() {
        let decoder = BlockDecoder::new(1, number, &archive, &password, &mut file);
        // Files are stored one after another: those after the last recording are not needed.
        let recordings = decoder.entries().iter().filter(|file| is_recording(file));
        let mut left = recordings.count();
        if left == 0 {
            continue;
        }
        let mut found = None;
        let read = decoder.for_each_entries(&mut |file, reader| {
            let entry = entry(file);
            let result = if is_recording(file) {
                left -= 1;
                unpacking.take(&entry, reader)
            } else {
                unpacking.copy(&entry, reader, |_| Ok(()))
            };
            found = result.err();
            Ok(left > 0 && found.is_none())
        });
        match found {
            Some(ours) => return Err(ours),
            None => read.map(|_| ()).map_err(trouble)?,
        }
    }
    Ok(())
}

fn entry(file: &ArchiveEntry) -> Entry {
    Entry {
        name: file.name.clone(),
        bytes: file.size,
    }
}

fn is_recording(file: &ArchiveEntry) -> bool {
    !file.is_directory && entry(file).ending().is_some()
}

fn trouble(error: Error) -> Trouble {
    match error {
        Error::PasswordRequired | Error::MaybeBadPassword(_) => Trouble::Encrypted,
        Error::UnsupportedCompressionMethod(method) if method.starts_with("AES") => {
            Trouble::Encrypted
        }
        Error::UnsupportedCompressionMethod(method) => Trouble::Method(method),
        error => Trouble::Damaged(error.to_string()),
    }
}
