//! Memory that processes get from the system and give back.

use whyslow_etl::kernel::VirtualMemory;
use whyslow_etl::kernel::hooks::{Hook, memory};

use super::emitter::Emitter;
use crate::operations::AllocationEvent;
use whyslow_etl::kernel::KernelRecord;

/// The kernel's events that are read.
pub(super) const EVENTS: &[Hook] = &[memory::VIRTUAL_ALLOC, memory::VIRTUAL_FREE];

/// Flag of a request to get memory, not only addresses (`MEM_COMMIT`).
const COMMIT: u32 = 0x1000;

/// The most memory that a process may have: 2^57 bytes of addresses, of which half are the kernel's.
const LARGEST: u64 = 1 << 56;

/// Takes an event; returns whether it is one.
pub(super) fn take(of: &KernelRecord<'_>, out: &mut Emitter<'_>) -> bool {
    let record = of.record;
    let Some(told) = VirtualMemory::read(record.payload(), record.pointer_size()) else {
        out.bad(record, "a VirtualAlloc or VirtualFree event");
        return false;
    };
    if told.bytes > LARGEST || told.address > LARGEST {
        out.impossible(record, "memory beyond the address space of a process");
        return false;
    }
    let event = AllocationEvent {
        pid: told.process_id,
        is_own: record.process_id() == Some(told.process_id),
        is_given_back: of.hook == memory::VIRTUAL_FREE,
        address: told.address,
        bytes: told.bytes,
    };
    if event.is_given_back || told.flags & COMMIT != 0 {
        let ids = (record.thread_id(), record.process_id());
        out.push_operation(record, ids, event.into());
    }
    true
}
