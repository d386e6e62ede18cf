//! Nice values of the command and of those who used the CPUs while it was ready.
//!
//! Linux counts priorities from 0: below 100 are those of real time, 120 is nice 0, 139 nice 19. Windows counts
//! them to 31, and the other way round; of those nothing is said.

use std::collections::BTreeMap;

use whyslow_model::ProcessId;

/// Priorities of threads with a nice value.
const WITH_NICE: std::ops::RangeInclusive<i32> = 100..=139;
/// Nice 0.
const USUAL: i32 = 120;

/// A thread's part of a CPU is 1.25 times as large as that of one with a nice value higher by one. From so many
/// on, it is more than twice as large: more is lost by the nice value than by competing at all.
const MUCH: i32 = 4;

/// Time by priority.
#[derive(Debug, Default)]
pub(crate) struct Priorities {
    own: BTreeMap<i32, i64>,
    others: BTreeMap<(ProcessId, i32), i64>,
}

/// Others whose nice value is much lower than the command's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Favored {
    /// The command's own, while it was ready.
    pub(crate) own_nice: i32,
    /// That of the one of them that used the CPUs most.
    pub(crate) nice: i32,
    /// That one.
    pub(crate) process: ProcessId,
    /// CPU time of all of them.
    pub(crate) ns: i64,
}

impl Priorities {
    /// Adds time that a thread of the command was ready.
    pub(crate) fn add_own(&mut self, priority: Option<i32>, ns: i64) {
        if let Some(priority) = priority {
            *self.own.entry(priority).or_default() += ns;
        }
    }

    /// Adds time that another process had a CPU.
    pub(crate) fn add_other(&mut self, process: ProcessId, priority: Option<i32>, ns: i64) {
        if let Some(priority) = priority {
            *self.others.entry((process, priority)).or_default() += ns;
        }
    }

    /// Returns those who have much lower nice values than the command had for most of the time.
    pub(crate) fn favored(&self) -> Option<Favored> {
        let (&own, _) = self.own.iter().max_by_key(|&(_, ns)| ns)?;
        if !WITH_NICE.contains(&own) {
            return None;
        }
        let favored = |priority: i32| WITH_NICE.contains(&priority) && priority + MUCH <= own;
        let others = || {
            self.others
                .iter()
                .filter(|((_, priority), _)| favored(*priority))
        };
        let (&(process, priority), _) = others().max_by_key(|&(_, ns)| ns)?;
        Some(Favored {
            own_nice: own - USUAL,
            nice: priority - USUAL,
            process,
            ns: others().map(|(_, ns)| ns).sum(),
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
        priorities.add_own(Some(120), 1);
        priorities.add_own(Some(130), 10);
        priorities.add_other(ProcessId(1), Some(127), 50);
        priorities.add_other(ProcessId(2), Some(126), 20);
        priorities.add_other(ProcessId(3), Some(120), 30);
        priorities.add_other(ProcessId(4), None, 100);
        let favored = priorities.favored().unwrap();
        assert_eq!((favored.own_nice, favored.nice), (10, 0));
        assert_eq!((favored.process, favored.ns), (ProcessId(3), 50));
    }

    #[test]
    fn priorities_of_windows_and_of_real_time_have_no_nice_value() {
        for own in [8, 50] {
            let mut priorities = Priorities::default();
            priorities.add_own(Some(own), 1);
            priorities.add_other(ProcessId(1), Some(4), 1);
            assert_eq!(priorities.favored(), None);
        }
    }
}
