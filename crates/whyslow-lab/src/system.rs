//! What an experiment ran on: the file system's driver and where it is mounted, free memory.

use std::fs;
use std::path::Path;

/// Returns the driver of the file system at `path`, as the kernel calls it (`ext4`, `fuse.bindfs`).
pub fn driver(path: &Path) -> Option<String> {
    let path = fs::canonicalize(path).ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    driver_in(&mounts, &path)
}

/// Returns the driver of the last mount with the longest mount point above `path`.
fn driver_in(mounts: &str, path: &Path) -> Option<String> {
    let mounts = mounts.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let point = unescaped(before.split(' ').nth(4)?);
        let driver = after.split(' ').next()?;
        path.starts_with(&point).then_some((point.len(), driver))
    });
    mounts
        .max_by_key(|(length, _)| *length)
        .map(|(_, driver)| driver.to_owned())
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
        let of = |path: &str| driver_in(mounts, Path::new(path));
        assert_eq!(of("/home/x").as_deref(), Some("ext4"));
        assert_eq!(of("/dev/shm/lab").as_deref(), Some("tmpfs"));
        assert_eq!(of("/mnt/my disk/lab").as_deref(), Some("xfs"));
        assert_eq!(of("/dev/shmoo").as_deref(), Some("ext4"));
    }
}
