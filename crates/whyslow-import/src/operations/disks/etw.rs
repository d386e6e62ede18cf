//! Requests to disks: the kernel's events `DiskIo`, and those of its manifest provider
//! Microsoft-Windows-Kernel-Disk, which are written when a request completes. Their fields are the
//! same except for the request's address (source: the provider's manifest); they lack the thread.

use whyslow_etl::Guid;
use whyslow_etl::kernel::hooks::{Hook, disk_io as hooks};
use whyslow_model::{DiskFlags, DiskOperation};

use super::{DiskEvent, DiskPhase, DiskRequest, RequestKey};
use crate::operations::{KernelEvents, Operation, ProviderEvents};
use crate::payload::etw::{EventOf, KernelEvent, ProviderEvent};

/// The kernel events that are read.
pub(super) const KERNEL_EVENTS: &[KernelEvents] = &[
    // The thread is all they add: without completions there are no rows.
    KernelEvents {
        hooks: &[hooks::READ_INIT, hooks::WRITE_INIT, hooks::FLUSH_INIT],
        is_proof: false,
        decode: issue,
    },
    KernelEvents {
        hooks: &[
            hooks::READ,
            hooks::WRITE,
            hooks::FLUSH_BUFFERS,
            hooks::OPTICAL_READ,
            hooks::OPTICAL_WRITE,
        ],
        is_proof: true,
        decode: completion,
    },
];

/// The events of the manifest provider that are read.
pub(super) const PROVIDER_EVENTS: &[ProviderEvents] = &[ProviderEvents {
    provider: KERNEL_DISK,
    ids: &[READ, WRITE, FLUSH],
    is_proof: true,
    decode: provider_completion,
}];

/// Microsoft-Windows-Kernel-Disk.
const KERNEL_DISK: Guid = Guid::new(
    0xc7bd_e69a,
    0xe1e0,
    0x4177,
    [0xb6, 0xef, 0x28, 0x3a, 0xd1, 0x52, 0x52, 0x71],
);

/// Its events.
const READ: u16 = 10;
const WRITE: u16 = 11;
const FLUSH: u16 = 14;

/// Bits of the flags of a request to a driver (`IRP_*`).
const PAGING: u64 = 0x02 | 0x40;
const SYNC: u64 = 0x04;
/// Three bits above hold the priority plus one, 0 where there is none.
const PRIORITY_SHIFT: u32 = 17;

fn issue(of: &KernelEvent<'_>) -> Option<Operation> {
    let named = of.fields.id("IssuingThreadId");
    // Before Windows 8 only the record of the issue has the thread, as the one that wrote it.
    let request = DiskRequest::of(operation(of.id));
    let place = of.fields.number("Irp")?;
    event((place, 0), named.or(of.tid), request, DiskPhase::Issue)
}

fn completion(of: &KernelEvent<'_>) -> Option<Operation> {
    let tid = of.fields.id("IssuingThreadId");
    completed(of, operation(of.id), ("Irp", tid))
}

fn provider_completion(of: &ProviderEvent<'_>) -> Option<Operation> {
    let operation = match of.id {
        READ => DiskOperation::Read,
        WRITE => DiskOperation::Write,
        _ => DiskOperation::Flush,
    };
    completed(of, operation, ("IORequestPacket", None))
}

/// Reads a completion; `place` is the field with the request's address.
fn completed<Id>(
    of: &EventOf<'_, Id>,
    operation: DiskOperation,
    (place, tid): (&str, Option<u32>),
) -> Option<Operation> {
    let fields = &of.fields;
    let integer = |name| i64::try_from(fields.number(name)?).ok();
    let ticks = integer("HighResResponseTime")?;
    let irp_flags = fields.number("IrpFlags").unwrap_or(0);
    let is_flush = operation == DiskOperation::Flush;
    let disk = fields.number("DiskNumber");
    let request = DiskRequest {
        operation,
        disk: disk.and_then(|disk| u32::try_from(disk).ok()),
        offset_bytes: integer("ByteOffset"),
        size_bytes: integer("TransferSize").or(is_flush.then_some(0)),
        flags: flags(irp_flags),
        priority: priority(irp_flags),
        file: None,
    };
    let phase = DiskPhase::Completion {
        is_told_whole: true,
        service_ns: Some(of.duration_ns(ticks)),
        result: None,
    };
    let file_key = fields.number("FileObject").unwrap_or(0);
    event((fields.number(place)?, file_key), tid, request, phase)
}

fn event(
    (place, file_key): (u64, u64),
    tid: Option<u32>,
    request: DiskRequest,
    phase: DiskPhase,
) -> Option<Operation> {
    let event = DiskEvent {
        key: RequestKey { space: 0, place },
        tid: tid.filter(|&tid| tid != u32::MAX),
        request,
        file_key,
        phase,
    };
    Some(event.into())
}

fn operation(hook: Hook) -> DiskOperation {
    match hook {
        hooks::READ | hooks::READ_INIT | hooks::OPTICAL_READ => DiskOperation::Read,
        hooks::WRITE | hooks::WRITE_INIT | hooks::OPTICAL_WRITE => DiskOperation::Write,
        _ => DiskOperation::Flush,
    }
}

fn flags(irp_flags: u64) -> DiskFlags {
    let known = [(PAGING, DiskFlags::PAGING), (SYNC, DiskFlags::SYNC)];
    let set = known.into_iter().filter(|(bits, _)| irp_flags & bits != 0);
    set.fold(DiskFlags::default(), |flags, (_, flag)| flags.with(flag))
}

fn priority(irp_flags: u64) -> Option<i32> {
    let bits = i32::try_from((irp_flags >> PRIORITY_SHIFT) & 7).ok()?;
    bits.checked_sub(1).filter(|&priority| priority >= 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_the_request_say_how_and_how_urgent() {
        assert_eq!((flags(0), priority(0)), (DiskFlags::default(), None));
        // Non-cached paging I/O of normal priority, as the memory manager issues it.
        let asked = 0x43 | (3 << 17);
        assert_eq!(
            (flags(asked), priority(asked)),
            (DiskFlags::PAGING, Some(2))
        );
        assert_eq!(flags(0x06), DiskFlags::PAGING.with(DiskFlags::SYNC));
    }
}
