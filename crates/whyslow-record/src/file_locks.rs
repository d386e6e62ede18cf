//! Who holds which locks on files as the recording begins: `/proc/locks`, with the paths.
//!
//! Locks that are taken later are calls like others; of one that was taken before, only who is refused it would
//! be seen.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The most locks that are looked at.
const MOST: usize = 256;

/// The most open files of a process that are looked through for the one that it locked.
const MOST_OPEN: usize = 4096;

/// A lock on a file, and who has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeldLock {
    pub(crate) pid: u32,
    pub(crate) path: PathBuf,
}

/// Returns the locks that processes hold, as far as their open files can be seen.
pub(crate) fn held() -> Vec<HeldLock> {
    let text = std::fs::read_to_string("/proc/locks").unwrap_or_default();
    let locks = text.lines().filter_map(line).take(MOST);
    locks
        .filter_map(|(pid, file)| {
            let path = open_file(pid, file)?;
            Some(HeldLock { pid, path })
        })
        .collect()
}

/// Which file: device and inode.
type FileId = (u64, u64);

/// Reads `1: POSIX  ADVISORY  WRITE 1234 fe:00:131099 0 EOF`; `None` for who waits (`1: -> …`), and for locks of
/// no process.
fn line(text: &str) -> Option<(u32, FileId)> {
    let mut words = text.split_ascii_whitespace().skip(1);
    if !["POSIX", "FLOCK"].contains(&words.next()?) {
        return None;
    }
    let pid = words.nth(2)?.parse().ok()?;
    let mut parts = words.next()?.split(':');
    let mut number = |radix| u64::from_str_radix(parts.next()?, radix).ok();
    let (major, minor, inode) = (number(16)?, number(16)?, number(10)?);
    let device = rustix::fs::makedev(u32::try_from(major).ok()?, u32::try_from(minor).ok()?);
    Some((pid, (device, inode)))
}

/// Returns the path by which a process has this file open.
fn open_file(pid: u32, (device, inode): FileId) -> Option<PathBuf> {
    let folder = PathBuf::from(format!("/proc/{pid}/fd"));
    let open = std::fs::read_dir(folder).ok()?.flatten().take(MOST_OPEN);
    let is_it = |place: &Path| {
        std::fs::metadata(place).is_ok_and(|file| (file.dev(), file.ino()) == (device, inode))
    };
    let mut places = open.map(|entry| entry.path());
    std::fs::read_link(places.find(|place| is_it(place))?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_who_has_which_file() {
        let id = (rustix::fs::makedev(0xfe, 0), 131_099);
        let of = |text| line(text);
        assert_eq!(
            of("1: POSIX  ADVISORY  WRITE 1234 fe:00:131099 0 EOF"),
            Some((1234, id))
        );
        assert_eq!(
            of("2: FLOCK  ADVISORY  READ 7 fe:00:131099 0 EOF"),
            Some((7, id))
        );
        assert_eq!(of("2: -> FLOCK  ADVISORY  READ 8 fe:00:131099 0 EOF"), None);
        assert_eq!(of("3: OFDLCK ADVISORY  WRITE -1 fe:00:5 0 EOF"), None);
        assert_eq!(of("4: LEASE  ACTIVE    READ 9 fe:00:5 0 EOF"), None);
        for nonsense in [
            "",
            "1:",
            "1: POSIX",
            "1: POSIX A W x fe:0:1",
            "1: POSIX A W 1 fe",
            "1: POSIX A W 1 x:y:z",
        ] {
            assert_eq!(of(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn a_file_that_this_process_locked_is_found() {
        let path = std::env::temp_dir().join(format!("whyslow-lock-{}", std::process::id()));
        let file = std::fs::File::create(&path).unwrap();
        let free = held();
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive).unwrap();
        let pid = std::process::id();
        let path = path.canonicalize().unwrap();
        let own = HeldLock { pid, path };
        let locked = held();
        std::fs::remove_file(&own.path).unwrap();
        assert!(!free.contains(&own), "{free:?}");
        assert!(locked.contains(&own), "{locked:?}");
    }
}
