//! A directory of short names alone, to count what finding the next one costs.

use std::collections::HashMap;

use super::{Candidates, Generation, ShortName};

/// The short names of a directory in which nothing is deleted, and no long name looks like a short one.
///
/// Numbers after the same characters are given out in order, so all below the next one are taken, and
/// need not be looked up to be counted.
#[derive(Debug)]
pub(crate) struct Directory {
    generation: Generation,
    /// The next number that is free, by its digits and the name without them.
    next: HashMap<(u32, ShortName), u32>,
}

impl Directory {
    /// Returns an empty directory.
    pub(crate) fn new(generation: Generation) -> Self {
        Self {
            generation,
            next: HashMap::new(),
        }
    }

    /// Adds a file; returns how many names were looked up for its short one. `None` if there was none
    /// left.
    pub(crate) fn add(&mut self, long: &str) -> Option<u32> {
        let Some(candidates) = Candidates::new(self.generation, long) else {
            return Some(0);
        };
        let mut count = 0;
        for range in candidates.ranges() {
            let key = (range.first.ilog10(), candidates.name(range.kept, ""));
            let next = self.next.entry(key).or_insert(range.first);
            if *next <= range.last {
                *next += 1;
                return Some(count + *next - range.first);
            }
            count += range.last - range.first + 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_count_is_that_of_looking_up_every_one() {
        for generation in Generation::ALL {
            let mut directory = Directory::new(generation);
            let mut taken = HashSet::new();
            for file in 0..700 {
                let long = format!("w000-{:09}", file * 7 % 700);
                let candidates = Candidates::new(generation, &long).expect("a long name");
                let mut at = 0;
                while !taken.insert(candidates.get(at).expect("enough")) {
                    at += 1;
                }
                assert_eq!(directory.add(&long), Some(at + 1), "{generation:?} {long}");
            }
        }
    }

    #[test]
    fn the_first_generation_looks_up_all_that_are_alike() {
        let mut directory = Directory::new(Generation::Nt31);
        for file in 1..=1_200 {
            assert_eq!(directory.add(&format!("session {file}")), Some(file));
        }
        assert_eq!(directory.add("SHORT.TXT"), Some(0));
        let left =
            (1_201..1_000_001).find(|file| directory.add(&format!("session {file}")).is_none());
        assert_eq!(left, Some(1_000_000), "there are no more names");
    }

    /// Returns how often the checksums of the last tenth of this many names had come before.
    fn repeated(generation: Generation, files: u32) -> f64 {
        let mut seen: HashMap<u16, u32> = HashMap::new();
        let mut last = 0;
        for file in 0..files {
            let times = seen.entry(generation.checksum(&format!("file-{file:06}.txt")));
            let times = times.or_insert(0);
            *times += 1;
            last += if file >= files / 10 * 9 { *times } else { 0 };
        }
        f64::from(last) / f64::from(files / 10)
    }

    #[test]
    fn checksums_spread_names_and_the_later_one_better() {
        // As counted with another program.
        let rounded = |generation, files| (100.0 * repeated(generation, files)).round() / 100.0;
        assert_eq!(rounded(Generation::Seven, 10_000), 1.13);
        assert_eq!(rounded(Generation::Xp, 10_000), 15.14);
        assert_eq!(rounded(Generation::Seven, 100_000), 3.17);
        assert_eq!(rounded(Generation::Xp, 100_000), 76.27);
    }

    #[test]
    fn what_somebody_saw_on_windows_xp() {
        // 184,020 files called file-1, file-2 … took 10,800 s, and the last ones over 300 ms each:
        // 5.1 times as long as the average one. It is in the counts.
        let mut directory = Directory::new(Generation::Xp);
        let probes: Vec<f64> = (1..=184_020)
            .map(|file| directory.add(&format!("file-{file}")))
            .map(|probes| f64::from(probes.expect("enough").max(1)))
            .collect();
        let average =
            |probes: &[f64]| probes.iter().sum::<f64>() / whyslow_law::count(probes.len());
        let times = average(&probes[182_020..]) / average(&probes);
        assert!((4.9..5.1).contains(&times), "{times}");
    }
}
