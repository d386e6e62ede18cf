//! Reading the payload of a record by the names of its fields.

use whyslow_etl::kernel::{self, hooks::Hook};
use whyslow_etl::{PointerSize, Record, Value};

/// An event of the kernel.
#[derive(Debug, Clone, Copy)]
pub(super) struct KernelRecord<'a> {
    pub(super) record: &'a Record<'a>,
    pub(super) hook: Hook,
    /// Version of the payload's layout.
    pub(super) version: u16,
}

impl<'a> KernelRecord<'a> {
    /// Returns the record, if it is an event of the kernel.
    #[inline]
    pub(super) fn new(record: &'a Record<'a>) -> Option<Self> {
        let (hook, version) = kernel::hook(record)?;
        Some(Self {
            record,
            hook,
            version,
        })
    }

    /// Returns the size of its pointers: the one its header states, unless only the other leaves
    /// nothing of the payload over. Programs that imitate the kernel get it wrong.
    pub(super) fn pointer(&self) -> PointerSize {
        let stated = self.record.pointer_size();
        let fits = |size| {
            let event = kernel::event(self.hook, self.version)?;
            let mut fields = event.fields(self.record.payload(), size);
            fields.by_ref().for_each(drop);
            Some(fields.rest().is_empty())
        };
        let other = match stated {
            PointerSize::Four => PointerSize::Eight,
            PointerSize::Eight => PointerSize::Four,
        };
        if fits(stated) == Some(false) && fits(other) == Some(true) {
            other
        } else {
            stated
        }
    }
}

/// The fields of an event of the kernel or of a merge.
#[derive(Debug)]
pub(super) struct Fields<'a>(Vec<(&'static str, Value<'a>)>);

impl<'a> Fields<'a> {
    /// Reads the fields of a record; none where its layout is not known.
    pub(super) fn of(record: &Record<'a>) -> Self {
        let event = kernel::describe(record);
        let fields = event.map(|event| event.fields(record.payload(), record.pointer_size()));
        Self(fields.into_iter().flatten().collect())
    }

    /// Returns the value of a field.
    pub(super) fn value(&self, name: &str) -> Option<Value<'a>> {
        let mut all = self.0.iter();
        Some(all.find(|(of, _)| *of == name)?.1)
    }

    /// Returns the number in a field.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.value(name)?.as_u64()
    }

    /// Returns the text in a field; `None` where it is empty.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let text = self.value(name)?.to_string();
        (!text.is_empty()).then_some(text)
    }
}
