//! Things that begin and end, and become one row each: what has begun, by its key.

use std::hash::Hash;
use whyslow_model::FastMap;

/// What has begun and not ended yet.
#[derive(Debug)]
pub struct Pairs<K, V> {
    open: FastMap<K, V>,
    /// Most that may be open; further beginnings are not kept, only counted.
    most: usize,
    /// Beginnings of which no end was seen before the same began again.
    pub without_end: u64,
    /// Beginnings that were not kept.
    pub refused: u64,
}

impl<K: Eq + Hash + Ord + Copy, V> Pairs<K, V> {
    /// Returns an empty set; `most` may be open at a time.
    pub fn new(most: u32) -> Self {
        Self {
            open: FastMap::default(),
            most: usize::try_from(most).unwrap_or(usize::MAX),
            without_end: 0,
            refused: 0,
        }
    }

    /// Something began, or continues under another key; returns what began as `key` before and
    /// never ended.
    pub fn begin(&mut self, key: K, value: V) -> Option<V> {
        if self.open.len() >= self.most && !self.open.contains_key(&key) {
            self.refused += 1;
            return None;
        }
        let before = self.open.insert(key, value);
        self.without_end += u64::from(before.is_some());
        before
    }

    /// Returns whether nothing more can begin.
    pub fn is_full(&self) -> bool {
        self.open.len() >= self.most
    }

    /// Returns what began as `key` and has not ended, for changes.
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.open.get_mut(&key)
    }

    /// Something ended; returns its beginning, `None` where that was not seen.
    pub fn end(&mut self, key: K) -> Option<V> {
        self.open.remove(&key)
    }

    /// Returns what is open, for changes.
    pub fn open(&mut self) -> impl Iterator<Item = &mut V> {
        self.open.values_mut()
    }

    /// Returns what is still open, ordered by its key.
    pub fn take(&mut self) -> Vec<V> {
        let mut open: Vec<(K, V)> = self.open.drain().collect();
        open.sort_by_key(|&(key, _)| key);
        open.into_iter().map(|(_, value)| value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_finds_its_beginning_and_the_rest_is_counted() {
        let mut pairs = Pairs::new(3);
        assert_eq!(pairs.begin(1, "a"), None);
        assert_eq!(pairs.begin(2, "b"), None);
        assert_eq!(pairs.end(1), Some("a"));
        assert_eq!(pairs.end(1), None);
        assert_eq!(pairs.begin(2, "c"), Some("b"));
        assert_eq!(pairs.without_end, 1);
        pairs.begin(0, "d");
        pairs.begin(4, "e");
        assert_eq!(pairs.begin(5, "f"), None);
        assert_eq!(pairs.begin(4, "g"), Some("e"));
        assert_eq!(pairs.refused, 1);
        assert_eq!(pairs.take(), ["d", "c", "g"]);
        assert_eq!(pairs.end(2), None);
    }
}
