//! User halves that come after the event they belong to, or slightly before it.

use whyslow_model::StateFlags;

use super::held::{Held, MAX_PER_THREAD, MAX_TOTAL, MOST_SPARE};
use super::rows::Away;
use super::{Activity, Close, Live, Output, Schedule, Slot, Wake};
use crate::event::{UserTarget, WaitTarget};
use whyslow_settle::NONE;
use whyslow_stacks::HalfWord;

/// Maximum difference between the clock readings of two programs at one tracepoint.
const NEAR_NS: u64 = 50_000;

impl Schedule {
    /// Takes the user half of an event of the thread in `slot`; `woken` is the thread it woke.
    pub fn user_half(
        &mut self,
        slot: Slot,
        woken: Option<Slot>,
        target: UserTarget,
        half: HalfWord,
        out: &mut Output<'_>,
    ) {
        let live = &mut self.live[slot.index()];
        let is_taken = match target {
            UserTarget::Wait {
                from_ns,
                is_sampled,
                is_killed,
            } => {
                let from = first_wait(&live.held, from_ns);
                let is_taken = give(&mut live.held, from, half, is_sampled);
                if let Some(last) = live.held.back_mut().filter(|_| is_killed) {
                    last.off.flags = last.off.flags.with(StateFlags::KILLED);
                }
                self.release_complete(slot, out);
                is_taken
            }
            UserTarget::Pending => {
                give(&mut live.held, i64::MIN, half, false);
                self.release(slot, out);
                true
            }
            UserTarget::OpenWait => live.take_open(half),
            UserTarget::Fault { .. } | UserTarget::Preemption { .. } => {
                let is_off = live.activity == Activity::Off && live.take_near(target, half);
                if !is_off {
                    live.early_half = Some((target, half));
                }
                true
            }
            UserTarget::Waker { at_ns, .. } => {
                let waker = live.thread;
                woken.is_some_and(|woken| self.live_mut(woken).take_waker(waker, at_ns, half))
            }
            UserTarget::LastSample => false,
        };
        if is_taken {
            return;
        }
        match (target, woken) {
            (UserTarget::Waker { .. }, Some(woken)) => {
                self.live_mut(woken).early_half = Some((target, half));
            }
            _ => self.faults.stray_halves += 1,
        }
    }

    /// Takes what the waits of a system call were for, which the thread in `slot` ends: those held
    /// since it began. If it is open, it is the one that goes on.
    pub fn wait_target(&mut self, slot: Slot, target: &WaitTarget) {
        if target.is_open {
            let live = &mut self.live[slot.index()];
            if live.is_waiting() {
                live.off.object = target.object.unwrap_or(NONE);
                live.off.timeout_ns = target.timeout_ns;
            }
            return;
        }
        let held = &mut self.live[slot.index()].held;
        let from = first_wait(held, Some(target.from_ns));
        let split = held.partition_point(|away| away.from_ns < from);
        let open = held.range_mut(split..);
        for away in open.filter(|away| away.off.stack.user.is_absent()) {
            away.off.object = target.object.unwrap_or(NONE);
            away.off.timeout_ns = target.timeout_ns;
        }
    }

    /// Pushes the rows of `away`, now or when its user half has come.
    pub(crate) fn keep_or_push(
        &mut self,
        slot: Slot,
        away: Away,
        how: Close,
        out: &mut Output<'_>,
    ) {
        let late = self.recorded.late_halves;
        let live = &mut self.live[slot.index()];
        let may_come = late
            && matches!(how, Close::Entered { .. })
            && !live.is_kernel
            && !live.is_idle
            && !away.off.is_runnable();
        if !may_come {
            out.away(live.thread, &away);
            return;
        }
        if live.held.len() >= MAX_PER_THREAD
            && let Some(oldest) = live.held.pop_front()
        {
            self.held_total -= 1;
            out.away(live.thread, &oldest);
        }
        if self.held_total >= MAX_TOTAL {
            for number in 0..self.live.len() {
                self.release(Slot(u32::try_from(number).unwrap_or(u32::MAX)), out);
            }
        }
        let live = &mut self.live[slot.index()];
        live.held.push_back(away);
        self.held_total += 1;
    }

    /// Pushes the stretches that have their user half. A later sample may represent the others.
    fn release_complete(&mut self, slot: Slot, out: &mut Output<'_>) {
        let live = &mut self.live[slot.index()];
        let before = live.held.len();
        live.held.retain(|away| {
            let is_open = away.off.stack.user.is_absent();
            if !is_open {
                out.away(live.thread, away);
            }
            is_open
        });
        self.held_total -= before - live.held.len();
        give_back(&mut live.held);
    }

    /// Pushes all stretches held back for a thread.
    pub(crate) fn release(&mut self, slot: Slot, out: &mut Output<'_>) {
        let live = &mut self.live[slot.index()];
        self.held_total -= live.held.len();
        for away in live.held.drain(..) {
            out.away(live.thread, &away);
        }
        give_back(&mut live.held);
    }
}

/// Frees memory not needed now: each of many threads may once have held many stretches.
fn give_back(held: &mut Held) {
    if held.capacity() > MOST_SPARE.max(4 * held.len()) {
        held.shrink_to(2 * held.len());
    }
}

/// Returns when the first wait of a stack began: the start of the held wait nearest to the stated
/// time.
fn first_wait(held: &Held, from_ns: Option<i64>) -> i64 {
    let Some(from) = from_ns else {
        return i64::MIN;
    };
    let nearest = held.iter().min_by_key(|away| away.from_ns.abs_diff(from));
    let near = nearest.filter(|away| away.from_ns.abs_diff(from) <= NEAR_NS);
    near.map_or(from, |away| away.from_ns)
}

/// Gives a user half to the waits since `from`, and to earlier ones that it represents.
fn give(held: &mut Held, from: i64, half: HalfWord, is_sampled: bool) -> bool {
    let split = held.partition_point(|away| away.from_ns < from);
    let mut kernels = Vec::new();
    for away in held.range_mut(split..) {
        if away.off.stack.user.is_absent() {
            away.off.stack.user = half;
            kernels.push(away.off.stack.kernel);
        }
    }
    kernels.retain(|kernel| !kernel.is_absent());
    for away in held.range_mut(..split).filter(|_| is_sampled) {
        let stack = &mut away.off.stack;
        if stack.user.is_absent() && kernels.contains(&stack.kernel) {
            stack.user = half;
            away.off.flags = away.off.flags.with(StateFlags::APPROXIMATE_STACK);
        }
    }
    split < held.len()
}

impl Live {
    /// Takes the user half of a fault or preemption that came before the switch.
    pub(crate) fn take_early_half(&mut self) {
        if let Some((target, half)) = self.early_half.take() {
            self.take_near(target, half);
        }
    }

    /// Takes the user half of a waker that came before the wake-up.
    pub(crate) fn with_early_waker(&mut self, mut wake: Wake) -> Wake {
        if let Some((UserTarget::Waker { at_ns, .. }, half)) = self.early_half {
            if wake.at_ns.abs_diff(at_ns) <= NEAR_NS {
                wake.stack.user = half;
            }
            self.early_half = None;
        }
        wake
    }

    /// Takes the user half for the moment at which the thread left the CPU, if the times match.
    fn take_near(&mut self, target: UserTarget, half: HalfWord) -> bool {
        let (out_ns, is_fault) = match target {
            UserTarget::Fault { out_ns } => (out_ns, true),
            UserTarget::Preemption { out_ns } => (out_ns, false),
            _ => return false,
        };
        let is_it = self.since_ns.abs_diff(out_ns) <= NEAR_NS
            && self.off.stack.user.is_absent()
            && self.off.is_runnable() != is_fault;
        if is_it {
            self.off.stack.user = half;
            if is_fault {
                self.off.flags = self.off.flags.with(StateFlags::PAGE_FAULT);
            }
        }
        is_it
    }

    fn is_waiting(&self) -> bool {
        match self.activity {
            Activity::Off => !self.off.is_runnable(),
            Activity::Fresh => true,
            Activity::Running | Activity::Lost => false,
        }
    }

    fn take_open(&mut self, half: HalfWord) -> bool {
        let is_waiting = self.is_waiting();
        if is_waiting && self.off.stack.user.is_absent() {
            self.off.stack.user = half;
        }
        is_waiting
    }

    fn take_waker(&mut self, waker: u32, at_ns: i64, half: HalfWord) -> bool {
        let is_it = |wake: &Wake| wake.thread == waker && wake.at_ns.abs_diff(at_ns) <= NEAR_NS;
        let early = self.early.iter_mut();
        let off = self
            .off
            .wake
            .iter_mut()
            .filter(|_| self.activity == Activity::Off);
        let held = self
            .held
            .iter_mut()
            .rev()
            .filter_map(|away| away.off.wake.as_mut());
        for wake in early.chain(off).chain(held) {
            if is_it(wake) {
                wake.stack.user = half;
                return true;
            }
        }
        false
    }
}
