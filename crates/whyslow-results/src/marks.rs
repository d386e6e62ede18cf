//! The marks of a trace, by the names that people give to moments: `load begins`, `load#2`, `load ends+1s`.

use std::collections::{BTreeMap, BTreeSet};

use crate::decimal::{duration, trace_seconds};
use crate::error::TextError;

/// Most marks that a message names.
const MOST_NAMED: usize = 8;

/// Most letters of a mark that a message shows.
const MOST_LETTERS: usize = 60;

/// The marks of one trace, in the order of time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    all: Vec<(i64, String)>,
}

/// How a name can be read: the text of a mark, which of the marks with this text, and how long after it.
struct Reading<'t> {
    text: &'t str,
    number: Option<usize>,
    after_ns: i64,
}

impl Marks {
    /// Returns marks with these times, in nanoseconds since the trace's start, and texts.
    #[must_use]
    pub fn new(mut all: Vec<(i64, String)>) -> Self {
        all.sort_by_key(|&(ns, _)| ns);
        Self { all }
    }

    /// Returns the times and texts, in the order of time.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &str)> {
        self.all.iter().map(|(ns, text)| (*ns, text.as_str()))
    }

    /// Returns the times in order, each with a name that [`Marks::find`] understands: the text, and which one of several
    /// with this text it is.
    #[must_use]
    pub fn named(&self) -> Vec<(i64, String)> {
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (_, text) in self.iter() {
            counts.entry(text).or_default().0 += 1;
        }
        let names = self.iter().map(|(ns, text)| {
            let Some((all, before)) = counts.get_mut(text) else {
                return (ns, text.to_owned());
            };
            *before += 1;
            match *all {
                1 => (ns, text.to_owned()),
                _ => (ns, format!("{text}#{before}")),
            }
        });
        names.collect()
    }

    /// Returns the time that `name` means in the trace called `trace`: that of the mark with exactly this text, or
    /// else of the only text that begins so. `#2` after it is the second of several, `+1s` and `-1s` are later and
    /// earlier. `not_time` says why it is no time.
    ///
    /// # Errors
    /// When no mark is meant, or more than one.
    pub fn find(&self, name: &str, trace: &str, not_time: &str) -> Result<i64, TextError> {
        let (plain, shifted) = readings(name.trim());
        // A whole text with an offset is meant rather than the beginning of another one.
        for reading in plain.iter().chain(&shifted) {
            if self.all.iter().any(|(_, text)| text == reading.text) {
                return self.chosen(reading, reading.text, trace);
            }
        }
        for readings in [plain, shifted] {
            if let Some(found) = self.among(&readings, trace) {
                return found;
            }
        }
        Err(self.unknown(name.trim(), trace, not_time))
    }

    /// Returns the time of the only mark that begins as these readings of a name do; `None` if there is none.
    fn among(&self, readings: &[Reading<'_>], trace: &str) -> Option<Result<i64, TextError>> {
        for reading in readings.iter().filter(|reading| !reading.text.is_empty()) {
            let begin = |text: &&str| text.starts_with(reading.text);
            let mut texts: Vec<&str> = self.iter().map(|(_, text)| text).filter(begin).collect();
            // Those that begin like it, in the order of time, each once.
            let mut known = BTreeSet::new();
            texts.retain(|text| known.insert(*text));
            match texts[..] {
                [] => {}
                [one] => return Some(self.chosen(reading, one, trace)),
                _ => {
                    return Some(Err(TextError::UnclearMark {
                        text: reading.text.to_owned(),
                        trace: trace.to_owned(),
                        why: format!(
                            "{} marks begin like this: {}; write more of the text",
                            texts.len(),
                            listed(texts.iter().copied())
                        ),
                    }));
                }
            }
        }
        None
    }

    /// Returns the time of the mark with this text that a name chooses.
    fn chosen(&self, reading: &Reading<'_>, text: &str, trace: &str) -> Result<i64, TextError> {
        let times = self.iter().filter(|&(_, known)| known == text);
        let times: Vec<i64> = times.map(|(ns, _)| ns).collect();
        let ns = match (reading.number, &times[..]) {
            (None, [ns]) => Some(*ns),
            (None, _) => None,
            (Some(number), _) => number.checked_sub(1).and_then(|at| times.get(at)).copied(),
        };
        let ns = ns.ok_or_else(|| {
            let text = cut(text);
            let times_of = times
                .iter()
                .take(MOST_NAMED)
                .map(|&ns| trace_seconds(ns, 3));
            let more = if times.len() > MOST_NAMED {
                ", …"
            } else {
                ""
            };
            let (count, at) = (times.len(), times_of.collect::<Vec<_>>().join(", "));
            let has = match count {
                1 => format!("1 mark has this text, at {at} s"),
                _ => format!("{count} marks have this text, at {at}{more} s"),
            };
            let choose = match count {
                1 => format!("write '{text}' alone"),
                _ => format!("choose one with '{text}#1' to '{text}#{count}'"),
            };
            TextError::UnclearMark {
                why: format!("{has}; {choose}"),
                text,
                trace: trace.to_owned(),
            }
        })?;
        Ok(ns.saturating_add(reading.after_ns))
    }

    fn unknown(&self, name: &str, trace: &str, not_time: &str) -> TextError {
        let mut texts: Vec<&str> = self.iter().map(|(_, text)| text).collect();
        let mut known = BTreeSet::new();
        texts.retain(|text| known.insert(*text));
        let why = match texts[..] {
            [] => "there are no marks in it".to_owned(),
            _ => format!("its marks are {}", listed(texts.iter().copied())),
        };
        TextError::NoMark {
            text: cut(name),
            not_time: not_time.to_owned(),
            trace: trace.to_owned(),
            why,
        }
    }
}

/// Returns how a name can be read: as it is, and with an offset at its end; each with and without a number.
fn readings(name: &str) -> (Vec<Reading<'_>>, Vec<Reading<'_>>) {
    let of = |text, after_ns| {
        let plain = Reading {
            text,
            number: None,
            after_ns,
        };
        let numbered = text.rsplit_once('#').and_then(|(text, number)| {
            Some(Reading {
                text,
                number: Some(number.parse().ok()?),
                after_ns,
            })
        });
        std::iter::once(plain).chain(numbered).collect()
    };
    let shifted = name.rfind(['+', '-']).and_then(|at| {
        let (text, after) = name.split_at_checked(at)?;
        let number = after.strip_prefix('+').unwrap_or(after);
        // Names end in numbers, as `phase-3` does: what is earlier has a unit.
        let has_unit = number.ends_with(|letter: char| letter.is_alphabetic());
        let ns = duration(number).filter(|_| has_unit || after.starts_with('+'))?;
        Some(of(text.trim_end(), ns))
    });
    (of(name, 0), shifted.unwrap_or_default())
}

/// Returns texts as a list for a message.
fn listed<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> String {
    let count = texts.clone().count();
    let named = texts
        .take(MOST_NAMED)
        .map(|text| format!("'{}'", cut(text)));
    let named: Vec<String> = named.collect();
    match count.saturating_sub(MOST_NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// Returns the beginning of a text, without what would act on a terminal.
fn cut(text: &str) -> String {
    let mut letters = text.chars();
    let shown = letters.by_ref().take(MOST_LETTERS);
    let shown = shown.map(|letter| {
        if letter.is_control() {
            '\u{fffd}'
        } else {
            letter
        }
    });
    let mut shown: String = shown.collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: i64 = 1_000_000_000;

    fn marks() -> Marks {
        Marks::new(vec![
            (9 * S, "load ends".to_owned()),
            (4 * S, "load begins".to_owned()),
            (S, "pass".to_owned()),
            (2 * S, "pass".to_owned()),
            (3 * S, "passage".to_owned()),
            (5 * S, "warm-up".to_owned()),
            (6 * S, "warm-up+1s".to_owned()),
            (7 * S, "über#2".to_owned()),
            (-S / 2, "tea".to_owned()),
            (8 * S, "tea-2 begins".to_owned()),
            (11 * S, "early".to_owned()),
            (-S / 2, "early".to_owned()),
            (12 * S, "t".to_owned()),
            (14 * S, "t+10 begins".to_owned()),
        ])
    }

    fn at(name: &str) -> Result<i64, String> {
        let found = marks().find(name, "x.whyslow", "it is no number");
        found
            .map(|ns| ns / 1_000_000)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_mark_is_found_by_its_text_or_its_beginning() {
        let table = [
            ("load begins", 4_000),
            (" load begins ", 4_000),
            ("load b", 4_000),
            ("passa", 3_000),
            ("warm-up", 5_000),
            ("über#2", 7_000),
            ("ü", 7_000),
            ("pass#1", 1_000),
            ("pass#2", 2_000),
        ];
        for (name, ms) in table {
            assert_eq!(at(name), Ok(ms), "{name}");
        }
    }

    #[test]
    fn an_offset_is_earlier_or_later() {
        let table = [
            ("load begins+1s", 5_000),
            ("load begins -250ms", 3_750),
            ("load e+1.5", 10_500),
            ("pass#2+1ms", 2_001),
            // The text of a mark comes first.
            ("warm-up+1s", 6_000),
            ("warm-up+1s+1s", 7_000),
            ("warm-up+2s", 7_000),
            ("t+1", 13_000),
            ("t+10 ", 22_000),
            ("t+10 b", 14_000),
            // Names end in numbers: these are no seconds earlier.
            ("tea-2", 8_000),
            ("tea-2s", -2_500),
        ];
        for (name, ms) in table {
            assert_eq!(at(name), Ok(ms), "{name}");
        }
    }

    #[test]
    fn what_is_unclear_says_how_to_choose() {
        let why = at("pass").expect_err("two");
        assert!(
            why.contains("2 marks have this text, at 1.000, 2.000 s"),
            "{why}"
        );
        assert!(
            why.contains("choose one with 'pass#1' to 'pass#2'"),
            "{why}"
        );
        let why = at("early").expect_err("two");
        assert!(why.contains("at -0.500, 11.000 s"), "{why}");
        let why = at("pass#3").expect_err("only two");
        assert!(why.contains("2 marks have this text"), "{why}");
        let why = at("load").expect_err("two");
        assert!(why.contains("'load begins', 'load ends'"), "{why}");
        assert!(
            at("passage#2")
                .expect_err("one")
                .contains("1 mark has this text")
        );
    }

    #[test]
    fn an_unknown_name_lists_the_marks() {
        assert!(at("passage-1").is_err(), "no unit");
        let why = at("lunch").expect_err("none");
        assert!(why.contains("'pass', 'passage', 'load begins'"), "{why}");
        let none = Marks::default().find("lunch", "x.whyslow", "it is no number");
        let why = none.expect_err("no marks").to_string();
        assert!(why.contains("there are no marks in it"), "{why}");
        assert!(at("").is_err() && at("#1").is_err() && at("+1s").is_err());
    }

    #[test]
    fn long_lists_and_texts_are_cut() {
        let all = (0..100).map(|at| (at, format!("{at} {}", "x".repeat(1000))));
        let error = Marks::new(all.collect()).find("lunch", "x", "");
        let why = error.expect_err("none").to_string();
        assert!(why.len() < 1_500 && why.contains("92 more"), "{why}");
    }
}
