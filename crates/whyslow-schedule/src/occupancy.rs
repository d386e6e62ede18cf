//! Which CPUs ran something, and what therefore kept a ready thread from running.
//!
//! ```text
//!               wake                                in
//! a thread       ├──────────── ready ───────────────┤
//! the CPU it got ██ others ██│  idle  │██ others ███│
//! another one    ██████ others ██████████│   idle   │
//!                ├ competing ┤ waking ├─ hand-over ─┤      (█ while both: competing)
//! ```
//!
//! * *Competing*: every CPU that the thread may use ran another thread.
//! * *Hand-over*: the CPU that it got was in use, although another one that it may use was idle; or
//!   its waker was on that CPU and kept it until the waker slept.
//! * *Waking*: a CPU that it may use was idle, and so was the one that it got.
//! * The rest is *unexplained*: what one of the CPUs did is not known, and none was idle.
//!
//! Competing and hand-over together are the time that the kernel counts as run-queue delay, except
//! for the time between being put on an idle CPU's queue and the switch. A thread that is woken for
//! another CPU is put on that CPU's queue once that CPU has taken the interrupt. If that time is
//! known, the time before it is waking, whatever the CPUs ran.
//!
//! For every set of CPUs that threads are bound to, two sums grow with time: how long all of them
//! were busy, and how long at least one was idle. A ready thread keeps the sums of the moment when
//! it became ready. So a switch costs a step per set that the CPU is in, and a wake-up costs one.

use crate::cpu_set::CpuSetId;
use std::collections::HashMap;

use super::MAX_CPUS;

/// Maximum number of sets of more than one CPU; ready time of threads bound to other sets is not
/// split.
const MOST_SETS: usize = 64;

/// Number of changes between idle and busy that are kept per CPU and set. If a thread was ready for
/// more of them, hand-over counts as waking, and the time before it was on a queue is included.
const MOST_PAST: usize = 8;

/// What a CPU does, or what a set of CPUs does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Use {
    /// Not known; for a set: none is known to be idle, and at least one is unknown.
    #[default]
    Unknown,
    /// It runs nothing; for a set: at least one runs nothing.
    Idle,
    /// It runs a thread; for a set: every one does.
    Busy,
}

/// How a thread's ready time is split; the rest is unexplained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Split {
    pub competing_ns: i64,
    pub hand_over_ns: i64,
    pub waking_ns: i64,
}

/// The sums when a thread became ready.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    pub at_ns: i64,
    set: CpuSetId,
    total: Total,
}

/// The sets of CPUs, and what they do.
#[derive(Debug)]
pub(crate) struct Occupancy {
    cpus: Vec<Cpu>,
    sets: Vec<CpuSet>,
    by_words: HashMap<Vec<u64>, CpuSetId>,
    large: usize,
    /// When something last changed or was counted.
    latest_ns: i64,
    /// How often a set was refused because of the limit.
    pub refused: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Total {
    busy_ns: i64,
    idle_ns: i64,
}

/// A use, since when, and the sums until then.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    now: Use,
    since_ns: i64,
    total: Total,
}

/// A tally and those before it.
#[derive(Debug, Default)]
struct History {
    tally: Tally,
    past: [Tally; MOST_PAST],
    /// Number of entries ever added to `past`.
    changes: usize,
}

#[derive(Debug, Default)]
struct Cpu {
    history: History,
    sets: Vec<CpuSetId>,
}

#[derive(Debug, Default)]
struct CpuSet {
    /// One bit per CPU; empty means all.
    words: Vec<u64>,
    cpus: u32,
    idle: u32,
    unknown: u32,
    history: History,
}

impl Tally {
    fn total(&self, ns: i64) -> Total {
        let more = ns.saturating_sub(self.since_ns).max(0);
        let mut total = self.total;
        match self.now {
            Use::Unknown => {}
            Use::Idle => total.idle_ns = total.idle_ns.saturating_add(more),
            Use::Busy => total.busy_ns = total.busy_ns.saturating_add(more),
        }
        total
    }

    fn change(&mut self, ns: i64, now: Use) {
        self.total = self.total(ns);
        self.since_ns = self.since_ns.max(ns);
        self.now = now;
    }
}

impl Total {
    fn since(self, earlier: Self) -> Self {
        Self {
            busy_ns: self.busy_ns.saturating_sub(earlier.busy_ns),
            idle_ns: self.idle_ns.saturating_sub(earlier.idle_ns),
        }
    }
}

impl History {
    fn now(&self) -> Use {
        self.tally.now
    }

    /// Returns the sums at a time, or `None` if that is too long ago.
    fn total_at(&self, ns: i64) -> Option<Total> {
        if self.tally.since_ns <= ns {
            return Some(self.tally.total(ns));
        }
        let kept = self.changes.min(MOST_PAST);
        let past = (1..=kept).map(|back| &self.past[(self.changes - back) % MOST_PAST]);
        let mut then = past.skip_while(|tally| tally.since_ns > ns);
        then.next().map(|tally| tally.total(ns))
    }

    fn change(&mut self, ns: i64, now: Use) {
        self.past[self.changes % MOST_PAST] = self.tally;
        self.changes += 1;
        self.tally.change(ns, now);
    }
}

impl CpuSet {
    fn holds(&self, cpu: usize) -> bool {
        let word = self.words.get(cpu / 64);
        self.words.is_empty() || word.is_some_and(|word| word >> (cpu % 64) & 1 == 1)
    }

    fn count(&mut self, of: Use, change: impl Fn(u32) -> u32) {
        match of {
            Use::Unknown => self.unknown = change(self.unknown),
            Use::Idle => self.idle = change(self.idle),
            Use::Busy => {}
        }
    }

    fn refresh(&mut self, ns: i64) {
        let now = match (self.idle, self.unknown, self.cpus) {
            (0, 0, 1..) => Use::Busy,
            (0, _, _) => Use::Unknown,
            _ => Use::Idle,
        };
        if now != self.history.now() {
            self.history.change(ns, now);
        }
    }
}

impl Occupancy {
    /// Returns an occupancy without known CPUs, with only the set of all CPUs.
    pub(crate) fn new() -> Self {
        Self {
            cpus: Vec::new(),
            sets: vec![CpuSet::default()],
            by_words: HashMap::new(),
            large: 0,
            latest_ns: i64::MIN,
            refused: 0,
        }
    }

    /// Returns the set of these CPUs, one bit each, or `None` at the limit.
    pub(crate) fn set_of(&mut self, words: &[u64], ns: i64) -> Option<CpuSetId> {
        let most = usize::try_from(MAX_CPUS / 64).unwrap_or(usize::MAX);
        let words = words.get(..most).unwrap_or(words);
        let last = words.iter().rposition(|&word| word != 0);
        let words = words.get(..=last?)?;
        if let Some(&known) = self.by_words.get(words) {
            return Some(known);
        }
        let is_large = words.iter().map(|word| word.count_ones()).sum::<u32>() > 1;
        if is_large && self.large >= MOST_SETS {
            self.refused += 1;
            return None;
        }
        self.large += usize::from(is_large);
        let id = CpuSetId::numbered(u32::try_from(self.sets.len()).ok()?);
        let ns = ns.max(self.latest_ns);
        let mut set = CpuSet {
            words: words.to_vec(),
            ..CpuSet::default()
        };
        for (number, cpu) in self.cpus.iter_mut().enumerate() {
            if set.holds(number) {
                cpu.sets.push(id);
                set.cpus += 1;
                set.count(cpu.history.now(), |count| count + 1);
            }
        }
        set.refresh(ns);
        self.sets.push(set);
        self.by_words.insert(words.to_vec(), id);
        Some(id)
    }

    /// Returns the CPUs of a set, one bit each; none means all.
    pub(crate) fn words(&self, set: CpuSetId) -> &[u64] {
        self.sets.get(set.index()).map_or(&[], |set| &set.words)
    }

    /// Sets a lower bound for the number of CPUs.
    pub(crate) fn tell_cpus(&mut self, count: u32, ns: i64) {
        let ns = ns.max(self.latest_ns);
        let count = usize::try_from(count.min(MAX_CPUS)).unwrap_or(usize::MAX);
        while self.cpus.len() < count {
            let number = self.cpus.len();
            let mut cpu = Cpu::default();
            for (id, set) in (0..).map(CpuSetId::numbered).zip(&mut self.sets) {
                if set.holds(number) {
                    cpu.sets.push(id);
                    set.cpus += 1;
                    set.unknown += 1;
                    set.refresh(ns);
                }
            }
            self.cpus.push(cpu);
        }
    }

    /// Notes that a CPU does something else from now on.
    pub(crate) fn change(&mut self, cpu: u32, ns: i64, now: Use) {
        // A late event does not change what has already been counted.
        let ns = ns.max(self.latest_ns);
        self.latest_ns = ns;
        let index = usize::try_from(cpu).unwrap_or(usize::MAX);
        if index >= self.cpus.len() {
            self.tell_cpus(cpu.saturating_add(1), ns);
        }
        let Some(cpu) = self
            .cpus
            .get_mut(index)
            .filter(|cpu| cpu.history.now() != now)
        else {
            return;
        };
        let before = cpu.history.now();
        cpu.history.change(ns, now);
        for id in &cpu.sets {
            let set = &mut self.sets[id.index()];
            set.count(before, |count| count.saturating_sub(1));
            set.count(now, |count| count + 1);
            set.refresh(ns);
        }
    }

    /// Returns the sums for a thread that becomes ready now and may use these CPUs; `None` if that
    /// is in the past.
    pub(crate) fn mark(&mut self, set: CpuSetId, ns: i64) -> Option<Mark> {
        let known = self.sets.get(set.index())?;
        if ns < self.latest_ns {
            return None;
        }
        self.latest_ns = ns;
        Some(Mark {
            at_ns: ns,
            set,
            total: known.history.tally.total(ns),
        })
    }

    /// Fixes the sums up to this moment, which will be needed: nothing before it changes any more.
    pub(crate) fn reach(&mut self, ns: i64) {
        self.latest_ns = self.latest_ns.max(ns);
    }

    /// Moves a mark to when the thread was put on a queue, if what the CPUs have done since then is
    /// still remembered.
    pub(crate) fn queued(&self, mark: &Mark, ns: i64) -> Mark {
        let known = self.sets.get(mark.set.index());
        let total = known.and_then(|set| set.history.total_at(ns));
        total.map_or(*mark, |total| Mark {
            at_ns: ns,
            total,
            ..*mark
        })
    }

    /// Returns how the time since `mark` is split for a thread that may use the CPUs of `set` and
    /// gets `cpu` now, or none. `None` if this does not match the set it was known to be bound to,
    /// or is in the past.
    pub(crate) fn split(
        &self,
        mark: &Mark,
        ns: i64,
        set: CpuSetId,
        cpu: Option<u32>,
    ) -> Option<Split> {
        let known = self.sets.get(set.index()).filter(|_| set == mark.set)?;
        if ns < mark.at_ns || ns < self.latest_ns {
            return None;
        }
        let all = known.history.tally.total(ns).since(mark.total);
        let mut split = Split {
            competing_ns: all.busy_ns,
            hand_over_ns: 0,
            waking_ns: all.idle_ns,
        };
        let Some(cpu) = cpu else {
            return Some(split);
        };
        let index = usize::try_from(cpu).unwrap_or(usize::MAX);
        let cpu = self.cpus.get(index).filter(|_| known.holds(index))?;
        if let Some(before) = cpu.history.total_at(mark.at_ns) {
            let own = cpu.history.tally.total(ns).since(before);
            // Where it is not known what the CPU did, it counts as idle.
            let length = ns.saturating_sub(mark.at_ns);
            let not_busy = length.saturating_sub(own.busy_ns);
            split.hand_over_ns = all.idle_ns.saturating_sub(not_busy).max(0);
            split.waking_ns = all.idle_ns.saturating_sub(split.hand_over_ns);
        }
        Some(split)
    }
}
