//! The bytes of a table's file, as the Parquet library asks for them.
//!
//! The library's own reader of files duplicates the file handle for every page, and reads eight
//! kilobytes for a page's header. A question over hundreds of extracts reads tens of thousands of
//! pages.
//!
//! The library takes a page's word for its size and asks for that much memory at once, and goes on
//! as if there were zeros behind the end of a file. So what it reads of a page's header is looked at
//! first: one that claims too much is an error, and so is its end. The header is a Thrift structure in
//! compact form (`PageHeader` of `parquet.thrift`) whose first three fields are required, so that
//! every writer begins it alike.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// Bytes read at once where a page's header is expected; nearly all are shorter.
const HEADER_BYTES: usize = 256;

/// Most bytes of a page's header; ours hold the least and the greatest value of the page.
const MOST_HEADER_BYTES: usize = 1 << 20;

/// Bytes of the end of a file: length of the footer, and a magic number.
const END_BYTES: u64 = 8;

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

    fn at(&self, start: u64) -> Result<Arc<File>> {
        let mut file = Arc::clone(&self.file);
        file.seek(SeekFrom::Start(start))?;
        Ok(file)
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
        let is_page = start != self.bytes.saturating_sub(END_BYTES);
        Ok(Header {
            reader: BufReader::with_capacity(HEADER_BYTES, self.at(start)?),
            left: MOST_HEADER_BYTES,
            claimed: is_page.then(|| self.claimed()),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let left = self.bytes.saturating_sub(start);
        if length as u64 > left {
            let what = format!("expected {length} bytes at offset {start}, found {left}");
            return Err(ParquetError::EOF(what));
        }
        let mut bytes = vec![0; length];
        self.at(start)?.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// The header of a page, as it is read.
#[derive(Debug)]
pub(crate) struct Header {
    reader: BufReader<Arc<File>>,
    /// How much more of it is read at most.
    left: usize,
    /// Where to take note of the page's size, which has not been looked at yet.
    claimed: Option<Arc<AtomicU64>>,
}

impl Read for Header {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let Some(claimed) = self.claimed.take() {
            claim(self.reader.fill_buf()?, &claimed)?;
        }
        let wanted = bytes.len().min(self.left);
        let (wanted, _) = bytes.split_at_mut(wanted);
        let read = self.reader.read(wanted)?;
        self.left -= read;
        if read == 0 && !bytes.is_empty() {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        Ok(read)
    }
}

/// Adds what the page with this header claims to hold, unless that is too much.
fn claim(header: &[u8], claimed: &AtomicU64) -> io::Result<()> {
    let Some(bytes) = page_bytes(header) else {
        return Err(io::Error::other("expected a page"));
    };
    let before = claimed.fetch_add(bytes, Ordering::Relaxed);
    if bytes > MOST_PAGE_BYTES || before + bytes > MOST_COLUMN_BYTES {
        let what = format!("a page claims {bytes} bytes");
        return Err(io::Error::other(what));
    }
    Ok(())
}

/// Returns the size that a page has once it is decompressed, as its header claims.
fn page_bytes(header: &[u8]) -> Option<u64> {
    /// Head of a 32-bit number whose field follows the one before.
    const NEXT_I32: u8 = 0x15;
    let (_kind, rest) = varint(header.strip_prefix(&[NEXT_I32])?)?;
    let (zigzag, _rest) = varint(rest.strip_prefix(&[NEXT_I32])?)?;
    // A negative size claims far too much.
    Some(zigzag / 2 + (zigzag % 2) * u64::from(u32::MAX))
}

/// Reads a number of up to 32 bits, seven in a byte; returns what follows too.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (index, &byte) in bytes.iter().take(5).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Some((value, bytes.get(index + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_tells_its_size() {
        // A data page of 300 bytes, 40 of them stored; zigzag doubles the numbers.
        assert_eq!(page_bytes(&[0x15, 0, 0x15, 0xd8, 4, 0x15, 80]), Some(300));
        let huge = [0x15, 4, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f];
        assert_eq!(page_bytes(&huge), Some(u64::from(i32::MAX.unsigned_abs())));
        assert!(page_bytes(&[0x15, 0, 0x15, 1]).is_some_and(|bytes| bytes > MOST_PAGE_BYTES));
        assert_eq!(page_bytes(&[0x15, 0, 0x25, 2]), None);
        assert_eq!(
            page_bytes(&[0x15, 0, 0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
            None
        );
        assert_eq!(page_bytes(b""), None);
    }

    /// Returns what reading a page's header from a file of these bytes comes to.
    fn read_header(name: &str, bytes: &[u8], times: usize) -> io::Result<Vec<u8>> {
        let path = std::env::temp_dir().join(format!("whyslow-{name}-{}", std::process::id()));
        std::fs::write(&path, bytes)?;
        let source = Source::new(File::open(&path)?)?;
        std::fs::remove_file(&path)?;
        let mut read = vec![0; bytes.len()];
        for _ in 0..times {
            let mut header = source.get_read(0).map_err(io::Error::other)?;
            header.read_exact(&mut read)?;
            assert_eq!(header.read(&mut []).ok(), Some(0));
            assert!(header.read(&mut [0]).is_err(), "the end is an error");
        }
        Ok(read)
    }

    #[test]
    fn what_claims_too_much_is_not_read() {
        // Pages of 300 bytes, of 63 MiB, and of 2 GiB.
        let small = [0x15, 0, 0x15, 0xd8, 4, 0x15, 80, 0, 0];
        assert_eq!(
            read_header("small", &small, 1000).ok(),
            Some(small.to_vec())
        );
        let large = [0x15, 0, 0x15, 0x80, 0x80, 0x80, 0x3f, 0x15, 80];
        assert!(read_header("large", &large, 8).is_ok());
        assert!(read_header("many", &large, 9).is_err(), "too much together");
        let huge = [0x15, 0, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0x15, 80];
        assert!(read_header("huge", &huge, 1).is_err());
    }
}
