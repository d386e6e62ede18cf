//! How an answer is printed: as the output options say, with its notes on standard error.

use std::ffi::OsString;
use std::io::{self, Write};

use whyslow_events::BlockWriter as Blocks;
use whyslow_query::{Note, NoteLevel, ResultTable, TimeFormat, View, zero};
use whyslow_render::cell::TimeStyle;
use whyslow_render::{Head, Paint, RowWriter, TextOptions, TextWriter, write_charts, write_text};

use super::unanswered::failed;
use crate::args::{Format, OutputArgs};
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// Prints answers.
#[derive(Debug)]
pub(crate) struct Printer<'a> {
    output: &'a OutputArgs,
    words: &'a [OsString],
}

impl<'a> Printer<'a> {
    /// Returns a printer for what the command line says.
    pub(crate) fn new(words: &'a [OsString], output: &'a OutputArgs) -> Result<Self, Failure> {
        if let Some(format) = output.format().data().filter(|format| format.needs_file)
            && output.file().is_none()
        {
            let text = format!("{} is not for a terminal or pipe", format.title);
            let hint = format!("name a file with -o FILE.{}", format.name);
            return Err(Failure::usage(text).hint(hint));
        }
        Ok(Self { output, words })
    }

    /// Returns the format to write.
    pub(crate) fn format(&self) -> Format {
        self.output.format()
    }

    /// Lets times count from the mark that the command line names.
    pub(crate) fn count_times(
        &self,
        table: &mut ResultTable,
        views: &[View<'_>],
    ) -> Result<(), Failure> {
        let mark = self.output.time_format.mark();
        let counted = mark.map(|name| zero::count_from(table, views, name));
        counted.unwrap_or(Ok(())).map_err(failed)
    }

    /// Writes a table; returns the keys of the columns that there was no room for.
    pub(crate) fn table(
        &self,
        table: &ResultTable,
        terminal: &Terminal,
    ) -> Result<Vec<&'static str>, Failure> {
        match (self.format(), &table.charts) {
            (Format::Table, Some(charts)) => {
                let (time, paint) = (self.time(table), self.paint(terminal));
                self.write(|out| write_charts(charts, table, time, paint, out))?;
            }
            (Format::Table, None) if table.rows.is_empty() => {}
            (Format::Table, None) => {
                let options = self.text_options(table, terminal);
                let written = self.write(|out| write_text(table, &options, out))?;
                return Ok(written.unwrap_or_default());
            }
            (Format::Data(format), _) => {
                let arguments = self.arguments();
                self.write(|out| format.write(table, &arguments, out))?;
            }
        }
        Ok(Vec::new())
    }

    /// Returns whether the written table shows nothing.
    pub(crate) fn is_empty(&self, table: &ResultTable) -> bool {
        match &table.charts {
            Some(charts) if self.format().data().is_none() => charts.is_empty(),
            _ => table.rows.is_empty(),
        }
    }

    /// Returns what writes a table of the columns of `table` block by block.
    pub(crate) fn blocks<'w>(
        &self,
        table: &ResultTable,
        terminal: &Terminal,
        out: &'w mut (dyn Write + Send),
    ) -> BlockWriter<'w> {
        BlockWriter {
            format: self.format(),
            arguments: self.arguments(),
            text: TextWriter::new(self.text_options(table, terminal)),
            state: State::Fresh(out),
        }
    }

    /// Writes to where the command line says; returns `None` if the reader went away.
    pub(crate) fn write<'w, T>(
        &self,
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T> + 'w,
    ) -> Result<Option<T>, Failure> {
        output::write_to(self.output.file(), self.output.force, write)
    }

    /// Prints the notes of an answer.
    pub(crate) fn tell(
        &self,
        notes: &[Note],
        left_out: &[&str],
        several: bool,
        terminal: &Terminal,
    ) {
        let data = self.format().data();
        if !data.is_some_and(|format| format.holds_notes) {
            for note in notes {
                let file = note.file.as_ref().filter(|_| several);
                let text = match file {
                    Some(file) => format!("{file}: {}", note.text),
                    None => note.text.clone(),
                };
                let label = match note.level {
                    NoteLevel::Info => "note",
                    NoteLevel::Warning => "warning",
                };
                terminal.note(label, &text);
            }
        }
        if !left_out.is_empty() {
            let columns = left_out.join(", ");
            let text = format!("no room for {columns}: --wide shows all, --columns chooses");
            terminal.note("note", &text);
        }
    }

    /// Notes if a file cannot give times in the requested format.
    pub(crate) fn tell_times(&self, table: &ResultTable, terminal: &Terminal) {
        if self.format().data().is_none() && !self.knows_times(table) {
            let text = "a recording does not say its time of day or time zone: \
                        its times are seconds since its start";
            terminal.note("note", text);
        }
    }

    /// Returns the styles for standard output or a file.
    pub(crate) fn paint(&self, terminal: &Terminal) -> Paint {
        match self.output.file() {
            Some(_) => Paint::Plain,
            None => terminal.paint,
        }
    }

    /// Returns the columns a table has to fit into.
    pub(crate) fn room(&self, terminal: &Terminal) -> Option<usize> {
        if self.output.wide || self.output.file().is_some() {
            return None;
        }
        self.output.width.or(terminal.width)
    }

    /// Returns how times are written.
    pub(crate) fn time(&self, table: &ResultTable) -> TimeStyle {
        let start = table.files.iter().find_map(|file| file.clock.start_unix_ns);
        let format = self.output.time_format.format();
        let format = match format {
            TimeFormat::Here(_) => TimeFormat::Here(whyslow_stamp::zone::local_offset_s(start)),
            TimeFormat::HereTime(_) => {
                TimeFormat::HereTime(whyslow_stamp::zone::local_offset_s(start))
            }
            other => other,
        };
        TimeStyle {
            format,
            digits: self.output.time_digits.into(),
        }
    }

    fn text_options(&self, table: &ResultTable, terminal: &Terminal) -> TextOptions {
        TextOptions {
            width: self.room(terminal),
            paint: self.paint(terminal),
            time: self.time(table),
        }
    }

    fn arguments(&self) -> Vec<String> {
        let words = self.words.iter().skip(1);
        words
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    /// Returns whether every file can give times in the requested format.
    fn knows_times(&self, table: &ResultTable) -> bool {
        let format = self.output.time_format.format();
        let local = matches!(format, TimeFormat::Local | TimeFormat::LocalTime);
        format == TimeFormat::Trace
            || table.files.iter().all(|file| {
                let clock = &file.clock;
                clock.start_unix_ns.is_some() && !(local && clock.utc_offset_s.is_none())
            })
    }
}

/// Writes a table whose rows come in blocks. What precedes the first one is written with it.
pub(crate) struct BlockWriter<'w> {
    format: Format,
    arguments: Vec<String>,
    text: TextWriter,
    state: State<'w>,
}

enum State<'w> {
    Fresh(&'w mut (dyn Write + Send)),
    Text(&'w mut (dyn Write + Send)),
    Data(Box<dyn RowWriter + 'w>),
    Ended,
}

impl Blocks for BlockWriter<'_> {
    fn rows(&mut self, table: &ResultTable) -> io::Result<()> {
        self.begin(table)?;
        if table.rows.is_empty() {
            return Ok(());
        }
        match &mut self.state {
            State::Text(out) => {
                self.text.rows(table, out)?;
                // A person may be watching.
                out.flush()
            }
            State::Data(writer) => writer.rows(table),
            State::Fresh(_) | State::Ended => Ok(()),
        }
    }
}

impl BlockWriter<'_> {
    fn begin(&mut self, table: &ResultTable) -> io::Result<()> {
        let out = match std::mem::replace(&mut self.state, State::Ended) {
            State::Fresh(out) => out,
            begun => {
                self.state = begun;
                return Ok(());
            }
        };
        self.state = match self.format {
            Format::Table => State::Text(out),
            Format::Data(format) => {
                let head = Head {
                    arguments: &self.arguments,
                    matched_rows: None,
                };
                State::Data((format.begin)(table, &head, out)?)
            }
        };
        Ok(())
    }

    /// Writes what follows the rows; returns the keys of the columns that there was no room for.
    pub(crate) fn end(mut self, table: &ResultTable) -> io::Result<Vec<&'static str>> {
        self.begin(table)?;
        if let State::Data(writer) = self.state {
            writer.end(table)?;
        }
        Ok(self.text.left_out().to_vec())
    }
}
