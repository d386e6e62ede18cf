//! One experiment: its series one after the other, each in a new place, each with its first sizes
//! measured again at the end; and all of it once more where that leaves a doubt.

mod arms;
mod passes;
mod shortnames;

pub use passes::Pass;
pub(crate) use passes::passes;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::cases::files::{Deed, Files, PREFILLER, fill};
use crate::cases::writing::ways;
use crate::cases::{Case, DELETING, Options, Words};
use crate::error::Error;
use crate::operation::{Ending, Limits, Measured, Operation, measure, own_ns};
use crate::place::{Ground, Place};
use crate::shortnames::{Generation, real};
use crate::summary::reason;
use crate::system;
use crate::workers::{Together, work};

/// What an experiment runs in.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Our own program, for workers and started processes.
    pub program: &'a Path,
    /// Whether the user asked to stop.
    pub stop: &'a AtomicBool,
    /// Told what is done next.
    pub tell: &'a dyn Fn(&str),
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut all = out.debug_struct("Context");
        all.field("program", &self.program)
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

impl Context<'_> {
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The operations of one way of doing it, on one system.
#[derive(Debug, Clone)]
pub struct Run {
    /// The way, as `linear`; empty where there is only one.
    pub arm: String,
    /// The system, as the user calls it.
    pub system: String,
    /// The file system's driver, where one matters.
    pub driver: Option<String>,
    /// Its words.
    pub words: Words,
    /// The operations in the order of their starts, each with its worker.
    pub operations: Vec<(u32, Measured)>,
    /// The size each operation met.
    pub n: Vec<f64>,
    /// The first sizes, measured again at the end; empty where that was not done.
    pub again: Vec<Measured>,
    /// Further passes, where the first left a doubt.
    pub repeats: Vec<Pass>,
    /// Operations that were asked for.
    pub asked: u64,
    /// Why it ended.
    pub ending: Ending,
    /// Processes or threads.
    pub workers: u32,
    /// Files that were there from the beginning.
    pub prefilled: u64,
    /// Bytes each operation wrote.
    pub bytes: u64,
    /// What else is to be said about it, in sentences.
    pub notes: Vec<String>,
    /// What measuring added to each operation, in nanoseconds; 0 where they were not measured here.
    pub own_ns: u64,
    /// What stayed that should have been removed, and why.
    pub left: Option<String>,
}

/// Makes the experiment `case` on `ground`; `runs` gets its series, also those that ended early, and
/// those before an error.
///
/// # Errors
/// When something around the measurements failed, or the options make no sense.
pub fn experiment(
    case: Case,
    options: &Options,
    ground: &Ground,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    check(case, options)?;
    passes(options, context, runs, &|context, runs| {
        once(case, options, ground, context, runs)
    })
}

/// One pass over all series of an experiment.
fn once(
    case: Case,
    options: &Options,
    ground: &Ground,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    let before = runs.len();
    let done = match case {
        Case::Create => deeds(Deed::Create, case, options, ground, context, runs),
        Case::Rename => deeds(Deed::Rename, case, options, ground, context, runs),
        Case::Stat => deeds(Deed::Stat, case, options, ground, context, runs),
        Case::Open => deeds(Deed::Open, case, options, ground, context, runs),
        Case::List => deeds(Deed::List, case, options, ground, context, runs),
        Case::ShortNames => shortnames::find(options, ground, context, runs),
        Case::Reopen => arms::reopen(options, ground, context, runs),
        Case::Probe => arms::probe(options, ground, context, runs),
        Case::Spawn => arms::spawn(options, context, runs),
        Case::Write => arms::write(options, ground, context, runs),
        Case::Command => arms::command(options, context, runs),
    };
    let driver = case
        .has_files()
        .then(|| system::driver(ground.dir()))
        .flatten();
    let own = match options.printed_unit_ns {
        None => own_ns(),
        Some(_) => 0,
    };
    for run in runs.iter_mut().skip(before) {
        run.driver.clone_from(&driver);
        run.own_ns = own;
    }
    let mut new = runs.split_off(before);
    let idle = |run: &Run| run.operations.iter().all(|(_, one)| one.result != 0);
    let why = new
        .iter()
        .find(|run| idle(run))
        .map(|run| (run.ending, run.words));
    if new.iter().all(idle) {
        new.clear();
    }
    runs.extend(new.into_iter().filter(|run| !run.operations.is_empty()));
    match done {
        // What was measured before is whole.
        Err(Error::Interrupted) if runs.len() > before => {}
        done => done?,
    }
    match why {
        _ if runs.len() > before => Ok(()),
        Some((Ending::Failed(errno), words)) => Err(Error::First {
            doing: words.doing,
            why: reason(errno),
        }),
        Some((Ending::Budget, _)) => Err(Error::Options(
            "the time budget ended before anything was measured".to_owned(),
        )),
        _ => Err(Error::Interrupted),
    }
}

/// The most memory that measurements take, as a share of what is free.
const SHARE_OF_MEMORY: u64 = 4;

/// Files that there are names for.
const MOST_NAMES: u64 = 999_999_999;

/// Bytes an operation takes while it is measured, sorted and judged.
const BYTES_PER_OPERATION: u64 = 96;

pub(crate) fn check(case: Case, options: &Options) -> Result<(), Error> {
    let mut count = options.count;
    if case == Case::Command {
        count = u64::try_from(options.numbers.len()).unwrap_or(u64::MAX);
        count = count.max(u64::from(options.printed_unit_ns.is_some()));
    }
    if count == 0 {
        return Err(Error::NothingToDo);
    }
    let workers = options.jobs.iter().max().copied().unwrap_or(1).max(1);
    if options.jobs.contains(&0) || options.threads.contains(&0) {
        return Err(Error::NothingToDo);
    }
    let threads = options.threads.iter().max().copied().unwrap_or(1);
    for (many, what) in [(workers, "processes"), (threads, "threads")] {
        if many > 500 {
            let text = format!("{many} {what} are too many: at most 500");
            return Err(Error::Options(text));
        }
    }
    if case == Case::Write && ways(options).is_empty() {
        let text = "parallel and tasks need at least 2 threads";
        return Err(Error::Options(text.to_owned()));
    }
    let needed = count.saturating_mul(BYTES_PER_OPERATION);
    let available = system::free_memory().unwrap_or(u64::MAX);
    if needed > available / SHARE_OF_MEMORY {
        return Err(Error::TooMany {
            count,
            needed,
            available,
            most: available / SHARE_OF_MEMORY / BYTES_PER_OPERATION,
        });
    }
    if count.max(options.prefill) > MOST_NAMES {
        let text = format!(
            "{} files are too many: at most {MOST_NAMES}",
            count.max(options.prefill)
        );
        return Err(Error::Options(text));
    }
    Ok(())
}

/// Returns how many operations are measured again at the end of `count`.
fn again_count(count: usize) -> u64 {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    (count / 20).clamp(10, 2_000).min(count)
}

/// Returns the limits of a second look.
pub(crate) fn again_limits(done: usize, budget: Duration) -> Limits {
    Limits {
        count: again_count(done),
        budget: budget / 10,
    }
}

/// Lets `pass` measure the first sizes of `run` again; where it cannot, the run says so.
fn look_again(
    run: &mut Run,
    options: &Options,
    context: Context<'_>,
    pass: impl FnOnce(Limits) -> Result<Run, Error>,
) {
    if context.stopped() {
        return;
    }
    match pass(again_limits(run.operations.len(), options.budget)) {
        Ok(again) => run.again = again.operations.into_iter().map(|(_, one)| one).collect(),
        Err(error) => {
            let why = error.plain();
            run.notes.push(format!(
                "The first sizes could not be measured again: {why}."
            ));
        }
    }
}

/// Measures `operation` in this process, as a run without an arm.
pub(crate) fn alone(
    operation: &mut dyn Operation,
    words: Words,
    limits: Limits,
    context: Context<'_>,
) -> Run {
    let mut log = Vec::new();
    let ending = measure(operation, limits, context.stop, &mut log);
    gather(vec![(log, ending)], words, limits.count)
}

/// Returns what workers measured as one run; *n* counts from 1.
pub(crate) fn gather(workers: Vec<(Vec<Measured>, Ending)>, words: Words, asked: u64) -> Run {
    let endings = workers.iter().map(|(_, ending)| *ending);
    let ending = endings.max_by_key(|ending| severity(*ending));
    let count = u32::try_from(workers.len()).unwrap_or(u32::MAX);
    let mut operations: Vec<(u32, Measured)> = Vec::new();
    for (worker, (log, _)) in (0..).zip(workers) {
        operations.extend(log.into_iter().map(|one| (worker, one)));
    }
    operations.sort_by_key(|(_, one)| one.start_ns);
    let n = (1..=operations.len()).map(whyslow_law::count).collect();
    Run {
        arm: String::new(),
        system: String::new(),
        driver: None,
        words,
        operations,
        n,
        again: Vec::new(),
        repeats: Vec::new(),
        asked,
        ending: ending.unwrap_or(Ending::Done),
        workers: count,
        prefilled: 0,
        bytes: 0,
        notes: Vec::new(),
        own_ns: 0,
        left: None,
    }
}

fn severity(ending: Ending) -> u8 {
    match ending {
        Ending::Done => 0,
        Ending::Budget => 1,
        Ending::Failed(_) => 2,
        Ending::Interrupted => 3,
    }
}

/// A deed done by so many processes, in one way of naming.
#[derive(Clone, Copy)]
struct Way {
    deed: Deed,
    words: Words,
    /// `None` is this process.
    jobs: Option<u32>,
    short: Option<Generation>,
    /// Files that [`Deed::List`] adds before each listing.
    step: u64,
}

impl Way {
    /// Returns the way of this process without short names.
    fn new(deed: Deed, words: Words, count: u64) -> Self {
        let listing = deed == Deed::List;
        Self {
            deed,
            words,
            jobs: None,
            short: None,
            step: if listing { count.div_ceil(LISTINGS) } else { 1 },
        }
    }

    fn arm(self, options: &Options) -> String {
        let jobs = self.jobs.map(|jobs| match jobs {
            1 => "1 process".to_owned(),
            jobs => format!("{jobs} processes"),
        });
        let short = (!options.short_names.is_empty()).then(|| arm(self.short));
        let parts: Vec<String> = short.into_iter().chain(jobs).collect();
        parts.join(" by ")
    }
}

/// Returns the name of a way of naming.
fn arm(short: Option<Generation>) -> String {
    short.map_or("8.3 off".to_owned(), |one| format!("8.3 {}", one.name()))
}

/// A deed in one directory, for each way of naming and each number of workers.
fn deeds(
    deed: Deed,
    case: Case,
    options: &Options,
    ground: &Ground,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    let jobs: Vec<Option<u32>> = match options.jobs.as_slice() {
        [] => vec![None],
        jobs => jobs.iter().copied().map(Some).collect(),
    };
    let mut words = case.words();
    let names: &[Option<Generation>] = match options.short_names.as_slice() {
        [] => &[None],
        names => {
            words = words.counting("probes");
            names
        }
    };
    for &short in names {
        for &jobs in &jobs {
            if context.stopped() {
                return Ok(());
            }
            let way = Way {
                jobs,
                short,
                ..Way::new(deed, words, options.count)
            };
            series(way, options, ground, context, runs)?;
        }
    }
    Ok(())
}

/// A deed in one directory, and deleting what it made, if that is a series, too.
fn series(
    way: Way,
    options: &Options,
    ground: &Ground,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    let limits = Limits {
        count: options.count / way.step,
        budget: options.budget,
    };
    let place = Place::make(ground)?;
    if way.short.is_some() && !real::can(&place)? {
        let text = "short names can be set on NTFS only: --on ntfs".to_owned();
        return Err(Error::Options(text));
    }
    let prefilled = prefill(&place, way, options, context)?;
    let mut run = pass(way, limits, &place, context)?;
    began_with(&mut run, prefilled, options.prefill);
    note_what_is_left(&mut run, &place);
    let alone = way.deed == Deed::Create && way.jobs.is_none();
    let delete = alone && way.words != Case::ShortNames.words() && !context.stopped();
    let deleted = delete.then(|| deleting(&run, options, &place, context));
    (context.tell)("removing what was made");
    run.left = place.remove().err().map(|error| error.plain());
    if options.prefill == 0 {
        look_again(&mut run, options, context, |limits| {
            pass(way, limits, &Place::make(ground)?, context)
        });
    }
    run.arm = way.arm(options);
    let arm = run.arm.clone();
    runs.push(run);
    let deleted = deleted.transpose()?;
    runs.extend(deleted.map(|deleted| Run { arm, ..deleted }));
    Ok(())
}

/// Notes that `prefilled` files of those `asked` for were there from the beginning.
pub(crate) fn began_with(run: &mut Run, prefilled: u64, asked: u64) {
    run.prefilled = prefilled;
    if prefilled < asked {
        let note =
            format!("Only {prefilled} of {asked} files were made first, in the time there was.");
        run.notes.push(note);
    }
    for n in &mut run.n {
        *n += whyslow_law::count(usize::try_from(prefilled).unwrap_or(0));
    }
}

/// Notes with a run that found no space what there still is.
fn note_what_is_left(run: &mut Run, place: &Place) {
    if run.ending == Ending::Failed(Errno::NOSPC.raw_os_error()) {
        run.notes.extend(system::left(place.fd()));
    }
}

/// Makes the files that are there from the beginning; returns how many.
fn prefill(place: &Place, way: Way, options: &Options, context: Context<'_>) -> Result<u64, Error> {
    // They are called like those that come: whoever makes short names meets them.
    let kind = if way.deed == Deed::Rename { b'r' } else { b'w' };
    if options.prefill == 0 {
        return Ok(0);
    }
    (context.tell)(&format!("making {} files first", options.prefill));
    let end = Instant::now() + options.budget;
    let go_on = || !context.stopped() && Instant::now() < end;
    let filled = fill(place, (kind, PREFILLER), way.short, options.prefill, go_on);
    filled.map_err(Error::io("fill", place.path()))
}

/// Listings of a series at most; each comes after as many more files.
pub(crate) const LISTINGS: u64 = 200;

/// Does a deed as often as `limits` say.
fn pass(way: Way, limits: Limits, place: &Place, context: Context<'_>) -> Result<Run, Error> {
    let Way { deed, words, .. } = way;
    (context.tell)(&format!("{} × {}", deed.name(), limits.count));
    if let Some(workers) = way.jobs {
        let together = Together {
            program: context.program,
            deed,
            short: way.short,
            workers,
            limits,
        };
        return Ok(gather(
            work(together, place.path(), context.stop)?,
            words,
            limits.count,
        ));
    }
    let files = Files::new(place, deed, 0, way.step).map_err(Error::io("open", place.path()))?;
    let mut files = files.with_short_names(way.short);
    let mut run = alone(&mut files, words, limits, context);
    for n in &mut run.n {
        *n *= whyslow_law::count(usize::try_from(way.step).unwrap_or(1));
    }
    Ok(run)
}

/// Deletes what `created` made.
fn deleting(
    created: &Run,
    options: &Options,
    place: &Place,
    context: Context<'_>,
) -> Result<Run, Error> {
    (context.tell)("delete");
    let made = created.operations.iter().filter(|(_, one)| one.result == 0);
    let limits = Limits {
        count: u64::try_from(made.count()).unwrap_or(0),
        budget: options.budget,
    };
    let files = Files::new(place, Deed::Delete, 0, 1).map_err(Error::io("open", place.path()));
    Ok(alone(&mut files?, DELETING, limits, context))
}
