//! Asking: open the extracts, put the question, print the answer.

mod charts;
mod unanswered;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::ArgMatches;
use whyslow_query::questions::{self, Direction, StackOptions, TimelineOptions, Weight};
use whyslow_query::selection::View;
use whyslow_query::{NoteLevel, Outcome, ResultTable, Selection, TimeFormat, why_nothing};
use whyslow_render::cell::TimeStyle;
use whyslow_render::tree::Shape;
use whyslow_render::{Paint, TextOptions, plot_width, write_csv, write_json, write_text};

use charts::write_charts;
pub(crate) use unanswered::failed;
use unanswered::not_recorded;

use crate::args::{By, Format, OutputArgs, SelectionArgs, StacksArgs, TimeWord, TimelineArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::output;
use crate::parquet_file::write_parquet;
use crate::ranges;
use crate::terminal::Terminal;
use crate::zone;

/// What the command line says about a question, beside its own arguments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wording<'a> {
    /// The subcommand.
    pub(crate) name: &'a str,
    /// What it was given, for the options made from columns.
    pub(crate) matches: &'a ArgMatches,
    /// All words.
    pub(crate) words: &'a [OsString],
}

/// One question of the command line.
#[derive(Debug)]
pub(crate) struct Ask<'a> {
    name: &'a str,
    args: &'a SelectionArgs,
    selection: Selection,
    output: &'a OutputArgs,
    words: &'a [OsString],
}

impl<'a> Ask<'a> {
    /// Returns the question with its selection understood.
    pub(crate) fn new(
        wording: &Wording<'a>,
        args: &'a SelectionArgs,
        output: &'a OutputArgs,
    ) -> Result<Self, Failure> {
        let ranges = ranges::given(wording.name, wording.matches);
        if output.format() == Format::Parquet && output.output.is_none() {
            let failure = Failure::usage("Parquet is not for a terminal or pipe");
            return Err(failure.hint("name a file with -o FILE.parquet"));
        }
        Ok(Self {
            name: wording.name,
            args,
            selection: args.selection(ranges)?,
            output,
            words: wording.words,
        })
    }

    /// Answers a question that is a table and has no options of its own.
    pub(crate) fn answer(&self, terminal: &Terminal) -> Result<Exit, Failure> {
        let inputs = Inputs::open(&self.args.extracts, terminal)?;
        let outcome = self.put(&inputs)?;
        self.finish(outcome, Shape::Levels, &inputs, terminal)
    }

    fn put(&self, inputs: &Inputs) -> Result<Outcome, Failure> {
        let views: Vec<View<'_>> = inputs.views();
        let selection = &self.selection;
        let outcome = match self.name {
            "processes" => questions::processes(&views, selection),
            "threads" => questions::threads(&views, selection),
            "cpu" if selection.methods.is_some() => questions::methods(&views, selection),
            "cpu" => questions::cpu(&views, selection),
            "waits" => questions::waits(&views, selection),
            "stats" => questions::stats(&views, selection),
            "missing" => questions::missing(&views, selection),
            _ => questions::problems(&views, selection),
        };
        outcome.map_err(failed)
    }

    /// Answers `stacks`.
    pub(crate) fn stacks(&self, args: &StacksArgs, terminal: &Terminal) -> Result<Exit, Failure> {
        let options = StackOptions {
            weight: weight(args.by),
            direction: if args.callers {
                Direction::Callers
            } else {
                Direction::TopDown
            },
            cutoff_percent: args.cutoff,
            collapse: !args.no_collapse,
            per_process: args.per_process,
        };
        let inputs = Inputs::open(&self.args.extracts, terminal)?;
        let outcome = questions::stacks(&inputs.views(), &self.selection, &options);
        let shape = if args.callers {
            Shape::Callers
        } else {
            Shape::Chains
        };
        self.finish(outcome.map_err(failed)?, shape, &inputs, terminal)
    }

    /// Answers `timeline`: a chart for a person, rows for everything else.
    pub(crate) fn timeline(
        &self,
        args: &TimelineArgs,
        terminal: &Terminal,
    ) -> Result<Exit, Failure> {
        let room = self.room(terminal);
        let options = TimelineOptions {
            slices: plot_width(room.unwrap_or(120)),
            series: args.lines,
            weight: weight(args.by),
            slice_ns: args
                .slice
                .and_then(|slice| i64::try_from(slice.as_nanos()).ok()),
        };
        let inputs = Inputs::open(&self.args.extracts, terminal)?;
        let answer = questions::timeline(&inputs.views(), &self.selection, &options);
        let answer = answer.map_err(failed)?;
        let table = match answer.outcome {
            Outcome::Table(table) if !args.rows && self.output.format() == Format::Table => table,
            outcome => return self.finish(outcome, Shape::Levels, &inputs, terminal),
        };
        let time = self.time(&table);
        let paint = if self.output.output.is_some() {
            Paint::Plain
        } else {
            terminal.paint
        };
        self.write(|out| write_charts(&answer.charts, &table, time, paint, out))?;
        self.tell_notes(&table, &[], &inputs, terminal);
        Ok(self.exit(answer.charts.is_empty(), &inputs))
    }

    /// Prints an answer and what is to be said about it.
    fn finish(
        &self,
        outcome: Outcome,
        shape: Shape,
        inputs: &Inputs,
        terminal: &Terminal,
    ) -> Result<Exit, Failure> {
        let table = match outcome {
            Outcome::Table(table) => table,
            Outcome::NotRecorded(missing) => return Err(not_recorded(&missing)),
        };
        let mut left_out = Vec::new();
        match self.output.format() {
            Format::Table if table.rows.is_empty() => {}
            Format::Table => {
                let options = TextOptions {
                    width: self.room(terminal),
                    paint: match self.output.output {
                        Some(_) => Paint::Plain,
                        None => terminal.paint,
                    },
                    time: self.time(&table),
                    shape,
                };
                let written = self.write(|out| write_text(&table, &options, out))?;
                left_out = written.unwrap_or_default();
            }
            Format::Csv => {
                self.write(|out| write_csv(&table, out))?;
            }
            Format::Json => {
                let arguments = self.arguments();
                self.write(|out| write_json(&table, &arguments, out))?;
            }
            Format::Parquet => {
                let arguments = self.arguments();
                self.write(|out| write_parquet(&table, &arguments, out))?;
            }
        }
        self.tell_notes(&table, &left_out, inputs, terminal);
        Ok(self.exit(table.rows.is_empty(), inputs))
    }

    fn write<T>(
        &self,
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
    ) -> Result<Option<T>, Failure> {
        output::write_to(self.output.output.as_deref(), self.output.force, write)
    }

    fn arguments(&self) -> Vec<String> {
        let words = self.words.iter().skip(1);
        words
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    fn tell_notes(
        &self,
        table: &ResultTable,
        left_out: &[&str],
        inputs: &Inputs,
        terminal: &Terminal,
    ) {
        if table.rows.is_empty() {
            let usual = match self.name {
                "problems" if self.selection.ranges.is_empty() => Ok("no problems".to_owned()),
                "missing" if self.selection.ranges.is_empty() => {
                    Ok("no symbols are missing".to_owned())
                }
                _ => why_nothing(&inputs.views(), &self.selection),
            };
            let nothing = usual.unwrap_or_else(|_| "nothing matches the selection".to_owned());
            terminal.note("note", &nothing);
        }
        let unused = self.selection.narrowed_by().join(", ");
        if matches!(self.name, "stats" | "problems" | "missing") && !unused.is_empty() {
            let text = format!(
                "{} is about the whole recording: {unused} is not used",
                self.name
            );
            terminal.note("note", &text);
        }
        if self.output.format() == Format::Table && !self.knows_times(table) {
            let text = "a recording does not say its time of day or time zone: \
                        its times are seconds since its start";
            terminal.note("note", text);
        }
        if self.output.format() != Format::Json {
            for note in &table.notes {
                let several = inputs.extracts.len() > 1;
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

    fn exit(&self, nothing: bool, inputs: &Inputs) -> Exit {
        if inputs.unreadable > 0 {
            Exit::Failure
        } else if nothing && !matches!(self.name, "problems" | "missing") {
            Exit::NothingMatched
        } else {
            Exit::Success
        }
    }

    /// Returns the columns a table has to fit into.
    fn room(&self, terminal: &Terminal) -> Option<usize> {
        if self.output.wide || self.output.output.is_some() {
            return None;
        }
        self.output.width.or(terminal.width)
    }

    /// Returns whether every file can give times as they are asked for.
    fn knows_times(&self, table: &ResultTable) -> bool {
        let local = matches!(
            self.output.time_format,
            TimeWord::Local | TimeWord::LocalTime
        );
        self.output.time_format == TimeWord::Trace
            || table.files.iter().all(|file| {
                let clock = &file.clock;
                clock.start_unix_ns.is_some() && !(local && clock.utc_offset_s.is_none())
            })
    }

    fn time(&self, table: &ResultTable) -> TimeStyle {
        let start = table.files.iter().find_map(|file| file.clock.start_unix_ns);
        let format = self.output.time_format.format(0);
        let format = match format {
            TimeFormat::Here(_) => TimeFormat::Here(zone::local_offset_s(start)),
            TimeFormat::HereTime(_) => TimeFormat::HereTime(zone::local_offset_s(start)),
            other => other,
        };
        TimeStyle {
            format,
            digits: self.output.time_digits.into(),
        }
    }
}

fn weight(by: By) -> Weight {
    match by {
        By::Cpu => Weight::Cpu,
        By::Wait => Weight::Wait,
        By::Ready => Weight::Ready,
    }
}
