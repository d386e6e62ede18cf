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

use std::path::{Path, PathBuf};

use whyslow_query::questions;
use whyslow_query::{FileInfo, Note, Selection};
use whyslow_render::tree::Shape;

use crate::archive;
use crate::args::EventsArgs;
use crate::ask::{Printer, Wording};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::ranges;
use crate::source::{self, Kind};
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
    /// Whether several traces were named.
    several: bool,
}

/// Counts or lists the events of traces.
pub(crate) fn events(
    args: &EventsArgs,
    wording: &Wording<'_>,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let ranges = ranges::given(wording.name, wording.matches);
    if args.list && !ranges.is_empty() {
        let named: Vec<String> = ranges.iter().map(|r| format!("--{}", r.column)).collect();
        let text = format!("{} counts, and --list does not", named.join(", "));
        return Err(Failure::usage(text).hint("--where is about the fields of single events"));
    }
    if let Some(packed) = args.traces.iter().find(|path| archive::is_archive(path)) {
        let what = format!("look into {}", packed.display());
        return Err(Failure::cannot(what, "it is an archive")
            .hint("unpack it first; whyslow extract takes it as it is"));
    }
    let work = Work {
        args,
        selection: args.selection(ranges)?,
        terminal,
        several: args.traces.len() > 1,
    };
    let printer = Printer::new(wording, &args.output)?;
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
    let left_out = printer.table(&table, Shape::Levels, work.terminal)?;
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
        let etl = self.traces().filter(|path| source::kind(path) == Kind::Etl);
        let mut etl = EtlTraces::open(etl, self);
        for path in self.traces() {
            let walked = match (source::metadata(path), etl.take(path)) {
                (Err(failure), _) | (_, Some(Err(failure))) => Err(Stop::Failed(failure)),
                (_, Some(Ok(trace))) => etl.walk(&trace, self, &mut filter, sink),
                (_, None) => perf::walk(path, self, &mut filter, sink),
            };
            match walked {
                Ok(()) => {}
                Err(Stop::Enough) => break,
                Err(Stop::Failed(failure)) if self.several => {
                    self.terminal.fail(&failure);
                    unreadable += 1;
                }
                Err(stop) => return Err(stop),
            }
        }
        if unreadable == self.args.traces.len() {
            let failure = Failure::cannot("answer", "no trace could be read");
            return Err(Stop::Failed(failure));
        }
        Ok(unreadable)
    }

    fn traces(&self) -> impl Iterator<Item = &Path> {
        self.args.traces.iter().map(PathBuf::as_path)
    }
}

/// Returns a trace's name in tables.
fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
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
