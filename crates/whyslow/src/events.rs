//! `events`: looks into traces themselves, any event of any provider, counted or one by one.

use std::ffi::OsString;
use std::io;
use std::sync::Arc;

use whyslow_events::{BadCondition, Counts, Filter, List, Sink, Stop, Style, Wanted, walk};
use whyslow_model::Watch;
use whyslow_query::Selection;
use whyslow_query::questions::{self, EventList};
use whyslow_source::Part;
use whyslow_source::archive::{self, Room};

use crate::args::EventsArgs;
use crate::ask::{Printer, failed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Spectator;
use crate::terminal::Terminal;

/// Rows of a table for a person that are written together.
const BLOCK: usize = 1 << 12;

/// What all steps of a command share.
struct Work<'a> {
    args: &'a EventsArgs,
    selection: Selection,
    terminal: &'a Terminal,
    traces: &'a [Part],
    watch: Arc<Spectator>,
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
        let text = format!("{} is about counts, not for --list", named.join(", "));
        return Err(Failure::usage(text).hint("--where is about the fields of single events"));
    }
    let selection = args.selection()?;
    if args.output.time_format.mark().is_some() {
        let failure = Failure::usage("only extracts have marks by name");
        return Err(failure.hint("whyslow extract TRACE makes one"));
    }
    let printer = Printer::new(words, &args.output)?;
    let watch = Spectator::new(terminal)?;
    let place = std::env::temp_dir().join("whyslow-events");
    let room = Room::Temporary(&place);
    let watching = Arc::clone(&watch) as Arc<dyn Watch>;
    let opened = archive::open(&args.traces, room, args.most_unpacked, &watching)?;
    let work = Work {
        args,
        selection,
        terminal,
        traces: &opened.files,
        watch,
    };
    if args.list {
        work.list(&printer)
    } else {
        work.count(&printer)
    }
}

impl Work<'_> {
    fn count(&self, printer: &Printer<'_>) -> Result<Exit, Failure> {
        let mut filter = filter(self.args, &self.selection)?;
        let mut counts = Counts::default();
        let unreadable = self
            .walk(&mut filter, &mut counts)
            .map_err(|stop| match stop {
                Stop::Failed(error) => error.into(),
                Stop::Enough | Stop::Written(_) => Failure::interrupted(),
            })?;
        check_fields(&filter)?;
        let table = questions::events(counts.finish(), &self.selection).map_err(failed)?;
        let is_empty = table.rows.is_empty();
        if is_empty {
            self.terminal.note("note", "no event matches");
        }
        let left_out = printer.table(&table, self.terminal)?;
        printer.tell_times(&table, self.terminal);
        printer.tell(&table.notes, &left_out, self.several(), self.terminal);
        Ok(exit(unreadable, is_empty))
    }

    fn list(&self, printer: &Printer<'_>) -> Result<Exit, Failure> {
        let mut filter = filter(self.args, &self.selection)?;
        let question = EventList::new(&self.selection, self.several()).map_err(failed)?;
        let (style, block) = match printer.format().data() {
            None => (Style::Short, BLOCK),
            Some(format) if format.holds_json => (Style::Json, format.block_rows),
            Some(format) => (Style::Whole, format.block_rows),
        };
        let most = self.selection.top.unwrap_or(usize::MAX);
        let (mut end, mut failure) = (None, None);
        let written = printer.write(|out| {
            let mut writer = printer.blocks(&question.table, self.terminal, out);
            let mut list = List::new(question, style, block, most, &mut writer);
            let unreadable = match self.walk(&mut filter, &mut list) {
                Ok(unreadable) => unreadable,
                Err(Stop::Written(error)) => return Err(error),
                Err(Stop::Failed(error)) => {
                    failure = Some(error.into());
                    // An incomplete answer leaves no file.
                    return Err(io::ErrorKind::Interrupted.into());
                }
                Err(Stop::Enough) => 0,
            };
            if let Err(error) = check_fields(&filter) {
                failure = Some(error);
                return Err(io::ErrorKind::Interrupted.into());
            }
            let (table, listed) = list.finish()?;
            let left_out = writer.end(&table)?;
            end = Some((table.notes, listed, unreadable, left_out));
            Ok(())
        });
        if let Some(error) = failure {
            return Err(error);
        }
        let Some((notes, listed, unreadable, left_out)) = written?.and(end) else {
            return Ok(Exit::Success);
        };
        if listed == 0 {
            self.terminal.note("note", "no event matches");
        }
        printer.tell(&notes, &left_out, self.several(), self.terminal);
        Ok(exit(unreadable, listed == 0))
    }

    /// Shows every matching event of every trace to `sink`; returns how many traces could not be
    /// read, each of which is reported.
    fn walk(&self, filter: &mut Filter, sink: &mut dyn Sink) -> Result<usize, Stop> {
        let mut report = |error: &whyslow_source::Error| {
            self.watch.clear();
            self.terminal.fail(&error.clone().into());
        };
        let watch: Arc<dyn Watch> = Arc::clone(&self.watch) as _;
        let walked = walk(self.traces, filter, &watch, &mut report, sink);
        self.watch.clear();
        walked
    }

    /// Returns whether there are several traces.
    fn several(&self) -> bool {
        self.traces.len() > 1
    }
}

fn filter(args: &EventsArgs, selection: &Selection) -> Result<Filter, Failure> {
    let wanted = Wanted {
        provider: args.provider.as_deref(),
        event: args.event.as_deref(),
        conditions: &args.conditions,
    };
    let bad = |error: BadCondition| {
        Failure::usage(error)
            .hint("conditions are 'FileName=*.dll', 'Status!=0', 'Size>=64KiB', 'Size=1k..4k', 'DurationMSec>5ms'")
    };
    Filter::new(wanted, selection).map_err(bad)
}

/// Fails if a condition is on a field that no event has.
fn check_fields(filter: &Filter) -> Result<(), Failure> {
    match filter.unknown_field() {
        Some(unknown) => {
            let advice = unknown.advice();
            Err(Failure::usage(unknown).hint(advice))
        }
        None => Ok(()),
    }
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
