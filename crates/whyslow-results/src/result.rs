//! What a question answers with: a table whose columns say what their values are.
//!
//! The values stay raw (nanoseconds, bytes, counts); the renderer gives them units, widths and
//! colors. CSV and JSON print them as they are, under the machine name of the column.

use std::sync::Arc;

use whyslow_model::Capability;

use crate::chart::Chart;
use crate::time::Clock;

/// What the values of a column are, and so how they print and how text is read as one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Text.
    Text,
    /// An id of the system (process, thread, CPU): digits without grouping.
    Id,
    /// How a process ended: a small number, or a status of Windows, which is read in hexadecimal.
    ExitCode,
    /// A number of things.
    Count,
    /// A length of time in nanoseconds.
    Duration,
    /// A point in time, nanoseconds since the trace's start; the row's file has the clock.
    Time,
    /// A point in time, nanoseconds since 1970 UTC.
    WallTime,
    /// A size in bytes.
    Bytes,
    /// A share, 0 to 100, as [`Value::Float`].
    Percent,
    /// A plain number with decimals, as [`Value::Float`].
    Ratio,
    /// An address or offset: hexadecimal.
    Address,
}

/// One cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Unknown or not recorded; never zero.
    Null,
    /// An integer in the unit of the column's [`Kind`].
    Int(i64),
    /// A number with decimals.
    Float(f64),
    /// Text.
    Text(Arc<str>),
    /// An integer that brings its own kind, in columns that mix them (`stats`).
    Quantity(Kind, i64),
    /// Text in JSON's form, which JSON takes as it is and not as text.
    Json(Arc<str>),
}

impl Value {
    /// Returns a text value.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// Returns a text value, or null for `None`.
    pub fn optional(text: Option<&str>) -> Self {
        text.map_or(Self::Null, Self::text)
    }

    /// Returns an integer value, or null for `None`.
    pub fn int(value: Option<impl Into<i64>>) -> Self {
        value.map_or(Self::Null, |value| Self::Int(value.into()))
    }

    /// Returns the text, or an empty one for anything else.
    pub fn as_text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => "",
        }
    }

    /// Returns the integer of an [`Value::Int`] or [`Value::Quantity`].
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(value) | Self::Quantity(_, value) => Some(*value),
            _ => None,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

/// One column of a result: described once, used by help, documentation and every format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultColumn {
    /// The short word of options: `--sort cpu`, `--cpu 10ms..`, `--columns process,cpu`.
    pub key: &'static str,
    /// The name in CSV, JSON and Parquet; a unit is its last word (`cpu_sampled_ns`).
    pub name: &'static str,
    /// The heading of the table for a person, as `CPU (sampled)`.
    pub heading: &'static str,
    /// What the values are.
    pub kind: Kind,
    /// What a value means, in one sentence.
    pub doc: &'static str,
    /// Whether the table for a person shows it unasked; other formats show every column.
    pub shown: bool,
    /// What leaves a narrow terminal first: the highest number; 0 never leaves.
    pub priority: u8,
    /// Whether the column may be cut to fit the terminal; at most a few text columns are.
    pub elastic: bool,
    /// Whether the sum over rows means something.
    pub additive: bool,
    /// Whether it holds sentences: where the terminal has no room for them beside the other
    /// columns, they go below their row.
    pub sentences: bool,
}

impl ResultColumn {
    /// Returns a column of `kind`: shown, of middle priority, neither elastic nor additive.
    pub const fn new(
        key: &'static str,
        name: &'static str,
        heading: &'static str,
        kind: Kind,
        doc: &'static str,
    ) -> Self {
        let elastic = matches!(kind, Kind::Text);
        Self {
            key,
            name,
            heading,
            kind,
            doc,
            shown: true,
            priority: 5,
            elastic,
            additive: false,
            sentences: false,
        }
    }

    /// Returns the column with another priority.
    #[must_use]
    pub const fn priority(mut self, priority: u8) -> Self {
        self.priority = priority;
        self
    }

    /// Returns the column, left out of the table for a person unless asked for.
    #[must_use]
    pub const fn hidden(mut self) -> Self {
        self.shown = false;
        self
    }

    /// Returns the column, never cut.
    #[must_use]
    pub const fn rigid(mut self) -> Self {
        self.elastic = false;
        self
    }

    /// Returns the column, which holds sentences.
    #[must_use]
    pub const fn sentences(mut self) -> Self {
        self.sentences = true;
        self
    }

    /// Returns the column, with totals.
    #[must_use]
    pub const fn summed(mut self) -> Self {
        self.additive = true;
        self
    }
}

/// The direction of a sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// Smallest first; unknown values last.
    Ascending,
    /// Largest first; unknown values last.
    Descending,
}

/// The file some rows are of.
#[derive(Debug, Clone, PartialEq)]
pub struct FileInfo {
    /// The extract's name.
    pub name: Arc<str>,
    /// Turns the times of its rows into wall-clock times.
    pub clock: Clock,
}

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteLevel {
    /// Helps to read the table.
    Info,
    /// Figures are missing or too low.
    Warning,
}

/// A sentence below a table: what is missing, partial or left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// How much it matters.
    pub level: NoteLevel,
    /// The file it is about; `None` for all.
    pub file: Option<Arc<str>>,
    /// The sentence.
    pub text: String,
}

impl Note {
    /// Returns a note that helps to read the table.
    pub fn info(text: impl Into<String>) -> Self {
        Self {
            level: NoteLevel::Info,
            file: None,
            text: text.into(),
        }
    }

    /// Returns a note on missing or partial figures of `file`.
    pub fn warning(file: Option<&Arc<str>>, text: impl Into<String>) -> Self {
        Self {
            level: NoteLevel::Warning,
            file: file.cloned(),
            text: text.into(),
        }
    }
}

/// How the levels of a tree are indented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TreeStyle {
    /// Every level.
    #[default]
    Levels,
    /// Only where the tree forks; what a row ends with matters most.
    Chains,
    /// Only where the tree forks; what a row begins with matters most.
    Callers,
}

/// A table of answers.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultTable {
    /// Name of the question, as `processes`.
    pub question: &'static str,
    /// What the table shows, in a few words.
    pub title: String,
    /// The columns.
    pub columns: Vec<ResultColumn>,
    /// The rows, each as long as [`ResultTable::columns`].
    pub rows: Vec<Vec<Value>>,
    /// The column whose text is indented by [`ResultTable::depths`]; `None` for a flat table.
    pub tree_column: Option<usize>,
    /// Depth of each row in the tree; empty for a flat table.
    pub depths: Vec<u16>,
    /// How the tree is indented.
    pub tree_style: TreeStyle,
    /// Whether each row also counts what the rows below it in the tree count.
    pub contains: bool,
    /// The files the rows are of.
    pub files: Vec<FileInfo>,
    /// Position in [`ResultTable::files`] of each row's file.
    pub row_files: Vec<u32>,
    /// Sums over all matching rows, also those beyond `--top`; `None` if not asked for.
    pub totals: Option<Vec<Value>>,
    /// The column the rows are sorted by, and how; `None` where the order has its own meaning.
    pub sorted_by: Option<(usize, Order)>,
    /// How many rows matched before `--top` cut them.
    pub matched_rows: usize,
    /// What a reader must know about the figures.
    pub notes: Vec<Note>,
    /// What a person is shown instead of the rows.
    pub charts: Option<Vec<Chart>>,
}

impl ResultTable {
    /// Returns an empty table.
    pub fn new(question: &'static str, title: impl Into<String>, columns: &[ResultColumn]) -> Self {
        Self {
            question,
            title: title.into(),
            columns: columns.to_vec(),
            rows: Vec::new(),
            tree_column: None,
            depths: Vec::new(),
            tree_style: TreeStyle::default(),
            contains: false,
            files: Vec::new(),
            row_files: Vec::new(),
            totals: None,
            sorted_by: None,
            matched_rows: 0,
            notes: Vec::new(),
            charts: None,
        }
    }

    /// Returns the position of the column whose key or name is `word`.
    pub fn column(&self, word: &str) -> Option<usize> {
        let mut columns = self.columns.iter();
        columns.position(|column| column.key == word || column.name == word)
    }

    /// Returns the cell of `row` in the column whose key or name is `word`.
    pub fn cell(&self, row: usize, word: &str) -> Option<&Value> {
        let column = self.column(word)?;
        self.rows.get(row)?.get(column)
    }

    /// Returns the file of `row`.
    pub fn file_of(&self, row: usize) -> Option<&FileInfo> {
        let at = usize::try_from(*self.row_files.get(row)?).ok()?;
        self.files.get(at)
    }
}

/// A question could not be answered because the recording lacks the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotRecorded {
    /// What is missing.
    pub capability: Capability,
    /// Why, where the recording says so.
    pub why: Option<String>,
    /// How to record it.
    pub how: String,
}

/// What a question comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The answer.
    Table(Box<ResultTable>),
    /// None of the files holds what the question needs.
    NotRecorded(NotRecorded),
}

impl Outcome {
    /// Returns the table, or `None` where the data was not recorded.
    pub fn table(self) -> Option<ResultTable> {
        match self {
            Self::Table(table) => Some(*table),
            Self::NotRecorded(_) => None,
        }
    }
}
