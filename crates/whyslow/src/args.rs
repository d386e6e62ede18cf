//! The command line: described once, here; help, completions, man pages and `docs/commands.md`
//! follow from it.

mod answer;
mod events;
mod findings;
mod importing;
#[cfg(target_os = "linux")]
mod lab;
#[cfg(target_os = "linux")]
mod now;
mod output;
mod question;
mod ranges;
mod recording;
mod selection;
#[cfg(target_os = "linux")]
mod setup;
mod unit;
mod why;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

pub(crate) use answer::{AnswerArgs, AnswerFormat};
pub(crate) use events::EventsArgs;
pub(crate) use findings::FindingArgs;
pub(crate) use importing::{ImportArgs, SymbolArgs, WindowsSymbolArgs};
#[cfg(target_os = "linux")]
pub(crate) use lab::{LabArgs, UNITS};
#[cfg(target_os = "linux")]
pub(crate) use now::NowArgs;
pub(crate) use output::{Format, OutputArgs};
pub(crate) use question::AskArgs;
pub(crate) use recording::{OwnerArgs, RecordingArgs, WindowsArgs};
use selection::SelectionArgs;
#[cfg(target_os = "linux")]
pub(crate) use setup::SetupArgs;
pub(crate) use unit::UnitArgs;
pub(crate) use why::WhyArgs;
use whyslow_arguments::size;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Cyan.on_default())
    .error(AnsiColor::Red.on_default().bold());

/// Returns the command line, with texts whose paragraphs are laid out for the terminal at hand.
pub(crate) fn command_line() -> clap::Command {
    whyslow_usage::flowing::command(Cli::command())
}

/// Takes the name of a trace; `-` is standard input.
fn trace() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| match path == Path::new("-") {
        true => "/dev/stdin".into(),
        false => path,
    })
}

/// Finds out why a computer was slow
///
/// Whyslow records what the whole machine does, reduces the recording to a small extract, and
/// answers questions from the extract: what used the CPUs, what waited and for what, what kept
/// threads from running.
#[derive(Debug, Parser)]
#[command(
    name = "whyslow", version, styles = STYLES, max_term_width = 100,
    disable_help_subcommand = true, subcommand_required = false,
    override_usage = "whyslow COMMAND [OPTIONS]", subcommand_help_heading = "Commands",
    after_help = whyslow_usage::texts::AFTER_HELP,
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Print without colors; NO_COLOR=1 does the same
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) no_color: bool,
    /// Show no progress on the terminal
    #[arg(long, short = 'q', global = true, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Record a command with the whole machine around it, and explain where its time went
    #[command(after_help = whyslow_usage::texts::RUN)]
    Run(RunArgs),
    /// Record the whole machine into a perf.data file
    #[command(after_help = whyslow_usage::texts::RECORD)]
    Record(RecordArgs),
    /// Reduce recordings (perf.data and .etl files) to extracts
    #[command(after_help = whyslow_usage::texts::EXTRACT)]
    Extract(ExtractArgs),
    /// Copy extracts for somebody else, with pseudonyms in place of names
    #[command(after_help = whyslow_usage::texts::EXPORT)]
    Export(ExportArgs),
    /// Say where the time of a recorded command, or of any process, went: the answer of `run`, again
    #[command(after_help = whyslow_usage::texts::WHY)]
    Why(WhyArgs),
    /// Record the machine for a few seconds, and say what it does and which programs are responsible
    #[cfg(target_os = "linux")]
    #[command(after_help = whyslow_usage::texts::NOW)]
    Now(NowArgs),
    /// Mark this moment in the recordings that run
    #[cfg(target_os = "linux")]
    #[command(after_help = whyslow_usage::texts::MARK)]
    Mark(MarkArgs),
    /// Explain how ordinary users may be allowed to record, set one way up, or undo it
    #[cfg(target_os = "linux")]
    #[command(after_help = whyslow_usage::texts::SETUP)]
    Setup(SetupArgs),
    /// A question
    #[command(flatten)]
    Ask(AskArgs),
    /// Any event of any provider in a trace itself (.etl, perf.data), counted or one by one
    #[command(after_help = whyslow_usage::texts::EVENTS)]
    Events(EventsArgs),
    /// Look up names for addresses again, from the extract alone
    #[command(after_help = whyslow_usage::texts::SYMBOLIZE)]
    Symbolize(SymbolizeArgs),
    /// Repeat an operation, time every one, and find the law of its cost
    #[cfg(target_os = "linux")]
    #[command(after_help = lab::help())]
    Lab(LabArgs),
    /// What the columns of a question or of an extract's table mean
    #[command(after_help = whyslow_usage::texts::COLUMNS)]
    Columns(ColumnsArgs),
    /// Explain a command, the rules for waits, or the exit codes
    Help(HelpArgs),
    /// Print a completion script for a shell
    #[command(after_help = whyslow_usage::texts::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page, or write one per command into a directory
    Man(ManArgs),
    /// Print a page of docs/ that is made from the program's own definitions
    #[command(hide = true)]
    Markdown(MarkdownArgs),
}

/// `run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Name the recording as a test case: files are called NAME_123msHOST.DATE
    #[arg(long, value_name = "NAME", help_heading = "Files")]
    pub(crate) name: Option<String>,
    /// Let the test case's time be the command's own: exit-code (in ms), stdout:REGEX (the first group of
    /// the last line that matches), or mark
    #[cfg(target_os = "linux")]
    #[arg(long, value_name = "HOW", requires = "name", value_parser = str::parse::<whyslow_marks::Measured>, help_heading = "Files")]
    pub(crate) measured: Option<whyslow_marks::Measured>,
    /// Put the extract here instead of into the current directory
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true,
        help_heading = "Files"
    )]
    pub(crate) output_dir: PathBuf,
    /// Keep the raw recording (perf.data) beside the extract
    #[arg(long, help_heading = "Files")]
    pub(crate) keep_trace: bool,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) findings: FindingArgs,
    #[command(flatten)]
    pub(crate) recording: RecordingArgs,
    #[command(flatten)]
    pub(crate) import: ImportArgs,
    #[command(flatten)]
    pub(crate) owner: OwnerArgs,
    /// The command and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// `record`.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// Write the recording to FILE; without it a name is made from host and time
    #[arg(long, short, value_name = "FILE", help_heading = "Files")]
    pub(crate) output: Option<PathBuf>,
    /// Replace FILE if it already exists
    #[arg(long, help_heading = "Files")]
    pub(crate) force: bool,
    /// Record for this long, such as 10s or 2min; without it and without a command, until Ctrl-C
    #[arg(long = "for", value_name = "TIME", value_parser = size::duration, conflicts_with = "command")]
    pub(crate) time: Option<std::time::Duration>,
    #[command(flatten)]
    pub(crate) recording: RecordingArgs,
    #[command(flatten)]
    pub(crate) windows: WindowsArgs,
    #[command(flatten)]
    pub(crate) owner: OwnerArgs,
    /// Record until this command ends
    #[arg(trailing_var_arg = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// `extract`.
#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// Recordings: perf.data files of `whyslow record` or `perf record`, .etl files of Windows, and
    /// .zip, .7z or .diagsession archives that hold one; - is standard input
    #[arg(required = true, value_name = "TRACE", value_parser = trace())]
    pub(crate) traces: Vec<PathBuf>,
    /// The .etl files belong to one recording that was never merged: make one extract of them
    #[arg(long, help_heading = "Files")]
    pub(crate) together: bool,
    /// Put the extracts into DIR instead of beside their recordings, or the one at NAME.whyslow
    #[arg(long, short, value_name = "DIR", help_heading = "Files")]
    pub(crate) output: Option<PathBuf>,
    /// Replace extracts that already exist
    #[arg(long, help_heading = "Files")]
    pub(crate) force: bool,
    /// Replace paths, arguments, and names of programs, threads and machines with pseudonyms: the same name
    /// always gets the same one, and paths keep their depth and extensions. Functions, and what comes with a
    /// system, keep their names
    #[arg(long, help_heading = "Extract")]
    pub(crate) redact: bool,
    /// Refuse recordings in archives or Windows traces from pipes that are larger than this
    #[arg(long, value_name = "SIZE", default_value = "64GiB", value_parser = size::size, help_heading = "Files")]
    pub(crate) most_unpacked: u64,
    #[command(flatten)]
    pub(crate) import: ImportArgs,
}

/// `export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Extracts: paths, directories, or patterns such as 'runs/*.whyslow'
    #[arg(required = true, value_name = "EXTRACT")]
    pub(crate) extracts: Vec<PathBuf>,
    /// Put the copies into DIR, or the one at NAME.whyslow
    #[arg(
        long,
        short,
        required = true,
        value_name = "DIR",
        help_heading = "Files"
    )]
    pub(crate) output: PathBuf,
    /// Replace extracts that are there already
    #[arg(long, help_heading = "Files")]
    pub(crate) force: bool,
    /// Replace paths, arguments, and names of programs, threads, users and machines with pseudonyms: the same name
    /// always gets the same one, and paths keep their depth and extensions. Functions, and what comes with a
    /// system, keep their names
    #[arg(long, help_heading = "Export")]
    pub(crate) redact: bool,
}

/// `mark`.
#[cfg(target_os = "linux")]
#[derive(Debug, Args)]
pub(crate) struct MarkArgs {
    /// What happens now, in up to 2,000 bytes
    #[arg(required_unless_present = "value", value_name = "TEXT")]
    pub(crate) text: Option<OsString>,
    /// Mark a number, too; may be given several times
    #[arg(long, value_name = "NAME=NUMBER", value_parser = whyslow_marks::named_number)]
    pub(crate) value: Vec<String>,
}

/// `symbolize`.
#[derive(Debug, Args)]
pub(crate) struct SymbolizeArgs {
    /// Extracts: paths, directories, or patterns such as 'runs/*.whyslow'
    #[arg(required = true, value_name = "EXTRACT")]
    pub(crate) extracts: Vec<PathBuf>,
    /// Look for modules and debug files below DIR first; may be given several times
    #[arg(long, value_name = "DIR", help_heading = "Symbols")]
    pub(crate) from: Vec<PathBuf>,
    /// Also look up inlined functions, source files and lines (slow)
    #[arg(long, help_heading = "Symbols")]
    pub(crate) inlined: bool,
    #[command(flatten)]
    pub(crate) windows: WindowsSymbolArgs,
}

/// `columns`.
#[derive(Debug, Args)]
pub(crate) struct ColumnsArgs {
    /// A question (such as cpu) or a table of an extract (such as thread_state); without it, all are listed
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// `help`.
#[derive(Debug, Args)]
pub(crate) struct HelpArgs {
    /// A command, `wait-rules`, or `exit-codes`
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: Vec<String>,
}

/// `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// A page made from the program's own definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Page {
    /// docs/commands.md
    Commands,
    /// docs/extract-format.md
    ExtractFormat,
}

/// `markdown`.
#[derive(Debug, Args)]
pub(crate) struct MarkdownArgs {
    /// The page
    #[arg(long, default_value = "commands")]
    pub(crate) page: Page,
}

/// `man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// A command; without it the program itself
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Write all pages into DIR, as whyslow.1, whyslow-cpu.1 …
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub(crate) all: Option<PathBuf>,
}

#[cfg(test)]
mod tests;
