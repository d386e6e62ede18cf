//! Which findings an answer shows.

use std::path::PathBuf;

use clap::Args;

/// Which findings `run` and `why` show.
#[derive(Debug, Clone, Args)]
pub(crate) struct FindingArgs {
    /// Leave out findings about less than this percentage of the time
    #[arg(long, value_name = "PERCENT", help_heading = "Findings")]
    pub(crate) min_share: Option<f64>,
    /// Leave out the findings that FILE accepts; without it, .whyslow-ignore of the current directory
    #[arg(long, value_name = "FILE", help_heading = "Findings")]
    pub(crate) ignore: Option<PathBuf>,
    /// Leave out nothing, whatever is accepted
    #[arg(long, help_heading = "Findings", conflicts_with = "ignore")]
    pub(crate) no_ignore: bool,
    /// Add the findings that the rules in FILE make
    #[arg(long, value_name = "FILE", help_heading = "Findings")]
    pub(crate) rules: Option<PathBuf>,
}
