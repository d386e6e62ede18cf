//! Reads the payload of a record by the names of its fields.

use std::borrow::Cow;

use whyslow_etl::kernel::{self, Hook, KernelRecord};
use whyslow_etl::tracelogging::What;
use whyslow_etl::{Clock, Descriptor, Record, Value, providers};

/// An event with all its fields, for decoders of operations.
#[derive(Debug)]
pub(crate) struct EventOf<'a, Id> {
    /// Which event.
    pub(crate) id: Id,
    /// Its fields.
    pub(crate) fields: Fields<'a>,
    /// The thread that wrote it, where the record says.
    pub(crate) tid: Option<u32>,
    clock: Clock,
}

/// An event of the kernel.
pub(crate) type KernelEvent<'a> = EventOf<'a, Hook>;

/// An event of a manifest's provider.
pub(crate) type ProviderEvent<'a> = EventOf<'a, u16>;

impl<'a> KernelEvent<'a> {
    /// Reads the fields of a record.
    pub(crate) fn new(of: &KernelRecord<'a>, clock: Clock) -> Self {
        Self {
            id: of.hook,
            fields: Fields::of(of.record),
            tid: of.record.thread_id(),
            clock,
        }
    }
}

impl<'a> ProviderEvent<'a> {
    /// Reads the fields of a record; `None` if its layout is not known.
    pub(crate) fn read(record: &Record<'a>, of: &Descriptor, clock: Clock) -> Option<Self> {
        Some(Self {
            id: of.id,
            fields: Fields::of_provider(record, of)?,
            tid: record.thread_id(),
            clock,
        })
    }
}

impl<Id> EventOf<'_, Id> {
    /// Returns this many ticks in nanoseconds.
    pub(crate) fn duration_ns(&self, ticks: i64) -> i64 {
        self.clock.duration_ns(ticks)
    }
}

/// The fields of an event, by name.
#[derive(Debug)]
pub(crate) struct Fields<'a>(Vec<(Cow<'static, str>, Value<'a>)>);

impl<'a> Fields<'a> {
    /// Reads the fields of a record of the kernel or of a merge; none if its layout is not known.
    pub(crate) fn of(record: &Record<'a>) -> Self {
        let event = kernel::describe(record);
        let fields = event.map(|event| event.fields(record.payload(), record.pointer_size()));
        let fields = fields.into_iter().flatten();
        Self(fields.map(|(name, value)| (name.into(), value)).collect())
    }

    /// Reads the fields of a record of a manifest provider; `None` if its layout is not known.
    pub(crate) fn of_provider(record: &Record<'a>, of: &Descriptor) -> Option<Self> {
        let items = providers::schema(of)?.items(record.payload(), record.pointer_size());
        let values = items.filter_map(|item| match item.what {
            What::Value(value) => Some((item.name.to_string().into(), value)),
            _ => None,
        });
        Some(Self(values.collect()))
    }

    /// Returns the value of a field.
    pub(crate) fn value(&self, name: &str) -> Option<Value<'a>> {
        let mut all = self.0.iter();
        Some(all.find(|(of, _)| of == name)?.1)
    }

    /// Returns the number in a field.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        self.value(name)?.as_u64()
    }

    /// Returns the id in a field.
    pub(crate) fn id(&self, name: &str) -> Option<u32> {
        u32::try_from(self.number(name)?).ok()
    }

    /// Returns the text in a field; `None` if it is empty.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let text = self.value(name)?.to_string();
        (!text.is_empty()).then_some(text)
    }
}
