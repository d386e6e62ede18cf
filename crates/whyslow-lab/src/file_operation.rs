//! Operations on the files of one directory: create, delete, rename, stat, open, list; and on those of a
//! directory on a share.

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, Mode, OFlags, RawDir, openat, renameat, statat};
use rustix::io::Errno;

use crate::operation::Operation;
use crate::place::{Name, Place, create, unlink};
use crate::shortnames::{Generation, real};

/// What is done to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOperation {
    /// open with `O_CREAT | O_EXCL`, close.
    Create,
    /// unlink, in the order in which the files were made.
    Delete,
    /// Create, close, then rename.
    Rename,
    /// stat any of the files that are there; more are made from time to time.
    Stat,
    /// open any of the files that are there and close it; more are made from time to time.
    Open,
    /// open, list, close the directory, after more files were made.
    List,
}

impl FileOperation {
    /// Returns whether files must be there that it does not make itself.
    pub(crate) fn needs_files(self) -> bool {
        matches!(self, Self::Stat | Self::Open | Self::List)
    }

    /// Returns the operation called `name`.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "create" => Self::Create,
            "delete" => Self::Delete,
            "rename" => Self::Rename,
            "stat" => Self::Stat,
            "open" => Self::Open,
            "list" => Self::List,
            _ => return None,
        })
    }

    /// Returns its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Delete => "delete",
            Self::Rename => "rename",
            Self::Stat => "stat",
            Self::Open => "open",
            Self::List => "list",
        }
    }
}

/// What somebody does in a directory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work {
    /// What is done.
    pub(crate) operation: FileOperation,
    /// Who does it, for the names.
    pub(crate) worker: u32,
    /// Files that are made at once, for operations that make none.
    pub(crate) step: u64,
    /// Who gives new names a short one.
    pub(crate) short: Option<Generation>,
}

/// Sizes at which a directory is met that grows between operations.
const SIZES: u64 = 200;

/// Operations at one size at least, where none of them makes it grow.
const LEAST_AT_A_SIZE: u64 = 20;

impl FileOperation {
    /// Returns how many files are made at once before an operation of `count` that makes none itself: before
    /// each listing, or before each block of other operations, which then run without changes in between.
    pub(crate) fn files_at_once(self, count: u64) -> u64 {
        let even = count.div_ceil(SIZES).max(1);
        match self {
            Self::List => even,
            Self::Stat | Self::Open => even.max(LEAST_AT_A_SIZE).min(count.max(1)),
            Self::Create | Self::Delete | Self::Rename => 1,
        }
    }

    /// Returns the operations between two times that files are made.
    pub(crate) fn operations_between(self, files_at_once: u64) -> u64 {
        if self == Self::List { 1 } else { files_at_once }
    }
}

/// The worker whose names the files have that are there from the beginning.
pub(crate) const PREFILLER: u32 = 999;

/// What one worker does in a place.
pub(crate) struct Files {
    place: OwnedFd,
    operation: FileOperation,
    name: Name,
    renamed: Name,
    /// Files that are made at once, for operations that make none.
    step: u64,
    /// Who gives new names a short one.
    short: Option<Generation>,
    buffer: Vec<MaybeUninit<u8>>,
}

impl Files {
    /// Returns what `worker` does; for operations that make no files, `step` are made at once.
    pub(crate) fn new(
        place: &Place,
        operation: FileOperation,
        worker: u32,
        step: u64,
    ) -> Result<Self, Errno> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        Ok(Self {
            place: openat(place.fd(), c".", flags, Mode::empty())?,
            operation,
            name: Name::new(b'w', worker),
            renamed: Name::new(b'r', worker),
            step,
            short: None,
            buffer: vec![MaybeUninit::uninit(); 32 * 1024],
        })
    }

    /// Returns the same, with a short name for every new one; their probes are counted.
    pub(crate) fn with_short_names(mut self, short: Option<Generation>) -> Self {
        self.short = short;
        self
    }

    /// Gives an open file the short name for `name`.
    fn shorten(&self, file: &OwnedFd, name: &Name) -> Result<u32, Errno> {
        let given = |one| real::give(file.as_fd(), one, name.as_c_str());
        self.short.map_or(Ok(0), given)
    }

    fn list(&mut self) -> Result<u32, Errno> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let dir = openat(self.place.as_fd(), c".", flags, Mode::empty())?;
        let mut entries = RawDir::new(&dir, &mut self.buffer);
        let mut count: u32 = 0;
        while let Some(entry) = entries.next() {
            let name = entry?.file_name().to_bytes().len();
            count += u32::from(name > 2);
        }
        Ok(count)
    }
}

impl Operation for Files {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        let place = self.place.as_fd();
        match self.operation {
            FileOperation::Create => {
                self.name.set(at);
                let file = create(place, &self.name)?;
                return self.shorten(&file, &self.name);
            }
            FileOperation::Delete => {
                self.name.set(at);
                unlink(place, self.name.as_c_str())?;
            }
            FileOperation::Rename => {
                self.name.set(at);
                self.renamed.set(at);
                let file = create(place, &self.name)?;
                let probes = self.shorten(&file, &self.name)?;
                // Who renames a file has closed it.
                drop(file);
                let (old, new) = (self.name.as_c_str(), self.renamed.as_c_str());
                renameat(place, old, place, new)?;
                if self.short.is_none() {
                    return Ok(probes);
                }
                // The old short name went with the old name.
                let flags = OFlags::WRONLY | OFlags::CLOEXEC;
                let file = openat(place, new, flags, Mode::empty())?;
                return Ok(probes + self.shorten(&file, &self.renamed)?);
            }
            FileOperation::Stat => {
                statat(place, self.name.as_c_str(), AtFlags::empty())?;
            }
            FileOperation::Open => {
                let flags = OFlags::RDONLY | OFlags::CLOEXEC;
                drop(openat(place, self.name.as_c_str(), flags, Mode::empty())?);
            }
            FileOperation::List => return self.list(),
        }
        Ok(0)
    }

    fn prepare(&mut self, at: u64, go_on: &dyn Fn() -> bool) -> Result<bool, Errno> {
        for file in growth(self.operation, self.step, at) {
            self.name.set(file);
            create(self.place.as_fd(), &self.name)?;
            if !go_on() {
                return Ok(false);
            }
        }
        self.name
            .set(scattered(at, files_at(self.operation, self.step, at)));
        Ok(true)
    }

    fn prepares(&self) -> bool {
        self.operation.needs_files()
    }
}

/// Returns how many files there are when the operation `at` begins.
pub(crate) fn files_at(operation: FileOperation, step: u64, at: u64) -> u64 {
    (at / operation.operations_between(step) + 1) * step
}

/// Returns the numbers of the files that are made before the operation `at`.
pub(crate) fn growth(operation: FileOperation, step: u64, at: u64) -> std::ops::Range<u64> {
    let files = files_at(operation, step, at);
    match at % operation.operations_between(step) {
        0 => files - step..files,
        _ => files..files,
    }
}

/// Returns one of the numbers below `files`, scattered.
pub(crate) fn scattered(at: u64, files: u64) -> u64 {
    let mixed = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)) % files.max(1)
}

/// Makes the files `0..count` of `kind` and `worker`, until `go_on` says no; returns how many there are.
pub(crate) fn fill(
    place: &Place,
    (kind, worker): (u8, u32),
    short: Option<Generation>,
    count: u64,
    mut go_on: impl FnMut() -> bool,
) -> Result<u64, Errno> {
    let mut name = Name::new(kind, worker);
    for at in 0..count {
        name.set(at);
        let file = create(place.fd(), &name)?;
        if let Some(generation) = short {
            real::give(file.as_fd(), generation, name.as_c_str())?;
        }
        if !go_on() {
            return Ok(at + 1);
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::{Limits, measure};
    use crate::place::Ground;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;
    use whyslow_series::Ending;

    fn names(place: &Place) -> usize {
        std::fs::read_dir(place.path())
            .expect("a directory")
            .count()
    }

    /// Does something 40 times in a new place with 40 files; returns the counts and how many are there.
    fn done(operation: FileOperation, prefill: u64) -> (Vec<u32>, usize) {
        let dir = format!("lab-files-{}-{}", operation.name(), std::process::id());
        let ground = Ground::enter(&std::env::temp_dir().join(dir), false).expect("ground");
        let place = Place::make(&ground).expect("a place");
        assert_eq!(fill(&place, (b'w', 1), None, prefill, || true), Ok(prefill));
        let mut files = Files::new(&place, operation, 1, 2).expect("open");
        let limits = Limits {
            count: 40,
            budget: Duration::from_secs(60),
        };
        let (stop, mut log) = (AtomicBool::new(false), Vec::new());
        assert_eq!(measure(&mut files, limits, &stop, &mut log), Ending::Done);
        let left = names(&place);
        place.remove().expect("all of it is ours");
        (log.iter().map(|one| one.count).collect(), left)
    }

    #[test]
    fn operations_do_what_they_say() {
        assert_eq!(done(FileOperation::Create, 0).1, 40);
        assert_eq!(done(FileOperation::Rename, 0).1, 40);
        assert_eq!(done(FileOperation::Delete, 50).1, 10);
        assert_eq!(done(FileOperation::Stat, 0).1, 40);
        assert_eq!(done(FileOperation::Open, 0).1, 40);
        let (counts, left) = done(FileOperation::List, 0);
        assert_eq!(left, 80);
        let expected: Vec<u32> = (1..=40).map(|at| 2 * at).collect();
        assert_eq!(counts, expected);
    }

    #[test]
    fn what_only_looks_lies_next_to_its_like() {
        let stat = FileOperation::Stat;
        let step = stat.files_at_once(8_000);
        assert_eq!((step, stat.operations_between(step)), (40, 40));
        let grows = |at: u64| growth(stat, step, at).count();
        assert_eq!([grows(0), grows(1), grows(39), grows(40)], [40, 0, 0, 40]);
        assert_eq!(
            [files_at(stat, step, 39), files_at(stat, step, 40)],
            [40, 80]
        );
        assert!(
            (0..200).all(|at| scattered(at, files_at(stat, step, at)) < files_at(stat, step, at))
        );
        assert_eq!(
            [1, 7, 300].map(|count| stat.files_at_once(count)),
            [1, 7, 20]
        );
        let list = FileOperation::List;
        assert_eq!(
            (list.files_at_once(1_000), list.operations_between(5)),
            (5, 1)
        );
        assert_eq!(
            (
                growth(list, 5, 3),
                FileOperation::Create.files_at_once(9_000)
            ),
            (15..20, 1)
        );
    }

    #[test]
    fn a_file_that_is_there_ends_the_series() {
        let dir = std::env::temp_dir().join(format!("lab-exists-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("ground");
        let place = Place::make(&ground).expect("a place");
        fill(&place, (b'w', 1), None, 1, || true).expect("a file");
        let mut files = Files::new(&place, FileOperation::Create, 1, 1).expect("open");
        assert_eq!(files.run(0), Err(Errno::EXIST));
    }
}
