//! Positioned, bounded reads from a file or from memory.
//!
//! ELF files are read piece by piece with `pread`, never mapped: a mapped file that a compiler or
//! package manager truncates meanwhile kills the reader with SIGBUS, while a short read is an
//! ordinary error. Only regular files are opened, because a recorded path may by now be a FIFO
//! (opening it would hang) or a device.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::Reason;

/// A file (or a copy of one in memory) that is read at given offsets.
#[derive(Debug, Clone)]
pub(crate) struct FileBytes {
    data: Data,
    len_bytes: u64,
}

#[derive(Debug, Clone)]
enum Data {
    File(Arc<File>),
    Memory(Arc<[u8]>),
    /// The known parts of a file, by offset, in ascending order.
    Parts(Arc<[(u64, Vec<u8>)]>),
}

impl FileBytes {
    /// Opens a regular file; symbolic links are followed.
    pub(crate) fn open(path: &Path) -> Result<Self, Reason> {
        Self::open_with(path, &mut OpenOptions::new())
    }

    /// Opens a regular file, refusing a symbolic link as its last component.
    pub(crate) fn open_no_follow(path: &Path) -> Result<Self, Reason> {
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            let flags = rustix::fs::OFlags::NOFOLLOW.bits();
            options.custom_flags(flags.cast_signed());
        }
        if std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink()) {
            return Err(Reason::FileUnreadable);
        }
        Self::open_with(path, &mut options)
    }

    fn open_with(path: &Path, options: &mut OpenOptions) -> Result<Self, Reason> {
        let meta = std::fs::metadata(path).map_err(|e| reason_of(&e))?;
        if !meta.is_file() {
            return Err(Reason::FileUnreadable);
        }
        Self::of(options.read(true).open(path).map_err(|e| reason_of(&e))?)
    }

    /// Takes a regular file that is open.
    pub(crate) fn of(file: File) -> Result<Self, Reason> {
        let meta = file.metadata().map_err(|e| reason_of(&e))?;
        if !meta.is_file() {
            return Err(Reason::FileUnreadable);
        }
        Ok(Self {
            len_bytes: meta.len(),
            data: Data::File(Arc::new(file)),
        })
    }

    /// Takes bytes that are in memory already.
    pub(crate) fn from_memory(bytes: Vec<u8>) -> Self {
        Self {
            len_bytes: bytes.len() as u64,
            data: Data::Memory(bytes.into()),
        }
    }

    /// Takes parts of a file, by their offsets in ascending order; the rest of it cannot be read.
    pub(crate) fn from_parts(parts: Arc<[(u64, Vec<u8>)]>, len_bytes: u64) -> Self {
        let data = Data::Parts(parts);
        Self { data, len_bytes }
    }

    /// Size in bytes when it was opened.
    pub(crate) const fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    /// When the file was last written; `None` for memory.
    pub(crate) fn modified(&self) -> Option<std::time::SystemTime> {
        match &self.data {
            Data::File(file) => file.metadata().ok()?.modified().ok(),
            Data::Memory(_) | Data::Parts(_) => None,
        }
    }

    /// Number of the user that the file belongs to; `None` for memory, and where there are no such numbers.
    #[cfg_attr(
        not(unix),
        expect(clippy::unused_self, reason = "there are no such numbers")
    )]
    pub(crate) fn owner(&self) -> Option<u32> {
        #[cfg(unix)]
        if let Data::File(file) = &self.data {
            use std::os::unix::fs::MetadataExt as _;
            return Some(file.metadata().ok()?.uid());
        }
        None
    }

    /// Fills `buffer` from `offset`.
    pub(crate) fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Reason> {
        match &self.data {
            Data::File(file) => {
                read_file_at(file, offset, buffer).map_err(|_| Reason::FileUnreadable)
            }
            Data::Memory(bytes) => {
                let start = usize::try_from(offset).map_err(|_| Reason::BadElf)?;
                let end = start.checked_add(buffer.len()).ok_or(Reason::BadElf)?;
                buffer.copy_from_slice(bytes.get(start..end).ok_or(Reason::BadElf)?);
                Ok(())
            }
            Data::Parts(parts) => {
                let found = in_parts(parts, offset, buffer.len());
                buffer.copy_from_slice(found.ok_or(Reason::FileUnreadable)?);
                Ok(())
            }
        }
    }

    /// Reads `size` bytes at `offset`; at most `limit`, and never beyond the end.
    pub(crate) fn read(&self, offset: u64, size: u64, limit: u64) -> Result<Vec<u8>, Reason> {
        let end = offset.checked_add(size).ok_or(Reason::BadElf)?;
        if end > self.len_bytes {
            return Err(Reason::BadElf);
        }
        if size > limit {
            return Err(Reason::TooLarge);
        }
        let mut buffer = vec![0; usize::try_from(size).map_err(|_| Reason::TooLarge)?];
        self.read_exact_at(offset, &mut buffer)?;
        Ok(buffer)
    }
}

/// `count` bytes from `offset` on, if one part has them all.
fn in_parts(parts: &[(u64, Vec<u8>)], offset: u64, count: usize) -> Option<&[u8]> {
    let behind = parts.partition_point(|(start, _)| *start <= offset);
    let (start, bytes) = parts.get(behind.checked_sub(1)?)?;
    let at = usize::try_from(offset - start).ok()?;
    bytes.get(at..at.checked_add(count)?)
}

#[cfg(unix)]
fn read_file_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_file_at(file: &File, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    use std::os::windows::fs::FileExt as _;
    while !buffer.is_empty() {
        let n = file.seek_read(buffer, offset)?;
        if n == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        offset += n as u64;
        buffer = buffer.split_at_mut(n).1;
    }
    Ok(())
}

fn reason_of(error: &io::Error) -> Reason {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Reason::FileMissing,
        io::ErrorKind::PermissionDenied => Reason::FileDenied,
        _ => Reason::FileUnreadable,
    }
}
