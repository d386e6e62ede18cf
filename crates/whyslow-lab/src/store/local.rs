//! A file system of this machine.

use std::ffi::OsString;

use super::{Added, Base, Directory, Store};
use crate::error::Error;
use crate::file_operation::{Files, Work};
use crate::filled::{Filled, Filling, Ready};
use crate::limit;
use crate::operation::Operation;
use crate::place::{Ground, Place};
use crate::shortnames::real;
use whyslow_series::Limit;

/// A directory of this machine in which directories are made.
#[derive(Debug)]
pub(crate) struct LocalStore<'a> {
    ground: &'a Ground,
    filled: Filled,
}

impl<'a> LocalStore<'a> {
    pub(crate) fn new(ground: &'a Ground) -> Self {
        Self {
            ground,
            filled: Filled::default(),
        }
    }
}

impl Store for LocalStore<'_> {
    fn base(&self) -> Base<'_> {
        Base::Ground(self.ground)
    }

    fn counts(&self) -> Option<&'static str> {
        None
    }

    fn takes_short_names(&self) -> Result<bool, Error> {
        let place = Place::make(self.ground)?;
        let can = real::can(&place)?;
        place.remove()?;
        Ok(can)
    }

    fn has(&self, filling: Filling) -> bool {
        self.filled.has(filling)
    }

    fn directory(
        &self,
        filling: Filling,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Box<dyn Directory + '_>, Error> {
        if filling.count == 0 {
            return Ok(at(Place::make(self.ground)?));
        }
        let ready = self.filled.take(filling, self.ground, go_on)?;
        Ok(Box::new(Local::Filled(ready, &self.filled)))
    }

    fn remove(&self) -> Result<(), Error> {
        self.filled.remove()
    }
}

/// Returns `place` as a directory that began empty.
pub(super) fn at<'a>(place: Place) -> Box<dyn Directory + 'a> {
    Box::new(Local::Empty(place))
}

/// A directory of this machine.
enum Local<'a> {
    /// Which began empty.
    Empty(Place),
    /// Which began filled, and goes back to those that are.
    Filled(Ready, &'a Filled),
}

impl Local<'_> {
    fn place(&self) -> &Place {
        match self {
            Self::Empty(place) => place,
            Self::Filled(ready, _) => &ready.place,
        }
    }
}

impl Directory for Local<'_> {
    fn prefilled(&self) -> u64 {
        match self {
            Self::Empty(_) => 0,
            Self::Filled(ready, _) => ready.made,
        }
    }

    fn address(&self) -> OsString {
        self.place().path().into()
    }

    fn operation(&mut self, work: Work) -> Result<Box<dyn Operation + '_>, Error> {
        let place = self.place();
        let files = Files::new(place, work.operation, work.worker, work.step);
        let files = files.map_err(Error::io("open", place.path()))?;
        Ok(Box::new(files.with_short_names(work.short)))
    }

    fn usable(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn limit(&self, errno: i32) -> Option<Limit> {
        limit::of(errno, self.place().fd())
    }

    fn finish(self: Box<Self>, _: &[Added]) -> Result<(), Error> {
        match *self {
            Self::Empty(place) => place.remove(),
            Self::Filled(ready, filled) => filled.put_back(ready),
        }
    }
}
