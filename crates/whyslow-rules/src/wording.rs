//! The words of a rule: text of the user with values in it, as `{calls} calls on {path}`.
//!
//! `{{` and `}}` are braces.

use whyslow_arguments::likeness::most_alike;
use whyslow_explain::finding::{Message, Piece};
use whyslow_query::ResultColumn;

use crate::rule::{ROWS, SHARE, fact_of, word_of};

/// A text, read.
#[derive(Debug, Default)]
pub(crate) struct Wording {
    /// The message.
    pub(crate) message: Message,
    /// The columns whose values it has.
    pub(crate) columns: Vec<ResultColumn>,
    /// Whether it says the share of the wall time.
    pub(crate) has_share: bool,
}

/// Reads a text with values of `columns`.
///
/// # Errors
/// All names that are not known, and braces without a partner.
pub(crate) fn wording(text: &str, columns: &[ResultColumn]) -> Result<Wording, Vec<String>> {
    let mut wording = Wording::default();
    let mut faults = Vec::new();
    let mut words = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        words.push_str(before);
        if let Some(after) = from.strip_prefix("{{").or(from.strip_prefix("}}")) {
            words.push_str(from.get(..1).unwrap_or_default());
            rest = after;
            continue;
        }
        let inner = from.strip_prefix('{').and_then(|from| from.split_once('}'));
        let Some((name, after)) = inner else {
            faults.push("a brace has no partner; write {{ or }} for a brace itself".to_owned());
            return Err(faults);
        };
        wording
            .message
            .0
            .push(Piece::Theirs(std::mem::take(&mut words)));
        rest = after;
        let name = name.trim();
        if name == SHARE {
            wording.has_share = true;
            wording.message.0.push(Piece::Value(SHARE));
            continue;
        }
        match named(name, columns) {
            Some(column) => {
                wording.message.0.push(Piece::Value(fact_of(&column)));
                if !wording.columns.contains(&column) {
                    wording.columns.push(column);
                }
            }
            None => {
                let known = columns.iter().map(word_of).chain([SHARE, ROWS.key]);
                faults.push(not_one_of("value", name, known));
            }
        }
    }
    words.push_str(rest);
    wording.message.0.push(Piece::Theirs(words));
    match faults.is_empty() {
        true => Ok(wording),
        false => Err(faults),
    }
}

/// Returns the column of that name.
pub(crate) fn named(name: &str, columns: &[ResultColumn]) -> Option<ResultColumn> {
    let all = columns.iter().chain([&ROWS]);
    let mut all = all.filter(|column| column.key == name || column.name == name);
    all.next().copied()
}

/// Says that a word is not known, which one was meant, and which there are.
pub(crate) fn not_one_of<'a>(
    what: &str,
    word: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> String {
    let meant = most_alike(word, known.clone());
    let all: Vec<&str> = known.collect();
    let all = all.join(", ");
    match meant {
        Some(meant) => format!("unknown {what} {word:?}: did you mean {meant}? It can be {all}"),
        None => format!("unknown {what} {word:?}: it can be {all}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyslow_query::Kind;

    fn columns() -> [ResultColumn; 2] {
        let share = ResultColumn::new("share", "machine_percent", "Machine", Kind::Percent, "");
        [
            share,
            ResultColumn::new("calls", "calls", "Calls", Kind::Count, ""),
        ]
    }

    #[test]
    fn values_stand_in_braces() {
        let read = wording(
            "{calls} of {{x}}: {share}, {machine_percent} {rows}",
            &columns(),
        )
        .unwrap();
        let theirs = |text: &str| Piece::Theirs(text.to_owned());
        let expected = [
            theirs(""),
            Piece::Value("calls"),
            theirs(" of {x}: "),
            Piece::Value("share"),
            theirs(", "),
            Piece::Value("machine_percent"),
            theirs(" "),
            Piece::Value("rows"),
            theirs(""),
        ];
        assert_eq!(read.message.0, expected);
        assert!(read.has_share);
        assert_eq!(read.columns.len(), 3);
    }

    #[test]
    fn names_that_are_not_known_are_all_told() {
        let faults = wording("{cals} {nothing at all}", &columns()).unwrap_err();
        assert_eq!(
            faults,
            [
                "unknown value \"cals\": did you mean calls? It can be machine_percent, calls, share, rows",
                "unknown value \"nothing at all\": it can be machine_percent, calls, share, rows"
            ]
        );
        assert!(wording("{calls", &columns()).unwrap_err()[0].contains("no partner"));
        assert!(wording("calls}", &columns()).unwrap_err()[0].contains("no partner"));
    }
}
