//! Events of the kernel: names and fields of all, typed payloads of those that most analyses need.
//!
//! A kernel event is told by its group, opcode and version ([`Identity::Kernel`]); re-loggers write
//! the same payloads as classic events of the group's class. [`event`] finds the layout of either,
//! [`describe`] also that of what a merge adds about the machine and its images, [`Fields`] reads any, and the types ([`Process`], [`Switch`] …) read what they are called directly.
//!
//! The layouts are those of the classes documented on MSDN, with later versions from the TraceEvent
//! library and observation. Of context switches, ready threads, file operations, registry, virtual
//! memory and interrupts no whole real trace could be had: their layouts are proven on single real
//! payloads of Windows 7 to 8.1 (from the tests of the libtrace library). Of handles, objects and ALPC
//! there was not even that: these layouts are as `ntwmi.h` of System Informer and MSDN have them.

mod batch;
mod image;
mod layouts;
mod merged;
mod process;
mod sample;
mod stack;
mod switch;
mod thread;

use crate::cursor::Cursor;
use crate::guid::Guid;
use crate::pointer::PointerSize;
use crate::record::{Identity, Record};
use crate::value::Value;

pub use batch::{PackedSwitch, SwitchBatch};
pub use image::Image;
pub use process::Process;
pub use sample::Sample;
pub use stack::{StackDefinition, StackFrames, StackOf};
pub use switch::{Ready, Switch, WAIT_REASONS};
pub use thread::Thread;

/// How a field is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
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
    /// UTF-16 texts to the end, each with a zero behind it.
    Texts,
    /// UTF-16 text in so many units.
    Fixed(u16),
    Sid,
    FileTime,
    SystemTime,
    Ipv4,
    Ipv6,
    /// A port, most significant byte first.
    Port,
    /// All pointers to the end.
    Pointers,
    /// Bytes to the end.
    Rest,
}

/// One field of a layout.
#[derive(Debug, Clone, Copy)]
struct Field {
    name: &'static str,
    kind: Kind,
}

/// The layout of a kernel event's payload.
#[derive(Debug)]
pub struct Layout {
    group: u8,
    opcodes: &'static [(u8, &'static str)],
    /// First version that is laid out so.
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

/// Group, class and name of the classes of kernel events.
const CLASSES: &[(u8, Guid, &str)] = &[
    (
        0x00,
        class(0x68fd_d900, 0x4a3e, 0x11d1, 0x84f4_0000_f804_64e3),
        "EventTrace",
    ),
    (
        0x01,
        class(0x3d6f_a8d4, 0xfe05, 0x11d0, 0x9dda_00c0_4fd7_ba7c),
        "DiskIO",
    ),
    (
        0x02,
        class(0x3d6f_a8d3, 0xfe05, 0x11d0, 0x9dda_00c0_4fd7_ba7c),
        "Memory",
    ),
    (
        0x03,
        class(0x3d6f_a8d0, 0xfe05, 0x11d0, 0x9dda_00c0_4fd7_ba7c),
        "Process",
    ),
    (
        0x04,
        class(0x90cb_dc39, 0x4a3e, 0x11d1, 0x84f4_0000_f804_64e3),
        "FileIO",
    ),
    (
        0x05,
        class(0x3d6f_a8d1, 0xfe05, 0x11d0, 0x9dda_00c0_4fd7_ba7c),
        "Thread",
    ),
    (
        0x06,
        class(0x9a28_0ac0, 0xc8e0, 0x11d1, 0x84e2_00c0_4fb9_98a2),
        "TcpIp",
    ),
    (
        0x08,
        class(0xbf3a_50c5, 0xa9c9, 0x4988, 0xa005_2df0_b7c8_0f80),
        "UdpIp",
    ),
    (
        0x09,
        class(0xae53_722e, 0xc863, 0x11d2, 0x8659_00c0_4fa3_21a1),
        "Registry",
    ),
    (
        0x0b,
        class(0x0185_3a65, 0x418f, 0x4f36, 0xaefc_dc0f_1d2f_d235),
        "SystemConfig",
    ),
    (
        0x0f,
        class(0xce1d_bfb4, 0x137e, 0x4da6, 0x87b0_3f59_aa10_2cbc),
        "PerfInfo",
    ),
    (
        0x11,
        class(0x8949_7f50, 0xeffe, 0x4440, 0x8cf2_ce6b_1cdc_aca7),
        "Object",
    ),
    (
        0x14,
        class(0x2cb1_5d1d, 0x5fc1, 0x11d2, 0xabe1_00a0_c911_f518),
        "Image",
    ),
    (
        0x18,
        class(0xdef2_fe46, 0x7bd6, 0x4b80, 0xbd94_f57f_e20d_0ce3),
        "StackWalk",
    ),
    (
        0x1a,
        class(0x45d8_cccd, 0x539f, 0x4b72, 0xa8b7_5c68_3142_609a),
        "ALPC",
    ),
    (
        0x1b,
        class(0xd837_ca92, 0x12b9, 0x44a5, 0xad6a_3a65_b357_8aa8),
        "SplitIo",
    ),
];

const fn class(d1: u32, d2: u16, d3: u16, d4: u64) -> Guid {
    Guid::new(d1, d2, d3, d4.to_be_bytes())
}

/// Returns group, opcode and version of a kernel event, also of one that was re-logged as a classic
/// event; `None` for other events.
#[inline]
pub fn hook(record: &Record<'_>) -> Option<(u8, u8, u16)> {
    let (group, opcode, version) = match record.identity() {
        Identity::Kernel {
            group,
            opcode,
            version,
        } => (group, opcode, version),
        Identity::Classic {
            class,
            opcode,
            version,
            ..
        } => {
            let (group, ..) = CLASSES.iter().find(|(_, guid, _)| *guid == class)?;
            (*group, opcode, version)
        }
        _ => return None,
    };
    // Images are loaded under the group of processes, from before they had their own.
    let group = if (group, opcode) == (0x03, 10) {
        0x14
    } else {
        group
    };
    Some((group, opcode, version))
}

/// Returns name and layout of the kernel event of a group, opcode and version; `None` where it is
/// not known. A version newer than any known is read as the newest: fields are only ever added.
pub fn event(group: u8, opcode: u8, version: u16) -> Option<KernelEvent> {
    let (_, _, class) = CLASSES.iter().find(|(of, _, _)| *of == group)?;
    find(layouts::ALL, class, (group, opcode, version))
}

/// Returns name and layout of a record of the kernel, or of one that a merge has added about the
/// machine and its images; `None` where it is neither or not known.
pub fn describe(record: &Record<'_>) -> Option<KernelEvent> {
    match hook(record) {
        Some((group, opcode, version)) => event(group, opcode, version),
        None => merged::event(record),
    }
}

/// Returns the name of the class that a group stands for; `None` where it is not known.
pub(crate) fn class_name(group: u8) -> Option<&'static str> {
    let (_, _, class) = CLASSES.iter().find(|(of, _, _)| *of == group)?;
    Some(class)
}

/// Returns the name of a class that a merge adds events of; `None` for others.
pub(crate) fn merged_class_name(class: Guid) -> Option<&'static str> {
    merged::class_name(class)
}

fn find(
    all: &'static [Layout],
    class: &'static str,
    (group, opcode, version): (u8, u8, u16),
) -> Option<KernelEvent> {
    let with_opcode = all.iter().filter(|layout| layout.group == group);
    let named = with_opcode.filter_map(|layout| {
        let (_, name) = layout.opcodes.iter().find(|(of, _)| *of == opcode)?;
        Some((layout, *name))
    });
    let fitting = named.filter(|(layout, _)| layout.version <= version);
    let (layout, name) = fitting.max_by_key(|(layout, _)| layout.version)?;
    Some(KernelEvent {
        class,
        name,
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

/// The fields of a payload by name, in order. It ends with the layout, or where the payload ends:
/// the last fields of an event may be missing.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    cursor: Cursor<'a>,
    fields: std::slice::Iter<'static, Field>,
}

impl<'a> Fields<'a> {
    /// Returns the bytes behind the fields given so far.
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

fn read<'a>(cursor: &mut Cursor<'a>, kind: Kind) -> Option<Value<'a>> {
    Some(match kind {
        Kind::U8 => Value::Unsigned(cursor.u8()?.into()),
        Kind::I8 => Value::Signed(cursor.i8()?.into()),
        Kind::U16 => Value::Unsigned(cursor.u16()?.into()),
        Kind::I16 => Value::Signed(cursor.u16()?.cast_signed().into()),
        Kind::U32 => Value::Unsigned(cursor.u32()?.into()),
        Kind::I32 => Value::Signed(cursor.i32()?.into()),
        Kind::U64 => Value::Unsigned(cursor.u64()?),
        Kind::I64 => Value::Signed(cursor.i64()?),
        Kind::X32 => Value::Hex(cursor.u32()?.into()),
        Kind::X64 => Value::Hex(cursor.u64()?),
        Kind::Guid => Value::Guid(Guid(cursor.array()?)),
        Kind::Pointer => Value::Hex(cursor.pointer()?),
        Kind::Ansi => Value::Ansi(cursor.ansi()?),
        Kind::Utf16 => Value::Utf16(cursor.utf16()?),
        Kind::Texts => {
            let texts = cursor
                .take(cursor.rest().len())
                .filter(|all| !all.is_empty())?;
            Value::Utf16(crate::text::Utf16::new(texts))
        }
        Kind::Fixed(units) => {
            let bytes = cursor.take(2 * usize::from(units))?;
            Value::Utf16(crate::text::Utf16::terminated(bytes).0)
        }
        Kind::Sid => Value::Sid(cursor.sid()?),
        Kind::FileTime => Value::Time(crate::clock::FileTime(cursor.i64()?)),
        Kind::SystemTime => Value::SystemTime(cursor.system_time()?),
        Kind::Ipv4 => Value::Ipv4(cursor.array()?),
        Kind::Ipv6 => Value::Ipv6(cursor.array()?),
        Kind::Port => Value::Port(cursor.array().map(u16::from_be_bytes)?),
        Kind::Pointers => Value::Pointers(cursor.pointers()),
        Kind::Rest => Value::Bytes(cursor.take(cursor.rest().len())?),
    })
}
