//! All formats of answers as data, the same for every question. A new one is a file in this folder and
//! a line in [`ALL`]: the values of `--format`, the suffix of `-o` and help follow.
//!
//! The table for a person is none of them: it fits a terminal and may be a chart.

pub mod csv;
pub mod json;
pub mod parquet;

use std::io::{self, Write};

use whyslow_results::ResultTable;

/// Every format, in the order of the help.
pub static ALL: &[&Format] = &[&csv::FORMAT, &json::FORMAT, &parquet::FORMAT];

/// Returns the format called `name`.
pub fn find(name: &str) -> Option<&'static Format> {
    ALL.iter().copied().find(|format| format.name == name)
}

/// A format of answers as data.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The name on the command line, and the suffix of files.
    pub name: &'static str,
    /// The name in a sentence.
    pub title: &'static str,
    /// What it holds, in one line without a final dot.
    pub doc: &'static str,
    /// Whether it is only for files, not for a terminal or pipe.
    pub needs_file: bool,
    /// Whether it holds the notes of an answer.
    pub holds_notes: bool,
    /// Whether a field may hold a JSON object, or else text as it is for a person.
    pub holds_json: bool,
    /// How many rows to write together, where they come in blocks.
    pub block_rows: usize,
    /// Begins an answer: writes what comes before the rows.
    pub begin: Begin,
}

/// Begins an answer of the columns of a table.
pub type Begin = for<'w> fn(
    &ResultTable,
    &Head<'_>,
    &'w mut (dyn Write + Send),
) -> io::Result<Box<dyn RowWriter + 'w>>;

/// What an answer says about itself, in addition to its table.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    /// The arguments the question was asked with.
    pub arguments: &'a [String],
    /// How many rows match; a list that is written while it is read does not know yet.
    pub matched_rows: Option<usize>,
}

/// Writes a table in parts, whose rows come in blocks.
pub trait RowWriter {
    /// Writes the rows of a block.
    ///
    /// # Errors
    /// When they cannot be written.
    fn rows(&mut self, table: &ResultTable) -> io::Result<()>;

    /// Writes what follows the rows: as far as the format has them, totals and notes of `table`.
    ///
    /// # Errors
    /// When it cannot be written.
    fn end(self: Box<Self>, table: &ResultTable) -> io::Result<()>;
}

impl Format {
    /// Writes `table`; `arguments` are those the question was asked with.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(
        &self,
        table: &ResultTable,
        arguments: &[String],
        out: &mut (dyn Write + Send),
    ) -> io::Result<()> {
        let head = Head {
            arguments,
            matched_rows: Some(table.matched_rows),
        };
        let mut writer = (self.begin)(table, &head, out)?;
        writer.rows(table)?;
        writer.end(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_name_of_its_own() {
        for format in ALL {
            assert_eq!(find(format.name).map(|found| found.doc), Some(format.doc));
            assert_ne!(format.name, "table");
            assert!(format.block_rows > 0 && !format.doc.ends_with('.'));
        }
    }
}
