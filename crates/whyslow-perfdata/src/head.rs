//! The first bytes of a file: the magic number, and where everything else is.

use std::io::{Read, Seek, SeekFrom};

use crate::endian::{Cursor, Endian, count, size};
use crate::error::{Error, ErrorKind};

/// A source that can be read at any offset.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// A range of a file.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Section {
    pub(crate) offset: u64,
    pub(crate) size: u64,
}

impl Section {
    pub(crate) fn take(cursor: &mut Cursor<'_>) -> Option<Self> {
        Some(Self {
            offset: cursor.u64()?,
            size: cursor.u64()?,
        })
    }

    pub(crate) fn end(self) -> u64 {
        self.offset.saturating_add(self.size)
    }
}

/// What the first bytes say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Magic {
    pub(crate) endian: Endian,
    /// Whether the records follow at once, with the facts among them.
    pub(crate) pipe: bool,
}

/// Size of the header in pipe mode: magic and size.
pub(crate) const PIPE_HEADER: u64 = 16;
pub(crate) const HEADER: u64 = 104;

impl Magic {
    pub(crate) fn decode(head: &[u8]) -> Result<Self, Box<Error>> {
        if head.is_empty() {
            return Err(Error::new(ErrorKind::Empty, 0, "the file is empty"));
        }
        let endian = match head.get(..8) {
            Some(b"PERFILE2") => Endian::Little,
            Some(b"2ELIFREP") => Endian::Big,
            Some(b"PERFFILE" | b"ELIFFREP") => {
                let what = "a perf.data file of version 1 (before Linux 2.6.38)";
                return Err(Error::new(ErrorKind::Unsupported, 0, what));
            }
            found => {
                let found = found.unwrap_or(head).escape_ascii();
                let what = format!("expected the magic PERFILE2, found \"{found}\"");
                return Err(Error::new(ErrorKind::NotPerfData, 0, what));
            }
        };
        let Some(size) = endian.u64(head, 8) else {
            return Err(Error::new(ErrorKind::BadHeader, 8, "the header is cut off"));
        };
        Ok(Self {
            endian,
            pipe: size == PIPE_HEADER,
        })
    }
}

/// The fields of the header that matter.
pub(crate) struct Head {
    pub(crate) attr_size: u64,
    pub(crate) attrs: Section,
    pub(crate) data: Section,
    pub(crate) bits: [u64; 4],
}

const LEAST_ATTR: u64 = 64;
const MOST_ATTR: u64 = 4096;
/// Size of a section's place, which follows each attribute.
pub(crate) const PLACE: usize = 16;

impl Head {
    pub(crate) fn read(input: &mut dyn ReadSeek, endian: Endian) -> Result<Self, Box<Error>> {
        let whole = Section {
            offset: 0,
            size: HEADER,
        };
        let bytes = read_at(input, whole)?;
        let short = || Error::new(ErrorKind::BadHeader, 0, "the header is cut off");
        let mut cursor = Cursor::new(&bytes, endian);
        let head = Self::take(&mut cursor).ok_or_else(short)?;
        let entry = LEAST_ATTR + count(PLACE)..=MOST_ATTR;
        if !entry.contains(&head.attr_size) {
            let what = format!(
                "expected attributes of {} to {} bytes, found {}",
                entry.start(),
                entry.end(),
                head.attr_size
            );
            return Err(Error::new(ErrorKind::BadHeader, 16, what));
        }
        Ok(head)
    }

    /// Returns whether the sections follow at once, because nothing was recorded. A recorder that
    /// was killed leaves the same header, but with records there.
    pub(crate) fn has_directory_at_data(&self, input: &mut dyn ReadSeek, endian: Endian) -> bool {
        let sections: u32 = self.bits.iter().map(|word| word.count_ones()).sum();
        let place = Section {
            offset: self.data.offset,
            size: count(PLACE),
        };
        let first = read_at(input, place).ok();
        let first = first.and_then(|bytes| endian.u64(&bytes, 0));
        let expected = u64::from(sections).saturating_mul(place.size);
        first.is_some_and(|first| first == self.data.offset.saturating_add(expected))
    }

    fn take(cursor: &mut Cursor<'_>) -> Option<Self> {
        let _magic = cursor.u64()?;
        let _size = cursor.u64()?;
        let attr_size = cursor.u64()?;
        let attrs = Section::take(cursor)?;
        let data = Section::take(cursor)?;
        let _event_types = Section::take(cursor)?;
        let mut bits = [0_u64; 4];
        for word in &mut bits {
            *word = cursor.u64()?;
        }
        Some(Self {
            attr_size,
            attrs,
            data,
            bits,
        })
    }
}

/// Reads a whole range, which must be within the file. Memory grows with what is read, not with
/// what is announced.
pub(crate) fn read_at(input: &mut dyn ReadSeek, section: Section) -> Result<Vec<u8>, Box<Error>> {
    let fail = |error| Error::io(section.offset, error);
    input.seek(SeekFrom::Start(section.offset)).map_err(fail)?;
    let mut bytes = Vec::with_capacity(size(section.size.min(1 << 16)));
    input
        .take(section.size)
        .read_to_end(&mut bytes)
        .map_err(fail)?;
    if count(bytes.len()) < section.size {
        let what = format!("expected {} bytes, found {}", section.size, bytes.len());
        return Err(Error::new(ErrorKind::BadHeader, section.offset, what));
    }
    Ok(bytes)
}
