//! Descriptions of events whose payload does not describe itself, and their payloads, read with
//! them.
//!
//! A [`Schema`] comes from a manifest that an event source wrote into the trace
//! ([`manifest`](crate::manifest)), or from a description that a merge added for each event of a
//! provider ([`Schema::from_event_info`]; `TRACE_EVENT_INFO` of `tdh.h`, seen in merged traces of
//! Windows 8 to 11). Names of values come from a [`Map`], which a merge adds separately.
//!
//! *Folklore:* descriptions that a merge adds can be wrong: that of the CLR's stack walk (provider
//! e13c0d23-ccbc-4e12-931b-d9cc2eee27e4, id 82) declares two frames, although the field before
//! gives their number. So bytes left after the last field are not an error.

mod map;
mod texts;

use std::sync::Arc;

use crate::bytes::{size, u8_at, u16_at, u32_at};
use crate::cursor::Cursor;
use crate::guid::Guid;
use crate::pointer::PointerSize;
use crate::record::{Identity, Record};
use crate::stored::{read_bytes, read_value, shown};
use crate::text::{Ansi, Utf16};
use crate::tracelogging::{Item, What};
use crate::value::Value;

pub use map::Map;
use texts::Texts;

/// Maximum number of fields of an event, including those of structures.
pub(crate) const MOST_FIELDS: usize = 256;
/// The type that aligns a pointer after a 32-bit number, in the tables that we ship.
pub(crate) const PADDING: u16 = 0xfff0;
/// Maximum nesting of structures and arrays.
const MOST_FRAMES: usize = 8;

/// The class of events with descriptions, which a merge adds.
pub(crate) const EVENT_METADATA: Guid = Guid::new(
    0xbbcc_f6c1,
    0x6cd1,
    0x48c4,
    [0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71],
);

/// The description of an event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Schema {
    /// The provider.
    pub provider: Guid,
    /// Name of the provider.
    pub provider_name: Arc<str>,
    /// The event's id.
    pub id: u16,
    /// Version of its layout.
    pub version: u8,
    /// Name of its task; empty if it has none.
    pub task: String,
    /// Name of its opcode; empty if it has none.
    pub opcode: String,
    /// Its own name; empty if it has none.
    pub name: String,
    /// Fields of the event, then those of its structures.
    pub(crate) fields: Arc<[Field]>,
    /// Number of the event's own fields among them.
    pub(crate) top: usize,
    /// Names of values that came with the description; those of a merge come separately.
    pub(crate) maps: Arc<[Map]>,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: FieldKind,
    pub(crate) count: Amount,
    pub(crate) length: Amount,
    /// Name of the map of its values; empty if it has none.
    pub(crate) map: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// How it is stored and shown (`TDH_INTYPE`, `TDH_OUTTYPE`).
    Value { stored: u16, shown: u16 },
    /// The first of its fields, and their number.
    Structure { first: usize, fields: usize },
}

/// How many elements, or how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    /// One element, as long as the type says.
    Natural,
    Fixed(u16),
    /// As the field with this number says.
    Of(usize),
}

impl Schema {
    /// Returns the description that an event carries, if it is one that a merge has added.
    pub fn from_event_info(record: &Record<'_>) -> Option<Self> {
        match record.identity() {
            Identity::Classic {
                class: EVENT_METADATA,
                opcode: 32,
                ..
            } => Self::read(record.payload()),
            _ => None,
        }
    }

    /// Reads a `TRACE_EVENT_INFO`.
    fn read(info: &[u8]) -> Option<Self> {
        let mut texts = Texts::of(info);
        let mut text = |at: usize| match u32_at(info, at)? {
            0 => Some(String::new()),
            from => texts.at(from),
        };
        let count = size(u32_at(info, 0x64)?);
        let top = size(u32_at(info, 0x68)?);
        if count > MOST_FIELDS || top > count {
            return None;
        }
        let provider_name = text(0x34)?.into();
        let (task, opcode, name) = (text(0x44)?, text(0x48)?, text(0x5c)?);
        let fields = (0..count).map(|index| Field::read(info, index, &mut texts));
        Some(Self {
            provider: Guid::read(info, 0)?,
            provider_name,
            id: u16_at(info, 0x20)?,
            version: u8_at(info, 0x22)?,
            task,
            opcode,
            name,
            fields: fields.collect::<Option<_>>()?,
            top,
            maps: Arc::default(),
        })
    }

    /// Returns whether it names no field.
    pub fn is_empty(&self) -> bool {
        self.top == 0
    }

    /// Returns the names of values that came with the description under this name.
    pub fn map(&self, name: &str) -> Option<&Map> {
        self.maps.iter().find(|map| map.name == name)
    }

    /// Returns the fields of such an event's payload, in order.
    pub fn items<'a>(&'a self, payload: &'a [u8], pointer: PointerSize) -> Items<'a> {
        let whole = Frame::Fields {
            next: 0,
            end: self.top,
        };
        Items {
            schema: self,
            payload: Cursor::new(payload, pointer),
            numbers: [0; MOST_FIELDS],
            frames: [whole; MOST_FRAMES],
            open: 1,
            depth: 0,
            budget: crate::stored::most_steps(payload),
            is_broken: false,
            map: "",
        }
    }
}

impl Field {
    /// Reads the `EVENT_PROPERTY_INFO` of this number.
    fn read(info: &[u8], index: usize, texts: &mut Texts<'_>) -> Option<Self> {
        const IS_STRUCTURE: u32 = 1;
        const HAS_LENGTH_FIELD: u32 = 2;
        const HAS_COUNT_FIELD: u32 = 4;
        const IS_ARRAY: u32 = 0x20;
        let at = 0x70 + 24 * index;
        let half = |shift: usize| u16_at(info, at + shift);
        let flags = u32_at(info, at)?;
        let mut text = |at: usize| texts.at(u32_at(info, at)?);
        let is_structure = flags & IS_STRUCTURE != 0;
        let kind = if is_structure {
            FieldKind::Structure {
                first: usize::from(half(8)?),
                fields: usize::from(half(10)?),
            }
        } else {
            FieldKind::Value {
                stored: half(8)?,
                shown: half(10)?,
            }
        };
        let has_map = !is_structure && u32_at(info, at + 12)? != 0;
        let count = match half(16)? {
            index if flags & HAS_COUNT_FIELD != 0 => Amount::Of(usize::from(index)),
            0 | 1 if flags & IS_ARRAY == 0 => Amount::Natural,
            count => Amount::Fixed(count),
        };
        let length = match half(18)? {
            index if flags & HAS_LENGTH_FIELD != 0 => Amount::Of(usize::from(index)),
            0 => Amount::Natural,
            length => Amount::Fixed(length),
        };
        Some(Self {
            name: text(at + 4)?,
            kind,
            count,
            length,
            map: has_map.then(|| text(at + 12)).flatten().unwrap_or_default(),
        })
    }
}

/// The fields of an event, by its schema. The iterator ends with the schema, or where the payload
/// does not fit it.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    schema: &'a Schema,
    payload: Cursor<'a>,
    /// Values of fields that give the number or length of others.
    numbers: [u64; MOST_FIELDS],
    frames: [Frame; MOST_FRAMES],
    open: usize,
    depth: usize,
    budget: u32,
    is_broken: bool,
    map: &'a str,
}

/// What is being walked; a stack of these nests.
#[derive(Debug, Clone, Copy)]
enum Frame {
    Fields { next: usize, end: usize },
    Elements { field: usize, next: u16, count: u16 },
}

impl<'a> Items<'a> {
    /// Returns whether the payload did not fit the schema.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Returns the name of the [`Map`] for the last item's value; `None` if there is none.
    pub fn map_name(&self) -> Option<&'a str> {
        (!self.map.is_empty()).then_some(self.map)
    }

    /// Returns the bytes of the payload after the items returned so far.
    pub fn rest(&self) -> &'a [u8] {
        self.payload.rest()
    }

    /// Goes on to the next item; `Some(None)` at the end, `None` if something does not fit.
    fn step(&mut self) -> Option<Option<Item<'a>>> {
        while let Some(top) = self.open.checked_sub(1) {
            self.budget = self.budget.checked_sub(1)?;
            match self.frames.get_mut(top)? {
                Frame::Fields { next, end } if *next >= *end => {
                    self.open -= 1;
                    self.depth = self.depth.saturating_sub(1);
                }
                Frame::Fields { next, .. } => {
                    let field = *next;
                    *next += 1;
                    return self.field(field).map(Some);
                }
                Frame::Elements { next, count, .. } if *next >= *count => self.open -= 1,
                Frame::Elements { field, next, .. } => {
                    let (field, index) = (*field, *next);
                    *next += 1;
                    return self.element(field, Some(index)).map(Some);
                }
            }
        }
        Some(None)
    }

    fn field(&mut self, number: usize) -> Option<Item<'a>> {
        let field = self.schema.fields.get(number)?;
        let count = match field.count {
            Amount::Natural => return self.element(number, None),
            Amount::Fixed(count) => count,
            Amount::Of(of) => u16::try_from(*self.numbers.get(of)?).ok()?,
        };
        self.push(Frame::Elements {
            field: number,
            next: 0,
            count,
        })?;
        Some(self.item(field, None, What::Array(count)))
    }

    fn element(&mut self, number: usize, index: Option<u16>) -> Option<Item<'a>> {
        let field = self.schema.fields.get(number)?;
        let what = match field.kind {
            FieldKind::Structure { first, fields } => {
                let item = self.item(field, index, What::Structure);
                let end = first.checked_add(fields)?;
                self.push(Frame::Fields { next: first, end })?;
                self.depth += 1;
                return Some(item);
            }
            FieldKind::Value { stored, shown } => {
                let length = match field.length {
                    Amount::Natural => None,
                    Amount::Fixed(length) => Some(usize::from(length)),
                    Amount::Of(of) => Some(usize::try_from(*self.numbers.get(of)?).ok()?),
                };
                read(&mut self.payload, stored, shown, length)?
            }
        };
        if let (Some(number), Some(slot)) = (what.as_u64(), self.numbers.get_mut(number)) {
            *slot = number;
        }
        Some(self.item(field, index, What::Value(what)))
    }

    fn item(&mut self, field: &'a Field, index: Option<u16>, what: What<'a>) -> Item<'a> {
        self.map = &field.map;
        Item {
            name: Ansi(field.name.as_bytes()),
            depth: self.depth,
            index,
            what,
        }
    }

    fn push(&mut self, frame: Frame) -> Option<()> {
        *self.frames.get_mut(self.open)? = frame;
        self.open += 1;
        Some(())
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_broken {
            return None;
        }
        let step = self.step();
        self.is_broken = step.is_none();
        step?
    }
}

/// Reads a value as manifests store it.
fn read<'a>(
    payload: &mut Cursor<'a>,
    stored: u16,
    out: u16,
    length: Option<usize>,
) -> Option<Value<'a>> {
    const OUT_IPV6: u16 = 24;
    let how = match out {
        13 => shown::BOOLEAN,
        15..=19 => shown::HEX,
        22 => shown::PORT,
        23 => shown::IPV4,
        25 => shown::SOCKET,
        31 => shown::NT_STATUS,
        32 => shown::HRESULT,
        _ => 0,
    };
    Some(match (stored, length) {
        (1, Some(units)) => {
            let bytes = payload.take(units.checked_mul(2)?)?;
            Value::Utf16(Utf16::terminated(bytes).0)
        }
        (2, Some(bytes)) => Value::Ansi(Ansi::terminated(payload.take(bytes)?).0),
        (14, _) if out == OUT_IPV6 => Value::Ipv6(payload.array()?),
        (14, length) => read_bytes(payload.take(length?)?, how),
        // A number as large as a pointer (`TDH_INTYPE_SIZET`).
        (308, _) => Value::Unsigned(payload.pointer()?),
        (PADDING, _) => Value::Bytes(payload.take(payload.pointer.bytes() - 4)?),
        (stored, _) => read_value(payload, u8::try_from(stored).ok()?, how)?,
    })
}
