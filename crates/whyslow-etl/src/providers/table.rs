//! The compact form in which the descriptions of a provider's events are shipped.
//!
//! One line per event, in ascending order of id and version, after the maps they use:
//!
//! ```text
//! e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 Microsoft-Windows-DotNETRuntime
//! # a remark
//! map GCTypeMap 0=NonConcurrentGC|1=BackgroundGC
//! flags TypeFlagsMap 0x1=Delegate|0x2=Finalizable
//! 1 0 GarbageCollection/Start/GCStart Count:u32 Type:u32=GCTypeMap
//! 1 1 " ^ ClrInstanceID:u16
//! 21 0 Type/BulkType Count:u32 Values[Count]{ Id:x64 Length:u32 Text:bytes(Length) Two:u8[2] }
//! ```
//!
//! The columns are id, version, names, fields. The names are those of the task, of the opcode and
//! of the event itself, as far as it has them; `-` means none, `"` repeats those of the line
//! before, `^` repeats all fields of the line before. A field is its name and its type; `(…)` gives
//! its length and `[…]` the number of elements (a constant or an earlier field), and `=…` names the
//! map of its values. A structure has fields of its own instead of a type.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::guid::Guid;
use crate::schema::{Amount, Field, FieldKind, MOST_FIELDS, Map, Schema};

/// The types, and how each is stored and shown (`TDH_INTYPE`, `TDH_OUTTYPE`).
const TYPES: &[(&str, u16, u16)] = &[
    ("u32", 8, 0),
    ("wstr", 1, 0),
    ("ptr", 16, 0),
    ("u16", 6, 0),
    ("u64", 10, 0),
    ("x64", 10, 19),
    ("x32", 8, 18),
    ("u8", 4, 0),
    ("astr", 2, 0),
    ("bool", 13, 0),
    ("bytes", 14, 0),
    ("guid", 15, 0),
    ("i32", 7, 0),
    ("i64", 9, 0),
    ("i16", 5, 0),
    ("i8", 3, 0),
    ("f32", 11, 0),
    ("f64", 12, 0),
    ("time", 17, 0),
    ("systime", 18, 0),
    ("sid", 19, 0),
    ("x8", 4, 16),
    ("x16", 6, 17),
    ("bool8", 4, 13),
    ("bool16", 6, 13),
    ("port", 6, 22),
    ("ip4", 8, 23),
    ("ip6", 14, 24),
    ("sockaddr", 14, 25),
    ("ntstatus", 8, 31),
    ("hresult", 8, 32),
    ("size", 308, 0),
    ("pad", crate::schema::PADDING, 0),
];

/// The descriptions of a provider's events.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// In ascending order of id and version.
    schemas: Vec<Schema>,
    maps: BTreeMap<String, Map>,
}

impl Table {
    /// Reads a table. Lines that do not have the right form are left out; a test checks that there
    /// are none.
    pub(super) fn read(text: &str) -> Self {
        let mut reading = Reading::default();
        if let Some((provider, name)) = head(text) {
            reading.provider = provider;
            name.clone_into(&mut reading.name);
        }
        for line in text.lines().skip(1) {
            let _ = reading.line(line);
        }
        reading.table
    }

    /// Returns the description of an event's version, or else of the newest one before it.
    pub(super) fn schema(&self, id: u16, version: u8) -> Option<&Schema> {
        let behind = self
            .schemas
            .partition_point(|schema| (schema.id, schema.version) <= (id, version));
        let found = self.schemas.get(behind.checked_sub(1)?)?;
        (found.id == id).then_some(found)
    }

    pub(super) fn map(&self, name: &str) -> Option<&Map> {
        self.maps.get(name)
    }
}

/// Returns the provider's GUID and name from the first line.
pub(super) fn head(text: &str) -> Option<(Guid, &str)> {
    let (guid, name) = text.lines().next()?.split_once(' ')?;
    Some((Guid::parse(guid)?, name))
}

/// A table while it is read.
#[derive(Debug, Default)]
struct Reading {
    provider: Guid,
    name: String,
    table: Table,
}

impl Reading {
    fn line(&mut self, line: &str) -> Option<()> {
        match line.split_once(' ')? {
            ("#", _) => {}
            ("map", rest) => self.map(rest, false)?,
            ("flags", rest) => self.map(rest, true)?,
            (id, rest) => {
                let schema = self.event(id.parse().ok()?, rest)?;
                self.table.schemas.push(schema);
            }
        }
        Some(())
    }

    fn map(&mut self, text: &str, is_flags: bool) -> Option<()> {
        let (name, entries) = text.split_once(' ')?;
        let entry = |text: &str| {
            let (value, name) = text.split_once('=')?;
            let value = match value.strip_prefix("0x") {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => value.parse().ok()?,
            };
            Some((value, name.to_owned()))
        };
        let map = Map {
            provider: self.provider,
            name: name.to_owned(),
            is_flags,
            entries: entries.split('|').map(entry).collect::<Option<_>>()?,
        };
        self.table.maps.insert(name.to_owned(), map);
        Some(())
    }

    fn event(&self, id: u16, text: &str) -> Option<Schema> {
        let mut words = text.split(' ');
        let version = words.next()?.parse().ok()?;
        let last = self.table.schemas.last();
        let mut schema = Schema {
            provider: self.provider,
            provider_name: self.name.as_str().into(),
            id,
            version,
            ..Schema::default()
        };
        match words.next()? {
            "-" => {}
            "\"" => {
                let last = last?;
                schema.task.clone_from(&last.task);
                schema.opcode.clone_from(&last.opcode);
                schema.name.clone_from(&last.name);
            }
            names => {
                let mut names = names.splitn(3, '/').map(str::to_owned);
                schema.task = names.next()?;
                schema.opcode = names.next().unwrap_or_default();
                schema.name = names.next().unwrap_or_default();
            }
        }
        let mut fields = Fields::default();
        for word in words {
            match (word, last) {
                ("^", Some(last)) => fields.start_from(last),
                _ => fields.word(word)?,
            }
        }
        (schema.fields, schema.top) = fields.finish()?;
        Some(schema)
    }
}

/// The fields of an event while they are read.
#[derive(Debug, Default)]
struct Fields {
    /// Its own fields, and those of its structures, whose numbers count from [`MOST_FIELDS`] until
    /// the end.
    top: Vec<Field>,
    inner: Vec<Field>,
    is_inside: bool,
}

impl Fields {
    fn start_from(&mut self, schema: &Schema) {
        let (top, inner) = schema.fields.split_at(schema.top.min(schema.fields.len()));
        self.top = top.to_vec();
        self.inner = inner.to_vec();
        self.shift(|number| {
            let inner = number.checked_sub(schema.top);
            inner.map_or(number, |inner| MOST_FIELDS + inner)
        });
    }

    fn word(&mut self, word: &str) -> Option<()> {
        if word == "}" {
            return std::mem::take(&mut self.is_inside).then_some(());
        }
        if let Some(head) = word.strip_suffix('{') {
            let (name, count) = self.bracketed(head, '[', ']')?;
            let first = MOST_FIELDS + self.inner.len();
            self.top.push(Field {
                name: name.to_owned(),
                kind: FieldKind::Structure { first, fields: 0 },
                count,
                length: Amount::Natural,
                map: String::new(),
            });
            return (!std::mem::replace(&mut self.is_inside, true)).then_some(());
        }
        let field = self.field(word)?;
        if !self.is_inside {
            self.top.push(field);
            return Some(());
        }
        self.inner.push(field);
        let FieldKind::Structure { fields, .. } = &mut self.top.last_mut()?.kind else {
            return None;
        };
        *fields += 1;
        Some(())
    }

    fn field(&self, word: &str) -> Option<Field> {
        let (name, rest) = word.split_once(':')?;
        let (rest, map) = rest.split_once('=').unwrap_or((rest, ""));
        let (rest, count) = self.bracketed(rest, '[', ']')?;
        let (kind, length) = self.bracketed(rest, '(', ')')?;
        let (_, stored, shown) = TYPES.iter().find(|(known, ..)| *known == kind)?;
        Some(Field {
            name: name.to_owned(),
            kind: FieldKind::Value {
                stored: *stored,
                shown: *shown,
            },
            count,
            length,
            map: map.to_owned(),
        })
    }

    /// Splits `text[amount]`.
    fn bracketed<'a>(&self, text: &'a str, open: char, close: char) -> Option<(&'a str, Amount)> {
        let Some((text, amount)) = text.split_once(open) else {
            return Some((text, Amount::Natural));
        };
        let amount = amount.strip_suffix(close)?;
        if let Ok(number) = amount.parse() {
            return Some((text, Amount::Fixed(number)));
        }
        let among = |fields: &[Field]| fields.iter().rposition(|field| field.name == amount);
        let own = self.is_inside.then(|| among(&self.inner)).flatten();
        let number = own.map(|number| MOST_FIELDS + number);
        Some((text, Amount::Of(number.or_else(|| among(&self.top))?)))
    }

    /// Numbers the fields of structures after the event's own.
    fn finish(mut self) -> Option<(Arc<[Field]>, usize)> {
        let top = self.top.len();
        self.shift(|number| match number.checked_sub(MOST_FIELDS) {
            Some(inner) => top + inner,
            None => number,
        });
        self.top.append(&mut self.inner);
        (!self.is_inside && self.top.len() <= MOST_FIELDS).then(|| (self.top.into(), top))
    }

    fn shift(&mut self, to: impl Fn(usize) -> usize) {
        for field in self.top.iter_mut().chain(&mut self.inner) {
            for amount in [&mut field.count, &mut field.length] {
                if let Amount::Of(number) = amount {
                    *number = to(*number);
                }
            }
            if let FieldKind::Structure { first, .. } = &mut field.kind {
                *first = to(*first);
            }
        }
    }
}

#[cfg(test)]
mod tests;
