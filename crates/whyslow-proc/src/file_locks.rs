//! Who holds which locks on files as the recording begins: `/proc/locks`, with the paths.
//!
//! Locks that are taken later appear as calls; of one that was taken before, only the attempts that fail would
//! be seen. No file is touched: one on a server that is gone would block the recording.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The most processes whose open files are searched.
const MOST: usize = 64;

/// The most open files of a process that are looked at.
const MOST_OPEN: usize = 4096;

/// A lock on a file, and who has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldLock {
    /// The process that holds it.
    pub pid: u32,
    /// The file.
    pub path: PathBuf,
}

/// Returns the locks that processes hold, as far as their open files can be seen.
pub fn held() -> Vec<HeldLock> {
    let text = std::fs::read_to_string("/proc/locks").unwrap_or_default();
    // Our own are no business of what is recorded.
    let own = std::process::id();
    let pids = text.lines().filter_map(holder).filter(|&pid| pid != own);
    let pids: BTreeSet<u32> = pids.collect();
    let of_process = |pid| {
        let paths = locked_files(pid).into_iter();
        paths.map(move |path| HeldLock { pid, path })
    };
    pids.into_iter().take(MOST).flat_map(of_process).collect()
}

/// Returns who holds the lock of a line `1: POSIX  ADVISORY  WRITE 1234 fe:00:131099 0 EOF`; `None` for waiters
/// (`1: -> …`), and for locks of no process.
fn holder(line: &str) -> Option<u32> {
    let mut words = line.split_ascii_whitespace().skip(1);
    let kind = words.next()?;
    let pid = words.nth(2)?;
    ["POSIX", "FLOCK"]
        .contains(&kind)
        .then(|| pid.parse().ok())?
}

/// Returns the paths of the open files of a process that it has locked.
fn locked_files(pid: u32) -> Vec<PathBuf> {
    let open = std::fs::read_dir(format!("/proc/{pid}/fdinfo"))
        .into_iter()
        .flatten();
    let open = open.flatten().take(MOST_OPEN);
    let locked = open.filter(|entry| is_locked(&entry.path()));
    let path = |entry: std::fs::DirEntry| {
        let link = Path::new("/proc")
            .join(pid.to_string())
            .join("fd")
            .join(entry.file_name());
        std::fs::read_link(link).ok()
    };
    let mut paths: Vec<PathBuf> = locked.filter_map(path).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Returns whether what is known of an open file names a lock: a line `lock: 1: FLOCK …`.
fn is_locked(info: &Path) -> bool {
    let text = std::fs::read_to_string(info).unwrap_or_default();
    text.lines().any(|line| {
        let lock = line.strip_prefix("lock:");
        lock.is_some_and(|lock| holder(lock).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_who_has_the_lock() {
        let of = |text| holder(text);
        assert_eq!(
            of("1: POSIX  ADVISORY  WRITE 1234 fe:00:131099 0 EOF"),
            Some(1234)
        );
        assert_eq!(of("2: FLOCK  ADVISORY  READ 7 fe:00:131099 0 EOF"), Some(7));
        assert_eq!(of("2: -> FLOCK  ADVISORY  READ 8 fe:00:131099 0 EOF"), None);
        assert_eq!(of("3: OFDLCK ADVISORY  WRITE -1 fe:00:5 0 EOF"), None);
        assert_eq!(of("4: LEASE  ACTIVE    READ 9 fe:00:5 0 EOF"), None);
        for nonsense in ["", "1:", "1: POSIX", "1: POSIX A W x fe:0:1"] {
            assert_eq!(of(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn a_file_that_this_process_locked_is_found() {
        let path = std::env::temp_dir().join(format!("whyslow-lock-{}", std::process::id()));
        let file = std::fs::File::create(&path).unwrap();
        let pid = std::process::id();
        let path = path.canonicalize().unwrap();
        let free = locked_files(pid);
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive).unwrap();
        let locked = locked_files(pid);
        std::fs::remove_file(&path).unwrap();
        assert!(!free.contains(&path), "{free:?}");
        assert!(locked.contains(&path), "{locked:?}");
    }
}
