//! Which files a thread used, how often, and with what result.

use crate::endian::Endian;

/// Name of the event with a [`FileName`].
pub const EVENT_FILE_NAME: &str = "whyslow:file_name";
/// Name of the event with [`FileCalls`].
pub const EVENT_FILE_CALLS: &str = "whyslow:file_calls";

/// Payload of [`EVENT_FILE_NAME`]: which file a number means, from then on.
///
/// A number may be reported again, with another path if the file was moved in between. All sockets
/// share one number, as do all pipes and the like.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 8 | `number` |
/// | 8 | 8 | `inode` |
/// | 16 | 8 | `magic` |
/// | 24 | 4 | `device` |
/// | 28 | 4 | `mode` |
/// | 32 | 4 | bits of [`FileFlags`] |
/// | 36 | 2 | bytes of the path |
/// | 38 | 2 | bytes of the file system's name |
/// | 40 | … | the path, then the file system's name |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileName {
    /// The number, by which calls name the file.
    pub number: u64,
    /// The inode's number; 0: not known.
    pub inode: u64,
    /// The kernel's number for the type of file system, as in `statfs`.
    pub magic: u64,
    /// The kernel's own number of the device: major number times 2^20 plus the minor number.
    pub device: u32,
    /// Kind of file and permissions, as in `stat`; 0: not known.
    pub mode: u32,
    /// What else is known about the path.
    pub flags: FileFlags,
    /// The path, as far as known: bytes, not text.
    pub path: Vec<u8>,
    /// Name of the type of file system, such as `ext4`.
    pub file_system: Vec<u8>,
}

/// What is known about a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileFlags(pub u32);

impl FileFlags {
    /// The name was removed.
    pub const DELETED: u32 = 1;
    /// The path does not lead to the root that the program sees.
    pub const UNREACHABLE: u32 = 2;
    /// The path is longer than the part here: its beginning is missing.
    pub const CUT: u32 = 4;
    /// The path is the one the program asked for: there may be no such file.
    pub const NAME_ONLY: u32 = 8;

    /// Returns whether one of these bits is set.
    pub fn has(self, bits: u32) -> bool {
        self.0 & bits != 0
    }
}

impl FileName {
    const HEAD_BYTES: usize = 40;

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        for word in [self.number, self.inode, self.magic] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        for word in [self.device, self.mode, self.flags.0] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        for text in [&self.path, &self.file_system] {
            let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
            out.extend_from_slice(&length.to_ne_bytes());
        }
        for text in [&self.path, &self.file_system] {
            let kept = text.get(..usize::from(u16::MAX)).unwrap_or(text);
            out.extend_from_slice(kept);
        }
    }

    /// Reads a payload; `None` if it is too short.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let path_bytes = usize::from(endian.u16(bytes, 36)?);
        let name_bytes = usize::from(endian.u16(bytes, 38)?);
        let (path, rest) = bytes
            .get(Self::HEAD_BYTES..)?
            .split_at_checked(path_bytes)?;
        Some(Self {
            number: endian.u64(bytes, 0)?,
            inode: endian.u64(bytes, 8)?,
            magic: endian.u64(bytes, 16)?,
            device: endian.u32(bytes, 24)?,
            mode: endian.u32(bytes, 28)?,
            flags: FileFlags(endian.u32(bytes, 32)?),
            path: path.to_vec(),
            file_system: rest.get(..name_bytes)?.to_vec(),
        })
    }
}

/// Payload of [`EVENT_FILE_CALLS`]: the system calls on files of one thread that ended within a
/// period. Each of them is also one of [`SystemCalls`](super::SystemCalls).
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | `pid` |
/// | 4 | 4 | `tid` |
/// | 8 | 8 | `from_ns` |
/// | 16 | 8 | `to_ns` |
/// | 24 | 4 | 0 |
/// | 28 | 4 | number of entries |
/// | 32 | … | the entries, [`FileCall::BYTES`] each |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCalls {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// When the first of the calls began, in nanoseconds of the recording's clock, or earlier.
    pub from_ns: u64,
    /// When the last of them ended.
    pub to_ns: u64,
    /// One entry per file, operation and result; several are possible.
    pub calls: Vec<FileCall>,
}

/// Similar calls of a thread.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 8 | `file` |
/// | 8 | 1 | `operation` |
/// | 9 | 1 | `flags` |
/// | 10 | 2 | `error` |
/// | 12 | 4 | 0 |
/// | 16 | 8 | `count` |
/// | 24 | 8 | `timed_count` |
/// | 32 | 8 | `bytes` |
/// | 40 | 8 | `time_ns` |
/// | 48 | 8 | `longest_ns` |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileCall {
    /// The number of a [`FileName`] reported before.
    pub file: u64,
    /// What was done: 1 open, 2 stat, 3 access, 4 read a link, 5 read, 6 write, 7 sync, 8 list,
    /// 9 rename, 10 remove, 11 create, 12 link, 13 change attributes, 14 resize, 15 lock, 16 map,
    /// 17 execute, 18 ask for the file system, 19 enter, 20 watch, 21 close, 22 mount.
    pub operation: u8,
    /// 1: each write is on the medium when it returns, 2: bypasses the cache, 4: it caused reads
    /// from a disk.
    pub flags: u8,
    /// The error number; 0: none.
    pub error: u16,
    /// How many there were: exact.
    pub count: u64,
    /// How many of them were timed. If not all were, the time is an estimate.
    pub timed_count: u64,
    /// How many bytes they moved.
    pub bytes: u64,
    /// Their total time.
    pub time_ns: u64,
    /// Duration of the longest of those that were timed.
    pub longest_ns: u64,
}

impl FileCalls {
    const HEAD_BYTES: usize = 32;

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.pid.to_ne_bytes());
        out.extend_from_slice(&self.tid.to_ne_bytes());
        out.extend_from_slice(&self.from_ns.to_ne_bytes());
        out.extend_from_slice(&self.to_ns.to_ne_bytes());
        out.extend_from_slice(&[0; 4]);
        let count = u32::try_from(self.calls.len()).unwrap_or(u32::MAX);
        out.extend_from_slice(&count.to_ne_bytes());
        for call in &self.calls {
            call.encode(out);
        }
    }

    /// Reads a payload; `None` if it is too short.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let count = usize::try_from(endian.u32(bytes, 28)?).ok()?;
        let entries = bytes
            .get(Self::HEAD_BYTES..)?
            .get(..count.checked_mul(FileCall::BYTES)?)?;
        let calls = entries
            .chunks_exact(FileCall::BYTES)
            .map(|entry| FileCall::decode(entry, endian))
            .collect::<Option<_>>()?;
        Some(Self {
            pid: endian.u32(bytes, 0)?,
            tid: endian.u32(bytes, 4)?,
            from_ns: endian.u64(bytes, 8)?,
            to_ns: endian.u64(bytes, 16)?,
            calls,
        })
    }
}

impl FileCall {
    /// Bytes of an entry.
    pub const BYTES: usize = 56;

    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.file.to_ne_bytes());
        out.extend_from_slice(&[self.operation, self.flags]);
        out.extend_from_slice(&self.error.to_ne_bytes());
        out.extend_from_slice(&[0; 4]);
        for word in [
            self.count,
            self.timed_count,
            self.bytes,
            self.time_ns,
            self.longest_ns,
        ] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
    }

    fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        Some(Self {
            file: endian.u64(bytes, 0)?,
            operation: *bytes.get(8)?,
            flags: *bytes.get(9)?,
            error: endian.u16(bytes, 10)?,
            count: endian.u64(bytes, 16)?,
            timed_count: endian.u64(bytes, 24)?,
            bytes: endian.u64(bytes, 32)?,
            time_ns: endian.u64(bytes, 40)?,
            longest_ns: endian.u64(bytes, 48)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn native() -> Endian {
        if cfg!(target_endian = "big") {
            Endian::Big
        } else {
            Endian::Little
        }
    }

    #[test]
    fn names_survive_and_short_ones_are_refused() {
        let name = FileName {
            number: 1,
            inode: u64::MAX,
            magic: 0xef53,
            device: 8 << 20,
            mode: 0o100_644,
            flags: FileFlags(FileFlags::DELETED),
            path: b"/odd\n\xff".to_vec(),
            file_system: b"ext4".to_vec(),
        };
        let mut bytes = Vec::new();
        name.encode(&mut bytes);
        let short = bytes.len() - 1;
        bytes.extend_from_slice(&[0; 4]);
        assert_eq!(FileName::decode(&bytes, native()), Some(name));
        assert_eq!(FileName::decode(&bytes[..short], native()), None);
        assert_eq!(FileName::decode(&bytes[..39], native()), None);
    }

    #[test]
    fn calls_survive_and_short_ones_are_refused() {
        let call = FileCall {
            file: u64::MAX - 1,
            operation: 6,
            flags: 1,
            error: 28,
            count: 1 << 40,
            timed_count: 3,
            bytes: 4,
            time_ns: 5,
            longest_ns: 6,
        };
        let calls = FileCalls {
            pid: 1,
            tid: 2,
            from_ns: 3,
            to_ns: 4,
            calls: vec![call, FileCall::default()],
        };
        let mut bytes = Vec::new();
        calls.encode(&mut bytes);
        assert_eq!(bytes.len(), FileCalls::HEAD_BYTES + 2 * FileCall::BYTES);
        assert_eq!(FileCalls::decode(&bytes[..bytes.len() - 1], native()), None);
        bytes.extend_from_slice(&[0; 4]);
        assert_eq!(FileCalls::decode(&bytes, native()), Some(calls));
    }
}
