//! What tells kinds of events apart, as the key of a map that is looked at for every event.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use crate::bytes::u64_at;
use crate::extended::Extended;
use crate::guid::Guid;
use crate::record::{Identity, Record};

/// A map with a hash that is cheap rather than safe: there are few kinds of events, and a trace that
/// is made to collide only slows its own reading down.
pub(super) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// What tells kinds of events apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The provider or class; zero for the kernel.
    provider: Guid,
    /// What kind of header, id or hook, and version.
    number: u64,
    /// A hash of what a self-describing event says of itself, or which of several descriptions counts.
    itself: u128,
}

impl Key {
    #[inline]
    pub(super) fn event(provider: Guid, id: u16, version: u8) -> Self {
        Self {
            provider,
            number: 1 << 32 | u64::from(id) << 8 | u64::from(version),
            itself: 0,
        }
    }

    /// Tells an event that does not describe itself from others of its id by what describes it.
    #[inline]
    pub(super) fn choose(&mut self, variant: u8) {
        if self.itself == 0 {
            // The hashes are odd.
            self.itself = u128::from(variant) << 1;
        }
    }

    #[inline]
    pub(super) fn of(record: &Record<'_>) -> Self {
        match record.identity() {
            Identity::Kernel {
                group,
                opcode,
                version,
            } => {
                let hook = u64::from(u16::from_be_bytes([group, opcode]));
                Self::plain(Guid::default(), 2 << 32 | hook << 16 | u64::from(version))
            }
            Identity::Classic {
                class,
                opcode,
                version,
                ..
            } => Self::plain(
                class,
                3 << 32 | u64::from(opcode) << 16 | u64::from(version),
            ),
            Identity::Event(event) => {
                let mut key = Self::event(event.provider, event.id, event.version);
                for item in record.extended() {
                    if let Extended::Schema(schema) = item {
                        key.itself = fnv(event.opcode, schema);
                    }
                }
                key
            }
            Identity::Message { source, number } => {
                Self::plain(source, 4 << 32 | u64::from(number))
            }
            Identity::Error => Self::plain(Guid::default(), 5 << 32),
        }
    }

    fn plain(provider: Guid, number: u64) -> Self {
        Self {
            provider,
            number,
            itself: 0,
        }
    }
}

/// FNV-1a with 128 bits, never 0: two descriptions with the same hash would be taken for one.
fn fnv(opcode: u8, bytes: &[u8]) -> u128 {
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128 ^ u128::from(opcode);
    for byte in bytes {
        hash = (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    hash | 1
}

/// Multiplies and folds. Not the hasher of the model's integer maps: readers do not know the model, and
/// these keys hold GUIDs and names, which it would take byte by byte instead of eight bytes at once.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FastHasher(u64);

impl Hasher for FastHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while let Some(word) = u64_at(bytes, at) {
            self.write_u64(word);
            at += 8;
        }
        for byte in bytes.get(at..).unwrap_or_default() {
            self.write_u64(u64::from(*byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(26) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
