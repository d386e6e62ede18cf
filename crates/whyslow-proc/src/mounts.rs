//! Which file systems are mounted, from where, and which process serves those in user space: `/proc/PID/mountinfo`
//! of each mount namespace, and the processes that have `/dev/fuse` open.
//!
//! No file is touched: one on a server that is gone would block the recording.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::{mountinfo, processes};

/// The most file systems that are reported.
const MOST: usize = 1024;

/// The most mount namespaces, processes, and open files of a process that are searched.
const MOST_NAMESPACES: usize = 64;
const MOST_PROCESSES: usize = 32 << 10;
const MOST_OPEN: usize = 4096;

/// The longest line that is written; an overlay may have many layers.
const MOST_BYTES: usize = 8192;

/// Virtual file systems of the kernel, which store nothing anywhere.
const MADE_UP: &str = "autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fusectl \
    hugetlbfs mqueue nsfs proc pstore ramfs rpc_pipefs securityfs selinuxfs sysfs tracefs";

/// A file system that is mounted. Texts are escaped as the kernel does it: a blank is `\040`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mounted {
    /// The kernel's own number of the device: major number times 2^20 plus the minor one.
    device: u32,
    kind: String,
    source: String,
    /// Where it is mounted.
    at: String,
    options: String,
    /// The process that serves it.
    server: Option<u32>,
}

impl Mounted {
    /// Returns it as a line: device, kind, source, where, server (`-`: none known), options.
    pub fn line(&self) -> String {
        let server = self.server.map_or("-".to_owned(), |pid| pid.to_string());
        let Self {
            device,
            kind,
            source,
            at,
            options,
            ..
        } = self;
        let mut line = format!("{device} {kind} {source} {at} {server} {options}");
        let mut end = line.len().min(MOST_BYTES);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        line.truncate(end);
        line
    }
}

/// Returns the file systems that are mounted now, each once, as the first namespace sees it.
pub fn mounted() -> Vec<Mounted> {
    let pids = own_and_others();
    let mut all: BTreeMap<u32, Mounted> = BTreeMap::new();
    for pid in first_of_namespaces(&pids) {
        let text = mountinfo::of_process(pid);
        for mounted in mountinfo::mounts(&text).filter_map(stored) {
            if all.len() < MOST {
                all.entry(mounted.device).or_insert(mounted);
            }
        }
    }
    let mut all: Vec<Mounted> = all.into_values().collect();
    if all.iter().any(is_fuse) {
        let servers = fuse_servers(&pids);
        let count = all.iter().filter(|one| is_fuse(one)).count();
        for one in all.iter_mut().filter(|one| is_fuse(one)) {
            one.server = server(&servers, one.device, count == 1);
        }
    }
    all
}

/// Adds those that are mounted now. A device may have been another file system's before.
pub fn with_those_of_the_end(before: &[Mounted]) -> Vec<Mounted> {
    let mut all = before.to_vec();
    all.extend(mounted());
    all.sort();
    all.dedup();
    all
}

fn is_fuse(mounted: &Mounted) -> bool {
    mounted.kind == "fuse" || mounted.kind == "fuseblk" || mounted.kind.starts_with("fuse.")
}

/// The processes, this one first.
fn own_and_others() -> Vec<u32> {
    let own = std::process::id();
    let others = processes::processes().into_iter().filter(|&pid| pid != own);
    std::iter::once(own)
        .chain(others)
        .take(MOST_PROCESSES)
        .collect()
}

/// Returns one process of each mount namespace.
fn first_of_namespaces(pids: &[u32]) -> Vec<u32> {
    let mut seen = BTreeSet::<PathBuf>::new();
    let first = pids.iter().filter(|pid| {
        let link = fs::read_link(format!("/proc/{pid}/ns/mnt"));
        link.is_ok_and(|link| seen.insert(link))
    });
    first.copied().take(MOST_NAMESPACES).collect()
}

/// Returns a mount of which something is stored somewhere.
fn stored(mount: mountinfo::Mount<'_>) -> Option<Mounted> {
    let (major, minor) = mount.device;
    let is_made_up = MADE_UP.split(' ').any(|one| one == mount.kind);
    if is_made_up || major >= 1 << 12 || minor >= 1 << 20 {
        return None;
    }
    // Nothing between two blanks is nothing.
    let source = Some(mount.source).filter(|source| !source.is_empty());
    Some(Mounted {
        device: major << 20 | minor,
        kind: mount.kind.to_owned(),
        source: source.unwrap_or("none").to_owned(),
        at: mount.at.to_owned(),
        options: mount.options.to_owned(),
        server: None,
    })
}

/// A process that serves a file system, with the number of the connection where the kernel reports it (Linux
/// 6.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Server {
    pid: u32,
    connection: Option<u32>,
}

fn fuse_servers(pids: &[u32]) -> Vec<Server> {
    pids.iter().flat_map(|&pid| servers_of(pid)).collect()
}

fn servers_of(pid: u32) -> Vec<Server> {
    let folder = PathBuf::from(format!("/proc/{pid}"));
    let open = fs::read_dir(folder.join("fd")).into_iter().flatten();
    let open = open.flatten().take(MOST_OPEN);
    let serves = open.filter(|entry| {
        fs::read_link(entry.path()).is_ok_and(|link| link == Path::new("/dev/fuse"))
    });
    let server = |entry: fs::DirEntry| {
        let info = fs::read_to_string(folder.join("fdinfo").join(entry.file_name()));
        Server {
            pid,
            connection: connection(&info.unwrap_or_default()),
        }
    };
    serves.map(server).collect()
}

fn connection(info: &str) -> Option<u32> {
    let mut lines = info.lines();
    let number = lines.find_map(|line| line.strip_prefix("fuse_connection:"))?;
    number.trim().parse().ok()
}

/// Returns the one process that serves the file system of a device; `None` if there may be several.
fn server(servers: &[Server], device: u32, is_only: bool) -> Option<u32> {
    let (major, minor) = (device >> 20, device & 0xf_ffff);
    // The kernel prints its own number, or the one that it shows to programs.
    let shown = minor & 0xff | major << 8 | (minor & !0xff) << 12;
    let told = servers.iter().any(|one| one.connection.is_some());
    let serves = |one: &&Server| match told {
        true => one.connection == Some(device) || one.connection == Some(shown),
        false => is_only,
    };
    let mut pids: Vec<u32> = servers.iter().filter(serves).map(|one| one.pid).collect();
    pids.dedup();
    match pids[..] {
        [pid] => Some(pid),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_mounted_where() {
        let line = "27 1 0:46 / /mnt/my\\040share rw,relatime shared:1 - cifs //nas/data rw,vers=3.1.1,addr=10.0.0.9";
        let parse = |line| mountinfo::Mount::parse(line).and_then(stored);
        let mounted = parse(line).unwrap();
        assert_eq!(
            mounted.line(),
            "46 cifs //nas/data /mnt/my\\040share - rw,vers=3.1.1,addr=10.0.0.9"
        );
        assert_eq!(
            parse("27 1 8:3 / / rw - ext4 /dev/sda3 rw").unwrap().device,
            8 << 20 | 3
        );
        assert_eq!(parse("22 27 0:21 / /proc rw,relatime - proc proc rw"), None);
        let long = Mounted {
            options: "ü".repeat(MOST_BYTES),
            ..mounted
        };
        assert!(long.line().len() <= MOST_BYTES);
    }

    #[test]
    fn a_server_is_known_by_its_connection_or_because_there_is_no_other() {
        let told = |pid, connection| Server { pid, connection };
        let both = [told(7, Some(46)), told(8, Some(47)), told(8, Some(47))];
        assert_eq!(server(&both, 46, false), Some(7));
        assert_eq!(server(&both, 47, false), Some(8));
        assert_eq!(server(&both, 48, true), None);
        let disk = 8 << 20 | 46;
        assert_eq!(server(&both, disk, false), None, "the same minor number");
        assert_eq!(server(&[told(9, Some(disk))], disk, false), Some(9));
        assert_eq!(server(&[told(9, Some(8 << 8 | 46))], disk, false), Some(9));
        let many = 0x1_2345;
        assert_eq!(server(&[told(9, Some(0x1230_0045))], many, false), Some(9));
        assert_eq!(server(&[told(7, None)], 46, true), Some(7));
        assert_eq!(server(&[told(7, None)], 46, false), None);
        assert_eq!(server(&[told(7, None), told(8, None)], 46, true), None);
        assert_eq!(connection("pos:\t0\nfuse_connection:\t46\n"), Some(46));
        assert_eq!(connection("pos:\t0\n"), None);
    }
}
