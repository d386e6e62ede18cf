//! The selection that every question takes: which rows count, which are shown, and in which order.
//!
//! Patterns, window and lifetime decide what is *counted*; ranges, sort, top, totals and columns
//! decide which part of the result is *shown*. Both are the same for every question.

use std::sync::Arc;

use whyslow_results::{Clock, Marks, Order, TimePoint};

use crate::error::QueryError;
use crate::pattern::{FunctionPattern, NamePattern, Pattern};
use crate::wait::Rules;

/// Which data counts and which rows are shown; the default counts and shows everything.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Processes by name or pid.
    pub processes: Option<NamePattern>,
    /// Whether what these processes started counts, too, and what that started.
    pub with_children: bool,
    /// Processes by command line.
    pub command_line: Option<Pattern>,
    /// Threads by name or tid.
    pub threads: Option<NamePattern>,
    /// Functions, as `function` or `module!function`; a sample or wait counts if its stack contains
    /// one.
    pub functions: Option<FunctionPattern>,
    /// Only events from this time on.
    pub from: Option<TimePoint>,
    /// Only events before this time; a relative time counts from [`Selection::from`].
    pub to: Option<TimePoint>,
    /// Only processes that started within the trace (`true`), or before it (`false`).
    pub new: Option<bool>,
    /// Only processes that ended within the trace (`true`), or outlived it (`false`).
    pub exited: Option<bool>,
    /// Ranges by column; a row must meet all of them.
    pub ranges: Vec<ColumnRange>,
    /// Conditions on columns, such as `calls>=100`; a row must meet all of them.
    pub conditions: Vec<String>,
    /// Maximum number of rows to show.
    pub top: Option<usize>,
    /// The column to sort by, and the direction; `None` is the question's own order.
    pub sort: Option<Sort>,
    /// Whether to include sums over all matching rows.
    pub totals: bool,
    /// The columns to show.
    pub columns: ColumnChoice,
    /// Whether waits and ready intervals of several threads are summed instead of united.
    pub sum: bool,
    /// Whether the CPUs' idle threads count as threads.
    pub idle: bool,
    /// Rules for the classes of waits; `None` uses the shipped ones.
    pub wait_rules: Option<Arc<Rules>>,
}

impl Selection {
    /// Returns whether it chooses no processes or threads, so that rows without a known process
    /// count, too.
    pub fn is_of_anybody(&self) -> bool {
        let chosen = self.processes.is_some() || self.threads.is_some();
        let by_life = self.new.is_some() || self.exited.is_some();
        !chosen && !by_life && self.command_line.is_none()
    }

    /// Returns which of the options that decide what counts are given.
    pub fn narrowed_by(&self) -> Vec<&'static str> {
        let options = [
            ("--process", self.processes.is_some()),
            ("--with-children", self.with_children),
            ("--cmdline", self.command_line.is_some()),
            ("--thread", self.threads.is_some()),
            ("--functions", self.functions.is_some()),
            ("--from", self.from.is_some()),
            ("--to", self.to.is_some()),
            ("--new", self.new.is_some()),
            ("--exited", self.exited.is_some()),
        ];
        let given = options.into_iter().filter(|&(_, given)| given);
        given.map(|(option, _)| option).collect()
    }

    /// Returns whether the window begins or ends at a mark.
    pub fn needs_marks(&self) -> bool {
        let mut points = [&self.from, &self.to].into_iter().flatten();
        points.any(TimePoint::is_mark)
    }

    /// Returns the window `[from, to)` in the trace called `trace`; `None` is the whole trace. `marks` are those of the
    /// trace; `None`, if it has no marks with names.
    ///
    /// # Errors
    /// When the trace does not know the time of day, or no such mark, or the window ends before it begins.
    #[expect(clippy::cast_precision_loss, reason = "seconds for a message")]
    pub fn window(
        &self,
        trace: &str,
        clock: &Clock,
        marks: Option<&Marks>,
    ) -> Result<Option<(i64, i64)>, QueryError> {
        if self.from.is_none() && self.to.is_none() {
            return Ok(None);
        }
        let from = match &self.from {
            Some(point) => point.resolve(trace, clock, 0, marks)?,
            None => i64::MIN,
        };
        let to = match &self.to {
            Some(point) => {
                let base = self.from.as_ref().map_or(0, |_| from);
                point.resolve(trace, clock, base, marks)?
            }
            None => i64::MAX,
        };
        if to <= from {
            let seconds = |ns: i64| ns as f64 / 1e9;
            return Err(QueryError::EmptyWindow {
                from_s: seconds(from.max(0)),
                to_s: seconds(to),
            });
        }
        Ok(Some((from, to)))
    }

    /// Returns the rules for the classes of waits.
    pub fn rules(&self) -> &Rules {
        self.wait_rules
            .as_deref()
            .unwrap_or_else(|| Rules::shipped())
    }
}

/// A range for the values of one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnRange {
    /// Key or name of the column.
    pub column: String,
    /// The range as the user wrote it; its default unit is the column's.
    pub range: String,
}

/// The order of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// Key or name of the column.
    pub column: String,
    /// The direction; `None` is descending for numbers, ascending for text and times.
    pub order: Option<Order>,
}

impl Sort {
    /// Returns the sort in `text`: `cpu`, `cpu:asc`, `cpu:desc`, `-cpu`.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if let Some(column) = text.strip_prefix('-') {
            return Self {
                column: column.to_owned(),
                order: Some(Order::Descending),
            };
        }
        let (column, order) = match text.rsplit_once(':') {
            Some((column, "asc" | "ascending")) => (column, Some(Order::Ascending)),
            Some((column, "desc" | "descending")) => (column, Some(Order::Descending)),
            _ => (text, None),
        };
        Self {
            column: column.to_owned(),
            order,
        }
    }
}

/// The columns that a table shows: words that are applied one after another.
///
/// `a,b` shows only these; `!x` shows the default without `x`; `+x` shows the default and `x`. `*`
/// and `?` match within a word, so `!*,cpu` or `*` work. Empty is the question's default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnChoice {
    /// The words, in order.
    pub words: Vec<String>,
}

impl ColumnChoice {
    /// Returns the choice in `text`: words separated by `,` or `;`.
    pub fn parse(text: &str) -> Self {
        let words = text.split([',', ';']).map(str::trim);
        let words = words.filter(|word| !word.is_empty());
        Self {
            words: words.map(ToOwned::to_owned).collect(),
        }
    }
}
