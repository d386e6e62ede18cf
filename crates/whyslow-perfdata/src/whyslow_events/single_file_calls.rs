//! Calls on files, one by one.

use crate::endian::Endian;

/// Name of the event with [`SingleFileCalls`].
pub const EVENT_SINGLE_FILE_CALLS: &str = "whyslow:single_file_calls";

/// Payload of [`EVENT_SINGLE_FILE_CALLS`]: some of one thread's calls on files.
/// [`FileCalls`](super::FileCalls) counts each of them, too.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | `pid` |
/// | 4 | 4 | `tid` |
/// | 8 | 4 | 0 |
/// | 12 | 4 | number of entries |
/// | 16 | … | the entries, [`SingleFileCall::BYTES`] each |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SingleFileCalls {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The calls, in the order in which they ended.
    pub calls: Vec<SingleFileCall>,
}

/// One call on a file.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 8 | `start_ns` |
/// | 8 | 8 | `duration_ns` |
/// | 16 | 8 | `file` |
/// | 24 | 8 | `other` |
/// | 32 | 8 | `offset` |
/// | 40 | 8 | `asked_bytes` |
/// | 48 | 8 | `result` |
/// | 56 | 8 | `disk_bytes` |
/// | 64 | 1 | `operation` |
/// | 65 | 1 | `flags` |
/// | 66 | 2 | `error` |
/// | 68 | 2 | `system_call` |
/// | 70 | 2 | bits: 1 `duration_ns` is known, 2 `offset`, 4 `asked_bytes`, 8 `disk_bytes`, 16 `has_slept` |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SingleFileCall {
    /// When it began; if its duration is not known, when it ended.
    pub start_ns: u64,
    /// How long it took.
    pub duration_ns: Option<u64>,
    /// The number of a [`FileName`](super::FileName) reported before.
    pub file: u64,
    /// The number of a second file: the target of a copy, or the new name; 0: none.
    pub other: u64,
    /// Where in the file it began.
    pub offset: Option<u64>,
    /// How many bytes it requested.
    pub asked_bytes: Option<u64>,
    /// What it returned: negative for errors, often a number of bytes.
    pub result: i64,
    /// How many bytes it caused to be read from disks.
    pub disk_bytes: Option<u64>,
    /// What was done, as in [`FileCall`](super::FileCall).
    pub operation: u8,
    /// How, as in [`FileCall`](super::FileCall).
    pub flags: u8,
    /// The error number; 0: none.
    pub error: u16,
    /// The number of the system call.
    pub system_call: u16,
    /// Whether its thread slept during the call.
    pub has_slept: bool,
}

impl SingleFileCalls {
    const HEAD_BYTES: usize = 16;

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let count = u32::try_from(self.calls.len()).unwrap_or(u32::MAX);
        for word in [self.pid, self.tid, 0, count] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        for call in &self.calls {
            call.encode(out);
        }
    }

    /// Reads a payload; `None` if it is too short.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let count = usize::try_from(endian.u32(bytes, 12)?).ok()?;
        let entries = bytes
            .get(Self::HEAD_BYTES..)?
            .get(..count.checked_mul(SingleFileCall::BYTES)?)?;
        Some(Self {
            pid: endian.u32(bytes, 0)?,
            tid: endian.u32(bytes, 4)?,
            calls: entries
                .chunks_exact(SingleFileCall::BYTES)
                .map(|entry| SingleFileCall::decode(entry, endian))
                .collect::<Option<_>>()?,
        })
    }
}

impl SingleFileCall {
    /// Bytes of an entry.
    pub const BYTES: usize = 72;

    fn encode(&self, out: &mut Vec<u8>) {
        let optional = [
            self.duration_ns,
            self.offset,
            self.asked_bytes,
            self.disk_bytes,
        ];
        let known = optional.iter().enumerate();
        let known = known.fold(0, |bits, (at, value)| {
            bits | u16::from(value.is_some()) << at
        });
        for word in [
            self.start_ns,
            self.duration_ns.unwrap_or(0),
            self.file,
            self.other,
            self.offset.unwrap_or(0),
            self.asked_bytes.unwrap_or(0),
            self.result.cast_unsigned(),
            self.disk_bytes.unwrap_or(0),
        ] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        out.extend_from_slice(&[self.operation, self.flags]);
        let bits = known | u16::from(self.has_slept) << 4;
        for half in [self.error, self.system_call, bits] {
            out.extend_from_slice(&half.to_ne_bytes());
        }
    }

    fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let bits = endian.u16(bytes, 70)?;
        let known = |bit: u16, at: usize| -> Option<Option<u64>> {
            let value = endian.u64(bytes, at)?;
            Some((bits & bit != 0).then_some(value))
        };
        Some(Self {
            start_ns: endian.u64(bytes, 0)?,
            duration_ns: known(1, 8)?,
            file: endian.u64(bytes, 16)?,
            other: endian.u64(bytes, 24)?,
            offset: known(2, 32)?,
            asked_bytes: known(4, 40)?,
            result: endian.u64(bytes, 48)?.cast_signed(),
            disk_bytes: known(8, 56)?,
            operation: *bytes.get(64)?,
            flags: *bytes.get(65)?,
            error: endian.u16(bytes, 66)?,
            system_call: endian.u16(bytes, 68)?,
            has_slept: bits & 16 != 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_and_short_ones_are_refused() {
        let native = if cfg!(target_endian = "big") {
            Endian::Big
        } else {
            Endian::Little
        };
        let call = SingleFileCall {
            start_ns: 5,
            duration_ns: Some(0),
            file: u64::MAX,
            other: 7,
            offset: Some(4096),
            asked_bytes: None,
            result: -28,
            disk_bytes: Some(u64::MAX),
            operation: 6,
            flags: 3,
            error: 28,
            system_call: 18,
            has_slept: true,
        };
        let calls = SingleFileCalls {
            pid: 1,
            tid: 2,
            calls: vec![call, SingleFileCall::default()],
        };
        let mut bytes = Vec::new();
        calls.encode(&mut bytes);
        assert_eq!(
            bytes.len(),
            SingleFileCalls::HEAD_BYTES + 2 * SingleFileCall::BYTES
        );
        assert_eq!(
            SingleFileCalls::decode(&bytes[..bytes.len() - 1], native),
            None
        );
        bytes.extend_from_slice(&[0; 4]);
        assert_eq!(SingleFileCalls::decode(&bytes, native), Some(calls));
        bytes[12..16].fill(0xff);
        assert_eq!(SingleFileCalls::decode(&bytes, native), None);
    }
}
