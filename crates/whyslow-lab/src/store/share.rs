//! A share of a server.

use std::cell::RefCell;
use std::ffi::OsString;
use std::sync::atomic::AtomicBool;

use whyslow_share::{Access, Fault, Remote};

use super::{Added, Base, Directory, Store};
use crate::error::Error;
use crate::file_operation::{PREFILLER, Work};
use crate::filled::Filling;
use crate::operation::Operation;
use crate::place::Name;
use crate::remote::{Client, ROUND_TRIPS, ShareFiles, new_name};
use whyslow_series::Limit;

/// A share in which directories are made. They go with its server.
#[derive(Debug)]
pub(crate) struct ShareStore<'a> {
    access: &'a Access,
    stop: &'a AtomicBool,
    /// A filled directory that no series works in at the moment.
    filled: RefCell<Option<Filled>>,
}

/// A filled directory.
#[derive(Debug)]
struct Filled {
    name: String,
    filling: Filling,
    /// Files that were made, in the time there was.
    made: u64,
}

impl<'a> ShareStore<'a> {
    pub(crate) fn new(access: &'a Access, stop: &'a AtomicBool) -> Self {
        Self {
            access,
            stop,
            filled: RefCell::default(),
        }
    }
}

impl Store for ShareStore<'_> {
    fn base(&self) -> Base<'_> {
        Base::Share(self.access)
    }

    fn counts(&self) -> Option<&'static str> {
        Some(ROUND_TRIPS)
    }

    fn takes_short_names(&self) -> Result<bool, Error> {
        Ok(false)
    }

    fn has(&self, filling: Filling) -> bool {
        let filled = self.filled.borrow();
        filled.as_ref().is_some_and(|one| one.filling == filling)
    }

    fn directory(
        &self,
        filling: Filling,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Box<dyn Directory + '_>, Error> {
        let ready = self.filled.take().filter(|one| one.filling == filling);
        let (name, remote) = match &ready {
            Some(ready) => (ready.name.clone(), self.connected(&ready.name, false)?),
            None => {
                let name = new_name();
                let remote = self.connected(&name, true)?;
                (name, remote)
            }
        };
        let mut directory = ShareDirectory {
            access: self.access.clone(),
            client: Client::new(remote),
            name,
            made: ready.map_or(0, |ready| ready.made),
            filling,
            filled: Some(&self.filled),
        };
        if directory.made == 0 && filling.count > 0 {
            directory.fill(go_on)?;
        }
        Ok(Box::new(directory))
    }

    fn remove(&self) -> Result<(), Error> {
        // It goes with the server.
        Ok(())
    }
}

impl<'a> ShareStore<'a> {
    fn connected(&self, name: &str, make: bool) -> Result<Box<dyn Remote + 'a>, Error> {
        let mut remote = self.access.connect(self.stop)?;
        remote.enter(name, make)?;
        Ok(remote)
    }
}

/// Returns the directory `name` of the share that is reached by `access`.
pub(super) fn enter<'a>(
    access: &Access,
    name: &str,
    stop: &'a AtomicBool,
) -> Result<Box<dyn Directory + 'a>, Error> {
    let mut remote = access.connect(stop)?;
    remote.enter(name, false)?;
    Ok(Box::new(ShareDirectory {
        access: access.clone(),
        client: Client::new(remote),
        name: name.to_owned(),
        made: 0,
        filling: Filling {
            kind: b'w',
            short: None,
            count: 0,
        },
        filled: None,
    }))
}

/// A directory on a share, and a client that is in it.
struct ShareDirectory<'a> {
    access: Access,
    client: Client<'a>,
    name: String,
    filling: Filling,
    made: u64,
    /// Where it goes when a series is done, if it is filled.
    filled: Option<&'a RefCell<Option<Filled>>>,
}

impl ShareDirectory<'_> {
    /// Makes the files that are there from the beginning, as long as `go_on` says so.
    fn fill(&mut self, go_on: &dyn Fn() -> bool) -> Result<(), Error> {
        let mut name = Name::new(self.filling.kind, PREFILLER);
        while self.made < self.filling.count && go_on() {
            name.set(self.made);
            self.client.remote.create(name.as_str())?;
            self.made += 1;
        }
        Ok(())
    }

    /// Removes files, as far as they are there.
    fn remove(&mut self, added: Added) -> Result<(), Fault> {
        let mut name = Name::new(added.kind, added.worker);
        for at in 0..added.count {
            name.set(at);
            match self.client.remote.remove(name.as_str()) {
                Err(fault) if !fault.is_refusal() => return Err(fault),
                _ => {}
            }
        }
        Ok(())
    }
}

impl Directory for ShareDirectory<'_> {
    fn prefilled(&self) -> u64 {
        self.made
    }

    fn address(&self) -> OsString {
        format!("{}:{}", self.access, self.name).into()
    }

    fn operation(&mut self, work: Work) -> Result<Box<dyn Operation + '_>, Error> {
        Ok(Box::new(ShareFiles::new(&mut self.client, work)))
    }

    fn usable(&mut self) -> Result<(), Error> {
        match self.client.fault.take() {
            Some(fault) if !fault.is_refusal() => Err(fault.into()),
            _ => Ok(()),
        }
    }

    fn limit(&self, _: i32) -> Option<Limit> {
        None
    }

    fn finish(mut self: Box<Self>, added: &[Added]) -> Result<(), Error> {
        let Some(filled) = self.filled.filter(|_| self.filling.count > 0) else {
            return Ok(());
        };
        // One that cannot be emptied of them goes with its server, as all do.
        if added.iter().all(|one| self.remove(*one).is_ok()) {
            filled.replace(Some(Filled {
                name: self.name.clone(),
                filling: self.filling,
                made: self.made,
            }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_operation::FileOperation;
    use crate::place::PLACE;
    use std::time::Duration;
    use whyslow_share::{Protocol, Server, Share};
    use whyslow_testenv::{Feature, has};

    static ON: AtomicBool = AtomicBool::new(false);

    fn listed(access: &Access, name: &str) -> u32 {
        let mut remote = access.connect(&ON).expect("connected");
        remote.enter(name, false).expect("there");
        remote.list().expect("listed")
    }

    #[test]
    fn a_directory_of_a_share_is_filled_once_and_begins_alike_each_time() {
        if !has(Feature::Nfs) {
            return;
        }
        let share = Share {
            protocol: Protocol::Nfs,
            dialect: None,
            case_sensitive: false,
            rtt: Duration::ZERO,
        };
        let server = Server::start(&share, None, PLACE, &ON).expect("a server");
        let _inside = server.enter().expect("its network");
        let store = ShareStore::new(server.access(), &ON);
        let filling = Filling {
            kind: b'w',
            short: None,
            count: 30,
        };
        let mut names = Vec::new();
        for _ in 0..2 {
            let mut directory = store.directory(filling, &|| true).expect("filled");
            assert_eq!(directory.prefilled(), 30);
            let address = directory.address().into_string().expect("text");
            let (access, name) = Access::parse(&address).expect("an address");
            assert_eq!(listed(&access, name), 30);
            names.push(name.to_owned());
            let work = Work {
                operation: FileOperation::Create,
                worker: 4,
                step: 1,
                short: None,
            };
            let mut files = directory.operation(work).expect("files");
            assert!((0..5).all(|at| files.run(at).is_ok()));
            drop(files);
            assert_eq!(listed(&access, name), 35);
            let added = Added {
                worker: 4,
                kind: b'w',
                count: 7,
            };
            directory.finish(&[added]).expect("emptied of it");
            assert_eq!(listed(&access, name), 30);
            assert!(store.has(filling));
        }
        assert_eq!(names[0], names[1], "filled once");
    }
}
