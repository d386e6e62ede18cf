//! Events one by one, written while they are read.

use std::io::{self, Write};
use std::sync::Arc;

use whyslow_query::questions;
use whyslow_query::{FileInfo, Note, ResultTable, Value};

use super::fields::{self, Style};
use super::seen::{Seen, Sink, Stop};
use super::{Work, exit};
use crate::args::Format;
use crate::ask::{BlockWriter, Printer};
use crate::exit::Exit;
use crate::failure::Failure;

/// Rows that are written together.
const BLOCK: usize = 1 << 12;
/// Rows of a group of a Parquet file.
const PARQUET_BLOCK: usize = 1 << 16;

/// Lists the events of traces.
pub(super) fn list(work: &Work<'_>, printer: &Printer<'_>) -> Result<Exit, Failure> {
    let (table, places) =
        questions::event_list(&work.selection, work.several).map_err(crate::ask::failed)?;
    let (mut end, mut failure) = (End::default(), None);
    let written = printer.write(|out| {
        let mut lines = Lines::new(work, printer, (table, places), out);
        match work.walk(&mut lines) {
            Ok(unreadable) => end = lines.finish(unreadable)?,
            Err(Stop::Written(error)) => return Err(error),
            Err(Stop::Failed(why)) => {
                failure = Some(why);
                // No file is left of an answer that is not whole.
                return Err(io::ErrorKind::Interrupted.into());
            }
            Err(Stop::Enough) => {}
        }
        Ok(())
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    if written?.is_none() {
        return Ok(Exit::Success);
    }
    if end.listed == 0 {
        work.terminal.note("note", "no event matches");
    }
    printer.tell(&end.notes, &end.left_out, work.several, work.terminal);
    Ok(exit(end.unreadable, end.listed == 0))
}

/// What a list came to.
#[derive(Debug, Default)]
struct End {
    listed: usize,
    unreadable: usize,
    notes: Vec<Note>,
    left_out: Vec<&'static str>,
}

/// Rows on their way to be written.
struct Lines<'w> {
    style: Style,
    block: usize,
    most: usize,
    table: ResultTable,
    /// Per column its place among all, `None` for the file.
    places: Vec<Option<usize>>,
    writer: BlockWriter<'w>,
    listed: usize,
    /// Memory for the fields of one event.
    fields: String,
}

impl<'w> Lines<'w> {
    fn new(
        work: &Work<'_>,
        printer: &Printer<'_>,
        (table, places): (ResultTable, Vec<Option<usize>>),
        out: &'w mut (dyn Write + Send),
    ) -> Self {
        let format = printer.format();
        Self {
            style: match format {
                Format::Table => Style::Short,
                Format::Csv => Style::Whole,
                Format::Json | Format::Parquet => Style::Json,
            },
            block: match format {
                Format::Parquet => PARQUET_BLOCK,
                _ => BLOCK,
            },
            most: work.selection.top.unwrap_or(usize::MAX),
            writer: printer.blocks(&table, work.terminal, out),
            table,
            places,
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

    fn finish(mut self, unreadable: usize) -> io::Result<End> {
        self.flush()?;
        let left_out = self.writer.end(&self.table)?;
        Ok(End {
            listed: self.listed,
            unreadable,
            notes: self.table.notes,
            left_out,
        })
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

impl Sink for Lines<'_> {
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
