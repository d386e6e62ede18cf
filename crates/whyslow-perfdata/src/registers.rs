//! Registers and stack of a sampled thread, for unwinding afterwards.

use crate::endian::{Cursor, count};
use crate::words::Words;

/// Registers of a sample.
#[derive(Debug, Clone, Copy)]
pub struct Registers<'a> {
    /// Kind of process: 1 for 32 bits, 2 for 64 bits.
    pub abi: u64,
    /// Which registers are present, one bit each, numbered as in the architecture's `perf_regs.h`.
    pub mask: u64,
    /// Their values, lowest bit first.
    pub values: Words<'a>,
}

impl<'a> Registers<'a> {
    /// Takes registers; the inner value is `None` if the thread had none (a kernel thread).
    #[expect(
        clippy::option_option,
        reason = "outer: the record is too short; inner: none recorded"
    )]
    pub(crate) fn take(cursor: &mut Cursor<'a>, mask: u64) -> Option<Option<Self>> {
        let abi = cursor.u64()?;
        if abi == 0 {
            return Some(None);
        }
        let bytes = cursor.take_count(u64::from(mask.count_ones()) * 8)?;
        let values = Words::new(bytes, cursor.endian);
        Some(Some(Self { abi, mask, values }))
    }

    /// Returns the register with this number, or `None` if it was not recorded.
    pub fn get(&self, number: u32) -> Option<u64> {
        let bit = 1_u64.checked_shl(number)?;
        if self.mask & bit == 0 {
            return None;
        }
        let below = (self.mask & (bit - 1)).count_ones();
        self.values.get(usize::try_from(below).ok()?)
    }
}

/// Copied part of a user stack.
#[derive(Debug, Clone, Copy)]
pub struct UserStack<'a> {
    /// The bytes from the stack pointer upwards that could be copied.
    pub bytes: &'a [u8],
    /// How many were requested; if as many were copied, the stack continues.
    pub wanted_bytes: u64,
}

impl<'a> UserStack<'a> {
    #[expect(
        clippy::option_option,
        reason = "outer: the record is too short; inner: none recorded"
    )]
    pub(crate) fn take(cursor: &mut Cursor<'a>) -> Option<Option<Self>> {
        let wanted_bytes = cursor.u64()?;
        if wanted_bytes == 0 {
            return Some(None);
        }
        let bytes = cursor.take_count(wanted_bytes)?;
        let copied = cursor.u64()?.min(count(bytes.len()));
        let bytes = Cursor::new(bytes, cursor.endian).take_count(copied)?;
        Some(Some(Self {
            bytes,
            wanted_bytes,
        }))
    }
}
