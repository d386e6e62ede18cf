//! Where PHP keeps things.

/// Where things are in the structures of an interpreter of PHP without threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The innermost frame, in the executor's state.
    pub current: u32,
    /// The file of a function; its first and last line follow.
    pub file: u32,
}

impl Layout {
    /// Returns the layout of a version; `None` if it is not known.
    pub fn of(version: (u32, u32)) -> Option<Self> {
        let (current, file) = match version {
            (7, 3) => (488, 128),
            (7, 4) => (488, 136),
            (8, 0 | 1 | 3) => (488, 144),
            (8, 2) => (488, 152),
            (8, 4) => (488, 168),
            (8, 5) => (512, 168),
            _ => return None,
        };
        Some(Self { current, file })
    }

    /// Where a function has its first line.
    pub fn first_line(&self) -> u32 {
        self.file + 8
    }
}
