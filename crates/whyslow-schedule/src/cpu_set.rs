//! Sets of CPUs by number; the schedule holds their contents.

/// A set of CPUs that threads may be bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CpuSetId(u32);

impl CpuSetId {
    /// Every CPU of the machine.
    pub const ALL: Self = Self(0);

    /// Returns the index of the set.
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// Returns set number `number`.
    pub fn numbered(number: u32) -> Self {
        Self(number)
    }
}
