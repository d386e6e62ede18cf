//! Distinct code locations, numbered by first use.

use std::collections::HashMap;

/// Number of an address in the final table.
pub(super) type AddressNumber = u32;

/// The addresses of a trace.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    /// Module number (all ones: none) and offset in it.
    pub(super) all: Vec<(u32, u64)>,
    index: HashMap<(u32, u64), AddressNumber>,
    /// How many of them have no module.
    pub(super) unmapped: u64,
}

impl Addresses {
    /// Returns the number of a location.
    pub(super) fn number(&mut self, module: u32, rva: u64) -> AddressNumber {
        let next = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let number = *self.index.entry((module, rva)).or_insert(next);
        if number == next {
            self.all.push((module, rva));
            self.unmapped += u64::from(module == u32::MAX);
        }
        number
    }
}
