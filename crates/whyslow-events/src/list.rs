//! Events one by one, written while the trace is read.

use std::io;

use whyslow_query::questions::{EventLine, EventList};
use whyslow_query::{FileInfo, Note, ResultTable, Value};

use crate::fields::{self, Style};
use crate::seen::{Seen, Sink, Stop};

/// Writes the rows of a table, which come in blocks.
pub trait BlockWriter {
    /// Writes the current rows of `table`.
    ///
    /// # Errors
    /// When they cannot be written.
    fn rows(&mut self, table: &ResultTable) -> io::Result<()>;
}

/// Rows waiting to be written.
#[expect(missing_debug_implementations, reason = "a writer has none")]
pub struct List<'w> {
    style: Style,
    block: usize,
    most: usize,
    list: EventList,
    writer: &'w mut dyn BlockWriter,
    listed: usize,
}

impl<'w> List<'w> {
    /// Returns a list for `writer`, with `block` rows at once and at most `most` in all; `list` is
    /// empty.
    pub fn new(
        list: EventList,
        style: Style,
        block: usize,
        most: usize,
        writer: &'w mut dyn BlockWriter,
    ) -> Self {
        Self {
            style,
            block,
            most,
            list,
            writer,
            listed: 0,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.rows(&self.list.table)?;
        self.list.clear();
        Ok(())
    }

    /// Writes the remaining rows; returns the table without its rows, and the number of rows.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<(ResultTable, usize)> {
        self.flush()?;
        Ok((self.list.table, self.listed))
    }
}

impl Sink for List<'_> {
    fn begin(&mut self, file: &FileInfo, _has_stacks: bool) -> Result<(), Stop> {
        self.list.table.files.push(file.clone());
        Ok(())
    }

    fn event(&mut self, seen: &Seen<'_>) -> Result<(), Stop> {
        if self.listed == self.most {
            return Err(Stop::Enough);
        }
        self.listed += 1;
        let fields = || {
            let mut text = String::new();
            fields::write((seen.fields)(), self.style, &mut text);
            match self.style {
                Style::Json => Value::Json(text.into()),
                _ => Value::Text(text.into()),
            }
        };
        self.list.push(&EventLine {
            time_ns: seen.time_ns,
            cpu: seen.cpu,
            process: seen.process,
            pid: seen.pid,
            tid: seen.tid,
            provider: &seen.what.provider,
            event: &seen.what.event,
            id: &seen.what.id,
            bytes: i64::try_from(seen.payload_bytes).unwrap_or(i64::MAX),
            fields: &fields,
        });
        if self.list.table.rows.len() >= self.block {
            self.flush().map_err(Stop::Written)?;
        }
        Ok(())
    }

    fn end(&mut self, notes: Vec<Note>) -> Result<(), Stop> {
        self.list.table.notes.extend(notes);
        Ok(())
    }
}
