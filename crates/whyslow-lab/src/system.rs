//! What an experiment ran on: the file system's driver and where it is mounted, free memory.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixture::daemons;

/// Returns the driver of the file system at `path`: as the kernel calls it (`ext4`), or the daemon's
/// name (`ntfs-3g`) where it can be found, or else FUSE's name for it (`fuse.bindfs`).
pub fn driver(path: &Path) -> Option<String> {
    let path = fs::canonicalize(path).ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let (point, driver) = mount_in(&mounts, &path)?;
    let fuse = driver.starts_with("fuse");
    let daemon = fuse.then(|| daemons(&point).pop()).flatten();
    Some(daemon.map_or(driver, |(_, name)| name))
}

/// Returns all mount points, in the order of the mounts.
pub(crate) fn mount_points() -> Vec<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    mounts_in(&mounts).map(|(point, _)| point).collect()
}

/// Returns the mount points and drivers that the kernel lists.
fn mounts_in(mounts: &str) -> impl Iterator<Item = (PathBuf, &str)> {
    mounts.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let point = unescaped(before.split(' ').nth(4)?);
        Some((point.into(), after.split(' ').next()?))
    })
}

/// Returns the last mount with the longest mount point above `path`, and its driver.
fn mount_in(mounts: &str, path: &Path) -> Option<(PathBuf, String)> {
    let above = mounts_in(mounts).filter(|(point, _)| path.starts_with(point));
    let (point, driver) = above.max_by_key(|(point, _)| point.as_os_str().len())?;
    Some((point, driver.to_owned()))
}

/// Returns a mount point with its octal escapes (`\040`) resolved.
fn unescaped(point: &str) -> String {
    let mut parts = point.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part
            .get(..3)
            .and_then(|code| u8::from_str_radix(code, 8).ok());
        match code {
            Some(code) => {
                text.push(char::from(code));
                text.push_str(part.get(3..).unwrap_or_default());
            }
            None => {
                text.push('\\');
                text.push_str(part);
            }
        }
    }
    text
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
        let mounts = "\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
23 22 0:21 / /dev/shm rw shared:2 - tmpfs tmpfs rw
24 22 0:40 / /mnt/my\\040disk rw - fuseblk /dev/loop0 rw
25 22 0:41 / /mnt/my\\040disk rw - xfs /dev/loop1 rw
";
        let of = |path: &str| mount_in(mounts, Path::new(path)).map(|(_, driver)| driver);
        assert_eq!(of("/home/x").as_deref(), Some("ext4"));
        assert_eq!(of("/dev/shm/lab").as_deref(), Some("tmpfs"));
        assert_eq!(of("/mnt/my disk/lab").as_deref(), Some("xfs"));
        assert_eq!(of("/dev/shmoo").as_deref(), Some("ext4"));
    }
}
