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
use whyslow_query::interval::{Interval, ReadyTime};
use whyslow_query::own_stacks::OwnStacks;
use whyslow_query::wait::{ClassId, EndId, Rules};

use crate::crowd::{Crowd, KeptOut};
use crate::place::Place;
use whyslow_query::spans::Spans;

/// Shorter intervals come with every wake-up, and explain nothing by themselves.
pub const SHORT_NS: i64 = 1_000_000;

/// How many waits of a group are kept for their typical length.
pub const MOST_LENGTHS: usize = 4096;

/// Where the wall time went.
#[derive(Debug, Default)]
pub struct Path {
    /// What the path did, latest first.
    pub steps: Vec<Step>,
    /// The waits, by class and place in the program, longest first.
    pub waits: Vec<WaitGroup>,
    /// Waits of one thread of the command for another one, which the path followed.
    pub links: Vec<Link>,
    /// Threads that blocked each other.
    pub deadlocks: Vec<Deadlock>,
    /// Threads that queued for locks, on the path or not; longest first.
    pub queues: Vec<Queue>,
    /// Goroutines that queued for locks while the path computed; longest first.
    pub kept_out: Vec<KeptOut>,
    /// Where goroutines waited for the garbage collector.
    pub collections: Vec<Collection>,
    /// Threads that waited for room in a pipe until they were ended.
    pub stuck: Vec<Stuck>,
    /// Processes outside the command that ended a wait in it, with when each did so first and last.
    pub woken_ns: BTreeMap<ProcessId, (i64, i64)>,
    /// Processes outside the command that sent it something it waited for, with how often.
    pub partners: BTreeMap<ProcessId, i64>,
    /// Threads of processes that slept and asked whether a child still ran, with how often each slept.
    pub asking: BTreeMap<ThreadId, i64>,
    /// CPU time of all threads of the command.
    pub all_cpu_ns: i64,
    /// Of that: how long the recorder's own programs ran; `None` where that was not measured.
    pub recorder_ns: Option<i64>,
    /// The system's ids of the command's threads that ran at all.
    pub tids: BTreeSet<i32>,
    /// Whether the command has too many intervals to be followed.
    pub too_many: bool,
    /// Whether it is that of other processes, in the time in which the command waited for them.
    pub is_of_others: bool,
    /// Time of the path's waits without a user stack.
    pub no_user_half_ns: i64,
    /// How many of the command's waits have their own stack.
    pub own_stacks: OwnStacks,
    /// The total times of the command's threads, on the path or not.
    pub times: BTreeMap<ThreadId, Times>,
    /// How often a thread waited for messages until another one of the command ended it, on the path or not: by the
    /// thread that waited, and the one that ended it.
    pub messages: BTreeMap<(ThreadId, ThreadId), i64>,
    /// The semaphores that each thread waited for, where they are known; one more than [`MOST_SEMAPHORES`] at most.
    pub semaphores: BTreeMap<ThreadId, BTreeSet<i32>>,
}

/// The total times of a thread.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Time on a CPU, nanoseconds.
    pub running_ns: i64,
    /// Time ready without a CPU, nanoseconds.
    pub ready_ns: i64,
    /// Time waited, nanoseconds.
    pub waiting_ns: i64,
    /// How many waits.
    pub waits: i64,
    /// Part of the waiting time: that in calls whose purpose is to wait.
    pub waiting_calls_ns: i64,
    /// Another part of it: that for pipes, sockets and terminals in other calls, such as `read`.
    pub waiting_streams_ns: i64,
}

impl Times {
    /// Adds what kind of call a wait was in.
    pub(crate) fn add_wait(&mut self, ns: i64, is_to_wait: bool, is_stream: impl FnOnce() -> bool) {
        if is_to_wait {
            self.waiting_calls_ns += ns;
        } else if is_stream() {
            self.waiting_streams_ns += ns;
        }
    }

    /// Adds an interval.
    pub fn add(&mut self, state: ThreadState, ns: i64) {
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
pub struct Step {
    /// When it began, nanoseconds since the trace's start.
    pub from_ns: i64,
    /// When it ended.
    pub to_ns: i64,
    /// The thread the path is on.
    pub thread: Option<ThreadId>,
    /// What the path did.
    pub what: What,
    /// What kept it from running, where it was ready and that is known.
    pub ready: ReadyTime,
    /// Who ended the wait, if it is one for others that ended here and a thread did.
    pub waker: Option<ThreadId>,
}

impl Step {
    /// Returns how long it took, nanoseconds.
    pub fn ns(&self) -> i64 {
        self.to_ns - self.from_ns
    }
}

/// What the path's thread did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// It was on a CPU.
    Cpu,
    /// It was ready, without a CPU.
    Ready,
    /// It waited for something outside the command: which of [`Path::waits`].
    Wait(usize),
    /// Not known.
    Unknown,
}

/// What a wait was for, and its maximum length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WaitTarget {
    /// The number of the object, where it is known.
    pub object: Option<i32>,
    /// The maximum length of the wait, nanoseconds, if recorded.
    pub timeout_ns: Option<i64>,
}

/// Waits for one thing at one place in the program.
#[derive(Debug, Clone)]
pub struct WaitGroup {
    /// What was waited for.
    pub class: ClassId,
    /// Name of the waiting thread's process.
    pub process: Arc<str>,
    /// Where in the program.
    pub place: Arc<Place>,
    /// What ended them.
    pub end: EndId,
    /// If the path consists of several unrelated processes: the one that waited, and the one that ended
    /// the waits, if one did.
    pub between: Option<(ProcessId, Option<ProcessId>)>,
    /// Time waited, nanoseconds.
    pub ns: i64,
    /// How many waits.
    pub count: i64,
    /// How long whole waits took, of the first [`MOST_LENGTHS`].
    pub lengths_ns: Vec<i64>,
    /// Who ended them, if a thread did, with the time.
    pub wakers: BTreeMap<ThreadId, i64>,
    /// Their stacks, with the time.
    pub stacks: BTreeMap<StackId, i64>,
    /// What they were for, with the time and their number.
    pub targets: BTreeMap<WaitTarget, (i64, i64)>,
    /// Part of the time: that for timers after which the thread sent what another one waited for.
    pub answering_ns: i64,
    /// Waits of a Go program: what its goroutines did, where that was recorded.
    pub crowd: Option<Crowd>,
}

impl WaitGroup {
    /// Returns which thread ended most of the waiting time: of the process that did, the thread that
    /// ended most of it. A server may have a thread for each client, or a copy of itself.
    pub fn main_waker(&self, facts: &Facts) -> Option<ThreadId> {
        let process = |id: ThreadId| {
            let process = facts.thread(id)?.process;
            let row = facts.process(process)?;
            let began = row.parent.filter(|_| row.start_ns.is_some());
            let parent = began.and_then(|parent| facts.process(parent));
            let original = parent.filter(|parent| parent.name == row.name);
            Some(original.map_or(process, |parent| parent.id))
        };
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

    /// Returns whether they were sleeps, including those of a runtime or an event loop that waits for its
    /// next timer.
    pub fn is_sleep(&self, rules: &Rules) -> bool {
        let class = Some(self.class);
        let end = rules.end(self.end).name.as_str();
        let by_time = matches!(end, "timeout" | "timer");
        let of_runtime = ["goroutines", "loop"].map(|name| rules.find(name));
        class == rules.find("sleep") || by_time && of_runtime.contains(&class)
    }

    /// Returns the stack with most of the waiting time.
    pub fn main_stack(&self) -> Option<StackId> {
        let most = self.stacks.iter().max_by_key(|(_, ns)| **ns);
        most.map(|(&id, _)| id)
    }
}

/// Two threads of a process that waited for locks while no thread of the process could continue.
#[derive(Debug, Clone)]
pub struct Deadlock {
    /// The threads, and where each waited.
    pub sides: [(ThreadId, Arc<Place>); 2],
    /// A stack of the first one's waits.
    pub stack: Option<StackId>,
    /// What ended the waits.
    pub end: EndId,
    /// When both waited.
    pub when: Vec<(i64, i64)>,
}

/// Waits of threads of a process for a lock, at one place.
#[derive(Debug, Clone)]
pub struct Queue {
    /// What was waited for.
    pub class: ClassId,
    /// Where they waited.
    pub place: Arc<Place>,
    /// The stack of the longest wait.
    pub stack: Option<StackId>,
    /// How many waits.
    pub count: i64,
    /// When at least one thread waited.
    pub when: Spans,
    /// For how long of that at least two did.
    pub together_ns: i64,
    /// Who waited.
    pub waiters: BTreeSet<ThreadId>,
    /// How many of the waits were ended together with another one by the same thread, as the last thread at a
    /// barrier does.
    pub woken_at_once: i64,
    /// Who held the lock meanwhile, and for how long.
    pub holders: BTreeMap<ThreadId, i64>,
    /// Where the holders released it, with the time that they had held it.
    pub releases: BTreeMap<Arc<Place>, i64>,
    /// CPU time of the whole command meanwhile.
    pub cpu_ns: i64,
    /// Time that the holders spent on a CPU meanwhile, nanoseconds.
    pub held_cpu_ns: i64,
    /// Time that the holder was ready without a CPU meanwhile, nanoseconds.
    pub held_ready_ns: i64,
    /// What the holder waited for meanwhile, and where, nanoseconds.
    pub held_waits: BTreeMap<(ClassId, Arc<Place>), i64>,
}

impl Queue {
    /// Returns how long the lock was held by threads that waited for it at other times.
    pub fn held_in_turn_ns(&self) -> i64 {
        let holders = self.holders.iter();
        let in_turn = holders.filter(|(id, _)| self.waiters.contains(id));
        in_turn.map(|(_, ns)| ns).sum()
    }
}

/// Waits of goroutines for the garbage collector, at one place.
#[derive(Debug, Clone)]
pub struct Collection {
    /// Where they waited.
    pub place: Arc<Place>,
    /// Whether the program asked for the collection; else it had to take part in one to get memory.
    pub is_asked: bool,
    /// When at least one waited.
    pub when: Spans,
}

/// A wait for room in a pipe that never came.
#[derive(Debug, Clone)]
pub struct Stuck {
    /// Who did it.
    pub thread: ThreadId,
    /// Where it waited.
    pub place: Arc<Place>,
    /// Where in the program.
    pub stack: Option<StackId>,
    /// What ended the wait.
    pub end: EndId,
    /// From when to when, nanoseconds since the trace's start.
    pub when: (i64, i64),
}

/// Waits of one thread for another thread of the command.
#[derive(Debug, Clone)]
pub struct Link {
    /// Who waited.
    pub waiter: ThreadId,
    /// Who ended it.
    pub waker: ThreadId,
    /// What was waited for.
    pub class: ClassId,
    /// Where in the program.
    pub place: Arc<Place>,
    /// A stack of the waits.
    pub stack: Option<StackId>,
    /// Whether no program ended the waits, and the other thread was merely busy meanwhile.
    pub beside: bool,
    /// Time waited, nanoseconds.
    pub ns: i64,
    /// How many waits.
    pub count: i64,
    /// When the thread waited.
    pub when: Vec<(i64, i64)>,
    /// Time that the other thread spent on a CPU meanwhile, nanoseconds.
    pub meanwhile_cpu_ns: i64,
    /// Time that the other thread was ready without a CPU meanwhile, nanoseconds.
    pub meanwhile_ready_ns: i64,
    /// Part of the ready time: that in which others had the CPUs, or a quota was used up.
    pub meanwhile_competing_ns: i64,
    /// What the other thread waited for meanwhile, and where, nanoseconds.
    pub meanwhile_waits: BTreeMap<(ClassId, Arc<Place>), i64>,
}

/// Of a thread that waited for more semaphores, they are not known.
pub const MOST_SEMAPHORES: usize = 4;

impl Path {
    /// Adds the CPU time of an interval in which a thread of the command ran.
    pub(crate) fn ran(&mut self, interval: &Interval) {
        self.all_cpu_ns += interval.cpu_ns;
        let sums = [self.recorder_ns, interval.recorder_ns].into_iter();
        self.recorder_ns = sums.flatten().reduce(i64::saturating_add);
    }

    /// Keeps which semaphore a thread waited for.
    pub(crate) fn wanted_semaphore(&mut self, wait: &Interval) {
        if let Some(object) = wait.object {
            let known = self.semaphores.entry(wait.thread).or_default();
            // One more shows that there were too many.
            if known.len() <= MOST_SEMAPHORES {
                known.insert(object);
            }
        }
    }

    /// Returns how long the path did this.
    pub fn ns(&self, of: impl Fn(&Step) -> bool) -> i64 {
        let steps = self.steps.iter().filter(|step| of(step));
        steps.map(Step::ns).sum()
    }

    /// Returns when the path did this.
    pub fn when(&self, of: impl Fn(&Step) -> bool) -> Spans {
        let steps = self.steps.iter().filter(|step| of(step));
        Spans::new(steps.map(|step| (step.from_ns, step.to_ns)))
    }

    /// Returns how long the path was on a CPU.
    pub fn cpu_ns(&self) -> i64 {
        self.ns(|step| step.what == What::Cpu)
    }

    /// Returns how long it was ready, without a CPU.
    pub fn ready_ns(&self) -> i64 {
        self.ns(|step| step.what == What::Ready)
    }

    /// Returns how the ready time divides, as far as that is known.
    pub fn ready_time(&self) -> ReadyTime {
        let all = self.steps.iter().map(|step| step.ready);
        all.fold(ReadyTime::default(), ReadyTime::and)
    }

    /// Returns how long it was ready while every CPU that it may use ran another thread.
    pub fn competing_ns(&self) -> i64 {
        self.ready_time().competing_ns
    }

    /// Returns how long it was ready while its waker, or others, still had the CPU that it got,
    /// although they were about to wait or another CPU was idle.
    pub fn hand_over_ns(&self) -> i64 {
        self.ready_time().hand_over_ns
    }

    /// Returns how long it was ready while a CPU was idle: how long waking up took.
    pub fn waking_ns(&self) -> i64 {
        self.ready_time().waking_ns
    }

    /// Returns how long it was ready, but its CPU time was used up.
    pub fn throttled_ns(&self) -> i64 {
        self.ready_time().throttled_ns
    }

    /// Returns how long it was ready for an unknown reason.
    pub fn unexplained_ready_ns(&self) -> i64 {
        self.ready_ns() - self.ready_time().explained_ns()
    }

    /// Returns how long it waited for something outside the command.
    pub fn wait_ns(&self) -> i64 {
        self.waits.iter().map(|group| group.ns).sum()
    }

    /// Returns how long it is not known what it did.
    pub fn unknown_ns(&self) -> i64 {
        self.ns(|step| step.what == What::Unknown)
    }
}
