//! `setup`: what is to be done.

use clap::Args;

/// `setup`.
#[derive(Debug, Args)]
pub(crate) struct SetupArgs {
    /// Install a copy of this program that lets its users record; needs root
    #[arg(long, conflicts_with = "undo")]
    pub(crate) capabilities: bool,
    /// Only the members of this group may execute the copy
    #[arg(long, value_name = "NAME", requires = "capabilities")]
    pub(crate) group: Option<String>,
    /// Remove the copy again; needs root
    #[arg(long)]
    pub(crate) undo: bool,
}
