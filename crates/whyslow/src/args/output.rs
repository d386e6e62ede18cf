//! How an answer is written: the same options for every question.

use std::iter;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use whyslow_query::TimeChoice;
use whyslow_render::formats;

use crate::output::is_standard;

/// The format of an answer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Format {
    /// For a person, with units
    Table,
    /// Raw values
    Data(&'static formats::Format),
}

impl Format {
    /// The name of `--format` for a table for a person.
    pub(crate) const TABLE: &str = "table";

    /// Returns the format called `name`; a table if there is none.
    pub(crate) fn named(name: &str) -> Self {
        formats::find(name).map_or(Self::Table, Self::Data)
    }

    /// Returns the format of data, if it is one.
    pub(crate) fn data(self) -> Option<&'static formats::Format> {
        match self {
            Self::Table => None,
            Self::Data(format) => Some(format),
        }
    }

    /// Returns a parser for the names of the formats that `wanted` chooses; `table` describes a
    /// table.
    pub(crate) fn parser(
        table: &'static str,
        wanted: impl Fn(&formats::Format) -> bool,
    ) -> impl TypedValueParser<Value = Self> {
        let data = formats::ALL.iter().filter(|format| wanted(format));
        let data = data.map(|format| PossibleValue::new(format.name).help(format.doc));
        let table = PossibleValue::new(Self::TABLE).help(table);
        let parser = PossibleValuesParser::new(iter::once(table).chain(data).collect::<Vec<_>>());
        parser.map(|name| Self::named(&name))
    }

    /// Returns the names of the formats that `wanted` chooses, as a person lists them.
    pub(crate) fn names(wanted: impl Fn(&formats::Format) -> bool) -> String {
        let data = formats::ALL.iter().filter(|format| wanted(format));
        let names: Vec<&str> = iter::once(Self::TABLE)
            .chain(data.map(|format| format.name))
            .collect();
        match names.split_last() {
            Some((last, before)) if !before.is_empty() => {
                format!("{} or {last}", before.join(", "))
            }
            _ => names.concat(),
        }
    }
}

/// How an answer is written, and where to.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    #[arg(
        long,
        short,
        value_name = "FORMAT",
        hide_possible_values = true,
        value_parser = Format::parser("For a person, with units", |_| true),
        help = format!(
            "Write as {}; by default what the suffix of -o says, else table",
            Format::names(|_| true)
        )
    )]
    pub(crate) format: Option<Format>,
    /// Write to FILE, or with - to standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace FILE if it already exists
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Truncate nothing and leave no column out, however narrow the terminal
    #[arg(long, short, conflicts_with = "width")]
    pub(crate) wide: bool,
    /// Fit the table into N columns, also in a pipe
    #[arg(long, value_name = "N")]
    pub(crate) width: Option<usize>,
    /// Print times as trace (seconds), local, utc or here; local-time … without the date; mark:NAME: seconds since that mark
    #[arg(long, value_name = "WORD", default_value = "trace")]
    pub(crate) time_format: TimeChoice,
    /// Decimals of seconds, 0 to 9
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=9))]
    pub(crate) time_digits: u8,
}

impl OutputArgs {
    /// Returns the file to write to; `None` for standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_standard(path))
    }

    /// Returns the format to write.
    pub(crate) fn format(&self) -> Format {
        let suffix = self.output.as_deref().and_then(Path::extension);
        let by_suffix = suffix
            .and_then(|suffix| suffix.to_str())
            .map_or(Format::Table, Format::named);
        self.format.unwrap_or(by_suffix)
    }
}
