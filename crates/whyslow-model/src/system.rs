//! The operating system that was recorded, as far as texts for people depend on it.
//!
//! Figures never depend on it: differences between systems are in the tables.

/// The operating system of the recorded machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum System {
    /// Linux.
    #[default]
    Linux,
    /// Windows.
    Windows,
}

impl System {
    /// Returns the system named by the trace's `os`.
    pub fn of(os: Option<&str>) -> Self {
        match os {
            Some(os) if os.starts_with("Windows") => Self::Windows,
            _ => Self::Linux,
        }
    }

    /// Returns what identifies a disk: its number, or the numbers of its device, as in `8:0`.
    pub fn disk(self, disk: i32) -> String {
        let device = disk.cast_unsigned();
        match self {
            Self::Windows => disk.to_string(),
            Self::Linux => format!("{}:{}", device >> 20, device & 0xf_ffff),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disks_are_called_as_their_system_does() {
        assert_eq!(System::Linux.disk(8 << 20 | 17), "8:17");
        assert_eq!(System::Windows.disk(1), "1");
    }
}
