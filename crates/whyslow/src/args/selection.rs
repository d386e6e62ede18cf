//! Which data a question is about: the same options for every question.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};

use whyslow_query::wait::Rules;
use whyslow_query::{
    ColumnChoice, ColumnRange, FunctionPattern, NamePattern, Pattern, Selection, Sort, TimePoint,
};

use crate::failure::Failure;

/// Yes or no, for options that can be inverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum YesNo {
    /// Only these
    Yes,
    /// Only the others
    No,
}

/// From when until when.
#[derive(Debug, Clone, Args)]
pub(crate) struct WindowArgs {
    /// Only what happened from this time or mark on: 1.5s, 14:30:05, 2026-11-21T14:30:05Z, 'load begins', 'load#2+1s'
    #[arg(
        long,
        value_name = "TIME",
        allow_hyphen_values = true,
        help_heading = "Which data"
    )]
    pub(crate) from: Option<String>,
    /// Only what happened before this time or mark: like --from, or +2s for 2 s after --from
    #[arg(
        long,
        value_name = "TIME",
        allow_hyphen_values = true,
        help_heading = "Which data"
    )]
    pub(crate) to: Option<String>,
}

impl WindowArgs {
    /// Returns the two times, as far as they are given.
    pub(crate) fn points(&self) -> Result<(Option<TimePoint>, Option<TimePoint>), Failure> {
        Ok((point(&self.from)?, point(&self.to)?))
    }
}

/// Reads a time, if it is given.
pub(super) fn point(text: &Option<String>) -> Result<Option<TimePoint>, Failure> {
    let point = text.as_deref().map(TimePoint::parse).transpose();
    point.map_err(Failure::usage)
}

/// Which data a question is about, and which rows are shown.
#[derive(Debug, Clone, Args)]
pub(crate) struct SelectionArgs {
    /// Extracts: paths, directories, or patterns such as 'runs/*.whyslow'; without it, those of
    /// the current directory
    #[arg(value_name = "EXTRACT")]
    pub(crate) extracts: Vec<PathBuf>,

    /// Only these processes, by name, script or pid: 'cc1;rustc*;manage.py;!4711'
    #[arg(long, short, value_name = "PATTERN", help_heading = "Which data")]
    pub(crate) process: Option<String>,
    /// Also the processes that those of --process started, and what these started
    #[arg(long, requires = "process", help_heading = "Which data")]
    pub(crate) with_children: bool,
    /// Only processes whose command line matches: '*--release*'
    #[arg(long, value_name = "PATTERN", help_heading = "Which data")]
    pub(crate) cmdline: Option<String>,
    /// Only these threads, by name or tid
    #[arg(long, short, value_name = "PATTERN", help_heading = "Which data")]
    pub(crate) thread: Option<String>,
    /// Only stacks with such a function: '*alloc*;libc*!*'
    #[arg(
        long,
        short = 'm',
        alias = "methods",
        value_name = "PATTERN",
        help_heading = "Which data"
    )]
    pub(crate) functions: Option<String>,
    #[command(flatten)]
    pub(crate) window: WindowArgs,
    /// Only processes that started during the recording; --new=no for the others
    #[arg(long, value_name = "YES|NO", num_args = 0..=1, require_equals = true, default_missing_value = "yes", hide_possible_values = true, help_heading = "Which data")]
    pub(crate) new: Option<YesNo>,
    /// Only processes that ended during the recording; --exited=no for the others
    #[arg(long, value_name = "YES|NO", num_args = 0..=1, require_equals = true, default_missing_value = "yes", hide_possible_values = true, help_heading = "Which data")]
    pub(crate) exited: Option<YesNo>,
    /// Also count the idle threads of the CPUs
    #[arg(long, help_heading = "Which data")]
    pub(crate) idle: bool,
    /// Add up waits and ready intervals of several threads instead of counting overlaps once
    #[arg(long, help_heading = "Which data")]
    pub(crate) sum: bool,

    /// Classify waits by the rules in FILE; `whyslow help wait-rules` prints the default ones
    #[arg(long, value_name = "FILE", help_heading = "Which data")]
    pub(crate) wait_rules: Option<PathBuf>,

    /// Only rows with such a value: 'path=*.log', 'calls>=100', 'time=10ms..1s', 'result!=ok'; may be given several
    /// times; all must hold
    #[arg(
        long = "where",
        short = 'W',
        value_name = "COLUMN=PATTERN",
        help_heading = "What is shown"
    )]
    pub(crate) conditions: Vec<String>,
    /// Show at most N rows
    #[arg(long, short = 'n', value_name = "N", help_heading = "What is shown")]
    pub(crate) top: Option<usize>,
    /// Sort by this column, for example cpu or start:desc; largest first by default
    #[arg(
        long,
        short,
        value_name = "COLUMN",
        allow_hyphen_values = true,
        help_heading = "What is shown"
    )]
    pub(crate) sort: Option<String>,
    /// Show these columns, such as process,cpu; +x adds, !x removes, * is all
    #[arg(long, short, value_name = "COLUMNS", help_heading = "What is shown")]
    pub(crate) columns: Option<String>,
    /// Add sums over all matching rows
    #[arg(long, help_heading = "What is shown")]
    pub(crate) totals: bool,
}

impl SelectionArgs {
    /// Returns the selection; `ranges` are those of the columns.
    pub(crate) fn selection(&self, ranges: Vec<ColumnRange>) -> Result<Selection, Failure> {
        let (from, to) = self.window.points()?;
        Ok(Selection {
            processes: self.process.as_deref().map(NamePattern::parse),
            command_line: self.cmdline.as_deref().map(Pattern::parse),
            threads: self.thread.as_deref().map(NamePattern::parse),
            functions: self.functions.as_deref().map(FunctionPattern::parse),
            from,
            to,
            new: self.new.map(|word| word == YesNo::Yes),
            exited: self.exited.map(|word| word == YesNo::Yes),
            ranges,
            conditions: self.conditions.clone(),
            with_children: self.with_children,
            top: self.top,
            sort: self.sort.as_deref().map(Sort::parse),
            totals: self.totals,
            columns: self
                .columns
                .as_deref()
                .map(ColumnChoice::parse)
                .unwrap_or_default(),
            sum: self.sum,
            idle: self.idle,
            wait_rules: self.wait_rules.as_deref().map(rules).transpose()?,
        })
    }
}

/// Returns the rules in `file`.
fn rules(file: &Path) -> Result<Arc<Rules>, Failure> {
    let what = || format!("read {}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| Failure::unread(what(), &error))?;
    let rules = Rules::parse(&text).map_err(|error| Failure::cannot(what(), error));
    rules
        .map(Arc::new)
        .map_err(|failure| failure.hint("whyslow help wait-rules prints the usual rules"))
}
