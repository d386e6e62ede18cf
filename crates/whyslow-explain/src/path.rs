//! The path of the wall time: which thread of the command mattered when, and what it did.
//!
//! ```text
//! main    ████──────── waits for its child ────────██        the path, from the end backwards:
//! child       ███░░░███──── waits for a disk ────███         main ██, child ███, the disk, child
//!                └ ready: no CPU free                        ███, ready ░░░, child ███, main ████
//! ```
//!
//! Every moment of the wall time belongs to exactly one step, so the parts add up to it. How the
//! path is found: [`walk`](crate::walk).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use whyslow_model::{ProcessId, StackId, ThreadId, ThreadState};
use whyslow_query::facts::Facts;
use whyslow_query::interval::ReadyTime;
use whyslow_query::own_stacks::OwnStacks;
use whyslow_query::wait::{ClassId, EndId, Rules};

use crate::place::Place;
use whyslow_query::spans::Spans;

/// Shorter intervals come with every wake-up, and explain nothing by themselves.
pub(crate) const SHORT_NS: i64 = 1_000_000;

/// How many waits of a group are kept for their typical length.
pub(crate) const MOST_LENGTHS: usize = 4096;

/// Where the wall time went.
#[derive(Debug, Default)]
pub(crate) struct Path {
    /// What the path did, latest first.
    pub(crate) steps: Vec<Step>,
    /// The waits, by class and place in the program, longest first.
    pub(crate) waits: Vec<WaitGroup>,
    /// Waits of one thread of the command for another one, which the path followed.
    pub(crate) links: Vec<Link>,
    /// Threads that blocked each other.
    pub(crate) deadlocks: Vec<Deadlock>,
    /// Threads that queued for locks, on the path or not; longest first.
    pub(crate) queues: Vec<Queue>,
    /// Threads that waited for room in a pipe until they were ended.
    pub(crate) stuck: Vec<Stuck>,
    /// Processes outside the command that ended a wait in it, with when each did so first.
    pub(crate) first_woken_ns: BTreeMap<ProcessId, i64>,
    /// CPU time of all threads of the command.
    pub(crate) all_cpu_ns: i64,
    /// The system's ids of the command's threads that ran at all.
    pub(crate) tids: BTreeSet<i32>,
    /// Whether the command has too many intervals to be followed.
    pub(crate) too_many: bool,
    /// Time of the path's waits without a user stack.
    pub(crate) no_user_half_ns: i64,
    /// How many of the command's waits have their own stack.
    pub(crate) own_stacks: OwnStacks,
    /// What the command's threads did all in all, on the path or not.
    pub(crate) times: BTreeMap<ThreadId, Times>,
}

/// What a thread did all in all.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Times {
    pub(crate) running_ns: i64,
    pub(crate) ready_ns: i64,
    pub(crate) waiting_ns: i64,
    pub(crate) waits: i64,
    /// Part of the waiting time: that in calls whose purpose is to wait.
    pub(crate) waiting_calls_ns: i64,
}

impl Times {
    /// Adds an interval.
    pub(crate) fn add(&mut self, state: ThreadState, ns: i64) {
        match state {
            ThreadState::Running => self.running_ns += ns,
            ThreadState::Ready => self.ready_ns += ns,
            _ => {
                self.waiting_ns += ns;
                self.waits += 1;
            }
        }
    }
}

/// A piece of the path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) from_ns: i64,
    pub(crate) to_ns: i64,
    /// The thread the path is on.
    pub(crate) thread: Option<ThreadId>,
    pub(crate) what: What,
    /// What kept it from running, where it was ready and that is known.
    pub(crate) ready: ReadyTime,
    /// Who ended the wait, if it is one for others that ended here and a thread did.
    pub(crate) waker: Option<ThreadId>,
}

impl Step {
    pub(crate) fn ns(&self) -> i64 {
        self.to_ns - self.from_ns
    }
}

/// What the path's thread did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// It was on a CPU.
    Cpu,
    /// It was ready, without a CPU.
    Ready,
    /// It waited for something outside the command: which of [`Path::waits`].
    Wait(usize),
    /// Nothing says what.
    Unknown,
}

/// What a wait was for, and how long it was to last at most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WaitTarget {
    /// The number of the object, where it is known.
    pub(crate) object: Option<i32>,
    pub(crate) timeout_ns: Option<i64>,
}

/// Waits for one thing at one place in the program.
#[derive(Debug, Clone)]
pub(crate) struct WaitGroup {
    pub(crate) class: ClassId,
    /// Name of the process the waiting thread is of.
    pub(crate) process: Arc<str>,
    /// Where in the program.
    pub(crate) place: Arc<Place>,
    /// What ended them.
    pub(crate) end: EndId,
    /// Where the path is one of several processes that have nothing to do with each other: the one that
    /// waited, and the one that ended the waits, if one did.
    pub(crate) between: Option<(ProcessId, Option<ProcessId>)>,
    pub(crate) ns: i64,
    pub(crate) count: i64,
    /// How long whole waits took, of the first [`MOST_LENGTHS`].
    pub(crate) lengths_ns: Vec<i64>,
    /// Who ended them, if a thread did, with the time.
    pub(crate) wakers: BTreeMap<ThreadId, i64>,
    /// The stacks they are of, with the time.
    pub(crate) stacks: BTreeMap<StackId, i64>,
    /// What they were for, with the time and their number.
    pub(crate) targets: BTreeMap<WaitTarget, (i64, i64)>,
}

impl WaitGroup {
    /// Returns who ended most of the time waited: of the process that did, the thread that ended most
    /// of it. A server may have a thread for each client.
    pub(crate) fn main_waker(&self, facts: &Facts) -> Option<ThreadId> {
        let process = |id: ThreadId| facts.thread(id).map(|row| row.process);
        let mut processes: BTreeMap<_, (i64, (i64, ThreadId))> = BTreeMap::new();
        for (&id, &ns) in &self.wakers {
            let known = processes.entry(process(id)).or_insert((0, (0, id)));
            known.0 += ns;
            known.1 = known.1.max((ns, id));
        }
        let most = processes.into_values().max_by_key(|(ns, _)| *ns);
        most.filter(|(ns, _)| ns * 2 > self.ns)
            .map(|(_, (_, id))| id)
    }

    /// Returns whether they were sleeps: also of a runtime or an event loop that waits for its next timer.
    pub(crate) fn is_sleep(&self, rules: &Rules) -> bool {
        let class = Some(self.class);
        let end = rules.end(self.end).name.as_str();
        let by_time = matches!(end, "timeout" | "timer");
        let of_runtime = ["goroutines", "loop"].map(|name| rules.find(name));
        class == rules.find("sleep") || by_time && of_runtime.contains(&class)
    }

    /// Returns the stack most of the time was waited on.
    pub(crate) fn main_stack(&self) -> Option<StackId> {
        let most = self.stacks.iter().max_by_key(|(_, ns)| **ns);
        most.map(|(&id, _)| id)
    }
}

/// Two threads of a process that waited for locks while nobody in the process could go on.
#[derive(Debug, Clone)]
pub(crate) struct Deadlock {
    /// The threads, and where each waited.
    pub(crate) sides: [(ThreadId, Arc<Place>); 2],
    /// A stack of the first one's waits.
    pub(crate) stack: Option<StackId>,
    /// What ended the waits.
    pub(crate) end: EndId,
    /// When both waited.
    pub(crate) when: Vec<(i64, i64)>,
}

/// Waits of threads of a process for a lock, at one place.
#[derive(Debug, Clone)]
pub(crate) struct Queue {
    pub(crate) class: ClassId,
    /// Where they waited.
    pub(crate) place: Arc<Place>,
    /// The stack of the longest wait.
    pub(crate) stack: Option<StackId>,
    pub(crate) count: i64,
    /// When at least one thread waited.
    pub(crate) when: Spans,
    /// For how long of that at least two did.
    pub(crate) together_ns: i64,
    pub(crate) waiters: BTreeSet<ThreadId>,
    /// Who held the lock meanwhile, and for how long.
    pub(crate) holders: BTreeMap<ThreadId, i64>,
    /// Where the holders let go of it, with the time that they had held it.
    pub(crate) releases: BTreeMap<Arc<Place>, i64>,
    /// CPU time of the whole command meanwhile.
    pub(crate) cpu_ns: i64,
    /// What the holders did meanwhile: on a CPU, ready, waiting by class and place.
    pub(crate) held_cpu_ns: i64,
    pub(crate) held_ready_ns: i64,
    pub(crate) held_waits: BTreeMap<(ClassId, Arc<Place>), i64>,
}

impl Queue {
    /// Returns for how long threads held the lock that waited for it at other times.
    pub(crate) fn held_in_turn_ns(&self) -> i64 {
        let holders = self.holders.iter();
        let in_turn = holders.filter(|(id, _)| self.waiters.contains(id));
        in_turn.map(|(_, ns)| ns).sum()
    }
}

/// A wait for room in a pipe that never came.
#[derive(Debug, Clone)]
pub(crate) struct Stuck {
    pub(crate) thread: ThreadId,
    /// Where it waited.
    pub(crate) place: Arc<Place>,
    pub(crate) stack: Option<StackId>,
    /// What ended the wait.
    pub(crate) end: EndId,
    pub(crate) when: (i64, i64),
}

/// Waits of one thread for another thread of the command.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) waiter: ThreadId,
    pub(crate) waker: ThreadId,
    pub(crate) class: ClassId,
    pub(crate) place: Arc<Place>,
    /// A stack of the waits.
    pub(crate) stack: Option<StackId>,
    /// Whether no program ended the waits, and the other thread was just busy meanwhile.
    pub(crate) beside: bool,
    pub(crate) ns: i64,
    pub(crate) count: i64,
    /// When the thread waited.
    pub(crate) when: Vec<(i64, i64)>,
    /// What the other thread did meanwhile: on a CPU, ready, waiting by class and place.
    pub(crate) meanwhile_cpu_ns: i64,
    pub(crate) meanwhile_ready_ns: i64,
    /// Part of the ready time: that in which others had the CPUs, or a quota was used up.
    pub(crate) meanwhile_competing_ns: i64,
    pub(crate) meanwhile_waits: BTreeMap<(ClassId, Arc<Place>), i64>,
}

impl Path {
    /// Returns how long the path did this.
    pub(crate) fn ns(&self, of: impl Fn(&Step) -> bool) -> i64 {
        let steps = self.steps.iter().filter(|step| of(step));
        steps.map(Step::ns).sum()
    }

    /// Returns when the path did this.
    pub(crate) fn when(&self, of: impl Fn(&Step) -> bool) -> Spans {
        let steps = self.steps.iter().filter(|step| of(step));
        Spans::new(steps.map(|step| (step.from_ns, step.to_ns)))
    }

    /// Returns how long the path was on a CPU.
    pub(crate) fn cpu_ns(&self) -> i64 {
        self.ns(|step| step.what == What::Cpu)
    }

    /// Returns how long it was ready, without a CPU.
    pub(crate) fn ready_ns(&self) -> i64 {
        self.ns(|step| step.what == What::Ready)
    }

    /// Returns what the ready time was, as far as that is known.
    pub(crate) fn ready_time(&self) -> ReadyTime {
        let all = self.steps.iter().map(|step| step.ready);
        all.fold(ReadyTime::default(), ReadyTime::and)
    }

    /// Returns how long it was ready while every CPU that it may use ran another thread.
    pub(crate) fn competing_ns(&self) -> i64 {
        self.ready_time().competing_ns
    }

    /// Returns how long it was ready while its waker, or others, still had the CPU that it got,
    /// although they were about to wait or another CPU was idle.
    pub(crate) fn hand_over_ns(&self) -> i64 {
        self.ready_time().hand_over_ns
    }

    /// Returns how long it was ready while a CPU was idle: how long waking up took.
    pub(crate) fn waking_ns(&self) -> i64 {
        self.ready_time().waking_ns
    }

    /// Returns how long it was ready, but its CPU time was used up.
    pub(crate) fn throttled_ns(&self) -> i64 {
        self.ready_time().throttled_ns
    }

    /// Returns how long it was ready, and nothing says why.
    pub(crate) fn unexplained_ready_ns(&self) -> i64 {
        self.ready_ns() - self.ready_time().explained_ns()
    }

    /// Returns how long it waited for something outside the command.
    pub(crate) fn wait_ns(&self) -> i64 {
        self.waits.iter().map(|group| group.ns).sum()
    }

    /// Returns how long nothing says what it did.
    pub(crate) fn unknown_ns(&self) -> i64 {
        self.ns(|step| step.what == What::Unknown)
    }
}
