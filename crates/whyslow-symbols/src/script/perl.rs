//! What is known of Perl's versions.

/// Where things are in the structures of an interpreter of Perl with threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The name of a package lies behind the table of its names, not behind the package itself.
    pub name_is_behind_table: bool,
}

impl Layout {
    /// Returns the layout of version 5.`minor`; `None` if it is not known.
    pub fn of(minor: u8) -> Option<Self> {
        matches!(minor, 34 | 36 | 38 | 40).then_some(Self {
            name_is_behind_table: minor < 36,
        })
    }
}
