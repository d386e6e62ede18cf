//! Scheduling: a processor changes its thread (group 5, opcode 36), a thread becomes ready to run
//! (opcode 50).
//!
//! Tested on payloads of Windows 7 (32 and 64 bits) only; versions 3 to 5 are said to have the same
//! 24 bytes.

use crate::cursor::Cursor;
use crate::pointer::PointerSize;

/// A processor changes its thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Switch {
    /// The thread that runs from now on; 0 is the idle thread.
    pub new_thread_id: u32,
    /// The thread that ran until now.
    pub old_thread_id: u32,
    /// Priority of the new thread.
    pub new_priority: i8,
    /// Priority of the old thread.
    pub old_priority: i8,
    /// Idle state (ACPI C-state) that the processor was in before.
    pub previous_c_state: u8,
    /// Why the old thread waits, as in [`WAIT_REASONS`]; only meaningful in state 5.
    pub old_wait_reason: u8,
    /// Whether the old thread waits on behalf of user mode.
    pub old_waits_in_user_mode: bool,
    /// State of the old thread: 1 ready, 2 running, 3 standby, 4 terminated, 5 waiting, 6 transition,
    /// 7 deferred ready.
    pub old_state: u8,
    /// Preferred processor of the old thread.
    pub old_ideal_cpu: u8,
    /// How long the new thread has waited, in ticks of the system timer.
    pub new_wait_ticks: u32,
}

impl Switch {
    /// Reads a payload of group 5, opcode 36; `None` if it is too short.
    #[inline]
    pub fn read(payload: &[u8]) -> Option<Self> {
        let mut cursor = Cursor::new(payload, PointerSize::Eight);
        let (new_thread_id, old_thread_id) = (cursor.u32()?, cursor.u32()?);
        let (new_priority, old_priority) = (cursor.i8()?, cursor.i8()?);
        let [
            previous_c_state,
            _,
            old_wait_reason,
            mode,
            old_state,
            old_ideal_cpu,
        ] = cursor.array()?;
        Some(Self {
            new_thread_id,
            old_thread_id,
            new_priority,
            old_priority,
            previous_c_state,
            old_wait_reason,
            old_waits_in_user_mode: mode == 1,
            old_state,
            old_ideal_cpu,
            new_wait_ticks: cursor.u32()?,
        })
    }
}

/// A thread becomes ready to run. It was made ready by the thread that runs on the event's
/// processor, or by an interrupt on top of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ready {
    /// The thread.
    pub thread_id: u32,
    /// Why its priority is raised: 0 not at all, 1 because a wait ended, 2 in favour of others.
    pub adjust_reason: i8,
    /// By how much.
    pub adjust_increment: i8,
    /// Whether a deferred procedure call made it ready.
    pub in_dpc: bool,
    /// Whether its kernel stack was swapped out.
    pub is_stack_out: bool,
    /// Whether its process was swapped out.
    pub is_process_out: bool,
}

impl Ready {
    /// Reads a payload of group 5, opcode 50; `None` if it is too short.
    #[inline]
    pub fn read(payload: &[u8]) -> Option<Self> {
        let mut cursor = Cursor::new(payload, PointerSize::Eight);
        let thread_id = cursor.u32()?;
        let (adjust_reason, adjust_increment) = (cursor.i8()?, cursor.i8()?);
        let flags = cursor.u8()?;
        Some(Self {
            thread_id,
            adjust_reason,
            adjust_increment,
            in_dpc: flags & 1 != 0,
            is_stack_out: flags & 2 != 0,
            is_process_out: flags & 4 != 0,
        })
    }
}

/// Names of wait reasons, by number (`KWAIT_REASON` of `wdm.h`).
pub const WAIT_REASONS: &[&str] = &[
    "Executive",
    "FreePage",
    "PageIn",
    "PoolAllocation",
    "DelayExecution",
    "Suspended",
    "UserRequest",
    "WrExecutive",
    "WrFreePage",
    "WrPageIn",
    "WrPoolAllocation",
    "WrDelayExecution",
    "WrSuspended",
    "WrUserRequest",
    "WrEventPair",
    "WrQueue",
    "WrLpcReceive",
    "WrLpcReply",
    "WrVirtualMemory",
    "WrPageOut",
    "WrRendezvous",
    "WrKeyedEvent",
    "WrTerminated",
    "WrProcessInSwap",
    "WrCpuRateControl",
    "WrCalloutStack",
    "WrKernel",
    "WrResource",
    "WrPushLock",
    "WrMutex",
    "WrQuantumEnd",
    "WrDispatchInt",
    "WrPreempted",
    "WrYieldExecution",
    "WrFastMutex",
    "WrGuardedMutex",
    "WrRundown",
    "WrAlertByThreadId",
    "WrDeferredPreempt",
    "WrPhysicalFault",
    "WrIoRing",
    "WrMdlCache",
    "WrRcu",
];
