//! Commands to paste, each with a word on what it shows.

use whyslow_explain::words::{Line, Shape, Span};

use super::raw;
use crate::escape::escape;
use crate::measure::width;
use crate::paint::Paint;

/// What is written before the first.
const LABEL: &str = "Next:  ";

/// Returns the words of a command, each option with its value.
fn words(spans: &[Span]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for span in spans {
        let text = escape(&raw(span)).into_owned();
        let is_option = |word: &&mut String| word.starts_with('-') && !word.contains(' ');
        match words.last_mut().filter(is_option) {
            Some(option) if !text.starts_with('-') => {
                option.push(' ');
                option.push_str(&text);
            }
            _ => words.push(text),
        }
    }
    words
}

/// Returns the column of the comments: beside the widest command that leaves room for its own.
pub(super) fn column(lines: &[Line], room: usize) -> usize {
    let commands = lines.iter().filter_map(|line| match line.shape {
        Shape::Command { shows, .. } => Some((end(&words(&line.spans)), shows)),
        _ => None,
    });
    let fitting = commands.filter(|(end, shows)| end + 4 + width(shows) <= room);
    fitting.map(|(end, _)| end).max().unwrap_or(0)
}

/// Returns the column at which a command on one line ends.
fn end(words: &[String]) -> usize {
    let wide: usize = words.iter().map(|word| width(word) + 1).sum();
    width(LABEL) + wide.saturating_sub(1)
}

/// Returns a command; one that is too long continues after a backslash, as a shell reads it.
pub(super) fn written(
    spans: &[Span],
    (is_first, shows): (bool, &str),
    column: usize,
    room: usize,
    paint: Paint,
) -> String {
    let words = words(spans);
    let left = " ".repeat(width(LABEL));
    let mut text = match is_first {
        true => paint.heading(LABEL),
        false => left.clone(),
    };
    let comment = format!("# {shows}");
    let mut at = width(LABEL);
    for (number, word) in words.iter().enumerate() {
        let is_last = number + 1 == words.len();
        let needed = width(word) + if is_last { 1 } else { 3 };
        if number > 0 && at + needed > room {
            text.push_str(" \\\n  ");
            text.push_str(&left);
            at = width(LABEL) + 2;
        } else if number > 0 {
            text.push(' ');
            at += 1;
        }
        text.push_str(&paint.name(word));
        at += width(word);
    }
    let fits = |at: usize| at + 2 + width(&comment) <= room;
    // Beside a command on one line comments are in a column.
    let to = if text.contains('\n') {
        at
    } else {
        at.max(column)
    };
    let gap = match fits(to) {
        true => " ".repeat(to - at + 2),
        false if fits(at) => "  ".to_owned(),
        // A line of its own for what the command says itself is a waste.
        false if !text.contains('\n') => return text,
        false => format!("\n  {left}"),
    };
    text.push_str(&gap);
    text.push_str(&paint.faint(&comment));
    text
}
