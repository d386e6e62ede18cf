//! What tells kinds of events apart, as the key of a map that is looked at for every event.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::extended::Extended;
use crate::guid::Guid;
use crate::record::{Identity, Record};

/// What tells kinds of events apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The provider or class; zero for the kernel.
    provider: Guid,
    /// What kind of header, id or hook, and version.
    number: u64,
    /// A hash of what a self-describing event says of itself, or which of several descriptions counts.
    itself: u64,
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
            self.itself = u64::from(variant) << 1;
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
                        key.itself = itself(event.opcode, schema);
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

/// Returns a hash that is odd, so never 0. Two descriptions with the same hash are taken for one: a trace
/// that is made so only shows its own events wrongly, and chance makes no two of 65,536 collide.
fn itself(opcode: u8, schema: &[u8]) -> u64 {
    let mut hash = FxHasher::default();
    hash.write_u8(opcode);
    hash.write(schema);
    hash.finish() | 1
}
