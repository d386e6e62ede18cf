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
}
