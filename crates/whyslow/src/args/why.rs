//! `why`: which process, and when.

use std::path::PathBuf;

use clap::Args;

use whyslow_query::Selection;

use super::selection::WindowArgs;
use crate::args::{AnswerArgs, FindingArgs, UnitArgs};
use crate::failure::Failure;

/// `why`.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// Extracts: paths, directories, or patterns such as 'runs/*.whyslow'; without it, those of
    /// the current directory
    #[arg(value_name = "EXTRACT")]
    pub(crate) extracts: Vec<PathBuf>,
    /// Explain this process, by name, script or pid, and the processes it started; without it, the recorded
    /// command, the process that `now` was asked about, or the whole machine
    #[arg(long, short, value_name = "PROCESS", help_heading = "Which data")]
    pub(crate) process: Option<String>,
    #[command(flatten, next_help_heading = "Which data")]
    pub(crate) unit: UnitArgs,
    #[command(flatten)]
    pub(crate) window: WindowArgs,
    /// Show this finding alone, with all its evidence: its number, id or key
    #[arg(long, value_name = "ID", help_heading = "Findings", conflicts_with_all = ["container", "service"])]
    pub(crate) finding: Option<String>,
    /// Write the finding and its evidence into a file for others, FINDING.txt or what -o names
    #[arg(long, requires = "finding", help_heading = "Findings")]
    pub(crate) share: bool,
    /// In that file, replace names of programs, files, people and machines with pseudonyms
    #[arg(long, requires = "share", help_heading = "Findings")]
    pub(crate) redact: bool,
    /// Check the rules in FILE and try them on their examples; nothing is explained
    #[arg(long, value_name = "FILE", help_heading = "Findings", conflicts_with_all = ["extracts", "rules"])]
    pub(crate) check: Option<PathBuf>,
    /// With several extracts, show the answer of each, as JSON always does, not what they have in common
    #[arg(long, help_heading = "Findings")]
    pub(crate) each: bool,
    /// Show what the extracts have in common, as text always does
    #[arg(long, help_heading = "Findings", conflicts_with_all = ["each", "container", "service"])]
    pub(crate) together: bool,
    #[command(flatten)]
    pub(crate) findings: FindingArgs,
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
