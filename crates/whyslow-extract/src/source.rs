//! The bytes of a table's file, as the Parquet library asks for them.
//!
//! The library's own reader of files duplicates the file handle for every page, and reads eight
//! kilobytes for a page's header. A question over hundreds of extracts reads tens of thousands of
//! pages.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// Bytes read at once where a page's header is expected; nearly all are shorter.
const HEADER_BYTES: usize = 256;

/// A file; whoever reads from it moves the one place all read from.
#[derive(Debug)]
pub(crate) struct Source {
    file: Arc<File>,
    bytes: u64,
}

impl Source {
    pub(crate) fn new(file: File) -> std::io::Result<Self> {
        let bytes = file.metadata()?.len();
        let file = Arc::new(file);
        Ok(Self { file, bytes })
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
    type T = BufReader<Arc<File>>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::with_capacity(HEADER_BYTES, self.at(start)?))
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
