//! A directory that is filled once, for everything that begins with as many files.

use std::cell::RefCell;

use crate::error::Error;
use crate::file_operation::{PREFILLER, fill};
use crate::place::{Ground, Place};
use crate::shortnames::Generation;

/// How a directory is filled before anything is measured in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Filling {
    /// What the names begin with: they are like those that come, so that what generates short names meets them.
    pub(crate) kind: u8,
    /// Who gives them a short name.
    pub(crate) short: Option<Generation>,
    /// Files that are asked for.
    pub(crate) count: u64,
}

/// A filled directory that no series works in at the moment.
#[derive(Debug, Default)]
pub(crate) struct Filled(RefCell<Option<Ready>>);

/// A filled directory.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) place: Place,
    filling: Filling,
    /// Files that were made, in the time there was.
    pub(crate) made: u64,
}

impl Filled {
    /// Returns whether a directory with `filling` is there.
    pub(crate) fn has(&self, filling: Filling) -> bool {
        let ready = self.0.borrow();
        ready.as_ref().is_some_and(|ready| ready.filling == filling)
    }

    /// Returns a directory with `filling`: the one of an earlier series if it has the same, or else a new one on
    /// `ground`, filled as long as `go_on` says so.
    pub(crate) fn take(
        &self,
        filling: Filling,
        ground: &Ground,
        go_on: impl FnMut() -> bool,
    ) -> Result<Ready, Error> {
        if let Some(ready) = self.0.take() {
            if ready.filling == filling {
                return Ok(ready);
            }
            ready.place.remove()?;
        }
        let place = Place::make(ground)?;
        let Filling { kind, short, count } = filling;
        let made = fill(&place, (kind, PREFILLER), short, count, go_on);
        let made = made.map_err(Error::io("fill", place.path()))?;
        Ok(Ready {
            place,
            filling,
            made,
        })
    }

    /// Takes a directory back: what a series added to it is removed.
    pub(crate) fn put_back(&self, ready: Ready) -> Result<(), Error> {
        ready.place.remove_but(PREFILLER)?;
        self.0.replace(Some(ready));
        Ok(())
    }

    /// Removes the directory that is kept.
    pub(crate) fn remove(&self) -> Result<(), Error> {
        self.0.take().map_or(Ok(()), |ready| ready.place.remove())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::{Name, create};

    #[test]
    fn a_directory_is_filled_once_and_begins_alike_each_time() {
        let dir = std::env::temp_dir().join(format!("lab-filled-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("ground");
        let filled = Filled::default();
        let take = |filling| filled.take(filling, &ground, || true);
        let filling = Filling {
            kind: b'w',
            short: None,
            count: 30,
        };
        let names = |place: &Place| std::fs::read_dir(place.path()).expect("listed").count();
        let first = take(filling).expect("filled");
        assert_eq!((first.made, names(&first.place)), (30, 30));
        let path = first.place.path().to_owned();
        let own = Name::new(b'w', 3);
        create(first.place.fd(), &own).expect("a file of a series");
        filled.put_back(first).expect("emptied of it");
        assert!(filled.has(filling));
        let again = take(filling).expect("the same");
        assert_eq!((again.place.path(), names(&again.place)), (&*path, 30));
        filled.put_back(again).expect("put back");
        let more = Filling {
            count: 40,
            ..filling
        };
        let other = take(more).expect("filled anew");
        assert!(!path.exists() && names(&other.place) == 40);
        filled.put_back(other).expect("put back");
        filled.remove().expect("removed");
        drop(ground);
        assert!(!dir.exists(), "nothing is left");
    }
}
