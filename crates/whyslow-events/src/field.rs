//! One field of an event, from any kind of trace.

use std::borrow::Cow;
use std::fmt;

use whyslow_etl::decode;
use whyslow_etl::tracelogging::What;
use whyslow_etl::{Ansi, FileTime, Pointers, Utf16};

/// A field of an event, an element of it, or the beginning of either.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// Number of structures around it.
    pub depth: usize,
    /// Its index in the array that contains it.
    pub index: Option<u16>,
    /// The step itself.
    pub step: Step<'a>,
    /// The source of names for its values.
    names: Option<decode::Field<'a>>,
}

impl<'a> Field<'a> {
    /// Returns a field that is neither in a structure nor in an array.
    pub fn plain(name: &'a str, value: Value<'a>) -> Self {
        Self {
            name: Text::narrow(name.as_bytes()),
            depth: 0,
            index: None,
            step: Step::Value(value),
            names: None,
        }
    }

    /// If the value is a path in another form, returns it in the form that users know.
    pub fn path(&self) -> Option<Cow<'a, str>> {
        self.names?.path().map(Cow::Owned)
    }

    /// Returns the name of its value, if its values have names and this one has one.
    pub fn value_name(&self) -> Option<Cow<'a, str>> {
        self.names?.value_name()
    }
}

impl<'a> From<decode::Field<'a>> for Field<'a> {
    fn from(field: decode::Field<'a>) -> Self {
        let item = &field.item;
        Self {
            name: Text(Encoded::Narrow(item.name)),
            depth: item.depth,
            index: item.index,
            step: match item.what {
                What::Value(value) => Step::Value(value.into()),
                What::Array(count) => Step::Array(count),
                What::Structure => Step::Structure,
            },
            names: Some(field),
        }
    }
}

/// The kind of a step through the fields.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// A value.
    Value(Value<'a>),
    /// An array with this many elements, which follow one by one.
    Array(u16),
    /// A structure; its fields follow, one level deeper.
    Structure,
}

/// One value.
#[derive(Debug, Clone, Copy)]
pub enum Value<'a> {
    /// An unsigned number.
    Unsigned(u64),
    /// A signed number.
    Signed(i64),
    /// A number that is usually read in hexadecimal: a pointer, flags, a status.
    Hex(u64),
    /// A floating-point number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// Text.
    Text(Text<'a>),
    /// A point in time.
    Time(Time),
    /// Bytes of no known form.
    Bytes(&'a [u8]),
    /// Addresses, such as the frames of a stack.
    Addresses(Addresses<'a>),
    /// A value with a written form of its own: a GUID, a network address, a security identifier.
    Other(Other<'a>),
}

impl Value<'_> {
    /// Returns the value as a number, if it is a whole number of any form.
    pub fn whole(&self) -> Option<i128> {
        match *self {
            Self::Unsigned(value) | Self::Hex(value) => Some(value.into()),
            Self::Signed(value) => Some(value.into()),
            Self::Bool(value) => Some(value.into()),
            Self::Time(time) => Some(time.0.0.cast_unsigned().into()),
            Self::Other(other) => other.0.as_u64().map(i128::from),
            _ => None,
        }
    }
}

impl<'a> From<whyslow_etl::Value<'a>> for Value<'a> {
    fn from(value: whyslow_etl::Value<'a>) -> Self {
        use whyslow_etl::Value as Etl;
        match value {
            Etl::Unsigned(value) => Self::Unsigned(value),
            Etl::Signed(value) => Self::Signed(value),
            Etl::Hex(value) => Self::Hex(value),
            Etl::Float(value) => Self::Float(value),
            Etl::Bool(value) => Self::Bool(value),
            Etl::Ansi(text) => Self::Text(Text(Encoded::Narrow(text))),
            Etl::Utf16(text) => Self::Text(Text(Encoded::Wide(text))),
            Etl::Time(time) => Self::Time(Time(time)),
            Etl::Bytes(bytes) => Self::Bytes(bytes),
            Etl::Pointers(pointers) => Self::Addresses(Addresses(pointers)),
            other => Self::Other(Other(other)),
        }
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned(value) => value.fmt(f),
            Self::Signed(value) => value.fmt(f),
            Self::Hex(value) => write!(f, "{value:#x}"),
            Self::Float(value) => value.fmt(f),
            Self::Bool(value) => value.fmt(f),
            Self::Text(text) => text.fmt(f),
            Self::Time(time) => time.0.0.fmt(f),
            Self::Bytes(bytes) => whyslow_etl::Value::Bytes(bytes).fmt(f),
            Self::Addresses(all) => whyslow_etl::Value::Pointers(all.0).fmt(f),
            Self::Other(other) => other.0.fmt(f),
        }
    }
}

/// Text as stored in the trace, decoded when shown.
#[derive(Clone, Copy)]
pub struct Text<'a>(Encoded<'a>);

#[derive(Clone, Copy)]
enum Encoded<'a> {
    Narrow(Ansi<'a>),
    Wide(Utf16<'a>),
}

impl<'a> Text<'a> {
    /// Takes 8-bit text: UTF-8, or Latin-1 if it is not valid UTF-8.
    pub fn narrow(bytes: &'a [u8]) -> Self {
        Self(Encoded::Narrow(Ansi(bytes)))
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Encoded::Narrow(text) => text.fmt(f),
            Encoded::Wide(text) => text.fmt(f),
        }
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

/// A point in time.
#[derive(Debug, Clone, Copy)]
pub struct Time(FileTime);

impl Time {
    /// Returns the nanoseconds since 1970, UTC; `None` if no time is set.
    pub fn unix_ns(self) -> Option<i64> {
        (self.0.0 > 0).then(|| self.0.unix_ns())
    }
}

/// Addresses.
#[derive(Debug, Clone, Copy)]
pub struct Addresses<'a>(Pointers<'a>);

impl Addresses<'_> {
    /// Returns how many there are.
    pub fn count(self) -> usize {
        self.0.len()
    }

    /// Returns all of them.
    pub fn all(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter()
    }
}

/// A value with a written form of its own.
#[derive(Debug, Clone, Copy)]
pub struct Other<'a>(whyslow_etl::Value<'a>);
