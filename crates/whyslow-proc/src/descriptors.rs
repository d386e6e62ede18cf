//! What the descriptors of processes lead to: `/proc/PID/fd` and `/proc/PID/fdinfo`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::OsStringExt;

use crate::processes;

/// The most processes, and open files of each, that are looked through for the ends of pipes.
const MOST_PROCESSES: usize = 32 << 10;
const MOST_OPEN: usize = 4096;

/// What is known of an open file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// How it was opened, as `open` takes it.
    pub flags: u32,
    /// The number of its mount.
    pub mount: Option<u64>,
    /// Its inode (Linux 5.14).
    pub inode: Option<u64>,
    /// What it watches, if it is an epoll, by ascending descriptor.
    pub watched: Vec<Watched>,
}

/// What an epoll watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Watched {
    /// The descriptor when the epoll began to watch it; by now it may refer to another file.
    pub descriptor: u32,
    /// Its inode.
    pub inode: Option<u64>,
}

/// A process that has an end of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// The process.
    pub pid: u32,
    /// It can write to the pipe; otherwise it can read from it.
    pub writes: bool,
}

/// Returns what a descriptor leads to, in the kernel's words: a path, `pipe:[7]`, `anon_inode:[eventpoll]`.
pub fn link(pid: u32, descriptor: u32) -> Option<Vec<u8>> {
    let link = fs::read_link(format!("/proc/{pid}/fd/{descriptor}")).ok()?;
    Some(link.into_os_string().into_vec())
}

/// Returns what is known of an open file.
pub fn info(pid: u32, descriptor: u32) -> Option<Info> {
    let text = fs::read_to_string(format!("/proc/{pid}/fdinfo/{descriptor}"));
    Some(parse(&text.ok()?))
}

/// Reads lines such as `flags: 0100002` and `tfd:        5 events:       19 data: … ino:1a2 sdev:9`.
fn parse(text: &str) -> Info {
    let mut info = Info::default();
    for (key, value) in text.lines().filter_map(|line| line.split_once(':')) {
        let mut words = value.split_ascii_whitespace();
        let word = words.next().unwrap_or_default();
        match key {
            "flags" => info.flags = u32::from_str_radix(word, 8).unwrap_or(0),
            "mnt_id" => info.mount = word.parse().ok(),
            "ino" => info.inode = word.parse().ok(),
            "tfd" => info.watched.extend(watched(value)),
            _ => {}
        }
    }
    info.watched.sort_unstable();
    info
}

fn watched(value: &str) -> Option<Watched> {
    let mut words = value.split_ascii_whitespace();
    let descriptor = words.next()?.parse().ok()?;
    let inode = words.find_map(|word| word.strip_prefix("ino:"));
    Some(Watched {
        descriptor,
        inode: inode.and_then(|inode| u64::from_str_radix(inode, 16).ok()),
    })
}

/// Returns which processes have which ends of some pipes, by what descriptors of these lead to.
pub fn ends_of_pipes(wanted: &BTreeSet<Vec<u8>>) -> BTreeMap<Vec<u8>, BTreeSet<End>> {
    let mut found: BTreeMap<Vec<u8>, BTreeSet<End>> = BTreeMap::new();
    let pids = match wanted.is_empty() {
        true => Vec::new(),
        false => processes::processes(),
    };
    for pid in pids.into_iter().take(MOST_PROCESSES) {
        let open = fs::read_dir(format!("/proc/{pid}/fd"))
            .into_iter()
            .flatten();
        for entry in open.flatten().take(MOST_OPEN) {
            let name = entry.file_name();
            let descriptor = name.to_str().and_then(|name| name.parse().ok());
            let Some((descriptor, link)) = descriptor.and_then(|fd| Some((fd, link(pid, fd)?)))
            else {
                continue;
            };
            if !wanted.contains(&link) {
                continue;
            }
            let flags = info(pid, descriptor).map_or(0, |info| info.flags);
            const WRITES: u32 = 1;
            const BOTH: u32 = 2;
            let ends = found.entry(link).or_default();
            if flags & 3 == WRITES || flags & 3 == BOTH {
                ends.insert(End { pid, writes: true });
            }
            if flags & 3 != WRITES {
                ends.insert(End { pid, writes: false });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn lines_say_how_a_file_was_opened_and_what_is_watched() {
        let text = "pos:\t0\nflags:\t02000002\nmnt_id:\t16\nino:\t1058\n\
            tfd:       12 events:       19 data:                c  pos:0 ino:1a2 sdev:9\n\
            tfd:        5 events:       19 data:                5  pos:0 ino:1a3 sdev:9\nnonsense\ntfd: x\n";
        let expected = Info {
            flags: 0o2_000_002,
            mount: Some(16),
            inode: Some(1058),
            watched: [(5, 0x1a3), (12, 0x1a2)]
                .map(|(descriptor, inode)| Watched {
                    descriptor,
                    inode: Some(inode),
                })
                .to_vec(),
        };
        assert_eq!(parse(text), expected);
        assert_eq!(parse("tfd: 5 events: 19\n").watched[0].inode, None);
        assert_eq!(parse(""), Info::default());
    }

    #[test]
    fn both_ends_of_a_pipe_are_found() {
        let (reader, writer) = std::io::pipe().unwrap();
        let pid = std::process::id();
        let descriptor = u32::try_from(reader.as_raw_fd()).unwrap();
        let link = link(pid, descriptor).unwrap();
        let wanted = BTreeSet::from([link.clone()]);
        let both = [false, true].map(|writes| End { pid, writes });
        assert_eq!(ends_of_pipes(&wanted)[&link], BTreeSet::from(both));
        drop(writer);
        assert_eq!(ends_of_pipes(&wanted)[&link], BTreeSet::from([both[0]]));
        assert!(ends_of_pipes(&BTreeSet::new()).is_empty());
    }
}
