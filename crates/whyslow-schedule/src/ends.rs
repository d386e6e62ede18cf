//! How the open stretch of a thread's time is closed: as what it was, or as unknown.

use whyslow_model::{StateFlags, WaitReason, WakerKind};

use crate::event::Snapshot;
use whyslow_stacks::StackWord;

use super::{
    Activity, At, Away, Close, Live, NONE, Off, Output, Schedule, Slot, Span, Split, Use, Wake,
};

impl Schedule {
    /// Pushes the time the thread ran up to `at`.
    pub(crate) fn ran(&mut self, slot: Slot, at: At, off: &Off, out: &mut Output<'_>) {
        let accounted_ns = self.accounted_ns(slot, at.cpu, off);
        let live = self.live_mut(slot);
        let mut flags = StateFlags::default();
        if live.is_open_start {
            flags = StateFlags::OPEN_START;
        }
        let span = Span {
            from_ns: live.since_ns,
            to_ns: at.ns,
            flags,
        };
        out.running(live.thread, at.cpu, span, off, accounted_ns);
        live.since_ns = live.since_ns.max(at.ns);
        live.is_open_start = false;
    }

    /// Returns what the system accounts to the open stretch of a thread that leaves the CPU: all of its stay
    /// there, less what earlier rows have of it.
    fn accounted_ns(&self, slot: Slot, cpu: u32, off: &Off) -> Option<i64> {
        let stay_ns = off.accounted_ns?;
        let cpu = self.cpus.get(super::index(cpu))?;
        if cpu.runner != Some(slot) || !cpu.saw_entry {
            return None;
        }
        let since_ns = self.live(slot).since_ns;
        let earlier_ns = since_ns.saturating_sub(cpu.entered_ns).max(0);
        Some(stay_ns.saturating_sub(earlier_ns).max(0))
    }

    /// Returns whether the thread is known to be off the CPU, since its last event or the start.
    pub(crate) fn is_away(&self, slot: Slot) -> bool {
        let live = self.live(slot);
        match live.activity {
            Activity::Off => true,
            Activity::Fresh => live.off.reason != WaitReason::Unknown,
            Activity::Running | Activity::Lost => false,
        }
    }

    /// Closes the thread's open stretch at `ns` when it is not known how it continued.
    pub(crate) fn give_up(&mut self, slot: Slot, ns: i64, out: &mut Output<'_>) {
        match self.live(slot).activity {
            Activity::Running => self.break_running(slot, out),
            Activity::Off => {
                self.contradict(ns);
                self.close(slot, ns, Close::Broken { away_ns: i64::MIN }, out);
                return;
            }
            Activity::Fresh | Activity::Lost => {}
        }
        let live = self.live_mut(slot);
        let mut flags = StateFlags::AFTER_LOSS;
        if live.activity == Activity::Fresh {
            flags = StateFlags::default();
        }
        if live.is_open_start {
            flags = flags.with(StateFlags::OPEN_START);
        }
        out.unknown(
            live.thread,
            Span {
                from_ns: live.since_ns,
                to_ns: ns,
                flags,
            },
        );
        live.since_ns = live.since_ns.max(ns);
        live.is_open_start = false;
    }

    /// Ends the time of a thread that was running and left unseen: it is certain up to its CPU's
    /// last evidence.
    pub(crate) fn break_running(&mut self, slot: Slot, out: &mut Output<'_>) {
        let number = self.live(slot).cpu;
        let cpu = self.cpu(number);
        let evidence = cpu.evidence_ns;
        if cpu.runner == Some(slot) {
            cpu.runner = None;
            let now = self.now_ns;
            self.occupancy.change(number, now, Use::Unknown);
        }
        let ns = evidence.max(self.live(slot).since_ns);
        self.ran(
            slot,
            At { ns, cpu: number },
            &Off::because(WaitReason::Unknown),
            out,
        );
        self.live_mut(slot).activity = Activity::Lost;
    }

    /// Ends the time of a thread that was running when, at `ns`, another one leaves its CPU: it is
    /// off the CPU, but since when and why is not known.
    pub(crate) fn left_unseen(&mut self, slot: Slot, ns: i64, out: &mut Output<'_>) {
        self.break_running(slot, out);
        self.give_up(slot, ns, out);
        let live = self.live_mut(slot);
        live.activity = Activity::Off;
        live.off = Off::because(WaitReason::Unknown);
        live.off.flags = StateFlags::AFTER_LOSS;
    }

    /// Closes a stretch off the CPU (or before the first event, if the start is known) at `ns`.
    pub(crate) fn close(&mut self, slot: Slot, ns: i64, how: Close, out: &mut Output<'_>) {
        let recorded = self.recorded;
        let live = &self.live[slot.index()];
        let off = live.off;
        let from = live.since_ns;
        let ns = ns.max(from);
        let loss = self.loss.first_in(from, ns);
        let waits = off.wake.is_none() && !off.is_runnable();
        let woken_ns = off.wake.filter(|_| !off.is_runnable());
        let woken_ns = woken_ns.map(|wake| wake.at_ns.clamp(from, ns));
        let good = match how {
            Close::Broken { away_ns } => {
                let known = live.known_ns().min(ns);
                let away = known.max(away_ns).min(ns);
                self.loss.first_in(known, ns).unwrap_or(away)
            }
            _ if live.is_idle => ns,
            // It may have run and left again while events were lost.
            Close::Entered { .. } | Close::Ended { .. } => {
                let since = woken_ns.unwrap_or(from);
                self.loss.first_in(since, ns).unwrap_or(ns)
            }
        };
        let is_told = off.reason != WaitReason::Unknown || !off.flags.has(StateFlags::AFTER_LOSS);
        let is_wake_missing = matches!(how, Close::Entered { .. })
            && is_told
            && waits
            && recorded.wake_ups
            && !live.is_idle
            && loss.is_none();
        let away = Away {
            off,
            from_ns: from,
            until_ns: ns,
            good_ns: good,
            gap: woken_ns.and_then(|woken| {
                let gap = (
                    self.loss.first_in(from, woken)?,
                    self.loss.last_in(from, woken)?,
                );
                Some(gap)
            }),
            loss_ns: loss,
            cpu: live.cpu,
            is_wake_missing,
            is_blind: !recorded.wake_ups || !is_told,
            is_open_start: live.is_open_start,
            is_open_end: how == Close::Ended { is_open: true },
            split: (good == ns).then(|| self.split(live, ns, how)).flatten(),
        };
        if is_wake_missing {
            self.faults.missing_wake_ups += 1;
            self.faults.missing_wake_up_ns.get_or_insert(ns);
        }
        self.keep_or_push(slot, away, how, out);
        let live = self.live_mut(slot);
        live.since_ns = live.since_ns.max(ns);
        live.is_open_start = false;
        live.off = Off::because(WaitReason::Unknown);
    }

    /// Returns what kept a thread from running, from when it became ready until `ns`.
    fn split(&self, live: &Live, ns: i64, how: Close) -> Option<Split> {
        // A thread without any CPU time left to use does not compete for CPUs.
        let is_stopped = live.off.reason == WaitReason::Throttled;
        let is_ready = !is_stopped && (live.off.is_runnable() || live.off.wake.is_some());
        let recorded = self.recorded.switches && self.recorded.whole_machine;
        let mark = live.mark.filter(|_| is_ready && recorded)?;
        let ready_ns = match live.off.wake {
            Some(wake) if !live.off.is_runnable() => wake.at_ns.max(live.since_ns),
            _ => live.since_ns,
        };
        let is_known = self.loss.first_in(ready_ns, ns).is_none();
        if mark.at_ns != ready_ns || !is_known {
            return None;
        }
        let cpu = match how {
            Close::Entered { cpu } => cpu,
            Close::Ended { .. } => return self.occupancy.split(&mark, ns, live.cpus, None),
            Close::Broken { .. } => return None,
        };
        let queued = live
            .queued_ns
            .filter(|&queued| queued > ready_ns && queued <= ns);
        let mark = queued.map_or(mark, |queued| self.occupancy.queued(&mark, queued));
        let before_ns = mark.at_ns.saturating_sub(ready_ns);
        let left = self.cpus.get(super::index(cpu)).and_then(|cpu| cpu.left);
        let waker = live.off.wake.map(|wake| wake.thread);
        let gave_way = |left: super::Left| {
            let is_waker = waker == Some(left.thread) && left.is_over;
            is_waker && left.to_ns == ns && left.from_ns <= ready_ns
        };
        let mut split = match left.is_some_and(gave_way) {
            true => Split {
                hand_over_ns: ns.saturating_sub(mark.at_ns),
                ..Split::default()
            },
            false => self.occupancy.split(&mark, ns, live.cpus, Some(cpu))?,
        };
        split.waking_ns = split.waking_ns.saturating_add(before_ns);
        Some(split)
    }

    /// Continues the thread as another one: same slot, new number, new program.
    pub fn exec(&mut self, at: At, slot: Slot, thread: u32, out: &mut Output<'_>) {
        if at.cpu != NONE {
            self.observe(at, slot, out);
        }
        match self.live(slot).activity {
            Activity::Running => {
                let cpu = self.live(slot).cpu;
                let at = At { ns: at.ns, cpu };
                self.ran(slot, at, &Off::because(WaitReason::Unknown), out);
            }
            Activity::Off => {
                self.give_up(slot, at.ns, out);
                self.live_mut(slot).activity = Activity::Lost;
            }
            Activity::Fresh | Activity::Lost => {
                self.give_up(slot, at.ns, out);
                self.live_mut(slot).activity = Activity::Lost;
            }
        }
        self.release(slot, out);
        let live = self.live_mut(slot);
        live.thread = thread;
        live.is_open_start = false;
        live.is_kernel = false;
        live.early_half = None;
    }

    /// Notes that the thread began to end.
    pub fn exit(&mut self, slot: Slot, ns: i64) {
        self.live_mut(slot).exit_ns.get_or_insert(ns);
    }

    /// Ends a thread that is gone by `ns` at the latest; returns when it ended.
    pub fn end(&mut self, slot: Slot, ns: i64, out: &mut Output<'_>) -> i64 {
        let live = self.live(slot);
        let exit = live.exit_ns;
        let end = exit.map_or(ns, |exit| exit.min(ns)).max(live.known_ns());
        match (live.activity, exit) {
            (Activity::Running, Some(_)) => {
                let cpu = live.cpu;
                let off = Off::because(WaitReason::Exited);
                self.ran(slot, At { ns: end, cpu }, &off, out);
            }
            (Activity::Off, Some(_)) => {
                self.close(slot, end, Close::Ended { is_open: false }, out);
            }
            _ => self.give_up(slot, end, out),
        }
        let end = self.live(slot).since_ns;
        self.forget(slot, out);
        end
    }

    /// Removes the thread that just left the CPU for good.
    pub fn forget(&mut self, slot: Slot, out: &mut Output<'_>) {
        self.release(slot, out);
        let number = self.live(slot).cpu;
        if number != NONE && self.cpu(number).runner == Some(slot) {
            self.cpu(number).runner = None;
        }
        *self.live_mut(slot) = Live::new(NONE, NONE, i64::MAX, false);
        self.free.push(slot);
    }

    /// Ends the trace; `ended` gets the number and end of each thread that was about to end.
    pub fn finish(&mut self, ns: i64, out: &mut Output<'_>, ended: &mut dyn FnMut(u32, i64)) {
        for number in 0..self.live.len() {
            let slot = Slot(u32::try_from(number).unwrap_or(u32::MAX));
            let live = self.live(slot);
            if live.thread == NONE {
                continue;
            }
            if live.exit_ns.is_some() {
                let thread = live.thread;
                ended(thread, self.end(slot, ns, out));
                continue;
            }
            self.leave_open(slot, ns.max(live.known_ns()), out);
            self.release(slot, out);
        }
    }

    fn leave_open(&mut self, slot: Slot, ns: i64, out: &mut Output<'_>) {
        let is_quiet = self.recorded.switches
            && self.recorded.whole_machine
            && self.loss.is_empty()
            && self.live(slot).cpu == NONE;
        let live = self.live_mut(slot);
        let mut flags = StateFlags::OPEN_END;
        if live.is_open_start {
            flags = flags.with(StateFlags::OPEN_START);
        }
        let span = Span {
            from_ns: live.since_ns,
            to_ns: ns,
            flags,
        };
        match live.activity {
            Activity::Running => {
                let off = Off::because(WaitReason::Unknown);
                out.running(live.thread, live.cpu, span, &off, None);
            }
            Activity::Off => self.close(slot, ns, Close::Ended { is_open: true }, out),
            Activity::Fresh if live.off.reason != WaitReason::Unknown => {
                self.close(slot, ns, Close::Ended { is_open: true }, out);
            }
            // Every switch is recorded and none was this thread's: it was off the CPU all along.
            Activity::Fresh if is_quiet && !live.is_idle => out.off_cpu(live.thread, span),
            Activity::Fresh => out.unknown(live.thread, span),
            Activity::Lost => {
                let flags = flags.with(StateFlags::AFTER_LOSS);
                out.unknown(live.thread, Span { flags, ..span });
            }
        }
    }
}

impl Wake {
    /// A wake-up before the trace.
    pub(crate) fn unseen(at_ns: i64) -> Self {
        Self {
            at_ns,
            kind: WakerKind::Unknown,
            thread: NONE,
            stack: StackWord::NONE,
        }
    }
}

impl Schedule {
    /// Starts the trace: the state before it holds from then on.
    pub fn begin(&mut self, ns: i64) {
        for live in self
            .live
            .iter_mut()
            .filter(|live| live.since_ns == i64::MIN)
        {
            live.since_ns = ns;
        }
    }

    /// Marks as unknown what the threads did before `ns`.
    pub fn known_from(&mut self, ns: i64, out: &mut Output<'_>) {
        for number in 0..self.live.len() {
            let slot = Slot(u32::try_from(number).unwrap_or(u32::MAX));
            self.slot_known_from(slot, ns, out);
        }
    }

    /// Marks as unknown what the thread in `slot` did before `ns`, if it has had no event yet.
    pub fn slot_known_from(&mut self, slot: Slot, ns: i64, out: &mut Output<'_>) {
        let live = self.live_mut(slot);
        if live.thread == NONE || live.is_idle || live.since_ns >= ns {
            return;
        }
        if live.activity == Activity::Off && live.off.reason == WaitReason::New {
            // It may have run by now.
            live.activity = Activity::Fresh;
            live.off = Off::because(WaitReason::Unknown);
        }
        if live.activity == Activity::Fresh {
            self.give_up(slot, ns, out);
        }
    }

    /// Takes what the thread in `slot` was doing at the start or end of the trace.
    pub fn snapshot(&mut self, slot: Slot, snapshot: &Snapshot, stack: StackWord) {
        let live = self.live_mut(slot);
        let is_open = match live.activity {
            Activity::Fresh => snapshot.at_end || live.off.reason == WaitReason::Unknown,
            Activity::Off => snapshot.at_end && live.off.wake.is_none(),
            Activity::Running | Activity::Lost => false,
        };
        let Some(reason) = snapshot.reason.filter(|_| is_open) else {
            return;
        };
        if live.activity == Activity::Fresh && live.off.reason == WaitReason::Unknown {
            live.off.reason = reason;
            live.off.reason_raw = snapshot.reason_raw;
        }
        if live.off.stack.kernel.is_absent() {
            live.off.stack.kernel = stack.kernel;
        }
        if live.off.stack.user.is_absent() {
            live.off.stack.user = stack.user;
        }
    }
}
