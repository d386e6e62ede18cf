//! The cases' operations on a share; each counts its round trips.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::io::Errno;

use crate::cases::files::{Deed, scattered};
use crate::cases::settings::{BLOCK, FILE, found, line};
use crate::cases::starts::LogName;
use crate::operation::{NO_TIME, NOTHING_LEFT, Operation};
use crate::place::Name;

use whyslow_share::{Access, Fault, Remote};

/// A client, the round trips of its operations, and why the last one failed.
pub(super) struct Client<'a> {
    pub(super) remote: Box<dyn Remote + 'a>,
    pub(super) fault: Option<Fault>,
}

impl<'a> Client<'a> {
    pub(super) fn new(remote: Box<dyn Remote + 'a>) -> Self {
        Self {
            remote,
            fault: None,
        }
    }

    /// Does `what`; returns its round trips.
    fn counted(
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
    fn told<T>(&mut self, done: Result<T, Fault>) -> Result<T, Errno> {
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

/// A deed on the files of a directory.
pub(super) struct Files<'a> {
    pub(super) client: Client<'a>,
    deed: Deed,
    name: Name,
    renamed: Name,
    step: u64,
}

impl<'a> Files<'a> {
    /// Returns the deed of `worker` in the directory that `remote` is in.
    pub(super) fn new(remote: Box<dyn Remote + 'a>, deed: Deed, worker: u32, step: u64) -> Self {
        Self {
            client: Client::new(remote),
            deed,
            name: Name::new(b'w', worker),
            renamed: Name::new(b'r', worker),
            step,
        }
    }
}

impl Operation for Files<'_> {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        if !self.prepares() {
            self.name.set(at);
        }
        let (deed, name, renamed) = (self.deed, &self.name, &mut self.renamed);
        self.client.counted(|remote| match deed {
            Deed::Create => remote.create(name.as_str()),
            Deed::Delete => remote.remove(name.as_str()),
            Deed::Rename => {
                renamed.set(at);
                remote.create(name.as_str())?;
                remote.rename(name.as_str(), renamed.as_str())
            }
            Deed::Stat => remote.stat(name.as_str()).map(|_| ()),
            Deed::Open => remote.open(name.as_str()),
            Deed::List => remote.list().map(|_| ()),
        })
    }

    fn prepare(&mut self, at: u64, go_on: &dyn Fn() -> bool) -> Result<bool, Errno> {
        for file in at * self.step..(at + 1) * self.step {
            self.name.set(file);
            let made = self.client.remote.create(self.name.as_str());
            self.client.told(made)?;
            if !go_on() {
                return Ok(false);
            }
        }
        self.name.set(scattered(at));
        Ok(true)
    }

    fn prepares(&self) -> bool {
        matches!(self.deed, Deed::Stat | Deed::Open | Deed::List)
    }
}

/// How settings are read from a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Open, read the block with the setting, close: for each, on one connection.
    Reopen,
    /// Open, read all, close: with the first; the others come from memory.
    Once,
    /// Connect anew, then as [`Way::Reopen`].
    Reconnect,
}

/// Settings in a file on a share.
pub(super) struct Settings<'a> {
    pub(super) client: Client<'a>,
    access: Access,
    stop: &'a AtomicBool,
    directory: String,
    way: Way,
    offsets: Vec<u64>,
    text: Vec<u8>,
}

impl<'a> Settings<'a> {
    /// Returns a way to read `count` settings from the file in `directory`, in which `remote` is,
    /// until `stop` is up.
    pub(super) fn new(
        remote: Box<dyn Remote + 'a>,
        (access, stop): (&Access, &'a AtomicBool),
        directory: &str,
        way: Way,
        count: u64,
    ) -> Self {
        let mut offset = 0;
        let offsets = (0..count).map(|at| {
            let begin = offset;
            offset += u64::try_from(line(at).len()).unwrap_or(0);
            begin
        });
        Self {
            client: Client::new(remote),
            access: access.clone(),
            stop,
            directory: directory.to_owned(),
            way,
            offsets: offsets.collect(),
            text: Vec::with_capacity(2 * BLOCK),
        }
    }

    /// Returns the file's content.
    pub(super) fn content(count: u64) -> Vec<u8> {
        (0..count).map(line).collect::<String>().into_bytes()
    }

    fn offset(&self, at: u64) -> u64 {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        self.offsets.get(at).copied().unwrap_or(0)
    }

    fn reopen(&mut self, at: u64) -> Result<u32, Errno> {
        let offset = self.offset(at);
        let text = &mut self.text;
        text.clear();
        let most = u32::try_from(BLOCK).unwrap_or(4096);
        let read = self
            .client
            .counted(|remote| remote.read(FILE, offset, most, text))?;
        found(text, at).map(|()| read)
    }

    fn once(&mut self, at: u64) -> Result<u32, Errno> {
        let text = &mut self.text;
        let mut trips = 0;
        if text.is_empty() {
            trips = self.client.counted(|remote| remote.read_all(FILE, text))?;
        }
        let offset = usize::try_from(self.offset(at)).unwrap_or(usize::MAX);
        found(self.text.get(offset..).unwrap_or_default(), at).map(|()| trips)
    }

    fn reconnect(&mut self, at: u64) -> Result<u32, Errno> {
        let connected = self
            .access
            .connect(self.stop)
            .and_then(|mut remote| remote.enter(&self.directory, false).map(|()| remote));
        self.client.remote = self.client.told(connected)?;
        let before = self.client.remote.round_trips();
        let before = u32::try_from(before).unwrap_or(u32::MAX);
        let read = self.reopen(at)?;
        Ok(self.access.greetings + before + read)
    }
}

impl Operation for Settings<'_> {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        match self.way {
            Way::Reopen => self.reopen(at),
            Way::Once => self.once(at),
            Way::Reconnect => self.reconnect(at),
        }
    }
}

/// The search for a free name of a log, by one client that stays connected.
pub(super) struct Probe<'a> {
    pub(super) client: Client<'a>,
    name: LogName,
}

impl<'a> Probe<'a> {
    pub(super) fn new(remote: Box<dyn Remote + 'a>, name: LogName) -> Self {
        Self {
            client: Client::new(remote),
            name,
        }
    }
}

impl Operation for Probe<'_> {
    fn run(&mut self, _at: u64) -> Result<u32, Errno> {
        let name = self.name;
        self.client.counted(|remote| {
            if name != LogName::Linear {
                let now = crate::clock::now_ns();
                return remote.create(&format!("log.{now}-{}", std::process::id()));
            }
            for number in 0_u32.. {
                match remote.create(&format!("log.{number}")) {
                    Err(fault) if fault.errno() == Errno::EXIST => {}
                    done => return done,
                }
            }
            Ok(())
        })
    }
}

/// Writes files of one content.
pub(super) struct Writer<'a> {
    pub(super) client: Client<'a>,
    pub(super) name: Name,
    pub(super) content: &'a [u8],
    /// The next file, where threads take one after the other.
    pub(super) next: Option<&'a AtomicU64>,
    pub(super) count: u64,
}

impl Operation for Writer<'_> {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        let next = self.next.map(|next| next.fetch_add(1, Ordering::Relaxed));
        let at = next.unwrap_or(at);
        if at >= self.count {
            // The others have written the rest.
            return Err(NOTHING_LEFT);
        }
        self.name.set(at);
        let (name, content) = (&self.name, self.content);
        self.client
            .counted(|remote| remote.write(name.as_str(), content))
    }
}
