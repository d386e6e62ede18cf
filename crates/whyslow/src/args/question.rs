//! The questions as subcommands: made from their list, so that a new question has its command.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand, value_parser,
};

use whyslow_query::argument::{Argument, ArgumentValue, Arguments, Takes};
use whyslow_query::{ColumnRange, Question, ResultColumn, questions};

use super::ranges;
use super::{OutputArgs, SelectionArgs};
use whyslow_arguments::size;

/// A question and how it is asked.
#[derive(Debug)]
pub(crate) struct AskArgs {
    /// The question.
    pub(crate) question: &'static Question,
    /// Which data it is about, and which rows are shown.
    pub(crate) selection: SelectionArgs,
    /// Ranges for the values of columns.
    pub(crate) ranges: Vec<ColumnRange>,
    /// The question's own arguments.
    pub(crate) arguments: Arguments,
    /// How the answer is written.
    pub(crate) output: OutputArgs,
}

impl Subcommand for AskArgs {
    fn augment_subcommands(command: Command) -> Command {
        let questions = questions::ALL.iter();
        command.subcommands(questions.map(|question| subcommand(question)))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        questions::find(name).is_some()
    }
}

impl FromArgMatches for AskArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let Some((name, matches)) = matches.subcommand() else {
            return Err(Error::new(ErrorKind::MissingSubcommand));
        };
        let Some(question) = questions::find(name) else {
            return Err(Error::new(ErrorKind::InvalidSubcommand));
        };
        let mut arguments = Arguments::default();
        for argument in question.arguments {
            if let Some(value) = given(argument, matches) {
                arguments.set(argument, value);
            }
        }
        Ok(Self {
            question,
            selection: SelectionArgs::from_arg_matches(matches)?,
            ranges: ranges::given(columns(question), matches),
            arguments,
            output: OutputArgs::from_arg_matches(matches)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn subcommand(question: &'static Question) -> Command {
    let command = SelectionArgs::augment_args(Command::new(question.name));
    let command = command.args(question.arguments.iter().map(option));
    let command = OutputArgs::augment_args(command);
    let command = ranges::add(command, columns(question));
    // The groups of options set texts of their own.
    command
        .about(question.about)
        .long_about(None)
        .after_help(question.help)
}

/// Returns the columns of the tables of `question`; a key may come twice.
fn columns(question: &Question) -> impl Iterator<Item = &'static ResultColumn> {
    let tables = question.tables.iter();
    tables.flat_map(|table| table.columns)
}

/// Returns the option for an argument of a question.
fn option(argument: &'static Argument) -> Arg {
    let option = Arg::new(argument.name)
        .long(argument.name)
        .help(argument.doc)
        .help_heading("What is shown");
    match argument.takes {
        Takes::Nothing => option.action(ArgAction::SetTrue),
        Takes::Choice { choices, default } => {
            let choices = choices.iter();
            let words = choices.map(|choice| PossibleValue::new(choice.word).help(choice.doc));
            let parser = PossibleValuesParser::new(words);
            option
                .value_name("WHAT")
                .value_parser(parser)
                .default_value(default)
        }
        Takes::Percent { default } => option
            .value_name("PERCENT")
            .value_parser(value_parser!(f64))
            .default_value(default.to_string()),
        Takes::Count { default } => option
            .value_name("N")
            .value_parser(value_parser!(usize))
            .default_value(default.to_string()),
        Takes::Duration => option.value_name("TIME").value_parser(size::duration),
        Takes::Pattern => option.value_name("PATTERN"),
    }
}

/// Returns the value that an argument has on the command line.
fn given(argument: &Argument, matches: &ArgMatches) -> Option<ArgumentValue> {
    let name = argument.name;
    match argument.takes {
        Takes::Nothing => matches.get_flag(name).then_some(ArgumentValue::Given),
        Takes::Choice { .. } => matches.get_one(name).cloned().map(ArgumentValue::Word),
        Takes::Percent { .. } => matches.get_one(name).copied().map(ArgumentValue::Percent),
        Takes::Count { .. } => matches.get_one(name).copied().map(ArgumentValue::Count),
        Takes::Pattern => matches
            .get_one(name)
            .map(|text: &String| ArgumentValue::Pattern(text.clone())),
        Takes::Duration => {
            let time: Option<&std::time::Duration> = matches.get_one(name);
            let ns = time.and_then(|time| i64::try_from(time.as_nanos()).ok());
            ns.map(ArgumentValue::DurationNs)
        }
    }
}
