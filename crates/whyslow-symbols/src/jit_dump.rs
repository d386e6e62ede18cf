//! Names of generated code, from the dump that its runtime writes.
//!
//! `jit-PID.dump` begins with a header and holds records, each with a kind and a length (source:
//! `tools/perf/Documentation/jitdump-specification.txt` of the kernel). A runtime adds one record for each function
//! that it generates, with its name and its code, and one for each that it moves; a later one overrides earlier
//! ones where they overlap. It also maps a page of the file as code, so that a recording knows where the file is.
//!
//! The file may be as large as all code that was ever generated, so only the beginnings of records are read. A length
//! that goes beyond the end of the file is not believed. As for perf maps, symbolic links are refused, and a file that
//! is older than its process or belongs to another user is ignored.

use std::collections::BTreeMap;
use std::path::Path;

use crate::file_bytes::FileBytes;
use crate::perf_map::{Hits, Writer, open_own};
use crate::{NameId, Names, Reason};

/// `JiTD`, as a machine writes it that stores the least byte first.
const MAGIC: u32 = 0x4a69_5444;
const HEADER_BYTES: u64 = 40;
const RECORD_BYTES: usize = 16;
const LOADED: u32 = 0;
const MOVED: u32 = 1;
/// Bytes before the name, and of a whole move.
const LOADED_BYTES: usize = 40;
const MOVED_BYTES: usize = 48;
const MAX_NAME_BYTES: usize = 4096;
const MAX_RECORDS: u64 = 16 << 20;
/// Functions that are remembered in case they are moved.
const MAX_MOVABLE: usize = 1 << 18;

/// Where the records of functions are, by the number that the runtime gave them. Names are read only if they move: a
/// hostile dump may hold a gigabyte of them.
type Movable = BTreeMap<u64, (u64, u64)>;

/// An opened dump.
#[derive(Debug)]
pub(crate) struct JitDump {
    bytes: FileBytes,
}

impl JitDump {
    /// Opens the dump at `path`, if `writer` may have written it.
    pub(crate) fn open(path: &Path, writer: Writer) -> Result<Self, Reason> {
        let dump = Self {
            bytes: open_own(path, writer)?,
        };
        let mut header = [0; 12];
        dump.bytes.read_exact_at(0, &mut header)?;
        match word32(&header, 0) == MAGIC {
            true => Ok(dump),
            false => Err(Reason::PerfMapMissing),
        }
    }

    /// Name and start of the function at each address; `addresses` are sorted ascending.
    pub(crate) fn symbols_of(
        &self,
        addresses: &[u64],
        names: &mut Names,
    ) -> Result<Vec<Option<(NameId, u64)>>, Reason> {
        let mut hits = Hits::new(addresses);
        let mut movable = Movable::new();
        let mut header = [0; 12];
        self.bytes.read_exact_at(0, &mut header)?;
        let mut offset = u64::from(word32(&header, 8)).max(HEADER_BYTES);
        for _ in 0..MAX_RECORDS {
            let Some((kind, length)) = self.record(offset) else {
                break;
            };
            let body = offset + RECORD_BYTES as u64;
            let room = length.saturating_sub(RECORD_BYTES as u64);
            match kind {
                LOADED => self.loaded((body, room), &mut hits, &mut movable),
                MOVED => self.moved((body, room), &mut hits, &movable),
                _ => {}
            }
            offset = offset.saturating_add(length);
        }
        Ok(hits.into_names(names))
    }

    /// Kind and length of the record at `offset`; `None` at the end, and where it is cut off.
    fn record(&self, offset: u64) -> Option<(u32, u64)> {
        let mut head = [0; RECORD_BYTES];
        self.bytes.read_exact_at(offset, &mut head).ok()?;
        let length = u64::from(word32(&head, 4));
        (length >= RECORD_BYTES as u64).then_some((word32(&head, 0), length))
    }

    fn loaded(&self, place: (u64, u64), hits: &mut Hits<'_>, movable: &mut Movable) {
        let Some((fixed, name)) = self.function(place) else {
            return;
        };
        let (start, size, index) = (word64(&fixed, 16), word64(&fixed, 24), word64(&fixed, 32));
        if size == 0 {
            return;
        }
        hits.take(start, size, &name);
        // A number that is used again stands for the new function, even if there is no room for others.
        if movable.len() < MAX_MOVABLE || movable.contains_key(&index) {
            movable.insert(index, place);
        }
    }

    /// The fixed part of a function's record, and its name; `None` if it is cut off or has no name.
    fn function(&self, (body, room): (u64, u64)) -> Option<(Vec<u8>, Vec<u8>)> {
        let rest = self.bytes.len_bytes().saturating_sub(body).min(room);
        let most = LOADED_BYTES + MAX_NAME_BYTES;
        let bytes = usize::try_from(rest).unwrap_or(most).min(most);
        let mut record = vec![0; bytes];
        self.bytes.read_exact_at(body, &mut record).ok()?;
        let (fixed, text) = record.split_at_checked(LOADED_BYTES)?;
        let end = text.iter().position(|&byte| byte == 0);
        let name = text.get(..end.unwrap_or(text.len())).unwrap_or(text);
        (!name.is_empty()).then(|| (fixed.to_vec(), name.to_vec()))
    }

    fn moved(&self, (body, room): (u64, u64), hits: &mut Hits<'_>, movable: &Movable) {
        let mut record = [0; MOVED_BYTES];
        let is_whole = room >= MOVED_BYTES as u64;
        if !is_whole || self.bytes.read_exact_at(body, &mut record).is_err() {
            return;
        }
        let (start, size, index) = (
            word64(&record, 24),
            word64(&record, 32),
            word64(&record, 40),
        );
        let place = movable.get(&index).filter(|_| size > 0);
        if let Some((_, name)) = place.and_then(|&place| self.function(place)) {
            hits.take(start, size, &name);
        }
    }
}

fn word32(bytes: &[u8], at: usize) -> u32 {
    let bytes = bytes.get(at..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn word64(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes.get(at..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Vec<u8> {
        let mut bytes = Vec::new();
        for word in [MAGIC, 1, 40, 62, 0, 77] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend([0; 16]);
        bytes
    }

    fn record(kind: u32, words: &[u64], name: &str, code_bytes: usize) -> Vec<u8> {
        let mut body = Vec::from(77u64.to_le_bytes());
        body.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        if !name.is_empty() {
            body.extend(name.bytes().chain([0]));
        }
        body.resize(body.len() + code_bytes, 0x90);
        let length = u32::try_from(body.len() + RECORD_BYTES).unwrap();
        let head = [kind.to_le_bytes(), length.to_le_bytes()].concat();
        [head, vec![0; 8], body].concat()
    }

    fn names_of(bytes: Vec<u8>, addresses: &[u64]) -> Vec<String> {
        let dump = JitDump {
            bytes: FileBytes::from_memory(bytes),
        };
        let mut names = Names::new();
        let found = dump.symbols_of(addresses, &mut names).unwrap();
        let name = |found: &Option<(NameId, u64)>| {
            found.map_or("-".to_owned(), |(id, _)| names.text(id).to_owned())
        };
        found.iter().map(name).collect()
    }

    /// Three functions: one moves later, and one replaces another at the same address.
    fn dump() -> Vec<u8> {
        [
            header(),
            record(LOADED, &[0x1000, 0x1000, 0x100, 1], "first", 0x100),
            record(LOADED, &[0x2000, 0x2000, 0x40, 2], "second", 0x40),
            record(2, &[], "", 24),
            record(MOVED, &[0, 0x2000, 0x3000, 0x40, 2], "", 0),
            record(LOADED, &[0x1040, 0x1040, 0x10, 3], "third", 0x10),
        ]
        .concat()
    }

    #[test]
    fn functions_are_named_where_they_are() {
        let found = names_of(
            dump(),
            &[0xfff, 0x1000, 0x1045, 0x1050, 0x1100, 0x2000, 0x303f],
        );
        assert_eq!(
            found,
            ["-", "first", "third", "first", "-", "second", "second"]
        );
    }

    #[test]
    fn a_dump_that_is_cut_or_lies_is_read_as_far_as_it_goes() {
        let whole = dump();
        for length in 0..whole.len() {
            let cut = whole.get(..length).unwrap().to_vec();
            let dump = JitDump {
                bytes: FileBytes::from_memory(cut),
            };
            let mut names = Names::new();
            let found = dump.symbols_of(&[0x1000], &mut names);
            assert!(found.is_err() || length >= 12, "{length}");
        }
        // A record of length 0, and one that is longer than the file.
        for length in [0, 15, u32::MAX] {
            let mut bytes = dump();
            bytes[44..48].copy_from_slice(&length.to_le_bytes());
            assert_eq!(names_of(bytes, &[0x2000]), ["-"]);
        }
    }
}
