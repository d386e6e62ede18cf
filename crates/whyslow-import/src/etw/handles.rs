//! Handles of kernel objects: opened, duplicated, closed, and listed.
//!
//! Events have the number of the object's type; a list names the types, perhaps only at the end.

pub(super) use whyslow_etl::kernel::HANDLE_EVENTS as EVENTS;
use whyslow_etl::kernel::hooks::{Hook, object};
use whyslow_etl::kernel::{KernelRecord, ObjectHandle, ObjectType};
use whyslow_model::{FastMap, HandleOrigin, LabelId};
use whyslow_operations::{HandleEvent, HandlePhase};

use super::emitter::Emitter;
use super::notes::harmless;

/// The kernel's events that name types.
pub(super) const TYPES: &[Hook] = &[object::TYPE_DC_START, object::TYPE_DC_END];

/// What is known of types of objects.
#[derive(Debug, Default)]
pub(super) struct Handles {
    types: FastMap<u16, LabelId>,
    pub(super) are_there: bool,
}

impl Handles {
    /// Takes an event of a handle.
    pub(super) fn take(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        let record = of.record;
        let told = ObjectHandle::read(record.payload(), of.hook, record.pointer_size());
        let Some(told) = told else {
            return out.bad(record, "an event of a handle");
        };
        let phase = match of.hook {
            object::CREATE_HANDLE => HandlePhase::Open(HandleOrigin::Created),
            object::DUPLICATE_HANDLE => HandlePhase::Open(HandleOrigin::Duplicated),
            object::CLOSE_HANDLE => HandlePhase::Close,
            _ => HandlePhase::Listed,
        };
        // A list alone does not say what was opened.
        self.are_there |= phase != HandlePhase::Listed;
        let header = record.process_id();
        let Some(pid) = told.process_id.or(header) else {
            return;
        };
        let name = told.name.to_string();
        let event = HandleEvent {
            pid,
            is_own: phase != HandlePhase::Listed && header == Some(pid),
            handle: told.handle,
            object: told.object,
            kind: self.kind(told.kind, out),
            name: match &*name {
                "" => None,
                name => out.label(&harmless(name)),
            },
            phase,
        };
        let ids = (record.thread_id(), header);
        out.push_operation(record, ids, event.into());
    }

    /// Takes the name of a type.
    pub(super) fn name(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        let record = of.record;
        let Some(told) = ObjectType::read(record.payload(), record.pointer_size()) else {
            return out.bad(record, "the name of a type of objects");
        };
        let name = harmless(&told.name.to_string());
        if let Some(kind) = self.kind(told.kind, out).filter(|_| !name.is_empty()) {
            out.set_label(kind, &name);
        }
    }

    /// Returns the name of a type, or its placeholder until it is known.
    fn kind(&mut self, number: u16, out: &mut Emitter<'_>) -> Option<LabelId> {
        if let Some(&known) = self.types.get(&number) {
            return Some(known);
        }
        let label = out.label(&format!("[type {number}]"))?;
        self.types.insert(number, label);
        Some(label)
    }
}
