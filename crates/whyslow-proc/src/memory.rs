//! How much memory processes have: `/proc/PID/statm`, which is cheap, and `/proc/PID/status`, which says more.

use std::fs::File;
use std::io::Read;

use rustix::param::page_size;

/// How much memory a process has, in bytes; `None` where the kernel does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessMemory {
    /// Memory that it has in RAM.
    pub resident: u64,
    /// Of that: memory that no file holds.
    pub anonymous: Option<u64>,
    /// Of that: pages of files.
    pub file: Option<u64>,
    /// Of that: shared memory, and files that are in memory only.
    pub shared: Option<u64>,
    /// Memory that was moved to the swap area.
    pub swapped: Option<u64>,
    /// The most that was ever resident since it began to execute its program.
    pub peak: Option<u64>,
}

/// How much memory of a process is in RAM, in bytes. Kernel threads have none.
pub fn resident(pid: u32) -> Option<u64> {
    let mut line = [0; 128];
    let mut file = File::open(format!("/proc/{pid}/statm")).ok()?;
    let bytes = file.read(&mut line).ok()?;
    let pages = second_number(line.get(..bytes)?)?;
    pages.checked_mul(u64::try_from(page_size()).ok()?)
}

/// The second of the numbers in a line.
fn second_number(line: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(line).ok()?;
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// How much memory a process has; nothing for kernel threads.
pub fn of_process(pid: u32) -> Option<ProcessMemory> {
    parse(&std::fs::read(format!("/proc/{pid}/status")).ok()?)
}

fn parse(status: &[u8]) -> Option<ProcessMemory> {
    let value = |key: &[u8]| {
        let mut lines = status.split(|&byte| byte == b'\n');
        let value = lines.find_map(|line| line.strip_prefix(key))?;
        let kilobytes = std::str::from_utf8(value).ok()?;
        let kilobytes = kilobytes.trim().strip_suffix("kB")?.trim_end();
        kilobytes.parse::<u64>().ok()?.checked_mul(1024)
    };
    Some(ProcessMemory {
        resident: value(b"VmRSS:")?,
        anonymous: value(b"RssAnon:"),
        file: value(b"RssFile:"),
        shared: value(b"RssShmem:"),
        swapped: value(b"VmSwap:"),
        peak: value(b"VmHWM:"),
    })
}

#[cfg(test)]
mod tests {
    use super::{ProcessMemory, of_process, parse, resident, second_number};

    #[test]
    fn status_says_what_memory_is_for() {
        let status = b"Name:\tVmRSS: 9 kB\nVmPeak:\t  90000 kB\nVmHWM:\t    1300 kB\nVmRSS:\t    1200 kB\n\
            RssAnon:\t     700 kB\nRssFile:\t     400 kB\nRssShmem:\t     100 kB\nVmSwap:\t       0 kB\n";
        let expected = ProcessMemory {
            resident: 1200 << 10,
            anonymous: Some(700 << 10),
            file: Some(400 << 10),
            shared: Some(100 << 10),
            swapped: Some(0),
            peak: Some(1300 << 10),
        };
        assert_eq!(parse(status), Some(expected));
        // Kernel threads.
        assert_eq!(parse(b"Name:\tkthreadd\nThreads:\t1\n"), None);
        assert_eq!(parse(b"VmRSS:\t18446744073709551615 kB\n"), None);
        assert_eq!(parse(b"VmRSS:\t\xff kB\n"), None);
    }

    #[test]
    fn statm_says_how_much_is_in_memory() {
        assert_eq!(second_number(b"2000 700 300 1 0 90 0\n"), Some(700));
        assert_eq!(second_number(b"2000"), None);
        let pid = std::process::id();
        assert!(resident(pid).is_some_and(|bytes| bytes > 0));
        assert!(of_process(pid).is_some_and(|memory| memory.resident > 0));
    }
}
