//! A message with its values filled in.

use super::Names;
use super::text::{Role, Text};
use crate::finding::{Message, Piece, Value};

/// Returns the sentence; `plain` is the role of its words.
pub(super) fn filled(
    message: &Message,
    facts: &[(&'static str, Value)],
    plain: Role,
    names: Names,
) -> Text {
    let mut text = Text::default();
    let mut role = plain;
    let value = |name: &str| {
        let mut facts = facts.iter();
        facts.find(|(known, _)| *known == name)
    };
    for piece in &message.0 {
        let mut rest = match piece {
            Piece::Ours(words) => *words,
            Piece::Theirs(theirs) => {
                text = words(text, role, theirs);
                continue;
            }
            Piece::Value(name) => {
                if let Some((_, value)) = value(name) {
                    text = said(text, role, value, names);
                }
                continue;
            }
        };
        while let Some(at) = rest.find(['{', '*']) {
            text = words(text, role, &rest[..at]);
            if rest[at..].starts_with('*') {
                role = if role == plain { Role::Strong } else { plain };
                rest = &rest[at + 1..];
                continue;
            }
            let (name, after) = rest[at + 1..]
                .split_once('}')
                .unwrap_or((&rest[at + 1..], ""));
            rest = after;
            let value = value(name);
            if let (Some((_, Value::Count(1))), Some(after)) = (value, rest.strip_prefix(" times"))
            {
                (text, rest) = (words(text, role, "once"), after);
            } else if let Some((_, value)) = value {
                text = said(text, role, value, names);
            }
        }
        text = words(text, role, rest);
    }
    text
}

fn words(text: Text, role: Role, words: &str) -> Text {
    match words {
        "" => text,
        _ => text.words(role, words),
    }
}

/// Adds a value.
pub(super) fn said(text: Text, role: Role, value: &Value, names: Names) -> Text {
    match value {
        Value::Share(share) => text.percent(*share),
        Value::Time(ns) => text.time(*ns),
        Value::Count(count) => text.count(*count),
        Value::Ratio(ratio) => text.ratio(*ratio),
        Value::Figure(kind, figure) => text.figure(*kind, *figure),
        Value::Process(name) => text.process(name),
        Value::Place(place) => text.function(&match names {
            Names::Short => place.to_string(),
            Names::Full => place.full(),
        }),
        Value::Class { phrase, .. } => text.class(phrase),
        Value::Text(words) => text.words(role, words),
        Value::Path { full, short } => text.words(
            role,
            match names {
                Names::Short => short,
                Names::Full => full,
            },
        ),
        Value::Shares(all) => {
            let mut text = text;
            for (at, (name, share)) in all.iter().enumerate() {
                let comma = if at == 0 { "" } else { ", " };
                text = words(text, role, comma).process(name);
                text = text.say(" ").percent(*share);
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::text::Content;

    fn words_for(count: i64) -> Vec<Content> {
        let message = Message::new("It freed memory {count} times before it got any");
        let facts = [("count", Value::Count(count))];
        let text = filled(&message, &facts, Role::Plain, Names::Short);
        text.0.into_iter().map(|span| span.content).collect()
    }

    #[test]
    fn what_happens_one_time_happens_once() {
        let words = |text: &str| Content::Text(text.to_owned());
        let said = [
            words("It freed memory "),
            words("once"),
            words(" before it got any"),
        ];
        assert_eq!(words_for(1), said);
        assert_eq!(words_for(21).len(), 3);
        assert_eq!(words_for(21)[2], words(" times before it got any"));
    }

    #[test]
    fn words_of_a_user_are_said_as_they_are() {
        let pieces = [
            Piece::Theirs("many *.ini {count}: ".to_owned()),
            Piece::Value("count"),
        ];
        let facts = [("count", Value::Count(3))];
        let message = Message(pieces.to_vec());
        let text = filled(&message, &facts, Role::Plain, Names::Short);
        let said: Vec<_> = text.0.into_iter().map(|span| span.content).collect();
        let words = Content::Text("many *.ini {count}: ".to_owned());
        assert_eq!(
            said,
            [words, Content::Quantity(whyslow_query::Kind::Count, 3)]
        );
        assert_eq!(message.names().collect::<Vec<_>>(), ["count"]);
    }
}
