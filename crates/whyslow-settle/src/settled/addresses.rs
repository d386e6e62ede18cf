//! Distinct code locations, numbered by first use.

use crate::text::TextId;
use whyslow_stacks::hash_index::{HashIndex, hash};

/// Number of an address in the final table.
pub(super) type AddressNumber = u32;

/// A code location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Module number; all ones: none.
    pub(super) module: u32,
    /// Offset in it.
    pub(super) rva: u64,
    /// The function and the offset in it, if the trace says: the same address may hold the code of
    /// another function in another process, or later.
    pub(super) function: Option<(TextId, u64)>,
}

/// The addresses of a trace.
#[derive(Debug)]
pub(super) struct Addresses {
    pub(super) all: Vec<Place>,
    index: HashIndex,
    /// Number of locations without a module.
    pub(super) unmapped: u64,
}

impl Default for Addresses {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            index: HashIndex::new(),
            unmapped: 0,
        }
    }
}

impl Addresses {
    /// Returns the number of a location.
    pub(super) fn number(&mut self, place: Place) -> AddressNumber {
        let Self { all, index, .. } = self;
        let hash_of = |place: &Place| hash(place.module.into(), place.rva);
        let is = |number: u32| all.get(number as usize) == Some(&place);
        if let Some(number) = index.find(hash_of(&place), is) {
            return number;
        }
        let number = u32::try_from(all.len()).unwrap_or(u32::MAX);
        index.push(number, hash_of(&place), || {
            (0..).zip(all.iter().map(hash_of))
        });
        all.push(place);
        self.unmapped += u64::from(place.module == u32::MAX);
        number
    }
}
