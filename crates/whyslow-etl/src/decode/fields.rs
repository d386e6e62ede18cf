//! The fields of any event, one after another.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::files::Files;
use super::paths::Paths;
use crate::bytes::{u8_at, u16_at, u32_at};
use crate::guid::Guid;
use crate::kernel::{self, KernelEvent, WAIT_REASONS};
use crate::pointer::{PointerSize, Pointers};
use crate::providers;
use crate::schema::{self, Map, Schema};
use crate::text::Ansi;
use crate::tracelogging::{self, Item, TraceLogging, What};
use crate::value::Value;

/// A field of an event, an element of it, or the beginning of either.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// Name, place and value.
    pub item: Item<'a>,
    names: Names<'a>,
}

/// The source of names for a field's values.
#[derive(Debug, Clone, Copy)]
enum Names<'a> {
    None,
    Map(&'a Map),
    /// By number from 0.
    List(&'static [&'static str]),
    /// By bit.
    Bits(&'static [(u64, &'static str)]),
    /// The kernel's paths in the form that users know.
    Paths(&'a Paths),
}

impl<'a> Field<'a> {
    /// Returns a field that is neither in a structure nor in an array.
    pub fn plain(name: &'a str, value: Value<'a>) -> Self {
        Self {
            item: Item {
                name: Ansi(name.as_bytes()),
                depth: 0,
                index: None,
                what: What::Value(value),
            },
            names: Names::None,
        }
    }

    /// If the value is a path in another form, returns it in the form users know, such as the path
    /// with a drive for a file on a device.
    pub fn path(&self) -> Option<String> {
        let (Names::Paths(paths), What::Value(value)) = (self.names, self.item.what) else {
            return None;
        };
        match value {
            Value::Utf16(text) if text.is_path() => paths.known_as(&text.to_string()),
            Value::Ansi(text) => paths.known_as(&text.to_string()),
            _ => None,
        }
    }

    /// Returns the name of the value, if the field's values have names and this one has one, such
    /// as the name of a wait reason or of flags.
    pub fn value_name(&self) -> Option<Cow<'a, str>> {
        let What::Value(value) = self.item.what else {
            return None;
        };
        match self.names {
            Names::None | Names::Paths(_) => None,
            Names::Map(map) => map.name_of(value.as_u64()?).map(Cow::Owned),
            Names::Bits(names) => names_of_bits(names, value.as_u64()?),
            Names::List(names) => {
                let at = usize::try_from(value.as_u64()?).ok()?;
                names.get(at).map(|name| Cow::Borrowed(*name))
            }
        }
    }
}

/// Returns the names of the bits that are set; `None` if one has no name.
fn names_of_bits(names: &[(u64, &'static str)], value: u64) -> Option<Cow<'static, str>> {
    if value == 0 {
        return Some(Cow::Borrowed("None"));
    }
    let known = names.iter().fold(0, |all, (bit, _)| all | bit);
    let set = names.iter().filter(|(bit, _)| value & bit != 0);
    let set: Vec<&str> = set.map(|(_, name)| *name).collect();
    (value & !known == 0).then(|| Cow::Owned(set.join("|")))
}

/// The fields of an event, in order.
///
/// An event without a description has one field, `Payload`, of bytes. If a payload does not fit its
/// description, or the description names no field of it, the last field is `Rest`, with the
/// remaining bytes.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    of: Of<'a>,
    /// Fields made from a field of bits, or from a few fields at once, to be returned next; the
    /// last one first.
    kept: Vec<Field<'a>>,
    paths: Option<&'a Paths>,
    file: Option<File<'a>>,
    /// Values of the processor's counters, to be returned last.
    counters: Option<Pointers<'a>>,
}

/// Finds the name of an event's file.
#[derive(Debug, Clone, Copy)]
struct File<'a> {
    files: &'a Files,
    time: i64,
    /// The numbers of the file; 0 where the event has none.
    key: u64,
    object: u64,
}

#[derive(Debug, Clone)]
enum Of<'a> {
    Kernel {
        event: KernelEvent,
        /// Names still to be shown.
        names: std::slice::Iter<'a, &'static str>,
        fields: kernel::Fields<'a>,
    },
    Schema {
        schema: &'a Schema,
        maps: Option<&'a HashMap<String, Map>>,
        items: Box<schema::Items<'a>>,
    },
    Itself(Box<tracelogging::Items<'a>>),
    Raw(&'a [u8]),
    Nothing,
}

impl<'a> Fields<'a> {
    fn new(of: Of<'a>) -> Self {
        Self {
            of,
            kept: Vec::new(),
            paths: None,
            file: None,
            counters: None,
        }
    }

    /// Adds the processor's counters from the event's header as a last field.
    pub(super) fn with_counters(mut self, counters: Option<Pointers<'a>>) -> Self {
        self.counters = counters.filter(|counters| !counters.is_empty());
        self
    }

    /// Adds the name of the event's file as a last field, if the event does not have it.
    pub(super) fn with_files(mut self, files: &'a Files, time: i64) -> Self {
        self.file = Some(File {
            files,
            time,
            key: 0,
            object: 0,
        });
        self
    }

    pub(super) fn with_paths(mut self, paths: &'a Paths) -> Self {
        self.paths = Some(paths);
        self
    }

    /// Reads the head of a piece of a manifest; the text is not for people.
    pub(super) fn of_manifest(payload: &'a [u8]) -> Self {
        let byte = |at| u8_at(payload, at).map(u64::from);
        let half = |at| u16_at(payload, at).map(u64::from);
        let length = u64::try_from(payload.len()).ok();
        Self::few([
            ("Format", byte(0)),
            ("MajorVersion", byte(1)),
            ("MinorVersion", byte(2)),
            ("Magic", byte(3)),
            ("TotalChunks", half(4)),
            ("ChunkNumber", half(6)),
            ("PayloadLength", length),
        ])
    }

    /// Reads what a description is about.
    pub(super) fn of_metadata(payload: &'a [u8]) -> Self {
        let mut fields = Self::few([
            ("EventID", u16_at(payload, 0x20).map(u64::from)),
            ("Version", u8_at(payload, 0x22).map(u64::from)),
            ("Opcode", u8_at(payload, 0x25).map(u64::from)),
            ("Task", u16_at(payload, 0x26).map(u64::from)),
            ("Fields", u32_at(payload, 0x64).map(u64::from)),
        ]);
        let provider = Guid::read(payload, 0).map(Value::Guid);
        let provider = provider.map(|guid| Field::plain("Provider", guid));
        fields.kept.extend(provider);
        fields
    }

    fn few<const N: usize>(fields: [(&'a str, Option<u64>); N]) -> Self {
        let field = |(name, number): (&'a str, Option<u64>)| {
            Some(Field::plain(name, Value::Unsigned(number?)))
        };
        Self {
            kept: fields.into_iter().rev().filter_map(field).collect(),
            ..Self::new(Of::Nothing)
        }
    }

    pub(super) fn of_kernel(
        event: &KernelEvent,
        names: &'a [&'static str],
        payload: &'a [u8],
        pointer: PointerSize,
    ) -> Self {
        Self::new(Of::Kernel {
            event: *event,
            names: names.iter(),
            fields: event.fields(payload, pointer),
        })
    }

    pub(super) fn of_schema(
        schema: &'a Schema,
        maps: Option<&'a HashMap<String, Map>>,
        payload: &'a [u8],
        pointer: PointerSize,
    ) -> Self {
        let items = Box::new(schema.items(payload, pointer));
        Self::new(Of::Schema {
            schema,
            maps,
            items,
        })
    }

    pub(super) fn of_itself(itself: &TraceLogging<'a>) -> Self {
        Self::new(Of::Itself(Box::new(itself.items())))
    }

    pub(super) fn raw(payload: &'a [u8]) -> Self {
        Self::new(Of::Raw(payload))
    }

    /// Keeps fields to be returned next.
    fn keep(&mut self, fields: &[Field<'static>]) {
        self.kept.extend(fields.iter().rev());
    }

    /// Ends with the rest of a payload that does not fit.
    fn end(&mut self, is_broken: bool, rest: &'a [u8]) -> Option<Field<'a>> {
        self.of = Of::Nothing;
        is_broken.then(|| Field::plain("Rest", Value::Bytes(rest)))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(field) = self.kept.pop() {
            return Some(field);
        }
        let mut field = self.step()?;
        if let (Names::None, Some(paths), What::Value(Value::Utf16(_))) =
            (field.names, self.paths, field.item.what)
        {
            field.names = Names::Paths(paths);
        }
        Some(field)
    }
}

impl<'a> Fields<'a> {
    fn step(&mut self) -> Option<Field<'a>> {
        match &mut self.of {
            Of::Kernel {
                event,
                names,
                fields,
            } => {
                let Some((name, value)) = fields.next() else {
                    return self.joined().or_else(|| self.counted());
                };
                if let Some(file) = &mut self.file {
                    file.see(event, name, value);
                }
                let shown = names.next().copied().unwrap_or(name);
                match (event.class, event.name, name) {
                    ("PerfInfo", "Sample", "Reserved") => {
                        let [first, rest @ ..] = split_sample(value);
                        self.keep(&rest);
                        return Some(first);
                    }
                    ("DiskIO", _, "IrpFlags") => {
                        let [flags, priority] = split_irp_flags(value);
                        self.keep(&[priority]);
                        return Some(flags);
                    }
                    _ => {}
                }
                let mut field = Field::plain(shown, value);
                field.names = names_of(event.class, name);
                Some(field)
            }
            Of::Schema {
                schema,
                maps,
                items,
            } => {
                let Some(item) = items.next() else {
                    let (is_broken, rest) = (items.is_broken(), items.rest());
                    // A description may leave out all fields.
                    let says_nothing = schema.is_empty() && !rest.is_empty();
                    return self.end(is_broken || says_nothing, rest);
                };
                let schema = *schema;
                let by_name = |name| {
                    let own = schema.map(name).or_else(|| maps.as_ref()?.get(name));
                    own.or_else(|| providers::map(schema.provider, name))
                };
                let map = items.map_name().and_then(by_name);
                let names = map.map_or(Names::None, Names::Map);
                Some(Field { item, names })
            }
            Of::Itself(items) => {
                let Some(item) = items.next() else {
                    let (is_broken, rest) = (items.is_broken(), items.rest());
                    return self.end(is_broken, rest);
                };
                let names = Names::None;
                Some(Field { item, names })
            }
            Of::Raw(payload) => {
                let payload = *payload;
                self.of = Of::Nothing;
                (!payload.is_empty()).then(|| Field::plain("Payload", Value::Bytes(payload)))
            }
            Of::Nothing => None,
        }
    }

    /// Returns the name of the event's file, which comes from other events.
    fn joined(&mut self) -> Option<Field<'a>> {
        let Of::Kernel { event, .. } = &self.of else {
            return None;
        };
        let name = match event.name {
            "DirEnum" | "DirNotify" => "DirectoryName",
            _ => "FileName",
        };
        let file = self.file.take()?;
        let path = file.files.name_of(file.key, file.object, file.time)?;
        let mut field = Field::plain(name, Value::Ansi(Ansi(path.as_bytes())));
        field.names = self.paths.map_or(Names::None, Names::Paths);
        Some(field)
    }
}

impl<'a> Fields<'a> {
    /// Returns the beginning of the array of counters, and keeps its elements.
    fn counted(&mut self) -> Option<Field<'a>> {
        let counters = self.counters.take()?;
        let field = |index, what| {
            let mut field = Field::plain("Counters", Value::Unsigned(0));
            (field.item.index, field.item.what) = (index, what);
            field
        };
        let count = u16::try_from(counters.len()).unwrap_or(u16::MAX);
        let elements = (0..count).zip(counters.iter());
        let elements =
            elements.map(|(index, value)| field(Some(index), What::Value(Value::Unsigned(value))));
        self.kept.extend(elements);
        self.kept.reverse();
        Some(field(None, What::Array(count)))
    }
}

impl File<'_> {
    /// Reads a field of the event: the file's key, which disk events call the object, or its file
    /// object.
    fn see(&mut self, event: &KernelEvent, field: &str, value: Value<'_>) {
        let number = value.as_u64().unwrap_or(0);
        match (event.class, field) {
            (_, "FileKey") | ("DiskIO" | "Memory", "FileObject") => self.key = number,
            ("FileIO", "FileObject") => self.object = number,
            // The event has the name itself.
            ("FileIO", "FileName") if !event.name.starts_with("Dir") => self.forget(),
            ("FileIO", "OpenPath") => self.forget(),
            _ => {}
        }
    }

    fn forget(&mut self) {
        (self.key, self.object) = (0, 0);
    }
}

/// Splits a sample's flags: two bits for what ran on top of the thread, five for its priority, and
/// behind them a byte of its own.
fn split_sample(value: Value<'_>) -> [Field<'static>; 4] {
    let bits = value.as_u64().unwrap_or(0);
    [
        ("Priority", Value::Unsigned(bits >> 3 & 0x1f)),
        ("ExecutingDPC", Value::Bool(bits & 1 != 0)),
        ("ExecutingISR", Value::Bool(bits & 2 != 0)),
        ("Rank", Value::Unsigned(bits >> 8 & 0xff)),
    ]
    .map(|(name, value)| Field::plain(name, value))
}

/// Splits the flags of a request: three bits of them are its priority (`wdm.h`).
fn split_irp_flags(value: Value<'_>) -> [Field<'static>; 2] {
    let bits = value.as_u64().unwrap_or(0);
    let mut flags = Field::plain("IrpFlags", Value::Hex(bits & !(7 << 17)));
    flags.names = Names::Bits(IRP_FLAGS);
    let mut priority = Field::plain("Priority", Value::Unsigned(bits >> 17 & 7));
    priority.names = Names::List(IO_PRIORITIES);
    [flags, priority]
}

/// Flags of I/O requests (`wdm.h`). Bit 1 is also the completion of a mount, bit 6 input.
const IRP_FLAGS: &[(u64, &str)] = &[
    (0x1, "Nocache"),
    (0x2, "PagingIo"),
    (0x4, "SynchronousApi"),
    (0x8, "AssociatedIrp"),
    (0x10, "BufferedIO"),
    (0x20, "DeallocateBuffer"),
    (0x40, "SynchronousPagingIO"),
    (0x80, "Create"),
    (0x100, "Read"),
    (0x200, "Write"),
    (0x400, "Close"),
    (0x800, "DeferIOCompletion"),
    (0x1000, "ObQueryName"),
    (0x2000, "HoldDeviceQueue"),
];

/// Priorities of I/O requests, from 0.
const IO_PRIORITIES: &[&str] = &["Notset", "Verylow", "Low", "Normal", "High", "Critical"];

/// Flags of processes.
const PROCESS_FLAGS: &[(u64, &str)] =
    &[(0x1, "PackageFullName"), (0x2, "Wow64"), (0x4, "Protected")];

/// Access that others have to a file while it is open (`winnt.h`).
const SHARE_ACCESS: &[(u64, &str)] = &[(0x1, "Read"), (0x2, "Write"), (0x4, "Delete")];

/// Names of thread states, by number (`KTHREAD_STATE`).
const THREAD_STATES: &[&str] = &[
    "Initialized",
    "Ready",
    "Running",
    "Standby",
    "Terminated",
    "Waiting",
    "Transition",
    "DeferredReady",
];

fn names_of(class: &str, field: &str) -> Names<'static> {
    match (class, field) {
        ("Thread", "OldThreadWaitReason") => Names::List(WAIT_REASONS),
        ("Thread", "OldThreadState") => Names::List(THREAD_STATES),
        ("Process", "Flags") => Names::Bits(PROCESS_FLAGS),
        ("FileIO", "ShareAccess") => Names::Bits(SHARE_ACCESS),
        _ => Names::None,
    }
}

/// Fields of kernel events that have another name in the TraceEvent library than in MSDN: class, or
/// none for all, name in MSDN, name shown.
const SHOWN: &[(&str, &str, &str)] = &[
    ("", "ProcessId", "ProcessID"),
    ("", "PID", "ProcessID"),
    ("", "ParentId", "ParentID"),
    ("", "SessionId", "SessionID"),
    ("", "ApplicationId", "ApplicationID"),
    ("", "ThreadId", "ThreadID"),
    ("", "IssuingThreadId", "IssuingThreadID"),
    ("", "NewThreadId", "NewThreadID"),
    ("", "OldThreadId", "OldThreadID"),
    ("", "SourceProcessId", "SourceProcessID"),
    ("", "TargetProcessId", "TargetProcessID"),
    ("", "TTID", "ThreadID"),
    ("", "TThreadId", "ThreadID"),
    ("EventTrace", "LoggerName", "LoggerNamePointer"),
    ("EventTrace", "LogFileName", "LogFileNamePointer"),
    ("EventTrace", "SessionNameString", "SessionName"),
    ("EventTrace", "LogFileNameString", "LogFileName"),
    ("Process", "DirectoryTableBase", "PageDirectoryBase"),
    ("Process", "PageFaultCount", "MemoryCount"),
    ("Image", "BaseAddress", "ImageBase"),
    ("Image", "ModuleSize", "ImageSize"),
    ("Image", "ImageCheckSum", "ImageChecksum"),
    ("Image", "ImageFileName", "FileName"),
    ("DiskIO", "FileObject", "FileKey"),
    ("Memory", "FileObject", "FileKey"),
    ("FileIO", "OpenPath", "FileName"),
    ("PerfInfo", "Source", "SampleSource"),
    ("SystemConfig", "TargetId", "TargetID"),
];

/// Returns the names of an event's fields, in order.
pub(super) fn shown_names(event: &KernelEvent) -> Arc<[&'static str]> {
    let shown = |name: &'static str| {
        let mut shown = SHOWN.iter();
        let is = |of: &str| of.is_empty() || of == event.class;
        let found = shown.find(|(of, from, _)| *from == name && is(of));
        found.map_or(name, |(.., shown)| *shown)
    };
    event.names().map(shown).collect()
}
