//! Samples, switches, wake-ups.

use whyslow_etl::Record;
use whyslow_etl::kernel::{Ready, Sample as KernelSample, Switch as KernelSwitch};
use whyslow_model::WaitReason;

use super::Frontend;
use crate::event::{EventKind, Sample, Switch, Waker, Waking};
use crate::stacks::{HalfRef, StackRef};

/// Nanoseconds of the unit in which Windows counts the time between samples.
const UNIT_NS: i64 = 100;
/// The profiling timer among the sources of samples.
const TIMER: u32 = 0;

impl Frontend<'_> {
    /// Takes a CPU sample, or several that the kernel kept back for a while.
    pub(super) fn sample(&mut self, record: &Record<'_>, opcode: u8) {
        const CACHE: u8 = 55;
        let (payload, pointer) = (record.payload(), record.pointer_size());
        if opcode == CACHE {
            for sample in KernelSample::read_cache(payload, pointer) {
                self.push_sample(record, &sample);
            }
            return;
        }
        match KernelSample::read(payload, pointer) {
            Some(sample) => self.push_sample(record, &sample),
            None => self.bad(record, "a sample"),
        }
    }

    fn push_sample(&mut self, record: &Record<'_>, sample: &KernelSample) {
        let count = i64::from(sample.count.max(1));
        self.seen.samples += 1;
        let kind = EventKind::Sample(Sample {
            pid: None,
            tid: Some(sample.thread_id),
            weight_ns: self.interval_ns.saturating_mul(count),
            stack: StackRef::NONE,
            priority: Some(sample.priority.into()).filter(|&priority: &i32| priority != 0),
        });
        self.push(record, kind);
    }

    /// Takes the time between two samples, told at the start, at the end, or when it changes.
    pub(super) fn interval(&mut self, record: &Record<'_>) {
        let Some([source, new, _]) = words(record.payload()) else {
            return self.bad(record, "a sampling interval");
        };
        if source == TIMER && new > 0 {
            self.interval_ns = i64::from(new) * UNIT_NS;
            self.is_interval_told = true;
        }
    }

    pub(super) fn switch(&mut self, record: &Record<'_>) {
        let Some(switch) = KernelSwitch::read(record.payload()) else {
            return self.bad(record, "a switch");
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
            out_stack: StackRef::NONE,
            in_tid: switch.new_thread_id,
            in_pid: None,
            in_stack: StackRef::NONE,
        });
        self.push(record, kind);
    }

    pub(super) fn ready(&mut self, record: &Record<'_>) {
        let Some(ready) = Ready::read(record.payload()) else {
            return self.bad(record, "a wake-up");
        };
        let waker = match ready.in_dpc {
            true => Waker::Interrupt,
            false => Waker::Running,
        };
        let kind = EventKind::Waking(Waking {
            target_tid: ready.thread_id,
            waker,
            stack: StackRef {
                kernel: HalfRef::Absent,
                user: HalfRef::Absent,
            },
        });
        self.push(record, kind);
    }
}

/// Returns the first words of a payload.
fn words<const N: usize>(payload: &[u8]) -> Option<[u32; N]> {
    let (words, _) = payload.as_chunks::<4>();
    let words = words.first_chunk::<N>()?;
    Some(words.map(u32::from_le_bytes))
}

/// Returns why a thread left the CPU, from its state (`KTHREAD_STATE`), the reason of its wait
/// (`KWAIT_REASON`), and whether a wait is on behalf of the program: only such a one ends before its
/// time, when the thread is told to end.
pub(super) fn reason(state: u8, wait: u8, in_user_mode: bool) -> WaitReason {
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

/// Returns what a thread waits for, as far as `KWAIT_REASON` says it; `Executive`, `UserRequest` and
/// `WrQueue` stand for any object.
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
