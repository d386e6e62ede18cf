//! The dialects of SMB 2 and 3.

/// A dialect of SMB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// SMB 2.02: Windows Vista, Server 2008.
    V202,
    /// SMB 2.1: Windows 7, Server 2008 R2.
    V210,
    /// SMB 3.0: Windows 8, Server 2012.
    V300,
    /// SMB 3.02: Windows 8.1, Server 2012 R2.
    V302,
    /// SMB 3.1.1: Windows 10, Server 2016.
    V311,
}

impl Dialect {
    /// Every dialect, the oldest first.
    pub const ALL: [Self; 5] = [Self::V202, Self::V210, Self::V300, Self::V302, Self::V311];

    /// Returns what users call it: `3.11`.
    pub fn name(self) -> &'static str {
        match self {
            Self::V202 => "2.02",
            Self::V210 => "2.10",
            Self::V300 => "3.00",
            Self::V302 => "3.02",
            Self::V311 => "3.11",
        }
    }

    /// Returns the dialect called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// Returns those up to this one.
    pub fn and_older(self) -> Vec<Self> {
        let all = Self::ALL.into_iter();
        all.filter(|dialect| *dialect <= self).collect()
    }

    /// Returns its number in messages.
    pub(super) fn number(self) -> u16 {
        match self {
            Self::V202 => 0x0202,
            Self::V210 => 0x0210,
            Self::V300 => 0x0300,
            Self::V302 => 0x0302,
            Self::V311 => 0x0311,
        }
    }

    /// Returns the dialect with this number.
    pub(super) fn numbered(number: u16) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|dialect| dialect.number() == number)
    }

    /// Returns what Samba calls it in its settings.
    pub(crate) fn samba(self) -> &'static str {
        match self {
            Self::V202 => "SMB2_02",
            Self::V210 => "SMB2_10",
            Self::V300 => "SMB3_00",
            Self::V302 => "SMB3_02",
            Self::V311 => "SMB3_11",
        }
    }
}
