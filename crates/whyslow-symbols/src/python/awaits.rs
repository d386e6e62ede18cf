//! Where a coroutine of an interpreter says what it awaits, by version.
//!
//! `AWAITS` is printed by `layouts/generate`, like the other layouts. Interpreters describe this only from
//! version 3.14 on.

/// Offsets in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Awaits {
    /// The coroutine's frame, or what leads to it.
    pub coroutine_frame: u32,
    /// Whether the frame lies in the coroutine itself.
    pub is_inside: bool,
    /// The frame's first local variable.
    pub frame_locals: u32,
    /// How to find the end of its value stack; what a coroutine awaits is the last value.
    pub top: Top,
}

/// How to find the end of a frame's value stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Top {
    /// At this offset is the address after the last one.
    Address(u32),
    /// How many values and local variables there are.
    OfLocals(u32),
    /// How many values there are where the word at offset 64 leads to.
    OfValues(u32),
}

impl Awaits {
    /// Returns the offsets of version 3.`minor`.
    pub(super) fn of(minor: u32) -> Option<Self> {
        let known = AWAITS.iter().find(|(known, _)| *known == minor);
        known.map(|(_, awaits)| *awaits)
    }
}

const AWAITS: [(u32, Awaits); 8] = [
    (8, row(16, false, 360, Top::Address(72))),
    (9, row(16, false, 360, Top::Address(72))),
    (10, row(16, false, 352, Top::OfValues(80))),
    (11, row(80, true, 72, Top::OfLocals(64))),
    (12, row(72, true, 72, Top::OfLocals(64))),
    (13, row(72, true, 72, Top::OfLocals(64))),
    (14, row(72, true, 80, Top::Address(64))),
    (15, row(72, true, 80, Top::Address(64))),
];

const fn row(coroutine_frame: u32, is_inside: bool, frame_locals: u32, top: Top) -> Awaits {
    Awaits {
        coroutine_frame,
        is_inside,
        frame_locals,
        top,
    }
}
