//! How to leave a frame, worked out once per address and file.

use super::regs::{R12, R15, RBP, RBX};

/// Callee-saved registers, in the order of [`Frame::saved`].
pub(super) const CALLEE_SAVED: [usize; 6] = [RBX, RBP, R12, 13, 14, R15];
/// Marks a callee-saved register that still has the caller's value.
pub(super) const SAME: i16 = i16::MIN;
/// The common case. The return address is at CFA − 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) cfa_register: u8,
    pub(super) cfa_offset: i32,
    /// Where [`CALLEE_SAVED`] are, in units of 8 bytes from the CFA, or [`SAME`].
    pub(super) saved: [i16; 6],
}

/// How to leave a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// See [`Frame`].
    Frame(Frame),
    /// Evaluate the whole row each time.
    Full,
    /// The return address is undefined: the outermost frame.
    Root,
    /// No frame description covers the address.
    None,
}
