//! The fields of any event, one after the other.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::kernel::{self, KernelEvent, WAIT_REASONS};
use crate::pointer::PointerSize;
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

/// What names the values of a field.
#[derive(Debug, Clone, Copy)]
enum Names<'a> {
    None,
    Map(&'a Map),
    /// By number from 0.
    List(&'static [&'static str]),
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

    /// Returns the name of the value, where the field's values have names and this one has, such as
    /// that of a wait reason or of flags.
    pub fn value_name(&self) -> Option<Cow<'a, str>> {
        let What::Value(value) = self.item.what else {
            return None;
        };
        match self.names {
            Names::None => None,
            Names::Map(map) => map.name_of(value.as_u64()?).map(Cow::Owned),
            Names::List(names) => {
                let at = usize::try_from(value.as_u64()?).ok()?;
                names.get(at).map(|name| Cow::Borrowed(*name))
            }
        }
    }
}

/// The fields of an event, in order.
///
/// An event that nothing describes has one field, `Payload`, of bytes; where a payload does not fit
/// its description, the last field is `Rest`, of what is left.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    of: Of<'a>,
    /// Fields made of one that was stored as bits, to be given next.
    split: [Option<Field<'a>>; 4],
}

#[derive(Debug, Clone)]
enum Of<'a> {
    Kernel {
        event: KernelEvent,
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
            split: [None; 4],
        }
    }

    pub(super) fn of_kernel(event: &KernelEvent, payload: &'a [u8], pointer: PointerSize) -> Self {
        Self::new(Of::Kernel {
            event: *event,
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

    /// Ends with what is left of a payload that does not fit.
    fn end(&mut self, is_broken: bool, rest: &'a [u8]) -> Option<Field<'a>> {
        self.of = Of::Nothing;
        is_broken.then(|| Field::plain("Rest", Value::Bytes(rest)))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(field) = self.split.iter_mut().find_map(Option::take) {
            return Some(field);
        }
        match &mut self.of {
            Of::Kernel { event, fields } => {
                let (name, value) = fields.next()?;
                if (event.class, event.name, name) == ("PerfInfo", "Sample", "Reserved") {
                    self.split = split_sample(value);
                    return self.next();
                }
                let mut field = Field::plain(shown_name(event.class, name), value);
                field.names = names_of(name);
                Some(field)
            }
            Of::Schema {
                schema,
                maps,
                items,
            } => {
                let Some(item) = items.next() else {
                    let (is_broken, rest) = (items.is_broken(), items.rest());
                    return self.end(is_broken, rest);
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
}

/// Takes a sample's flags apart: two bits for what ran on top of the thread, five for its priority,
/// and a byte of its own behind them.
fn split_sample(value: Value<'_>) -> [Option<Field<'static>>; 4] {
    let bits = value.as_u64().unwrap_or(0);
    [
        ("Priority", Value::Unsigned(bits >> 3 & 0x1f)),
        ("ExecutingDPC", Value::Bool(bits & 1 != 0)),
        ("ExecutingISR", Value::Bool(bits & 2 != 0)),
        ("Rank", Value::Unsigned(bits >> 8 & 0xff)),
    ]
    .map(|(name, value)| Some(Field::plain(name, value)))
}

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

fn names_of(field: &str) -> Names<'static> {
    match field {
        "OldThreadWaitReason" => Names::List(WAIT_REASONS),
        "OldThreadState" => Names::List(THREAD_STATES),
        _ => Names::None,
    }
}

/// Fields of kernel events that the TraceEvent library calls otherwise than MSDN: class, or none for
/// all, name of MSDN, name shown.
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

fn shown_name(class: &str, name: &'static str) -> &'static str {
    let mut shown = SHOWN.iter();
    let found = shown.find(|(of, from, _)| *from == name && (of.is_empty() || *of == class));
    found.map_or(name, |(.., shown)| *shown)
}
