//! Events one by one, written while they are read.

use std::io::{self, Write};

use whyslow_query::questions::{EventLine, EventList};
use whyslow_query::{FileInfo, Note, Value};

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
    let list = EventList::new(&work.selection, work.several).map_err(crate::ask::failed)?;
    let (mut end, mut failure) = (End::default(), None);
    let written = printer.write(|out| {
        let mut lines = Lines::new(work, printer, list, out);
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
    list: EventList,
    writer: BlockWriter<'w>,
    listed: usize,
}

impl<'w> Lines<'w> {
    fn new(
        work: &Work<'_>,
        printer: &Printer<'_>,
        list: EventList,
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
            writer: printer.blocks(&list.table, work.terminal, out),
            list,
            listed: 0,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.rows(&self.list.table)?;
        self.list.clear();
        Ok(())
    }

    fn finish(mut self, unreadable: usize) -> io::Result<End> {
        self.flush()?;
        let left_out = self.writer.end(&self.list.table)?;
        Ok(End {
            listed: self.listed,
            unreadable,
            notes: self.list.table.notes,
            left_out,
        })
    }
}

impl Sink for Lines<'_> {
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
