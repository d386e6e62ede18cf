//! Processes, threads and what they execute: `/proc/PID`.
//!
//! Everything here may vanish between two calls, so each function returns `None` or less data
//! instead of failing. Formats: `proc(5)`.

use std::path::{Path, PathBuf};

use rustix::param::clock_ticks_per_second;
use rustix::time::{ClockId, clock_gettime};

/// One line of `/proc/PID/task/TID/stat`, as far as it matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadStat {
    /// Its name.
    pub name: Vec<u8>,
    /// The letter of its state.
    pub state: u8,
    /// The parent of its process.
    pub parent_pid: u32,
    /// When it was born, in clock ticks since boot.
    pub start_ticks: u64,
}

/// One executable mapping of `/proc/PID/maps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Its first address.
    pub start: u64,
    /// The address behind its last one.
    pub end: u64,
    /// As `mmap` takes it.
    pub protection: u32,
    /// As `mmap` takes them.
    pub flags: u32,
    /// Where in the file it begins.
    pub file_offset: u64,
    /// Major and minor number of the file's device.
    pub device: (u32, u32),
    /// The file's inode; 0: there is none.
    pub inode: u64,
    /// The file's path, or what the kernel calls memory without a file.
    pub path: Vec<u8>,
}

/// Translates times of birth to the recording's clock.
#[derive(Clone, Copy, Debug)]
pub struct BirthClock {
    tick_ns: i64,
    /// How far `CLOCK_BOOTTIME` is ahead: the time spent suspended.
    suspended_ns: i64,
}

impl BirthClock {
    /// Reads the clocks.
    pub fn now() -> Self {
        Self {
            tick_ns: tick_ns().cast_signed(),
            suspended_ns: read_ns(ClockId::Boottime) - read_ns(ClockId::Monotonic),
        }
    }

    /// When that was, in nanoseconds of the recording's clock.
    pub fn start_ns(self, ticks: u64) -> i64 {
        i64::try_from(ticks)
            .unwrap_or(0)
            .saturating_mul(self.tick_ns)
            - self.suspended_ns
    }
}

/// Nanoseconds of a clock tick, the unit of times in `/proc`.
fn tick_ns() -> u64 {
    1_000_000_000 / clock_ticks_per_second().max(1)
}

/// CPU time of the calling thread, in nanoseconds.
pub fn own_cpu_ns() -> u64 {
    u64::try_from(read_ns(ClockId::ThreadCPUTime)).unwrap_or(0)
}

fn read_ns(clock: ClockId) -> i64 {
    let time = clock_gettime(clock);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Ids of all processes, in ascending order.
pub fn processes() -> Vec<u32> {
    numbered(Path::new("/proc"))
}

/// Ids of the threads of a process, in ascending order.
pub fn threads(pid: u32) -> Vec<u32> {
    numbered(&PathBuf::from(format!("/proc/{pid}/task")))
}

fn numbered(directory: &Path) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return Vec::new();
    };
    let mut numbers: Vec<u32> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    numbers.sort_unstable();
    numbers
}

/// Name, state and birth of a thread.
pub fn thread_stat(pid: u32, tid: u32) -> Option<ThreadStat> {
    parse_stat(&std::fs::read(format!("/proc/{pid}/task/{tid}/stat")).ok()?)
}

/// The kernel function in which a thread waits; empty: it does not wait, or the kernel hides it.
pub fn wait_channel(pid: u32, tid: u32) -> Vec<u8> {
    let channel = std::fs::read(format!("/proc/{pid}/task/{tid}/wchan")).unwrap_or_default();
    if channel == b"0" { Vec::new() } else { channel }
}

/// The arguments of a process, each ended by a zero byte; empty for kernel threads.
pub fn command_line(pid: u32) -> Vec<u8> {
    std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default()
}

/// Whether a process runs in the kernel only.
pub fn is_kernel_thread(pid: u32) -> bool {
    const PF_KTHREAD: u32 = 0x0020_0000;
    let stat = std::fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after_name = stat.rsplit(|&byte| byte == b')').next().unwrap_or_default();
    let fields = std::str::from_utf8(after_name).unwrap_or_default();
    let flags = fields
        .split_ascii_whitespace()
        .nth(6)
        .and_then(|flags| flags.parse().ok());
    flags.is_some_and(|flags: u32| flags & PF_KTHREAD != 0)
}

/// The executable mappings of a process; none for kernel threads.
pub fn executable_mappings(pid: u32) -> Vec<Mapping> {
    let text = std::fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
    text.split(|&byte| byte == b'\n')
        .filter_map(parse_mapping)
        .filter(|mapping| mapping.protection & PROT_EXEC != 0)
        .collect()
}

const PROT_READ: u32 = 1;
const PROT_WRITE: u32 = 2;
const PROT_EXEC: u32 = 4;
const MAP_SHARED: u32 = 1;
const MAP_PRIVATE: u32 = 2;

fn parse_stat(line: &[u8]) -> Option<ThreadStat> {
    // The name is in parentheses and may contain some itself, so look for the last one.
    let open = line.iter().position(|&byte| byte == b'(')?;
    let close = line.iter().rposition(|&byte| byte == b')')?;
    let name = line.get(open + 1..close)?.to_vec();
    let rest = std::str::from_utf8(line.get(close + 1..)?).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    Some(ThreadStat {
        name,
        state: *fields.first()?.as_bytes().first()?,
        parent_pid: fields.get(1)?.parse().ok()?,
        start_ticks: fields.get(19)?.parse().ok()?,
    })
}

fn parse_mapping(line: &[u8]) -> Option<Mapping> {
    let mut rest = line;
    let mut word = || {
        let start = rest.iter().position(|&byte| byte != b' ')?;
        let word = rest.get(start..)?.split(|&byte| byte == b' ').next()?;
        rest = rest.get(start + word.len()..)?;
        std::str::from_utf8(word).ok()
    };
    let (start, end) = word()?.split_once('-')?;
    let modes = word()?.as_bytes();
    let file_offset = word()?;
    let (major, minor) = word()?.split_once(':')?;
    let inode = word()?;
    let path_start = rest
        .iter()
        .position(|&byte| byte != b' ')
        .unwrap_or(rest.len());
    let bit = |place: usize, letter, bit| {
        if modes.get(place) == Some(&letter) {
            bit
        } else {
            0
        }
    };
    let path = rest.get(path_start..)?;
    Some(Mapping {
        start: u64::from_str_radix(start, 16).ok()?,
        end: u64::from_str_radix(end, 16).ok()?,
        protection: bit(0, b'r', PROT_READ) | bit(1, b'w', PROT_WRITE) | bit(2, b'x', PROT_EXEC),
        flags: if modes.get(3) == Some(&b's') {
            MAP_SHARED
        } else {
            MAP_PRIVATE
        },
        file_offset: u64::from_str_radix(file_offset, 16).ok()?,
        device: (
            u32::from_str_radix(major, 16).ok()?,
            u32::from_str_radix(minor, 16).ok()?,
        ),
        inode: inode.parse().ok()?,
        // The kernel's own records use this name for memory without a file.
        path: if path.is_empty() {
            b"//anon".to_vec()
        } else {
            path.to_vec()
        },
    })
}

#[cfg(test)]
mod tests {
    use super::{parse_mapping, parse_stat};

    #[test]
    fn stat_of_a_thread_with_a_hostile_name() {
        let line = b"12 (a) b (c)) S 7 12 12 0 -1 4194304 1 0 0 0 1 2 0 0 20 0 1 0 4711 99 1 0\n";
        let stat = parse_stat(line).unwrap();
        assert_eq!(stat.name, b"a) b (c)");
        assert_eq!(
            (stat.state, stat.parent_pid, stat.start_ticks),
            (b'S', 7, 4711)
        );
        assert_eq!(parse_stat(b"12 (a"), None);
    }

    #[test]
    fn mapping_of_a_path_with_blanks() {
        let line = b"7f00-7f10 r-xp 00001000 fe:01 1234567      /tmp/a b (deleted)";
        let mapping = parse_mapping(line).unwrap();
        assert_eq!((mapping.start, mapping.end), (0x7f00, 0x7f10));
        assert_eq!((mapping.protection, mapping.flags), (5, 2));
        assert_eq!((mapping.device, mapping.inode), ((0xfe, 1), 1_234_567));
        assert_eq!(mapping.path, b"/tmp/a b (deleted)");
        assert_eq!(
            parse_mapping(b"7f00-7f10 rwxp 00000000 00:00 0")
                .unwrap()
                .path,
            b"//anon"
        );
        assert_eq!(parse_mapping(b"7f00"), None);
        assert_eq!(parse_mapping(b""), None);
    }
}
