//! The note beside the copy: what was made, so that just this can be undone.

use std::fmt;

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// The program's version.
    pub(crate) version: String,
    /// The group that may execute the copy; everybody without one.
    pub(crate) group: Option<String>,
    /// Whether the directory was made, too.
    pub(crate) made_directory: bool,
    /// The number of the copy's inode.
    pub(crate) inode: u64,
    /// Its size.
    pub(crate) bytes: u64,
}

/// Largest note that is read.
pub(crate) const MOST_BYTES: u64 = 4096;

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# `whyslow setup --undo` removes what this describes.")?;
        writeln!(f, "version {}", self.version)?;
        if let Some(group) = &self.group {
            writeln!(f, "group {group}")?;
        }
        writeln!(
            f,
            "directory {}",
            if self.made_directory { "made" } else { "found" }
        )?;
        writeln!(f, "inode {}", self.inode)?;
        writeln!(f, "bytes {}", self.bytes)
    }
}

impl Note {
    /// Reads a note; `None` if it is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let value = |key: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            lines
                .find(|(known, _)| *known == key)
                .map(|(_, value)| value)
        };
        Some(Self {
            version: value("version")?.to_owned(),
            group: value("group").map(str::to_owned),
            made_directory: value("directory")? == "made",
            inode: value("inode")?.parse().ok()?,
            bytes: value("bytes")?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_says_what_was_made() {
        let note = Note {
            version: "1.2.3".to_owned(),
            group: Some("perf".to_owned()),
            made_directory: true,
            inode: 7,
            bytes: 9,
        };
        assert_eq!(Note::parse(&note.to_string()), Some(note.clone()));
        let all = Note {
            group: None,
            made_directory: false,
            ..note
        };
        assert_eq!(Note::parse(&all.to_string()), Some(all));
        for text in ["", "version", "version 1\ninode x\nbytes 1\ndirectory made"] {
            assert_eq!(Note::parse(text), None);
        }
    }
}
