//! A neutral stream that makes everything hard at once, of any length.
//!
//! * Eight CPUs, whose events come in blocks: out of order by more than a block.
//! * Process ids from a small range, used again and again; forks without exec, execs, exits.
//! * Stacks named by keys that are defined hundreds of uses later and then recycled.
//! * User halves of waits that come after the thread is back on a CPU; many never come.
//! * Occasional losses.
//! * Mappings of every process, including dead ones, after the last event.
//!
//! The machine behind it is simulated, so the events make sense in the order of their times.

#![allow(dead_code, reason = "the test and the example use their parts")]

use std::collections::VecDeque;

use whyslow_import::{
    Event, EventKind, HalfRef, Importer, Mapping, Module, ModuleId, ModuleKind, NodeId, Root,
    Sample, StackRef, Switch, UserHalf, UserTarget, Waker, Waking,
};
use whyslow_model::WaitReason;

const CPUS: u32 = 8;
const PIDS: u32 = 6000;
const FIRST_PID: u32 = 1000;
/// Events of all CPUs that are emitted CPU by CPU.
const BLOCK: usize = 4096;
const KEYS: u64 = 512;
/// Number of different stacks that one key may mean.
const VARIANTS: u64 = 4;
/// Uses of keys between two definitions of any key.
const USES_PER_DEFINITION: u64 = 16;
const KERNEL_BASE: u64 = 0xffff_ffff_8100_0000;
const PROGRAM_BASE: u64 = 0x40_0000;

/// Things the stream refers to, registered with an importer beforehand.
#[derive(Debug, Clone)]
pub(crate) struct World {
    kernel: Vec<NodeId>,
    user: Vec<NodeId>,
    modules: Vec<ModuleId>,
    kernel_module: ModuleId,
}

impl World {
    /// Registers stacks and modules.
    pub(crate) fn new(importer: &mut Importer<'_>) -> Option<Self> {
        let mut random = Random(1);
        let mut half = |importer: &mut Importer<'_>, root, base: u64, branching: u64| {
            let mut frames: Vec<u64> = Vec::new();
            for depth in 0..8 + random.below(16) {
                frames.push(base + (depth << 12) + random.below(branching) * 16);
            }
            frames.reverse();
            importer.stack_node(root, &frames)
        };
        let mut kernel = Vec::new();
        let mut user = Vec::new();
        for _ in 0..KEYS * VARIANTS {
            kernel.push(half(importer, Root::Kernel, KERNEL_BASE, 3)?);
            user.push(half(importer, Root::UserComplete, PROGRAM_BASE, 3)?);
        }
        let mut modules = Vec::new();
        for number in 0..4 {
            let path = importer.text(&format!("/usr/bin/program{number}"))?;
            modules.push(importer.module(Module::new(path, ModuleKind::Elf))?);
        }
        let path = importer.text("[kernel.kallsyms]")?;
        let kernel_module = importer.module(Module::new(path, ModuleKind::Kernel))?;
        Some(Self {
            kernel,
            user,
            modules,
            kernel_module,
        })
    }
}

/// The simulated machine.
#[derive(Debug)]
pub(crate) struct Adversary {
    world: World,
    random: Random,
    now: i64,
    left: u64,
    running: [u32; CPUS as usize],
    ready: VecDeque<u32>,
    waiting: Vec<u32>,
    out_ns: Vec<i64>,
    is_used: Vec<bool>,
    block: Vec<Event>,
    /// Processes by birth: pid and time.
    births: Vec<(u32, i64)>,
    uses: u64,
    mapped: usize,
}

impl Adversary {
    /// Returns an idle machine that will make this many events, not counting mappings.
    pub(crate) fn new(world: World, events: u64) -> Self {
        let slots = usize::try_from(PIDS).unwrap_or(0);
        Self {
            world,
            random: Random(42),
            now: 1_000_000,
            left: events,
            running: [0; CPUS as usize],
            ready: VecDeque::new(),
            waiting: Vec::new(),
            out_ns: vec![0; slots],
            is_used: vec![false; slots],
            block: Vec::new(),
            births: Vec::new(),
            uses: 0,
            mapped: 0,
        }
    }

    /// Returns how many processes were born so far.
    pub(crate) fn processes(&self) -> usize {
        self.births.len()
    }

    /// Fills `batch` with the next events, in file order; leaves it empty at the end.
    pub(crate) fn next(&mut self, batch: &mut Vec<Event>) {
        batch.clear();
        if self.left == 0 {
            self.next_mappings(batch);
            return;
        }
        while self.block.len() < BLOCK && self.left > 0 {
            let before = self.block.len();
            self.step();
            let made = u64::try_from(self.block.len() - before).unwrap_or(0);
            self.left = self.left.saturating_sub(made);
        }
        for cpu in 0..CPUS {
            batch.extend(self.block.iter().filter(|event| event.cpu == Some(cpu)));
        }
        self.block.clear();
    }

    fn step(&mut self) {
        self.now += i64::try_from(self.random.below(400)).unwrap_or(0);
        let cpu = u32::try_from(self.random.below(u64::from(CPUS))).unwrap_or(0);
        let running = self.running[cpu as usize];
        match self.random.below(1000) {
            0..=449 => self.switch(cpu, running),
            450..=849 => self.wake(cpu, running),
            850..=989 => {
                let stack = self.stack(running != 0);
                let (pid, tid) = (Some(running), Some(running));
                let sample = Sample {
                    pid,
                    tid,
                    weight_ns: 1_000_000,
                    stack,
                    priority: None,
                };
                self.give(cpu, EventKind::Sample(sample));
            }
            990..=997 => self.late_half(cpu, running),
            998 if self.random.below(40) == 0 => {
                self.give(
                    cpu,
                    EventKind::Lost {
                        count: 3,
                        since_ns: None,
                    },
                );
            }
            998 => {}
            _ if self.random.below(2) == 0 => {}
            _ => self.birth(cpu, running),
        }
        if self.uses > USES_PER_DEFINITION {
            self.uses = 0;
            let key = self.random.below(KEYS * 2);
            let pool = if key < KEYS {
                &self.world.kernel
            } else {
                &self.world.user
            };
            let at = key % KEYS * VARIANTS + self.random.below(VARIANTS);
            let half = HalfRef::of(pool.get(usize::try_from(at).unwrap_or(0)).copied());
            self.give(cpu, EventKind::StackDefinition { key, half });
        }
    }

    fn switch(&mut self, cpu: u32, out_tid: u32) {
        let in_tid = self.ready.pop_front().unwrap_or(0);
        if in_tid == out_tid {
            return;
        }
        let is_dying = out_tid != 0 && self.random.below(200) == 0;
        if is_dying {
            self.give(
                cpu,
                EventKind::Exit {
                    pid: out_tid,
                    tid: out_tid,
                },
            );
        }
        let reason = match self.random.below(4) {
            _ if is_dying => WaitReason::Exited,
            0 => WaitReason::Preempted,
            1 => WaitReason::Uninterruptible,
            _ => WaitReason::Interruptible,
        };
        let mut out_stack = self.stack(false);
        if reason == WaitReason::Preempted {
            out_stack = StackRef::NONE;
        }
        let switch = Switch {
            out_tid,
            out_pid: (out_tid != 0).then_some(out_tid),
            reason,
            reason_raw: 1,
            priority: Some(120),
            is_idle_class: false,
            out_stack,
            in_tid,
            in_pid: None,
            in_stack: StackRef::NONE,
            out_site: whyslow_import::Site::default(),
            out_accounted_ns: None,
            out_recorder_ns: None,
            in_waker_site: whyslow_import::Site::default(),
        };
        self.give(cpu, EventKind::Switch(switch));
        self.running[cpu as usize] = in_tid;
        if out_tid == 0 {
            return;
        }
        match (reason, self.place(out_tid)) {
            (WaitReason::Exited, place) => self.is_used[place] = false,
            (WaitReason::Preempted, _) => self.ready.push_back(out_tid),
            (_, place) => {
                self.out_ns[place] = self.now;
                self.waiting.push(out_tid);
            }
        }
    }

    fn wake(&mut self, cpu: u32, running: u32) {
        if self.waiting.is_empty() {
            return;
        }
        let at = self
            .random
            .below(u64::try_from(self.waiting.len()).unwrap_or(1));
        let target_tid = self.waiting.swap_remove(usize::try_from(at).unwrap_or(0));
        let stack = self.stack(false);
        let waker = match running {
            0 => Waker::Interrupt,
            tid => Waker::Thread { tid },
        };
        self.give(
            cpu,
            EventKind::Waking(Waking {
                target_tid,
                waker,
                stack,
                site: whyslow_import::Site::default(),
            }),
        );
        self.ready.push_back(target_tid);
    }

    fn late_half(&mut self, cpu: u32, tid: u32) {
        if tid == 0 {
            return;
        }
        let from_ns = Some(self.out_ns[self.place(tid)]);
        let is_sampled = self.random.below(2) == 0;
        let target = UserTarget::Wait {
            from_ns,
            is_sampled,
            is_killed: false,
        };
        let few = self.world.user.get(..4).unwrap_or(&self.world.user);
        let half = HalfRef::Node(*self.random.pick(few));
        self.give(cpu, EventKind::UserHalf(UserHalf { tid, target, half }));
    }

    fn birth(&mut self, cpu: u32, parent: u32) {
        let pid = FIRST_PID + u32::try_from(self.random.below(u64::from(PIDS))).unwrap_or(0);
        let place = self.place(pid);
        if self.is_used[place] {
            // The process becomes another program instead.
            if parent != 0 {
                self.births.push((parent, self.now));
                self.give(
                    cpu,
                    EventKind::Exec {
                        pid: parent,
                        old_tid: None,
                        name: None,
                    },
                );
            }
            return;
        }
        self.is_used[place] = true;
        self.births.push((pid, self.now));
        let parent_pid = if parent == 0 { 1 } else { parent };
        let tid = pid;
        self.give(
            cpu,
            EventKind::Fork {
                parent_pid,
                pid,
                tid,
            },
        );
        self.ready.push_back(pid);
    }

    /// Reports the mappings of every process, after all other events.
    fn next_mappings(&mut self, batch: &mut Vec<Event>) {
        let kind_at = |base: u64, pid: Option<u32>, module, from_ns| Mapping {
            pid,
            module,
            base,
            size_bytes: 0x100_0000,
            file_offset: 0,
            from_ns,
            to_ns: None,
            function: None,
        };
        let mut push = |mapping| {
            let kind = EventKind::Mapping(mapping);
            batch.push(Event {
                time_ns: None,
                cpu: None,
                kind,
            });
        };
        if self.mapped == 0 {
            push(kind_at(KERNEL_BASE, None, self.world.kernel_module, None));
        }
        for (number, &(pid, ns)) in self.births.iter().enumerate().skip(self.mapped).take(BLOCK) {
            let module = self.world.modules[number % self.world.modules.len()];
            push(kind_at(PROGRAM_BASE, Some(pid), module, Some(ns)));
        }
        self.mapped = (self.mapped + BLOCK).min(self.births.len().max(1));
        if self.mapped >= self.births.len() {
            // The next call finds nothing left.
            self.births.truncate(0);
        }
    }

    fn stack(&mut self, is_user: bool) -> StackRef {
        self.uses += 1;
        let key = self.random.below(KEYS);
        let kernel = HalfRef::Key(key);
        let user = if is_user {
            HalfRef::Key(KEYS + key)
        } else {
            HalfRef::Absent
        };
        StackRef { kernel, user }
    }

    fn place(&self, pid: u32) -> usize {
        usize::try_from(pid - FIRST_PID).unwrap_or(0)
    }

    fn give(&mut self, cpu: u32, kind: EventKind) {
        self.block.push(Event {
            time_ns: Some(self.now),
            cpu: Some(cpu),
            kind,
        });
    }
}

/// A repeatable sequence of random numbers.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u64::try_from((u128::from(self.0) * u128::from(end)) >> 64).unwrap_or(0)
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let at = self.below(u64::try_from(all.len()).unwrap_or(1));
        &all[usize::try_from(at).unwrap_or(0)]
    }
}
