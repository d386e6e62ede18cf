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
    /// Create, then rename.
    Rename,
    /// stat any of the files that are there, after one more was made.
    Stat,
    /// open any of the files that are there and close it, after one more was made.
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

/// The worker whose names the files have that are there from the beginning.
pub(crate) const PREFILLER: u32 = 999;

/// What one worker does in a place.
pub(crate) struct Files {
    place: OwnedFd,
    operation: FileOperation,
    name: Name,
    renamed: Name,
    /// Files that [`FileOperation::List`] adds before each listing.
    step: u64,
    /// Who gives new names a short one.
    short: Option<Generation>,
    buffer: Vec<MaybeUninit<u8>>,
}

impl Files {
    /// Returns what `worker` does; a listing adds `step` files each time.
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
                let (old, new) = (self.name.as_c_str(), self.renamed.as_c_str());
                renameat(place, old, place, new)?;
                // The old short name went with the old name.
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
        for file in at * self.step..(at + 1) * self.step {
            self.name.set(file);
            create(self.place.as_fd(), &self.name)?;
            if !go_on() {
                return Ok(false);
            }
        }
        self.name.set(scattered(at));
        Ok(true)
    }

    fn prepares(&self) -> bool {
        self.operation.needs_files()
    }
}

/// Returns one of the numbers 0 to `at`, scattered.
pub(crate) fn scattered(at: u64) -> u64 {
    let mixed = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)) % (at + 1)
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
    use crate::operation::{Ending, Limits, measure};
    use crate::place::Ground;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

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
        assert_eq!(done(FileOperation::Stat, 0).1, 80);
        assert_eq!(done(FileOperation::Open, 0).1, 80);
        let (counts, left) = done(FileOperation::List, 0);
        assert_eq!(left, 80);
        let expected: Vec<u32> = (1..=40).map(|at| 2 * at).collect();
        assert_eq!(counts, expected);
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
