//! The cases on a share: the same series as on a directory, in a new directory of the share each.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Barrier, RwLock};
use std::thread::Builder;
use std::time::Instant;

use super::deeds::{Client, Files, Probe, Settings, Way, Writer};
use crate::cases::files::{Deed, PREFILLER};
use crate::cases::settings::FILE;
use crate::cases::starts::LogName;
use crate::cases::writing::{Strategy, Threads, room_each, ways};
use crate::cases::{Case, DELETING, Options, Words};
use crate::error::Error;
use crate::experiment::{
    Context, LISTINGS, Run, again_limits, alone, began_with, check, gather, passes,
};
use crate::operation::{Ending, Limits, Operation, measure, room};
use crate::place::Name;
use crate::workers::{Together, work};

use whyslow_law::count as real;
use whyslow_share::{Access, Fault, MOST_CONTENT, Remote, Server};

/// Makes the experiment `case` on the share of `server`; `runs` gets its series, also those that ended
/// early, and those before an error.
///
/// # Errors
/// When the server is gone, or the case makes no sense on a share.
pub fn series(
    case: Case,
    options: &Options,
    server: &Server,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    check(case, options)?;
    if options.short_names.iter().any(Option::is_some) {
        let text = "short names are given in directories of this machine, not on a share";
        return Err(Error::Options(text.to_owned()));
    }
    let _inside = server.enter()?;
    // What a pass made stays on the share until its server goes: content and many files, once.
    let heavy = case == Case::Write || options.prefill > 0;
    let once_only = Options {
        passes: 1,
        ..options.clone()
    };
    let options = if heavy { &once_only } else { options };
    passes(options, context, runs, &|context, runs| {
        let share = Ground {
            access: server.access(),
            options,
            context,
        };
        once(case, &share, server, runs)
    })
}

/// One pass over all series of an experiment.
fn once(case: Case, share: &Ground<'_>, server: &Server, runs: &mut Vec<Run>) -> Result<(), Error> {
    let before = runs.len();
    let done = match case {
        Case::Create => share.deeds(Deed::Create, case, runs),
        Case::Rename => share.deeds(Deed::Rename, case, runs),
        Case::Stat => share.deeds(Deed::Stat, case, runs),
        Case::Open => share.deeds(Deed::Open, case, runs),
        Case::List => share.deeds(Deed::List, case, runs),
        Case::Reopen => share.reopen(runs),
        Case::Probe => share.probe(runs),
        Case::Write => share.write(runs),
        Case::ShortNames | Case::Spawn | Case::Command => Err(Error::Options(
            "this case has no files that could be on a share".to_owned(),
        )),
    };
    for run in runs.iter_mut().skip(before) {
        run.driver = Some(server.software().to_owned());
    }
    runs.retain(|run| !run.operations.is_empty());
    match done {
        Err(Error::Interrupted) | Ok(()) if runs.len() == before => Err(Error::Interrupted),
        Err(Error::Interrupted) => Ok(()),
        done => done,
    }
}

/// Returns what a worker does on a share; `None` if `place` is a directory of this machine.
pub(crate) fn served<'a>(
    place: &OsStr,
    deed: Deed,
    worker: u32,
    stop: &'a AtomicBool,
) -> Result<Option<Box<dyn Operation + 'a>>, Error> {
    let Some((access, directory)) = place.to_str().and_then(Access::parse) else {
        return Ok(None);
    };
    let mut remote = access.connect(stop)?;
    remote.enter(directory, false)?;
    Ok(Some(Box::new(Files::new(remote, deed, worker, 1))))
}

/// Returns the words of a case on a share.
fn words(case: Case) -> Words {
    let words = match case {
        Case::Probe => Words::new("probe", "Finding a free log name", "logs"),
        _ => case.words(),
    };
    words.counting(TRIPS)
}

/// What operations on a share count.
pub(super) const TRIPS: &str = "round trips";

/// A share that the thread can reach, and what is asked.
struct Ground<'a> {
    access: &'a Access,
    options: &'a Options,
    context: Context<'a>,
}

/// A client, or why its connection is of no more use.
type Connected<'a> = Result<Box<dyn Remote + 'a>, Error>;

/// Returns the fault if the connection is of no more use: a refusal is a result.
fn broken(client: Client<'_>) -> Connected<'_> {
    match client.fault {
        Some(fault) if !fault.is_refusal() => Err(fault.into()),
        _ => Ok(client.remote),
    }
}

impl<'a> Ground<'a> {
    fn limits(&self) -> Limits {
        Limits {
            count: self.options.count,
            budget: self.options.budget,
        }
    }

    fn again(&self, run: &Run) -> Limits {
        again_limits(run.operations.len(), self.options.budget)
    }

    /// Returns a client in a new directory, and its name.
    fn place(&self) -> Result<(Box<dyn Remote + 'a>, String), Error> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("place-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let mut remote = self.access.connect(self.context.stop)?;
        remote.enter(&name, true)?;
        Ok((remote, name))
    }

    fn deeds(&self, deed: Deed, case: Case, runs: &mut Vec<Run>) -> Result<(), Error> {
        let jobs: Vec<Option<u32>> = match self.options.jobs.as_slice() {
            [] => vec![None],
            jobs => jobs.iter().copied().map(Some).collect(),
        };
        for jobs in jobs {
            if self.context.stopped() {
                break;
            }
            self.deed(deed, case, jobs, runs)?;
        }
        Ok(())
    }

    fn deed(
        &self,
        deed: Deed,
        case: Case,
        jobs: Option<u32>,
        runs: &mut Vec<Run>,
    ) -> Result<(), Error> {
        let (mut remote, place) = self.place()?;
        let prefilled = self.prefill(&mut *remote)?;
        let (mut run, done) = self.pass(deed, case, jobs, self.limits(), (remote, &place))?;
        began_with(&mut run, prefilled, self.options.prefill);
        match jobs {
            Some(1) => "1 process".clone_into(&mut run.arm),
            Some(jobs) => run.arm = format!("{jobs} processes"),
            None => {}
        }
        let at = runs.len();
        runs.push(run);
        let remote = done?;
        let made = |run: &Run| {
            run.operations
                .iter()
                .filter(|(_, one)| one.result == 0)
                .count()
        };
        let delete = deed == Deed::Create && jobs.is_none() && !self.context.stopped();
        if let Some(created) = runs.get(at).filter(|_| delete) {
            (self.context.tell)("delete");
            let limits = Limits {
                count: u64::try_from(made(created)).unwrap_or(0),
                budget: self.options.budget,
            };
            let mut files = Files::new(remote, Deed::Delete, 0, 1);
            let words = DELETING.counting(TRIPS);
            runs.push(alone(&mut files, words, limits, self.context));
            broken(files.client)?;
        }
        if prefilled == 0 && !self.context.stopped() {
            let (remote, place) = self.place()?;
            let Some(run) = runs.get_mut(at) else {
                return Ok(());
            };
            let limits = self.again(run);
            let (again, done) = self.pass(deed, case, jobs, limits, (remote, &place))?;
            run.again = again.operations.into_iter().map(|(_, one)| one).collect();
            done?;
        }
        Ok(())
    }

    /// Makes the files that are there from the beginning; returns how many.
    fn prefill(&self, remote: &mut dyn Remote) -> Result<u64, Error> {
        let count = self.options.prefill;
        if count > 0 {
            (self.context.tell)(&format!("making {count} files first"));
        }
        let end = Instant::now() + self.options.budget;
        let mut name = Name::new(b'w', PREFILLER);
        for at in 0..count {
            name.set(at);
            remote.create(name.as_str())?;
            if self.context.stopped() || Instant::now() >= end {
                return Ok(at + 1);
            }
        }
        Ok(count)
    }

    /// Measures once; returns the run, and the client if it is still connected.
    fn pass(
        &self,
        deed: Deed,
        case: Case,
        jobs: Option<u32>,
        limits: Limits,
        (remote, place): (Box<dyn Remote + 'a>, &str),
    ) -> Result<(Run, Connected<'a>), Error> {
        (self.context.tell)(&format!("{} × {}", deed.name(), limits.count));
        if let Some(workers) = jobs {
            let together = Together {
                program: self.context.program,
                deed,
                short: None,
                workers,
                limits,
            };
            let place = format!("{}:{place}", self.access);
            let logs = work(together, Path::new(&place), self.context.stop)?;
            return Ok((gather(logs, words(case), limits.count), Ok(remote)));
        }
        let step = if deed == Deed::List {
            limits.count.div_ceil(LISTINGS)
        } else {
            1
        };
        let limits = Limits {
            count: limits.count / step,
            ..limits
        };
        let mut files = Files::new(remote, deed, 0, step);
        let mut run = alone(&mut files, words(case), limits, self.context);
        for n in &mut run.n {
            *n *= real(usize::try_from(step).unwrap_or(1));
        }
        Ok((run, broken(files.client)))
    }

    fn reopen(&self, runs: &mut Vec<Run>) -> Result<(), Error> {
        let (count, reach) = (self.options.count, (self.access, self.context.stop));
        let (mut remote, place) = self.place()?;
        remote.write(FILE, &Settings::content(count))?;
        let arms = [
            ("reopen", Way::Reopen),
            ("read once", Way::Once),
            ("reconnect", Way::Reconnect),
        ];
        for (arm, way) in arms {
            if self.context.stopped() {
                break;
            }
            (self.context.tell)(arm);
            let words = words(Case::Reopen);
            let mut settings = Settings::new(remote, reach, &place, way, count);
            let mut run = alone(&mut settings, words, self.limits(), self.context);
            arm.clone_into(&mut run.arm);
            let usable = settings.client.fault.is_none() && !self.context.stopped();
            if usable && way != Way::Once {
                let again = alone(&mut settings, words, self.again(&run), self.context);
                run.again = again.operations.into_iter().map(|(_, one)| one).collect();
            }
            runs.push(run);
            remote = broken(settings.client)?;
        }
        Ok(())
    }

    fn probe(&self, runs: &mut Vec<Run>) -> Result<(), Error> {
        let arms = [
            ("linear search", LogName::Linear),
            ("time-based name", LogName::Time),
        ];
        for (arm, name) in arms {
            if self.context.stopped() {
                break;
            }
            (self.context.tell)(arm);
            let mut probe = Probe::new(self.place()?.0, name);
            let mut run = alone(&mut probe, words(Case::Probe), self.limits(), self.context);
            arm.clone_into(&mut run.arm);
            let limits = self.again(&run);
            runs.push(run);
            broken(probe.client)?;
            if !self.context.stopped() {
                let mut probe = Probe::new(self.place()?.0, name);
                let again = alone(&mut probe, words(Case::Probe), limits, self.context);
                if let Some(run) = runs.last_mut() {
                    run.again = again.operations.into_iter().map(|(_, one)| one).collect();
                }
                broken(probe.client)?;
            }
        }
        Ok(())
    }

    fn write(&self, runs: &mut Vec<Run>) -> Result<(), Error> {
        if self.options.size > MOST_CONTENT {
            let text = format!("files on a share have at most {MOST_CONTENT} bytes");
            return Err(Error::Options(text));
        }
        let size = usize::try_from(self.options.size).unwrap_or(usize::MAX);
        let content: Vec<u8> = Settings::content(self.options.size / 20 + 1)
            .into_iter()
            .take(size)
            .collect();
        for (arm, strategy, threads) in ways(self.options) {
            if self.context.stopped() {
                break;
            }
            (self.context.tell)(&arm);
            let (first, place) = self.place()?;
            let mut clients = vec![first];
            for _ in 1..threads {
                let mut remote = self.access.connect(self.context.stop)?;
                remote.enter(&place, false)?;
                clients.push(remote);
            }
            let (logs, faults) = self.written(strategy, clients, &content)?;
            let mut run = gather(logs, words(Case::Write), self.options.count);
            run.arm = arm;
            run.bytes = self.options.size;
            runs.push(run);
            if let Some(fault) = faults.into_iter().find(|fault| !fault.is_refusal()) {
                return Err(fault.into());
            }
        }
        Ok(())
    }

    /// Writes with a thread for each of `clients`; returns what each measured, and the faults.
    ///
    /// # Errors
    /// When a thread cannot be started; nothing is written then.
    fn written(
        &self,
        strategy: Strategy,
        clients: Vec<Box<dyn Remote + 'a>>,
        content: &[u8],
    ) -> Result<(Threads, Vec<Fault>), Error> {
        let (limits, stop) = (self.limits(), self.context.stop);
        let total = u64::try_from(clients.len()).unwrap_or(1);
        // Whether all are there that the barrier waits for.
        let (all, barrier) = (RwLock::new(false), Barrier::new(clients.len()));
        let next = AtomicU64::new(0);
        let room_each = room_each(strategy, limits.count, total);
        let tasks = strategy == Strategy::Tasks;
        let one = |part: u64, remote| {
            let share = (limits.count * (part + 1)) / total - (limits.count * part) / total;
            let worker = u32::try_from(part).unwrap_or(0);
            let mut writer = Writer {
                client: Client::new(remote),
                name: Name::new(b'w', if tasks { 0 } else { worker }),
                content,
                next: tasks.then_some(&next),
                count: limits.count,
            };
            let count = if tasks { limits.count } else { share };
            let mut log = room(room_each);
            if !all.read().is_ok_and(|all| *all) {
                return ((log, Ending::Interrupted), None);
            }
            barrier.wait();
            let ending = measure(&mut writer, Limits { count, ..limits }, stop, &mut log);
            ((log, ending), writer.client.fault)
        };
        let done: Vec<_> = std::thread::scope(|scope| {
            let (one, mut threads, mut waiting) = (&one, Vec::new(), all.write());
            let at = Path::new("the share");
            for (part, remote) in (0..).zip(clients) {
                let started = Builder::new().spawn_scoped(scope, move || one(part, remote));
                let started = started.map_err(Error::io("start the threads for", at));
                threads.push(started?);
            }
            if let Ok(all) = &mut waiting {
                **all = true;
            }
            drop(waiting);
            let joined = threads.into_iter().filter_map(|thread| thread.join().ok());
            Ok::<_, Error>(joined.collect())
        })?;
        let (logs, faults): (Vec<_>, Vec<_>) = done.into_iter().unzip();
        Ok((logs, faults.into_iter().flatten().collect()))
    }
}
