//! Limits: what was exhausted, and so ended a series.

use std::os::fd::AsFd;

use rustix::fs::fstatvfs;
use rustix::io::Errno;
use whyslow_results::grouped;

/// What was exhausted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The file system holds as many files as it can.
    Inodes,
    /// The directory holds as many files as it can; the disk is not full.
    Directory {
        /// Millions of bytes that are free.
        free: u64,
    },
    /// The disk is full.
    Disk,
    /// The user may not have more.
    Quota,
    /// Windows has tried every short name (8.3).
    ShortNames,
}

/// With this many free millions of bytes, a disk is not full.
const NOT_FULL: u64 = 20;

impl Limit {
    /// Returns the limit that the error number `errno` of an operation in `place` shows.
    pub(crate) fn of(errno: i32, place: impl AsFd) -> Option<Self> {
        if errno == Errno::DQUOT.raw_os_error() {
            return Some(Self::Quota);
        }
        if errno != Errno::NOSPC.raw_os_error() {
            return None;
        }
        let found = fstatvfs(place).ok()?;
        let free = found.f_bavail.saturating_mul(found.f_frsize) / 1_000_000;
        Some(Self::of_space((found.f_files, found.f_ffree), free))
    }

    /// Returns the limit of a file system with no room for one more file: `inodes` are all and the free ones, where
    /// it counts them; `free` millions of bytes are free.
    fn of_space(inodes: (u64, u64), free: u64) -> Self {
        match (inodes, free) {
            ((1.., 0), _) => Self::Inodes,
            (_, 0..NOT_FULL) => Self::Disk,
            (_, free) => Self::Directory { free },
        }
    }

    /// Returns it as a few words, for a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inodes => "inodes",
            Self::Directory { .. } => "directory",
            Self::Disk => "disk",
            Self::Quota => "quota",
            Self::ShortNames => "short names",
        }
    }

    /// Returns it as a sentence; `after` says what was done before, as `after 300 of 5,000 files`.
    pub(crate) fn sentence(self, after: &str) -> String {
        match self {
            Self::Inodes => {
                format!(
                    "Limit: the file system has no inode left {after}. The disk itself may have room."
                )
            }
            Self::Directory { free } => format!(
                "Limit: the directory is full {after}. The disk is not: {} MB are free.",
                grouped(free)
            ),
            Self::Disk => format!("Limit: the disk is full {after}."),
            Self::Quota => format!("Limit: the disk quota is used up {after}."),
            Self::ShortNames => format!(
                "Limit: Windows finds no free short name (8.3) {after}: every one it tries is taken."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_limit_makes_is_one() {
        let dir = std::fs::File::open(std::env::temp_dir()).expect("a directory");
        let of = |errno: Errno| Limit::of(errno.raw_os_error(), &dir);
        assert_eq!(of(Errno::ACCESS), None);
        assert_eq!(of(Errno::DQUOT), Some(Limit::Quota));
        assert!(of(Errno::NOSPC).is_some());
    }

    #[test]
    fn what_is_left_says_what_there_is_no_more_of() {
        let of = Limit::of_space;
        assert_eq!(of((1000, 0), 1_812), Limit::Inodes);
        assert_eq!(of((1000, 0), 0), Limit::Inodes);
        assert_eq!(of((1000, 1), 1_812), Limit::Directory { free: 1_812 });
        assert_eq!(of((1000, 1), NOT_FULL), Limit::Directory { free: NOT_FULL });
        assert_eq!(of((1000, 1), NOT_FULL - 1), Limit::Disk);
        // Some file systems, as btrfs, do not count inodes.
        assert_eq!(of((0, 0), 1_812), Limit::Directory { free: 1_812 });
        assert_eq!(of((0, 0), 3), Limit::Disk);
    }

    #[test]
    fn a_limit_says_what_is_full_and_what_is_not() {
        let full = Limit::Directory { free: 1_812 }.sentence("after 317,441 of 330,000 files");
        assert_eq!(
            full,
            "Limit: the directory is full after 317,441 of 330,000 files. The disk is not: 1,812 MB are free."
        );
    }
}
