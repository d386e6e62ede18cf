//! Starts of processes: by different system calls, and with the search for a free log name.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;
use rustix::process::getuid;

use crate::error::Error;
use crate::operation::Operation;
use crate::place::Place;

/// How a process is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// `posix_spawn`, which shares the parent's memory until the exec.
    PosixSpawn,
    /// `fork`, which copies the parent's page tables, then exec.
    Fork,
}

/// Starts of `/bin/true`, one after the other, from a parent that grows.
pub(crate) struct Spawn {
    call: Call,
    step_bytes: usize,
    memory: Vec<Vec<u8>>,
    _descriptors: Vec<OwnedFd>,
}

/// What is started.
const PROGRAM: &str = "/bin/true";

impl Spawn {
    /// Returns the starts; the parent grows by `step_bytes` before each, and holds `descriptors`
    /// open files more than usual.
    pub(crate) fn new(call: Call, step_bytes: usize, descriptors: u32) -> Result<Self, Error> {
        let null = Path::new("/dev/null");
        let open = |_| File::open(null).map(OwnedFd::from);
        let descriptors: Result<Vec<_>, _> = (0..descriptors).map(open).collect();
        Ok(Self {
            call,
            step_bytes,
            memory: Vec::new(),
            _descriptors: descriptors.map_err(Error::io("open many times", null))?,
        })
    }
}

impl Operation for Spawn {
    fn run(&mut self, _at: u64) -> Result<u32, Errno> {
        let mut command = Command::new(PROGRAM);
        if self.call == Call::Fork {
            // The standard library forks where a user is given; it is the same one.
            command.uid(getuid().as_raw());
        }
        let status = command.status().map_err(|error| errno(&error))?;
        if status.success() {
            Ok(0)
        } else {
            Err(Errno::CHILD)
        }
    }

    fn prepare(&mut self, _at: u64, _go_on: &dyn Fn() -> bool) -> Result<bool, Errno> {
        self.memory.push(vec![1; self.step_bytes]);
        Ok(true)
    }

    fn prepares(&self) -> bool {
        self.step_bytes > 0
    }
}

/// How a started process names its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogName {
    /// `log.0`, `log.1` …: the first that is free.
    Linear,
    /// By the time and the process.
    Time,
    /// No log at all.
    None,
}

impl LogName {
    /// Returns the word for the started process.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Time => "time",
            Self::None => "none",
        }
    }
}

/// Starts of a process that opens a log.
pub(crate) struct Probe {
    program: PathBuf,
    place: PathBuf,
    name: LogName,
}

/// The hidden command that a started process runs.
pub const START: &str = "lab-start";

impl Probe {
    /// Returns starts of `program`, which logs into `place`.
    pub(crate) fn new(program: &Path, place: &Place, name: LogName) -> Self {
        Self {
            program: program.to_owned(),
            place: place.path().to_owned(),
            name,
        }
    }
}

impl Operation for Probe {
    fn run(&mut self, _at: u64) -> Result<u32, Errno> {
        let mut command = Command::new(&self.program);
        command.args([OsStr::new(START), OsStr::new(self.name.word())]);
        command.arg(&self.place).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| errno(&error))?;
        let mut probes = [0; 4];
        let told = child.stdout.as_mut().map(|out| out.read_exact(&mut probes));
        let status = child.wait().map_err(|error| errno(&error))?;
        match told {
            Some(Ok(())) if status.success() => Ok(u32::from_le_bytes(probes)),
            _ => Err(Errno::CHILD),
        }
    }
}

/// Does what the started process does: opens a log in a directory; returns the names it tried, as
/// the four bytes to print. `words` are those after [`START`].
///
/// # Errors
/// When no log can be opened.
pub fn start(words: &[OsString]) -> Result<[u8; 4], Error> {
    let [name, place] = words else {
        return Err(Error::Options(
            "a start takes a way and a directory".to_owned(),
        ));
    };
    let place = Place::open(Path::new(place))?;
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    let take = |name: &str| openat(place.fd(), name, flags, Mode::from_raw_mode(0o644));
    let mut probes: u32 = 0;
    match name.to_str() {
        Some("linear") => loop {
            let taken = take(&format!("log.{probes}"));
            probes += 1;
            match taken {
                Ok(_) => break,
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(Error::io("open a log in", place.path())(errno)),
            }
        },
        Some("time") => {
            let name = format!("log.{}-{}", crate::clock::now_ns(), std::process::id());
            probes = 1;
            take(&name).map_err(Error::io("open a log in", place.path()))?;
        }
        _ => {}
    }
    Ok(probes.to_le_bytes())
}

/// Returns the system's error number, or "no child" where there is none.
pub(crate) fn errno(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::CHILD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Ground;

    #[test]
    fn the_linear_search_tries_every_name_before() {
        let dir = std::env::temp_dir().join(format!("lab-starts-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("ground");
        let place = Place::make(&ground).expect("a place");
        let words = |way: &str| [OsString::from(way), place.path().into()];
        let probes = |way: &str| start(&words(way)).map(u32::from_le_bytes).expect("a log");
        let tried: Vec<u32> = (0..20).map(|_| probes("linear")).collect();
        assert_eq!(tried, (1..=20).collect::<Vec<u32>>());
        assert_eq!((probes("time"), probes("none")), (1, 0));
        place.remove().expect("all of it is ours");
    }

    #[test]
    fn both_calls_start_a_process() {
        for call in [Call::PosixSpawn, Call::Fork] {
            let mut spawn = Spawn::new(call, 4096, 3).expect("descriptors");
            assert_eq!(spawn.prepare(0, &|| true), Ok(true));
            assert_eq!(spawn.run(0), Ok(0));
        }
    }
}
