//! Opens the extracts, asks the question, prints the answer.

mod printer;
mod unanswered;

use std::ffi::OsString;

use whyslow_query::View;
use whyslow_query::{Outcome, Request, ResultTable, Selection};
use whyslow_render::plot_width;

pub(crate) use printer::Printer;
pub(crate) use unanswered::failed;
use unanswered::not_recorded;

use crate::args::AskArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::terminal::Terminal;

/// Columns of a chart that goes to a file or a pipe.
const WIDTH_OF_A_FILE: usize = 120;

/// Answers a question.
pub(crate) fn ask(
    args: &AskArgs,
    words: &[OsString],
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let printer = Printer::new(words, &args.output)?;
    let selection = args.selection.selection(args.ranges.clone())?;
    let room = printer.room(terminal).unwrap_or(WIDTH_OF_A_FILE);
    let request = Request {
        selection: &selection,
        arguments: &args.arguments,
        chart_slices: plot_width(room),
    };
    let inputs = Inputs::open(&args.selection.extracts, terminal)?;
    let answer = args.question.ask_readable(&inputs.views(), &request);
    let answer = answer.map_err(failed)?;
    let (views, unread) = (answer.views, answer.unread.len());
    for error in answer.unread {
        terminal.fail(&failed(error.into()));
    }
    let mut table = match answer.outcome {
        Outcome::Table(table) => table,
        Outcome::NotRecorded(missing) => return Err(not_recorded(&missing)),
    };
    printer.count_times(&mut table, &views)?;
    let left_out = printer.table(&table, terminal)?;
    remark(args, &selection, &table, &views, terminal);
    printer.tell_times(&table, terminal);
    let several = inputs.extracts.len() > 1;
    printer.tell(&table.notes, &left_out, several, terminal);
    let is_empty = printer.is_empty(&table);
    Ok(if inputs.unreadable + unread > 0 {
        Exit::Failure
    } else if is_empty && !args.question.is_well(&views, &selection) {
        Exit::NothingMatched
    } else {
        Exit::Success
    })
}

/// Says why there are no rows, and which options make no difference.
fn remark(
    args: &AskArgs,
    selection: &Selection,
    table: &ResultTable,
    views: &[View<'_>],
    terminal: &Terminal,
) {
    if table.rows.is_empty() {
        let why = args.question.why_empty(views, selection);
        let why = why.unwrap_or_else(|_| "nothing matches the selection".to_owned());
        terminal.note("note", &why);
    }
    if let Some(unused) = args.question.unused(selection) {
        terminal.note("note", &unused);
    }
}
