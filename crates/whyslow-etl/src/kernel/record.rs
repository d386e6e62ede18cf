//! A record that is an event of the kernel.

use super::hooks::Hook;
use crate::{PointerSize, Record};

/// An event of the kernel.
#[derive(Debug, Clone, Copy)]
pub struct KernelRecord<'a> {
    /// The record.
    pub record: &'a Record<'a>,
    /// Which event it is.
    pub hook: Hook,
    /// Version of the payload's layout.
    pub version: u16,
}

impl<'a> KernelRecord<'a> {
    /// Returns the record, if it is a kernel event.
    #[inline]
    #[must_use]
    pub fn new(record: &'a Record<'a>) -> Option<Self> {
        let (hook, version) = super::hook(record)?;
        Some(Self {
            record,
            hook,
            version,
        })
    }

    /// Returns the size of its pointers: the size its header states, unless only the other size
    /// accounts for the whole payload. Programs that imitate the kernel state the wrong one.
    #[must_use]
    pub fn pointer(&self) -> PointerSize {
        let stated = self.record.pointer_size();
        let fits = |size| {
            let event = super::event(self.hook, self.version)?;
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
