//! The identity of a kind of event, as the key of a map that is looked up for every event.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::extended::Extended;
use crate::guid::Guid;
use crate::record::{Identity, Record};

/// The identity of a kind of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The provider or class; zero for the kernel.
    provider: Guid,
    /// Kind of header, id or hook, and version.
    number: u64,
    /// A hash of a self-describing event's description, or the number of the description that
    /// applies.
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

    /// Distinguishes events of one id by the description that applies to them, if they do not
    /// describe themselves.
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

/// Returns a hash that is odd, so never 0. Two descriptions with the same hash count as one: a
/// trace made to exploit this only shows its own events wrongly, and 65,536 descriptions do not
/// collide by chance.
fn itself(opcode: u8, schema: &[u8]) -> u64 {
    let mut hash = FxHasher::default();
    hash.write_u8(opcode);
    hash.write(schema);
    hash.finish() | 1
}
