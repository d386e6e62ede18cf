//! Any event by its names: provider, event, fields.
//!
//! An event's description may be in many places. Kernel events have layouts of their own
//! ([`kernel`](crate::kernel)). Self-describing events carry names and types
//! ([`tracelogging`](crate::tracelogging)). Others are described elsewhere in the trace, by an
//! event source's manifest or by what a merge has added, or nowhere. All of that often comes at the
//! trace's end. So a trace is walked twice: first every record is passed to [`Decoder::learn`],
//! then to [`Decoder::kind`]. The first walk decodes only the payloads of the few events that
//! describe others, and costs little more than reading the headers.
//!
//! ```no_run
//! use std::fs::File;
//! use whyslow_etl::decode::Decoder;
//! use whyslow_etl::{FileSource, Reader};
//!
//! let open = || Reader::new(FileSource::new(File::open("trace.etl").unwrap()).unwrap());
//! let (mut decoder, mut reader) = (Decoder::default(), open()?);
//! while let Some(record) = reader.next_record()? {
//!     decoder.learn(&record);
//! }
//! let mut reader = open()?;
//! while let Some(record) = reader.next_record()? {
//!     let kind = decoder.kind(&record);
//!     println!("{}/{}", decoder.about(kind).provider, decoder.about(kind).name);
//!     for field in decoder.fields(kind, &record) {
//!         println!("  {} {:?}", field.item.name, field.item.what);
//!     }
//! }
//! # Ok::<(), Box<whyslow_etl::Error>>(())
//! ```
//!
//! # Joined fields
//!
//! Events of disks and files that name a file only by a number (its key or its file object) have a
//! last field `FileName` (`DirectoryName` for events that list a directory) with the path that
//! other events of the trace give. It is not part of their payload, and is missing if no event
//! gives it. Kernel events with processor counters in their header, such as some switches, have
//! them in a last field `Counters`.
//!
//! # Names
//!
//! Providers and events have the names of Microsoft's TraceEvent library, so that names seen in
//! `PerfView` can be found here: `Windows Kernel/Process/DCStart`, `KernelTraceControl/ImageID`,
//! `Microsoft-Windows-DotNETRuntime/GC/Start`. The event's part is its task and its opcode, without
//! the opcode if that says nothing (`Info`). An event without a task has its own name, or
//! `EventID(12)`; a classic event of an unknown class is `Task(GUID)/Opcode(3)`. A provider without
//! a known name is shown by its GUID.

mod dotnet;
mod fields;
mod files;
mod keys;
mod names;
mod owners;
mod paths;
mod schemas;

use std::collections::HashMap;
use std::fmt::Display;
use std::ops::Deref;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::guid::Guid;
use crate::kernel::KernelEvent;
use crate::manifest::Manifests;
use crate::providers;
use crate::record::{Descriptor, Identity, Record};
use crate::schema::{Map, Schema};
use crate::tracelogging::TraceLogging;

pub use fields::{Field, Fields};
use files::Files;
use keys::Key;
pub use owners::{Owner, Owners};
use paths::Paths;
use schemas::{Schemas, Variant};

/// Maximum number of kinds of events; those beyond are counted as one.
const MOST_KINDS: usize = 1 << 16;
/// Maximum number of maps that are kept.
const MOST_MAPS: usize = 1 << 15;
/// Maximum length of a name, in characters.
const MOST_NAME: usize = 1 << 10;

/// A kind of event: its place among the kinds that a decoder has met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(u32);

impl KindId {
    /// Returns the place as an index: kinds are numbered from 0 in the order they are first met.
    pub fn index(self) -> usize {
        crate::bytes::size(self.0)
    }
}

/// The source of an event's description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DescribedBy {
    /// A layout of the kernel's events.
    Kernel,
    /// A manifest or merged description in the trace.
    Trace,
    /// A table shipped with this reader.
    Table,
    /// The event itself.
    Itself,
    /// Nothing: its payload is shown unchanged.
    Nothing,
}

/// What is known about a kind of event.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct About {
    /// Name of the provider, or its GUID.
    pub provider: Arc<str>,
    /// The provider or class; zero for events of the kernel.
    pub guid: Guid,
    /// Name of the event.
    pub name: Arc<str>,
    /// Distinguishes it from the provider's other events: the id, or class and opcode of a kernel
    /// or classic event, such as `5`, `0x0f2e` or `opcode 3`; empty if the name is enough.
    pub id: Arc<str>,
    /// Where its description comes from.
    pub described_by: DescribedBy,
    source: FieldSource,
}

/// Where the fields of a kind of event come from.
#[derive(Debug, Clone)]
enum FieldSource {
    /// With the names of its fields.
    Kernel(KernelEvent, Arc<[&'static str]>),
    Schema(Described),
    Itself,
    /// A piece of an event source's manifest.
    Manifest,
    /// A description that a merge has added.
    Metadata,
    Raw,
}

/// A description from the trace, or a shipped one.
#[derive(Debug, Clone)]
enum Described {
    Own(Arc<Schema>),
    Shipped(&'static Schema),
}

impl Deref for Described {
    type Target = Schema;

    fn deref(&self) -> &Schema {
        match self {
            Self::Own(schema) => schema,
            Self::Shipped(schema) => schema,
        }
    }
}

/// Decodes the events of a trace.
#[derive(Debug, Default)]
pub struct Decoder {
    schemas: Schemas,
    maps: HashMap<Guid, HashMap<String, Map>>,
    map_count: usize,
    manifests: Manifests,
    /// Names of providers, as descriptions give them.
    providers: HashMap<Guid, Arc<str>>,
    paths: Paths,
    files: Files,
    kinds: Vec<About>,
    by_key: FxHashMap<Key, KindId>,
    /// The kinds beyond the limit.
    others: Option<KindId>,
}

impl Decoder {
    /// Learns what a record says about other events.
    #[inline]
    pub fn learn(&mut self, record: &Record<'_>) {
        self.files.learn(record);
        match record.identity() {
            Identity::Classic { opcode: 32, .. } => {
                let schema = Schema::from_event_info(record);
                self.learn_schemas(schema, record);
            }
            Identity::Classic {
                opcode: 33 | 35, ..
            } => {
                let Some(map) = Map::from_event_map_info(record) else {
                    self.paths.learn(record);
                    return;
                };
                if self.map_count < MOST_MAPS {
                    self.map_count += 1;
                    let maps = self.maps.entry(map.provider).or_default();
                    maps.insert(map.name.clone(), map);
                }
            }
            Identity::Event(event) if event.id == 0xfffe => {
                let schemas = self.manifests.add(record);
                self.learn_schemas(schemas.unwrap_or_default(), record);
            }
            _ => {}
        }
    }

    fn learn_schemas(&mut self, schemas: impl IntoIterator<Item = Schema>, record: &Record<'_>) {
        for schema in schemas {
            let key = (schema.provider, schema.id, schema.version);
            if !schema.provider_name.is_empty() {
                let name = || Arc::clone(&schema.provider_name);
                self.providers.entry(schema.provider).or_insert_with(name);
            }
            // Kinds found before must be found again.
            self.by_key.remove(&Key::event(key.0, key.1, key.2));
            self.schemas.add(schema, record);
        }
    }

    /// Returns what is known about the kinds that have been met, in the order of their numbers.
    pub fn all(&self) -> &[About] {
        &self.kinds
    }

    /// Returns what is known about a kind.
    pub fn about(&self, kind: KindId) -> &About {
        static UNKNOWN: std::sync::LazyLock<About> = std::sync::LazyLock::new(About::others);
        // A kind of another decoder may be out of range.
        self.kinds.get(kind.index()).unwrap_or(&UNKNOWN)
    }

    /// Returns the kind of an event.
    #[inline]
    pub fn kind(&mut self, record: &Record<'_>) -> KindId {
        let mut key = Key::of(record);
        let mut variant = 0;
        if let Identity::Event(event) = record.identity() {
            variant = self.schemas.variant(&event, record);
            key.choose(variant);
        }
        match self.by_key.get(&key) {
            Some(kind) => *kind,
            None => self.meet(key, variant, record),
        }
    }

    #[cold]
    fn meet(&mut self, key: Key, variant: Variant, record: &Record<'_>) -> KindId {
        if let (Some(others), true) = (self.others, self.kinds.len() > MOST_KINDS) {
            return others;
        }
        let is_last = self.kinds.len() == MOST_KINDS;
        let about = if is_last {
            About::others()
        } else {
            self.find_out(record, variant)
        };
        let kind = KindId(crate::bytes::narrow(self.kinds.len()));
        self.kinds.push(about);
        if is_last {
            self.others = Some(kind);
        } else {
            self.by_key.insert(key, kind);
        }
        kind
    }

    /// Finds the description of an event.
    fn find_out(&self, record: &Record<'_>, variant: Variant) -> About {
        if let Some(about) = names::of_kernel(record) {
            return about;
        }
        match record.identity() {
            Identity::Event(event) => {
                if let Some(itself) = TraceLogging::of(record) {
                    return names::of_itself(&event, &itself, self.provider(event.provider));
                }
                match self.schema(&event, variant) {
                    Some((schema, described_by)) => names::of_schema(&event, schema, described_by),
                    None => names::of_nothing(&event, self.provider(event.provider)),
                }
            }
            _ => names::of_others(record),
        }
    }

    /// Returns the description of an event. The trace's own comes from the machine that wrote the
    /// event and takes precedence, unless it is known to be wrong.
    fn schema(&self, event: &Descriptor, variant: Variant) -> Option<(Described, DescribedBy)> {
        let own = self.schemas.get(event, variant);
        let own = own
            .filter(|_| !providers::overrules(event))
            .map(|schema| (Described::Own(schema), DescribedBy::Trace));
        let shipped = || {
            Some((
                Described::Shipped(providers::schema(event)?),
                DescribedBy::Table,
            ))
        };
        own.or_else(shipped)
    }

    /// Returns the name of a provider; `None` if it is not known.
    fn provider(&self, guid: Guid) -> Option<Arc<str>> {
        let told = self.providers.get(&guid).cloned();
        told.or_else(|| providers::name(guid).map(Arc::from))
    }

    /// Returns the fields of an event of this kind.
    pub fn fields<'a>(&'a self, kind: KindId, record: &Record<'a>) -> Fields<'a> {
        let (payload, pointer) = (record.payload(), record.pointer_size());
        let fields = match &self.about(kind).source {
            FieldSource::Kernel(event, names) => {
                let fields = Fields::of_kernel(event, names, payload, pointer);
                let fields = fields.with_files(&self.files, record.raw_time);
                fields.with_counters(record.counters())
            }
            FieldSource::Schema(schema) => {
                let maps = self.maps.get(&schema.provider);
                Fields::of_schema(schema, maps, payload, pointer)
            }
            FieldSource::Itself => match TraceLogging::of(record) {
                Some(itself) => Fields::of_itself(&itself),
                None => Fields::raw(payload),
            },
            FieldSource::Manifest => Fields::of_manifest(payload),
            FieldSource::Metadata => Fields::of_metadata(payload),
            FieldSource::Raw => Fields::raw(payload),
        };
        fields.with_paths(&self.paths)
    }
}

/// Returns a text, cut off if it is too long for a name.
fn name_of(text: impl Display) -> String {
    let mut name = text.to_string();
    if let Some((end, _)) = name.char_indices().nth(MOST_NAME) {
        name.truncate(end);
    }
    name
}

impl About {
    fn others() -> Self {
        Self {
            provider: "others".into(),
            guid: Guid::default(),
            name: "beyond the limit".into(),
            id: "".into(),
            described_by: DescribedBy::Nothing,
            source: FieldSource::Raw,
        }
    }
}
