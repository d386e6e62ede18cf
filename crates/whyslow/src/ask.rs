//! Asking: open the extracts, put the question, print the answer.

mod charts;
mod printer;
mod unanswered;

use std::ffi::OsString;

use clap::ArgMatches;
use whyslow_query::questions::{self, Direction, StackOptions, TimelineOptions, Weight};
use whyslow_query::selection::View;
use whyslow_query::{Outcome, ResultTable, Selection, why_nothing};
use whyslow_render::plot_width;
use whyslow_render::tree::Shape;

use charts::write_charts;
pub(crate) use printer::Printer;
pub(crate) use unanswered::failed;
use unanswered::not_recorded;

use crate::args::{By, Format, OutputArgs, SelectionArgs, StacksArgs, TimelineArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::ranges;
use crate::terminal::Terminal;

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
    printer: Printer<'a>,
}

impl<'a> Ask<'a> {
    /// Returns the question with its selection understood.
    pub(crate) fn new(
        wording: &Wording<'a>,
        args: &'a SelectionArgs,
        output: &'a OutputArgs,
    ) -> Result<Self, Failure> {
        let ranges = ranges::given(wording.name, wording.matches);
        Ok(Self {
            printer: Printer::new(wording, output)?,
            name: wording.name,
            args,
            selection: args.selection(ranges)?,
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
        let room = self.printer.room(terminal);
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
            Outcome::Table(table) if !args.rows && self.printer.format() == Format::Table => table,
            outcome => return self.finish(outcome, Shape::Levels, &inputs, terminal),
        };
        let (time, paint) = (self.printer.time(&table), self.printer.paint(terminal));
        self.printer
            .write(|out| write_charts(&answer.charts, &table, time, paint, out))?;
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
        let left_out = self.printer.table(&table, shape, terminal)?;
        self.tell_notes(&table, &left_out, inputs, terminal);
        Ok(self.exit(table.rows.is_empty(), inputs))
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
        self.printer.tell_times(table, terminal);
        let several = inputs.extracts.len() > 1;
        self.printer.tell(&table.notes, left_out, several, terminal);
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
}

fn weight(by: By) -> Weight {
    match by {
        By::Cpu => Weight::Cpu,
        By::Wait => Weight::Wait,
        By::Ready => Weight::Ready,
    }
}
