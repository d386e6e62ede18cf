//! `lab`: an experiment per system, then what it says.
//!
//! Verdicts, charts and the table go to standard output; what is done meanwhile to standard error.
//! Ctrl-C ends the series, and what was measured so far is shown.

mod dialects;
mod keep;
mod record;
mod suite;
mod systems;

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use whyslow_files::cause::{hint as io_hint, plain};
use whyslow_lab::cases;
use whyslow_lab::clean::clean;
use whyslow_lab::summary::comparisons;
use whyslow_lab::systems::USUAL_DIR;
use whyslow_lab::{Context, Error, Request, Run, Summary, System, table};
use whyslow_query::{Kind, ResultTable, Value};
use whyslow_render::{Curve, Paint, TextOptions, escape, number, write_curve, write_text};

pub(crate) use whyslow_lab::tables::TABLES;

use crate::args::{Format, LabArgs};
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
    let asked = args.asked();
    let request = cases::named(&args.case).map(|case| Request::new(case, &asked));
    let request = request.transpose().map_err(|error| failure(&error))?;
    let name = args.case.as_str();
    if name != "suite" && (args.file.is_some() || args.example) {
        return Err(Failure::usage("a file and --example belong to lab suite"));
    }
    if request.is_none() {
        asked
            .without_parameters()
            .map_err(|error| failure(&error))?;
    }
    let listed = match name {
        "suite" if args.example => return suite::example(),
        "suite" => Some(suite::read(args)?),
        "systems" => return systems::list(terminal),
        "clean" => return cleaned(args, terminal),
        _ => None,
    };
    if let Some(dir) = &args.output {
        keep::check(dir)?;
    }
    if args.record {
        return record::recorded(args, words, terminal);
    }
    let bench = Bench::new(terminal)?;
    match (listed, request) {
        (Some(suite), _) => suite::run(&suite, args, words, &bench, terminal),
        (None, Some(request)) => alone(&request, args, words, &bench, terminal),
        (None, None) => dialects::show(args, &said_as(words), &bench, terminal),
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

    /// Lets `work` measure, with progress on the terminal.
    fn measuring<T>(&self, work: impl FnOnce(Context<'_>) -> T) -> T {
        let tell = |what: &str| self.progress.borrow_mut().step(what);
        let done = work(Context {
            program: &self.program,
            stop: self.interrupt.flag(),
            tell: &tell,
        });
        self.progress.borrow_mut().clear();
        done
    }
}

/// One case on its systems, one after the other.
fn alone(
    request: &Request,
    args: &LabArgs,
    words: &[OsString],
    bench: &Bench,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    for system in &request.systems {
        if let Some(lack) = system.lacks() {
            return Err(Failure::cannot(format!("work on {}", system.name), lack)
                .hint("whyslow lab systems lists what this machine can provide"));
        }
    }
    let mut runs = Vec::new();
    let (case, options, force) = (request.case, &request.options, request.force);
    let failed = bench.measuring(|context| {
        let mut systems = request.systems.iter();
        let mut measure = |system: &System| {
            let asked = bench.interrupt.asked();
            let measured = !asked && system.lacks().is_none();
            let mut one = || system.measure(case, options, force, context, &mut runs);
            if measured { one().err() } else { None }
        };
        systems.find_map(&mut measure)
    });
    let interrupted = bench.interrupt.asked();
    let failed = failed.map(|error| failure(&error));
    if runs.is_empty() {
        return match failed {
            Some(failure) => Err(failure),
            None => Err(Failure::interrupted()),
        };
    }
    if let Some(failure) = &failed {
        terminal.fail(failure);
    }
    show(args, &runs, words, &[], &said, terminal)?;
    Ok(match failed {
        Some(failure) => failure.exit,
        None if interrupted => Exit::Interrupted,
        None => Exit::Success,
    })
}

/// Removes what killed runs left; where no place is named, in those that are used without one.
fn cleaned(args: &LabArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut removed = 0;
    let mut places = args.asked().systems();
    if args.dir.is_none() && args.on.is_empty() {
        places.push(System::memory());
    }
    for system in places {
        let dir = system.dir();
        if dir.exists() {
            removed += clean(dir).map_err(|error| failure(&error))?;
        }
        if dir == Path::new(USUAL_DIR) {
            // Ours alone; what is not empty stays.
            let _left = std::fs::remove_dir(dir);
        }
    }
    let things = if removed == 1 { "thing" } else { "things" };
    terminal.tell(&format!(
        "removed {removed} {things} that killed runs left behind"
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
        Error::Unfit { what, hint } => Failure::usage(what).hint(hint),
        Error::Io { what, path, source } => {
            let failure = Failure::cannot(format!("{what} {}", path.display()), plain(source));
            match io_hint(source) {
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
        terminal.tell(&escape(&told));
        Ok(())
    });
    // What cannot be kept is shown all the same.
    output::write_to(None, false, |out| match args.format {
        Format::Table => say(runs, &summaries, &table, terminal, out),
        Format::Data(format) => format.write(&table, &arguments, out),
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
        writeln!(out, "{}", terminal.paint.heading(&escape(&run.title())))?;
        for sentence in summary.sentences(run, cost) {
            writeln!(out, "{}", escape(&sentence))?;
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
        writeln!(out, "{}", escape(&line))?;
    }
    Ok(())
}

fn curve(run: &Run, room: usize, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let durations = run.durations();
    let curve = Curve {
        n: &run.n,
        duration_ns: &durations,
        things: run.words.things,
    };
    write_curve(&curve, room, paint, out)
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
    if name == cases::START {
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
    let probes = cases::start(words).map_err(|error| failure(&error))?;
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
