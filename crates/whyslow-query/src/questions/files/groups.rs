//! Counted calls on files, summed by what they have in common.
//!
//! There may be a million counts and nearly as many sums. So texts are compared once per file, never per count. Each
//! count needs only one or two look-ups in tables of numbers.

use std::sync::Arc;

use whyslow_model::{FastMap, FileCallFlags, FileId, FileOperation, ProcessId, SystemCallResult};

use super::percentiles::Percentiles;
use super::{By, extension, folder};
use crate::file_calls::{FileCalls, FileNames, SEVERAL, SingleCall};
use crate::system_calls::CallSum;

/// What calls of one process on one file have in common.
type OfFile = (ProcessId, FileOperation, SystemCallResult, Option<FileId>);

/// What the calls of a row have in common besides their place, as far as rows are separate by it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) process: Option<ProcessId>,
    pub(super) operation: Option<FileOperation>,
    pub(super) result: Option<SystemCallResult>,
}

/// Similar calls.
#[derive(Debug, Default)]
pub(super) struct Sum {
    pub(super) calls: CallSum,
    /// The number of calls that caused a read from a disk, and the time in them.
    pub(super) cold: i64,
    pub(super) cold_ns: Option<i64>,
    pub(super) flags: FileCallFlags,
    pub(super) files: i64,
    /// Any one of the files.
    pub(super) file: Option<FileId>,
    pub(super) percentiles: Option<Box<Percentiles>>,
}

impl Sum {
    /// Adds more calls.
    pub(super) fn add(&mut self, calls: &CallSum, flags: FileCallFlags) {
        self.calls.add(calls);
        self.flags = self.flags.with(flags);
        if flags.has(FileCallFlags::DISK) {
            self.add_cold(calls.count, calls.ns);
        }
    }

    /// Adds the calls of another sum; its files may be the same ones.
    pub(super) fn join(&mut self, other: &Self) {
        self.calls.add(&other.calls);
        self.flags = self.flags.with(other.flags);
        self.add_cold(other.cold, other.cold_ns);
    }

    /// Returns the time that this percentage of the calls did not exceed, if single calls were looked at.
    pub(super) fn percentile(&self, percent: u64) -> Option<i64> {
        let percentiles = self.percentiles.as_ref()?;
        percentiles.get(percent, self.calls.count)
    }

    fn add_cold(&mut self, count: i64, ns: Option<i64>) {
        self.cold = self.cold.saturating_add(count);
        if let Some(ns) = ns {
            self.cold_ns = Some(self.cold_ns.unwrap_or(0).saturating_add(ns));
        }
    }

    fn add_file(&mut self, names: &FileNames, file: Option<FileId>) {
        self.files += 1;
        // A file that was opened says more than a mere name.
        let rank = |file: Option<FileId>| (names.is_opened(file), file);
        if rank(file) > rank(self.file) {
            self.file = file;
        }
    }
}

/// A row: the number of its kind, and that of its place.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) kind: u32,
    pub(super) place: u32,
    pub(super) sum: Sum,
}

/// Where calls are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    /// Anywhere.
    Any,
    /// In each file, whatever its path.
    File,
    /// At a path.
    Path,
    /// In a folder this many names below the root.
    Folder(usize),
    /// In files with the same extension.
    Extension,
}

/// The places by which rows are separate, each with a number.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) texts: Vec<Arc<str>>,
    /// By file; the last one is for all files that could not be distinguished.
    of_file: Vec<u32>,
    /// Number of files in each place.
    files: Vec<u32>,
}

impl Places {
    fn new(names: &FileNames, place: Where) -> Self {
        let ids = || FileId::all().take(names.len()).map(Some).chain([None]);
        let all = || ids().map(|id| names.path(id));
        let mut places = match place {
            Where::Any => Self::one(names.len() + 1),
            Where::File => Self::each(names.len() + 1),
            Where::Path => Self::paths(names).unwrap_or_else(|| Self::named(all())),
            Where::Folder(depth) => Self::named(all().map(|path| folder(path, depth))),
            Where::Extension => Self::named(all().map(extension)),
        };
        for &place in &places.of_file {
            let at = place as usize;
            if at >= places.files.len() {
                places.files.resize(at + 1, 0);
            }
            places.files[at] += 1;
        }
        places
    }

    /// Returns places that do not depend on files.
    pub(super) fn of_texts(texts: Vec<Arc<str>>) -> Self {
        Self {
            texts,
            ..Self::default()
        }
    }

    fn one(files: usize) -> Self {
        Self {
            of_file: vec![0; files],
            ..Self::default()
        }
    }

    fn each(files: usize) -> Self {
        Self {
            of_file: (0..).take(files).collect(),
            ..Self::default()
        }
    }

    /// Returns the paths, which have numbers in their column.
    fn paths(names: &FileNames) -> Option<Self> {
        let paths = names.paths()?;
        let mut texts = paths.dictionary.clone();
        let several = u32::try_from(texts.len()).ok()?;
        texts.push(SEVERAL.into());
        let number = |&key: &i32| u32::try_from(key).ok().filter(|&key| key < several);
        let keys = paths.keys.iter().map(|key| number(key).unwrap_or(several));
        Some(Self {
            texts,
            of_file: keys.chain([several]).collect(),
            files: Vec::new(),
        })
    }

    /// Gives each different text a number.
    fn named<'n>(of_files: impl Iterator<Item = &'n str>) -> Self {
        let mut numbers: FastMap<&str, u32> = FastMap::default();
        let mut places = Self::default();
        for text in of_files {
            let next = u32::try_from(places.texts.len()).unwrap_or(u32::MAX);
            let number = *numbers.entry(text).or_insert_with(|| {
                places.texts.push(text.into());
                next
            });
            places.of_file.push(number);
        }
        places
    }

    /// Returns the place of a file by its number.
    fn of(&self, file: u32) -> u32 {
        let known = self.of_file.get(file as usize).or(self.of_file.last());
        known.copied().unwrap_or(0)
    }

    fn is_of_one_file(&self, place: u32) -> bool {
        self.files.get(place as usize) == Some(&1)
    }
}

/// No number.
const NONE: u32 = u32::MAX;

/// A row of a file, and the next one of the same file.
#[derive(Debug, Clone, Copy)]
struct Link {
    kind: u32,
    row: u32,
    next: u32,
    /// How many rows there are from here on.
    length: u32,
}

/// The rows by file and kind. Most files have few rows, and counts of one file come one after another. So the rows of a
/// file are a short list, which stays in the cache. A map holds the rows for which the list has no room.
#[derive(Debug)]
struct OfFiles {
    first: Vec<u32>,
    links: Vec<Link>,
    others: FastMap<u64, u32>,
}

impl OfFiles {
    /// Rows in the list of a file.
    const MOST: u32 = 8;

    fn new(files: usize) -> Self {
        Self {
            first: vec![NONE; files],
            links: Vec::new(),
            others: FastMap::default(),
        }
    }

    fn get(&self, kind: u32, file: u32) -> Option<u32> {
        let mut link = self.links.get(*self.first.get(file as usize)? as usize)?;
        let is_full = link.length == Self::MOST;
        loop {
            if link.kind == kind {
                return Some(link.row);
            }
            match self.links.get(link.next as usize) {
                Some(next) => link = next,
                None if is_full => return self.others.get(&key(kind, file)).copied(),
                None => return None,
            }
        }
    }

    fn insert(&mut self, kind: u32, file: u32, row: u32) {
        let Some(first) = self.first.get_mut(file as usize) else {
            return;
        };
        let next = self.links.get(*first as usize);
        let length = next.map_or(0, |link| link.length) + 1;
        if length > Self::MOST {
            self.others.insert(key(kind, file), row);
            return;
        }
        let link = Link {
            kind,
            row,
            next: *first,
            length,
        };
        *first = u32::try_from(self.links.len()).unwrap_or(NONE);
        self.links.push(link);
    }
}

/// The sums.
#[derive(Debug)]
pub(super) struct Groups<'n> {
    by: By,
    names: &'n FileNames,
    places: Places,
    kinds: Vec<Kind>,
    kind_numbers: FastMap<(i32, i32, i32), u32>,
    last_kind: (Kind, u32),
    /// The rows of each file.
    of_files: OfFiles,
    /// The rows by kind and place.
    of_places: FastMap<u64, u32>,
    groups: Vec<Group>,
}

/// Two numbers as one.
fn key(kind: u32, other: u32) -> u64 {
    u64::from(kind) << 32 | u64::from(other)
}

impl<'n> Groups<'n> {
    pub(super) fn new(names: &'n FileNames, by: By, place: Where) -> Self {
        Self {
            by,
            names,
            places: Places::new(names, place),
            kinds: Vec::new(),
            kind_numbers: FastMap::default(),
            last_kind: (Kind::default(), NONE),
            of_files: OfFiles::new(names.len() + 1),
            of_places: FastMap::default(),
            groups: Vec::new(),
        }
    }

    pub(super) fn names(&self) -> &'n FileNames {
        self.names
    }

    /// Returns the number of a file; all files that could not be distinguished have the same one.
    fn file(&self, id: Option<FileId>) -> u32 {
        let known = id.map(FileId::index).filter(|&at| at < self.names.len());
        let at = known.unwrap_or(self.names.len());
        u32::try_from(at).unwrap_or(NONE)
    }

    /// Returns which kind these calls are.
    fn kind_of(&self, &(process, operation, result, _): &OfFile) -> Kind {
        Kind {
            process: self.by.has_process().then_some(process),
            operation: self.by.has_operation().then_some(operation),
            result: self.by.has_result().then_some(result),
        }
    }

    fn kind(&mut self, of: &OfFile) -> u32 {
        let kind = self.kind_of(of);
        if self.last_kind == (kind, self.last_kind.1) && self.last_kind.1 != NONE {
            return self.last_kind.1;
        }
        let next = u32::try_from(self.kinds.len()).unwrap_or(NONE);
        let number = *self.kind_numbers.entry(kind.number()).or_insert(next);
        if number == next {
            self.kinds.push(kind);
        }
        self.last_kind = (kind, number);
        number
    }

    /// Adds calls.
    pub(super) fn add(&mut self, calls: &FileCalls) {
        let of = (calls.process, calls.operation, calls.result, calls.file);
        let (kind, file) = (self.kind(&of), self.file(calls.file));
        let at = match self.of_files.get(kind, file) {
            Some(at) => at,
            None => self.begin(kind, file, calls.file),
        };
        if let Some(group) = self.groups.get_mut(at as usize) {
            group.sum.add(&calls.sum, calls.flags);
        }
    }

    /// Returns a row for a kind that is new for this file: that of another file in the same place, or a new one.
    fn begin(&mut self, kind: u32, file: u32, id: Option<FileId>) -> u32 {
        let next = u32::try_from(self.groups.len()).unwrap_or(NONE);
        let place = self.places.of(file);
        let at = match self.places.is_of_one_file(place) {
            true => next,
            false => *self.of_places.entry(key(kind, place)).or_insert(next),
        };
        if at == next {
            self.groups.push(Group {
                kind,
                place,
                sum: Sum::default(),
            });
        }
        if let Some(group) = self.groups.get_mut(at as usize) {
            group.sum.add_file(self.names, id);
        }
        self.of_files.insert(kind, file, at);
        at
    }

    /// Returns the sum that a call belongs to, if there is one.
    pub(super) fn find(&mut self, call: &SingleCall) -> Option<&mut Sum> {
        let of = (call.process, call.operation, call.result, call.file);
        let kind = self.kind_of(&of).number();
        let kind = *self.kind_numbers.get(&kind)?;
        let at = self.of_files.get(kind, self.file(of.3))?;
        self.groups.get_mut(at as usize).map(|group| &mut group.sum)
    }

    /// Returns the rows, and what their numbers mean.
    pub(super) fn finish(self) -> (Vec<Group>, Vec<Kind>, Places) {
        (self.groups, self.kinds, self.places)
    }
}

impl Kind {
    /// Returns a number for each part; a missing part has the least.
    fn number(self) -> (i32, i32, i32) {
        use whyslow_model::Named;
        (
            self.process.map_or(i32::MIN, |process| process.0),
            self.operation.map_or(i32::MIN, FileOperation::code),
            self.result.map_or(i32::MIN, |result| result.0),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_file_are_found_however_many_there_are() {
        let mut rows = OfFiles::new(3);
        let of = |kind: u32, file: u32| 100 * file + kind;
        for kind in 0..50 {
            for file in [0, 2] {
                assert_eq!(rows.get(kind, file), None);
                rows.insert(kind, file, of(kind, file));
            }
        }
        for (kind, file) in (0..50).flat_map(|kind| [(kind, 0), (kind, 2)]) {
            assert_eq!(rows.get(kind, file), Some(of(kind, file)));
        }
        assert_eq!(
            (rows.get(50, 0), rows.get(0, 1), rows.get(0, 3)),
            (None, None, None)
        );
        let in_lists = rows.links.len();
        assert_eq!((in_lists, rows.others.len()), (16, 84));
    }
}
