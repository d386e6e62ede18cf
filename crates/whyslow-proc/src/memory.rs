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

/// What is cheap to know of the memory of a process, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemorySizes {
    /// Memory that it has in RAM.
    pub resident: u64,
    /// Addresses of its own data and stacks, whether they are in RAM, swapped out or were never used.
    pub data: u64,
}

/// How large the memory of a process is. Kernel threads have none.
pub fn sizes(pid: u32) -> Option<MemorySizes> {
    let mut line = [0; 192];
    let mut file = File::open(format!("/proc/{pid}/statm")).ok()?;
    let bytes = file.read(&mut line).ok()?;
    let [resident, data] = pages(line.get(..bytes)?)?;
    let page = u64::try_from(page_size()).ok()?;
    Some(MemorySizes {
        resident: resident.checked_mul(page)?,
        data: data.checked_mul(page)?,
    })
}

/// The second and the sixth of the numbers in a line.
fn pages(line: &[u8]) -> Option<[u64; 2]> {
    let text = std::str::from_utf8(line).ok()?;
    let mut numbers = text.split_ascii_whitespace().skip(1);
    let resident = numbers.next()?.parse().ok()?;
    Some([resident, numbers.nth(3)?.parse().ok()?])
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
    use super::{ProcessMemory, of_process, pages, parse, sizes};

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
        assert_eq!(pages(b"2000 700 300 1 0 90 0\n"), Some([700, 90]));
        assert_eq!(pages(b"2000 700 300 1 0"), None);
        let pid = std::process::id();
        assert!(sizes(pid).is_some_and(|sizes| sizes.resident > 0 && sizes.data > 0));
        assert!(of_process(pid).is_some_and(|memory| memory.resident > 0));
    }
}
