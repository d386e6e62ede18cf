//! The bytes of a table's file, in the form that the Parquet library requests them.
//!
//! The library's own file reader duplicates the file handle for every page, and reads a page's
//! header and the page separately. A question over hundreds of extracts reads tens of thousands of
//! pages, most of them a few hundred bytes long. So a small file is read at once here, and a page
//! is read together with its header.
//!
//! The library trusts a page's stated size and allocates that much memory at once, and continues as
//! if there were zeros after the end of a file. So the footer and the pages' headers are first
//! [walked](crate::thrift); a page that claims too much is an error.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::thrift::{self, Unfit};

/// Bytes read at once at the end of a file: the whole file of a small table.
const END_READ_BYTES: u64 = 32 << 10;

/// Bytes read at once where a page's header is expected; this includes small pages.
const READ_BYTES: usize = 8 << 10;

/// Bytes of a page's header that are read first; nearly all headers are shorter.
const HEADER_BYTES: usize = 256;

/// Maximum size of a page's header; ours hold the smallest and the largest value of the page.
const MOST_HEADER_BYTES: usize = 1 << 20;

/// Bytes of the end of a file: length of the footer, and a magic number.
const END_BYTES: u64 = 8;

/// The last bytes of a file.
const MAGIC: &[u8] = b"PAR1";

/// `uncompressed_page_size` of a page's header.
const PAGE_BYTES_FIELD: i64 = 2;

/// Maximum size of one page, in bytes; ours have some megabytes.
const MOST_PAGE_BYTES: u64 = 64 << 20;

/// Maximum size of all pages of one column of a row group, in bytes.
const MOST_COLUMN_BYTES: u64 = 512 << 20;

/// A file that is read in pieces.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    file: Arc<File>,
    bytes: u64,
    /// The piece read last.
    last: Arc<Mutex<Piece>>,
    /// Bytes claimed by the pages read since the last column was begun.
    claimed: Arc<AtomicU64>,
}

/// Some bytes of a file.
#[derive(Debug)]
struct Piece {
    start: u64,
    bytes: Bytes,
}

impl Piece {
    /// Returns bytes of the file if they are all in the piece.
    fn get(&self, start: u64, length: usize) -> Option<Bytes> {
        let from = usize::try_from(start.checked_sub(self.start)?).ok()?;
        let to = from.checked_add(length)?;
        (to <= self.bytes.len()).then(|| self.bytes.slice(from..to))
    }
}

impl Source {
    pub(crate) fn new(file: File) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        let start = bytes.saturating_sub(END_READ_BYTES);
        let end = read_at(&file, start, to_usize(bytes - start)?)?;
        Ok(Self {
            file: Arc::new(file),
            bytes,
            last: Arc::new(Mutex::new(Piece { start, bytes: end })),
            claimed: Arc::default(),
        })
    }

    /// Returns the counter that must be reset to zero before each column of a row group.
    pub(crate) fn claimed(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.claimed)
    }

    /// Returns the end of the footer.
    fn footer_end(&self) -> u64 {
        self.bytes.saturating_sub(END_BYTES)
    }

    /// Returns the footer as stored in the file.
    pub(crate) fn footer(&self) -> Result<Bytes> {
        let at = self.footer_end();
        let end = self.get_bytes(at, usize::try_from(END_BYTES)?)?;
        let length = end.first_chunk().map(|length| u32::from_le_bytes(*length));
        match length.and_then(|length| Some((at.checked_sub(length.into())?, length))) {
            Some((start, length)) if end.ends_with(MAGIC) => {
                self.get_bytes(start, usize::try_from(length)?)
            }
            _ => Err(ParquetError::General("expected a Parquet file".to_owned())),
        }
    }

    /// Returns bytes of the file, which must have that many; if there are few, the bytes after them
    /// are read with them.
    fn piece(&self, start: u64, length: usize) -> io::Result<Bytes> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = last.get(start, length) {
            return Ok(bytes);
        }
        if length >= READ_BYTES {
            return read_at(&self.file, start, length);
        }
        let at_once = self.bytes.saturating_sub(start).min(READ_BYTES as u64);
        let bytes = read_at(&self.file, start, to_usize(at_once)?)?;
        *last = Piece { start, bytes };
        last.get(start, length)
            .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

fn to_usize(bytes: u64) -> io::Result<usize> {
    usize::try_from(bytes).map_err(|_| io::ErrorKind::FileTooLarge.into())
}

/// Reads a part of a file.
fn read_at(file: &File, start: u64, length: usize) -> io::Result<Bytes> {
    let mut bytes = vec![0; length];
    #[cfg(unix)]
    std::os::unix::fs::FileExt::read_exact_at(file, &mut bytes, start)?;
    #[cfg(not(unix))]
    {
        let mut file = file;
        io::Seek::seek(&mut file, io::SeekFrom::Start(start))?;
        file.read_exact(&mut bytes)?;
    }
    Ok(bytes.into())
}

impl Length for Source {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for Source {
    type T = Header;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        let mut header = Header {
            source: self.clone(),
            start,
            bytes: None,
        };
        if start == self.footer_end() {
            let end = self.get_bytes(start, usize::try_from(self.bytes - start)?)?;
            header.bytes = Some(Cursor::new(end));
        }
        Ok(header)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let left = self.bytes.saturating_sub(start);
        if length as u64 > left {
            let what = format!("expected {length} bytes at offset {start}, found {left}");
            return Err(ParquetError::EOF(what));
        }
        let bytes = self.piece(start, length)?;
        if start + length as u64 == self.footer_end()
            && thrift::walk(&bytes, &mut |_, _| {}).is_err()
        {
            let what = format!("expected a footer at offset {start}");
            return Err(ParquetError::General(what));
        }
        Ok(bytes)
    }
}

/// The header of a page while it is read.
#[derive(Debug)]
pub(crate) struct Header {
    source: Source,
    start: u64,
    /// Its bytes, once they have been requested.
    bytes: Option<Cursor<Bytes>>,
}

impl Header {
    /// Reads the whole header and checks it.
    fn load(&self) -> io::Result<Bytes> {
        let left = to_usize(self.source.bytes.saturating_sub(self.start))?;
        let mut length = HEADER_BYTES;
        loop {
            let bytes = self.source.piece(self.start, length.min(left))?;
            let mut page_bytes = 0_u64;
            let walked = thrift::walk(&bytes, &mut |field, value| {
                if field == PAGE_BYTES_FIELD {
                    page_bytes = value.unsigned_abs().max(page_bytes);
                }
            });
            match walked {
                Ok(length) => {
                    self.claim(page_bytes)?;
                    return Ok(bytes.slice(..length));
                }
                Err(Unfit::Cut) if length < left.min(MOST_HEADER_BYTES) => length *= 2,
                Err(_) => {
                    let what = format!("expected a page at offset {}", self.start);
                    return Err(io::Error::other(what));
                }
            }
        }
    }

    /// Counts the bytes that a page claims to hold, unless that is too much.
    fn claim(&self, bytes: u64) -> io::Result<()> {
        let claimed = &self.source.claimed;
        let fits = bytes <= MOST_PAGE_BYTES
            && claimed.fetch_add(bytes, Ordering::Relaxed) + bytes <= MOST_COLUMN_BYTES;
        if fits {
            return Ok(());
        }
        let what = format!("the page at offset {} claims {bytes} bytes", self.start);
        Err(io::Error::other(what))
    }
}

impl Read for Header {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_none() {
            self.bytes = Some(Cursor::new(self.load()?));
        }
        match &mut self.bytes {
            Some(header) => header.read(bytes),
            None => Ok(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the result of reading the header at the front of a file with these bytes.
    fn read_header(name: &str, bytes: &[u8], times: usize) -> io::Result<Vec<u8>> {
        let path = std::env::temp_dir().join(format!("whyslow-{name}-{}", std::process::id()));
        std::fs::write(&path, bytes)?;
        let source = Source::new(File::open(&path)?)?;
        std::fs::remove_file(&path)?;
        let mut read = Vec::new();
        for _ in 0..times {
            read.clear();
            let mut header = source.get_read(0).map_err(io::Error::other)?;
            header.read_to_end(&mut read)?;
        }
        Ok(read)
    }

    #[test]
    fn what_claims_too_much_is_not_read() {
        // Pages of 300 bytes, of 63 MiB, of 2 GiB, and of a negative size; then other bytes.
        let page = |size: &[u8]| [&[0x15, 0, 0x15], size, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]].concat();
        let small = page(&[0xd8, 4]);
        let header = read_header("small", &small, 1000).expect("a header");
        assert_eq!(header, small[..6], "and not what follows");
        let large = page(&[0x80, 0x80, 0x80, 0x3f]);
        assert!(read_header("large", &large, 8).is_ok());
        assert!(read_header("many", &large, 9).is_err(), "too much together");
        let huge = page(&[0xfe, 0xff, 0xff, 0xff, 0x0f]);
        assert!(read_header("huge", &huge, 1).is_err());
        let negative = page(&[0xff, 0xff, 0xff, 0xff, 0x0f]);
        assert!(read_header("negative", &negative, 1).is_err());
        let cut = [&[0x15, 0, 0x18, 0xe8, 7], &[b'a'; 999][..]].concat();
        assert!(read_header("cut", &cut, 1).is_err());
    }

    #[test]
    fn a_long_header_is_read_whole() {
        // A text of 1,000 bytes as a statistic.
        let long = [
            &[0x15, 0, 0x15, 2, 0x3c, 0x18, 0xe8, 7],
            &[b'a'; 1000][..],
            &[0, 0, 9, 9],
        ];
        let long = long.concat();
        let header = read_header("long", &long, 1).expect("a header");
        assert_eq!(header, long[..long.len() - 2]);
    }
}
