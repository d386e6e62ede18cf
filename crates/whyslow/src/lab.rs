//! `lab`: an experiment per system, then what it says.
//!
//! Verdicts, charts and the table go to standard output; what is done meanwhile to standard error.
//! Ctrl-C ends the series, and what was measured so far is shown.

mod columns;
mod dialects;
mod keep;
mod operations;
mod options;
mod record;
mod suite;
mod systems;

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use whyslow_files::cause::{hint, plain};
use whyslow_lab::place::clean;
use whyslow_lab::remote;
use whyslow_lab::summary::compare;
use whyslow_lab::{Case, Context, Error, Options, Run, Summary, experiment, table};
use whyslow_query::{Kind, ResultTable, Value};
use whyslow_render::{
    Curve, Paint, TextOptions, harmless, number, write_csv, write_curve, write_json, write_text,
};
use whyslow_share::Server;

pub(crate) use columns::TABLES;

use systems::Site;

use crate::args::{CaseWord, LabArgs, LabFormat, System, Where};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output;
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Makes the experiment and shows what it says.
pub(crate) fn lab(
    args: &LabArgs,
    words: &[OsString],
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let options = options::options(args)?;
    let listed = match (options::case(args.case), args.case) {
        (Some(_), _) => None,
        (None, CaseWord::Suite) if args.example => return suite::example(),
        (None, CaseWord::Suite) => Some(suite::read(args)?),
        (None, CaseWord::Systems) => return systems::list(terminal),
        (None, CaseWord::Dialects) => None,
        (None, _) => return cleaned(args, terminal),
    };
    if let Some(dir) = &args.output {
        keep::check(dir)?;
    }
    if args.record {
        return record::recorded(args, words, terminal);
    }
    let bench = Bench::new(terminal)?;
    match (listed, options::case(args.case)) {
        (Some(suite), _) => suite.run(args, words, &bench, terminal),
        (None, Some(case)) => alone(case, &options, args, words, &bench, terminal),
        (None, None) => dialects::show(args, &options, &said_as(words), &bench, terminal),
    }
}

/// What all experiments of a command need.
struct Bench {
    interrupt: Interrupt,
    program: PathBuf,
    progress: RefCell<Progress>,
}

impl Bench {
    fn new(terminal: &Terminal) -> Result<Self, Failure> {
        let program = std::env::current_exe();
        Ok(Self {
            interrupt: Interrupt::watch()?,
            program: program.map_err(|error| Failure::io("find whyslow", &error))?,
            progress: RefCell::new(Progress::new(terminal)),
        })
    }

    /// Makes an experiment on one system; `force` allows a directory that is not empty.
    fn measure(
        &self,
        case: Case,
        options: &Options,
        system: &System,
        force: bool,
        runs: &mut Vec<Run>,
    ) -> Result<(), Failure> {
        let tell = |what: &str| {
            let mut progress = self.progress.borrow_mut();
            progress.step(&format!("{}: {what}", system.name));
        };
        let context = Context {
            program: &self.program,
            stop: self.interrupt.flag(),
            tell: &tell,
        };
        let before = runs.len();
        let done = on(system, case, options, force, context, runs);
        for run in runs.iter_mut().skip(before).filter(|_| case.has_files()) {
            system.name.clone_into(&mut run.system);
        }
        done.map_err(|error| failure(&error))
    }
}

/// One case on its systems, one after the other.
fn alone(
    case: Case,
    options: &Options,
    args: &LabArgs,
    words: &[OsString],
    bench: &Bench,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let (mut runs, mut failed) = (Vec::new(), None);
    for system in systems::of(args)? {
        if bench.interrupt.asked() || failed.is_some() {
            break;
        }
        let done = bench.measure(case, options, &system, args.force, &mut runs);
        failed = done.err();
    }
    bench.progress.borrow_mut().clear();
    let interrupt = &bench.interrupt;
    if let Some(failure) = failed {
        if runs.is_empty() {
            return Err(failure);
        }
        terminal.fail(&failure);
        show(args, &runs, words, &[], &said, terminal)?;
        return Ok(failure.exit);
    }
    if runs.is_empty() && interrupt.asked() {
        return Err(Failure::interrupted());
    }
    show(args, &runs, words, &[], &said, terminal)?;
    Ok(if interrupt.asked() {
        Exit::Interrupted
    } else {
        Exit::Success
    })
}

/// Makes the experiment on one system.
fn on(
    system: &System,
    case: Case,
    options: &Options,
    force: bool,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    if let Where::Share { share, on } = &system.place {
        let site = on.map(|plan| Site::made(plan, force, context.program));
        let site = site.transpose()?;
        let dir = site.as_ref().map(|site| site.ground().dir());
        (context.tell)("starting the server");
        let server = Server::start(share, dir, whyslow_lab::place::PLACE, context.stop)?;
        return remote::series(case, options, &server, context, runs);
    }
    let site = if case.has_files() {
        Site::enter(system, force, context.program)?
    } else {
        Site::nowhere()
    };
    experiment(case, options, site.ground(), context, runs)
}

/// Removes what killed runs left; where no place is named, in those that are used without one.
fn cleaned(args: &LabArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut removed = 0;
    let mut places = systems::of(args)?;
    if args.dir.is_none() && args.on.is_empty() {
        places.extend("tmpfs".parse::<System>());
    }
    for system in places {
        let dir = systems::directory(&system);
        if dir.exists() {
            removed += clean(&dir).map_err(|error| failure(&error))?;
        }
        if dir == Path::new(systems::USUAL_DIR) {
            // Ours alone; what is not empty stays.
            let _left = std::fs::remove_dir(&dir);
        }
    }
    let things = if removed == 1 { "thing" } else { "things" };
    terminal.tell(&format!(
        "removed {removed} {things} of runs that are no longer alive"
    ));
    Ok(Exit::Success)
}

fn failure(error: &Error) -> Failure {
    match error {
        Error::NotEmpty { dir } => {
            Failure::cannot(format!("work in {}", dir.display()), "it is not empty").hint(
                "name an empty or a new directory, or use --force: what is there stays untouched; \
                 whyslow lab clean removes what killed runs left; another run may be working there",
            )
        }
        Error::NotPrivate { dir } => Failure::cannot(
            format!("make a file system in {}", dir.display()),
            "others can exchange files there",
        )
        .hint("work in a directory of your own that only you can write to"),
        Error::NothingToDo => {
            Failure::usage(error).hint("--count, --jobs and --threads are at least 1")
        }
        Error::TooMany { most, .. } => {
            Failure::usage(error).hint(format!("at most about {most} fit"))
        }
        Error::Options(text) => Failure::usage(text),
        Error::Io { what, path, source } => {
            let failure = Failure::cannot(format!("{what} {}", path.display()), plain(source));
            match hint(source) {
                Some(_) => failure.hint("name another directory with --dir"),
                None => failure,
            }
        }
        Error::Interrupted => Failure::interrupted(),
        other => Failure::cannot("measure", other),
    }
}

/// Returns the words of the command line after the program's name.
fn said_as(words: &[OsString]) -> Vec<String> {
    let words = words.iter().skip(1);
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

/// Writes runs for a person.
type Say<'a> = dyn Fn(&[Run], &[Summary], &ResultTable, &Terminal, &mut (dyn Write + Send)) -> io::Result<()>
    + Sync
    + 'a;

/// Prints what the runs say, and keeps them if asked.
fn show(
    args: &LabArgs,
    runs: &[Run],
    words: &[OsString],
    notes: &[String],
    say: &Say<'_>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let summaries: Vec<Summary> = runs.iter().map(Summary::of).collect();
    let mut table = table(runs, &summaries, cost);
    table.title = "lab".to_owned();
    let arguments = said_as(words);
    let kept = args.output.as_deref().map(|dir| {
        keep::keep(dir, runs, &summaries, &table, &arguments, notes)?;
        let told = format!("every operation is in {}", dir.display());
        terminal.tell(&harmless(&told));
        Ok(())
    });
    // What cannot be kept is shown all the same.
    output::write_to(None, false, |out| match args.format {
        LabFormat::Table => say(runs, &summaries, &table, terminal, out),
        LabFormat::Csv => write_csv(&table, out),
        LabFormat::Json => write_json(&table, &arguments, out),
    })?;
    kept.unwrap_or(Ok(()))
}

/// Writes verdicts, charts and the table.
fn said(
    runs: &[Run],
    summaries: &[Summary],
    table: &ResultTable,
    terminal: &Terminal,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let room = terminal.width.unwrap_or(100);
    for (run, summary) in runs.iter().zip(summaries) {
        writeln!(out, "{}", terminal.paint.heading(&harmless(&title(run))))?;
        for sentence in summary.sentences(run, cost) {
            writeln!(out, "{}", harmless(&sentence))?;
        }
        curve(run, room, terminal.paint, out)?;
        writeln!(out)?;
    }
    let options = TextOptions {
        width: terminal.width,
        paint: terminal.paint,
        ..TextOptions::default()
    };
    write_text(&with_units(table), &options, out)?;
    for line in comparisons(runs) {
        writeln!(out, "{}", harmless(&line))?;
    }
    Ok(())
}

/// Returns what a run is called: operation, way, system, driver.
fn title(run: &Run) -> String {
    let mut title = run.words.operation.to_owned();
    if !run.arm.is_empty() {
        title += &format!(", {}", run.arm);
    }
    match &run.driver {
        Some(driver) => title + &format!(", on {} ({driver})", run.system),
        None => title,
    }
}

fn curve(run: &Run, room: usize, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let durations = keep::durations(run);
    let curve = Curve {
        n: &run.n,
        duration_ns: &durations,
        things: run.words.things,
    };
    write_curve(&curve, room, paint, out)
}

/// Returns the run before the one at `at` that differs least from it: first of those with the same
/// system, number of workers, and way.
fn like(runs: &[Run], at: usize) -> Option<&Run> {
    let run = runs.get(at)?;
    let earlier = runs.get(..at)?.iter();
    let same = earlier.filter(|base| base.words.operation == run.words.operation);
    let differs = |base: &Run| {
        let system = 3 * u32::from(base.system != run.system);
        let workers = 2 * u32::from(base.workers != run.workers);
        system + workers + u32::from(base.arm != run.arm)
    };
    same.min_by_key(|base| differs(base))
}

/// Returns a line for each run that one of the same operation came before, the slower one first.
fn comparisons(runs: &[Run]) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        let Some(mut pair) = like(runs, at).map(|base| (run, base)) else {
            continue;
        };
        if compare(pair.0, pair.1).is_some_and(|found| found.typical < 1.0) {
            pair = (pair.1, pair.0);
        }
        if let Some(found) = compare(pair.0, pair.1) {
            let (low, high) = found.range;
            let (slow, fast) = (title(pair.0), title(pair.1));
            lines.push(format!(
                "{slow} takes {:.2} times as long as {fast} ({low:.2}–{high:.2}); for all {:.2} times.",
                found.typical, found.total
            ));
        }
    }
    lines
}

/// Returns the table with every duration in the unit that suits it: they span six decimal powers.
fn with_units(table: &ResultTable) -> ResultTable {
    let mut table = table.clone();
    for (at, column) in table.columns.iter_mut().enumerate() {
        if column.kind != Kind::Duration {
            continue;
        }
        column.kind = Kind::Text;
        column.elastic = false;
        for cell in table.rows.iter_mut().filter_map(|row| row.get_mut(at)) {
            if let Value::Int(ns) = *cell {
                *cell = Value::text(&number::duration(ns));
            }
        }
    }
    table
}

/// Returns a duration in nanoseconds, for sentences.
fn cost(ns: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the range is clamped")]
    let whole = ns.round().clamp(0.0, 9e18) as i64;
    number::duration(whole)
}

/// Runs a hidden command of the lab, if `words` are one.
pub(crate) fn hidden(words: &[OsString]) -> Option<Result<(), Failure>> {
    let (name, rest) = (words.get(1)?, words.get(2..)?);
    if name == whyslow_lab::cases::START {
        return Some(started(rest));
    }
    if name == whyslow_lab::fixture::SCANNER {
        return Some(scanned(rest));
    }
    (name == whyslow_lab::workers::WORKER).then(|| worked(rest))
}

fn scanned(words: &[OsString]) -> Result<(), Failure> {
    let scanned = whyslow_lab::fixture::scan(words, io::stdin().as_fd(), &mut io::stdout());
    scanned.map_err(|error| failure(&error))
}

fn started(words: &[OsString]) -> Result<(), Failure> {
    let probes = whyslow_lab::cases::start(words).map_err(|error| failure(&error))?;
    let written = io::stdout().write_all(&probes);
    written.map_err(|error| Failure::io("write to standard output", &error))
}

fn worked(words: &[OsString]) -> Result<(), Failure> {
    let interrupt = Interrupt::watch()?;
    let (mut input, mut out) = (io::stdin(), io::stdout());
    let (input, out): (&mut dyn Read, &mut dyn Write) = (&mut input, &mut out);
    let served = whyslow_lab::workers::serve(words, interrupt.flag(), input, out);
    served.map_err(|error| failure(&error))
}
