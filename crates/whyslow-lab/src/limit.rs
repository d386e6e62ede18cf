//! Limits: which one a system reached that refuses.

use std::os::fd::AsFd;

use rustix::fs::fstatvfs;
use rustix::io::Errno;
use whyslow_series::Limit;

/// With this many free millions of bytes, a disk is not full.
const NOT_FULL: u64 = 20;

/// Returns the limit that the error number `errno` of an operation in `place` shows.
pub(crate) fn of(errno: i32, place: impl AsFd) -> Option<Limit> {
    if errno == Errno::DQUOT.raw_os_error() {
        return Some(Limit::Quota);
    }
    if errno != Errno::NOSPC.raw_os_error() {
        return None;
    }
    let found = fstatvfs(place).ok()?;
    let free = found.f_bavail.saturating_mul(found.f_frsize) / 1_000_000;
    Some(of_space((found.f_files, found.f_ffree), free))
}

/// Returns the limit of a file system with no room for one more file: `inodes` are all and the free ones, where
/// it counts them; `free` millions of bytes are free.
fn of_space(inodes: (u64, u64), free: u64) -> Limit {
    match (inodes, free) {
        ((1.., 0), _) => Limit::Inodes,
        (_, 0..NOT_FULL) => Limit::Disk,
        (_, free) => Limit::Directory { free },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_limit_makes_is_one() {
        let dir = std::fs::File::open(std::env::temp_dir()).expect("a directory");
        let found = |errno: Errno| of(errno.raw_os_error(), &dir);
        assert_eq!(found(Errno::ACCESS), None);
        assert_eq!(found(Errno::DQUOT), Some(Limit::Quota));
        assert!(found(Errno::NOSPC).is_some());
    }

    #[test]
    fn what_is_left_says_what_there_is_no_more_of() {
        let of = of_space;
        assert_eq!(of((1000, 0), 1_812), Limit::Inodes);
        assert_eq!(of((1000, 0), 0), Limit::Inodes);
        assert_eq!(of((1000, 1), 1_812), Limit::Directory { free: 1_812 });
        assert_eq!(of((1000, 1), NOT_FULL), Limit::Directory { free: NOT_FULL });
        assert_eq!(of((1000, 1), NOT_FULL - 1), Limit::Disk);
        // Some file systems, as btrfs, do not count inodes.
        assert_eq!(of((0, 0), 1_812), Limit::Directory { free: 1_812 });
        assert_eq!(of((0, 0), 3), Limit::Disk);
    }
}
