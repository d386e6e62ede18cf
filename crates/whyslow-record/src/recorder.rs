//! A recording from its start to its end.
//!
//! ```text
//! new        what is permitted? create the part file
//! run_…      fork the command, held back     open events, off
//!            side-band on                     rundown of /proc
//!            everything on                    states of threads
//!            threads start                    release the command
//!            wait: command, time, signal
//!            states of threads, everything off, drain the rest
//!            counts, kernel symbols, feature sections, rename
//! ```

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use whyslow_files::{Access, PartFile};
use whyslow_groups::{GroupSampler, Hierarchies};
use whyslow_looks::{MemorySampler, Sampler};
use whyslow_perfdata::writer::{Features, FileWriter};
use whyslow_person::rights::while_recording;
use whyslow_person::{ChildState, HeldCommand};
use whyslow_proc::file_locks::{self, HeldLock};
use whyslow_proc::kernel_text::KernelText;
use whyslow_proc::limits::of_process;
use whyslow_proc::mounts::{self, Mounted};

use crate::drain::RingSource;
use crate::error::Error;
use crate::event_index::EventIndex;
use crate::events::Scope;
use crate::finish::{Session, Times, start_features};
use crate::goroutines::{Goroutines, Scout};
use crate::kept_files::{self, Keeper, Keeping};
use crate::kernel::KeptSymbols;
use crate::machine_facts::MachineFacts;
use crate::memory::Memory;
use crate::open::{Observed, OpenEvents, Switched};
use crate::pipeline::{Draining, Pipeline, flagged_thread};
use crate::python::{Announcer, Interpreters, Python};
use crate::report::{CommandEnding, CommandOutcome, RecordReport};
use crate::rundown::{self, Whose};
use crate::settings::Settings;
use crate::settling::wait_for_programs;
use crate::standby::Standby;
use crate::sys::process::raise_open_files;
use crate::sys::signals::{EventFlag, SignalTrap, poll};
use crate::sys::turn::Turn;
use crate::transform::Transform;
use crate::walker::Walker;
use crate::{kernel, rights};
use whyslow_bpf::costs::Meter;
use whyslow_bpf::{Counters, now_ns};

/// The most different things that looks at a command found and that are kept.
const MOST_LOOKS: usize = 200;

/// A recording that is ready to start.
///
/// # Examples
/// ```no_run
/// # fn main() -> Result<(), whyslow_record::Error> {
/// use whyslow_record::{Recorder, Settings};
///
/// let recorder = Recorder::new(Settings::new("make.data"))?;
/// let report = recorder.run_command(&["make", "-j2"])?;
/// assert_eq!(report.lost(), 0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Recorder {
    settings: Settings,
    scope: Scope,
    part: PartFile,
    file: File,
}

impl Recorder {
    /// Finds out what is permitted and creates the output under its temporary name.
    ///
    /// # Errors
    /// [`Error::Settings`], [`Error::NotPermitted`] if the kernel permits nothing at all, [`Error::OutputExists`], and
    /// [`Error::Output`] if the file cannot be created.
    pub fn new(mut settings: Settings) -> Result<Self, Error> {
        settings.check()?;
        let scope = while_recording(rights::probe)?;
        let output = &settings.output;
        let created = match settings.numbers_output {
            true => PartFile::create_as_free(output, Access::Owner),
            false => PartFile::create(output, settings.replace_output, Access::Owner),
        };
        let (part, file) = created.map_err(|error| Error::unwritten(output, error))?;
        settings.output = part.target().to_owned();
        Ok(Self {
            settings,
            scope,
            part,
            file,
        })
    }

    /// Whether only the command and its children can be recorded, for lack of rights.
    pub fn is_command_only(&self) -> bool {
        self.scope.is_own_only
    }

    /// Records the whole machine while a command runs, until the command ends.
    ///
    /// The command has our standard input, output and error. Ctrl-C reaches it as usual and the
    /// recording is ended when it has ended; other signals that would end us are passed on to it. A
    /// second signal discards the recording. Signals are handled in the calling thread: call this
    /// before starting others, or block SIGINT, SIGQUIT, SIGTERM and SIGHUP in them.
    ///
    /// # Errors
    /// Those of [`Error`]. Once the command runs, it runs to its end whatever happens to the
    /// recording, and the error says how it ended.
    pub fn run_command(self, command: &[impl AsRef<OsStr>]) -> Result<RecordReport, Error> {
        let words: Vec<&OsStr> = command.iter().map(AsRef::as_ref).collect();
        if words.is_empty() {
            let source = io::Error::from(io::ErrorKind::InvalidInput);
            return Err(Error::Command {
                command: String::new(),
                source,
            });
        }
        self.run(Some(&words), None, None)
    }

    /// Records the whole machine for a time, or (`None`) until a signal comes (Ctrl-C).
    ///
    /// # Errors
    /// Those of [`Error`].
    pub fn run_for(self, time: Option<Duration>) -> Result<RecordReport, Error> {
        self.run(None, time, None)
    }

    /// Records the whole machine for a time, as one of several recordings. What an earlier one with the same settings
    /// left in `standby` is used again, so that beginning and ending take less CPU time. `None`: nothing is kept.
    ///
    /// # Errors
    /// Those of [`Error`].
    pub fn run_round(
        self,
        time: Duration,
        standby: Option<&mut Standby>,
    ) -> Result<RecordReport, Error> {
        self.run(None, Some(time), standby)
    }

    fn run(
        self,
        command: Option<&[&OsStr]>,
        time: Option<Duration>,
        standby: Option<&mut Standby>,
    ) -> Result<RecordReport, Error> {
        // Outlives the files: a signal that comes late must find them removed, or complete.
        let trap = SignalTrap::set().map_err(Error::system("cannot take signals"))?;
        let Self {
            settings,
            scope,
            part,
            file,
        } = self;
        if scope.is_own_only && command.is_none() {
            let remedy = "record one command only (`run -- CMD`), or record as root".to_owned();
            return Err(Error::CommandNeeded { remedy });
        }
        let open_files = raise_open_files();
        let state = ChildState {
            signal_mask: trap.previous_mask(),
            open_files,
        };
        let held = command
            .map(|words| HeldCommand::fork(words, &state, settings.command_of.as_ref()))
            .transpose()
            .map_err(Error::system("cannot start a process"))?;
        let observed = Observed {
            own_pid: held
                .as_ref()
                .map(HeldCommand::pid)
                .filter(|_| scope.is_own_only),
        };
        let numbers_output = settings.numbers_output;
        // The command exists by now, and has none of our rights once it is executed.
        let work = || {
            Self::record(
                (settings, scope, standby),
                (observed, held, command),
                (&trap, time),
                file,
            )
        };
        let (outcome, mut report) = while_recording(work)?;
        let target = part.target().to_owned();
        let finished = match numbers_output {
            true => part.finish_as_free(),
            false => part.finish().map(|()| target.clone()),
        };
        let finished = finished.map_err(|error| Error::unwritten(&target, error));
        report.output = finished.map_err(|error| error.with_command(outcome))?;
        Ok(report)
    }

    /// Records until the command ends, the time is over, or a signal comes.
    fn record(
        (settings, scope, mut standby): (Settings, Scope, Option<&mut Standby>),
        (observed, held, command): (Observed, Option<HeldCommand>, Option<&[&OsStr]>),
        (trap, time): (&SignalTrap, Option<Duration>),
        file: File,
    ) -> Result<(Option<CommandOutcome>, RecordReport), Error> {
        // Looking takes time, which must not be the command's.
        let mounts = mounts::mounted();
        let again = standby.as_mut();
        let again = again.and_then(|standby| standby.take(&settings, scope));
        let turn = again.is_none().then(|| Turn::take(|| trap.has_arrived()));
        let opened = match again {
            Some(opened) => opened,
            None => OpenEvents::open(&settings, scope, observed, &|| unless_stopped(trap))?,
        };
        let whose = match held.as_ref().map(|held| u32::try_from(held.pid())) {
            Some(Ok(pid)) if scope.is_own_only => Whose::One(pid),
            _ => Whose::Everybody,
        };
        let mut running = Running::start(settings, opened, (whose, mounts), file)?;
        drop(turn);
        if let Some(standby) = &mut standby {
            running.symbols = standby.take_symbols();
        }
        let waited = match (held, command) {
            (Some(held), Some(words)) => running.wait_for_command(trap, held, words).map(Some),
            _ => running.wait_for_time(trap, time).map(|()| None),
        };
        if waited.is_err() {
            running.opened.close();
        }
        let outcome = waited?;
        let settings = running.settings.clone();
        let (report, mut left) = running.finish(trap, command, outcome)?;
        match standby {
            Some(standby) => standby.put(left, &settings, scope),
            None => left.0.close(),
        }
        Ok((outcome, report))
    }
}

/// What a recording leaves to the next one.
type Left = (OpenEvents, KeptSymbols);

/// A recording that runs.
#[derive(Debug)]
struct Running {
    settings: Settings,
    opened: OpenEvents,
    whose: Whose,
    machine: MachineFacts,
    features: Features,
    pipeline: Pipeline,
    groups: Option<GroupSampler>,
    memory: Option<MemorySampler>,
    keeping: Keeping,
    start_ns: u64,
    counted_before: Counters,
    /// Makes the kernel measure how long the eBPF programs run.
    measured: Option<Meter>,
    command_pid: Option<i32>,
    command_folder: Option<PathBuf>,
    /// Who held locks on files as the recording began.
    locks: Vec<HeldLock>,
    /// The file systems that were mounted as it began.
    mounts: Vec<Mounted>,
    /// The resource limits of the command.
    command_limits: Vec<(String, String)>,
    /// Looks at the command, where nothing records why it waits.
    looks: Option<Sampler>,
    symbols: KeptSymbols,
    signals: u32,
}

impl Running {
    fn start(
        settings: Settings,
        mut opened: OpenEvents,
        (whose, mounts): (Whose, Vec<Mounted>),
        file: File,
    ) -> Result<Self, Error> {
        let machine = MachineFacts::read(opened.cpus.len());
        let features = start_features(&settings, &opened, &machine);
        let fail = |source| Error::Output {
            path: settings.output.clone(),
            source,
            command: None,
        };
        let descriptions = opened.descriptions();
        let writer = FileWriter::create(file, &descriptions, &features).map_err(fail)?;

        let index = EventIndex::new(&opened.events);
        let mut transform = Transform::new(index, opened.cpus.len(), Walker::new());
        transform.switch_chain = opened.switch_chain();
        transform.switch_layout = opened.switch_layout.clone();
        transform.callers =
            KernelText::of_machine().map_or_else(Vec::new, |text| text.callers.clone());
        transform.waking_layout = opened.waking_layout.clone();
        let interpreters = opened.python.clone();
        transform.python = interpreters.clone().map(Python::new);
        transform.disk_layouts = opened.disk_layouts();
        let side_band = opened.side_band();
        let on = |what| Error::system(format!("cannot switch on {what}"));
        opened
            .switch(Switched::SideBand, true)
            .map_err(on("the side-band events"))?;
        opened
            .missing
            .extend(kernel::mappings(side_band, &mut transform));
        let hierarchies = Hierarchies::find();
        let (keeper, keeping) = Keeper::start();
        let (goroutines, scout) = Goroutines::start(keeper);
        transform.goroutines = goroutines;
        rundown::processes(whose, side_band, (&hierarchies, &scout), &mut transform);
        let draining = switch_on(&mut opened, &settings, interpreters, scout)?;
        opened.start_system_calls();
        let connections = opened.start_network();
        let groups =
            GroupSampler::start(hierarchies).map_err(Error::system("cannot start a thread"))?;
        let start_ns = now_ns();
        let (memory, sampler) = Memory::start(settings.record_memory, whose.only());
        transform.memory = memory;
        let counted_before = opened.counters();
        rundown::write_states(&rundown::thread_states(whose, false), &mut transform);
        for connection in &connections {
            transform.open_connection(connection, now_ns());
        }

        if let Some(python) = &mut transform.python {
            python.is_rundown = false;
        }
        let pipeline = draining.process(transform, writer);
        let pipeline = pipeline.map_err(Error::system("cannot start a thread"))?;
        Ok(Self {
            settings,
            opened,
            whose,
            machine,
            features,
            pipeline,
            groups: Some(groups),
            memory: sampler,
            keeping,
            start_ns,
            counted_before,
            measured: Meter::start(),
            command_pid: None,
            command_folder: None,
            locks: file_locks::held(),
            mounts,
            command_limits: Vec::new(),
            looks: None,
            symbols: KeptSymbols::default(),
            signals: 0,
        })
    }

    /// Lets the command go and waits for its end.
    fn wait_for_command(
        &mut self,
        trap: &SignalTrap,
        mut held: HeldCommand,
        words: &[&OsStr],
    ) -> Result<CommandOutcome, Error> {
        self.command_pid = Some(held.pid());
        self.command_folder = fs::read_link(format!("/proc/{}/cwd", held.pid())).ok();
        self.command_limits = of_process(held.pid());
        unless_stopped(trap)?;
        let started = Instant::now();
        held.release().map_err(|source| Error::Command {
            command: words
                .first()
                .map_or_else(String::new, |word| word.display().to_string()),
            source,
        })?;
        if let Whose::One(pid) = self.whose {
            let looks = Sampler::start(pid).map_err(Error::system("cannot start a thread"))?;
            self.looks = Some(looks);
        }
        let mut watches_pipeline = true;
        loop {
            let mut fds = vec![held.as_fd(), trap.as_fd()];
            if watches_pipeline {
                fds.push(self.pipeline.ended());
            }
            let ready = poll(&fds, None).map_err(Error::system("cannot wait"))?;
            if ready.first() == Some(&true) {
                break;
            }
            if ready.get(2) == Some(&true) {
                // The recording has failed; the command continues regardless.
                watches_pipeline = false;
                self.switch_off();
            }
            while let Some(signal) = trap.take() {
                self.signals += 1;
                if self.signals > 1 {
                    return Err(Error::Aborted { command: None });
                }
                if !signal.is_from_terminal {
                    held.signal(signal.number);
                }
            }
        }
        let ended = held
            .wait()
            .map_err(Error::system("cannot wait for the command"))?;
        Ok(CommandOutcome {
            wall: started.elapsed(),
            user: ended.user,
            system: ended.system,
            ending: CommandEnding::from_wait_status(ended.status),
        })
    }

    /// Waits until the time is over, a signal comes or the recording fails.
    fn wait_for_time(&mut self, trap: &SignalTrap, time: Option<Duration>) -> Result<(), Error> {
        let end = time.and_then(|time| Instant::now().checked_add(time));
        loop {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Ok(());
            }
            let fds = [trap.as_fd(), self.pipeline.ended()];
            let ready = poll(&fds, left).map_err(Error::system("cannot wait"))?;
            if trap.take().is_some() {
                self.signals += 1;
                return Ok(());
            }
            if ready.get(1) == Some(&true) {
                return Ok(());
            }
        }
    }

    /// Stops the events. If that fails, nothing more can be done: the events end with the process.
    fn switch_off(&self) {
        for what in [Switched::Others, Switched::SideBand] {
            let _ = self.opened.switch(what, false);
        }
    }

    /// Completes the recording, in a thread of its own: a second signal ends the wait, whether it
    /// is for a slow disk or a stubborn process.
    fn finish(
        self,
        trap: &SignalTrap,
        command: Option<&[&OsStr]>,
        outcome: Option<CommandOutcome>,
    ) -> Result<(RecordReport, Left), Error> {
        let mut signals = self.signals;
        let words: Option<Vec<OsString>> =
            command.map(|words| words.iter().map(|&word| word.to_owned()).collect());
        let start = || {
            let ended = Arc::new(EventFlag::new()?);
            let complete = move || self.complete(words.as_deref(), outcome);
            let thread = flagged_thread("whyslow-finish", &ended, complete)?;
            Ok((ended, thread))
        };
        let (ended, thread) = start().map_err(Error::system("cannot start a thread"))?;
        let mut has_ended = false;
        while !has_ended {
            let ready = poll(&[ended.as_fd(), trap.as_fd()], None);
            has_ended = ready.map_err(Error::system("cannot wait"))?.first() == Some(&true);
            while trap.take().is_some() {
                signals += 1;
            }
            if signals > 1 {
                return Err(Error::Aborted { command: outcome });
            }
        }
        let completed = thread.join().unwrap_or_else(|_| {
            let source = io::Error::other("a thread of the recorder panicked");
            Err(Error::system("cannot finish the recording")(source))
        });
        let (mut report, left) = completed?;
        report.interrupted = signals > 0;
        Ok((report, left))
    }

    fn complete(
        mut self,
        command: Option<&[OsString]>,
        outcome: Option<CommandOutcome>,
    ) -> Result<(RecordReport, Left), Error> {
        let programs = self.opened.programs.as_mut();
        let open_waits = programs.and_then(|programs| programs.open_waits().ok());
        let looks = self.looks.take().map(Sampler::finish).unwrap_or_default();
        // Programs that were unloaded are no longer known.
        let costs = self.opened.costs();
        let system_calls = self.opened.stop_system_calls();
        let connections = self.opened.stop_network();
        let groups = self.groups.take().map(GroupSampler::finish);
        let _ = self.memory.take().map(MemorySampler::finish);
        let end_ns = now_ns();
        let counters = self.opened.counters().since(&self.counted_before);
        drop(self.measured.take());
        self.switch_off();
        let settled = std::thread::Builder::new().spawn(wait_for_programs);
        // After the last event, so that all times stay in order.
        let mut states = rundown::thread_states(self.whose, true);
        let fail = |source| Error::Output {
            path: self.settings.output.clone(),
            source,
            command: outcome,
        };
        let (open_waits, groups) = (open_waits.unwrap_or_default(), groups.unwrap_or_default());
        let symbols = self.symbols.get();
        if let Some(symbols) = &symbols {
            symbols.place(&open_waits, &mut states);
        }
        // It cannot panic.
        settled.map_or_else(|_| wait_for_programs(), |thread| drop(thread.join()));
        let (writer, transform, rings) = self
            .pipeline
            .finish(
                &states,
                &open_waits,
                (system_calls, connections),
                &groups.readings,
                end_ns,
            )
            .map_err(fail)?;
        let session = Session {
            settings: &self.settings,
            opened: &self.opened,
            machine: &self.machine,
            command,
            command_pid: self.command_pid,
            command_folder: self.command_folder.as_deref(),
            locks: &self.locks,
            mounts: &mounts::with_those_of_the_end(&self.mounts),
            command_limits: &self.command_limits,
            looks: &looks.facts(MOST_LOOKS),
            outcome,
            symbols: symbols.as_deref(),
            counters,
            costs: &costs,
            times: Times {
                start_ns: self.start_ns,
                end_ns,
            },
            groups: &groups,
        };
        let kept = self.keeping.finish(kept_files::PATIENCE);
        let (features, mut report) = session.finish(self.features, &transform, kept);
        let (_, file_bytes) = writer.finish(&features).map_err(fail)?;
        report.file_bytes = file_bytes;
        drop(transform);
        self.opened.rings = rings;
        Ok((report, (self.opened, self.symbols)))
    }
}

/// Fails if a signal came: neither the recording nor the command has begun.
fn unless_stopped(trap: &SignalTrap) -> Result<(), Error> {
    match trap.take() {
        Some(_) => Err(Error::Aborted { command: None }),
        None => Ok(()),
    }
}

/// Switches on the events with samples, and has the rings emptied from then on: what is left to do until the
/// recording begins may take longer than the rings have room.
fn switch_on(
    opened: &mut OpenEvents,
    settings: &Settings,
    interpreters: Option<Interpreters>,
    scout: Scout,
) -> Result<Draining, Error> {
    let announcer = interpreters.map(Announcer::start).transpose();
    let announcer = announcer.map_err(Error::system("cannot start a thread"))?;
    let leaders = opened.events.first().map(|leader| leader.per_cpu.clone());
    opened
        .switch(Switched::Others, true)
        .map_err(Error::system("cannot switch on the events"))?;
    let source = RingSource {
        rings: std::mem::take(&mut opened.rings),
        limits: opened.limits(settings.stacks_per_second),
        leaders: leaders.unwrap_or_default(),
        announcer,
        scout,
    };
    Draining::start(source).map_err(Error::system("cannot start a thread"))
}
