//! When a program asked about files: whether that was again and again between other things that it did.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whyslow_model::{FileId, FileOperation, ProcessId, SystemCallResult};
use whyslow_query::file_calls::{FileNames, SingleCall};

/// The most calls that are kept.
const MOST: usize = 1 << 20;

/// Who asked about which file, how, and with what result.
type About<File> = (ProcessId, File, FileOperation, SystemCallResult);

/// When files were asked about, by operation and result; empty where single calls were not recorded.
#[derive(Debug, Default)]
pub struct Tries {
    /// By the process and the file's path.
    times: HashMap<About<String>, Vec<i64>>,
}

/// The same by the file's number, while they are read.
#[derive(Default)]
pub(crate) struct Reading {
    times: BTreeMap<About<FileId>, Vec<i64>>,
    count: usize,
}

impl Reading {
    pub(crate) fn add(&mut self, call: &SingleCall) {
        // Who waits for a file tries something with it that fails, or looks whether it has changed.
        let asks = call.result.0 != 0 || call.operation == FileOperation::Stat;
        let file = call.file.filter(|_| asks);
        if let Some(file) = file.filter(|_| self.count < MOST) {
            self.count += 1;
            let key = (call.process, file, call.operation, call.result);
            self.times.entry(key).or_default().push(call.start_ns);
        }
    }

    pub(crate) fn close(self, names: &FileNames) -> Tries {
        let mut tries = Tries::default();
        for ((process, file, operation, result), times) in self.times {
            if let Some(path) = names.known_path(Some(file)) {
                let key = (process, path.to_owned(), operation, result);
                tries.times.entry(key).or_default().extend(times);
            }
        }
        tries
    }
}

impl Tries {
    /// Returns whether a process asked about a file after at least half of these stretches of time, which are in order, and
    /// before the next one began. `count`: how often it did; if only some of these calls were recorded one by one, it may
    /// have been.
    pub fn take_turns(
        &self,
        (process, path, operation, result): About<&str>,
        count: i64,
        stretches: &[(i64, i64)],
    ) -> bool {
        let key = (process, path.to_owned(), operation, result);
        let times = self.times.get(&key).map_or(&[][..], Vec::as_slice);
        let all = usize::try_from(count).unwrap_or(usize::MAX);
        if times.len().saturating_mul(2) < all {
            return true;
        }
        let before = |&ns: &i64| stretches.partition_point(|&(from, _)| from <= ns);
        let after: BTreeSet<usize> = times.iter().map(before).collect();
        after.len().saturating_mul(2) >= stretches.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_only_before_it_sleeps_takes_no_turns() {
        let (path, operation) = ("/tmp/ready", FileOperation::Stat);
        let result = SystemCallResult(2);
        let turns = |times: Vec<i64>, count: i64| {
            let key = (ProcessId(0), path.to_owned(), operation, result);
            let tries = Tries {
                times: HashMap::from([(key, times)]),
            };
            let sleeps: Vec<(i64, i64)> = (0..10).map(|at| (at * 10 + 5, at * 10 + 9)).collect();
            tries.take_turns((ProcessId(0), path, operation, result), count, &sleeps)
        };
        assert!(turns((0..10).map(|at| at * 10 + 10).collect(), 10));
        assert!(turns((0..5).map(|at| at * 10 + 10).collect(), 5));
        assert!(!turns(vec![1; 10], 10));
        assert!(!turns(vec![98; 10], 10));
        // Most calls were only counted.
        assert!(turns(vec![1; 4], 10));
    }
}
