//! Which system calls a thread made, how often, and with what result.

use crate::endian::Endian;

/// Name of the event with [`SystemCalls`].
pub const EVENT_SYSTEM_CALLS: &str = "whyslow:system_calls";

/// Payload of [`EVENT_SYSTEM_CALLS`]: the system calls of one thread that ended within a period.
///
/// The periods of a thread do not overlap, and each call is in one of them. A call that was under
/// way when the recording began is counted, but not timed; a call still under way when the
/// recording ended is not counted. Calls before and after an `exec` are never in the same payload.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | `pid` |
/// | 4 | 4 | `tid` |
/// | 8 | 8 | `from_ns` |
/// | 16 | 8 | `to_ns` |
/// | 24 | 4 | 1: the thread ends |
/// | 28 | 4 | number of entries |
/// | 32 | … | the entries, [`SystemCall::BYTES`] each |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemCalls {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// When the first of the calls began, in nanoseconds of the recording's clock, or an earlier
    /// time since which the thread made no other calls.
    pub from_ns: u64,
    /// When the last of them ended.
    pub to_ns: u64,
    /// The thread ends.
    pub is_exiting: bool,
    /// One entry per call and result.
    pub calls: Vec<SystemCall>,
}

/// Similar calls of a thread.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 2 | `number`; 4095: larger than that |
/// | 2 | 1 | [`CallTable`] |
/// | 3 | 1 | [`CallEnd`] |
/// | 4 | 2 | `error` |
/// | 6 | 2 | 0 |
/// | 8 | 8 | `count` |
/// | 16 | 8 | `timed_count` |
/// | 24 | 8 | `result_sum` |
/// | 32 | 8 | `time_ns` |
/// | 40 | 8 | `longest_ns` |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemCall {
    /// The call's number in its table.
    pub number: u16,
    /// The table of calls.
    pub table: CallTable,
    /// How the calls ended.
    pub end: CallEnd,
    /// The error number; 0: none.
    pub error: u16,
    /// How many there were: exact.
    pub count: u64,
    /// How many of them were timed. If not all were, the times are an estimate.
    pub timed_count: u64,
    /// The sum of their results, without errors: bytes, for calls that return a number of bytes.
    pub result_sum: u64,
    /// Their total time, from entering the kernel to leaving it.
    pub time_ns: u64,
    /// Duration of the longest of those that were timed.
    pub longest_ns: u64,
}

/// The kernel's table that a system call's number refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum CallTable {
    /// The machine's own.
    Native = 0,
    /// The table of 32-bit programs.
    Bits32 = 1,
    /// The table of x32 programs.
    X32 = 2,
}

/// How system calls ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum CallEnd {
    /// They returned.
    Returned = 0,
    /// The thread ended in the call.
    Never = 1,
    /// Calls of several kinds, for which there was no room: number, error and results mean nothing.
    Others = 2,
}

impl SystemCalls {
    /// Bytes of the payload without its entries.
    pub const HEAD_BYTES: usize = 32;

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.pid.to_ne_bytes());
        out.extend_from_slice(&self.tid.to_ne_bytes());
        out.extend_from_slice(&self.from_ns.to_ne_bytes());
        out.extend_from_slice(&self.to_ns.to_ne_bytes());
        out.extend_from_slice(&u32::from(self.is_exiting).to_ne_bytes());
        let count = u32::try_from(self.calls.len()).unwrap_or(u32::MAX);
        out.extend_from_slice(&count.to_ne_bytes());
        for call in &self.calls {
            call.encode(out);
        }
    }

    /// Reads a payload; `None` if it is too short or something in it is unknown.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let count = usize::try_from(endian.u32(bytes, 28)?).ok()?;
        let entries = bytes
            .get(Self::HEAD_BYTES..)?
            .get(..count.checked_mul(SystemCall::BYTES)?)?;
        let calls = entries
            .chunks_exact(SystemCall::BYTES)
            .map(|entry| SystemCall::decode(entry, endian))
            .collect::<Option<_>>()?;
        Some(Self {
            pid: endian.u32(bytes, 0)?,
            tid: endian.u32(bytes, 4)?,
            from_ns: endian.u64(bytes, 8)?,
            to_ns: endian.u64(bytes, 16)?,
            is_exiting: endian.u32(bytes, 24)? & 1 != 0,
            calls,
        })
    }
}

impl SystemCall {
    /// Bytes of an entry.
    pub const BYTES: usize = 48;

    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.number.to_ne_bytes());
        out.extend_from_slice(&[self.table as u8, self.end as u8]);
        out.extend_from_slice(&self.error.to_ne_bytes());
        out.extend_from_slice(&[0; 2]);
        for word in [
            self.count,
            self.timed_count,
            self.result_sum,
            self.time_ns,
            self.longest_ns,
        ] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
    }

    fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let table = match *bytes.get(2)? {
            0 => CallTable::Native,
            1 => CallTable::Bits32,
            2 => CallTable::X32,
            _ => return None,
        };
        let end = match *bytes.get(3)? {
            0 => CallEnd::Returned,
            1 => CallEnd::Never,
            2 => CallEnd::Others,
            _ => return None,
        };
        Some(Self {
            number: endian.u16(bytes, 0)?,
            table,
            end,
            error: endian.u16(bytes, 4)?,
            count: endian.u64(bytes, 8)?,
            timed_count: endian.u64(bytes, 16)?,
            result_sum: endian.u64(bytes, 24)?,
            time_ns: endian.u64(bytes, 32)?,
            longest_ns: endian.u64(bytes, 40)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_survive_and_short_or_unknown_ones_are_refused() {
        let call = SystemCall {
            number: 17,
            table: CallTable::Bits32,
            end: CallEnd::Never,
            error: 512,
            count: 1 << 40,
            timed_count: 3,
            result_sum: u64::MAX,
            time_ns: 5,
            longest_ns: 6,
        };
        let calls = SystemCalls {
            pid: 1,
            tid: 2,
            from_ns: 3,
            to_ns: 4,
            is_exiting: true,
            calls: vec![call, call],
        };
        let endian = if cfg!(target_endian = "big") {
            Endian::Big
        } else {
            Endian::Little
        };
        let mut bytes = Vec::new();
        calls.encode(&mut bytes);
        let size = SystemCalls::HEAD_BYTES + 2 * SystemCall::BYTES;
        assert_eq!(bytes.len(), size);
        bytes.extend_from_slice(&[0; 4]);
        assert_eq!(SystemCalls::decode(&bytes, endian), Some(calls));
        assert_eq!(SystemCalls::decode(&bytes[..size - 1], endian), None);
        bytes[SystemCalls::HEAD_BYTES + 2] = 9;
        assert_eq!(SystemCalls::decode(&bytes, endian), None);
    }
}
