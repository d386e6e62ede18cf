//! What is mounted where, as the kernel says.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

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
pub(crate) fn mount_in(mounts: &[u8], path: &Path) -> Option<(PathBuf, String)> {
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
