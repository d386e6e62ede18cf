//! Where the bytes come from.

use std::fs::File;
use std::io;
use std::sync::Arc;

/// Bytes that can be read at any offset: a file, a slice, an entry of an archive held in memory.
pub trait Source {
    /// Returns how many bytes there are.
    fn size(&self) -> u64;

    /// Reads into `into` from `offset`; returns how many bytes were read, fewer than requested only
    /// at the end.
    ///
    /// # Errors
    /// When the bytes cannot be read.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize>;

    /// Returns the same bytes for another thread; `None` if that is not possible.
    fn share(&self) -> Option<Box<dyn Source + Send>> {
        None
    }
}

impl Source for [u8] {
    fn size(&self) -> u64 {
        u64::try_from(self.len()).unwrap_or(u64::MAX)
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.get(at..).unwrap_or_default();
        let count = rest.len().min(into.len());
        if let (Some(to), Some(from)) = (into.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }
}

impl Source for Vec<u8> {
    fn size(&self) -> u64 {
        self.as_slice().size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        self.as_slice().read_at(offset, into)
    }
}

impl<S: Source + ?Sized> Source for &S {
    fn size(&self) -> u64 {
        (**self).size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, into)
    }

    fn share(&self) -> Option<Box<dyn Source + Send>> {
        (**self).share()
    }
}

/// A file with the size it had when it was opened here: data appended later is not read.
#[derive(Debug, Clone)]
pub struct FileSource {
    file: Arc<File>,
    size: u64,
}

impl FileSource {
    /// Takes an open file.
    ///
    /// # Errors
    /// When its size cannot be determined.
    pub fn new(file: File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        let file = Arc::new(file);
        Ok(Self { file, size })
    }
}

impl Source for FileSource {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while let Some(rest) = into.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let from = offset.saturating_add(u64::try_from(done).unwrap_or(u64::MAX));
            match read_once(&self.file, from, rest) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    fn share(&self) -> Option<Box<dyn Source + Send>> {
        Some(Box::new(self.clone()))
    }
}

#[cfg(unix)]
fn read_once(file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, into, offset)
}

#[cfg(windows)]
fn read_once(file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, into, offset)
}
