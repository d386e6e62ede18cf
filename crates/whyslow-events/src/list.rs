//! Events one by one, written while they are read.

use std::io;
use std::sync::Arc;

use whyslow_query::{FileInfo, Note, ResultTable, Value};

use crate::fields::{self, Style};
use crate::seen::{Seen, Sink, Stop};

/// What writes the rows of a table, which come in blocks.
pub trait BlockWriter {
    /// Writes the rows that `table` has now.
    ///
    /// # Errors
    /// When they cannot be written.
    fn rows(&mut self, table: &ResultTable) -> io::Result<()>;
}

/// Rows on their way to be written.
#[expect(missing_debug_implementations, reason = "a writer has none")]
pub struct List<'w> {
    style: Style,
    block: usize,
    most: usize,
    table: ResultTable,
    /// Per column its place among all, `None` for the file.
    places: Vec<Option<usize>>,
    writer: &'w mut dyn BlockWriter,
    listed: usize,
    /// Memory for the fields of one event.
    fields: String,
}

impl<'w> List<'w> {
    /// Returns a list that `writer` writes, `block` rows at once and no more than `most`; `question`
    /// is the empty table and, per column, its place among all, `None` for the file.
    pub fn new(
        question: (ResultTable, Vec<Option<usize>>),
        style: Style,
        block: usize,
        most: usize,
        writer: &'w mut dyn BlockWriter,
    ) -> Self {
        let (table, places) = question;
        Self {
            style,
            block,
            most,
            table,
            places,
            writer,
            listed: 0,
            fields: String::new(),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.rows(&self.table)?;
        self.table.rows.clear();
        self.table.row_files.clear();
        Ok(())
    }

    /// Writes what is left; returns the table without its rows, and how many there were.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<(ResultTable, usize)> {
        self.flush()?;
        Ok((self.table, self.listed))
    }

    fn cell(&self, seen: &Seen<'_>, place: Option<usize>, fields: &mut String) -> Value {
        let text = |text: &Arc<str>| match text.is_empty() {
            true => Value::Null,
            false => Value::Text(Arc::clone(text)),
        };
        // In the order of the question's columns.
        match place {
            None => match self.table.files.last() {
                Some(file) => Value::Text(Arc::clone(&file.name)),
                None => Value::Null,
            },
            Some(0) => Value::Int(seen.time_ns),
            Some(1) => Value::int(seen.cpu),
            Some(2) => seen.process.map_or(Value::Null, text),
            Some(3) => Value::int(seen.pid),
            Some(4) => Value::int(seen.tid),
            Some(5) => text(&seen.what.provider),
            Some(6) => text(&seen.what.event),
            Some(7) => text(&seen.what.id),
            Some(8) => Value::Int(i64::try_from(seen.payload_bytes).unwrap_or(i64::MAX)),
            Some(_) => {
                fields.clear();
                fields::write((seen.fields)(), self.style, fields);
                match self.style {
                    Style::Json => Value::Json(fields.as_str().into()),
                    _ => Value::Text(fields.as_str().into()),
                }
            }
        }
    }
}

impl Sink for List<'_> {
    fn begin(&mut self, file: &FileInfo, _has_stacks: bool) -> Result<(), Stop> {
        self.table.files.push(file.clone());
        Ok(())
    }

    fn event(&mut self, seen: &Seen<'_>) -> Result<(), Stop> {
        if self.listed == self.most {
            return Err(Stop::Enough);
        }
        self.listed += 1;
        let mut fields = std::mem::take(&mut self.fields);
        let places = self.places.iter();
        let cells = places.map(|place| self.cell(seen, *place, &mut fields));
        let cells = cells.collect();
        self.fields = fields;
        self.table.rows.push(cells);
        let file = self.table.files.len().saturating_sub(1);
        self.table
            .row_files
            .push(u32::try_from(file).unwrap_or(u32::MAX));
        if self.table.rows.len() >= self.block {
            self.flush().map_err(Stop::Written)?;
        }
        Ok(())
    }

    fn end(&mut self, notes: Vec<Note>) -> Result<(), Stop> {
        self.table.notes.extend(notes);
        Ok(())
    }
}
