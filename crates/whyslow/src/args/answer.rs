//! How the answer of `run` is written, and where to.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

/// The format of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// For a person
    Text,
    /// One object with the parts of the wall time and all findings
    Json,
}

/// How the answer is written, and where to.
#[derive(Debug, Clone, Args)]
pub(crate) struct AnswerArgs {
    /// Write the answer as text or json; by default text, or json if FILE ends in .json
    #[arg(
        long,
        short,
        value_name = "FORMAT",
        value_enum,
        help_heading = "Answer",
        hide_possible_values = true
    )]
    pub(crate) format: Option<AnswerFormat>,
    /// Write the answer to FILE instead of printing it, or with - to standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Answer")]
    pub(crate) output: Option<PathBuf>,
    /// Do not shorten function names
    #[arg(long, short, help_heading = "Answer")]
    pub(crate) wide: bool,
}

impl AnswerArgs {
    /// Returns the format to write.
    pub(crate) fn format(&self) -> AnswerFormat {
        let suffix = self.output.as_deref().and_then(Path::extension);
        let by_suffix = match suffix == Some(OsStr::new("json")) {
            true => AnswerFormat::Json,
            false => AnswerFormat::Text,
        };
        self.format.unwrap_or(by_suffix)
    }
}
