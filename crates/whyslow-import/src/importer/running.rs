//! Events of running threads: switches, wake-ups, samples.

use whyslow_model::tables::CpuSampleRow;
use whyslow_model::{NULL_I64, RawRow, StateFlags, WaitReason, WakerKind};

use super::Importer;
use crate::event::{Event, Sample, Switch, UserHalf, UserTarget, Waker, Waking};
use whyslow_schedule::{At, NONE, Off, Slot, Wake};
use whyslow_stacks::{HalfRef, Key, StackRef};

/// The event that first shows a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// It left this CPU.
    Leaving(u32),
    /// Anything else.
    Other,
}

impl Importer<'_> {
    pub(super) fn switch(&mut self, event: &Event, switch: &Switch) {
        let (Some(ns), Some(cpu)) = (event.time_ns, event.cpu) else {
            return;
        };
        if !self.schedule.follows(cpu) {
            return;
        }
        let at = At { ns, cpu };
        let leaver = self.known(switch.out_tid, cpu);
        let comer = self.known(switch.in_tid, cpu);
        let is_late = self.schedule.is_late_switch(at)
            || [leaver, comer]
                .into_iter()
                .flatten()
                .any(|slot| self.schedule.is_late(ns, slot));
        if is_late {
            self.schedule.skip(ns, Some(cpu), &mut self.out);
            return;
        }
        if let Some(slot) = self.sighted(switch.out_tid, switch.out_pid, at, Sight::Leaving(cpu)) {
            let mut off = Off::because(switch.reason);
            off.reason_raw = Some(switch.reason_raw);
            off.priority = switch.priority;
            off.stack = self.stacks.word(switch.out_stack);
            off.site = switch.out_site;
            off.accounted_ns = switch.out_accounted_ns;
            off.recorder_ns = switch.out_recorder_ns;
            if switch.is_idle_class {
                off.flags = StateFlags::IDLE_CLASS;
            }
            if self.schedule.live(slot).is_idle {
                off = Off::because(WaitReason::Idle);
            }
            if self.schedule.leave(at, slot, off, &mut self.out) {
                self.died(slot);
            }
        }
        if let Some(slot) = self.sighted(switch.in_tid, switch.in_pid, at, Sight::Other) {
            let stack = self.stacks.word(switch.in_stack);
            if let Some(wake) = &mut self.schedule.live_mut(slot).off.wake {
                self.out.sites.enter(switch.in_waker_site, wake);
            }
            self.schedule.enter(at, slot, stack, &mut self.out);
        } else {
            self.schedule.note_use(cpu, ns);
        }
    }

    /// Returns when and where an event was, and its CPU if that CPU is followed.
    pub(super) fn followed(&self, ns: i64, cpu: Option<u32>) -> (At, Option<u32>) {
        let cpu = cpu.filter(|&cpu| self.schedule.follows(cpu));
        let at = At {
            ns,
            cpu: cpu.unwrap_or(NONE),
        };
        (at, cpu)
    }

    pub(super) fn waking(&mut self, event: &Event, waking: &Waking, is_first: bool) {
        let Some(ns) = event.time_ns else {
            return;
        };
        let (at, cpu) = self.followed(ns, event.cpu);
        let (kind, waker) = match waking.waker {
            Waker::Unknown => (WakerKind::Unknown, None),
            Waker::Interrupt => (WakerKind::Interrupt, None),
            Waker::Softirq { tid } => (WakerKind::Softirq, self.observed(tid, at)),
            Waker::Thread { tid } => (WakerKind::Thread, self.observed(tid, at)),
            Waker::Running => self.running_waker(cpu),
        };
        if waking.target_tid == 0 {
            return;
        }
        let known = self.threads.slot(waking.target_tid);
        if known.is_some_and(|slot| self.schedule.is_late(ns, slot)) {
            self.schedule.skip(ns, cpu, &mut self.out);
            return;
        }
        let target = match known {
            None if is_first => self.born(waking.target_tid, ns),
            None => self.sighted(waking.target_tid, None, at, Sight::Other),
            known => known,
        };
        let mut stack = waking.stack;
        if matches!(kind, WakerKind::Interrupt | WakerKind::Softirq) {
            // The interrupted code woke nobody.
            stack = StackRef {
                user: HalfRef::Impossible,
                ..stack
            };
        }
        let wake = Wake {
            at_ns: ns,
            kind,
            thread: waker.map_or(NONE, |slot| self.schedule.live(slot).thread),
            stack: self.stacks.word(stack),
        };
        self.out.sites.wake(waking.site, &wake);
        if let Some(slot) = target {
            self.schedule.wake(slot, wake, &mut self.out);
        }
    }

    pub(super) fn queued(&mut self, event: &Event, tid: u32) {
        if let (Some(ns), Some(slot)) = (event.time_ns, self.threads.slot(tid)) {
            self.schedule.queue(slot, ns);
        }
    }

    pub(super) fn sample(&mut self, event: &Event, sample: &Sample) {
        let Some(ns) = event.time_ns else {
            return;
        };
        let (at, cpu) = self.followed(ns, event.cpu);
        let slot = match sample.tid {
            Some(tid) => self.sighted(tid, sample.pid, at, Sight::Other),
            None => cpu.and_then(|cpu| self.schedule.runner(cpu)),
        };
        let Some(slot) = slot else {
            self.counts.homeless_samples += 1;
            return;
        };
        if at.cpu != NONE {
            self.schedule.observe(at, slot, &mut self.out);
        }
        let stack = self.stacks.word(sample.stack);
        let mut row = RawRow::<CpuSampleRow, _>::new();
        row.set(CpuSampleRow::time_ns, ns);
        row.set_provisional(CpuSampleRow::cpu, cpu.map_or(NULL_I64, i64::from));
        row.set_provisional(CpuSampleRow::stack, stack.to_column());
        row.set(CpuSampleRow::weight_ns, sample.weight_ns);
        row.set(CpuSampleRow::priority, sample.priority);
        self.out.push(self.schedule.live(slot).thread, &row);
    }

    pub(super) fn on_cpu(&mut self, event: &Event, tid: u32) {
        if let (Some(ns), Some(cpu)) = (event.time_ns, event.cpu)
            && !self.schedule.confirm(At { ns, cpu }, tid)
        {
            self.observed(tid, At { ns, cpu });
        }
    }

    pub(super) fn user_half(&mut self, half: &UserHalf) {
        let word = self.stacks.half(half.half);
        if half.target == UserTarget::Pending {
            self.stacks.keys.define(Key::Thread(half.tid), word);
        }
        let woken = match half.target {
            UserTarget::Waker { woken_tid, .. } => self.threads.slot(woken_tid),
            _ => None,
        };
        if let Some(slot) = self.threads.slot(half.tid) {
            self.schedule
                .user_half(slot, woken, half.target, word, &mut self.out);
        } else if half.target != UserTarget::Pending {
            self.schedule.faults.stray_halves += 1;
        }
    }

    /// Returns what woke a thread on a CPU. The idle thread wakes nobody itself.
    fn running_waker(&self, cpu: Option<u32>) -> (WakerKind, Option<Slot>) {
        match cpu.and_then(|cpu| self.schedule.runner(cpu)) {
            None => (WakerKind::Unknown, None),
            Some(slot) if self.schedule.live(slot).is_idle => (WakerKind::Interrupt, None),
            slot => (WakerKind::Thread, slot),
        }
    }

    /// Returns the thread that `tid` means, and notes that it is on the CPU.
    fn observed(&mut self, tid: u32, at: At) -> Option<Slot> {
        let slot = self.sighted(tid, None, at, Sight::Other)?;
        if at.cpu != NONE && self.schedule.follows(at.cpu) {
            self.schedule.observe(at, slot, &mut self.out);
        }
        Some(slot)
    }

    fn known(&self, tid: u32, cpu: u32) -> Option<Slot> {
        if tid == 0 {
            self.schedule.idle(cpu)
        } else {
            self.threads.slot(tid)
        }
    }
}
