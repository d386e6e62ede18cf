//! Calls about files one by one, as the eBPF programs write them (`bpf/file_rows.h`).
//!
//! Every call about a file is counted. It also gets a row of its own as long as there are few: each CPU has a
//! budget of rows per second, and can save up one second's worth. When the budget is used up, rows are thinned
//! out by path and operation: of each kind of calls of a thread, the first, second, fourth, eighth … gets a row
//! until the thread hands over its counts; calls that take a millisecond or more always do. So a file that is
//! used once is not drowned out by one that is used a million times.
//!
//! A hot call that is repeated with the same descriptor and result is counted without looking at its file,
//! and has a row only while half of the budget is left.

use whyslow_perfdata::whyslow_events::{SingleFileCall, SingleFileCalls};

use crate::words::{half, short, word};

/// Bytes of `struct file_rows` before its rows, and of a row.
const HEAD_BYTES: usize = 32;
const ROW_BYTES: usize = 72;
/// `FILE_ROWS` in the source.
const MOST_ROWS: usize = 16;

/// Reads the rows of one thread, and returns how many bytes they took. `None` if they are cut off.
pub(crate) fn parse_rows(bytes: &[u8]) -> Option<(SingleFileCalls, usize)> {
    let used = usize::try_from(half(bytes, 28)?).ok()?;
    if used > MOST_ROWS {
        return None;
    }
    let size = HEAD_BYTES + used * ROW_BYTES;
    let rows = bytes.get(HEAD_BYTES..size)?.chunks_exact(ROW_BYTES);
    let calls = SingleFileCalls {
        pid: half(bytes, 0)?,
        tid: half(bytes, 4)?,
        calls: rows.map(parse_row).collect::<Option<_>>()?,
    };
    Some((calls, size))
}

fn parse_row(row: &[u8]) -> Option<SingleFileCall> {
    let key = half(row, 64)?;
    let [operation, flags, ..] = key.to_le_bytes();
    let known = short(row, 70)?;
    let optional = |bit: u16, at: usize| -> Option<Option<u64>> {
        let value = word(row, at)?;
        Some((known & bit != 0).then_some(value))
    };
    Some(SingleFileCall {
        start_ns: word(row, 0)?,
        duration_ns: optional(1, 8)?,
        file: word(row, 16)?,
        other: word(row, 24)?,
        offset: optional(2, 32)?,
        asked_bytes: optional(4, 40)?,
        result: word(row, 48)?.cast_signed(),
        disk_bytes: optional(8, 56)?,
        operation,
        flags,
        error: u16::try_from(key >> 16 & 0xfff).ok()?,
        system_call: short(row, 68)?,
        has_slept: known & 16 != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_what_is_cut_off_is_refused() {
        let mut bytes = vec![0; HEAD_BYTES + 2 * ROW_BYTES];
        bytes[28] = 2;
        let last = HEAD_BYTES + ROW_BYTES;
        bytes[last + 40] = 9;
        bytes[last + 64..last + 68].copy_from_slice(&(6_u32 | 1 << 8 | 28 << 16).to_ne_bytes());
        bytes[last + 70] = 4 | 16;
        let (calls, size) = parse_rows(&bytes).unwrap();
        assert_eq!((calls.calls.len(), size), (2, bytes.len()));
        let call = calls.calls[1];
        assert_eq!((call.operation, call.flags, call.error), (6, 1, 28));
        assert_eq!((call.asked_bytes, call.offset), (Some(9), None));
        assert!(call.has_slept);
        assert_eq!(parse_rows(&bytes[..bytes.len() - 1]), None);
        bytes[28] = 17;
        assert_eq!(parse_rows(&bytes), None);
    }
}
