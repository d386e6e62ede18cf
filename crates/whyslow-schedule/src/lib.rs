//! Turns switches and wake-ups into the states of every thread, exactly.
//!
//! The rules, per thread:
//!
//! * On a switch, the thread that left had been running since it came; now it is off the CPU. If it
//!   was still runnable it is *ready*, else *waiting*.
//! * A wake-up ends a wait: after it the thread is *ready* until it is on a CPU again.
//! * A wake-up may be recorded microseconds before the switch it answers. So a wake-up of a running
//!   thread is kept; if the thread then goes to sleep, it is ready at once. If another wake-up
//!   follows, the first one was for an earlier sleep, and the wait was real.
//! * A thread's first event shows what it did before. If it left a CPU that had not switched yet,
//!   it was running; if it was woken, it was waiting; if it came without a wake-up although
//!   wake-ups are recorded, it was ready.
//! * Such an early wake-up belongs to this sleep only if the switch follows soon.
//! * Where events were lost, or contradict each other, the time from the last known event to the
//!   next is *unknown*. It is never counted as a wait. A thread that is woken after a loss, and did
//!   nothing else since, has waited since the end of the loss. A thread that leaves a CPU without
//!   having been seen to enter it was away for as long as another thread is known to have been
//!   there.
//!
//! The rows of a thread cover its lifetime in the trace without gap or overlap, whatever the input:
//! an event older than what is known about its threads is not applied, and counts as a loss.

#![forbid(unsafe_code)]

mod cpu_set;
mod ends;
mod event;
mod held;
mod late;
mod live;
mod loss;
mod occupancy;
mod off;
mod rows;
mod sites;

use whyslow_model::{StateFlags, WaitReason};

pub use cpu_set::CpuSetId;
pub use event::{Site, Snapshot, UserTarget, WaitTarget};
pub use live::{Activity, Live};
pub use off::{Off, Wake};
pub use rows::Output;
pub use whyslow_settle::{NONE, Slot};

use loss::LossWindows;
use occupancy::{Occupancy, Split, Use};
use rows::{Away, Span};
use whyslow_stacks::StackWord;

/// CPUs beyond this number are not followed: no machine has them (Linux supports at most 8192), a
/// damaged file may claim them, and each loss without a CPU costs a step per CPU.
pub const MAX_CPUS: u32 = 1 << 13;

/// Maximum time between a wake-up and the switch that it answers, if the wake-up comes first. The
/// thread is then about to leave; between the two, the kernel looks for another one to run, which
/// takes at most half a millisecond. An older wake-up was for an earlier sleep that never came.
const EARLY_NS: i64 = 500_000;

/// What the recording holds that matters for states.
#[derive(Debug, Clone, Copy)]
pub struct Recorded {
    /// Context switches.
    pub switches: bool,
    /// Wake-ups.
    pub wake_ups: bool,
    /// Wake-ups are recorded, and none can be missing unnoticed.
    pub all_wake_ups: bool,
    /// All threads on all CPUs are recorded.
    pub whole_machine: bool,
    /// User halves of waits come later.
    pub late_halves: bool,
}

/// A place and time.
#[derive(Debug, Clone, Copy)]
pub struct At {
    /// When.
    pub ns: i64,
    /// The CPU.
    pub cpu: u32,
}

/// What went wrong, and how often.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    /// Events older than what was already known.
    pub late: u64,
    /// When the first of them was.
    pub late_ns: Option<i64>,
    /// Events that contradict each other.
    pub broken: u64,
    /// When the first of them was.
    pub broken_ns: Option<i64>,
    /// Waits without a wake-up.
    pub missing_wake_ups: u64,
    /// When the first of them ended.
    pub missing_wake_up_ns: Option<i64>,
    /// User halves that belong to nothing known.
    pub stray_halves: u64,
}

/// The scheduling tracker.
#[derive(Debug)]
pub struct Schedule {
    live: Vec<Live>,
    free: Vec<Slot>,
    cpus: Vec<Cpu>,
    loss: LossWindows,
    occupancy: Occupancy,
    recorded: Recorded,
    now_ns: i64,
    held_total: usize,
    /// Problems so far.
    pub faults: Faults,
}

#[derive(Debug, Clone, Default)]
struct Cpu {
    runner: Option<Slot>,
    /// When the running thread came.
    entered_ns: i64,
    /// A switch told so; otherwise it may have come earlier.
    saw_entry: bool,
    /// When the running thread was last certainly running.
    evidence_ns: i64,
    /// The thread that left it last.
    left: Option<Left>,
    last_ns: i64,
    has_switched: bool,
    idle: Option<Slot>,
}

/// A thread's last stay on a CPU.
#[derive(Debug, Clone, Copy)]
struct Left {
    thread: u32,
    from_ns: i64,
    to_ns: i64,
    /// It left to wait, or for good; no other thread took the CPU from it.
    is_over: bool,
}

/// How a stretch off the CPU ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Close {
    /// The thread was switched in.
    Entered { cpu: u32 },
    /// The next event does not fit: the thread came back unseen, at `away_ns` at the earliest.
    Broken { away_ns: i64 },
    /// The thread's lifetime, or the trace, ended.
    Ended { is_open: bool },
}

impl Schedule {
    /// Returns a tracker without threads.
    pub fn new(recorded: Recorded) -> Self {
        Self {
            live: Vec::new(),
            free: Vec::new(),
            cpus: Vec::new(),
            loss: LossWindows::default(),
            occupancy: Occupancy::new(),
            recorded,
            now_ns: i64::MIN,
            held_total: 0,
            faults: Faults::default(),
        }
    }

    /// Returns what the recording holds.
    pub fn recorded(&self) -> Recorded {
        self.recorded
    }

    /// Adds a thread that is alive from now on.
    pub fn add(&mut self, mut live: Live) -> Slot {
        if live.activity == Activity::Off {
            live.mark = self.occupancy.mark(live.cpus, live.since_ns);
        }
        if let Some(slot) = self.free.pop() {
            self.live[slot.index()] = live;
            return slot;
        }
        let slot = Slot(u32::try_from(self.live.len()).unwrap_or(u32::MAX));
        self.live.push(live);
        slot
    }

    /// Returns the thread in `slot`.
    pub fn live(&self, slot: Slot) -> &Live {
        &self.live[slot.index()]
    }

    /// Returns the thread in `slot`.
    pub fn live_mut(&mut self, slot: Slot) -> &mut Live {
        &mut self.live[slot.index()]
    }

    /// Returns whether any events have been lost or contradictory so far.
    pub fn has_loss(&self) -> bool {
        !self.loss.is_empty()
    }

    /// Returns the set of these CPUs, one bit each; `None` at the limit, or if it is empty.
    pub fn cpu_set(&mut self, words: &[u64]) -> Option<CpuSetId> {
        self.occupancy.set_of(words, self.now_ns)
    }

    /// Returns the CPUs of a set, one bit each; none means all.
    pub fn cpu_words(&self, set: CpuSetId) -> &[u64] {
        self.occupancy.words(set)
    }

    /// Returns how many sets of CPUs were refused.
    pub fn refused_cpu_sets(&self) -> u64 {
        self.occupancy.refused
    }

    /// Sets a lower bound for the number of CPUs.
    pub fn tell_cpus(&mut self, count: u32) {
        self.occupancy.tell_cpus(count, self.now_ns);
    }

    /// Binds the thread in `slot` to these CPUs from `ns` on, or since before the trace.
    pub fn bind(&mut self, slot: Slot, ns: Option<i64>, cpus: CpuSetId) {
        let live = self.live_mut(slot);
        live.cpus = cpus;
        // A thread ready since this very moment was just created.
        let now = ns.filter(|&ns| live.mark.is_some_and(|mark| mark.at_ns == ns));
        if let Some(ns) = now {
            self.live_mut(slot).mark = self.occupancy.mark(cpus, ns);
        }
    }

    /// Returns whether `cpu` is followed.
    pub fn follows(&self, cpu: u32) -> bool {
        cpu < MAX_CPUS
    }

    /// Returns the thread that runs on `cpu`, as far as known.
    pub fn runner(&self, cpu: u32) -> Option<Slot> {
        self.cpus.get(index(cpu))?.runner
    }

    /// Notes that a thread was seen on a CPU; returns `false` if it is not known which thread runs
    /// there.
    pub fn confirm(&mut self, at: At, tid: u32) -> bool {
        let Some(runner) = self.runner(at.cpu) else {
            return false;
        };
        if self.live(runner).os_tid == tid {
            let cpu = self.cpu(at.cpu);
            cpu.evidence_ns = cpu.evidence_ns.max(at.ns);
        }
        true
    }

    /// Returns the idle thread of `cpu`.
    pub fn idle(&self, cpu: u32) -> Option<Slot> {
        self.cpus.get(index(cpu))?.idle
    }

    /// Makes `slot` the idle thread of `cpu`.
    pub fn set_idle(&mut self, cpu: u32, slot: Slot) {
        self.live_mut(slot).is_idle = true;
        self.cpu(cpu).idle = Some(slot);
    }

    /// Returns whether `cpu` has not switched yet: the first thread to leave it was there all the
    /// time.
    pub fn is_untouched(&self, cpu: u32) -> bool {
        self.cpus
            .get(index(cpu))
            .is_none_or(|cpu| !cpu.has_switched)
    }

    /// Notes the time of an event, on `cpu` if the source says where.
    pub fn tick(&mut self, ns: i64, cpu: Option<u32>) {
        self.now_ns = self.now_ns.max(ns);
        if let Some(cpu) = cpu.filter(|&cpu| cpu < MAX_CPUS) {
            let cpu = self.cpu(cpu);
            cpu.last_ns = cpu.last_ns.max(ns);
        }
    }

    /// Returns whether an event at `ns` is older than what is known about the thread.
    pub fn is_late(&self, ns: i64, slot: Slot) -> bool {
        ns < self.live(slot).known_ns()
    }

    /// Returns whether a switch at `at` is older than what is known about its CPU.
    pub fn is_late_switch(&self, at: At) -> bool {
        let cpu = self.cpus.get(index(at.cpu));
        cpu.is_some_and(|cpu| cpu.runner.is_some() && at.ns < cpu.evidence_ns)
    }

    /// Leaves out an event that came too late: from its time until now, nothing is certain.
    pub fn skip(&mut self, ns: i64, cpu: Option<u32>, out: &mut Output<'_>) {
        self.faults.late += 1;
        self.faults.late_ns.get_or_insert(ns);
        let now = self.now_ns;
        self.lose(cpu.unwrap_or(NONE), Some(ns), now, out);
    }

    /// Takes the thread in `slot` off the CPU. Returns whether it is dead now.
    pub fn leave(&mut self, at: At, slot: Slot, off: Off, out: &mut Output<'_>) -> bool {
        let is_first = self.is_untouched(at.cpu) && self.loss.is_empty();
        let cpu = self.cpu(at.cpu);
        cpu.has_switched = true;
        let runner = cpu.runner;
        if let Some(other) = runner.filter(|&runner| runner != slot) {
            self.contradict(at.ns);
            self.left_unseen(other, at.ns, out);
        }
        match self.live(slot).activity {
            Activity::Running if runner == Some(slot) => self.ran(slot, at, &off, out),
            Activity::Fresh if is_first => self.ran(slot, at, &off, out),
            _ if self.is_away(slot) => {
                if runner.is_none() {
                    self.contradict(at.ns);
                }
                // While another thread is known to have been there, this one was not.
                let away_ns = self.cpu(at.cpu).evidence_ns;
                self.close(slot, at.ns, Close::Broken { away_ns }, out);
            }
            _ => self.give_up(slot, at.ns, out),
        }
        let mark = self.occupancy.mark(self.live(slot).cpus, at.ns);
        let thread = self.live(slot).thread;
        let cpu = self.cpu(at.cpu);
        cpu.left = (runner == Some(slot)).then_some(Left {
            thread,
            from_ns: cpu.entered_ns,
            to_ns: at.ns,
            is_over: !off.is_runnable(),
        });
        cpu.runner = None;
        let mut off = off;
        out.sites.leave(&mut off);
        let live = self.live_mut(slot);
        live.cpu = at.cpu;
        live.activity = Activity::Off;
        live.off = off;
        live.mark = mark;
        live.queued_ns = None;
        let is_recent = |wake: &Wake| at.ns.saturating_sub(wake.at_ns) <= EARLY_NS;
        let early = live.early.take().filter(is_recent);
        if let Some(early) = early.filter(|_| !off.is_runnable()) {
            live.off.wake = Some(early);
            live.off.is_early = true;
        }
        live.take_early_half();
        off.reason == WaitReason::Exited
    }

    /// Puts the thread in `slot` on the CPU, with the stack it had left with, if that is reported
    /// now.
    pub fn enter(&mut self, at: At, slot: Slot, stack: StackWord, out: &mut Output<'_>) {
        let recorded = self.recorded;
        let entered = Close::Entered { cpu: at.cpu };
        let is_sure = recorded.all_wake_ups
            && recorded.whole_machine
            && self
                .loss
                .first_in(self.live(slot).since_ns, at.ns)
                .is_none();
        let live = self.live_mut(slot);
        if live.off.stack.is_none() {
            live.off.stack = stack;
        }
        match live.activity {
            Activity::Off => self.close(slot, at.ns, entered, out),
            Activity::Fresh if live.off.reason != WaitReason::Unknown => {
                self.close(slot, at.ns, entered, out);
            }
            Activity::Fresh if is_sure => {
                live.off.wake = Some(Wake::unseen(live.since_ns));
                self.close(slot, at.ns, entered, out);
            }
            Activity::Running => {
                self.contradict(at.ns);
                self.give_up(slot, at.ns, out);
            }
            Activity::Fresh | Activity::Lost => self.give_up(slot, at.ns, out),
        }
        self.run(at, slot);
        self.cpu(at.cpu).saw_entry = true;
    }

    /// Makes the thread in `slot` runnable.
    pub fn wake(&mut self, slot: Slot, wake: Wake, out: &mut Output<'_>) {
        let now = wake.at_ns;
        let mark = self.occupancy.mark(self.live(slot).cpus, now);
        let live = self.live_mut(slot);
        let wake = live.with_early_waker(wake);
        match live.activity {
            Activity::Off if live.off.is_runnable() => {
                if live.off.reason == WaitReason::New {
                    live.off.wake.get_or_insert(wake);
                }
            }
            Activity::Off if live.off.wake.is_none() || live.off.is_early => {
                live.off.wake = Some(wake);
                live.off.is_early = false;
                live.mark = mark;
            }
            Activity::Off => {}
            Activity::Running => live.early = Some(wake),
            Activity::Fresh => {
                live.activity = Activity::Off;
                live.off.wake = Some(wake);
                live.mark = mark;
            }
            Activity::Lost => {
                self.give_up(slot, now, out);
                let live = self.live_mut(slot);
                live.activity = Activity::Off;
                live.off = Off::because(WaitReason::Unknown);
                live.off.wake = Some(wake);
                live.off.flags = StateFlags::AFTER_LOSS;
                live.mark = mark;
            }
        }
    }

    /// Notes that the thread in `slot`, which was woken before, is on a CPU's queue now.
    pub fn queue(&mut self, slot: Slot, ns: i64) {
        if self.live(slot).activity == Activity::Off {
            self.occupancy.reach(ns);
            self.live_mut(slot).queued_ns = Some(ns);
        }
    }

    /// Notes that the thread in `slot` was certainly on the CPU at that time.
    ///
    /// This adds information only if it is not known which thread runs there: a switch is always
    /// more reliable.
    pub fn observe(&mut self, at: At, slot: Slot, out: &mut Output<'_>) {
        let is_first = self.is_untouched(at.cpu) && self.loss.is_empty();
        let cpu = self.cpu(at.cpu);
        if cpu.runner == Some(slot) {
            cpu.evidence_ns = cpu.evidence_ns.max(at.ns);
            return;
        }
        let activity = self.live(slot).activity;
        if self.cpu(at.cpu).runner.is_some()
            || activity == Activity::Running
            || self.is_late(at.ns, slot)
        {
            return;
        }
        if activity == Activity::Fresh && is_first {
            let live = self.live_mut(slot);
            (live.activity, live.cpu) = (Activity::Running, at.cpu);
            let cpu = self.cpu(at.cpu);
            (cpu.runner, cpu.evidence_ns) = (Some(slot), at.ns);
            (cpu.entered_ns, cpu.saw_entry) = (at.ns, false);
            self.note_use(at.cpu, at.ns);
            return;
        }
        self.give_up(slot, at.ns, out);
        self.run(at, slot);
    }

    /// Notes that events were lost on `cpu` ([`NONE`]: on any) up to `to_ns`, since its last event
    /// or `from_ns`.
    pub fn lose(&mut self, cpu: u32, from_ns: Option<i64>, to_ns: i64, out: &mut Output<'_>) {
        if cpu != NONE && cpu < MAX_CPUS {
            self.cpu(cpu);
        }
        let numbers = if cpu == NONE {
            0..self.cpus.len()
        } else {
            index(cpu)..(index(cpu) + 1).min(self.cpus.len())
        };
        let mut first = to_ns.min(from_ns.unwrap_or(to_ns));
        for number in numbers {
            let here = &mut self.cpus[number];
            here.has_switched = true;
            let from = from_ns.unwrap_or(here.last_ns).min(to_ns);
            here.evidence_ns = from;
            first = first.min(from);
            if let Some(runner) = here.runner {
                self.break_running(runner, out);
            }
            let number = u32::try_from(number).unwrap_or(NONE);
            self.occupancy.change(number, to_ns, Use::Unknown);
        }
        self.loss.add(first, to_ns);
    }

    fn cpu(&mut self, cpu: u32) -> &mut Cpu {
        let index = index(cpu.min(MAX_CPUS));
        if index >= self.cpus.len() {
            self.cpus.resize_with(index + 1, Cpu::default);
        }
        &mut self.cpus[index]
    }

    fn run(&mut self, at: At, slot: Slot) {
        let live = self.live_mut(slot);
        live.activity = Activity::Running;
        live.since_ns = live.since_ns.max(at.ns);
        live.cpu = at.cpu;
        live.is_open_start = false;
        live.early = None;
        let cpu = self.cpu(at.cpu);
        cpu.has_switched = true;
        cpu.runner = Some(slot);
        (cpu.entered_ns, cpu.saw_entry) = (at.ns, false);
        cpu.evidence_ns = at.ns;
        self.note_use(at.cpu, at.ns);
    }

    /// Notes that the current thread of a CPU has been running since `ns`.
    pub fn note_use(&mut self, cpu: u32, ns: i64) {
        let now = match self.runner(cpu) {
            None => Use::Unknown,
            Some(slot) if self.live(slot).is_idle => Use::Idle,
            Some(_) => Use::Busy,
        };
        self.occupancy.change(cpu, ns, now);
    }

    fn contradict(&mut self, ns: i64) {
        // Without switches nothing else shows when a thread leaves.
        if !self.recorded.switches {
            return;
        }
        self.faults.broken += 1;
        self.faults.broken_ns.get_or_insert(ns);
    }
}

fn index(cpu: u32) -> usize {
    usize::try_from(cpu).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
