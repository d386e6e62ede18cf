//! What single calls about files say that counts do not: folders in which each call took longer than the one
//! before, and whether reads from disks were made one at a time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whyslow_model::{
    Capability, FileCallFlags, FileId, FileOperation, ProcessId, System, ThreadId,
};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::file_calls::{FileNames, SingleCall, single_file_calls};
use whyslow_query::spans::Spans;

use crate::command::Command;
use crate::file_names::Names;
use crate::requests;
use crate::tries::{self, Tries};

/// How many calls are looked at at most.
const MOST: usize = 1 << 20;

/// Calls are compared in so many parts, in order of time, each of at least [`EACH`].
const PARTS: usize = 8;
const EACH: usize = 40;

/// A folder in which fewer different files were seen did not grow.
const FILES: usize = 300;

/// Calls that take so many times as long at the end as at the beginning got slower.
const SLOWER: i64 = 3;

/// What single calls say; empty where they were not recorded.
#[derive(Debug, Default)]
pub struct SingleCalls {
    /// Folders in which calls took longer and longer, the most calls first.
    pub growing: Vec<Growing>,
    /// Reads that had to wait for a disk.
    pub disk_reads: DiskReads,
    /// When files were asked about.
    pub tries: Tries,
}

/// A folder in which calls of one kind took longer and longer, although they waited for nothing.
#[derive(Debug, Clone)]
pub struct Growing {
    /// Who made them.
    pub process: ProcessId,
    /// The folder, without a slash at the end.
    pub folder: String,
    /// What was done with the files in it.
    pub operation: FileOperation,
    /// Whether it succeeded.
    pub is_ok: bool,
    /// How long a call took typically at first, nanoseconds.
    pub first_ns: i64,
    /// The same at the end.
    pub last_ns: i64,
}

/// Reads that a disk served, while they were recorded one by one.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskReads {
    /// How many there were.
    pub count: i64,
    /// How many bytes the disks read for them, with what was read ahead.
    pub bytes: i64,
    /// How long they took, summed.
    pub sum_ns: i64,
    /// How long at least one of them was under way.
    pub any_ns: i64,
    /// Half of them and more jumped about in their file.
    pub are_scattered: bool,
}

/// Where the reads of one file by one thread began.
#[derive(Debug, Clone, Copy, Default)]
struct Offsets {
    count: i64,
    /// How many began before the one before them.
    back: i64,
    last: i64,
    least: i64,
    most: i64,
    /// Where the last few reads ended, in turn.
    ends: [Option<i64>; STREAMS],
}

/// How many sequential streams of reads are followed at a time.
const STREAMS: usize = 4;

/// A read that begins at the end of an earlier one, or so soon after it, goes on there.
const NEAR_BYTES: i64 = 128 << 10;

/// Fewer reads of a file have no order: many formats have their directory at the end.
const FEW_READS: i64 = 8;

/// At random, half of the reads begin before the one before them; at least one in so many does.
const GO_BACK: i64 = 4;

/// Reads of a smaller part of a file are near each other.
const WIDE_BYTES: i64 = 1 << 20;

impl Offsets {
    fn at(offset: i64) -> Self {
        Self {
            last: offset,
            least: offset,
            most: offset,
            ..Self::default()
        }
    }

    fn add(&mut self, offset: i64, bytes: i64) {
        let mut ends = self.ends.iter().flatten();
        let goes_on = ends.any(|&end| (0..=NEAR_BYTES).contains(&offset.saturating_sub(end)));
        let is_back = offset < self.last && !goes_on;
        let at = usize::try_from(self.count).unwrap_or(0) % STREAMS;
        if let Some(end) = self.ends.get_mut(at) {
            *end = Some(offset.saturating_add(bytes));
        }
        self.count = self.count.saturating_add(1);
        self.back = self.back.saturating_add(is_back.into());
        self.last = offset;
        self.least = self.least.min(offset);
        self.most = self.most.max(offset);
    }

    fn are_scattered(&self) -> bool {
        let wide = self.most.saturating_sub(self.least) >= WIDE_BYTES;
        // Who reads a file backwards does not jump about.
        let is_backwards = self.back.saturating_mul(4) > self.count.saturating_mul(3);
        wide && self.count >= FEW_READS
            && !is_backwards
            && self.back.saturating_mul(GO_BACK) >= self.count
    }
}

/// Returns whether half of all reads and more jumped about.
fn are_scattered(reads: &HashMap<(FileId, ThreadId), Offsets>, count: i64) -> bool {
    let scattered = reads.values().filter(|one| one.are_scattered());
    let scattered = scattered.fold(0_i64, |sum, one| sum.saturating_add(one.count));
    scattered > 0 && scattered.saturating_mul(2) >= count
}

/// Calls that may be compared with each other.
type Key = (ProcessId, u32, FileOperation, bool);

/// When each call began, and how long it took.
type Calls = Vec<(i64, i64)>;

/// Collects calls by the folder of their file.
#[derive(Default)]
struct ByFolder {
    /// By file: the number of its folder.
    of_file: HashMap<FileId, u32>,
    numbers: BTreeMap<String, u32>,
    calls: BTreeMap<Key, (Calls, BTreeSet<FileId>)>,
    count: usize,
}

impl SingleCalls {
    /// Reads the calls of the threads of `command`.
    pub(crate) fn read(
        view: View<'_>,
        facts: &Facts,
        command: &Command,
        names: &Names<'_>,
    ) -> Result<Self, QueryError> {
        if !facts.has(Capability::SingleFileCalls) || !facts.has(Capability::Switches) {
            return Ok(Self::default());
        }
        let names = names.get()?;
        // Windows does not say whether a thread slept in a call.
        let may_grow = requests::system(facts) == System::Linux;
        let mut folders = ByFolder::default();
        let mut reads = Vec::new();
        let mut disk_reads = DiskReads::default();
        let mut offsets: HashMap<(FileId, ThreadId), Offsets> = HashMap::new();
        let mut tries = tries::Reading::of(requests::system(facts));
        single_file_calls(view, &command.scope(), |call| {
            tries.add(call);
            let Some(ns) = call.duration_ns else {
                return;
            };
            let is_read = call.operation == FileOperation::Read && call.result.0 == 0;
            if is_read && call.flags.has(FileCallFlags::DISK) && reads.len() < MOST {
                reads.push((call.start_ns, call.start_ns.saturating_add(ns)));
                disk_reads.count += 1;
                let bytes = call.disk_bytes.unwrap_or(0).max(0);
                disk_reads.bytes = disk_reads.bytes.saturating_add(bytes);
                disk_reads.sum_ns = disk_reads.sum_ns.saturating_add(ns);
                if let (Some(file), Some(offset)) = (call.file, call.offset_bytes) {
                    let of_file = offsets.entry((file, call.thread));
                    let read = call.bytes.unwrap_or(0).max(0);
                    of_file.or_insert(Offsets::at(offset)).add(offset, read);
                }
            }
            if may_grow {
                folders.add(names, call, ns);
            }
        })?;
        disk_reads.any_ns = Spans::new(reads).ns();
        disk_reads.are_scattered = are_scattered(&offsets, disk_reads.count);
        Ok(Self {
            growing: folders.growing(),
            disk_reads,
            tries: tries.close(names),
        })
    }
}

impl ByFolder {
    /// Adds a call, unless it waited: what it waited for says more than the folder.
    fn add(&mut self, names: &FileNames, call: &SingleCall, ns: i64) {
        let waited = call.flags.has(FileCallFlags::DISK) || call.flags.has(FileCallFlags::SLEPT);
        let Some(id) = call.file.filter(|_| !waited && is_of_names(call.operation)) else {
            return;
        };
        if self.count >= MOST {
            return;
        }
        let Some(folder) = self.folder_of(names, id, call.operation) else {
            return;
        };
        self.count += 1;
        let key = (call.process, folder, call.operation, call.result.0 == 0);
        let (calls, files) = self.calls.entry(key).or_default();
        calls.push((call.start_ns, ns));
        files.insert(id);
    }

    /// Returns the number of the folder that a file is in.
    fn folder_of(
        &mut self,
        names: &FileNames,
        id: FileId,
        operation: FileOperation,
    ) -> Option<u32> {
        let is_listed = operation == FileOperation::List;
        if let Some(&known) = self.of_file.get(&id).filter(|_| !is_listed) {
            return Some(known);
        }
        let path = names.known_path(Some(id))?;
        let folder = match is_listed {
            true => path,
            false => path.rsplit_once('/')?.0,
        };
        let next = u32::try_from(self.numbers.len()).ok()?;
        let number = match self.numbers.get(folder) {
            Some(&known) => known,
            None => *self.numbers.entry(folder.to_owned()).or_insert(next),
        };
        if !is_listed {
            self.of_file.insert(id, number);
        }
        Some(number)
    }

    /// Returns the folders in which calls got slower, but not where calls of the same kind got slower elsewhere, too.
    fn growing(mut self) -> Vec<Growing> {
        let folders: BTreeMap<u32, String> = std::mem::take(&mut self.numbers)
            .into_iter()
            .map(|(folder, number)| (number, folder))
            .collect();
        for (calls, _) in self.calls.values_mut() {
            calls.sort_unstable();
        }
        let mut growing = Vec::new();
        for (&key, (calls, files)) in &self.calls {
            let (process, folder, operation, is_ok) = key;
            let grew = files.len() >= FILES || operation == FileOperation::List;
            let Some((first_ns, last_ns)) = rise(calls).filter(|_| grew) else {
                continue;
            };
            growing.push((
                calls.len(),
                key,
                Growing {
                    process,
                    folder: folders.get(&folder).cloned().unwrap_or_default(),
                    operation,
                    is_ok,
                    first_ns,
                    last_ns,
                },
            ));
        }
        growing.sort_by_key(|&(count, ..)| std::cmp::Reverse(count));
        growing.truncate(MOST_GROWING);
        growing.retain(|(_, key, one)| !self.is_elsewhere(*key, (one.first_ns, one.last_ns)));
        growing.into_iter().map(|(.., one)| one).collect()
    }

    /// Returns whether the same calls got at least half as much slower in all other folders together.
    fn is_elsewhere(&self, key: Key, (first_ns, last_ns): (i64, i64)) -> bool {
        let (process, folder, operation, is_ok) = key;
        let others = self.calls.iter().filter(|&(&(of, place, what, ok), _)| {
            (of, what, ok) == (process, operation, is_ok) && place != folder
        });
        let mut others: Calls = others
            .flat_map(|(_, (calls, _))| calls.iter().copied())
            .collect();
        others.sort_unstable();
        let there = medians(&others).and_then(|all| Some((*all.first()?, *all.last()?)));
        there.is_some_and(|(from, to)| {
            let own = i128::from(last_ns) * i128::from(from.max(1));
            let elsewhere = i128::from(to) * i128::from(first_ns.max(1));
            elsewhere * 2 >= own
        })
    }
}

/// How many folders are compared with all others at most, those with the most calls first.
const MOST_GROWING: usize = 16;

/// Operations whose cost may depend on how many names a folder has.
fn is_of_names(operation: FileOperation) -> bool {
    use FileOperation::{Access, Create, Link, List, Open, Remove, Rename, Stat};
    matches!(
        operation,
        Access | Create | Link | List | Open | Remove | Rename | Stat
    )
}

/// Returns the typical time of calls in each part, in order of time; `None` if there are too few.
fn medians(calls: &[(i64, i64)]) -> Option<Vec<i64>> {
    if calls.len() < PARTS * EACH {
        return None;
    }
    let parts = (0..PARTS).filter_map(|at| {
        let from = calls.len() * at / PARTS;
        let to = calls.len() * (at + 1) / PARTS;
        let mut part: Vec<i64> = calls.get(from..to)?.iter().map(|&(_, ns)| ns).collect();
        let middle = part.len() / 2;
        Some(*part.select_nth_unstable(middle).1)
    });
    Some(parts.collect())
}

/// Returns how long calls took at first and at the end, if they took longer and longer all the way: what jumps, or
/// goes up and down, has another reason.
fn rise(calls: &[(i64, i64)]) -> Option<(i64, i64)> {
    let medians = medians(calls)?;
    let (&first, &last) = (medians.first()?, medians.last()?);
    let rises = medians.windows(2).all(|pair| match pair {
        [one, next] => next.saturating_mul(10) >= one.saturating_mul(9),
        _ => true,
    });
    let middle = *medians.get(PARTS / 2)?;
    let is_steady = middle.saturating_mul(2) >= first.saturating_mul(3)
        && last.saturating_mul(4) >= middle.saturating_mul(5);
    let is_slower = last / SLOWER >= first.max(1);
    (rises && is_steady && is_slower).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(cost: impl Fn(i64) -> i64) -> Calls {
        (0..1000).map(|at| (at * 1000, cost(at))).collect()
    }

    #[test]
    fn what_gets_slower_all_the_way_rises() {
        let (first, last) = rise(&calls(|at| 20 + at)).expect("a rise");
        assert!((20..160).contains(&first) && last > 900, "{first} {last}");
        // Noise does not hide it.
        assert!(rise(&calls(|at| 20 + at + at * 7919 % 150)).is_some());
    }

    #[test]
    fn backwards_and_by_turns_is_not_at_random() {
        let are_scattered = |offset: &dyn Fn(i64) -> i64| {
            let mut offsets = Offsets::at(offset(0));
            (0..400).for_each(|at| offsets.add(offset(at), 4096));
            offsets.are_scattered()
        };
        assert!(are_scattered(
            &|at| ((at * 2_654_435_761) >> 16) % 400 * (1 << 20)
        ));
        assert!(!are_scattered(&|at| at << 20));
        assert!(!are_scattered(&|at| (400 - at) << 20));
        // Two streams.
        assert!(!are_scattered(&|at| at % 2 * (1 << 30) + at / 2 * 4096));
    }

    #[test]
    fn what_is_the_same_jumps_or_comes_and_goes_does_not() {
        assert_eq!(rise(&calls(|_| 20)), None);
        assert_eq!(rise(&calls(|at| if at < 900 { 20 } else { 2000 })), None);
        assert_eq!(rise(&calls(|at| if at < 100 { 20 } else { 2000 })), None);
        assert_eq!(
            rise(&calls(|at| if at / 200 % 2 == 0 { 20 } else { 400 })),
            None
        );
        assert_eq!(rise(&calls(|at| 1000 + at)), None);
        assert_eq!(
            rise(&(0..50).map(|at| (at, at * 100)).collect::<Calls>()),
            None
        );
        assert_eq!(rise(&[]), None);
        assert_eq!(rise(&calls(|_| 0)), None);
        assert_eq!(rise(&calls(|_| i64::MAX)), None);
    }
}
