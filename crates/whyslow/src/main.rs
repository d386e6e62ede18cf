//! The program: arguments, wiring, printing, exit codes. Everything else is in the libraries.
//!
//! ```text
//! main ─► args ─┬► ask      a question: open extracts ─ query ─ print
//!               ├► events   a trace itself: read ─ decode ─ count or list
//!               ├► extract  recordings: read ─ import ─ name ─ sum up ─ write
//!               ├► run      record ─ extract ─ explain
//!               ├► lab      repeat ─ time ─ find the law
//!               └► pages    help, columns, completions, manual pages
//! ```
//!
//! Only this crate prints, exits, or looks at the environment.

mod args;
mod ask;
mod events;
mod exit;
mod export;
mod extract;
mod failure;
mod findings;
mod inputs;
mod interrupt;
#[cfg(target_os = "linux")]
mod lab;
#[cfg(target_os = "linux")]
mod now;
mod output;
#[cfg(target_os = "linux")]
mod owner;
mod pages;
mod problem_report;
mod progress;
#[cfg(target_os = "linux")]
mod record;
mod reply;
#[cfg(target_os = "linux")]
mod run;
#[cfg(target_os = "linux")]
mod setup;
mod symbols;
mod terminal;
mod why;
mod windows;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command};
use exit::Exit;
use failure::Failure;
use terminal::Terminal;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    whyslow_person::rights::set_aside();
    whyslow_caught::keep_quiet();
    let words: Vec<OsString> = std::env::args_os().collect();
    if words.len() <= 1 {
        return welcome(&words).into();
    }
    #[cfg(target_os = "linux")]
    if whyslow_marks::spelling::set_at_once(&words) {
        return ExitCode::SUCCESS;
    }
    #[cfg(target_os = "linux")]
    if let Some(done) = lab::hidden(&words) {
        let failed = |failure| Terminal::new(true, true).fail(&failure).into();
        return done.map_or_else(failed, |()| ExitCode::SUCCESS);
    }
    let matches = args::command_line().try_get_matches_from(&words);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return misunderstood(&error, &words).into(),
    };
    let terminal = Terminal::new(cli.no_color, cli.quiet);
    let exit = match dispatch(cli, &words, &terminal) {
        Ok(exit) => exit,
        Err(failure) => terminal.fail(&failure),
    };
    exit.into()
}

/// Says what the program can do here and now.
#[cfg(target_os = "linux")]
fn welcome(words: &[OsString]) -> Exit {
    use whyslow_person::rights::{while_reading_tracefs, while_recording};

    // What this user can do by a copy with rights counts.
    let _own = setup::continue_as_copy(words);
    let here = inputs::find(&[]).unwrap_or_default();
    let newest = here.last().map(|path| path.to_string_lossy());
    let at_hand = newest
        .as_deref()
        .map(|path| (path.trim_start_matches("./"), here.len()));
    let abilities = while_recording(|| while_reading_tracefs(whyslow_abilities::Abilities::now));
    output::print(whyslow_abilities::overview(&abilities, at_hand))
}

#[cfg(not(target_os = "linux"))]
fn welcome(_words: &[OsString]) -> Exit {
    output::print(whyslow_usage::texts::WELCOME)
}

/// Prints help, or what is wrong with the command line.
fn misunderstood(error: &clap::Error, words: &[OsString]) -> Exit {
    if !error.use_stderr() {
        return output::printed(error.print());
    }
    let said = whyslow_usage::explain(error, &args::command_line(), words);
    let failure = Failure::usage(said.what).hint(said.hint);
    let recorders = ["run", "record"];
    let records = words
        .get(1)
        .is_some_and(|word| recorders.iter().any(|one| word == one));
    // Our exit codes must not be mistaken for those of the command.
    let exit = if records {
        Exit::RecorderFailed
    } else {
        Exit::Usage
    };
    Terminal::new(false, true).fail(&failure.exit(exit))
}

fn dispatch(cli: Cli, words: &[OsString], terminal: &Terminal) -> Result<Exit, Failure> {
    let Some(command) = cli.command else {
        return Ok(welcome(words));
    };
    #[cfg(target_os = "linux")]
    setup::before(&command, words, terminal);
    #[cfg(target_os = "linux")]
    owner::of_files(&command);
    match command {
        Command::Ask(args) => ask::ask(&args, words, terminal),
        Command::Why(args) => why::why(&args, terminal),
        Command::Events(args) => events::events(&args, words, terminal),
        Command::Columns(args) => pages::columns(args.name.as_deref(), terminal),
        Command::Help(args) => pages::help(args::command_line(), &args.topic),
        Command::Completions(args) => Ok(pages::completions(Cli::command(), args.shell)),
        Command::Man(args) => pages::manual(Cli::command(), &args),
        Command::Markdown(args) => Ok(output::print(pages::page(args.page, Cli::command()))),
        Command::Extract(args) => extract::extract(&args, terminal),
        Command::Export(args) => export::export(&args, terminal),
        Command::Symbolize(args) => extract::symbolize(&args, terminal),
        Command::Record(args) if args.windows.print_windows => windows::print(&args),
        #[cfg(target_os = "linux")]
        Command::Run(args) => run::run(&args, words, terminal),
        #[cfg(target_os = "linux")]
        Command::Now(args) => now::now(&args, words, terminal),
        #[cfg(target_os = "linux")]
        Command::Mark(args) => record::mark(args),
        #[cfg(target_os = "linux")]
        Command::Record(args) => record::record(&args, words, terminal),
        #[cfg(target_os = "linux")]
        Command::Lab(args) => lab::lab(&args, words, terminal),
        #[cfg(target_os = "linux")]
        Command::Setup(args) => setup::setup(&args),
        #[cfg(not(target_os = "linux"))]
        Command::Run(_) => Err(windows::no_run()),
        #[cfg(windows)]
        Command::Record(args) => windows::record(&args, terminal),
        #[cfg(not(any(target_os = "linux", windows)))]
        Command::Record(_) => Err(windows::no_recorder()),
    }
}
