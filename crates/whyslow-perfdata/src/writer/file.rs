//! The file: header, attributes, data, feature sections.
//!
//! ```text
//! 0        header (104 bytes): where the attributes and the data are, which features exist
//! 104      ids of the events
//!          attributes, each with the place of its ids
//!          sections known at the start, for readers of unfinished files
//! data     records
//!          directory of the feature sections, then the sections
//! ```
//!
//! Until [`FileWriter::finish`] is called, the header says that the data is 0 bytes long: perf
//! warns and reads to the end of the file, as does our reader.

use std::io::{Seek, SeekFrom, Write};

use super::attr::ATTR_BYTES;
use super::features::{EventDescription, Features};
use crate::whyslow_events::EARLY_MAGIC;

const HEADER_BYTES: u64 = 104;
const MAGIC: [u8; 8] = *b"PERFILE2";
const ATTR_ENTRY_BYTES: usize = ATTR_BYTES + 16;
const FLUSH_BYTES: usize = 1 << 20;

/// Writes one `perf.data` file.
#[derive(Debug)]
pub struct FileWriter<W> {
    out: W,
    pending: Vec<u8>,
    layout: Layout,
    written_bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Layout {
    attrs_offset: u64,
    attrs_bytes: u64,
    data_offset: u64,
}

impl<W: Write + Seek> FileWriter<W> {
    /// Starts a file with these events. `early` are the sections that a reader sees if the
    /// recording is never finished; [`finish`](Self::finish) repeats them.
    ///
    /// # Errors
    /// Those of writing to `out`.
    pub fn create(
        mut out: W,
        events: &[EventDescription],
        early: &Features,
    ) -> std::io::Result<Self> {
        let mut ids = Vec::new();
        let mut attrs = Vec::new();
        for event in events {
            let ids_offset = HEADER_BYTES + ids.len() as u64;
            ids.extend(event.ids.iter().flat_map(|id| id.to_ne_bytes()));
            attrs.extend_from_slice(&event.attr.to_bytes());
            attrs.extend_from_slice(&ids_offset.to_ne_bytes());
            attrs.extend_from_slice(&(event.ids.len() as u64 * 8).to_ne_bytes());
        }
        let attrs_offset = HEADER_BYTES + ids.len() as u64;
        let early_offset = attrs_offset + attrs.len() as u64;
        let early = early_block(early, early_offset);
        let layout = Layout {
            attrs_offset,
            attrs_bytes: attrs.len() as u64,
            data_offset: early_offset + early.len() as u64,
        };
        out.write_all(&layout.header(0, &[0; 4]))?;
        out.write_all(&ids)?;
        out.write_all(&attrs)?;
        out.write_all(&early)?;
        Ok(Self {
            out,
            pending: Vec::with_capacity(2 * FLUSH_BYTES),
            layout,
            written_bytes: 0,
        })
    }

    /// Appends whole records.
    ///
    /// # Errors
    /// Those of writing; the file is then useless.
    pub fn write(&mut self, records: &[u8]) -> std::io::Result<()> {
        self.pending.extend_from_slice(records);
        if self.pending.len() >= FLUSH_BYTES {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Appends whole records and hands everything to the operating system at once.
    ///
    /// # Errors
    /// Those of writing; the file is then useless.
    pub fn write_through(&mut self, records: &[u8]) -> std::io::Result<()> {
        self.flush()?;
        self.out.write_all(records)?;
        self.written_bytes += records.len() as u64;
        Ok(())
    }

    /// Hands everything to the operating system, so that it survives the end of this process.
    ///
    /// # Errors
    /// Those of writing; the file is then useless.
    pub fn flush(&mut self) -> std::io::Result<()> {
        self.out.write_all(&self.pending)?;
        self.written_bytes += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Returns the bytes of records so far.
    pub fn data_bytes(&self) -> u64 {
        self.written_bytes + self.pending.len() as u64
    }

    /// Writes the feature sections and the final header; returns `out` and the size of the file.
    ///
    /// # Errors
    /// Those of writing; the file is then still unfinished.
    pub fn finish(mut self, features: &Features) -> std::io::Result<(W, u64)> {
        self.flush()?;
        let mut bits = [0_u64; 4];
        let mut directory = Vec::new();
        let mut contents = Vec::new();
        let count = features.iter().count() as u64;
        let contents_offset = self.layout.data_offset + self.written_bytes + count * 16;
        for (number, bytes) in features.iter() {
            if let Some(word) = bits.get_mut(usize::from(number / 64)) {
                *word |= 1 << (number % 64);
            }
            let offset = contents_offset + contents.len() as u64;
            directory.extend_from_slice(&offset.to_ne_bytes());
            directory.extend_from_slice(&(bytes.len() as u64).to_ne_bytes());
            contents.extend_from_slice(bytes);
        }
        self.out.write_all(&directory)?;
        self.out.write_all(&contents)?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out
            .write_all(&self.layout.header(self.written_bytes, &bits))?;
        self.out.flush()?;
        Ok((self.out, contents_offset + contents.len() as u64))
    }
}

impl Layout {
    fn header(self, data_bytes: u64, features: &[u64; 4]) -> Vec<u8> {
        let mut header = MAGIC.to_vec();
        let words = [
            HEADER_BYTES,
            ATTR_ENTRY_BYTES as u64,
            self.attrs_offset,
            self.attrs_bytes,
            self.data_offset,
            data_bytes,
            0,
            0,
        ];
        header.extend(
            words
                .iter()
                .chain(features)
                .flat_map(|word| word.to_ne_bytes()),
        );
        header
    }
}

/// The sections for readers of an unfinished file; see `whyslow_events::early_sections`.
fn early_block(features: &Features, offset: u64) -> Vec<u8> {
    let count = features.iter().count() as u64;
    let mut block = EARLY_MAGIC.to_vec();
    block.extend_from_slice(&count.to_ne_bytes());
    let mut contents = Vec::new();
    for (number, bytes) in features.iter() {
        let place = offset + 16 + count * 24 + contents.len() as u64;
        for word in [u64::from(number), place, bytes.len() as u64] {
            block.extend_from_slice(&word.to_ne_bytes());
        }
        contents.extend_from_slice(bytes);
    }
    block.append(&mut contents);
    block.resize(block.len().next_multiple_of(8), 0);
    block
}
