//! `now`: for how long, and about what.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{AnswerArgs, FindingArgs, ImportArgs, RecordingArgs, UnitArgs};
use whyslow_arguments::size::duration;

/// `now`.
#[derive(Debug, Args)]
pub(crate) struct NowArgs {
    /// Record for this long, such as 10s or 2min
    #[arg(long = "for", value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub(crate) time: Duration,
    /// Explain this process, by name or pid, and the processes it started; without it, the programs that do
    /// most
    #[arg(long, short, value_name = "PROCESS", visible_aliases = ["pid", "name"])]
    pub(crate) process: Option<String>,
    #[command(flatten)]
    pub(crate) unit: UnitArgs,
    /// Repeat until Ctrl-C; keeps no extract
    #[arg(long)]
    pub(crate) watch: bool,
    /// Put the extract here instead of into the current directory
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true,
        help_heading = "Files"
    )]
    pub(crate) output_dir: PathBuf,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) findings: FindingArgs,
    #[command(flatten)]
    pub(crate) recording: RecordingArgs,
    #[command(flatten)]
    pub(crate) import: ImportArgs,
}
