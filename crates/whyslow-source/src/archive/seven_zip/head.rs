//! The list of files of a `.7z`, checked before the library reads it: the library allocates memory
//! for as many files, blocks and streams as the list claims, whatever it contains.
//!
//! The list is at the end of the archive, plain or packed as a separate stream. Numbers have 1 to 9
//! bytes; every property begins with its number (`7zFormat.txt` of 7-Zip). Lists that the library
//! does not accept are left for it to refuse.

use std::io::{Read, Seek, SeekFrom};

use lzma_rust2::LzmaReader;

use super::Trouble;

/// Maximum size of the list, packed or not, in bytes.
const MOST_BYTES: u64 = 16 << 20;
/// Maximum number of files, blocks or streams.
const MOST: u64 = 1 << 16;
/// Maximum number of coders of a block, and of streams of a coder.
const MOST_CODERS: u64 = 32;

const END: u8 = 0;
const HEADER: u8 = 1;
const ARCHIVE_PROPERTIES: u8 = 2;
const MAIN_STREAMS: u8 = 4;
const FILES: u8 = 5;
const PACK_INFO: u8 = 6;
const UNPACK_INFO: u8 = 7;
const SUB_STREAMS: u8 = 8;
const SIZES: u8 = 9;
const CRC: u8 = 10;
const COUNTS: u8 = 13;
const EMPTY_STREAMS: u8 = 0x0e;
const EMPTY_FILES: u8 = 0x0f;
const ANTI_FILES: u8 = 0x10;
const FIRST_TIME: u8 = 0x12;
const LAST_TIME: u8 = 0x14;
const ATTRIBUTES: u8 = 0x15;
const PACKED_HEADER: u8 = 0x17;

const LZMA: &[u8] = &[3, 1, 1];
const COPY: &[u8] = &[0];
const AES: &[u8] = &[6, 0xf1, 7, 1];

/// Checks that the list of files claims no more than it holds.
pub(super) fn check(file: &mut (impl Read + Seek)) -> Result<(), Trouble> {
    let list = list(file)?;
    let mut cursor = Cursor(&list);
    match cursor.byte() {
        // An archive without files has no list.
        None => Ok(()),
        Some(HEADER) => cursor.header(),
        Some(PACKED_HEADER) => {
            let mut streams = Streams::default();
            cursor.streams(&mut streams)?;
            let list = streams.unpack(file)?;
            let mut cursor = Cursor(&list);
            match cursor.byte() {
                Some(HEADER) => cursor.header(),
                // Packed more than once: the library does not accept that.
                _ => Err(odd()),
            }
        }
        Some(_) => Err(odd()),
    }?;
    file.rewind().map_err(|_| cut_off())
}

fn cut_off() -> Trouble {
    Trouble::Damaged("it is cut off".to_owned())
}

fn too_long() -> Trouble {
    Trouble::Damaged("its list of files is too long".to_owned())
}

fn odd() -> Trouble {
    Trouble::Damaged("its list of files cannot be read".to_owned())
}

/// Reads the list as stored in the archive.
fn list(file: &mut (impl Read + Seek)) -> Result<Vec<u8>, Trouble> {
    let mut start = [0; 32];
    file.read_exact(&mut start).map_err(|_| cut_off())?;
    // These bytes are written last. Without them the library guesses where the list is.
    if start.iter().skip(8).all(|byte| *byte == 0) {
        return Err(cut_off());
    }
    let end = file.seek(SeekFrom::End(0)).map_err(|_| cut_off())?;
    let number = |at: usize| {
        let bytes = start.get(at..).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(u64::MAX, |bytes| u64::from_le_bytes(*bytes))
    };
    let (offset, bytes) = (number(12), number(20));
    let at = offset.saturating_add(32);
    if at.saturating_add(bytes) > end {
        return Err(cut_off());
    }
    read(file, at, bytes)
}

fn read(file: &mut (impl Read + Seek), at: u64, bytes: u64) -> Result<Vec<u8>, Trouble> {
    if bytes > MOST_BYTES {
        return Err(too_long());
    }
    file.seek(SeekFrom::Start(at)).map_err(|_| cut_off())?;
    let mut list = Vec::new();
    let mut part = file.take(bytes);
    match part.read_to_end(&mut list) {
        Ok(count) if count as u64 == bytes => Ok(list),
        _ => Err(cut_off()),
    }
}

/// The parts of a description of streams that are kept.
#[derive(Debug, Default)]
struct Streams {
    offset: u64,
    packed: u64,
    /// Coders of the first block: method and properties.
    coders: Vec<(Vec<u8>, Vec<u8>)>,
    unpacked: u64,
    /// Number of output streams of each block.
    blocks: Vec<u64>,
    /// Which of the blocks have a checksum.
    with_crc: Vec<bool>,
}

impl Streams {
    /// Unpacks the list of files.
    fn unpack(&self, file: &mut (impl Read + Seek)) -> Result<Vec<u8>, Trouble> {
        if self.coders.iter().any(|(method, _)| method == AES) {
            return Err(Trouble::Encrypted);
        }
        let [(method, properties)] = self.coders.as_slice() else {
            return Err(odd());
        };
        if self.unpacked > MOST_BYTES {
            return Err(too_long());
        }
        let packed = read(file, self.offset.saturating_add(32), self.packed)?;
        if method == COPY {
            return Ok(packed);
        }
        let Some((properties, dictionary)) = properties.split_first() else {
            return Err(odd());
        };
        let dictionary = dictionary.first_chunk().map(|d| u32::from_le_bytes(*d));
        let Some(dictionary) = dictionary.filter(|_| method == LZMA) else {
            return Err(Trouble::Method(format!("{method:02x?}")));
        };
        if u64::from(dictionary) > 4 * MOST_BYTES {
            return Err(too_long());
        }
        let size = self.unpacked;
        let reader =
            LzmaReader::new_with_props(packed.as_slice(), size, *properties, dictionary, None);
        let mut list = Vec::new();
        let unpacked = reader.and_then(|reader| reader.take(size).read_to_end(&mut list));
        match unpacked {
            Ok(count) if count as u64 == size => Ok(list),
            _ => Err(odd()),
        }
    }
}

/// Returns how many bytes a property takes that has a value of `each` bytes for all files or some
/// of them: the bits for which files, whether the values are elsewhere, and the values.
fn values(bytes: &[u8], count: u64, each: u64) -> u64 {
    let Some((is_all, rest)) = bytes.split_first() else {
        return 2;
    };
    if *is_all != 0 {
        return 2 + each * count;
    }
    2 + count.div_ceil(8) + each * ones(rest, count)
}

/// Returns how many of the first `count` bits are set, the highest of each byte first.
fn ones(bytes: &[u8], count: u64) -> u64 {
    let mut left = count;
    let mut sum = 0;
    for byte in bytes {
        let here = left.min(8);
        left -= here;
        sum += (0..here).filter(|bit| byte & (0x80 >> bit) != 0).count() as u64;
    }
    sum
}

/// The rest of a list of files.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn next(&mut self) -> Result<u8, Trouble> {
        self.byte().ok_or_else(odd)
    }

    fn bytes(&mut self, count: u64) -> Result<&[u8], Trouble> {
        let count = usize::try_from(count).map_err(|_| odd())?;
        let (bytes, rest) = self.0.split_at_checked(count).ok_or_else(odd)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u64, Trouble> {
        let first = self.next()?;
        let (mut mask, mut value) = (0x80_u8, 0);
        for place in 0..8 {
            if first & mask == 0 {
                return Ok(value | u64::from(first & (mask - 1)) << (8 * place));
            }
            value |= u64::from(self.next()?) << (8 * place);
            mask >>= 1;
        }
        Ok(value)
    }

    /// Reads the number of something.
    fn count(&mut self, most: u64) -> Result<u64, Trouble> {
        let count = self.number()?;
        if count > most {
            return Err(too_long());
        }
        Ok(count)
    }

    fn numbers(&mut self, count: u64) -> Result<(), Trouble> {
        (0..count).try_for_each(|_| self.number().map(|_| ()))
    }

    /// Reads the checksums of those of `count` entries that have one; returns which ones have.
    fn checksums(&mut self, count: u64) -> Result<Vec<bool>, Trouble> {
        let is_all = self.next()? != 0;
        let mut bits = 0;
        let mut with = Vec::new();
        for number in 0..count {
            if number % 8 == 0 && !is_all {
                bits = self.next()?;
            }
            with.push(is_all || bits & 0x80 != 0);
            bits <<= 1;
        }
        let present = with.iter().filter(|with| **with).count();
        self.bytes(4 * present as u64)?;
        Ok(with)
    }

    fn header(&mut self) -> Result<(), Trouble> {
        let mut kind = self.next()?;
        if kind == ARCHIVE_PROPERTIES {
            while self.next()? != END {
                let size = self.number()?;
                self.bytes(size)?;
            }
            kind = self.next()?;
        }
        if kind == MAIN_STREAMS {
            self.streams(&mut Streams::default())?;
            kind = self.next()?;
        }
        if kind == FILES {
            self.files()?;
        }
        Ok(())
    }

    /// Reads the properties of the files. Each property must have exactly its stated length: for
    /// some the library goes by their content, for others by their length, even if that leads
    /// backwards.
    fn files(&mut self) -> Result<(), Trouble> {
        let count = self.count(MOST)?;
        let mut empty = 0;
        loop {
            let kind = self.next()?;
            if kind == END {
                return Ok(());
            }
            let size = self.number()?;
            let bytes = self.bytes(size)?;
            let holds = match kind {
                EMPTY_STREAMS => {
                    empty = ones(bytes, count);
                    count.div_ceil(8)
                }
                EMPTY_FILES | ANTI_FILES => empty.div_ceil(8),
                FIRST_TIME..=LAST_TIME => values(bytes, count, 8),
                ATTRIBUTES => values(bytes, count, 4),
                _ => size,
            };
            if holds != size {
                return Err(odd());
            }
        }
    }

    fn streams(&mut self, streams: &mut Streams) -> Result<(), Trouble> {
        let mut kind = self.next()?;
        if kind == PACK_INFO {
            self.pack_info(streams)?;
            kind = self.next()?;
        }
        if kind == UNPACK_INFO {
            self.unpack_info(streams)?;
            kind = self.next()?;
        }
        if kind == SUB_STREAMS {
            self.sub_streams(streams)?;
            kind = self.next()?;
        }
        if kind == END { Ok(()) } else { Err(odd()) }
    }

    fn pack_info(&mut self, streams: &mut Streams) -> Result<(), Trouble> {
        streams.offset = self.number()?;
        let count = self.count(MOST)?;
        let mut kind = self.next()?;
        if kind == SIZES {
            for number in 0..count {
                let size = self.number()?;
                if number == 0 {
                    streams.packed = size;
                }
            }
            kind = self.next()?;
        }
        if kind == CRC {
            self.checksums(count)?;
            kind = self.next()?;
        }
        if kind == END { Ok(()) } else { Err(odd()) }
    }

    fn unpack_info(&mut self, streams: &mut Streams) -> Result<(), Trouble> {
        // A list of blocks stored here, not elsewhere.
        self.next()?;
        let count = self.count(MOST)?;
        self.next()?;
        for number in 0..count {
            self.block(streams, number == 0)?;
        }
        self.next()?;
        for number in 0..streams.blocks.len() {
            for _ in 0..streams.blocks.get(number).copied().unwrap_or(0) {
                let size = self.number()?;
                if number == 0 {
                    streams.unpacked = size;
                }
            }
        }
        let mut kind = self.next()?;
        if kind == CRC {
            streams.with_crc = self.checksums(count)?;
            kind = self.next()?;
        }
        if kind == END { Ok(()) } else { Err(odd()) }
    }

    fn block(&mut self, streams: &mut Streams, is_first: bool) -> Result<(), Trouble> {
        let (mut from, mut to) = (0, 0);
        for _ in 0..self.count(MOST_CODERS)? {
            let flags = self.next()?;
            let method = self.bytes(u64::from(flags & 15))?.to_vec();
            let is_simple = flags & 0x10 == 0;
            from += if is_simple {
                1
            } else {
                self.count(MOST_CODERS)?
            };
            to += if is_simple {
                1
            } else {
                self.count(MOST_CODERS)?
            };
            let mut properties = Vec::new();
            if flags & 0x20 != 0 {
                let size = self.number()?;
                properties = self.bytes(size)?.to_vec();
            }
            if is_first {
                streams.coders.push((method, properties));
            }
        }
        let Some(pairs) = u64::checked_sub(to, 1).filter(|pairs| *pairs <= from) else {
            return Err(odd());
        };
        self.numbers(2 * pairs)?;
        if from - pairs > 1 {
            self.numbers(from - pairs)?;
        }
        streams.blocks.push(to);
        Ok(())
    }

    fn sub_streams(&mut self, streams: &Streams) -> Result<(), Trouble> {
        let mut kind = self.next()?;
        let mut counts = vec![1; streams.blocks.len()];
        if kind == COUNTS {
            for count in &mut counts {
                *count = self.count(MOST)?;
            }
            kind = self.next()?;
        }
        let all: u64 = counts.iter().sum();
        if all > MOST {
            return Err(too_long());
        }
        if kind == SIZES {
            let told = counts.iter().map(|count| count.saturating_sub(1));
            self.numbers(told.sum())?;
            kind = self.next()?;
        }
        if kind == CRC {
            let known = |block: usize| streams.with_crc.get(block) == Some(&true);
            let of_blocks = counts.iter().enumerate();
            let missing = of_blocks.filter(|&(block, &count)| count != 1 || !known(block));
            let missing = missing.map(|(_, count)| count).sum();
            self.checksums(missing)?;
            kind = self.next()?;
        }
        if kind == END { Ok(()) } else { Err(odd()) }
    }
}
