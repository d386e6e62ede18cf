//! Views of records as the kernel puts them into our rings.
//!
//! This is not a reader of `perf.data`: the recorder chose every attribute itself, so it knows the
//! offset of each field, and the byte order is this machine's.

use whyslow_perfdata::abi::record;

/// Bytes of a record's header.
pub(crate) const HEADER_BYTES: usize = 8;
/// Bytes of the trailer of non-sample records.
pub(crate) const TRAILER_BYTES: usize = 32;
/// Bytes of header and of the fields that every sample starts with.
pub(crate) const SAMPLE_HEAD_BYTES: usize = 48;
/// The number at `offset`, or 0 where the record is too short.
pub(crate) fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    bytes
        .get(offset..)
        .and_then(|rest| rest.first_chunk())
        .map_or(0, |word| u64::from_ne_bytes(*word))
}

/// The number at `offset`, or 0 where the record is too short.
pub(crate) fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    bytes
        .get(offset..)
        .and_then(|rest| rest.first_chunk())
        .map_or(0, |word| u32::from_ne_bytes(*word))
}

/// The number at `offset`, or 0 where the record is too short.
pub(crate) fn u16_at(bytes: &[u8], offset: usize) -> u16 {
    bytes
        .get(offset..)
        .and_then(|rest| rest.first_chunk())
        .map_or(0, |word| u16::from_ne_bytes(*word))
}

/// A record's header: type, misc bits, size in bytes.
pub(crate) fn header(bytes: &[u8]) -> (u32, u16, usize) {
    (
        u32_at(bytes, 0),
        u16_at(bytes, 4),
        usize::from(u16_at(bytes, 6)),
    )
}

/// When the record that `bytes` begin with was made.
pub(crate) fn time_ns(bytes: &[u8]) -> u64 {
    let (kind, _, size) = header(bytes);
    // Samples: header, id, ip, tid, time. Others end with tid, time, cpu, id.
    let offset = if kind == record::SAMPLE {
        32
    } else {
        size.saturating_sub(TRAILER_BYTES - 8)
    };
    u64_at(bytes, offset)
}

/// Reads the fields of a sample one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// The fields after those that every sample starts with.
    pub(crate) fn of_sample(record: &'a [u8]) -> Self {
        Self {
            rest: record.get(SAMPLE_HEAD_BYTES..).unwrap_or_default(),
        }
    }

    /// The next eight bytes as a number.
    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.take(8).map(|bytes| u64_at(bytes, 0))
    }

    /// The next `length` bytes.
    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(head)
    }

    /// A call chain: its entries as bytes.
    pub(crate) fn chain(&mut self) -> Option<&'a [u8]> {
        let count = usize::try_from(self.u64()?).ok()?;
        self.take(count.checked_mul(8)?)
    }

    /// A raw payload, its padding included.
    pub(crate) fn raw(&mut self) -> Option<&'a [u8]> {
        let size = self.take(4).map(|bytes| u32_at(bytes, 0))?;
        self.take(usize::try_from(size).ok()?)
    }

    /// User registers (as bytes) and the copy of the stack; `None` where the thread has no user
    /// mode, or the record is cut.
    pub(crate) fn dump(&mut self, register_count: usize) -> Option<Dump<'a>> {
        let abi = self.u64()?;
        let registers = if abi == 0 {
            &[][..]
        } else {
            self.take(register_count * 8)?
        };
        let size = usize::try_from(self.u64()?).ok()?;
        let mut stack = self.take(size)?;
        if size > 0 {
            let used = usize::try_from(self.u64()?).ok()?;
            stack = stack.get(..used).unwrap_or(stack);
        }
        (abi != 0).then_some(Dump {
            is_64_bit: abi == 2,
            registers,
            stack,
        })
    }
}

/// The user half of a stack before it is unwound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dump<'a> {
    pub(crate) is_64_bit: bool,
    /// The registers asked for, eight bytes each.
    pub(crate) registers: &'a [u8],
    /// The memory from the stack pointer on.
    pub(crate) stack: &'a [u8],
}

/// Returns the records that describe mappings.
pub(crate) fn mappings(mut records: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        while records.len() >= HEADER_BYTES {
            let (kind, _, size) = header(records);
            let (record, rest) = records.split_at_checked(size.max(HEADER_BYTES))?;
            records = rest;
            if kind == record::MMAP2 {
                return Some(record);
            }
        }
        None
    })
}
