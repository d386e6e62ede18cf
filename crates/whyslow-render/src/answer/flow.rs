//! Text that is broken between words.

use whyslow_explain::words::{Content, Role, Span};

use super::raw;
use crate::escape::escape;
use crate::measure::{cut_middle, width};
use crate::paint::Paint;

/// A column of text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flow {
    room: usize,
    indent: usize,
}

/// What must stay together: pieces of spans up to a space.
#[derive(Debug, Default)]
struct Word {
    pieces: Vec<(Role, String)>,
    /// Columns without spaces at its end.
    wide: usize,
    /// Spaces at its end.
    spaces: usize,
}

impl Flow {
    /// Text from column `indent` up to column `room`.
    pub(super) fn new(room: usize, indent: usize) -> Self {
        Self { room, indent }
    }

    /// Returns the text.
    pub(super) fn text(self, spans: &[Span], paint: Paint) -> String {
        self.text_with(spans, paint, false)
    }

    /// Returns the text, plain words as headings if `strong`.
    pub(super) fn text_with(self, spans: &[Span], paint: Paint, strong: bool) -> String {
        let lines = self.lines(spans);
        let lines = lines.iter().map(|line| {
            let mut text = " ".repeat(self.indent);
            for (at, word) in line.iter().enumerate() {
                for (role, piece) in &word.pieces {
                    text.push_str(&styled(*role, piece, paint, strong));
                }
                if at + 1 < line.len() {
                    text.push_str(&" ".repeat(word.spaces));
                }
            }
            // What keeps two parts of a line apart is nothing at its end.
            text.truncate(text.trim_end().len());
            text
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the column at which the first line ends.
    pub(super) fn width_of_first(self, spans: &[Span]) -> usize {
        let lines = self.lines(spans);
        let Some(line) = lines.first() else {
            return self.indent;
        };
        let wide: usize = line.iter().map(|word| word.wide + word.spaces).sum();
        self.indent + wide - line.last().map_or(0, |word| word.spaces)
    }

    fn lines(self, spans: &[Span]) -> Vec<Vec<Word>> {
        let room = self.room.saturating_sub(self.indent).max(1);
        let mut lines: Vec<Vec<Word>> = vec![Vec::new()];
        let mut at = 0;
        for mut word in words(spans) {
            word.fit(room);
            if at > 0 && at + word.wide > room {
                lines.push(Vec::new());
                at = 0;
            }
            if at == 0 && word.wide == 0 {
                continue;
            }
            at += word.wide + word.spaces;
            if let Some(line) = lines.last_mut() {
                line.push(word);
            }
        }
        lines
    }
}

impl Word {
    /// Cuts it to `room` columns: its widest pieces first.
    fn fit(&mut self, room: usize) {
        while self.wide > room {
            let widest = self.pieces.iter_mut().max_by_key(|(_, piece)| width(piece));
            let Some((_, piece)) = widest else { return };
            let before = width(piece);
            let wanted = before.saturating_sub(self.wide - room).max(1);
            *piece = cut_middle(piece, wanted);
            if width(piece) >= before {
                piece.clear();
            }
            self.wide = self.pieces.iter().map(|(_, piece)| width(piece)).sum();
        }
    }
}

/// Returns the words of `spans`; a number stays with its unit.
fn words(spans: &[Span]) -> Vec<Word> {
    let mut words = vec![Word::default()];
    for span in spans {
        let text = escape(&raw(span)).into_owned();
        let pieces: Vec<&str> = match &span.content {
            Content::Text(_) => text.split_inclusive(' ').collect(),
            Content::Quantity(..) | Content::Percent(_) | Content::Ratio(_) => vec![&text],
        };
        for piece in pieces {
            let bare = piece.strip_suffix(' ').unwrap_or(piece);
            let Some(word) = words.last_mut() else { break };
            if !bare.is_empty() {
                word.wide += width(bare);
                word.pieces.push((span.role, bare.to_owned()));
            }
            if bare.len() < piece.len() {
                word.spaces = 1;
                words.push(Word::default());
            }
        }
    }
    words
}

fn styled(role: Role, text: &str, paint: Paint, strong: bool) -> String {
    match role {
        Role::Strong | Role::Title => paint.heading(text),
        Role::Faint => paint.faint(text),
        Role::Warning => paint.warning(text),
        Role::Process | Role::Function | Role::WaitClass | Role::Command => paint.name(text),
        Role::Plain | Role::Figure if strong => paint.heading(text),
        Role::Plain | Role::Figure => text.to_owned(),
    }
}
