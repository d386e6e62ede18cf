//! Experiments on network file systems: the driver, and what clients of all cases need.

use std::ffi::OsStr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rustix::io::Errno;
use whyslow_share::{Access, Fault, Remote, Server};

use crate::bench::{Context, ShareBench};
use crate::case::Case;
use crate::error::Error;
use crate::file_operation::{FileOperation, files_at, growth, scattered};
use crate::operation::{NO_TIME, Operation};
use crate::options::Options;
use crate::passes::passes;
use crate::place::Name;
use crate::run::Run;

/// What operations on a share count.
pub(crate) const ROUND_TRIPS: &str = "round trips";

/// Makes the experiment `case` on the share of `server`; `runs` gets its series, also those that ended
/// early, and those before an error.
///
/// # Errors
/// When the server is gone, or the case makes no sense on a share.
pub fn experiment_on_share(
    case: &Case,
    options: &Options,
    server: &Server,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    case.check(options)?;
    let Some(measure) = case.on_share else {
        let text = "this case uses no files that a share could hold";
        return Err(Error::Options(text.to_owned()));
    };
    let _inside = server.enter()?;
    // What a pass made stays on the share until its server goes: content and many files, once.
    let once_only = Options {
        passes: 1,
        ..options.clone()
    };
    let options = if (case.is_heavy)(options) {
        &once_only
    } else {
        options
    };
    passes(case, options, context, runs, &|options, context, runs| {
        let before = runs.len();
        let bench = ShareBench {
            options,
            access: server.access(),
            context,
        };
        let done = measure(&bench, runs);
        for run in runs.iter_mut().skip(before) {
            run.driver = Some(server.software().to_owned());
        }
        runs.retain(|run| !run.operations.is_empty());
        match done {
            Err(Error::Interrupted) | Ok(()) if runs.len() == before => Err(Error::Interrupted),
            Err(Error::Interrupted) => Ok(()),
            done => done,
        }
    })
}

/// Returns a client in a new directory of the share, and the directory's name.
pub(crate) fn new_directory<'a>(
    bench: &ShareBench<'a>,
) -> Result<(Box<dyn Remote + 'a>, String), Error> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("place-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let mut remote = bench.access.connect(bench.context.stop)?;
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
pub(crate) struct ShareFiles<'a> {
    pub(crate) client: Client<'a>,
    operation: FileOperation,
    name: Name,
    renamed: Name,
    step: u64,
}

impl<'a> ShareFiles<'a> {
    /// Returns what `worker` does in the directory that `remote` is in.
    pub(crate) fn new(
        remote: Box<dyn Remote + 'a>,
        operation: FileOperation,
        worker: u32,
        step: u64,
    ) -> Self {
        Self {
            client: Client::new(remote),
            operation,
            name: Name::new(b'w', worker),
            renamed: Name::new(b'r', worker),
            step,
        }
    }
}

impl Operation for ShareFiles<'_> {
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

/// Returns what a worker does on a share; `None` if `place` is a directory of this machine.
pub(crate) fn served<'a>(
    place: &OsStr,
    operation: FileOperation,
    (worker, step): (u32, u64),
    stop: &'a AtomicBool,
) -> Result<Option<Box<dyn Operation + 'a>>, Error> {
    let Some((access, directory)) = place.to_str().and_then(Access::parse) else {
        return Ok(None);
    };
    let mut remote = access.connect(stop)?;
    remote.enter(directory, false)?;
    Ok(Some(Box::new(ShareFiles::new(
        remote, operation, worker, step,
    ))))
}
