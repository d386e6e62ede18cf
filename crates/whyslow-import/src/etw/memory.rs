//! Memory that processes get from the system and give back, and how much they have.

use whyslow_etl::kernel::hooks::{Hook, memory, process};
use whyslow_etl::kernel::{KernelRecord, ProcessCounters, VirtualMemory, working_sets};
use whyslow_etl::{Guid, Record};

use super::emitter::Emitter;
use crate::operations::{AllocationEvent, MemoryFigures, ProcessMemoryEvent};

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

/// The kernel's event with the working sets of processes.
pub(super) const WORKING_SETS: &[Hook] = &[memory::PROCESS_MEM_INFO];
/// The kernel's events with what one process has.
pub(super) const COUNTERS: &[Hook] = &[process::PERF_CTR, process::PERF_CTR_RUNDOWN];
/// Microsoft-Windows-Kernel-Memory, and its event with working sets.
pub(super) const KERNEL_MEMORY: Guid = Guid::new(
    0xd1d9_3ef7,
    0xe1f2,
    0x4f45,
    [0x99, 0x43, 0x03, 0xd2, 0x45, 0xfe, 0x6c, 0x00],
);
pub(super) const KERNEL_MEMORY_IDS: &[u16] = &[2];

/// Size of a page, of all processors that the system runs on.
const PAGE_BYTES: u64 = 4096;

/// What the trace says of how much memory processes have.
#[derive(Debug, Default)]
pub(super) struct ProcessMemory {
    /// Again and again.
    pub(super) has_working_sets: bool,
    /// As they end, and at the end of the session.
    pub(super) has_counters: bool,
}

impl ProcessMemory {
    /// Takes an event with working sets.
    pub(super) fn working_sets(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        let Some(all) = working_sets(record.payload(), record.pointer_size()) else {
            return out.bad(record, "an event with working sets");
        };
        self.has_working_sets = true;
        for of in all {
            let bytes = |pages: u64| Some(pages.saturating_mul(PAGE_BYTES));
            let sizes = [of.pages, of.private_pages, of.committed_pages].map(bytes);
            push(record, of.process_id, (sizes, None), out);
        }
    }

    /// Takes an event about one process.
    pub(super) fn counters(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        let record = of.record;
        let Some(told) = ProcessCounters::read(record.payload(), record.pointer_size()) else {
            return out.bad(record, "an event with counters of a process");
        };
        self.has_counters = true;
        // Where it has ended, only the peak is left.
        let is_there = of.hook == process::PERF_CTR_RUNDOWN;
        let sizes = [Some(told.working_set), None, Some(told.committed)];
        let sizes = sizes.map(|size| size.filter(|_| is_there));
        let peak = Some(told.peak_working_set).filter(|&peak| peak > 0);
        push(record, told.process_id, (sizes, peak), out);
    }
}

/// Queues what a process has in RAM, of its own, and promised, and its peak.
fn push(
    record: &Record<'_>,
    pid: u32,
    (sizes, peak): ([Option<u64>; 3], Option<u64>),
    out: &mut Emitter<'_>,
) {
    let all = sizes.into_iter().chain([peak]).flatten();
    if all.max().is_some_and(|most| most > LARGEST) {
        return out.impossible(record, "memory beyond the address space of a process");
    }
    let bytes = |size: Option<u64>| size.and_then(|size| i64::try_from(size).ok());
    let [resident, private, committed] = sizes.map(bytes);
    let event = ProcessMemoryEvent {
        pid,
        figures: MemoryFigures {
            resident,
            private,
            committed,
            peak: bytes(peak),
            ..MemoryFigures::default()
        },
    };
    out.push_operation(record, (None, Some(pid)), event.into());
}
