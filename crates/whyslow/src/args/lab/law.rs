//! The options of `lab law`: which columns of a file hold what.

use clap::Args;
use whyslow_series::imported::{Asked, Unit};

/// Which columns of a file hold what.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "For lab law")]
pub(crate) struct LawArgs {
    /// The column with n, by its name or its number; without it the rows are counted
    #[arg(long, value_name = "COLUMN")]
    pub(crate) n: Option<String>,
    /// The column with the durations, by its name or its number; not needed if it is clear which one
    #[arg(long, value_name = "COLUMN")]
    pub(crate) duration: Option<String>,
    /// The unit of the durations: ns, us, ms, s; clock for times of day, whose differences are the durations;
    /// count for exact counts
    #[arg(long, value_name = "UNIT", value_parser = unit)]
    pub(crate) unit: Option<Unit>,
    /// The column that separates several series; each gets a law of its own
    #[arg(long, value_name = "COLUMN")]
    pub(crate) by: Option<String>,
}

impl LawArgs {
    /// Returns what is asked of the file.
    pub(crate) fn asked(&self) -> Asked {
        Asked {
            n: self.n.clone(),
            duration: self.duration.clone(),
            unit: self.unit,
            by: self.by.clone(),
        }
    }

    /// Returns whether any of them was given.
    pub(crate) fn is_given(&self) -> bool {
        let columns = [&self.n, &self.duration, &self.by];
        self.unit.is_some() || columns.iter().any(|column| column.is_some())
    }
}

fn unit(text: &str) -> Result<Unit, String> {
    Unit::named(text).ok_or_else(|| "the units are ns, us, ms, s, clock and count".to_owned())
}
