//! The fields of an event as text, `name=value`, and as JSON.

use std::fmt::Write as _;

use whyslow_model::json::quoted;
use whyslow_query::wall_clock;

use crate::field::{Field, Step, Time, Value};

/// How fields are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `name=value`, for people: long arrays and bytes are cut off, empty padding is left out.
    Short,
    /// `name=value`, whole.
    Whole,
    /// A JSON object, whole.
    Json,
}

/// Suffix of the name of a field with a path in the form that users know.
const PATH: &str = ".path";

/// Maximum number of array elements, and of bytes, that [`Style::Short`] shows.
const MOST_ELEMENTS: u16 = 8;
const MOST_BYTES: usize = 32;

/// Writes the fields of an event to `out`.
pub fn write<'a>(fields: impl Iterator<Item = Field<'a>>, style: Style, out: &mut String) {
    let mut writer = Writer {
        style,
        out,
        open: Vec::new(),
        is_first: true,
        hidden_below: None,
    };
    if style == Style::Json {
        writer.out.push('{');
    }
    for field in fields {
        writer.field(&field);
    }
    writer.close_to(0);
    if style == Style::Json {
        writer.out.push('}');
    }
}

struct Writer<'o> {
    style: Style,
    out: &'o mut String,
    /// Arrays and structures that are open, outermost first.
    open: Vec<Open>,
    is_first: bool,
    /// Anything deeper belongs to an element that is not shown.
    hidden_below: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    depth: usize,
    is_array: bool,
    /// Elements that are not shown.
    hidden: u16,
}

impl Writer<'_> {
    fn field(&mut self, field: &Field<'_>) {
        // An array holds its elements, which have its own depth, and everything deeper.
        let holds = |open: &Open| {
            field.depth > open.depth
                || open.is_array && field.depth == open.depth && field.index.is_some()
        };
        let keep = self.open.iter().take_while(|open| holds(open)).count();
        self.close_to(keep);
        if self.hidden_below.is_some_and(|depth| field.depth > depth) {
            return;
        }
        let is_hidden = field.index.is_some_and(|index| index >= MOST_ELEMENTS);
        self.hidden_below = (is_hidden && self.style == Style::Short).then_some(field.depth);
        if self.hidden_below.is_some() {
            return;
        }
        let name = field.name.to_string();
        let fills = name.starts_with("Reserved") || name.starts_with("Pad");
        let is_zero = matches!(field.step, Step::Value(Value::Unsigned(0)));
        if fills && self.style == Style::Short && is_zero {
            return;
        }
        self.name(&name, field.index.is_some());
        match field.step {
            Step::Value(value) => {
                self.value(field, &value);
                self.path_beside(field, &name);
            }
            Step::Array(count) => self.open(field.depth, true, count.saturating_sub(MOST_ELEMENTS)),
            Step::Structure => self.open(field.depth, false, 0),
        }
    }

    fn open(&mut self, depth: usize, is_array: bool, hidden: u16) {
        self.out.push(if is_array { '[' } else { '{' });
        self.open.push(Open {
            depth,
            is_array,
            hidden,
        });
        self.is_first = true;
    }

    fn close_to(&mut self, keep: usize) {
        while self.open.len() > keep {
            let Some(open) = self.open.pop() else { return };
            if open.is_array && open.hidden > 0 && self.style == Style::Short {
                let _ = write!(self.out, " …{} more", open.hidden);
            }
            self.out.push(if open.is_array { ']' } else { '}' });
            self.is_first = false;
        }
    }

    /// Writes what comes before a value: a separator, and its name unless it is an element.
    fn name(&mut self, name: &str, is_element: bool) {
        let is_json = self.style == Style::Json;
        if !std::mem::take(&mut self.is_first) {
            self.out.push_str(match (is_json, is_element) {
                (true, _) | (_, true) => ",",
                _ => " ",
            });
        }
        if is_element {
            return;
        }
        if is_json {
            self.out.push_str(&quoted(name));
            self.out.push(':');
        } else {
            self.out.push_str(name);
            self.out.push('=');
        }
    }

    /// Writes the path in the form that users know, next to the trace's own form.
    fn path_beside(&mut self, field: &Field<'_>, name: &str) {
        let path = field.path().filter(|_| field.index.is_none());
        let Some(path) = path else {
            return;
        };
        self.name(&format!("{name}{PATH}"), false);
        self.text(&path);
    }

    fn text(&mut self, text: &str) {
        match self.style {
            Style::Json => self.out.push_str(&quoted(text)),
            _ => push_text(text, self.out),
        }
    }

    fn value(&mut self, field: &Field<'_>, value: &Value<'_>) {
        let name = field.value_name();
        let text = match name {
            Some(name) => name.into_owned(),
            None => {
                let most = match self.style {
                    Style::Short => MOST_BYTES,
                    _ => usize::MAX,
                };
                match (self.style, value) {
                    (Style::Json, Value::Unsigned(_) | Value::Signed(_) | Value::Bool(_)) => {
                        let _ = write!(self.out, "{value}");
                        return;
                    }
                    (Style::Json, Value::Float(number)) if number.is_finite() => {
                        let _ = write!(self.out, "{number}");
                        return;
                    }
                    // The value is one word, whatever it is.
                    (
                        Style::Short | Style::Whole,
                        Value::Unsigned(_) | Value::Signed(_) | Value::Hex(_),
                    ) => {
                        let _ = write!(self.out, "{value}");
                        return;
                    }
                    _ => text_of(value, most),
                }
            }
        };
        self.text(&text);
    }
}

/// Returns a value as text; for bytes and pointers, at most `most` of them.
pub(crate) fn text_of(value: &Value<'_>, most: usize) -> String {
    match value {
        Value::Time(time) => time_of(*time),
        Value::Bytes(bytes) => {
            let mut text = String::from("0x");
            for byte in bytes.iter().take(most) {
                let _ = write!(text, "{byte:02x}");
            }
            if let Some(more) = bytes.len().checked_sub(most).filter(|more| *more > 0) {
                let _ = write!(text, "…+{more}");
            }
            text
        }
        Value::Addresses(all) => {
            let mut text = String::new();
            for (at, pointer) in all.all().take(most).enumerate() {
                let space = if at == 0 { "" } else { " " };
                let _ = write!(text, "{space}{pointer:#x}");
            }
            if let Some(more) = all.count().checked_sub(most).filter(|more| *more > 0) {
                let _ = write!(text, " …{more} more");
            }
            text
        }
        other => other.to_string(),
    }
}

/// Returns a point in time as date and time in UTC; as a number if it is outside the calendar.
fn time_of(time: Time) -> String {
    let text = time.unix_ns().and_then(|ns| wall_clock(ns, 0, true, 7));
    text.map_or_else(|| Value::Time(time).to_string(), |text| text + "Z")
}

/// Writes a text, in quotes if it is not a single word.
fn push_text(text: &str, out: &mut String) {
    let is_word = !text.is_empty() && !text.contains([' ', '"', '\t', '\n', '\r']);
    if is_word {
        out.push_str(text);
    } else {
        out.push('"');
        out.push_str(&text.replace('"', "\\\""));
        out.push('"');
    }
}
