//! Clients of network file systems, as the cases use them.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rustix::io::Errno;
use whyslow_share::{Access, Fault, Remote};

use crate::error::Error;
use crate::file_operation::{FileOperation, Work, files_at, growth, scattered};
use crate::operation::{NO_TIME, Operation};
use crate::place::Name;

/// What operations on a share count.
pub(crate) const ROUND_TRIPS: &str = "round trips";

/// Returns a name that no directory has.
pub(crate) fn new_name() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("place-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Returns a client in a new directory of the share, and the directory's name.
pub(crate) fn new_directory<'a>(
    access: &Access,
    stop: &'a AtomicBool,
) -> Result<(Box<dyn Remote + 'a>, String), Error> {
    let name = new_name();
    let mut remote = access.connect(stop)?;
    remote.enter(&name, true)?;
    Ok((remote, name))
}

/// A client, the round trips of its operations, and why the last one failed.
pub(crate) struct Client<'a> {
    pub(crate) remote: Box<dyn Remote + 'a>,
    pub(crate) fault: Option<Fault>,
}

impl<'a> Client<'a> {
    pub(crate) fn new(remote: Box<dyn Remote + 'a>) -> Self {
        Self {
            remote,
            fault: None,
        }
    }

    /// Does `what`; returns its round trips.
    pub(crate) fn counted(
        &mut self,
        what: impl FnOnce(&mut dyn Remote) -> Result<(), Fault>,
    ) -> Result<u32, Errno> {
        let before = self.remote.round_trips();
        let done = what(&mut *self.remote);
        self.told(done)?;
        let trips = self.remote.round_trips().saturating_sub(before);
        Ok(u32::try_from(trips).unwrap_or(u32::MAX))
    }

    /// Keeps what went wrong.
    pub(crate) fn told<T>(&mut self, done: Result<T, Fault>) -> Result<T, Errno> {
        done.map_err(|fault| {
            let errno = match &fault {
                Fault::Interrupted => NO_TIME,
                fault => fault.errno(),
            };
            self.fault = Some(fault);
            errno
        })
    }
}

/// A client, or why its connection is of no more use.
pub(crate) type Connected<'a> = Result<Box<dyn Remote + 'a>, Error>;

/// Returns the client if its connection can still be used; a refusal is a result.
pub(crate) fn usable(client: Client<'_>) -> Connected<'_> {
    match client.fault {
        Some(fault) if !fault.is_refusal() => Err(fault.into()),
        _ => Ok(client.remote),
    }
}

/// An operation on the files of a directory.
pub(crate) struct ShareFiles<'c, 'a> {
    client: &'c mut Client<'a>,
    operation: FileOperation,
    name: Name,
    renamed: Name,
    step: u64,
}

impl<'c, 'a> ShareFiles<'c, 'a> {
    /// Returns what is done in the directory that `client` is in.
    pub(crate) fn new(client: &'c mut Client<'a>, work: Work) -> Self {
        Self {
            client,
            operation: work.operation,
            name: Name::new(b'w', work.worker),
            renamed: Name::new(b'r', work.worker),
            step: work.step,
        }
    }
}

impl Operation for ShareFiles<'_, '_> {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        if !self.prepares() {
            self.name.set(at);
        }
        let (operation, name, renamed) = (self.operation, &self.name, &mut self.renamed);
        self.client.counted(|remote| match operation {
            FileOperation::Create => remote.create(name.as_str()),
            FileOperation::Delete => remote.remove(name.as_str()),
            FileOperation::Rename => {
                renamed.set(at);
                remote.create(name.as_str())?;
                remote.rename(name.as_str(), renamed.as_str())
            }
            FileOperation::Stat => remote.stat(name.as_str()).map(|_| ()),
            FileOperation::Open => remote.open(name.as_str()),
            FileOperation::List => remote.list().map(|_| ()),
        })
    }

    fn prepare(&mut self, at: u64, go_on: &dyn Fn() -> bool) -> Result<bool, Errno> {
        for file in growth(self.operation, self.step, at) {
            self.name.set(file);
            let made = self.client.remote.create(self.name.as_str());
            self.client.told(made)?;
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
