//! What the command did with which files.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{
    Capability, FileCallFlags, FileId, FileOperation, ProcessId, System, SystemCallResult, ThreadId,
};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::file_calls::{FileNames, counted_file_calls, single_file_calls};
use whyslow_query::scope::Scope;
use whyslow_query::spans::Spans;
use whyslow_query::system_calls::CallSum;

use crate::command::Command;
use crate::file_names::Names;
use crate::{recorded, requests};

mod alike;
pub(crate) mod paths;

pub use alike::without_digits;
pub use paths::{is_file, is_in, shown};

/// A file or a folder represents the calls if this percentage of them is about it.
const MOST: i64 = 60;

/// The calls about files of the command's threads; empty where they were not recorded.
#[derive(Debug, Default)]
pub struct Files {
    /// What was done with files, a sum for each.
    pub uses: Vec<Use>,
    /// Reads that a disk served, or did a part of.
    pub disk_reads: i64,
    paths: Vec<String>,
    /// By path: whether it is a folder.
    folders: BTreeSet<PathId>,
    /// Processes that locked, or unlocked, a file which the command found locked.
    lockers: BTreeSet<(PathId, ProcessId)>,
    /// By process and path, where much was read over and over: the end of the last part that was read.
    read_over: BTreeMap<(ProcessId, PathId), i64>,
}

/// If less was read from a file, reading it over and over costs no time worth mentioning.
const MUCH_READ: i64 = 32 << 20;

/// The results of a non-blocking call for a lock that others hold: EAGAIN, EACCES.
const LOCKED: [i32; 2] = [11, 13];

/// The most locks from before the recording that are looked at.
const MOST_LOCKS: usize = 1024;

/// A path among [`Files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathId(usize);

/// Who may have held the lock on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locker {
    /// Which process it is.
    pub process: ProcessId,
    /// Whether no other process is possible; else no other one outside the command.
    pub is_only: bool,
}

/// Calls of one thread about one path that were alike.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    /// Who did it.
    pub thread: ThreadId,
    /// `None`: of files that were too many to keep apart.
    pub path: Option<PathId>,
    /// What was done.
    pub operation: FileOperation,
    /// How it ended.
    pub result: SystemCallResult,
    /// Written data was on the disk when the call returned.
    pub is_durable: bool,
    /// How often, and for how long.
    pub sum: CallSum,
}

/// Single reads of a process from one path, in order.
#[derive(Debug, Default)]
struct Reached {
    file: Option<FileId>,
    are_several: bool,
    end: i64,
    count: i64,
    /// Reads of what an earlier one had read, or skipped.
    again: i64,
}

impl Reached {
    fn add(&mut self, file: Option<FileId>, (from, to): (i64, i64)) {
        self.are_several |= self.count > 0 && self.file != file;
        self.file = file;
        self.count += 1;
        self.again += i64::from(from < self.end);
        self.end = self.end.max(to);
    }

    /// Returns whether most of it was read before: a file that is read once from start to end never goes back.
    fn is_over(&self) -> bool {
        !self.are_several && self.end > 0 && self.count >= FEW_READS && self.again * 2 >= self.count
    }
}

/// Fewer single reads show nothing.
const FEW_READS: i64 = 8;

impl Use {
    /// Returns whether it succeeded.
    pub fn is_ok(&self) -> bool {
        self.result.0 == 0
    }

    /// Returns whether it was refused because others hold the lock.
    pub fn is_locked_out(&self) -> bool {
        self.operation == FileOperation::Lock && LOCKED.contains(&self.result.0)
    }

    /// Returns whether it checks a file by its name.
    pub fn is_question(&self) -> bool {
        matches!(self.operation, FileOperation::Stat | FileOperation::Access)
    }
}

impl Files {
    /// Reads what the threads of `command` did.
    pub(crate) fn read(
        view: View<'_>,
        facts: &Facts,
        command: &Command,
        names: &Names<'_>,
    ) -> Result<Self, QueryError> {
        let mut files = Self::default();
        if !facts.has(Capability::Files) || !facts.has(Capability::Switches) {
            return Ok(files);
        }
        let names = names.get()?;
        let mut sums = BTreeMap::new();
        let is_windows = requests::system(facts) == System::Windows;
        counted_file_calls(view, &command.scope(), |calls| {
            if is_windows && requests::is_part(calls.operation) {
                return;
            }
            let is_durable = calls.flags.has(FileCallFlags::DURABLE);
            if calls.operation == FileOperation::Read && calls.flags.has(FileCallFlags::DISK) {
                files.disk_reads = files.disk_reads.saturating_add(calls.sum.count);
            }
            let result = match is_windows {
                true => requests::result(calls.result),
                false => calls.result,
            };
            let what = (calls.operation, result, is_durable);
            let sum: &mut CallSum = sums.entry((calls.thread, calls.file, what)).or_default();
            sum.add(&calls.sum);
        })?;
        let mut ids = BTreeMap::new();
        for ((thread, file, (operation, result, is_durable)), sum) in sums {
            let path = names.known_path(file).map(|path| {
                let path = paths::with_slashes(path, is_windows);
                let id = *ids.entry(paths::key(&path, is_windows)).or_insert_with(|| {
                    files.paths.push(path.into_owned());
                    PathId(files.paths.len() - 1)
                });
                if names.kind(file) == Some("folder") {
                    files.folders.insert(id);
                }
                id
            });
            files.uses.push(Use {
                thread,
                path,
                operation,
                result,
                is_durable,
                sum,
            });
        }
        files.read_lockers(view, facts, names)?;
        files.read_ends(view, facts, command, names)?;
        Ok(files)
    }

    /// Reads how far each process read in the files that it read much from.
    fn read_ends(
        &mut self,
        view: View<'_>,
        facts: &Facts,
        command: &Command,
        names: &FileNames,
    ) -> Result<(), QueryError> {
        let mut bytes = BTreeMap::<PathId, i64>::new();
        for (path, one) in self.uses.iter().filter_map(|one| Some((one.path?, one))) {
            if one.operation == FileOperation::Read && one.is_ok() {
                let sum = bytes.entry(path).or_default();
                *sum = sum.saturating_add(one.sum.bytes.unwrap_or(0));
            }
        }
        bytes.retain(|_, bytes| *bytes >= MUCH_READ);
        if bytes.is_empty() {
            return Ok(());
        }
        let is_windows = requests::system(facts) == System::Windows;
        let of_path = |path| paths::key(&paths::with_slashes(path, is_windows), is_windows);
        let ids = bytes.keys().map(|&id| (of_path(self.path(id)), id));
        let ids: BTreeMap<_, PathId> = ids.collect();
        let known = |file| {
            let path = names.known_path(file);
            path.and_then(|path| ids.get(&of_path(path))).copied()
        };
        // No matter who wrote it: a program may read again and again what another one changes.
        let mut written = BTreeMap::<PathId, i64>::new();
        let mut writes = |path, bytes: Option<i64>| {
            let sum = written.entry(path).or_default();
            *sum = sum.saturating_add(bytes.unwrap_or(i64::MAX));
        };
        let whole = Scope {
            window_ns: Some(command.span_ns),
            ..Scope::whole(facts)
        };
        counted_file_calls(view, &whole, |calls| {
            if calls.operation == FileOperation::Write
                && calls.result.0 == 0
                && let Some(path) = known(calls.file)
            {
                writes(path, calls.sum.bytes);
            }
        })?;
        let mut reached: BTreeMap<(ProcessId, PathId), Reached> = BTreeMap::new();
        single_file_calls(view, &command.scope(), |call| {
            if call.operation != FileOperation::Read {
                return;
            }
            // The kernel copied to it.
            if let Some(path) = known(call.other_file) {
                writes(path, call.bytes);
            }
            if let (Some(path), Some(from), Some(bytes)) =
                (known(call.file), call.offset_bytes, call.bytes)
            {
                let reached = reached.entry((call.process, path)).or_default();
                reached.add(call.file, (from, from.saturating_add(bytes)));
            }
        })?;
        // What was written more than once was not the same each time that it was read.
        let is_same = |path: &PathId, end: i64| written.get(path).is_none_or(|&sum| sum <= end);
        let over = reached.into_iter();
        let over = over.filter(|((_, path), one)| one.is_over() && is_same(path, one.end));
        self.read_over = over.map(|(key, one)| (key, one.end)).collect();
        Ok(())
    }

    /// Returns how far a process read in a file, in bytes, if much was read from it and it went back again and again;
    /// also `None` if no single calls were recorded.
    pub fn read_over(&self, process: ProcessId, path: PathId) -> Option<i64> {
        self.read_over.get(&(process, path)).copied()
    }

    /// Reads who locked the files that the command found locked, in the command or not.
    fn read_lockers(
        &mut self,
        view: View<'_>,
        facts: &Facts,
        names: &FileNames,
    ) -> Result<(), QueryError> {
        let tries = self.uses.iter();
        let tries = tries.filter(|one| one.is_locked_out());
        let tried: BTreeMap<&str, PathId> = tries
            .filter_map(|one| one.path.map(|id| (self.path(id), id)))
            .collect();
        if tried.is_empty() {
            return Ok(());
        }
        let mut lockers = BTreeSet::new();
        counted_file_calls(view, &Scope::whole(facts), |calls| {
            let locks = calls.operation == FileOperation::Lock && calls.result.0 == 0;
            let path = names.known_path(calls.file);
            if let Some(&path) = path.and_then(|path| tried.get(path))
                && locks
            {
                lockers.insert((path, calls.process));
            }
        })?;
        // Its pid cannot have been another process's before: it was there from the start.
        let process = |pid| {
            facts
                .processes
                .iter()
                .find(|row| row.os_pid == pid && row.is_kernel == 0)
        };
        let locks = recorded::locks(view)?.into_iter().take(MOST_LOCKS);
        for (pid, path) in locks {
            if let Some(&path) = tried.get(path.as_str())
                && let Some(row) = process(pid)
            {
                lockers.insert((path, row.id));
            }
        }
        self.lockers = lockers;
        Ok(())
    }

    /// Returns who may have held the lock on a file that a process found locked for some time: the only other
    /// process that was seen to lock or unlock it (these are not distinguished) and that ran for most of that time;
    /// of several, the only one outside the command. `None` if there are more.
    pub fn locker(
        &self,
        path: PathId,
        own: ProcessId,
        (facts, command): (&Facts, &Command),
        when: &Spans,
    ) -> Option<Locker> {
        let others = self.lockers.iter();
        let of_path = others.filter(|&&(known, process)| known == path && process != own);
        let there = of_path.map(|&(_, process)| process).filter(|&process| {
            let (from, to) = life(facts, command, process);
            when.within(from, to).saturating_mul(2) >= when.ns()
        });
        let there: Vec<ProcessId> = there.collect();
        let outside: Vec<ProcessId> = there
            .iter()
            .copied()
            .filter(|&process| !command.has_process(process))
            .collect();
        match (there.as_slice(), outside.as_slice()) {
            (&[only], _) => Some(Locker {
                process: only,
                is_only: true,
            }),
            (_, &[only]) => Some(Locker {
                process: only,
                is_only: false,
            }),
            _ => None,
        }
    }

    /// Returns a path by its id.
    pub fn path(&self, id: PathId) -> &str {
        self.paths.get(id.0).map_or("", String::as_str)
    }

    /// Returns whether a path was used as a folder.
    pub fn is_folder(&self, id: PathId) -> bool {
        self.folders.contains(&id)
    }

    /// Returns the path that most of these calls are about, and how many.
    pub fn most(&self, wanted: impl Fn(&Use) -> bool) -> Option<(PathId, i64)> {
        let mut counts = BTreeMap::<PathId, i64>::new();
        for one in self.uses.iter().filter(|one| wanted(one)) {
            if let Some(path) = one.path {
                let sum = counts.entry(path).or_default();
                *sum = sum.saturating_add(one.sum.count);
            }
        }
        counts.into_iter().max_by_key(|&(_, count)| count)
    }

    /// Returns the file that most of these calls are about, by `weight`, or else the folder that most
    /// of them are in; `None` if they are scattered.
    pub fn object(
        &self,
        wanted: impl Fn(&Use) -> bool,
        weight: impl Fn(&CallSum) -> i64,
    ) -> Option<String> {
        let mut weights = BTreeMap::<PathId, i64>::new();
        let mut all = 0_i64;
        for one in self.uses.iter().filter(|one| wanted(one)) {
            let weight = weight(&one.sum);
            all = all.saturating_add(weight);
            if let Some(path) = one.path {
                let sum = weights.entry(path).or_default();
                *sum = sum.saturating_add(weight);
            }
        }
        let (&first, &most) = weights.iter().max_by_key(|&(_, weight)| weight)?;
        if is_most(most, all) {
            return Some(self.path(first).to_owned());
        }
        let name = self.common_name(&weights, all);
        let name = name.or_else(|| self.common_stem(&weights, all));
        name.or_else(|| self.common_folder(&weights, all))
    }

    /// Returns the file that these threads tried to lock longest; `None` if it is not one file.
    pub fn locked_by(&self, threads: &BTreeSet<ThreadId>) -> Option<String> {
        let locks =
            |one: &Use| one.operation == FileOperation::Lock && threads.contains(&one.thread);
        let object = self.object(locks, |sum| sum.ns.unwrap_or(0));
        object.filter(|path| !path.ends_with('/'))
    }

    /// Returns what [`Files::object`] does; if that is only a folder whose files have names that are alike, their common name, with
    /// `*` for what differs.
    pub fn object_by_pattern(
        &self,
        wanted: impl Fn(&Use) -> bool,
        weight: impl Fn(&CallSum) -> i64,
    ) -> Option<String> {
        let object = self.object(&wanted, &weight)?;
        if !object.ends_with('/') {
            return Some(object);
        }
        let mut weights = BTreeMap::<&str, i64>::new();
        let mut all = 0_i64;
        for one in self.uses.iter().filter(|one| wanted(one)) {
            let weight = weight(&one.sum);
            all = all.saturating_add(weight);
            if let Some(path) = one.path {
                let sum = weights.entry(self.path(path)).or_default();
                *sum = sum.saturating_add(weight);
            }
        }
        Some(alike::pattern(&object, &weights, all).unwrap_or(object))
    }

    /// Returns the name that most of these paths end with, in many folders.
    fn common_name(&self, weights: &BTreeMap<PathId, i64>, all: i64) -> Option<String> {
        let mut by_name = BTreeMap::<&str, i64>::new();
        for (&path, weight) in weights {
            let name = self.path(path).rsplit('/').next().unwrap_or_default();
            *by_name.entry(name).or_default() += weight;
        }
        let (name, most) = by_name.into_iter().max_by_key(|&(_, weight)| weight)?;
        (is_most(most, all) && !name.is_empty()).then(|| name.to_owned())
    }

    /// Returns the file with whose name most of these begin: a database, with its journal beside it. Calls on its
    /// folder count for it, too.
    fn common_stem(&self, weights: &BTreeMap<PathId, i64>, all: i64) -> Option<String> {
        let files = weights.keys().filter(|&&id| !self.is_folder(id));
        let shortest = files
            .map(|&id| self.path(id))
            .min_by_key(|path| path.len())?;
        let (folder, name) = shortest.rsplit_once('/')?;
        let (mut own, mut of_it, mut of_folder, mut beside) = (0_i64, 0_i64, 0_i64, 0_usize);
        for (&id, &weight) in weights {
            let path = self.path(id);
            let sum = match path.strip_prefix(shortest) {
                Some(rest) if !rest.contains('/') && !goes_on(rest) => {
                    own = own.max(if rest.is_empty() { weight } else { 0 });
                    beside += 1;
                    &mut of_it
                }
                _ if path == folder => &mut of_folder,
                _ => continue,
            };
            *sum = sum.saturating_add(weight);
        }
        // Not the first of many, and not one that is hardly used itself.
        let leads = !name.is_empty() && beside <= BESIDE && own.saturating_mul(10) >= of_it;
        (leads && is_most(of_it, all.saturating_sub(of_folder))).then(|| shortest.to_owned())
    }

    /// Returns the innermost folder that most of these paths are in.
    fn common_folder(&self, weights: &BTreeMap<PathId, i64>, all: i64) -> Option<String> {
        let mut by_folder = BTreeMap::<&str, i64>::new();
        for (&id, weight) in weights {
            let path = self.path(id);
            // A folder itself belongs to what happens in it.
            if self.is_folder(id) {
                *by_folder.entry(path).or_default() += weight;
            }
            for (at, _) in path.match_indices('/').filter(|&(at, _)| at > 0) {
                *by_folder.entry(path.get(..at).unwrap_or(path)).or_default() += weight;
            }
        }
        let most = by_folder.into_iter();
        let most = most.filter(|&(_, weight)| is_most(weight, all));
        let most = most.max_by_key(|(folder, _)| folder.len());
        most.map(|(folder, _)| format!("{folder}/"))
    }
}

/// Returns from when to when a process lived; an exec does not end it, nor its locks.
fn life(facts: &Facts, command: &Command, process: ProcessId) -> (i64, i64) {
    let row = |at: usize| facts.processes.get(at);
    let start = row(process.index()).and_then(|row| row.start_ns);
    let end = row(command.images.last(process.index())).and_then(|row| row.end_ns);
    (start.unwrap_or(0), end.unwrap_or(i64::MAX))
}

/// A database has at most so many files whose names begin with its own: itself, a journal, a log and its index.
const BESIDE: usize = 4;

/// Returns whether what follows a name makes it another one: `10` is no part of `1`, `1.tmp` is.
fn goes_on(rest: &str) -> bool {
    rest.starts_with(|next: char| next.is_alphanumeric())
}

/// Returns whether a part is most of the whole.
fn is_most(part: i64, all: i64) -> bool {
    all > 0 && part.saturating_mul(100) >= all.saturating_mul(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(uses: &[(&str, i64)]) -> Files {
        let mut files = Files::default();
        for (at, &(path, count)) in uses.iter().enumerate() {
            files.paths.push(path.to_owned());
            files.uses.push(Use {
                thread: ThreadId(0),
                path: Some(PathId(at)),
                operation: FileOperation::Stat,
                result: SystemCallResult(0),
                is_durable: false,
                sum: CallSum {
                    count,
                    ..CallSum::default()
                },
            });
        }
        files
    }

    #[test]
    fn a_file_a_name_or_a_folder_stands_for_the_calls() {
        let object = |uses: &[(&str, i64)]| files(uses).object(|_| true, |sum| sum.count);
        assert_eq!(object(&[("/etc/a", 7), ("/etc/b", 3)]).unwrap(), "/etc/a");
        let names = [("/a/x.so", 3), ("/b/x.so", 3), ("/b/y.so", 3)];
        assert_eq!(object(&names).unwrap(), "x.so");
        let folder = [("/w/src/a", 3), ("/w/src/b", 3), ("/w/c", 2)];
        assert_eq!(object(&folder).unwrap(), "/w/src/");
        let database = [("/w/o.db", 3), ("/w/o.db-journal", 3)];
        assert_eq!(object(&database).unwrap(), "/w/o.db");
        assert_eq!(object(&[("/w/1", 3), ("/w/10", 3)]).unwrap(), "/w/");
        let rotated = [("/w/log", 1), ("/w/log.1", 9), ("/w/log.2", 9)];
        assert_eq!(object(&rotated).unwrap(), "/w/");
        assert_eq!(object(&[("/a/x", 1), ("/b/y", 1)]), None);
        assert_eq!(object(&[]), None);
    }

    #[test]
    fn files_whose_names_are_alike_have_a_pattern() {
        let named = |uses: &[(&str, i64)]| files(uses).object_by_pattern(|_| true, |sum| sum.count);
        let parts = [("/t/part-1", 5), ("/t/part-22", 5), ("/t/log", 1)];
        assert_eq!(named(&parts).as_deref(), Some("/t/part-*"));
        assert_eq!(named(&[("/t/a", 5), ("/t/b", 5)]).as_deref(), Some("/t/"));
        assert_eq!(
            named(&[("/t/part-1", 9), ("/t/part-2", 1)]).as_deref(),
            Some("/t/part-1")
        );
    }
}
