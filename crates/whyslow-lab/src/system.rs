//! What an experiment ran on: the file system's driver and where it is mounted, free memory.

use std::ffi::OsString;
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::fstatvfs;

use crate::fixture::daemons;

/// Returns the driver of the file system at `path`: as the kernel calls it (`ext4`), or the daemon's
/// name (`ntfs-3g`) where it can be found, or else FUSE's name for it (`fuse.bindfs`).
pub fn driver(path: &Path) -> Option<String> {
    let path = fs::canonicalize(path).ok()?;
    let mounts = fs::read("/proc/self/mountinfo").ok()?;
    let (point, driver) = mount_in(&mounts, &path)?;
    let fuse = driver.starts_with("fuse");
    let daemon = fuse.then(|| daemons(&point).pop()).flatten();
    Some(daemon.map_or(driver, |(_, name)| name))
}

/// Returns all mount points, in the order of the mounts.
pub(crate) fn mount_points() -> Vec<PathBuf> {
    let mounts = fs::read("/proc/self/mountinfo").unwrap_or_default();
    mounts_in(&mounts).map(|(point, _)| point).collect()
}

/// Returns the mount points and drivers that the kernel lists. Paths are bytes of any encoding.
fn mounts_in(mounts: &[u8]) -> impl Iterator<Item = (PathBuf, &str)> {
    mounts.split(|byte| *byte == b'\n').filter_map(|line| {
        let mut words = line.split(|byte| *byte == b' ');
        let point = unescaped(words.nth(4)?);
        words.find(|word| *word == b"-")?;
        let driver = str::from_utf8(words.next()?).ok()?;
        Some((OsString::from_vec(point).into(), driver))
    })
}

/// Returns the last mount with the longest mount point above `path`, and its driver.
fn mount_in(mounts: &[u8], path: &Path) -> Option<(PathBuf, String)> {
    let above = mounts_in(mounts).filter(|(point, _)| path.starts_with(point));
    let (point, driver) = above.max_by_key(|(point, _)| point.as_os_str().len())?;
    Some((point, driver.to_owned()))
}

/// Returns a mount point with its octal escapes (`\040`) resolved.
fn unescaped(point: &[u8]) -> Vec<u8> {
    let mut parts = point.split(|byte| *byte == b'\\');
    let mut path = parts.next().unwrap_or_default().to_vec();
    for part in parts {
        let code = part.get(..3).and_then(|code| str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 8).ok()) {
            Some(code) => {
                path.push(code);
                path.extend(part.get(3..).unwrap_or_default());
            }
            None => {
                path.push(b'\\');
                path.extend(part);
            }
        }
    }
    path
}

/// Returns what there still is where a file system said that no space is left: it may be the table of
/// files that is full, or a directory.
pub(crate) fn left(place: impl AsFd) -> Option<String> {
    let found = fstatvfs(place).ok()?;
    if found.f_files > 0 && found.f_ffree == 0 {
        return Some("No inode is left: it holds as many files as it can.".to_owned());
    }
    let megabytes = found.f_bavail.saturating_mul(found.f_frsize) / 1_000_000;
    (megabytes >= 20).then(|| {
        format!("The disk is not full, {megabytes} MB are free: a directory may be full before.")
    })
}

/// Returns the bytes of memory that can be used without swapping; `None` where unknown.
pub fn free_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_mount_says_the_driver() {
        let mounts = b"\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
23 22 0:21 / /dev/shm rw shared:2 - tmpfs tmpfs rw
24 22 0:40 / /mnt/my\\040disk rw - fuseblk /dev/loop0 rw
25 22 0:41 / /mnt/my\\040disk rw - xfs /dev/loop1 rw
26 22 0:42 / /mnt/caf\xe9 rw - btrfs /dev/loop2 rw
";
        let of = |path: &str| mount_in(&mounts[..], Path::new(path)).map(|(_, driver)| driver);
        assert_eq!(of("/home/x").as_deref(), Some("ext4"));
        assert_eq!(of("/dev/shm/lab").as_deref(), Some("tmpfs"));
        assert_eq!(of("/mnt/my disk/lab").as_deref(), Some("xfs"));
        assert_eq!(of("/dev/shmoo").as_deref(), Some("ext4"));
        let odd = mounts_in(&mounts[..]).last().map(|(point, _)| point);
        let odd = odd.map(|point| point.into_os_string().into_vec());
        assert_eq!(odd.as_deref(), Some(&b"/mnt/caf\xe9"[..]));
    }
}
