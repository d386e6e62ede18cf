//! The most that there was of something at one time, by key, in bounded memory.

use std::collections::BTreeMap;

/// When there was more of it or less, and by how much.
type Changes = Vec<(i64, i64)>;

/// Finds the most that there was at one time, for each key.
#[derive(Debug)]
pub struct Peaks<Key> {
    changes: BTreeMap<Key, Changes>,
    /// How many changes are kept, and about how many at most.
    kept: usize,
    most: usize,
    is_rough: bool,
}

impl<Key: Ord> Peaks<Key> {
    /// Returns what keeps about so many changes at most.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            changes: BTreeMap::new(),
            kept: 0,
            most,
            is_rough: false,
        }
    }

    /// Adds an amount that was there from a time on, until another one or to the end.
    pub fn add(&mut self, key: Key, amount: i64, (from, to): (i64, Option<i64>)) {
        let changes = self.changes.entry(key).or_default();
        changes.push((from, amount));
        // What is given back at a time is given back before more is got.
        changes.extend(to.map(|to| (to, amount.saturating_neg())));
        self.kept += 1 + usize::from(to.is_some());
        // With many keys and few changes of each, little is saved; they are not joined every time.
        if self.kept > self.most.max(self.changes.len().saturating_mul(4)) {
            self.is_rough = true;
            self.changes.values_mut().for_each(join);
            self.kept = self.changes.values().map(Vec::len).sum();
        }
    }

    /// Returns whether peaks may be somewhat higher than is found.
    #[must_use]
    pub fn is_rough(&self) -> bool {
        self.is_rough
    }

    /// Returns the most that there was at one time.
    pub fn take(&mut self, key: &Key) -> i64 {
        let mut changes = self.changes.remove(key).unwrap_or_default();
        changes.sort_unstable();
        let mut now = 0_i64;
        let all = changes.into_iter().map(|(_, change)| {
            now = now.saturating_add(change);
            now
        });
        all.max().unwrap_or(0)
    }
}

/// Makes one of every two changes that follow each other.
fn join(changes: &mut Changes) {
    changes.sort_unstable();
    let pairs = changes.chunks(2).filter_map(|pair| {
        let sum = pair.iter().map(|&(_, amount)| amount);
        Some((pair.first()?.0, sum.fold(0, i64::saturating_add)))
    });
    *changes = pairs.collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds 10,000 amounts of one; half of them stay to the end.
    fn added(most: usize) -> Peaks<()> {
        let mut peaks = Peaks::new(most);
        for at in 0..10_000 {
            let time = at * 10;
            peaks.add((), 1, (time, (at % 2 == 0).then_some(time + 5)));
            assert!(peaks.kept <= most.max(4), "{}", peaks.kept);
        }
        peaks
    }

    #[test]
    fn peaks_are_found_in_bounded_memory() {
        let mut peaks = added(usize::MAX);
        assert_eq!((peaks.take(&()), peaks.is_rough()), (5000, false));
        let mut peaks = added(100);
        assert!((4900..=5000).contains(&peaks.take(&())));
        assert!(peaks.is_rough());
    }

    #[test]
    fn what_is_given_back_makes_room_at_once() {
        let mut peaks = Peaks::new(100);
        peaks.add("a", 5, (0, Some(10)));
        peaks.add("a", 5, (10, None));
        peaks.add("b", 1, (0, None));
        assert_eq!(["a", "b", "c"].map(|key| peaks.take(&key)), [5, 1, 0]);
    }
}
