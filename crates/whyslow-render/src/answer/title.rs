//! The first line: what was run, how long it took, and what that is made of.

use whyslow_explain::words::{Part, Role, Span, Spent};

use super::raw;
use crate::escape::escape;
use crate::measure::{cut, width};
use crate::paint::Paint;

/// What a block of a bar represents, in percent.
const BLOCK: usize = 5;

/// Returns the line, or lines if the parts do not fit into one.
pub(super) fn written(spans: &[Span], parts: &[Part], room: usize, paint: Paint) -> String {
    let raw_text = |span: &Span| escape(&raw(span)).into_owned();
    let others = spans.iter().filter(|span| span.role != Role::Title);
    let others: usize = others.map(|span| width(&raw_text(span))).sum();
    let mut line = String::new();
    let mut at = 0;
    for span in spans {
        let text = raw_text(span);
        let text = match span.role {
            // A long command leaves room for the parts.
            Role::Title => cut(&text, (room / 2).saturating_sub(others).max(8)),
            _ => text,
        };
        at += width(&text);
        line.push_str(&match span.role {
            Role::Title => paint.heading(&text),
            Role::Faint => paint.faint(&text),
            _ => text,
        });
    }
    for (number, part) in parts.iter().enumerate() {
        let words = format!("{} {} %", part.label, part.percent);
        let bar = bar(part);
        let wide = width(&words) + if bar.is_empty() { 0 } else { 1 + width(&bar) };
        let gap = if number == 0 { 4 } else { 3 };
        if at + gap + wide > room {
            line.push_str("\n    ");
            at = 4;
        } else {
            line.push_str(&" ".repeat(gap));
            at += gap;
        }
        line.push_str(&words);
        if !bar.is_empty() {
            line.push(' ');
            line.push_str(&paint.bar(&bar));
        }
        at += wide;
    }
    line
}

/// Returns the bar of a part: computing, waiting and being ready have patterns of their own.
fn bar(part: &Part) -> String {
    let block = match part.spent {
        Spent::Running => "▇",
        Spent::Waiting => "▒",
        Spent::Ready => "░",
        Spent::Rest => "·",
    };
    block.repeat((usize::from(part.percent) + BLOCK / 2) / BLOCK)
}
