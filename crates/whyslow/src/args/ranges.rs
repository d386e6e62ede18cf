//! Options for ranges of values, one per column of numbers of a question: `--cpu 10ms..`,
//! `--switches 100..200`. They are made from the questions' columns, so a new column has its option.

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use whyslow_query::questions::EVENTS;
use whyslow_query::{ColumnRange, Kind, ResultColumn};

/// The heading of these options in the help.
const HEADING: &str = "Only rows with (RANGE is 10ms.., ..1s, 10-20ms or 5..100)";

/// Adds an option per column of numbers, as far as the command has no other option of that name.
pub(super) fn add(
    command: Command,
    columns: impl IntoIterator<Item = &'static ResultColumn>,
) -> Command {
    let columns = columns.into_iter().filter(|column| is_number(column));
    columns.fold(command, |command, column| {
        let is_it = |arg: &Arg| arg.get_long() == Some(column.key);
        if command.get_arguments().any(is_it) {
            return command;
        }
        command.arg(option(column))
    })
}

/// Returns the ranges that were given for `columns`.
pub(super) fn given(
    columns: impl IntoIterator<Item = &'static ResultColumn>,
    matches: &ArgMatches,
) -> Vec<ColumnRange> {
    let mut ranges: Vec<ColumnRange> = Vec::new();
    for column in columns {
        // A key that has no option of its own is an error here: the option belongs to another part
        // of the command.
        let Ok(Some(text)) = matches.try_get_one::<String>(&id(column)) else {
            continue;
        };
        if !ranges.iter().any(|known| known.column == column.key) {
            ranges.push(ColumnRange {
                column: column.key.to_owned(),
                range: text.clone(),
            });
        }
    }
    ranges
}

/// The ranges for the counts of `events`.
#[derive(Debug)]
pub(crate) struct EventRanges(pub(crate) Vec<ColumnRange>);

impl Args for EventRanges {
    fn augment_args(command: Command) -> Command {
        add(command, EVENTS.columns)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EventRanges {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Self(given(EVENTS.columns, matches)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn is_number(column: &ResultColumn) -> bool {
    let is_number = !matches!(column.kind, Kind::Text | Kind::Address | Kind::WallTime);
    // Patterns find processes and threads by their ids.
    is_number && !matches!(column.key, "pid" | "tid" | "parent" | "session")
}

fn id(column: &ResultColumn) -> String {
    format!("range-{}", column.key)
}

fn option(column: &'static ResultColumn) -> Arg {
    // A heading such as `of it` says nothing without the column before it.
    let what = match column.heading.starts_with(char::is_lowercase) {
        true => column.doc.trim_end_matches('.'),
        false => column.heading,
    };
    let help = format!("{what} within RANGE");
    let arg = Arg::new(id(column))
        .long(column.key)
        .value_name("RANGE")
        .help(help);
    arg.allow_hyphen_values(true).help_heading(HEADING)
}
