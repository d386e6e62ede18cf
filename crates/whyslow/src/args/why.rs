//! `why`: which process, and when.

use std::path::PathBuf;

use clap::Args;

use whyslow_query::{Selection, TimePoint};

use crate::args::AnswerArgs;
use crate::failure::Failure;

/// `why`.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// Extracts: paths, directories, or patterns such as 'runs/*.whyslow'; without it, those of
    /// the current directory
    #[arg(value_name = "EXTRACT")]
    pub(crate) extracts: Vec<PathBuf>,
    /// Explain this process, by name or pid, and what it started; without it, the command that was
    /// recorded
    #[arg(long, short, value_name = "PROCESS", help_heading = "Which data")]
    pub(crate) process: Option<String>,
    /// Only what happened from then on: 1.5s, 14:30:05, 2026-11-21T14:30:05Z
    #[arg(
        long,
        value_name = "TIME",
        allow_hyphen_values = true,
        help_heading = "Which data"
    )]
    pub(crate) from: Option<String>,
    /// Only what happened before: like --from, or +2s after it
    #[arg(
        long,
        value_name = "TIME",
        allow_hyphen_values = true,
        help_heading = "Which data"
    )]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

impl WhyArgs {
    /// Returns the selection of the time.
    pub(crate) fn selection(&self) -> Result<Selection, Failure> {
        let time = |text: &Option<String>| {
            let point = text.as_deref().map(TimePoint::parse).transpose();
            point.map_err(Failure::usage)
        };
        Ok(Selection {
            from: time(&self.from)?,
            to: time(&self.to)?,
            ..Selection::default()
        })
    }
}
