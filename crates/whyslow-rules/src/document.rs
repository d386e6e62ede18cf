//! A file as TOML, each part of which knows its line.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use whyslow_results::is_hidden;

use crate::fault::Faults;

/// Bytes of the longest file.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// Characters of the longest text in it.
const MOST_LETTERS: usize = 500;

/// Elements of the longest list.
const MOST_ELEMENTS: usize = 100;

pub(crate) type Key<'t> = Spanned<Cow<'t, str>>;
pub(crate) type Item<'t> = Spanned<DeValue<'t>>;

/// A file of text.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    text: &'t str,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl<'t> Document<'t> {
    /// Returns the text in `bytes`, if it is one whose letters all show; otherwise adds why not.
    pub(crate) fn new(bytes: &'t [u8], faults: &mut Faults) -> Option<Self> {
        if bytes.len() > MOST_BYTES {
            faults.add(1, "the file is larger than 1 MiB");
            return None;
        }
        let text = match str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
                faults.add(line, "this is not text (UTF-8)");
                return None;
            }
        };
        // Editors of Windows begin a file with a mark of its encoding.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let before = faults.count();
        for (line, text) in (1..).zip(text.lines()) {
            // Between values, tabs and the ends of lines of Windows are usual.
            if let Some(why) = hidden(text, &['\t', '\r']) {
                faults.add(line, why);
            }
        }
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        (faults.count() == before).then_some(Self { text, lines })
    }

    /// Returns what TOML finds in it, and adds what it does not understand.
    ///
    /// Also returns the lines that it does not understand.
    pub(crate) fn parse(&self, faults: &mut Faults) -> (DeTable<'t>, BTreeSet<usize>) {
        let (root, errors) = DeTable::parse_recoverable(self.text);
        let mut lines = BTreeSet::new();
        for error in errors {
            let line = self.line(&error.span().unwrap_or(0..0));
            // Others in the same line mostly follow from the first.
            if lines.insert(line) {
                faults.add(line, format!("this is not TOML: {}", error.message()));
            }
        }
        (root.into_inner(), lines)
    }

    /// Returns the line of a part.
    pub(crate) fn line(&self, span: &Range<usize>) -> usize {
        self.lines
            .partition_point(|&start| start <= span.start)
            .max(1)
    }

    /// Returns the text that a value is; otherwise adds why it is none.
    pub(crate) fn text(&self, key: &str, value: &Item<'_>, faults: &mut Faults) -> Option<String> {
        let line = self.line(&value.span());
        let DeValue::String(text) = value.get_ref() else {
            let is = kind(value);
            faults.add(
                line,
                format!("{key} must be a text in quotation marks, not {is}"),
            );
            return None;
        };
        let why = match text.trim() {
            "" => Some(format!("{key} is empty")),
            _ if text.contains('\n') => Some(format!("{key} must be one line")),
            _ if text.chars().count() > MOST_LETTERS => {
                Some(format!("{key} has more than {MOST_LETTERS} letters"))
            }
            text => hidden(text, &[]),
        };
        match why {
            None => Some(text.trim().to_owned()),
            Some(why) => {
                faults.add(line, why);
                None
            }
        }
    }

    /// Returns the texts of a list, each with its line; a single text is a list of one.
    pub(crate) fn texts(
        &self,
        key: &str,
        value: &Item<'_>,
        faults: &mut Faults,
    ) -> Vec<(usize, String)> {
        let single = std::slice::from_ref(value);
        let items = match value.get_ref() {
            DeValue::Array(items) => items.get(..items.len().min(MOST_ELEMENTS)),
            _ => Some(single),
        };
        if let DeValue::Array(items) = value.get_ref()
            && items.len() > MOST_ELEMENTS
        {
            let what = format!("{key} has more than {MOST_ELEMENTS} elements");
            faults.add(self.line(&value.span()), what);
        }
        let mut texts = Vec::new();
        for item in items.unwrap_or_default() {
            let text = self.text(key, item, faults);
            texts.extend(text.map(|text| (self.line(&item.span()), text)));
        }
        texts
    }

    /// Returns the tables of a list; otherwise adds why it is none.
    pub(crate) fn tables<'v>(
        &self,
        key: &str,
        written: &str,
        value: &'v Item<'t>,
        faults: &mut Faults,
    ) -> Vec<(usize, &'v DeTable<'t>)> {
        let DeValue::Array(items) = value.get_ref() else {
            let is = kind(value);
            let what = format!("{key} is written as {written}, not as {is}");
            faults.add(self.line(&value.span()), what);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in items {
            let line = self.line(&item.span());
            match item.get_ref() {
                DeValue::Table(table) => tables.push((line, table)),
                _ => faults.add(line, format!("{key} is written as {written}")),
            }
        }
        tables
    }
}

/// Returns what a value is, in words.
pub(crate) fn kind(value: &Item<'_>) -> &'static str {
    match value.get_ref() {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Returns the digits of a number, as they are written in decimal.
pub(crate) fn number(value: &Item<'_>) -> Option<String> {
    match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().replace('_', "")),
        DeValue::Float(number) => Some(number.as_str().replace('_', "")),
        _ => None,
    }
}

/// Says which letter of a text does not show, or changes the order of others; those in `but` may be there.
fn hidden(text: &str, but: &[char]) -> Option<String> {
    let mut letters = text.chars();
    let letter = letters.find(|letter| is_hidden(*letter) && !but.contains(letter))?;
    let number = u32::from(letter);
    Some(format!(
        "the character U+{number:04X} does not show, or changes the order of others: remove it"
    ))
}
