//! When a program asked about files: whether that was again and again between other things that it did.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use whyslow_model::{FileId, FileOperation, ProcessId, System, SystemCallResult};
use whyslow_query::file_calls::{FileNames, SingleCall};

use crate::files::paths;
use crate::requests;

/// The most calls that are kept.
const MOST: usize = 1 << 20;

/// Who asked about which file, how, and with what result.
type About<File> = (ProcessId, File, FileOperation, SystemCallResult);

/// When files were asked about, by operation and result; empty where single calls were not recorded.
#[derive(Debug, Default)]
pub struct Tries {
    /// By the process and what paths of the same file have in common.
    times: HashMap<About<String>, Vec<i64>>,
    is_windows: bool,
}

/// The same by the file's number, while they are read.
pub(crate) struct Reading {
    times: BTreeMap<About<FileId>, Vec<i64>>,
    count: usize,
    is_windows: bool,
}

impl Reading {
    /// Returns what collects the calls of a recording of a system.
    pub(crate) fn of(system: System) -> Self {
        Self {
            times: BTreeMap::new(),
            count: 0,
            is_windows: system == System::Windows,
        }
    }

    pub(crate) fn add(&mut self, call: &SingleCall) {
        let result = match self.is_windows {
            true => requests::result(call.result),
            false => call.result,
        };
        // Who waits for a file tries something with it that fails, or looks whether it has changed.
        let asks = result.0 != 0 || call.operation == FileOperation::Stat;
        let file = call.file.filter(|_| asks);
        if let Some(file) = file.filter(|_| self.count < MOST) {
            self.count += 1;
            let key = (call.process, file, call.operation, result);
            self.times.entry(key).or_default().push(call.start_ns);
        }
    }

    pub(crate) fn close(self, names: &FileNames) -> Tries {
        let mut tries = Tries {
            is_windows: self.is_windows,
            ..Tries::default()
        };
        for ((process, file, operation, result), times) in self.times {
            if let Some(path) = names.known_path(Some(file)) {
                let path = paths::with_slashes(path, self.is_windows);
                let path = paths::key(&path, self.is_windows).into_owned();
                let key = (process, path, operation, result);
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
        let path = paths::key(&Cow::Borrowed(path), self.is_windows).into_owned();
        let key = (process, path, operation, result);
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
                is_windows: false,
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

    #[test]
    fn what_windows_calls_a_file_and_an_error_is_the_same() {
        const NOT_FOUND: u32 = 0xc000_0034;
        let mut reading = Reading::of(System::Windows);
        let call = |start_ns: i64, result: u32| SingleCall {
            process: ProcessId(0),
            thread: whyslow_model::ThreadId(0),
            start_ns,
            duration_ns: Some(1),
            file: Some(FileId(0)),
            other_file: None,
            operation: FileOperation::Open,
            call: whyslow_model::SystemCall(0),
            result: SystemCallResult(result.cast_signed()),
            flags: whyslow_model::FileCallFlags(0),
            offset_bytes: None,
            asked_bytes: None,
            bytes: None,
            disk_bytes: None,
            stack: None,
        };
        for _ in 0..10 {
            reading.add(&call(1, NOT_FOUND));
        }
        // The end of a file is no failure.
        reading.add(&call(1, 0xc000_0011));
        assert_eq!(reading.count, 10);
        let row = whyslow_model::tables::FileRow {
            path: r"C:\Temp\Ready.txt".to_owned(),
            ..whyslow_model::TableRow::unknown()
        };
        let table = whyslow_model::Table::from_rows([row]);
        let trace = whyslow_model::MemoryTrace::new("t", vec![table]);
        let tries = reading.close(&FileNames::read(&trace).expect("names"));
        let sleeps: Vec<(i64, i64)> = (0..10).map(|at| (at * 10 + 5, at * 10 + 9)).collect();
        let turns = |path: &str| {
            let about = (ProcessId(0), path, FileOperation::Open, SystemCallResult(2));
            tries.take_turns(about, 10, &sleeps)
        };
        // All were at once; of another file nothing is known.
        assert!(!turns("/C:/temp/ready.txt"));
        assert!(turns("/C:/temp/other.txt"));
    }
}
