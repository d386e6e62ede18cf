//! An open-addressing index from the hash of a row to its number in a list kept elsewhere. Not
//! every row of the list needs to be in it.
//!
//! A slot holds the row's number and, in a separate array, one byte of the row's hash. That byte
//! rules out nearly every slot of another row; reading the row itself would be a cache miss each
//! time. No key is copied. Growing discards the index and enters all rows again, so that the old
//! and the new slots are never in memory together.

/// Number of slots of the smallest index.
const FEWEST_SLOTS: usize = 1 << 10;
const EMPTY: u8 = 0;

/// An index of rows by hash.
#[derive(Debug)]
pub struct HashIndex {
    /// A byte of the hash with the high bit set; [`EMPTY`] if there is no row.
    tags: Vec<u8>,
    numbers: Vec<u32>,
    rows: usize,
}

impl Default for HashIndex {
    fn default() -> Self {
        Self::new()
    }
}

impl HashIndex {
    /// Maximum cost of a row in bytes: just after growing, three slots of ten are used.
    pub const ROW_BYTES: usize = 17;

    /// Returns an empty index.
    pub fn new() -> Self {
        Self::with_slots(FEWEST_SLOTS)
    }

    fn with_slots(slots: usize) -> Self {
        Self {
            tags: vec![EMPTY; slots],
            numbers: vec![0; slots],
            rows: 0,
        }
    }

    /// Returns the row with this hash that `is` accepts.
    #[inline]
    pub fn find(&self, hash: u64, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let (mut slot, tag) = (self.slot(hash), tag(hash));
        loop {
            let found = *self.tags.get(slot)?;
            if found == EMPTY {
                return None;
            }
            if found == tag {
                let number = *self.numbers.get(slot)?;
                if is(number) {
                    return Some(number);
                }
            }
            slot = (slot + 1) & (self.tags.len() - 1);
        }
    }

    /// Adds a row; `entered` returns number and hash of all rows added before.
    #[inline]
    pub fn push<I: Iterator<Item = (u32, u64)>>(
        &mut self,
        number: u32,
        hash: u64,
        entered: impl FnOnce() -> I,
    ) {
        if (self.rows + 1) * 5 > self.tags.len() * 3 {
            self.grow(entered());
        }
        self.enter(number, hash);
    }

    fn enter(&mut self, number: u32, hash: u64) {
        let mut slot = self.slot(hash);
        while self.tags.get(slot).is_some_and(|&tag| tag != EMPTY) {
            slot = (slot + 1) & (self.tags.len() - 1);
        }
        if let (Some(place), Some(entry)) = (self.tags.get_mut(slot), self.numbers.get_mut(slot)) {
            *place = tag(hash);
            *entry = number;
        }
        self.rows += 1;
    }

    #[cold]
    fn grow(&mut self, entered: impl Iterator<Item = (u32, u64)>) {
        let slots = self.tags.len() * 2;
        // Frees the memory before more is allocated.
        (self.tags, self.numbers) = (Vec::new(), Vec::new());
        *self = Self::with_slots(slots);
        entered.for_each(|(number, hash)| self.enter(number, hash));
    }

    fn slot(&self, hash: u64) -> usize {
        usize::try_from(hash >> (64 - self.tags.len().ilog2())).unwrap_or(0)
    }
}

/// Returns a hash of two numbers whose high and low bits are equally good.
#[inline]
pub fn hash(a: u64, b: u64) -> u64 {
    spread(mix(a, b))
}

/// One round of a multiplicative hash; the hash of a list chains it over the numbers. Its high bits are good
/// after [`spread`].
#[inline]
pub(crate) fn mix(hash: u64, value: u64) -> u64 {
    let product = u128::from(hash ^ value.rotate_left(23)) * 0x9e37_79b9_7f4a_7c15_u128;
    let folded = ((product >> 64) ^ product) as u64;
    folded.wrapping_add(value)
}

/// Spreads the result of [`mix`] to the low bits.
#[inline]
pub(crate) fn spread(hash: u64) -> u64 {
    hash.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

fn tag(hash: u64) -> u8 {
    (hash >> 24) as u8 | 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_what_they_are() {
        // These hashes collide often, in slots and in bytes.
        let hash_of = |row: u32| hash(u64::from(row % 1000), 0);
        let mut index = HashIndex::new();
        for row in 0..10_000 {
            assert_eq!(index.find(hash_of(row), |found| found == row), None);
            index.push(row, hash_of(row), || {
                (0..row).map(|row| (row, hash_of(row)))
            });
        }
        for row in 0..10_000 {
            assert_eq!(index.find(hash_of(row), |found| found == row), Some(row));
        }
        assert_eq!(index.find(hash(5000, 0), |_| true), None);
    }
}
