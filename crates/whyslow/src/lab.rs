//! `lab`: an experiment per system, then what it says.
//!
//! Verdicts, charts and the table go to standard output; progress goes to standard error.
//! Ctrl-C ends the series, and what was measured so far is shown.

mod compare;
mod dialects;
mod export;
mod keep;
mod law;
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
use whyslow_lab::systems::USUAL_DIR;
use whyslow_lab::{Context, Error, Request, System};
use whyslow_render::escape;
use whyslow_report::said::{self, Measured, Page};
use whyslow_report::unit::cost;
use whyslow_series::{Run, Summary, table};

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
    let asked = args.asked().map_err(|error| failure(&error))?;
    let request = cases::named(&args.case).map(|case| Request::new(case, &asked));
    let request = request.transpose().map_err(|error| failure(&error))?;
    let name = args.case.as_str();
    let takes_one = ["suite", "compare", "export", "law"].contains(&name);
    if args.file.is_some() && !takes_one || args.other.is_some() && name != "compare" {
        return Err(Failure::usage(
            "only lab suite, lab compare and lab law take files",
        ));
    }
    if args.language.is_some() && name != "export" {
        return Err(Failure::usage("--as belongs to lab export"));
    }
    if name != "suite" && args.example {
        return Err(Failure::usage("--example belongs to lab suite"));
    }
    if name != "law" && args.law.is_given() {
        let options = "--n, --duration, --unit and --by belong to lab law";
        return Err(Failure::usage(options));
    }
    if name == "export" {
        return export::exported(args, &asked);
    }
    if request.is_none() {
        asked
            .without_parameters()
            .map_err(|error| failure(&error))?;
    }
    let listed = match name {
        "suite" if args.example => return suite::example(),
        "suite" => Some(suite::read(args)?),
        "compare" => return compare::compared(args, words, terminal),
        "law" => return law::told(args, words, terminal),
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

/// One case on its systems, one after another.
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
    show(args, &runs, words, &[], said::experiment, terminal)?;
    Ok(match failed {
        Some(failure) => failure.exit,
        None if interrupted => Exit::Interrupted,
        None if runs.iter().any(Run::command_failed) => Exit::Failure,
        None => Exit::Success,
    })
}

/// Removes what killed runs left; without a named place, in the default places.
fn cleaned(args: &LabArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut removed = 0;
    let mut places = args.asked().map_err(|error| failure(&error))?.systems();
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
                "name an empty or a new directory, or use --force: existing files stay untouched; \
                 whyslow lab clean removes what killed runs left; another run may be working there",
            )
        }
        Error::NotPrivate { dir } => Failure::cannot(
            format!("make a file system in {}", dir.display()),
            "other users can replace files there",
        )
        .hint("work in a directory that only you can write to"),
        Error::NothingToDo => {
            Failure::usage(error).hint("--count, --jobs and --threads must be at least 1")
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
        Error::NoTime => Failure::cannot("measure", error).hint("give it more time with --budget"),
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

/// Writes an experiment for a person.
type Say = fn(Measured<'_>, Page, &mut (dyn Write + Send)) -> io::Result<()>;

/// Prints what the runs say, and keeps them if asked.
fn show(
    args: &LabArgs,
    runs: &[Run],
    words: &[OsString],
    notes: &[String],
    say: Say,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let summaries: Vec<Summary> = runs.iter().map(Summary::of).collect();
    let mut table = table(runs, &summaries, cost);
    table.title = "lab".to_owned();
    let arguments = said_as(words);
    let kept = args.output.as_deref().map(|dir| {
        keep::keep(dir, runs, &summaries, &table, &arguments, (notes, &[]))?;
        let told = format!("every operation is in {}", dir.display());
        terminal.tell(&escape(&told));
        Ok(())
    });
    // If it cannot be kept, it is shown nevertheless.
    output::write_to(None, false, |out| match args.format {
        Format::Table => {
            let measured = Measured {
                runs,
                summaries: &summaries,
                table: &table,
            };
            say(measured, page(terminal), out)
        }
        Format::Data(format) => format.write(&table, &arguments, out),
    })?;
    kept.unwrap_or(Ok(()))
}

/// Returns the page for a person.
fn page(terminal: &Terminal) -> Page {
    Page {
        width: terminal.width,
        paint: terminal.paint,
    }
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
