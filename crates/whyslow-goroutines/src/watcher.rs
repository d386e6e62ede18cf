//! A thread that looks at the goroutines of all Go programs, again and again.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use whyslow_symbols::go::GoImage;
use whyslow_symbols::jvm::Memory;

use crate::change::Change;
use crate::observer::Observer;
use crate::pace::Pace;
use crate::runtime::{NoRuntime, Runtime};
use crate::settings;

/// Changes that wait to be taken; beyond that looks are given up.
const MOST_WAITING: usize = 1 << 12;
/// Processes that are followed.
const MOST_PROCESSES: usize = 256;
/// Settings of them that are remembered.
const MOST_SETTINGS: usize = 1024;
/// How often a runtime that begins is tried, and how long it is left alone in between.
const MOST_ATTEMPTS: u32 = 200;
const AGAIN_NS: u64 = 5_000_000;
/// The same where the list is there but does not begin with the goroutine of `main`.
const FEW_ATTEMPTS: u32 = 20;

/// A process that runs a Go program.
pub struct Program {
    /// The process.
    pub pid: u32,
    /// Its memory, which stays that process's.
    pub memory: Box<dyn Memory + Send>,
    /// The file.
    pub image: GoImage,
    /// What is to be added to the file's addresses.
    pub bias: u64,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program")
            .field("pid", &self.pid)
            .finish_non_exhaustive()
    }
}

/// What the watching took, and what it left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Looks at a process.
    pub looks: u64,
    /// CPU time of them.
    pub cpu_ns: u64,
    /// The longest of them.
    pub longest_ns: u64,
    /// Changes that were not taken in time.
    pub lost: u64,
    /// Processes that there was no room for.
    pub refused: u64,
    /// Versions of Go (the second number) whose goroutines cannot be read.
    pub unknown: Vec<u32>,
    /// What the environments of the processes tell their runtimes, as `GOGC=5`.
    pub settings: Vec<(u32, String)>,
}

/// Looks for a Go program.
type Find = Box<dyn FnOnce() -> Option<Program> + Send>;

/// The thread. It ends when all [`Programs`] are dropped.
#[derive(Debug)]
pub struct Watcher {
    changes: Receiver<Change>,
    thread: JoinHandle<Report>,
}

impl Watcher {
    /// Starts the thread. `now_ns` is the clock of the changes' times; `prepare` runs in the thread at first.
    ///
    /// # Errors
    /// Those of starting a thread.
    pub fn start(now_ns: fn() -> u64, prepare: fn()) -> io::Result<(Self, Programs)> {
        let (programs, come) = channel();
        let (told, changes) = sync_channel(MOST_WAITING);
        let thread = Builder::new().name("whyslow-go".to_owned());
        let thread = thread.spawn(move || {
            prepare();
            Watch::new(now_ns, told).run(&come)
        })?;
        Ok((Self { changes, thread }, Programs(programs)))
    }

    /// The next change, if there is one.
    pub fn next_change(&self) -> Option<Change> {
        self.changes.try_recv().ok()
    }

    /// Waits for the end of the thread, which ends when all [`Programs`] are dropped.
    pub fn finish(self) -> (Vec<Change>, Report) {
        let mut last = Vec::new();
        // It never waits for us, so it ends.
        let report = self.thread.join().unwrap_or_default();
        last.extend(self.changes.try_iter());
        (last, report)
    }
}

/// Tells the thread of programs.
#[derive(Clone)]
pub struct Programs(Sender<Find>);

impl std::fmt::Debug for Programs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Programs").finish_non_exhaustive()
    }
}

impl Programs {
    /// Follows a process from now on, in place of what it ran before. `find` runs in the thread, for it may
    /// have to read a file.
    pub fn add(&self, find: impl FnOnce() -> Option<Program> + Send + 'static) {
        // If the thread is gone, nothing is seen of the process.
        let _ = self.0.send(Box::new(find));
    }
}

/// A process, as far as it is known.
struct Watched {
    program: Program,
    observer: Option<Observer>,
    pace: Pace,
    attempts: u32,
}

/// The state of the thread.
struct Watch {
    now_ns: fn() -> u64,
    told: SyncSender<Change>,
    all: Vec<Watched>,
    report: Report,
}

impl Watch {
    fn new(now_ns: fn() -> u64, told: SyncSender<Change>) -> Self {
        Self {
            now_ns,
            told,
            all: Vec::new(),
            report: Report::default(),
        }
    }

    fn run(mut self, programs: &Receiver<Find>) -> Report {
        loop {
            let due = self.all.iter().map(|watched| watched.pace.due_ns).min();
            let wait_ns = due.map(|due| due.saturating_sub((self.now_ns)()));
            let told = match wait_ns {
                // Without a program there is nothing to do.
                None => programs.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(ns) => programs.recv_timeout(Duration::from_nanos(ns)),
            };
            match told {
                Ok(find) => find().into_iter().for_each(|program| self.add(program)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.report,
            }
            self.look_at_those_due();
        }
    }

    fn add(&mut self, program: Program) {
        self.all
            .retain(|watched| watched.program.pid != program.pid);
        if self.all.len() >= MOST_PROCESSES {
            self.report.refused += 1;
            return;
        }
        self.all.push(Watched {
            pace: Pace::new((self.now_ns)() ^ u64::from(program.pid) << 32),
            program,
            observer: None,
            attempts: 0,
        });
    }

    fn look_at_those_due(&mut self) {
        let others = self.all.len().saturating_sub(1);
        let Self {
            now_ns,
            told,
            all,
            report,
        } = self;
        all.retain_mut(|watched| {
            let time_ns = now_ns();
            if watched.pace.due_ns > time_ns {
                return true;
            }
            let before = cpu_ns();
            let Some(has_changed) = look(watched, time_ns, told, report) else {
                return false;
            };
            let cost = cpu_ns().saturating_sub(before);
            report.cpu_ns += cost;
            report.longest_ns = report.longest_ns.max(cost);
            match watched.observer {
                Some(_) => watched.pace.looked(now_ns(), cost, has_changed, others),
                None => watched.pace.due_ns = time_ns.saturating_add(AGAIN_NS),
            }
            true
        });
    }
}

/// Looks at one process; returns whether something changed, `None` if it is not to be looked at again.
fn look(
    watched: &mut Watched,
    time_ns: u64,
    told: &SyncSender<Change>,
    report: &mut Report,
) -> Option<bool> {
    let memory = watched.program.memory.as_ref();
    let Some(observer) = &mut watched.observer else {
        return begin(watched, report);
    };
    let found = observer.look(memory, time_ns)?;
    report.looks += 1;
    let has_changed = !found.changes.is_empty();
    for change in found.changes {
        if told.try_send(change).is_err() {
            report.lost += 1;
        }
    }
    Some(has_changed)
}

/// Tries to find the goroutines of a process; the first look follows at once.
fn begin(watched: &mut Watched, report: &mut Report) -> Option<bool> {
    watched.attempts += 1;
    let Program {
        pid,
        memory,
        image,
        bias,
    } = &watched.program;
    match Runtime::find(memory.as_ref(), image, *bias) {
        Ok(runtime) => {
            let of_process = settings::of_process(*pid).into_iter();
            let room = MOST_SETTINGS.saturating_sub(report.settings.len());
            let of_process = of_process.map(|setting| (*pid, setting));
            report.settings.extend(of_process.take(room));
            watched.observer = Some(Observer::new(*pid, runtime));
            Some(true)
        }
        Err(NoRuntime::NotYet) => (watched.attempts < MOST_ATTEMPTS).then_some(false),
        Err(NoRuntime::Unknown) if watched.attempts < FEW_ATTEMPTS => Some(false),
        Err(NoRuntime::Unknown | NoRuntime::TooOld) => {
            if !report.unknown.contains(&image.minor()) {
                report.unknown.push(image.minor());
            }
            None
        }
    }
}

/// CPU time of this thread.
fn cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let ns = time.tv_sec.saturating_mul(1_000_000_000) + time.tv_nsec;
    u64::try_from(ns).unwrap_or(0)
}
