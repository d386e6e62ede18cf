//! Switches and wake-ups.

use whyslow_etl::Record;
use whyslow_etl::kernel::{Ready, Switch as KernelSwitch};
use whyslow_model::WaitReason;

use super::emitter::Emitter;
use crate::event::{EventKind, Site, Switch, Waker, Waking};
use whyslow_stacks::StackRef;

/// Takes a switch.
pub(super) fn switch(record: &Record<'_>, out: &mut Emitter<'_>) {
    let Some(switch) = KernelSwitch::read(record.payload()) else {
        return out.bad(record, "a switch");
    };
    let kind = EventKind::Switch(Switch {
        out_tid: switch.old_thread_id,
        out_pid: None,
        reason: reason(
            switch.old_state,
            switch.old_wait_reason,
            switch.old_waits_in_user_mode,
        ),
        reason_raw: switch.old_wait_reason.into(),
        priority: Some(switch.old_priority.into()),
        is_idle_class: false,
        out_stack: StackRef::NONE,
        in_tid: switch.new_thread_id,
        in_pid: None,
        in_stack: StackRef::NONE,
        out_site: Site::default(),
        out_accounted_ns: None,
        out_recorder_ns: None,
        in_waker_site: Site::default(),
    });
    out.push(record, kind);
}

/// Takes a wake-up.
pub(super) fn ready(record: &Record<'_>, out: &mut Emitter<'_>) {
    let Some(ready) = Ready::read(record.payload()) else {
        return out.bad(record, "a wake-up");
    };
    let waker = match ready.in_dpc {
        true => Waker::Interrupt,
        false => Waker::Running,
    };
    let kind = EventKind::Waking(Waking {
        target_tid: ready.thread_id,
        waker,
        stack: StackRef::NONE,
        site: Site::default(),
    });
    out.push(record, kind);
}

/// Returns why a thread left the CPU, from its state (`KTHREAD_STATE`), the reason of its wait
/// (`KWAIT_REASON`), and whether it waits on behalf of the program. Only such a wait ends early
/// when the thread is ended.
fn reason(state: u8, wait: u8, in_user_mode: bool) -> WaitReason {
    const SUSPENDED: u8 = 5;
    const WR_SUSPENDED: u8 = 12;
    const WR_YIELD_EXECUTION: u8 = 33;
    match (state, wait) {
        (0, _) => WaitReason::New,
        (1 | 2 | 3 | 7, WR_YIELD_EXECUTION) => WaitReason::Yielded,
        (1 | 2 | 3 | 7, _) => WaitReason::Preempted,
        (4, _) => WaitReason::Exited,
        (5 | 6, SUSPENDED | WR_SUSPENDED) => WaitReason::Stopped,
        (5 | 6, _) => waiting(wait, in_user_mode),
        _ => WaitReason::Unknown,
    }
}

/// Returns what a thread waits for, as far as `KWAIT_REASON` says; `Executive`, `UserRequest` and
/// `WrQueue` may mean any object.
fn waiting(wait: u8, in_user_mode: bool) -> WaitReason {
    match wait {
        // FreePage, PoolAllocation, WrVirtualMemory, WrMdlCache
        1 | 3 | 8 | 10 | 18 | 41 => WaitReason::Memory,
        // PageIn, WrPhysicalFault
        2 | 9 | 39 => WaitReason::PageFault,
        // DelayExecution
        4 | 11 => WaitReason::Sleep,
        // WrLpcReceive, WrLpcReply
        16 | 17 => WaitReason::Message,
        // WrKeyedEvent, WrAlertByThreadId: critical sections, slim locks, condition variables
        21 | 37 => WaitReason::Lock,
        // WrResource, WrPushLock, WrMutex, WrFastMutex, WrGuardedMutex, WrRundown
        27 | 28 | 29 | 34 | 35 | 36 => WaitReason::KernelLock,
        _ if in_user_mode => WaitReason::Interruptible,
        _ => WaitReason::Uninterruptible,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_those_of_any_system() {
        assert_eq!(reason(5, 13, true), WaitReason::Interruptible);
        assert_eq!(reason(5, 0, false), WaitReason::Uninterruptible);
        assert_eq!(reason(5, 28, false), WaitReason::KernelLock);
        assert_eq!(reason(5, 4, true), WaitReason::Sleep);
        assert_eq!(reason(5, 9, false), WaitReason::PageFault);
        assert_eq!(reason(5, 18, false), WaitReason::Memory);
        assert_eq!(reason(5, 17, true), WaitReason::Message);
        assert_eq!(reason(5, 37, true), WaitReason::Lock);
        assert_eq!(reason(5, 5, false), WaitReason::Stopped);
        assert_eq!(reason(1, 30, false), WaitReason::Preempted);
        assert_eq!(reason(1, 33, true), WaitReason::Yielded);
        assert_eq!(reason(4, 22, false), WaitReason::Exited);
        assert_eq!(reason(99, 0, false), WaitReason::Unknown);
    }
}
