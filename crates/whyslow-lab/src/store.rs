//! Where an experiment's files are: on a file system of this machine, or on a share. Both make directories, and both
//! let operations work in them.

mod local;
mod share;

use std::ffi::{OsStr, OsString};
use std::fmt::Debug;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use whyslow_share::Access;

use crate::error::Error;
use crate::file_operation::Work;
use crate::filled::Filling;
use crate::operation::Operation;
use crate::place::{Ground, Place};
use whyslow_series::Limit;

pub(crate) use local::LocalStore;
pub(crate) use share::ShareStore;

/// Where files can be made.
pub(crate) trait Store: Debug {
    /// Returns what is below it, for cases that do more than work on files.
    fn base(&self) -> Base<'_>;

    /// Returns what each operation counts, where that is always the same.
    fn counts(&self) -> Option<&'static str>;

    /// Returns whether files can have short names.
    fn takes_short_names(&self) -> Result<bool, Error>;

    /// Returns whether a directory with `filling` is there already.
    fn has(&self, filling: Filling) -> bool;

    /// Returns a directory with `filling`: the one of an earlier series if it has the same, or else a new one, filled
    /// as long as `go_on` says so.
    fn directory(
        &self,
        filling: Filling,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Box<dyn Directory + '_>, Error>;

    /// Removes what is kept for later series.
    fn remove(&self) -> Result<(), Error>;
}

/// What a store is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Base<'a> {
    /// A directory of this machine.
    Ground(&'a Ground),
    /// A share that this thread can reach.
    Share(&'a Access),
}

/// A directory in a store.
pub(crate) trait Directory {
    /// Returns how many files were there from the beginning.
    fn prefilled(&self) -> u64;

    /// Returns the word by which [`open`] finds it in another process.
    fn address(&self) -> OsString;

    /// Returns what `worker` does in it.
    fn operation(&mut self, work: Work) -> Result<Box<dyn Operation + '_>, Error>;

    /// Looks whether it can still be worked in.
    fn usable(&mut self) -> Result<(), Error>;

    /// Returns the limit that the error number `errno` of an operation in it shows.
    fn limit(&self, errno: i32) -> Option<Limit>;

    /// Removes it, or what series added to what it began with.
    fn finish(self: Box<Self>, added: &[Added]) -> Result<(), Error>;
}

/// Files that a worker may have added to a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Added {
    /// The worker.
    pub(crate) worker: u32,
    /// What the names begin with.
    pub(crate) kind: u8,
    /// How many, at most.
    pub(crate) count: u64,
}

/// Returns the directory with this address, made by another process.
pub(crate) fn open<'a>(
    address: &OsStr,
    stop: &'a AtomicBool,
) -> Result<Box<dyn Directory + 'a>, Error> {
    match address.to_str().and_then(Access::parse) {
        Some((access, name)) => share::enter(&access, name, stop),
        None => Ok(local::at(Place::open(Path::new(address))?)),
    }
}
