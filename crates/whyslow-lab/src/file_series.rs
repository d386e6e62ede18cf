//! Series of operations on files: in one directory, here or on a share, by this process or by workers.

use std::path::Path;
use std::time::Instant;

use crate::bench::{Bench, Context, ShareBench};
use crate::error::Error;
use crate::file_operation::{FileOperation, Files, PREFILLER, files_at};
use crate::filled::{Filling, Ready};
use crate::limit::Limit;
use crate::number::counts;
use crate::operation::{Ending, Limits};
use crate::options::{Options, Parameter, Takes, words};
use crate::place::{Name, Place};
use crate::remote::{Connected, ROUND_TRIPS, ShareFiles, new_directory, usable};
use crate::run::{Run, again_limits, alone, gather, look_again};
use crate::shortnames::{Generation, real};
use crate::words::Words;
use crate::workers::{Together, work};

use whyslow_law::count as real_number;
use whyslow_share::Remote;

/// Several processes at once.
pub(crate) const JOBS: Parameter = Parameter {
    name: "jobs",
    short: None,
    value: "N",
    help: "use this many processes at the same time; a list compares, as 1,5,20",
    takes: Takes::List(|text| counts(text, 500)),
    local_only: false,
};

/// Files that are there from the beginning.
pub(crate) const PREFILL: Parameter = Parameter {
    name: "prefill",
    short: None,
    value: "N",
    help: "begin with this many files in the directory",
    takes: Takes::Number,
    local_only: false,
};

/// Who gives new names a short one.
pub(crate) const SHORT_NAMES: Parameter = Parameter {
    name: "short-names",
    short: None,
    value: "WHO",
    help: "give new files short names as these systems do, and compare: off, nt3.1, nt4, windowsxp, \
           windows7; create and rename can do so on ntfs",
    takes: Takes::List(|text| words(text, &SHORT_NAME_WORDS)),
    local_only: true,
};

/// What [`SHORT_NAMES`] takes: nobody, then the generations.
const SHORT_NAME_WORDS: [&str; 5] = ["off", "nt3.1", "nt4", "windowsxp", "windows7"];

/// Returns who gives short names, each a way of its own; `None` is nobody.
pub(crate) fn short_names(options: &Options) -> Vec<Option<Generation>> {
    let given = options.list(&SHORT_NAMES).iter();
    given
        .map(|&at| {
            let word = usize::try_from(at)
                .ok()
                .and_then(|at| SHORT_NAME_WORDS.get(at));
            word.and_then(|word| Generation::named(word))
        })
        .collect()
}

/// Returns the numbers of processes; `None` is this one.
fn jobs(options: &Options) -> Vec<Option<u32>> {
    match options.list(&JOBS) {
        [] => vec![None],
        jobs => jobs.iter().map(|&jobs| u32::try_from(jobs).ok()).collect(),
    }
}

fn prefill(options: &Options) -> u64 {
    options.number(&PREFILL, 0)
}

/// Returns whether there are files from the beginning.
pub(crate) fn has_prefill(options: &Options) -> bool {
    prefill(options) > 0
}

/// Files that there are names for.
const MOST_FILES: u64 = 999_999_999;

/// Looks whether the options of a case of files fit.
pub(crate) fn check(options: &Options) -> Result<(), Error> {
    if options.list(&JOBS).contains(&0) {
        return Err(Error::NothingToDo);
    }
    let prefill = prefill(options);
    if prefill > MOST_FILES {
        let text = format!("{prefill} files are too many: at most {MOST_FILES}");
        return Err(Error::Options(text));
    }
    Ok(())
}

/// Returns how many series the options ask for; `deletes` says whether a lone process also deletes.
pub(crate) fn series_of(options: &Options, deletes: bool) -> u32 {
    let len = |list: usize| u32::try_from(list.max(1)).unwrap_or(1);
    let (jobs, names) = (options.list(&JOBS), options.list(&SHORT_NAMES));
    let both = if deletes && jobs.is_empty() { 2 } else { 1 };
    both * len(jobs.len()) * len(names.len())
}

/// One series of operations on files: by so many processes, with one way of naming.
#[derive(Clone, Copy)]
pub(crate) struct FileSeries {
    operation: FileOperation,
    words: Words,
    /// `None` is this process.
    jobs: Option<u32>,
    /// Who gives new names a short one.
    short: Option<Generation>,
    /// Whether what was created is deleted, as a series of its own.
    deletes: bool,
    /// Files that are made at once, for operations that make none.
    step: u64,
}

impl FileSeries {
    /// Returns the series of this process without short names.
    pub(crate) fn new(operation: FileOperation, words: Words, count: u64) -> Self {
        Self {
            operation,
            words,
            jobs: None,
            short: None,
            deletes: false,
            step: operation.files_at_once(count),
        }
    }

    /// Returns the same where `short` gives new names a short one.
    pub(crate) fn with_short_names(mut self, short: Option<Generation>) -> Self {
        self.short = short;
        self
    }

    fn arm(self, options: &Options) -> String {
        let short = options.has(&SHORT_NAMES).then(|| naming(self.short));
        let parts: Vec<String> = short.into_iter().chain(self.jobs.map(processes)).collect();
        parts.join(" by ")
    }
}

/// Returns what a way of naming is called.
pub(crate) fn naming(short: Option<Generation>) -> String {
    short.map_or("8.3 off".to_owned(), |one| format!("8.3 {}", one.name()))
}

fn processes(jobs: u32) -> String {
    match jobs {
        1 => "1 process".to_owned(),
        jobs => format!("{jobs} processes"),
    }
}

/// Deleting what was created, a series of its own.
const DELETING: Words = Words::new("delete", "Deleting a file", "deleted files");

/// Measures an operation in one directory, for each way of naming and each number of workers.
pub(crate) fn measure(
    operation: FileOperation,
    words: Words,
    bench: &Bench<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    let options = bench.options;
    let (mut words, mut names) = (words, short_names(options));
    if names.is_empty() {
        names.push(None);
    } else {
        words = words.counting("probes");
    }
    for short in names {
        for jobs in jobs(options) {
            if bench.context.stopped() {
                return Ok(());
            }
            let series = FileSeries {
                jobs,
                short,
                deletes: operation == FileOperation::Create && jobs.is_none(),
                ..FileSeries::new(operation, words, options.count)
            };
            series.measure(bench, runs)?;
        }
    }
    Ok(())
}

impl FileSeries {
    /// Measures it in a new directory, and deleting what it made, if that is a series, too.
    pub(crate) fn measure(self, bench: &Bench<'_>, runs: &mut Vec<Run>) -> Result<(), Error> {
        let (options, context) = (bench.options, bench.context);
        let limits = Limits {
            count: self.count(options),
            budget: options.budget,
        };
        let filling = self.filling(options);
        if self.short.is_some() {
            let place = Place::make(bench.ground)?;
            let can = real::can(&place)?;
            place.remove()?;
            if !can {
                let text = "short names can be set on NTFS only: --on ntfs".to_owned();
                return Err(Error::Options(text));
            }
        }
        let ready = match filling.count {
            0 => Err(Place::make(bench.ground)?),
            _ => Ok(filled(filling, bench)?),
        };
        let (place, made) = match &ready {
            Ok(ready) => (&ready.place, ready.made),
            Err(place) => (place, 0),
        };
        let mut run = self.pass(limits, place, bench)?;
        began_with(&mut run, made, filling.count);
        find_limit(&mut run, self.short, place);
        let delete = self.deletes && !context.stopped();
        let deleted = delete.then(|| deleting(&run, bench, place));
        (context.tell)("removing what was made");
        let removed = match ready {
            Ok(ready) => bench.filled.put_back(ready),
            Err(place) => place.remove(),
        };
        run.left = removed.err().map(|error| error.plain());
        if prefill(options) == 0 {
            look_again(&mut run, options, context, |limits| {
                self.pass(limits, &Place::make(bench.ground)?, bench)
            });
        }
        run.arm = self.arm(options);
        let arm = run.arm.clone();
        runs.push(run);
        let deleted = deleted.transpose()?;
        runs.extend(deleted.map(|deleted| Run { arm, ..deleted }));
        Ok(())
    }

    /// Returns which files are there from the beginning.
    fn filling(self, options: &Options) -> Filling {
        let renames = self.operation == FileOperation::Rename;
        Filling {
            kind: if renames { b'r' } else { b'w' },
            short: self.short,
            count: prefill(options),
        }
    }

    /// Does the operation as often as `limits` say.
    fn pass(self, limits: Limits, place: &Place, bench: &Bench<'_>) -> Result<Run, Error> {
        let context = bench.context;
        (context.tell)(&format!("{} × {}", self.operation.name(), limits.count));
        if let Some(logs) = self.by_workers(limits, place.path(), bench.context)? {
            return Ok(logs);
        }
        let files = Files::new(place, self.operation, 0, self.step);
        let files = files.map_err(Error::io("open", place.path()))?;
        let mut files = files.with_short_names(self.short);
        let mut run = alone(&mut files, self.words, limits, context);
        self.stretch(&mut run);
        Ok(run)
    }

    /// Lets workers do the operation at `place`; `None` if this process does it.
    fn by_workers(
        self,
        limits: Limits,
        place: &Path,
        context: Context<'_>,
    ) -> Result<Option<Run>, Error> {
        let Some(workers) = self.jobs else {
            return Ok(None);
        };
        let together = Together {
            program: context.program,
            operation: self.operation,
            short: self.short,
            workers,
            limits,
        };
        let logs = work(together, place, context.stop)?;
        Ok(Some(gather(logs, self.words, limits.count)))
    }

    /// Returns how many operations `options` ask for.
    fn count(self, options: &Options) -> u64 {
        match self.operation {
            FileOperation::List => options.count / self.step,
            _ => options.count,
        }
    }

    /// Counts files where they are made between operations.
    fn stretch(self, run: &mut Run) {
        if self.operation.needs_files() {
            for (at, n) in (0..).zip(&mut run.n) {
                let files = files_at(self.operation, self.step, at);
                *n = real_number(usize::try_from(files).unwrap_or(usize::MAX));
            }
        }
    }
}

/// Returns a directory with `filling`, in the time there is.
fn filled(filling: Filling, bench: &Bench<'_>) -> Result<Ready, Error> {
    if !bench.filled.has(filling) {
        (bench.context.tell)(&format!("making {} files first", filling.count));
    }
    let end = Instant::now() + bench.options.budget;
    let go_on = || !bench.context.stopped() && Instant::now() < end;
    bench.filled.take(filling, bench.ground, go_on)
}

/// Notes that `prefilled` files of those `asked` for were there from the beginning.
fn began_with(run: &mut Run, prefilled: u64, asked: u64) {
    run.prefilled = prefilled;
    if prefilled < asked {
        let note =
            format!("Only {prefilled} of {asked} files were made first, in the time there was.");
        run.notes.push(note);
    }
    for n in &mut run.n {
        *n += real_number(usize::try_from(prefilled).unwrap_or(0));
    }
}

/// Finds out which limit ended a run, if one did.
fn find_limit(run: &mut Run, short: Option<Generation>, place: &Place) {
    run.find_limit(place);
    // Where there is room, it was names that were missing.
    if short.is_some() && matches!(run.ending, Ending::Full(Limit::Directory { .. })) {
        run.ending = Ending::Full(Limit::ShortNames);
    }
}

/// Returns how many operations of a run succeeded.
fn succeeded(run: &Run) -> u64 {
    let made = run.operations.iter().filter(|(_, one)| one.result == 0);
    u64::try_from(made.count()).unwrap_or(0)
}

/// Deletes what `created` made.
fn deleting(created: &Run, bench: &Bench<'_>, place: &Place) -> Result<Run, Error> {
    (bench.context.tell)("delete");
    let limits = Limits {
        count: succeeded(created),
        budget: bench.options.budget,
    };
    let files = Files::new(place, FileOperation::Delete, 0, 1);
    let mut files = files.map_err(Error::io("open", place.path()))?;
    Ok(alone(&mut files, DELETING, limits, bench.context))
}

/// Measures an operation in a directory of a share, for each number of workers.
pub(crate) fn measure_on_share(
    operation: FileOperation,
    words: Words,
    bench: &ShareBench<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    for jobs in jobs(bench.options) {
        if bench.context.stopped() {
            break;
        }
        let series = FileSeries {
            jobs,
            deletes: operation == FileOperation::Create && jobs.is_none(),
            ..FileSeries::new(operation, words.counting(ROUND_TRIPS), bench.options.count)
        };
        series.measure_on_share(bench, runs)?;
    }
    Ok(())
}

impl FileSeries {
    fn measure_on_share(self, bench: &ShareBench<'_>, runs: &mut Vec<Run>) -> Result<(), Error> {
        let (options, context) = (bench.options, bench.context);
        let limits = Limits {
            count: self.count(options),
            budget: options.budget,
        };
        let (mut remote, place) = new_directory(bench)?;
        let prefilled = prefill_share(bench, &mut *remote)?;
        let (mut run, done) = self.pass_on_share(bench, limits, (remote, &place))?;
        began_with(&mut run, prefilled, prefill(options));
        run.arm = self.jobs.map(processes).unwrap_or_default();
        let (at, created) = (runs.len(), succeeded(&run));
        runs.push(run);
        let remote = done?;
        if self.deletes && !context.stopped() {
            (context.tell)("delete");
            let limits = Limits {
                count: created,
                budget: options.budget,
            };
            let mut files = ShareFiles::new(remote, FileOperation::Delete, 0, 1);
            runs.push(alone(
                &mut files,
                DELETING.counting(ROUND_TRIPS),
                limits,
                context,
            ));
            usable(files.client)?;
        }
        if prefilled == 0 && !context.stopped() {
            let (remote, place) = new_directory(bench)?;
            let Some(run) = runs.get_mut(at) else {
                return Ok(());
            };
            let limits = again_limits(run.operations.len(), options.budget);
            let (again, done) = self.pass_on_share(bench, limits, (remote, &place))?;
            run.again = again.operations.into_iter().map(|(_, one)| one).collect();
            done?;
        }
        Ok(())
    }

    /// Measures once; returns the run, and the client if it is still connected.
    fn pass_on_share<'a>(
        self,
        bench: &ShareBench<'a>,
        limits: Limits,
        (remote, place): (Box<dyn Remote + 'a>, &str),
    ) -> Result<(Run, Connected<'a>), Error> {
        let context = bench.context;
        (context.tell)(&format!("{} × {}", self.operation.name(), limits.count));
        let text = format!("{}:{place}", bench.access);
        if let Some(run) = self.by_workers(limits, Path::new(&text), context)? {
            return Ok((run, Ok(remote)));
        }
        let mut files = ShareFiles::new(remote, self.operation, 0, self.step);
        let mut run = alone(&mut files, self.words, limits, context);
        self.stretch(&mut run);
        Ok((run, usable(files.client)))
    }
}

/// Makes the files that are there from the beginning; returns how many.
fn prefill_share(bench: &ShareBench<'_>, remote: &mut dyn Remote) -> Result<u64, Error> {
    let count = prefill(bench.options);
    if count > 0 {
        (bench.context.tell)(&format!("making {count} files first"));
    }
    let end = Instant::now() + bench.options.budget;
    let mut name = Name::new(b'w', PREFILLER);
    for at in 0..count {
        name.set(at);
        remote.create(name.as_str())?;
        if bench.context.stopped() || Instant::now() >= end {
            return Ok(at + 1);
        }
    }
    Ok(count)
}
