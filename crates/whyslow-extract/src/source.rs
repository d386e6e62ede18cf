//! The bytes of a table's file, as the Parquet library asks for them.
//!
//! The library's own reader of files duplicates the file handle for every page, and reads eight
//! kilobytes for a page's header. A question over hundreds of extracts reads tens of thousands of
//! pages.
//!
//! The library takes a page's word for its size and asks for that much memory at once, and goes on
//! as if there were zeros behind the end of a file. So what it reads of the footer and of the pages'
//! headers is [walked](crate::thrift) over first; a page that claims too much is an error.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::thrift::{self, Unfit};

/// Bytes read at once where a page's header is expected; nearly all are shorter.
const HEADER_BYTES: usize = 256;

/// Most bytes of a page's header; ours hold the least and the greatest value of the page.
const MOST_HEADER_BYTES: usize = 1 << 20;

/// Bytes of the end of a file: length of the footer, and a magic number.
const END_BYTES: u64 = 8;

/// `uncompressed_page_size` of a page's header.
const PAGE_BYTES_FIELD: i64 = 2;

/// Most bytes of one page; ours have some megabytes.
const MOST_PAGE_BYTES: u64 = 64 << 20;

/// Most bytes of all pages of one column of a row group.
const MOST_COLUMN_BYTES: u64 = 512 << 20;

/// A file; whoever reads from it moves the one place all read from.
#[derive(Debug)]
pub(crate) struct Source {
    file: Arc<File>,
    bytes: u64,
    /// What the pages read since the last column was begun claim to hold.
    claimed: Arc<AtomicU64>,
}

impl Source {
    pub(crate) fn new(file: File) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        let file = Arc::new(file);
        let claimed = Arc::default();
        Ok(Self {
            file,
            bytes,
            claimed,
        })
    }

    /// Returns what to set to zero before each column of a row group.
    pub(crate) fn claimed(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.claimed)
    }

    /// Returns where the footer ends.
    fn footer_end(&self) -> u64 {
        self.bytes.saturating_sub(END_BYTES)
    }
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
            file: Arc::clone(&self.file),
            start,
            claimed: Arc::clone(&self.claimed),
            bytes: None,
        };
        if start == self.footer_end() {
            let end = self.get_bytes(start, usize::try_from(self.bytes - start)?)?;
            header.bytes = Some(Cursor::new(end.into()));
        }
        Ok(header)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let left = self.bytes.saturating_sub(start);
        if length as u64 > left {
            let what = format!("expected {length} bytes at offset {start}, found {left}");
            return Err(ParquetError::EOF(what));
        }
        let mut bytes = vec![0; length];
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut bytes)?;
        if start + length as u64 == self.footer_end()
            && thrift::walk(&bytes, &mut |_, _| {}).is_err()
        {
            let what = format!("expected a footer at offset {start}");
            return Err(ParquetError::General(what));
        }
        Ok(bytes.into())
    }
}

/// The header of a page, as it is read.
#[derive(Debug)]
pub(crate) struct Header {
    file: Arc<File>,
    start: u64,
    /// Where to take note of the page's size.
    claimed: Arc<AtomicU64>,
    /// Its bytes, as soon as they are asked for.
    bytes: Option<Cursor<Vec<u8>>>,
}

impl Header {
    /// Reads it whole, and looks at it.
    fn load(&self) -> io::Result<Vec<u8>> {
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(self.start))?;
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        loop {
            let more = bytes.len().max(HEADER_BYTES) as u64;
            let read = file.take(more).read_to_end(&mut bytes)?;
            let mut page_bytes = 0_u64;
            let walked = thrift::walk(&bytes, &mut |field, value| {
                if field == PAGE_BYTES_FIELD {
                    page_bytes = value.unsigned_abs().max(page_bytes);
                }
            });
            match walked {
                Ok(length) => {
                    bytes.truncate(length);
                    self.claim(page_bytes)?;
                    return Ok(bytes);
                }
                Err(Unfit::Cut) if read > 0 && bytes.len() < MOST_HEADER_BYTES => {}
                Err(_) => {
                    let what = format!("expected a page at offset {}", self.start);
                    return Err(io::Error::other(what));
                }
            }
        }
    }

    /// Takes note of what a page claims to hold, unless that is too much.
    fn claim(&self, bytes: u64) -> io::Result<()> {
        let fits = bytes <= MOST_PAGE_BYTES
            && self.claimed.fetch_add(bytes, Ordering::Relaxed) + bytes <= MOST_COLUMN_BYTES;
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

    /// Returns what reading the header at the front of a file of these bytes comes to.
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
        // Pages of 300 bytes, of 63 MiB, of 2 GiB, and of less than nothing; then what follows.
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
