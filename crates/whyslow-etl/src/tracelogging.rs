//! Events that describe themselves (`TraceLogging`): provider, name and fields are in two extended
//! data items, the values in the payload.
//!
//! The traits (item 12) are `u16` size, the provider's name, and parts of `u16` size, `u8` type and
//! data; a part of type 1 is the provider's group. The schema (item 11) is `u16` size, tags (bytes
//! up to one without its top bit), the event's name, and fields: name, `u8` storage type,
//! optionally `u8` display type and tags, optionally a count. From `TraceLoggingProvider.h` of the
//! Windows SDK; seen in real traces of Windows 10 and 11.
//!
//! *Folklore:* some producers store signed numbers as unsigned ones and mark them as signed only in
//! the display type; the display type decides.

use std::iter::FusedIterator;

use crate::cursor::Cursor;
use crate::extended::Extended;
use crate::guid::Guid;
use crate::pointer::PointerSize;
use crate::record::Record;
use crate::stored::{most_steps, read_value};
use crate::text::Ansi;
use crate::value::Value;

/// Maximum nesting of structures and arrays.
const MOST_FRAMES: usize = 16;

/// A self-describing event.
#[derive(Debug, Clone, Copy)]
pub struct TraceLogging<'a> {
    /// Name of the provider; empty if the event does not say.
    pub provider: Ansi<'a>,
    /// The provider's group.
    pub group: Option<Guid>,
    /// Name of the event, which is its identity: its id is usually 0.
    pub name: Ansi<'a>,
    schema: &'a [u8],
    payload: &'a [u8],
    pointer: PointerSize,
}

impl<'a> TraceLogging<'a> {
    /// Returns the description of an event; `None` if it has none.
    pub fn of(record: &Record<'a>) -> Option<Self> {
        let (mut schema, mut traits) = (None, &[][..]);
        for item in record.extended() {
            match item {
                Extended::Schema(data) => schema = Some(data),
                Extended::Traits(data) => traits = data,
                _ => {}
            }
        }
        let mut schema = Cursor::new(sized(schema?)?, record.pointer_size());
        while schema.u8()? & 0x80 != 0 {}
        let name = schema.ansi()?;
        let (provider, group) = read_traits(traits).unwrap_or_default();
        Some(Self {
            provider,
            group,
            name,
            schema: schema.rest(),
            payload: record.payload(),
            pointer: record.pointer_size(),
        })
    }

    /// Returns the fields with their values, in order.
    pub fn items(&self) -> Items<'a> {
        let whole = Frame::Fields { left: u32::MAX };
        Items {
            schema: self.schema,
            at: 0,
            payload: Cursor::new(self.payload, self.pointer),
            frames: [whole; MOST_FRAMES],
            open: 1,
            depth: 0,
            budget: most_steps(self.payload),
            is_broken: false,
        }
    }
}

/// Returns the part of an item that its own size covers.
fn sized(data: &[u8]) -> Option<&[u8]> {
    let size = usize::from(crate::bytes::u16_at(data, 0)?);
    data.get(2..size.min(data.len()))
}

fn read_traits(data: &[u8]) -> Option<(Ansi<'_>, Option<Guid>)> {
    let mut cursor = Cursor::new(sized(data)?, PointerSize::Eight);
    let name = cursor.ansi()?;
    let mut group = None;
    while let Some(size) = cursor.u16() {
        let part = cursor.take(usize::from(size).checked_sub(2)?)?;
        if let [1, guid @ ..] = part {
            group = Guid::read(guid, 0);
        }
    }
    Some((name, group))
}

/// A step through the fields of a self-describing event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item<'a> {
    /// Name of the field.
    pub name: Ansi<'a>,
    /// Number of structures around it.
    pub depth: usize,
    /// Which element of its array it is, from 0.
    pub index: Option<u16>,
    /// The step itself.
    pub what: What<'a>,
}

/// The kind of a step through the fields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum What<'a> {
    /// A value.
    Value(Value<'a>),
    /// An array with this many elements, which follow one by one.
    Array(u16),
    /// A structure; its fields follow, one level deeper.
    Structure,
}

/// The fields of a self-describing event. The iterator ends with the schema, or where the payload
/// does not fit it.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    schema: &'a [u8],
    at: usize,
    payload: Cursor<'a>,
    frames: [Frame<'a>; MOST_FRAMES],
    open: usize,
    depth: usize,
    budget: u32,
    is_broken: bool,
}

/// What is being walked; a stack of these nests.
#[derive(Debug, Clone, Copy)]
enum Frame<'a> {
    /// Consecutive fields, of the event or of a structure.
    Fields { left: u32 },
    /// Values of an array.
    Values {
        field: Field<'a>,
        next: u16,
        count: u16,
    },
    /// Structures of an array; their fields are visited again for each.
    Structures {
        field: Field<'a>,
        next: u16,
        count: u16,
        start: usize,
        end: usize,
    },
}

/// A field of the schema.
#[derive(Debug, Clone, Copy)]
struct Field<'a> {
    name: Ansi<'a>,
    stored: u8,
    shown: u8,
    count: Count,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    One,
    Fixed(u16),
    /// The count is in the payload.
    Variable,
    /// In a form of its own, which nobody uses.
    Custom,
}

const STRUCTURE: u8 = 24;

impl<'a> Field<'a> {
    /// Reads a field at the start of `schema`; also returns the bytes it takes.
    fn read(schema: &'a [u8]) -> Option<(Self, usize)> {
        let mut cursor = Cursor::new(schema, PointerSize::Eight);
        let name = cursor.ansi()?;
        let stored = cursor.u8()?;
        let mut shown = 0;
        if stored & 0x80 != 0 {
            shown = cursor.u8()?;
            let mut more = shown;
            while more & 0x80 != 0 {
                more = cursor.u8()?;
            }
        }
        let count = match stored & 0x60 {
            0x20 => Count::Fixed(cursor.u16()?),
            0x40 => Count::Variable,
            0x60 => {
                let bytes = cursor.u16()?;
                cursor.take(usize::from(bytes))?;
                Count::Custom
            }
            _ => Count::One,
        };
        let field = Self {
            name,
            stored: stored & 0x1f,
            shown: shown & 0x7f,
            count,
        };
        Some((field, schema.len() - cursor.rest().len()))
    }
}

impl<'a> Items<'a> {
    /// Returns whether the payload did not fit the schema.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Returns the bytes of the payload after the items returned so far.
    pub fn rest(&self) -> &'a [u8] {
        self.payload.rest()
    }

    /// Goes on to the next item; `Some(None)` at the end, `None` if something does not fit.
    fn step(&mut self) -> Option<Option<Item<'a>>> {
        while let Some(top) = self.open.checked_sub(1) {
            self.budget = self.budget.checked_sub(1)?;
            match *self.frames.get(top)? {
                Frame::Fields { left } if top == 0 && self.at >= self.schema.len() || left == 0 => {
                    self.open -= 1;
                    self.depth = self.depth.saturating_sub(1);
                }
                Frame::Fields { left } => {
                    *self.frames.get_mut(top)? = Frame::Fields { left: left - 1 };
                    return self.field().map(Some);
                }
                Frame::Values { next, count, .. } if next >= count => self.open -= 1,
                Frame::Values { field, next, count } => {
                    let next_value = next + 1;
                    *self.frames.get_mut(top)? = Frame::Values {
                        field,
                        next: next_value,
                        count,
                    };
                    return self.value(field, Some(next)).map(Some);
                }
                Frame::Structures {
                    next, count, end, ..
                } if next >= count => {
                    self.at = end;
                    self.open -= 1;
                }
                Frame::Structures {
                    field, next, start, ..
                } => {
                    if let Frame::Structures { next, .. } = self.frames.get_mut(top)? {
                        *next += 1;
                    }
                    self.at = start;
                    return self.structure(field, Some(next)).map(Some);
                }
            }
        }
        Some(None)
    }

    fn field(&mut self) -> Option<Item<'a>> {
        let (field, used) = Field::read(self.schema.get(self.at..)?)?;
        self.at += used;
        let count = match field.count {
            Count::One if field.stored == STRUCTURE => return self.structure(field, None),
            Count::One => return self.value(field, None),
            Count::Fixed(count) => count,
            Count::Variable => self.payload.u16()?,
            Count::Custom => return None,
        };
        let next = 0;
        self.push(if field.stored == STRUCTURE {
            Frame::Structures {
                field,
                next,
                count,
                start: self.at,
                end: self.behind(field.shown)?,
            }
        } else {
            Frame::Values { field, next, count }
        })?;
        Some(self.item(field, None, What::Array(count)))
    }

    fn structure(&mut self, field: Field<'a>, index: Option<u16>) -> Option<Item<'a>> {
        let item = self.item(field, index, What::Structure);
        let left = u32::from(field.shown);
        self.push(Frame::Fields { left })?;
        self.depth += 1;
        Some(item)
    }

    fn value(&mut self, field: Field<'a>, index: Option<u16>) -> Option<Item<'a>> {
        let value = read_value(&mut self.payload, field.stored, field.shown)?;
        Some(self.item(field, index, What::Value(value)))
    }

    fn item(&self, field: Field<'a>, index: Option<u16>, what: What<'a>) -> Item<'a> {
        Item {
            name: field.name,
            depth: self.depth,
            index,
            what,
        }
    }

    fn push(&mut self, frame: Frame<'a>) -> Option<()> {
        *self.frames.get_mut(self.open)? = frame;
        self.open += 1;
        Some(())
    }

    /// Returns the place after the next `fields` fields and those within them.
    fn behind(&self, fields: u8) -> Option<usize> {
        let mut at = self.at;
        let mut left = u32::from(fields);
        while left > 0 {
            let (field, used) = Field::read(self.schema.get(at..)?)?;
            at += used;
            left -= 1;
            if field.stored == STRUCTURE {
                left += u32::from(field.shown);
            }
        }
        Some(at)
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

impl FusedIterator for Items<'_> {}
