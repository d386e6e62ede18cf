//! `events`: which traces, which events, how they are shown.

use std::path::PathBuf;

use clap::Args;

use whyslow_query::{ColumnChoice, NamePattern, Selection, Sort};

use super::OutputArgs;
use super::ranges::EventRanges;
use super::selection::point;
use crate::failure::Failure;
use whyslow_arguments::size::size;

/// `events`.
#[derive(Debug, Args)]
pub(crate) struct EventsArgs {
    /// Traces: .etl files of Windows, perf.data files of Linux, archives (.zip, .7z, .diagsession) that
    /// hold one; - is standard input
    #[arg(required = true, value_name = "TRACE", value_parser = super::trace())]
    pub(crate) traces: Vec<PathBuf>,
    /// List the events one by one, with their fields, instead of counting them
    #[arg(long, short, help_heading = "What is shown")]
    pub(crate) list: bool,

    /// Only events of these providers: 'Windows Kernel;*DotNET*', or a GUID
    #[arg(long, value_name = "PATTERN", help_heading = "Which events")]
    pub(crate) provider: Option<String>,
    /// Only these events, by name, provider/name or id: 'Process/*;GC/Start;!*/DCStop'
    #[arg(
        long,
        short,
        visible_alias = "name",
        value_name = "PATTERN",
        help_heading = "Which events"
    )]
    pub(crate) event: Option<String>,
    /// Only events of these processes, by name or pid: 'cc1;rustc*;!4711'
    #[arg(long, short, value_name = "PATTERN", help_heading = "Which events")]
    pub(crate) process: Option<String>,
    /// Only events of these threads, by tid (on Linux also by name)
    #[arg(long, short, value_name = "PATTERN", help_heading = "Which events")]
    pub(crate) thread: Option<String>,
    /// Only events from this time on: 1.5s, 14:30:05, 2026-11-21T14:30:05Z
    #[arg(
        long,
        value_name = "TIME",
        allow_hyphen_values = true,
        help_heading = "Which events"
    )]
    pub(crate) from: Option<String>,
    /// Only events before this time: like --from, or +2s for 2 s after --from
    #[arg(
        long,
        value_name = "TIME",
        allow_hyphen_values = true,
        help_heading = "Which events"
    )]
    pub(crate) to: Option<String>,
    /// Only events with such a field: 'FileName=*.dll', 'Size>=64KiB', 'Status!=0', 'PauseMSec>5ms',
    /// '*=*chrome*'; may be given several times; all must hold
    #[arg(
        long = "where",
        short = 'W',
        value_name = "FIELD=PATTERN",
        help_heading = "Which events"
    )]
    pub(crate) conditions: Vec<String>,

    /// Show at most N rows: the largest counts, or the first events
    #[arg(long, short = 'n', value_name = "N", help_heading = "What is shown")]
    pub(crate) top: Option<usize>,
    /// Sort the counts by this column, such as bytes or first:asc
    #[arg(
        long,
        short,
        value_name = "COLUMN",
        allow_hyphen_values = true,
        conflicts_with = "list",
        help_heading = "What is shown"
    )]
    pub(crate) sort: Option<String>,
    /// Show these columns, such as event,count; +x adds, !x removes, * is all
    #[arg(long, short, value_name = "COLUMNS", help_heading = "What is shown")]
    pub(crate) columns: Option<String>,
    /// Add sums over all matching rows of the counts
    #[arg(long, conflicts_with = "list", help_heading = "What is shown")]
    pub(crate) totals: bool,

    /// Refuse recordings in archives or Windows traces from pipes that are larger than this; they
    /// are kept among temporary files (TMPDIR) while they are read
    #[arg(long, value_name = "SIZE", default_value = "64GiB", value_parser = size, help_heading = "Which events")]
    pub(crate) most_unpacked: u64,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) ranges: EventRanges,
}

impl EventsArgs {
    /// Returns the selection, as questions use it.
    pub(crate) fn selection(&self) -> Result<Selection, Failure> {
        Ok(Selection {
            processes: self.process.as_deref().map(NamePattern::parse),
            threads: self.thread.as_deref().map(NamePattern::parse),
            from: point(&self.from)?,
            to: point(&self.to)?,
            ranges: self.ranges.0.clone(),
            top: self.top,
            sort: self.sort.as_deref().map(Sort::parse),
            totals: self.totals,
            columns: self
                .columns
                .as_deref()
                .map(ColumnChoice::parse)
                .unwrap_or_default(),
            ..Selection::default()
        })
    }
}
