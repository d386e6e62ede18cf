//! Nice values of the path's threads, and of those that used the CPUs while these were ready.

use std::collections::BTreeMap;

use whyslow_model::ProcessId;

/// A thread gets 1.25 times as much of a CPU as one whose nice value is higher by one. From this difference on,
/// it gets more than twice as much: the nice value costs more than competing itself.
pub(crate) const MUCH: i32 = 4;

/// Time by nice value.
#[derive(Debug, Default)]
pub struct Priorities {
    own: BTreeMap<i32, i64>,
    others: BTreeMap<(ProcessId, i32), i64>,
}

/// Others whose nice value is much lower than that of the path's threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Favored {
    /// That of the path's threads, while they were ready.
    pub own_nice: i32,
    /// The nice value of the one that used the CPUs most.
    pub nice: i32,
    /// That one.
    pub process: ProcessId,
    /// CPU time of all of them.
    pub ns: i64,
}

impl Priorities {
    /// Adds time that the path's thread was ready.
    pub fn add_own(&mut self, nice: Option<i32>, ns: i64) {
        if let Some(nice) = nice {
            *self.own.entry(nice).or_default() += ns;
        }
    }

    /// Adds time that another process had a CPU.
    pub fn add_other(&mut self, process: ProcessId, nice: Option<i32>, ns: i64) {
        if let Some(nice) = nice {
            *self.others.entry((process, nice)).or_default() += ns;
        }
    }

    /// Returns the processes with much lower nice values than the path's threads had for most of the
    /// time.
    pub fn favored(&self) -> Option<Favored> {
        let (&own_nice, _) = self.own.iter().max_by_key(|&(_, ns)| ns)?;
        let others = self.others.iter();
        let favored = others.filter(|((_, nice), _)| nice + MUCH <= own_nice);
        let (&(process, nice), _) = favored.clone().max_by_key(|&(_, ns)| ns)?;
        Some(Favored {
            own_nice,
            nice,
            process,
            ns: favored.map(|(_, ns)| ns).sum(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_much_lower_nice_values_are_favored() {
        let mut priorities = Priorities::default();
        assert_eq!(priorities.favored(), None);
        priorities.add_own(Some(0), 1);
        priorities.add_own(Some(10), 10);
        priorities.add_other(ProcessId(1), Some(7), 50);
        priorities.add_other(ProcessId(2), Some(6), 20);
        priorities.add_other(ProcessId(3), Some(0), 30);
        priorities.add_other(ProcessId(4), None, 100);
        let favored = priorities.favored().unwrap();
        assert_eq!((favored.own_nice, favored.nice), (10, 0));
        assert_eq!((favored.process, favored.ns), (ProcessId(3), 50));
    }
}
