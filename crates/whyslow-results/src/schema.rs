//! What the table of an answer looks like: its columns, and the order of its rows.

use crate::result::{Order, ResultColumn, TreeStyle};

/// A table that a command answers with, as help and documentation show it.
#[derive(Debug, Clone, Copy)]
pub struct ResultSchema {
    /// The name, as `processes`.
    pub name: &'static str,
    /// What it answers, in one sentence.
    pub summary: &'static str,
    /// The title above the table.
    pub title: &'static str,
    /// The columns, without the leading `file`.
    pub columns: &'static [ResultColumn],
    /// Whether the rows are a tree: the column it is drawn in, and how.
    pub tree: Option<(&'static str, TreeStyle)>,
    /// Whether each row of the tree also counts what the rows below it count, so that rows do not add up.
    pub contains: bool,
    /// The order if nothing is asked for; `None` leaves the rows as they come.
    pub order: Option<(&'static str, Order)>,
    /// The order if only `--top` is asked for.
    pub top_order: Option<(&'static str, Order)>,
    /// Columns that `--sum` shows instead of others: `(hidden, shown)`.
    pub sums: &'static [(&'static str, &'static str)],
}

impl ResultSchema {
    /// Returns a table whose rows stay in the order they come in.
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        title: &'static str,
        columns: &'static [ResultColumn],
    ) -> Self {
        Self {
            name,
            summary,
            title,
            columns,
            tree: None,
            contains: false,
            order: None,
            top_order: None,
            sums: &[],
        }
    }

    /// Returns the table with its rows as a tree, drawn in `column`.
    #[must_use]
    pub const fn tree(mut self, column: &'static str, style: TreeStyle) -> Self {
        self.tree = Some((column, style));
        self
    }

    /// Marks the table as one in which each row includes the counts of the rows below it.
    #[must_use]
    pub const fn containing(mut self) -> Self {
        self.contains = true;
        self
    }

    /// Returns the table sorted by `column`, the largest first.
    #[must_use]
    pub const fn largest(mut self, column: &'static str) -> Self {
        self.order = Some((column, Order::Descending));
        self
    }

    /// Returns the table whose best rows are those with the largest values in `column`.
    #[must_use]
    pub const fn best(mut self, column: &'static str) -> Self {
        self.top_order = Some((column, Order::Descending));
        self
    }

    /// Returns the table that shows other columns with `--sum`.
    #[must_use]
    pub const fn sums(mut self, sums: &'static [(&'static str, &'static str)]) -> Self {
        self.sums = sums;
        self
    }
}
