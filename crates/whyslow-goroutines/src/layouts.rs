//! Where the members of the runtime's structures are, by version of Go.
//!
//! [`LAYOUTS`] is printed by `layouts/generate`, which compiles a program with each version and reads its
//! debug information. They do not change within a version, and are those of x86-64. A version that is
//! newer than all of these is read like the newest; [`crate::Runtime`] finds out whether that fits.

/// Offsets in `runtime.g`, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The version's second number.
    minor: u32,
    /// Bytes of the structure.
    pub(crate) size: usize,
    /// The two ends of its stack.
    pub(crate) stack: usize,
    /// Its stack pointer while it does not run.
    pub(crate) sp: usize,
    /// Where it continues.
    pub(crate) pc: usize,
    /// The goroutine itself.
    pub(crate) itself: usize,
    /// Its frame pointer.
    pub(crate) bp: usize,
    /// Its state.
    pub(crate) status: usize,
    /// Its number.
    pub(crate) id: usize,
    /// Grows by one, in one byte, whenever it ceases to run.
    pub(crate) stops: usize,
}

/// As the script prints them.
const fn layout(minor: u32, of: [usize; 9]) -> Layout {
    let [size, stack, sp, pc, itself, bp, status, id, stops] = of;
    Layout {
        minor,
        size,
        stack,
        sp,
        pc,
        itself,
        bp,
        status,
        id,
        stops,
    }
}

/// The layouts, the oldest first.
const LAYOUTS: [Layout; 9] = [
    layout(18, [392, 0, 56, 64, 72, 104, 144, 152, 189]),
    layout(19, [392, 0, 56, 64, 72, 104, 144, 152, 189]),
    layout(20, [392, 0, 56, 64, 72, 104, 144, 152, 189]),
    layout(21, [408, 0, 56, 64, 72, 104, 144, 152, 188]),
    layout(22, [424, 0, 56, 64, 72, 104, 144, 152, 191]),
    layout(23, [432, 0, 56, 64, 72, 104, 152, 160, 199]),
    layout(24, [440, 0, 56, 64, 72, 104, 152, 160, 199]),
    layout(25, [440, 0, 56, 64, 72, 96, 144, 152, 191]),
    layout(26, [456, 0, 56, 64, 72, 96, 144, 152, 191]),
];

impl Layout {
    /// The largest structure of any version.
    pub(crate) const MOST_BYTES: usize = 456;

    /// Returns the layout of version `1.minor`; `None`: it is too old.
    pub(crate) fn of(minor: u32) -> Option<Self> {
        let mut older = LAYOUTS.iter().rev();
        older.find(|layout| layout.minor <= minor).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{LAYOUTS, Layout};

    #[test]
    fn each_version_has_the_newest_layout_that_is_not_newer() {
        assert_eq!(Layout::of(17), None);
        for layout in LAYOUTS {
            assert_eq!(Layout::of(layout.minor), Some(layout));
            assert!(layout.size <= Layout::MOST_BYTES);
            let words = [layout.stack, layout.sp, layout.pc, layout.itself];
            assert!(words.iter().all(|at| at + 16 <= layout.size));
        }
        assert_eq!(Layout::of(99), LAYOUTS.last().copied());
    }
}
