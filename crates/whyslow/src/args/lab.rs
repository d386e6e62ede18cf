//! `lab`: which experiment, how much of it, on what. The cases and their parameters come from the lab's
//! list.

mod help;
mod law;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use whyslow_lab::cases::{self, parameters};
use whyslow_lab::export::Language;
use whyslow_lab::number::count;
use whyslow_lab::suite::PASSES;
use whyslow_lab::{Asked, Error, NamedCommand, System, Units};
use whyslow_render::Format as Data;

use super::Format;
pub(crate) use help::help;
pub(crate) use law::LawArgs;
use whyslow_arguments::size;

/// How people write sizes and times.
pub(crate) const UNITS: Units = Units {
    duration: size::duration,
    size: size::size,
};

/// What `lab` does besides its cases: the name, and what it does.
const TOOLS: [(&str, &str); 7] = [
    (
        "dialects",
        "compare reopen for every pair of SMB dialects of a server and a client",
    ),
    (
        "suite",
        "run all experiments listed in a file, for one report; --example prints such a file",
    ),
    (
        "compare",
        "say what changed between two experiments kept with -o, with intervals",
    ),
    (
        "export",
        "print an experiment as one program for a machine without Whyslow, in C, PowerShell …",
    ),
    (
        "law",
        "find the law of numbers in a file: a CSV, or a duration per line",
    ),
    (
        "systems",
        "list the systems that this machine can provide, and what the others lack",
    ),
    (
        "clean",
        "remove what killed runs left in --dir; without it here and in /dev/shm",
    ),
];

/// Returns everything that may be named as the case.
fn case_names() -> PossibleValuesParser {
    let cases = cases::ALL.iter().map(|case| {
        let value = PossibleValue::new(case.name).help(case.about);
        value.aliases(case.aliases.iter().copied())
    });
    let tools = TOOLS.map(|(name, about)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(cases.chain(tools).collect::<Vec<_>>())
}

/// Returns whether a result can be printed in a format.
fn is_printed(format: &Data) -> bool {
    !format.needs_file
}

/// The parameters of cases that were given, by name.
#[derive(Debug, Clone)]
pub(crate) struct CaseArgs(pub(crate) BTreeMap<&'static str, Vec<u64>>);

impl Args for CaseArgs {
    fn augment_args(command: Command) -> Command {
        command.args(parameters().into_iter().map(|(parameter, cases)| {
            let arg = Arg::new(parameter.name)
                .long(parameter.name)
                .value_name(parameter.value)
                .help(format!("{}: {}", cases.join(", "), parameter.help))
                .help_heading("For some cases")
                .action(ArgAction::Append)
                .value_parser(move |text: &str| parameter.parse(text, UNITS));
            match parameter.short {
                Some(short) => arg.short(short),
                None => arg,
            }
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for CaseArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = BTreeMap::new();
        for (parameter, _) in parameters() {
            if let Some(values) = matches.get_many::<Vec<u64>>(parameter.name) {
                given.insert(parameter.name, values.flatten().copied().collect());
            }
        }
        Ok(Self(given))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// `lab`.
#[derive(Debug, Clone, Args)]
pub(crate) struct LabArgs {
    /// What to repeat; the list below explains
    #[arg(value_name = "CASE", value_parser = case_names(), hide_possible_values = true)]
    pub(crate) case: String,
    /// suite: the file that lists the experiments; law: the file with the numbers, or - for standard input; compare: the
    /// directory of the first experiment; export: the case, such as create
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// compare: the directory of the second experiment
    #[arg(value_name = "OTHER")]
    pub(crate) other: Option<PathBuf>,
    /// suite: print an example of such a file
    #[arg(long, help_heading = "How much")]
    pub(crate) example: bool,
    /// Operations per series (also --files, --settings, --starts); 300k, 1e6 and 300,000 are accepted, and the
    /// default depends on the case
    #[arg(long, value_name = "N", aliases = ["files", "settings", "starts"], value_parser = count, help_heading = "How much")]
    pub(crate) count: Option<u64>,
    /// Stop a series after this time, such as 10s or 2min, and judge what was measured
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = size::duration, help_heading = "How much")]
    pub(crate) budget: Duration,
    /// Repeat a series up to N times if noise could explain its curve; a law is reported only if the passes
    /// agree, and no pass begins that would end after the budget
    #[arg(long, value_name = "N", default_value_t = PASSES.0, value_parser = clap::value_parser!(u32).range(1..=i64::from(PASSES.1)), help_heading = "How much")]
    pub(crate) passes: u32,
    #[command(flatten)]
    pub(crate) own: CaseArgs,
    #[command(flatten)]
    pub(crate) law: LawArgs,
    /// Work in DIR, which must be new or empty; by default in a new directory below the current one
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with = "on",
        help_heading = "Where"
    )]
    pub(crate) dir: Option<PathBuf>,
    /// Work on these in turn and compare: dir:PATH, tmpfs, ext4, xfs …; `lab systems` lists them
    #[arg(
        long,
        value_name = "SYSTEM",
        value_delimiter = ',',
        value_parser = system,
        help_heading = "Where"
    )]
    pub(crate) on: Vec<System>,
    /// Also work in a directory that is not empty; its files are not touched
    #[arg(long, help_heading = "Where")]
    pub(crate) force: bool,
    #[arg(
        long,
        short,
        value_name = "FORMAT",
        default_value = Format::TABLE,
        hide_possible_values = true,
        value_parser = Format::parser("Verdicts, charts and a table", is_printed),
        help = format!("Print as {}", Format::names(is_printed)),
        help_heading = "Output"
    )]
    pub(crate) format: Format,
    /// export: the language: c, ps1 (PowerShell), cmd (batch), vbs (VBScript) or sh
    #[arg(long = "as", value_name = "LANGUAGE", value_parser = Language::named, help_heading = "Output")]
    pub(crate) language: Option<Language>,
    /// Also write every operation and the charts into DIR, which must be new
    #[arg(long, short, value_name = "DIR", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Also record the whole machine while it measures, and extract the recording: to DIR/recording.whyslow with -o,
    /// else to lab-CASE-TIME.whyslow in the current directory
    #[arg(long, help_heading = "Output")]
    pub(crate) record: bool,
    /// command: what the command is called, where it is compared: --name a -- A… --vs --name b -- B…
    #[arg(long, value_name = "NAME", help_heading = "For some cases")]
    pub(crate) name: Option<String>,
    /// command: the command and its arguments; after --vs another one, to compare
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

fn system(text: &str) -> Result<System, String> {
    System::named(text, UNITS)
}

impl LabArgs {
    /// Returns what is asked of the lab.
    ///
    /// # Errors
    /// When commands are missing, or have no distinct names.
    pub(crate) fn asked(&self) -> Result<Asked, Error> {
        Ok(Asked {
            count: self.count,
            budget: self.budget,
            passes: self.passes,
            given: self.own.0.clone(),
            commands: NamedCommand::all(self.name.as_deref(), &self.command)?,
            on: self.on.clone(),
            dir: self.dir.clone(),
            force: self.force,
        })
    }
}
