//! Limits: what was exhausted, and so ended a series.

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

impl Limit {
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
    pub fn sentence(self, after: &str) -> String {
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
    fn a_limit_says_what_is_full_and_what_is_not() {
        let full = Limit::Directory { free: 1_812 }.sentence("after 317,441 of 330,000 files");
        assert_eq!(
            full,
            "Limit: the directory is full after 317,441 of 330,000 files. The disk is not: 1,812 MB are free."
        );
    }
}
