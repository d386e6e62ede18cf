//! Options for ranges of values, one per column of numbers of a question: `--cpu 10ms..`,
//! `--switches 100..200`. They are made from the questions' columns, so a new column has its option.

use clap::{Arg, ArgMatches, Command};

use whyslow_query::{ColumnRange, Kind, ResultColumn, questions};

/// The heading of these options in the help.
const HEADING: &str = "Only rows with (RANGE is 10ms.., ..1s, 10-20ms or 5..100)";

/// The subcommands that ask, and the questions behind each.
pub(crate) const ASKING: [(&str, &[&str]); 10] = [
    ("processes", &["processes"]),
    ("threads", &["threads"]),
    ("cpu", &["cpu", "methods"]),
    ("waits", &["waits"]),
    ("stacks", &["stacks"]),
    ("timeline", &["timeline"]),
    ("stats", &["stats"]),
    ("problems", &["problems"]),
    ("events", &["events"]),
    ("missing", &["missing"]),
];

/// Returns the columns of the questions behind `subcommand`, each key once.
pub(crate) fn columns(subcommand: &str) -> Vec<&'static ResultColumn> {
    let asking = ASKING.iter().find(|(name, _)| *name == subcommand);
    let names = asking.map_or(&[][..], |(_, questions)| questions);
    let mut columns: Vec<&'static ResultColumn> = Vec::new();
    for question in questions::ALL.iter().filter(|q| names.contains(&q.name)) {
        for column in question.columns {
            if !columns.iter().any(|known| known.key == column.key) {
                columns.push(column);
            }
        }
    }
    columns
}

/// Adds the range options to all asking subcommands.
pub(crate) fn add(mut command: Command) -> Command {
    // Every subcommand is touched, because a touched one moves to the end.
    let names: Vec<String> = command
        .get_subcommands()
        .map(|sub| sub.get_name().to_owned())
        .collect();
    for name in names {
        command = command.mut_subcommand(&name, |mut sub| {
            for column in columns(&name) {
                if let Some(arg) = option(&sub, column) {
                    sub = sub.arg(arg);
                }
            }
            sub
        });
    }
    command
}

/// Returns the ranges that were given to `subcommand`.
pub(crate) fn given(subcommand: &str, matches: &ArgMatches) -> Vec<ColumnRange> {
    let mut ranges = Vec::new();
    for column in columns(subcommand)
        .into_iter()
        .filter(|column| is_number(column))
    {
        // A key that has no option of its own reads as an error here: it is somebody else's.
        let Ok(Some(text)) = matches.try_get_one::<String>(&id(column)) else {
            continue;
        };
        ranges.push(ColumnRange {
            column: column.key.to_owned(),
            range: text.clone(),
        });
    }
    ranges
}

fn is_number(column: &ResultColumn) -> bool {
    let is_number = !matches!(column.kind, Kind::Text | Kind::Address | Kind::WallTime);
    // Patterns find processes and threads by their ids.
    is_number && !matches!(column.key, "pid" | "tid" | "parent" | "session")
}

fn id(column: &ResultColumn) -> String {
    format!("range-{}", column.key)
}

fn option(sub: &Command, column: &'static ResultColumn) -> Option<Arg> {
    let mut taken = sub.get_arguments();
    let taken = taken.any(|arg| arg.get_long() == Some(column.key));
    if taken || !is_number(column) {
        return None;
    }
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
    Some(arg.allow_hyphen_values(true).help_heading(HEADING))
}
