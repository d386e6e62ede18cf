//! The head of a file: magic, attributes, and where the data and the sections are.
//!
//! ```text
//! 0    magic PERFILE2 (8), size of this header (8), size of an attribute entry (8)
//! 24   attributes, data, event types: offset (8) and size (8) each
//! 72   which sections exist, 256 bits
//! 104  ids, attributes, …
//!      data
//!      directory of the sections, one entry per bit: offset (8) and size (8)
//! ```
//!
//! Source of knowledge: `tools/perf/Documentation/perf.data-file-format.txt`.

use std::io::SeekFrom;

use crate::abi::feature;
use crate::attr::Attr;
use crate::endian::{Cursor, Endian, count};
use crate::error::{Error, ErrorKind};
use crate::event::Events;
use crate::fault::{FaultKind, Faults};
use crate::features::{Features, MOST_SECTION_BYTES};
use crate::head::{HEADER, Head, PLACE, ReadSeek, Section, read_at};
use crate::whyslow_events::early_sections;

/// The header of a regular file, read.
#[derive(Debug, Default)]
pub(crate) struct Header {
    pub(crate) events: Events,
    pub(crate) features: Features,
    pub(crate) data: Section,
    /// The bytes between the attributes and the data.
    pub(crate) gap: Vec<u8>,
    /// Their file offset.
    pub(crate) gap_offset: u64,
}

const MOST_GAP_BYTES: u64 = 64 << 20;
const MOST_ATTR_BYTES: u64 = 16 << 20;

impl Header {
    /// Reads header, attributes and sections; damage in them is a fault, not an error.
    pub(crate) fn read(
        input: &mut dyn ReadSeek,
        endian: Endian,
        faults: &mut Faults,
    ) -> Result<Self, Box<Error>> {
        let file_size = input.seek(SeekFrom::End(0)).map_err(|e| Error::io(0, e))?;
        let head = Head::read(input, endian)?;
        if head.data.offset > file_size {
            let what = format!("expected data at {:#x}, found the end", head.data.offset);
            return Err(Error::new(ErrorKind::BadHeader, file_size, what));
        }
        let mut header = Self {
            data: head.data,
            ..Self::default()
        };
        let there = file_size - head.data.offset;
        if head.data.size == 0 && there > 0 && !head.has_directory_at_data(input, endian) {
            header.data.size = there;
            faults.add(FaultKind::Truncated, head.data.offset, || {
                "the recorder was stopped before it could finish the file".to_owned()
            });
        } else if head.data.size > there {
            let missing = head.data.size - there;
            faults.add_lost(FaultKind::Truncated, file_size, missing, || {
                format!("{missing} bytes of the data are missing at the file's end")
            });
            header.data.size = there;
        } else {
            let directory = (head.bits, head.data.end());
            header.read_features(input, endian, directory, faults);
        }
        header.read_attrs(input, endian, &head, faults)?;
        header.read_gap(input, endian, &head);
        if let Some(section) = header.features.raw(feature::EVENT_DESC).map(<[u8]>::to_vec)
            && header.events.describe(&section, endian).is_none()
        {
            let detail = || "names of the events".to_owned();
            faults.add(FaultKind::BadFeature, head.data.end(), detail);
        }
        Ok(header)
    }

    /// Reads the bytes between attributes and data. If our own recorder could not finish a file,
    /// the sections are there; see [`whyslow_events`](crate::whyslow_events).
    fn read_gap(&mut self, input: &mut dyn ReadSeek, endian: Endian, head: &Head) {
        let offset = head.attrs.end().max(HEADER);
        let size = head.data.offset.saturating_sub(offset).min(MOST_GAP_BYTES);
        self.gap = read_at(input, Section { offset, size }).unwrap_or_default();
        self.gap_offset = offset;
        if head.data.size != 0 {
            return;
        }
        for early in early_sections(&self.gap, endian) {
            let within = early.offset.checked_sub(offset);
            let bytes = within.and_then(|at| {
                let rest = self.gap.get(crate::endian::size(at)..)?;
                rest.get(..crate::endian::size(early.size_bytes))
            });
            // A section that does not decode is missing, as all of them would be without this
            // block.
            let _ = bytes.and_then(|bytes| self.features.take(early.feature, bytes, endian));
        }
    }

    fn read_attrs(
        &mut self,
        input: &mut dyn ReadSeek,
        endian: Endian,
        head: &Head,
        faults: &mut Faults,
    ) -> Result<(), Box<Error>> {
        let Section { offset, size } = head.attrs;
        if size > MOST_ATTR_BYTES {
            let what = format!("expected at most {MOST_ATTR_BYTES} bytes of attributes, {size}");
            return Err(Error::new(ErrorKind::BadHeader, offset, what));
        }
        let bytes = read_at(input, head.attrs)?;
        let entry_size = crate::endian::size(head.attr_size);
        for entry in bytes.chunks_exact(entry_size) {
            let (attr, place) = entry.split_at(entry_size.saturating_sub(PLACE));
            let ids = Section::take(&mut Cursor::new(place, endian)).unwrap_or_default();
            let Some(attr) = Attr::decode(attr, endian) else {
                continue;
            };
            if !self.events.has_room(ids.size / 8) {
                let detail = || format!("an event with {} ids", ids.size / 8);
                faults.add(FaultKind::Limit, offset, detail);
                continue;
            }
            let ids = read_ids(input, ids, endian);
            self.events.add(attr, ids);
        }
        if self.events.all.is_empty() {
            let what = "expected the attributes of an event, found none";
            return Err(Error::new(ErrorKind::BadHeader, offset, what));
        }
        Ok(())
    }

    fn read_features(
        &mut self,
        input: &mut dyn ReadSeek,
        endian: Endian,
        (bits, mut directory): ([u64; 4], u64),
        faults: &mut Faults,
    ) {
        // Sections of a hostile file may overlap: limit the total that is read.
        let mut budget = 4 * MOST_SECTION_BYTES;
        for bit in 0..feature::BITS {
            let word = bits.get(usize::from(bit / 64)).copied().unwrap_or(0);
            if word & (1 << (bit % 64)) == 0 {
                continue;
            }
            let place = Section {
                offset: directory,
                size: count(PLACE),
            };
            directory = place.end();
            let section = read_at(input, place).ok().and_then(|bytes| {
                let section = Section::take(&mut Cursor::new(&bytes, endian))?;
                let fits = section.size <= MOST_SECTION_BYTES.min(budget);
                budget = budget.saturating_sub(section.size);
                fits.then(|| read_at(input, section).ok())?
            });
            let taken = section.and_then(|bytes| self.features.take(bit, &bytes, endian));
            if taken.is_none() {
                let detail = || format!("section {bit}");
                faults.add(FaultKind::BadFeature, place.offset, detail);
            }
        }
    }
}

fn read_ids(input: &mut dyn ReadSeek, ids: Section, endian: Endian) -> Vec<u64> {
    if ids.size == 0 {
        return Vec::new();
    }
    let bytes = read_at(input, ids).unwrap_or_default();
    let (words, _) = bytes.as_chunks::<8>();
    words
        .iter()
        .filter_map(|word| endian.u64(word, 0))
        .collect()
}
