//! How to leave a frame, worked out once per address and file.

use std::hash::{BuildHasherDefault, Hasher};

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

/// Hashes addresses by one multiplication; they are not chosen by an adversary who gains by it.
pub(super) type RuleHasher = BuildHasherDefault<AddressHasher>;

/// See [`RuleHasher`]. Not the hasher of the model's integer maps: this crate does not know the model, and
/// the recorder, which unwinds with it, does not either.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = (self.0 ^ value).wrapping_mul(ODD);
        self.0 = mixed ^ (mixed >> 32);
    }
}
