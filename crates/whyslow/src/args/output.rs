//! How an answer is written: the same options for every question.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use whyslow_query::TimeFormat;

/// What an answer is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a person, with units
    Table,
    /// RFC 4180; raw integers, the unit in the column's name
    Csv,
    /// One object with the query, columns, rows and notes
    Json,
    /// A Parquet file; needs -o
    Parquet,
}

/// How times print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TimeWord {
    /// Seconds since the recording's start
    Trace,
    /// Date and local time of the recorded machine
    Local,
    /// Local time of the recorded machine
    LocalTime,
    /// Date and time UTC
    Utc,
    /// Time UTC
    UtcTime,
    /// Your own date and local time
    Here,
    /// Your own local time
    HereTime,
}

impl TimeWord {
    /// Returns the format; `here_offset_s` is the reader's offset from UTC in seconds east.
    pub(crate) fn format(self, here_offset_s: i32) -> TimeFormat {
        match self {
            Self::Trace => TimeFormat::Trace,
            Self::Local => TimeFormat::Local,
            Self::LocalTime => TimeFormat::LocalTime,
            Self::Utc => TimeFormat::Utc,
            Self::UtcTime => TimeFormat::UtcTime,
            Self::Here => TimeFormat::Here(here_offset_s),
            Self::HereTime => TimeFormat::HereTime(here_offset_s),
        }
    }
}

/// How an answer is written, and where to.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write as table, csv, json or parquet; without it as the suffix of -o says, else as table
    #[arg(long, short, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) format: Option<Format>,
    /// Write to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace FILE if it is there already
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Cut nothing and leave no column out, however narrow the terminal
    #[arg(long, short, conflicts_with = "width")]
    pub(crate) wide: bool,
    /// Fit the table into N columns, also in a pipe
    #[arg(long, value_name = "N")]
    pub(crate) width: Option<usize>,
    /// Print times as trace (seconds), local, utc or here; local-time … without the date
    #[arg(
        long,
        value_name = "WORD",
        default_value = "trace",
        hide_possible_values = true
    )]
    pub(crate) time_format: TimeWord,
    /// Decimals of seconds, 0 to 9
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=9))]
    pub(crate) time_digits: u8,
}

impl OutputArgs {
    /// Returns the format to write.
    pub(crate) fn format(&self) -> Format {
        let suffix = self.output.as_deref().and_then(Path::extension);
        let by_suffix = match suffix.and_then(|suffix| suffix.to_str()) {
            Some("csv") => Format::Csv,
            Some("json") => Format::Json,
            Some("parquet") => Format::Parquet,
            _ => Format::Table,
        };
        self.format.unwrap_or(by_suffix)
    }
}
