//! `why`: which process, and when.

use std::path::PathBuf;

use clap::Args;

use whyslow_query::Selection;

use super::selection::WindowArgs;
use crate::args::AnswerArgs;
use crate::failure::Failure;

/// `why`.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// Extracts: paths, directories, or patterns such as 'runs/*.whyslow'; without it, those of
    /// the current directory
    #[arg(value_name = "EXTRACT")]
    pub(crate) extracts: Vec<PathBuf>,
    /// Explain this process, by name or pid, and the processes it started; without it, the command that was
    /// recorded, or the whole machine
    #[arg(long, short, value_name = "PROCESS", help_heading = "Which data")]
    pub(crate) process: Option<String>,
    #[command(flatten)]
    pub(crate) window: WindowArgs,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

impl WhyArgs {
    /// Returns the selection of the time.
    pub(crate) fn selection(&self) -> Result<Selection, Failure> {
        let (from, to) = self.window.points()?;
        Ok(Selection {
            from,
            to,
            ..Selection::default()
        })
    }
}
