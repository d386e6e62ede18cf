//! Requests to disks.

use whyslow_etl::kernel::hooks::{Hook, disk_io as hooks};
use whyslow_model::{DiskFlags, DiskOperation};

use super::emitter::Emitter;
use super::payload::{Fields, KernelRecord};
use crate::event::{DiskEvent, DiskPhase, DiskRequest, EventKind, RequestKey};

/// Events of a request that is issued: only who issues what tells it apart from others.
pub(super) const ISSUES: &[Hook] = &[hooks::READ_INIT, hooks::WRITE_INIT, hooks::FLUSH_INIT];
/// Events of a request that is complete.
pub(super) const COMPLETIONS: &[Hook] = &[
    hooks::READ,
    hooks::WRITE,
    hooks::FLUSH_BUFFERS,
    hooks::OPTICAL_READ,
    hooks::OPTICAL_WRITE,
];

/// Bits of the flags of a request to a driver (`IRP_*`).
const PAGING: u64 = 0x02 | 0x40;
const SYNC: u64 = 0x04;
/// Three bits above hold the priority plus one, 0 where there is none.
const PRIORITY_SHIFT: u32 = 17;

/// Takes the issue of a request.
pub(super) fn issue(of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
    push(
        of,
        DiskRequest::of(operation(of.hook)),
        DiskPhase::Issue,
        out,
    );
}

/// Takes the completion of a request.
pub(super) fn completion(of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
    let fields = Fields::of(of.record);
    let number = |name| fields.number(name);
    let integer = |name| number(name).and_then(|value| i64::try_from(value).ok());
    let Some(ticks) = integer("HighResResponseTime") else {
        return out.bad(of.record, "a request to a disk");
    };
    let irp_flags = number("IrpFlags").unwrap_or(0);
    let operation = operation(of.hook);
    let is_flush = operation == DiskOperation::Flush;
    let request = DiskRequest {
        operation,
        disk: number("DiskNumber").and_then(|disk| u32::try_from(disk).ok()),
        offset_bytes: integer("ByteOffset"),
        size_bytes: integer("TransferSize").or(is_flush.then_some(0)),
        flags: flags(irp_flags),
        priority: priority(irp_flags),
    };
    let phase = DiskPhase::Completion {
        is_told_whole: true,
        service_ns: Some(out.duration_ns(ticks)),
        result: None,
    };
    push(of, request, phase, out);
}

fn push(of: &KernelRecord<'_>, request: DiskRequest, phase: DiskPhase, out: &mut Emitter<'_>) {
    let fields = Fields::of(of.record);
    let Some(irp) = fields.number("Irp") else {
        return out.bad(of.record, "a request to a disk");
    };
    let named = fields.number("IssuingThreadId");
    let named = named.and_then(|tid| u32::try_from(tid).ok());
    // Before Windows 8 only the record of the issue has the thread, as the one that wrote it.
    let own = || of.record.thread_id().filter(|_| phase == DiskPhase::Issue);
    let disk = DiskEvent {
        key: RequestKey {
            space: 0,
            place: irp,
        },
        tid: named.or_else(own).filter(|&tid| tid != u32::MAX),
        request,
        phase,
    };
    out.push(of.record, EventKind::Disk(disk));
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
        // Non-cached paging of normal priority, as the memory manager reads.
        let asked = 0x43 | (3 << 17);
        assert_eq!(
            (flags(asked), priority(asked)),
            (DiskFlags::PAGING, Some(2))
        );
        assert_eq!(flags(0x06), DiskFlags::PAGING.with(DiskFlags::SYNC));
    }
}
