//! A hash map for small integer keys of our own making.
//!
//! Keys are row numbers or addresses from one trace; nobody gains from colliding them, so a
//! multiplication replaces the keyed hash of the standard library.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with integer keys.
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<IntegerHasher>>;

/// Multiplies and folds each integer.
#[derive(Debug, Clone, Copy, Default)]
pub struct IntegerHasher(u64);

impl Hasher for IntegerHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(26) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}
