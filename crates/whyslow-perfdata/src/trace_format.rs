//! Formats of tracepoints: where each field of a payload is.
//!
//! Source of knowledge: the text of `events/SYSTEM/NAME/format` in tracefs, which the file
//! contains.
//!
//! ```text
//! name: sched_waking
//! ID: 370
//! format:
//!     field:unsigned short common_type;  offset:0;  size:2;  signed:0;
//!     field:__data_loc char[] name;      offset:8;  size:4;  signed:0;
//!
//! print fmt: "comm=%s pid=%d", REC->comm, REC->pid
//! ```

use crate::endian::{Endian, until_nul};
use crate::print_format::{self, SwitchStates};

/// A tracepoint's format.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TraceFormat {
    /// The id; its event has it in `config`.
    pub id: u64,
    /// The system, such as `sched`.
    pub system: String,
    /// The name, such as `sched_switch`.
    pub name: String,
    /// The fields in order.
    pub fields: Vec<Field>,
    /// The `print fmt` line.
    pub print_format: String,
}

/// A field of a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Offset in the payload, in bytes.
    pub offset: usize,
    /// Size in bytes; for a field of variable length, the size of the reference.
    pub size: usize,
    /// Whether it is a signed number.
    pub signed: bool,
    /// Whether it is an array, such as a text of fixed length.
    pub array: bool,
    /// How to find its content, if it has variable length.
    pub dynamic: Dynamic,
    /// Whether it is an array of characters.
    pub text: bool,
    /// Whether it is a pointer.
    pub pointer: bool,
}

/// How to find a field of variable length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dynamic {
    /// The field itself is in place.
    No,
    /// The field holds length and offset from the payload's start (`__data_loc`).
    Absolute,
    /// The field holds length and offset from its own end (`__rel_loc`).
    Relative,
}

impl TraceFormat {
    /// Decodes the text of a `format` file; `None` if it has no name or no id.
    pub fn parse(system: &str, format: &str) -> Option<Self> {
        let mut found = Self {
            system: system.to_owned(),
            ..Self::default()
        };
        let mut id = None;
        for line in format.lines() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix("name:") {
                name.trim().clone_into(&mut found.name);
            } else if let Some(text) = line.strip_prefix("ID:") {
                id = text.trim().parse().ok();
            } else if let Some(field) = line.strip_prefix("field:") {
                found.fields.extend(Field::parse(field));
            } else if let Some(print) = line.strip_prefix("print fmt:") {
                print.trim().clone_into(&mut found.print_format);
            }
        }
        found.id = id?;
        (!found.name.is_empty()).then_some(found)
    }

    /// Returns the field called `name`.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns the names and values that the print format lists, such as `{ 0x1, "S" }`, in order:
    /// the names of flags, or of the values of a symbolic field.
    pub fn flags(&self) -> Vec<(String, u64)> {
        print_format::flags(&self.print_format)
    }

    /// Returns what the bits of `prev_state` mean, for `sched_switch`; `None` for other formats.
    pub fn switch_states(&self) -> Option<SwitchStates> {
        print_format::switch_states(&self.print_format)
    }
}

/// Returns the words of a declaration.
fn words(declaration: &str) -> impl Iterator<Item = &str> {
    declaration.split([' ', '[', '*'])
}

impl Field {
    /// Decodes the text after `field:`.
    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.split(';').map(str::trim);
        let declaration = parts.next()?;
        let dynamic = if declaration.starts_with("__data_loc") {
            Dynamic::Absolute
        } else if declaration.starts_with("__rel_loc") {
            Dynamic::Relative
        } else {
            Dynamic::No
        };
        // `char comm[16]`, `const char * name`, `__data_loc char[] name`, `u8 a[sizeof(int) * 2]`
        let (before, array) = match declaration.split_once('[') {
            Some((before, _)) if dynamic == Dynamic::No => (before, true),
            _ => (declaration, dynamic != Dynamic::No),
        };
        let name = before.trim_end().rsplit([' ', '*', ']']).next()?;
        let mut field = Self {
            name: name.to_owned(),
            offset: 0,
            size: 0,
            signed: false,
            array,
            dynamic,
            text: array && words(declaration).any(|word| word == "char"),
            pointer: !array && before.contains('*'),
        };
        for part in parts {
            if let Some(offset) = part.strip_prefix("offset:") {
                field.offset = offset.trim().parse().ok()?;
            } else if let Some(size) = part.strip_prefix("size:") {
                field.size = size.trim().parse().ok()?;
            } else if let Some(signed) = part.strip_prefix("signed:") {
                field.signed = signed.trim() == "1";
            }
        }
        (!field.name.is_empty()).then_some(field)
    }

    /// Reads a number, or `None` if the payload is too short or the field is not a number. Unsigned
    /// numbers of 8 bytes keep their bits.
    #[inline]
    pub fn read_i64(&self, payload: &[u8], endian: Endian) -> Option<i64> {
        let (value, unused) = match self.size {
            1 => (u64::from(*payload.get(self.offset)?), 56),
            2 => (u64::from(endian.u16(payload, self.offset)?), 48),
            4 => (u64::from(endian.u32(payload, self.offset)?), 32),
            8 => (endian.u64(payload, self.offset)?, 0),
            _ => return None,
        };
        let value = value.cast_signed();
        Some(if self.signed {
            (value << unused) >> unused
        } else {
            value
        })
    }

    /// Reads the bytes of an array, or `None` if the payload is too short.
    pub fn read_bytes<'a>(&self, payload: &'a [u8], endian: Endian) -> Option<&'a [u8]> {
        if self.dynamic == Dynamic::No {
            return payload.get(self.offset..)?.get(..self.size);
        }
        let place = endian.u32(payload, self.offset)?;
        let mut start = usize::try_from(place & 0xffff).ok()?;
        if self.dynamic == Dynamic::Relative {
            start = start.checked_add(self.offset)?.checked_add(4)?;
        }
        let length = usize::try_from(place >> 16).ok()?;
        payload.get(start..)?.get(..length)
    }

    /// Reads a text up to its NUL, or `None` if the payload is too short; may not be UTF-8.
    pub fn read_text<'a>(&self, payload: &'a [u8], endian: Endian) -> Option<&'a [u8]> {
        self.read_bytes(payload, endian).map(until_nul)
    }
}
