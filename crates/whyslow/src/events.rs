//! `events`: looks into traces themselves, any event of any provider, counted or one by one.
//!
//! ```text
//! etl ──┐               ┌─ counts ─► question ─► answer
//!       ├─ Seen ─ filter┤
//! perf ─┘               └─ list ─► written block by block
//! ```
//!
//! Traces are read as a stream: nothing is kept of an event but its count, and of a list no more than
//! a block of rows.

mod counts;
mod etl;
mod fields;
mod filter;
mod list;
mod perf;
mod seen;
mod stacks;

use std::ffi::OsString;

use whyslow_query::questions;
use whyslow_query::{FileInfo, Note, Selection};

use crate::archive::{self, Room};
use crate::args::EventsArgs;
use crate::ask::Printer;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::source::{self, Part};
use crate::terminal::Terminal;
use counts::Counts;
use etl::EtlTraces;
use filter::Filter;
use seen::{Sink, Stop};

/// What all steps of a command share.
pub(crate) struct Work<'a> {
    args: &'a EventsArgs,
    selection: Selection,
    terminal: &'a Terminal,
    traces: &'a [Part],
    /// Whether there are several traces.
    several: bool,
    /// What asks to stop, where that leaves something to be removed.
    interrupt: Option<Interrupt>,
}

/// Counts or lists the events of traces.
pub(crate) fn events(
    args: &EventsArgs,
    words: &[OsString],
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let ranges = &args.ranges.0;
    if args.list && !ranges.is_empty() {
        let named: Vec<String> = ranges.iter().map(|r| format!("--{}", r.column)).collect();
        let text = format!("{} counts, and --list does not", named.join(", "));
        return Err(Failure::usage(text).hint("--where is about the fields of single events"));
    }
    let selection = args.selection()?;
    let printer = Printer::new(words, &args.output)?;
    let is_packed = args.traces.iter().any(|path| archive::is_archive(path));
    let interrupt = is_packed.then(Interrupt::watch).transpose()?;
    let opened = match &interrupt {
        Some(interrupt) => {
            let place = std::env::temp_dir().join("whyslow-events");
            let opened = archive::open(
                &args.traces,
                Room::Temporary(&place),
                args.most_unpacked,
                interrupt,
            )?;
            Some(opened)
        }
        None => None,
    };
    let plain: Vec<Part> = args.traces.iter().map(|path| Part::plain(path)).collect();
    let traces = opened.as_ref().map_or(&plain, |opened| &opened.files);
    let work = Work {
        args,
        selection,
        terminal,
        traces,
        several: traces.len() > 1,
        interrupt,
    };
    if args.list {
        list::list(&work, &printer)
    } else {
        count(&work, &printer)
    }
}

fn count(work: &Work<'_>, printer: &Printer<'_>) -> Result<Exit, Failure> {
    let mut counts = Counts::default();
    let unreadable = work.walk(&mut counts).map_err(|stop| match stop {
        Stop::Failed(failure) => failure,
        Stop::Enough | Stop::Written(_) => Failure::interrupted(),
    })?;
    let table = questions::events(counts.finish(), &work.selection).map_err(crate::ask::failed)?;
    let is_empty = table.rows.is_empty();
    if is_empty {
        work.terminal.note("note", "no event matches");
    }
    let left_out = printer.table(&table, work.terminal)?;
    printer.tell_times(&table, work.terminal);
    printer.tell(&table.notes, &left_out, work.several, work.terminal);
    Ok(exit(unreadable, is_empty))
}

fn exit(unreadable: usize, is_empty: bool) -> Exit {
    if unreadable > 0 {
        Exit::Failure
    } else if is_empty {
        Exit::NothingMatched
    } else {
        Exit::Success
    }
}

impl Work<'_> {
    /// Shows every matching event of every trace to `sink`; returns how many traces could not be
    /// read, each of which was told.
    fn walk(&self, sink: &mut dyn Sink) -> Result<usize, Stop> {
        let filter = Filter::new(self.args, &self.selection);
        let mut filter = filter.map_err(Stop::Failed)?;
        let mut unreadable = 0;
        let mut etl = EtlTraces::open(self)?;
        for (number, part) in self.traces.iter().enumerate() {
            let walked = match (source::metadata(&part.path), etl.take(number)) {
                (Err(failure), _) | (_, Some(Err(failure))) => Err(Stop::Failed(failure)),
                (_, Some(Ok(trace))) => etl.walk(&trace, self, &mut filter, sink),
                (_, None) => perf::walk(part, self, &mut filter, sink),
            };
            match walked {
                Ok(()) => {}
                Err(Stop::Enough) => break,
                Err(Stop::Failed(failure)) if self.several && failure.exit != Exit::Interrupted => {
                    self.terminal.fail(&failure);
                    unreadable += 1;
                }
                Err(stop) => return Err(stop),
            }
        }
        if unreadable == self.traces.len() {
            let failure = Failure::cannot("answer", "no trace could be read");
            return Err(Stop::Failed(failure));
        }
        Ok(unreadable)
    }

    /// Returns the failure to go on, if the user asked to stop.
    fn check(&self) -> Result<(), Failure> {
        self.interrupt.as_ref().map_or(Ok(()), Interrupt::check)
    }
}

/// Ends a walk that need not go on, but for saying what the trace lacks.
fn stop_early(stop: Stop, sink: &mut dyn Sink, notes: impl FnOnce() -> Vec<Note>) -> Stop {
    match stop {
        Stop::Enough => match sink.end(notes()) {
            Ok(()) => Stop::Enough,
            Err(stop) => stop,
        },
        stop => stop,
    }
}

/// Returns a note on a trace's quality.
fn warning(file: &FileInfo, text: String) -> Note {
    Note::warning(Some(&file.name), text)
}

/// Returns a note on damage: what, how often, where first, and the first one's particulars.
fn damage(file: &FileInfo, what: &str, (count, offset): (u64, u64), detail: &str) -> Note {
    let times = match count {
        1 => "at".to_owned(),
        count => format!("{count} times, first at"),
    };
    warning(file, format!("{what}, {times} {offset:#x}: {detail}"))
}
