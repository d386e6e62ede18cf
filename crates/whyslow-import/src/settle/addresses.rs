//! Distinct code locations, numbered by first use.

use crate::hash_index::{HashIndex, hash};

/// Number of an address in the final table.
pub(super) type AddressNumber = u32;

/// The addresses of a trace.
#[derive(Debug)]
pub(super) struct Addresses {
    /// Module number (all ones: none) and offset in it.
    pub(super) all: Vec<(u32, u64)>,
    index: HashIndex,
    /// How many of them have no module.
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
    pub(super) fn number(&mut self, module: u32, rva: u64) -> AddressNumber {
        let Self { all, index, .. } = self;
        let place = (module, rva);
        let hash_of = |&(module, rva): &(u32, u64)| hash(module.into(), rva);
        let is = |number: u32| all.get(number as usize) == Some(&place);
        if let Some(number) = index.find(hash_of(&place), is) {
            return number;
        }
        let number = u32::try_from(all.len()).unwrap_or(u32::MAX);
        index.push(number, hash_of(&place), || {
            (0..).zip(all.iter().map(hash_of))
        });
        all.push(place);
        self.unmapped += u64::from(module == u32::MAX);
        number
    }
}
