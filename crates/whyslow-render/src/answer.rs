//! The answer of `run`: the parts of the wall time, the causes, and commands that show more.
//!
//! No line is wider than its room, except for a single word of a command to paste: such words are
//! never broken.

mod commands;
mod flow;
mod title;

use std::io::{self, Write};

use whyslow_explain::words::{Content, Line, Names, Shape, Span, lines, machine_lines};
use whyslow_explain::{Answer, Machine};

use crate::measure::width;
use crate::number;
use crate::paint::Paint;
use flow::Flow;

/// How wide an answer is in a file or a pipe.
pub const USUAL_ROOM: usize = 100;

/// The widest answer: longer lines are hard to read.
const MOST_ROOM: usize = 120;

/// In less room nothing can be laid out.
const LEAST_ROOM: usize = 30;

/// How an answer is laid out.
#[derive(Debug, Clone, Copy)]
pub struct AnswerOptions {
    /// How many columns the lines may take.
    pub room: usize,
    /// Colors.
    pub paint: Paint,
    /// How much of long names is shown.
    pub names: Names,
}

impl Default for AnswerOptions {
    fn default() -> Self {
        Self {
            room: USUAL_ROOM,
            paint: Paint::Plain,
            names: Names::Short,
        }
    }
}

/// Writes `answer`.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_answer(
    answer: &Answer,
    options: AnswerOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_lines(&lines(answer, options.names), options, out)
}

/// Writes what a machine did.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_machine(
    machine: &Machine,
    options: AnswerOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_lines(&machine_lines(machine, options.names), options, out)
}

fn write_lines(lines: &[Line], options: AnswerOptions, out: &mut dyn Write) -> io::Result<()> {
    let room = options.room.clamp(LEAST_ROOM, MOST_ROOM);
    let paint = options.paint;
    let column = commands::column(lines, room);
    for line in lines {
        let written = match &line.shape {
            Shape::Title(parts) => title::written(&line.spans, parts, room, paint),
            Shape::Cause { number, confidence } => {
                cause(&line.spans, *number, confidence.name(), room, paint)
            }
            Shape::Heading { number } => {
                let mark = paint.heading(&format!("{number:<3}"));
                let text = Flow::new(room, 3).text(&line.spans, paint);
                format!("{mark}{}", text.trim_start())
            }
            Shape::Detail { is_below } => {
                let indent = if *is_below { 7 } else { 5 };
                Flow::new(room, indent).text(&line.spans, paint)
            }
            Shape::Plain => Flow::new(room, 0).text(&line.spans, paint),
            Shape::Command { is_first, shows } => {
                commands::written(&line.spans, (*is_first, shows), column, room, paint)
            }
            Shape::Blank => String::new(),
        };
        writeln!(out, "{}", written.trim_end())?;
    }
    Ok(())
}

/// Returns the lines of what happened, with how sure it is at the right end of the first.
fn cause(
    spans: &[Span],
    number: Option<usize>,
    confidence: &str,
    room: usize,
    paint: Paint,
) -> String {
    let mark = number.map_or_else(|| "     ".to_owned(), |number| format!("{number:<3}"));
    let reserved = width(confidence) + 2;
    let flow = Flow::new(room - reserved, width(&mark));
    let text = flow.text_with(spans, paint, number.is_some());
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let used = flow.width_of_first(spans);
    let gap = room.saturating_sub(used + width(confidence));
    let mut written = format!("{}{}", paint.heading(&mark), first.trim_start());
    written.push_str(&" ".repeat(gap));
    written.push_str(&paint.faint(confidence));
    if !rest.is_empty() {
        written.push('\n');
        written.push_str(rest);
    }
    written
}

/// Returns what the spans say, as it is.
pub(crate) fn plain_text(spans: &[Span]) -> String {
    spans.iter().map(raw).collect()
}

fn raw(span: &Span) -> String {
    match &span.content {
        Content::Text(text) => text.clone(),
        Content::Quantity(kind, value) => crate::cell::brief(*kind, *value),
        Content::Percent(share) => number::whole_percent(*share),
        Content::Ratio(ratio) => format!("{ratio:.1}"),
    }
}

#[cfg(test)]
mod tests;
