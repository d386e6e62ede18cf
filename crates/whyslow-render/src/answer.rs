//! The answer of `run`: a few lines with a word at the left edge.
//!
//! Lines that are too long continue below their own text, broken between words; a command to paste
//! is never broken.

use std::io::{self, Write};

use whyslow_explain::Answer;
use whyslow_explain::words::{Content, Line, Role, Span, lines};

use crate::harmless::harmless;
use crate::measure::width;
use crate::number;
use crate::paint::Paint;

/// Writes `answer`, within `room` columns if given.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_answer(
    answer: &Answer,
    room: Option<usize>,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_lines(&lines(answer), room, paint, out)
}

fn write_lines(
    lines: &[Line],
    room: Option<usize>,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let labels = lines.iter().map(|line| width(line.label));
    let labels = labels
        .max()
        .map_or(0, |label| label + usize::from(label > 0) * 2);
    for line in lines {
        writeln!(out, "{}", written(line, labels, room, paint).trim_end())?;
    }
    Ok(())
}

fn written(line: &Line, labels: usize, room: Option<usize>, paint: Paint) -> String {
    let left = labels + usize::from(line.indent) * 2;
    let mut text = paint.heading(line.label);
    text.push_str(&" ".repeat(left.saturating_sub(width(line.label))));
    let pasted = line.spans.iter().any(|span| span.role == Role::Command);
    let room = room.filter(|room| !pasted && *room > left + 16);
    let mut at = left;
    for span in &line.spans {
        let content = content(span);
        for piece in content.split_inclusive(' ') {
            let wide = width(piece.trim_end());
            if room.is_some_and(|room| at + wide > room) && at > left {
                text.truncate(text.trim_end_matches(' ').len());
                text.push('\n');
                text.push_str(&" ".repeat(left));
                at = left;
            }
            text.push_str(&styled(span.role, piece, paint));
            at += width(piece);
        }
    }
    text
}

/// Returns what the spans say, as it is.
pub(crate) fn plain_text(spans: &[Span]) -> String {
    spans.iter().map(raw).collect()
}

fn content(span: &Span) -> String {
    harmless(&raw(span)).into_owned()
}

fn raw(span: &Span) -> String {
    match &span.content {
        Content::Text(text) => text.clone(),
        Content::Quantity(kind, value) => crate::cell::quantity(*kind, *value),
        Content::Percent(share) => format!("{} %", number::share(*share)),
        Content::Ratio(ratio) => format!("{ratio:.1}"),
    }
}

fn styled(role: Role, text: &str, paint: Paint) -> String {
    match role {
        Role::Strong => paint.heading(text),
        Role::Faint => paint.faint(text),
        Role::Warning => paint.warning(text),
        Role::Process | Role::Function | Role::WaitClass | Role::Command => paint.name(text),
        Role::Plain | Role::Figure => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyslow_query::Kind;

    fn span(role: Role, text: &str) -> Span {
        let content = Content::Text(text.to_owned());
        Span { role, content }
    }

    fn figure(kind: Kind, value: i64) -> Span {
        let content = Content::Quantity(kind, value);
        let role = Role::Figure;
        Span { role, content }
    }

    fn line(label: &'static str, indent: u8, spans: Vec<Span>) -> Line {
        Line {
            label,
            indent,
            spans,
        }
    }

    fn long_lines() -> Vec<Line> {
        let long = " in a very long function name that does not fit into the line";
        vec![
            line("wall", 0, vec![figure(Kind::Duration, 1_500_000_000)]),
            line(
                "waiting",
                0,
                vec![figure(Kind::Duration, 700_000_000), span(Role::Plain, long)],
            ),
            line(
                "",
                1,
                vec![span(
                    Role::Command,
                    "whyslow cpu x.whyslow --functions '*' --process a\x1bb",
                )],
            ),
        ]
    }

    #[test]
    fn lines_continue_below_their_own_text_and_commands_stay_whole() {
        let mut out = Vec::new();
        write_lines(&long_lines(), Some(40), Paint::Plain, &mut out).unwrap();
        let expected = "\
wall     1.500 s
waiting  700.0 ms in a very long
         function name that does not fit
         into the line
           whyslow cpu x.whyslow --functions '*' --process a\\x1bb
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
