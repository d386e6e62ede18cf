//! The current entry of each operating system's id.
//!
//! Every scheduling event looks up two thread ids, so this is a table of pages for the ids that
//! systems really assign (Linux: below 4,194,304), and a hash map for any other id that a file
//! claims.

use std::collections::HashMap;

const PAGE_BITS: u32 = 10;
const PAGE: usize = 1 << PAGE_BITS;
const MAX_PAGES: usize = 1 << (22 - PAGE_BITS);
const VACANT: u32 = u32::MAX;

/// A map from OS ids to entry numbers below `u32::MAX`.
#[derive(Debug, Default)]
pub(crate) struct IdMap {
    pages: Vec<Option<Box<[u32; PAGE]>>>,
    others: HashMap<u32, u32>,
}

impl IdMap {
    /// Returns the entry of `id`.
    pub(crate) fn get(&self, id: u32) -> Option<u32> {
        let (page, slot) = place(id);
        if page >= MAX_PAGES {
            return self.others.get(&id).copied();
        }
        let entry = *self.pages.get(page)?.as_deref()?.get(slot)?;
        (entry != VACANT).then_some(entry)
    }

    /// Maps `id` to `entry` from now on.
    pub(crate) fn insert(&mut self, id: u32, entry: u32) {
        let (page, slot) = place(id);
        if page >= MAX_PAGES {
            self.others.insert(id, entry);
            return;
        }
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        if let Some(page) = self.pages.get_mut(page) {
            page.get_or_insert_with(|| Box::new([VACANT; PAGE]))[slot] = entry;
        }
    }

    /// Removes `id` if it maps to `entry`.
    pub(crate) fn remove(&mut self, id: u32, entry: u32) {
        if self.get(id) != Some(entry) {
            return;
        }
        let (page, slot) = place(id);
        if page >= MAX_PAGES {
            self.others.remove(&id);
        } else if let Some(Some(page)) = self.pages.get_mut(page) {
            page[slot] = VACANT;
        }
    }
}

fn place(id: u32) -> (usize, usize) {
    let id = usize::try_from(id).unwrap_or(usize::MAX);
    (id >> PAGE_BITS, id & (PAGE - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_small_and_large_come_and_go() {
        let mut map = IdMap::default();
        for id in [0, 1, 4_194_303, 4_194_304, u32::MAX] {
            assert_eq!(map.get(id), None);
            map.insert(id, 7);
            assert_eq!(map.get(id), Some(7));
            map.remove(id, 8);
            assert_eq!(map.get(id), Some(7));
            map.remove(id, 7);
            assert_eq!(map.get(id), None);
        }
    }
}
