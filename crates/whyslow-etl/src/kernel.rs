//! Events of the kernel: names and fields of all, and typed payloads of those that most analyses
//! need.
//!
//! A kernel event is identified by its group and opcode, a [`Hook`], and a version
//! ([`Identity::Kernel`]); [`hooks`] lists them by name. Re-loggers write the same payloads as
//! classic events of the group's class. [`event`] finds the layout of either; [`describe`] also
//! finds that of the events that a merge adds about the machine and its images. [`Fields`] reads
//! any payload, and the types ([`Process`], [`Switch`] …) read the payloads they are named after
//! directly.
//!
//! The layouts are those of the classes documented on MSDN, with later versions from the TraceEvent
//! library and observation. No whole real trace was available with context switches, ready threads,
//! file operations, registry, virtual memory and interrupts: their layouts are tested on single
//! real payloads of Windows 7 to 8.1 (from the tests of the libtrace library). For handles, objects
//! and ALPC not even those were available: these layouts follow `ntwmi.h` of System Informer and
//! MSDN.

mod batch;
mod file;
pub mod hooks;
mod image;
mod layouts;
mod memory;
pub mod merged;
mod object;
mod process;
mod record;
mod registry;
mod sample;
mod stack;
mod switch;
mod tcp;
mod thread;

use crate::cursor::Cursor;
use crate::guid::Guid;
use crate::pointer::PointerSize;
use crate::record::{Identity, Record};
use crate::value::Value;

use hooks::Class;

pub use batch::{PackedSwitch, SwitchBatch};
pub use file::{FileName, FileRequest, FileRequestEnd, FilterCall, HardFault};
pub use hooks::Hook;
pub use image::Image;
pub use memory::{ProcessCounters, VirtualMemory, WorkingSet, working_sets};
pub use object::{HANDLE_EVENTS, ObjectHandle, ObjectType};
pub use process::Process;
pub use record::KernelRecord;
pub use registry::RegistryCall;
pub use sample::Sample;
pub use stack::{StackDefinition, StackFrames, StackOf};
pub use switch::{Ready, Switch, WAIT_REASONS};
pub use tcp::{DATAGRAM_EVENTS, TCP_EVENTS, Tcp};
pub use thread::Thread;

/// How a field is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldType {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    /// Hexadecimal, 32 bits.
    X32,
    /// Hexadecimal, 64 bits.
    X64,
    Guid,
    /// A pointer or an integer of its size.
    Pointer,
    Ansi,
    Utf16,
    /// UTF-16 texts up to the end, each with a zero after it.
    Texts,
    /// UTF-16 text of this many units.
    Fixed(u16),
    Sid,
    FileTime,
    SystemTime,
    Ipv4,
    Ipv6,
    /// A port, most significant byte first.
    Port,
    /// All pointers up to the end.
    Pointers,
    /// Bytes up to the end.
    Rest,
}

/// One field of a layout.
#[derive(Debug, Clone, Copy)]
struct Field {
    name: &'static str,
    kind: FieldType,
}

/// The layout of a kernel event's payload.
#[derive(Debug)]
pub struct Layout {
    group: u8,
    opcodes: &'static [u8],
    /// First version with this layout.
    version: u16,
    fields: &'static [Field],
}

/// A kernel event's name and layout.
#[derive(Debug, Clone, Copy)]
pub struct KernelEvent {
    /// Name of the class, such as `Process`.
    pub class: &'static str,
    /// Name of the event within it, such as `Start`.
    pub name: &'static str,
    layout: &'static Layout,
}

/// Loads of images have the group of processes; that dates from before images had their own.
const OLD_LOAD: Hook = Hook {
    group: hooks::process::GROUP,
    opcode: hooks::image::LOAD.opcode,
};

/// Returns which kernel event a record is, and the version of its layout, even if it was re-logged
/// as a classic event; `None` for other events.
#[inline]
pub fn hook(record: &Record<'_>) -> Option<(Hook, u16)> {
    let (hook, version) = match record.identity() {
        Identity::Kernel {
            group,
            opcode,
            version,
        } => (Hook { group, opcode }, version),
        Identity::Classic {
            class,
            opcode,
            version,
            ..
        } => {
            let class = hooks::CLASSES.iter().find(|known| known.guid == class)?;
            let group = class.group;
            (Hook { group, opcode }, version)
        }
        _ => return None,
    };
    let hook = if hook == OLD_LOAD {
        hooks::image::LOAD
    } else {
        hook
    };
    Some((hook, version))
}

/// Returns name and layout of a kernel event; `None` if it is not known. A version newer than any
/// known is read as the newest: fields are only ever added.
pub fn event(hook: Hook, version: u16) -> Option<KernelEvent> {
    find(layouts::ALL, class_of(hook.group)?, hook.opcode, version)
}

/// Returns name and layout of a kernel record, or of one that a merge has added about the machine
/// and its images; `None` if it is neither or not known.
pub fn describe(record: &Record<'_>) -> Option<KernelEvent> {
    match hook(record) {
        Some((hook, version)) => event(hook, version),
        None => merged::event(record),
    }
}

/// Returns the name of a group's class; `None` if it is not known.
pub(crate) fn class_name(group: u8) -> Option<&'static str> {
    Some(class_of(group)?.name)
}

/// Returns the name of a class of events that a merge adds; `None` for others.
pub(crate) fn merged_class_name(class: Guid) -> Option<&'static str> {
    merged::class_name(class)
}

fn class_of(group: u8) -> Option<&'static Class> {
    hooks::CLASSES.iter().find(|class| class.group == group)
}

fn find(all: &'static [Layout], class: &Class, opcode: u8, version: u16) -> Option<KernelEvent> {
    let of_class = all.iter().filter(|layout| layout.group == class.group);
    let fitting = of_class
        .filter(|layout| layout.opcodes.contains(&opcode))
        .filter(|layout| layout.version <= version);
    let layout = fitting.max_by_key(|layout| layout.version)?;
    Some(KernelEvent {
        class: class.name,
        name: class.event_name(opcode)?,
        layout,
    })
}

impl KernelEvent {
    /// Returns the names of its fields, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.layout.fields.iter().map(|field| field.name)
    }

    /// Returns the fields of such an event's payload.
    pub fn fields<'a>(&self, payload: &'a [u8], pointer: PointerSize) -> Fields<'a> {
        Fields {
            cursor: Cursor::new(payload, pointer),
            fields: self.layout.fields.iter(),
        }
    }
}

/// The fields of a payload by name, in order. The iterator ends with the layout, or where the
/// payload ends: the last fields of an event may be missing.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    cursor: Cursor<'a>,
    fields: std::slice::Iter<'static, Field>,
}

impl<'a> Fields<'a> {
    /// Returns the bytes after the fields returned so far.
    pub fn rest(&self) -> &'a [u8] {
        self.cursor.rest()
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (&'static str, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let field = self.fields.next()?;
        match read(&mut self.cursor, field.kind) {
            Some(value) => Some((field.name, value)),
            None => {
                self.fields = [].iter();
                None
            }
        }
    }
}

fn read<'a>(cursor: &mut Cursor<'a>, kind: FieldType) -> Option<Value<'a>> {
    Some(match kind {
        FieldType::U8 => Value::Unsigned(cursor.u8()?.into()),
        FieldType::I8 => Value::Signed(cursor.i8()?.into()),
        FieldType::U16 => Value::Unsigned(cursor.u16()?.into()),
        FieldType::I16 => Value::Signed(cursor.u16()?.cast_signed().into()),
        FieldType::U32 => Value::Unsigned(cursor.u32()?.into()),
        FieldType::I32 => Value::Signed(cursor.i32()?.into()),
        FieldType::U64 => Value::Unsigned(cursor.u64()?),
        FieldType::I64 => Value::Signed(cursor.i64()?),
        FieldType::X32 => Value::Hex(cursor.u32()?.into()),
        FieldType::X64 => Value::Hex(cursor.u64()?),
        FieldType::Guid => Value::Guid(Guid(cursor.array()?)),
        FieldType::Pointer => Value::Hex(cursor.pointer()?),
        FieldType::Ansi => Value::Ansi(cursor.ansi()?),
        FieldType::Utf16 => Value::Utf16(cursor.utf16()?),
        FieldType::Texts => {
            let texts = cursor
                .take(cursor.rest().len())
                .filter(|all| !all.is_empty())?;
            Value::Utf16(crate::text::Utf16::new(texts))
        }
        FieldType::Fixed(units) => {
            let bytes = cursor.take(2 * usize::from(units))?;
            Value::Utf16(crate::text::Utf16::terminated(bytes).0)
        }
        FieldType::Sid => Value::Sid(cursor.sid()?),
        FieldType::FileTime => Value::Time(crate::clock::FileTime(cursor.i64()?)),
        FieldType::SystemTime => Value::SystemTime(cursor.system_time()?),
        FieldType::Ipv4 => Value::Ipv4(cursor.array()?),
        FieldType::Ipv6 => Value::Ipv6(cursor.array()?),
        FieldType::Port => Value::Port(cursor.array().map(u16::from_be_bytes)?),
        FieldType::Pointers => Value::Pointers(cursor.pointers()),
        FieldType::Rest => Value::Bytes(cursor.take(cursor.rest().len())?),
    })
}
