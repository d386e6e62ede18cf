//! `probe`: starts of processes that search for a free log name, against a time-based name.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;
use whyslow_share::{Access, Remote};

use crate::bench::Bench;
use crate::case::Case;
use crate::child::Child;
use crate::clock::now_ns;
use crate::error::{Error, errno};
use crate::measuring::{again_limits, alone, look_again, remove};
use crate::operation::Operation;
use crate::place::{Ground, Place};
use crate::remote::{Client, ROUND_TRIPS, new_directory, usable};
use crate::store::Base;
use whyslow_series::{Run, Words};

/// Starts processes that look for a free log name.
pub(super) static CASE: Case = Case {
    name: "probe",
    about: "start processes that try log names until one is free, or use a time-based name",
    words: Words::new("probe", "Starting a process", "starts").counting("probes"),
    usual_count: Some(1_000),
    series: |_| 6,
    measure,
    on_shares: true,
    ..Case::PLAIN
};

/// On a share no process is started: the client searches.
const SEARCHING: Words =
    Words::new("probe", "Finding a free log name", "logs").counting(ROUND_TRIPS);

/// The ways of naming a log.
const ARMS: [(&str, LogName); 3] = [
    ("linear search", LogName::Linear),
    ("time-based name", LogName::Time),
    ("no log", LogName::None),
];

/// What a way is called where a small program takes it.
const SMALL: &str = ", small program";

fn measure(bench: &Bench<'_>, runs: &mut Vec<Run>) -> Result<(), Error> {
    let ground = match bench.store.base() {
        Base::Ground(ground) => ground,
        Base::Share(access) => return measure_on_share(bench, access, runs),
    };
    let at = (bench, ground);
    for (arm, name) in ARMS {
        measure_one(arm, name, bench.context.program, at, runs)?;
    }
    // The same without all that a large program does before it begins.
    let Some(child) = Child::new().filter(|child| runs_here(child, ground)) else {
        return Ok(());
    };
    for (arm, name) in ARMS {
        measure_one(&(arm.to_owned() + SMALL), name, &child.path(), at, runs)?;
    }
    Ok(())
}

/// Returns whether the small program can be started: a machine may forbid programs that are not
/// files.
fn runs_here(child: &Child, ground: &Ground) -> bool {
    let started = Place::make(ground).map(|place| {
        let started = Probe::new(&child.path(), &place, LogName::None).run(0);
        place.remove().is_ok() && started.is_ok()
    });
    started.unwrap_or(false)
}

fn measure_one(
    arm: &str,
    name: LogName,
    program: &Path,
    (bench, ground): (&Bench<'_>, &Ground),
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    let (options, context) = (bench.options, bench.context);
    if context.stopped() {
        return Ok(());
    }
    (context.tell)(arm);
    let place = Place::make(ground)?;
    let mut probe = Probe::new(program, &place, name);
    let setup = bench.setup(CASE.words).named(arm);
    let mut run = alone(&mut probe, setup.clone(), options.limits(), context);
    remove(&mut run, place);
    look_again(&mut run, options, context, |limits| {
        let place = Place::make(ground)?;
        let mut probe = Probe::new(program, &place, name);
        Ok(alone(&mut probe, setup, limits, context))
    });
    runs.push(run);
    Ok(())
}

fn measure_on_share(bench: &Bench<'_>, access: &Access, runs: &mut Vec<Run>) -> Result<(), Error> {
    let (options, context) = (bench.options, bench.context);
    let named = ARMS.into_iter().filter(|(_, name)| *name != LogName::None);
    for (arm, name) in named {
        if context.stopped() {
            break;
        }
        (context.tell)(arm);
        let mut probe = ShareProbe::new(new_directory(access, context.stop)?.0, name);
        let setup = bench.setup(SEARCHING).named(arm);
        let run = alone(&mut probe, setup.clone(), options.limits(), context);
        let limits = again_limits(run.first.operations.len(), options.budget);
        runs.push(run);
        usable(probe.client)?;
        if !context.stopped() {
            let mut probe = ShareProbe::new(new_directory(access, context.stop)?.0, name);
            let again = alone(&mut probe, setup, limits, context);
            if let Some(run) = runs.last_mut() {
                run.first.again = again.first.into_measured();
            }
            usable(probe.client)?;
        }
    }
    Ok(())
}

/// How a started process names its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LogName {
    /// `log.0`, `log.1` …: the first that is free.
    Linear,
    /// By the time and the process.
    Time,
    /// No log at all.
    None,
}

impl LogName {
    /// Returns the word for the started process.
    fn word(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Time => "time",
            Self::None => "none",
        }
    }
}

/// Starts of a process that opens a log.
struct Probe {
    program: PathBuf,
    place: PathBuf,
    name: LogName,
}

/// The hidden command that a started process runs.
pub const START: &str = "lab-start";

impl Probe {
    /// Returns starts of `program`, which logs into `place`.
    fn new(program: &Path, place: &Place, name: LogName) -> Self {
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
            "a start needs a way and a directory".to_owned(),
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
            let name = format!("log.{}-{}", now_ns(), std::process::id());
            probes = 1;
            take(&name).map_err(Error::io("open a log in", place.path()))?;
        }
        _ => {}
    }
    Ok(probes.to_le_bytes())
}

/// The search for a free name of a log, by one client that stays connected.
struct ShareProbe<'a> {
    client: Client<'a>,
    name: LogName,
}

impl<'a> ShareProbe<'a> {
    fn new(remote: Box<dyn Remote + 'a>, name: LogName) -> Self {
        Self {
            client: Client::new(remote),
            name,
        }
    }
}

impl Operation for ShareProbe<'_> {
    fn run(&mut self, _at: u64) -> Result<u32, Errno> {
        let name = self.name;
        self.client.counted(|remote| {
            if name != LogName::Linear {
                let now = now_ns();
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_small_program_does_the_same() {
        let dir = std::env::temp_dir().join(format!("lab-small-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("ground");
        let place = Place::make(&ground).expect("a place");
        let child = Child::new().expect("there is a compiler where the tests are made");
        let tried = |name| Probe::new(&child.path(), &place, name).run(0);
        let linear: Vec<_> = (0..3).map(|_| tried(LogName::Linear)).collect();
        assert_eq!(linear, [Ok(1), Ok(2), Ok(3)]);
        assert_eq!((tried(LogName::Time), tried(LogName::None)), (Ok(1), Ok(0)));
        let logs = std::fs::read_dir(place.path()).expect("listed").count();
        assert_eq!(logs, 4);
        place.remove().expect("all of it is ours");
        drop(ground);
        assert!(!dir.exists(), "their names are ours");
    }
}
