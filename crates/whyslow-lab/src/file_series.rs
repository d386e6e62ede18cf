//! Series of operations on files: in one directory, here or on a share, by this process or by workers.

use std::time::Instant;

use crate::bench::Bench;
use crate::error::Error;
use crate::file_operation::{FileOperation, Work, files_at};
use crate::filled::Filling;
use crate::measuring::{alone, look_again};
use crate::number::counts;
use crate::operation::Limits;
use crate::options::{Options, Parameter, Takes, words};
use crate::shortnames::Generation;
use crate::store::{Added, Directory};
use crate::workers::{Together, work};
use whyslow_series::{Ending, Limit, Run, Words, run::gather};

use whyslow_law::count as real_number;

/// Several processes at once.
pub(crate) const JOBS: Parameter = Parameter {
    name: "jobs",
    short: None,
    value: "N",
    help: "use this many processes at the same time; a list compares, such as 1,5,20",
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

/// The values of [`SHORT_NAMES`]: none, then the generations.
const SHORT_NAME_WORDS: [&str; 5] = ["off", "nt3.1", "nt4", "windowsxp", "windows7"];

/// Returns the generations that give short names, each a way of its own; `None`: no short names.
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

/// One series of operations on files: by a number of processes, with one way of naming.
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
            series.measure(&series.arm(options), bench, runs)?;
        }
    }
    Ok(())
}

impl FileSeries {
    /// Measures it in a new directory, as the way `arm`, and the deletion of what it made, if that is a series, too.
    pub(crate) fn measure(
        self,
        arm: &str,
        bench: &Bench<'_>,
        runs: &mut Vec<Run>,
    ) -> Result<(), Error> {
        let (options, context) = (bench.options, bench.context);
        let limits = Limits {
            count: self.count(options),
            budget: options.budget,
        };
        let filling = self.filling(options);
        if self.short.is_some() && !bench.store.takes_short_names()? {
            let text = "short names can be set on NTFS only: --on ntfs".to_owned();
            return Err(Error::Options(text));
        }
        let mut directory = filled(filling, bench)?;
        let mut run = self.pass(arm, limits, &mut *directory, bench)?;
        run.notes
            .extend(too_few(directory.prefilled(), filling.count));
        if let Ending::Failed(errno) = run.ending {
            run.ending = directory.limit(errno).map_or(run.ending, Ending::Full);
        }
        self.name_limit(&mut run);
        let (at, mut added) = (runs.len(), self.added(&run));
        let created = succeeded(&run);
        runs.push(run);
        directory.usable()?;
        let delete = self.deletes && !context.stopped();
        let deleted = delete.then(|| deleting((arm, created), &mut *directory, bench));
        let mut failed = None;
        match deleted {
            Some(Ok(deleted)) => {
                if deleted.ending == Ending::Done {
                    added.clear();
                }
                runs.push(deleted);
                directory.usable()?;
            }
            // What was measured before is whole, and is looked at once more.
            Some(Err(error)) => failed = Some(error),
            None => {}
        }
        (context.tell)("removing what was made");
        let left = directory.finish(&added).err().map(|error| error.plain());
        let Some(run) = runs.get_mut(at) else {
            return Ok(());
        };
        run.left = left;
        if filling.count == 0 {
            look_again(run, options, context, |limits| {
                self.again(arm, limits, filling, bench)
            });
        }
        failed.map_or(Ok(()), Err)
    }

    /// Measures the first sizes again, in a new directory.
    fn again(
        self,
        arm: &str,
        limits: Limits,
        filling: Filling,
        bench: &Bench<'_>,
    ) -> Result<Run, Error> {
        let mut directory = filled(filling, bench)?;
        let run = self.pass(arm, limits, &mut *directory, bench)?;
        directory.usable()?;
        directory.finish(&self.added(&run))?;
        Ok(run)
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
    fn pass(
        self,
        arm: &str,
        limits: Limits,
        directory: &mut dyn Directory,
        bench: &Bench<'_>,
    ) -> Result<Run, Error> {
        let context = bench.context;
        let setup = bench.setup(counted(self.words, bench)).named(arm);
        let setup = setup.asking(limits.count).prefilled(directory.prefilled());
        (context.tell)(&format!("{} × {}", self.operation.name(), limits.count));
        if let Some(workers) = self.jobs {
            let together = Together {
                program: context.program,
                operation: self.operation,
                short: self.short,
                workers,
                limits,
            };
            let logs = work(together, &directory.address(), context.stop)?;
            let mut run = gather(logs, setup.by(workers));
            self.count_files(&mut run);
            return Ok(run);
        }
        let work = Work {
            operation: self.operation,
            worker: 0,
            step: self.step,
            short: self.short,
        };
        let mut files = directory.operation(work)?;
        let mut run = alone(&mut *files, setup, limits, context);
        self.count_files(&mut run);
        Ok(run)
    }

    /// Returns the files that `run` may have left in its directory.
    fn added(self, run: &Run) -> Vec<Added> {
        let mut done = vec![0; usize::try_from(run.setup.workers).unwrap_or(1)];
        for (worker, _) in &run.first.operations {
            let worker = usize::try_from(*worker).unwrap_or(usize::MAX);
            if let Some(done) = done.get_mut(worker) {
                *done += 1;
            }
        }
        let files = |(worker, done): (u32, u64)| {
            // What failed last may have been done half, and a worker may make other numbers at once.
            let count = files_at(self.operation, self.step, done + 1) + self.step;
            let kinds: &[u8] = match self.operation {
                FileOperation::Rename => b"rw",
                _ => b"w",
            };
            let added = move |&kind| Added {
                worker,
                kind,
                count,
            };
            kinds.iter().map(added)
        };
        (0..).zip(done).flat_map(files).collect()
    }

    /// Returns how many operations `options` ask for.
    fn count(self, options: &Options) -> u64 {
        match self.operation {
            FileOperation::List => options.count / self.step,
            _ => options.count,
        }
    }

    /// Counts files: those that are there from the beginning, and, where one process works, those that are made between
    /// operations.
    fn count_files(self, run: &mut Run) {
        let made_between = self.operation.needs_files() && self.jobs.is_none();
        let prefilled = run.setup.prefilled;
        for (at, n) in (0..).zip(&mut run.first.n) {
            if made_between {
                let files = files_at(self.operation, self.step, at);
                *n = real_number(usize::try_from(files).unwrap_or(usize::MAX));
            }
            *n += real_number(usize::try_from(prefilled).unwrap_or(0));
        }
    }

    /// Names the limit of names: where there is room, it was short names that were missing.
    fn name_limit(self, run: &mut Run) {
        if self.short.is_some() && matches!(run.ending, Ending::Full(Limit::Directory { .. })) {
            run.ending = Ending::Full(Limit::ShortNames);
        }
    }
}

/// Returns `words` with what operations count where they are measured.
fn counted(words: Words, bench: &Bench<'_>) -> Words {
    let counts = bench.store.counts();
    counts.map_or(words, |counts| words.counting(counts))
}

/// Returns a directory with `filling`, in the time there is.
fn filled<'a>(filling: Filling, bench: &Bench<'a>) -> Result<Box<dyn Directory + 'a>, Error> {
    if filling.count > 0 && !bench.store.has(filling) {
        (bench.context.tell)(&format!("making {} files first", filling.count));
    }
    let end = Instant::now() + bench.options.budget;
    let go_on = || !bench.context.stopped() && Instant::now() < end;
    bench.store.directory(filling, &go_on)
}

/// Returns the note for a series that began with fewer files than were `asked` for.
fn too_few(prefilled: u64, asked: u64) -> Option<String> {
    let few = prefilled < asked;
    few.then(|| {
        format!("Only {prefilled} of {asked} files were made first; a longer --budget allows more.")
    })
}

/// Returns how many operations of a run succeeded.
fn succeeded(run: &Run) -> u64 {
    let made = run
        .first
        .operations
        .iter()
        .filter(|(_, one)| one.result == 0);
    u64::try_from(made.count()).unwrap_or(0)
}

/// Measures the deletion of `count` created files, as the way `arm`.
fn deleting(
    (arm, count): (&str, u64),
    directory: &mut dyn Directory,
    bench: &Bench<'_>,
) -> Result<Run, Error> {
    (bench.context.tell)("delete");
    let limits = Limits {
        count,
        budget: bench.options.budget,
    };
    let mut files = directory.operation(Work {
        operation: FileOperation::Delete,
        worker: 0,
        step: 1,
        short: None,
    })?;
    let setup = bench.setup(counted(DELETING, bench)).named(arm);
    Ok(alone(
        &mut *files,
        setup.asking(count),
        limits,
        bench.context,
    ))
}
