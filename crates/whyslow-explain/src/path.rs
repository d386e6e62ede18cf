//! The path of the wall time: which thread of the command mattered when, and what it did.
//!
//! ```text
//! main    ████──────── waits for its child ────────██        the path, from the end backwards:
//! child       ███░░░███──── waits for a disk ────███         main ██, child ███, the disk, child
//!                └ ready: no CPU free                        ███, ready ░░░, child ███, main ████
//! ```
//!
//! At the end of the command the path is on its main thread. Where that thread waited and a
//! thread of the command ended the wait, the path goes on with that one, down to where the wait
//! began: what it did meanwhile explains the wait. Where an interrupt or a stranger ended it, the
//! wait itself is the explanation; but where a wait for others was ended by no program (a time limit,
//! or the kernel passing on what a program wrote), the path goes on with the thread of the command
//! that was busy meanwhile, if one was.
//! Every moment of the wall time belongs to exactly one step, so the parts add up to it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use whyslow_model::{ProcessId, StackId, ThreadId, ThreadState};

use crate::command::Command;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::rows::{self, Waker};
use whyslow_query::selection::View;
use whyslow_query::stacks::Stacks;
use whyslow_query::wait::{ClassId, Classes};

/// The most intervals of the command that are kept (40 bytes each).
const MOST_INTERVALS: usize = 4 << 20;

/// The most steps the path may take.
const MOST_STEPS: usize = 8 << 20;

/// Shorter intervals come with every wake-up, and explain nothing by themselves.
const SHORT_NS: i64 = 1_000_000;

/// The most looks at threads in search of whom was busy meanwhile.
const MOST_LOOKS: usize = 64 << 20;

/// Where the wall time went.
#[derive(Debug, Default)]
pub(crate) struct Path {
    /// On a CPU.
    pub(crate) cpu_ns: i64,
    /// Ready, without a CPU.
    pub(crate) ready_ns: i64,
    /// Waiting for something outside the command.
    pub(crate) wait_ns: i64,
    /// Nothing says what.
    pub(crate) unknown_ns: i64,
    /// The waits, by class and place in the program.
    pub(crate) waits: Vec<WaitGroup>,
    /// Waits of one thread of the command for another one, which the path followed.
    pub(crate) links: Vec<Link>,
    /// How long the path was with each thread, by id.
    pub(crate) by_thread: BTreeMap<ThreadId, i64>,
    /// When the path was on a CPU: thread id, from, to; latest first.
    pub(crate) running: Vec<(ThreadId, i64, i64)>,
    /// When the path was ready: from, to; latest first.
    pub(crate) ready: Vec<(i64, i64)>,
    /// CPU time of all threads of the command.
    pub(crate) all_cpu_ns: i64,
    /// The system's ids of the command's threads that ran at all.
    pub(crate) tids: BTreeSet<i32>,
    /// Whether the command has too many intervals to be followed.
    pub(crate) too_many: bool,
    /// Share of the path's waiting without a user stack, in nanoseconds.
    pub(crate) no_user_half_ns: i64,
}

/// Waits for one thing at one place in the program.
#[derive(Debug, Clone)]
pub(crate) struct WaitGroup {
    pub(crate) class: ClassId,
    /// Name of the process the waiting thread is of.
    pub(crate) process: Arc<str>,
    /// Functions of the program from the root on, or the system call; see `Stacks::place`.
    pub(crate) place: Arc<str>,
    pub(crate) ns: i64,
    pub(crate) count: i64,
    /// Who ended them, if a thread did, with the time.
    pub(crate) wakers: BTreeMap<ThreadId, i64>,
}

impl WaitGroup {
    /// Returns the thread that ended most of the time waited.
    pub(crate) fn main_waker(&self) -> Option<ThreadId> {
        let most = self.wakers.iter().max_by_key(|(_, ns)| **ns);
        most.filter(|(_, ns)| **ns * 2 > self.ns).map(|(&id, _)| id)
    }
}

/// Waits of one thread for another thread of the command.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) waiter: ThreadId,
    pub(crate) waker: ThreadId,
    pub(crate) class: ClassId,
    pub(crate) place: Arc<str>,
    /// Whether no program ended the waits, and the other thread was just busy meanwhile.
    pub(crate) beside: bool,
    pub(crate) ns: i64,
    pub(crate) count: i64,
    /// What the other thread did meanwhile: on a CPU, ready, waiting by class and place.
    pub(crate) meanwhile_cpu_ns: i64,
    pub(crate) meanwhile_ready_ns: i64,
    pub(crate) meanwhile_waits: BTreeMap<(ClassId, Arc<str>), i64>,
}

/// An interval, packed.
#[derive(Debug, Clone, Copy)]
struct Piece {
    start_ns: i64,
    end_ns: i64,
    stack: Option<StackId>,
    waker: Waker,
    state: ThreadState,
    class: ClassId,
}

/// Where in the program a stack is, and whether it has a user half.
#[derive(Debug, Clone)]
struct Place {
    place: Arc<str>,
    whole: bool,
}

impl Path {
    /// Returns whether most of the ready time is in intervals longer than a wake-up takes.
    pub(crate) fn long_ready(&self) -> bool {
        let lengths = self.ready.iter().map(|(from, to)| to - from);
        let long: i64 = lengths.filter(|ns| *ns >= SHORT_NS).sum();
        long * 2 >= self.ready_ns
    }
}

/// Returns whether a thread is of a program, not of the kernel.
pub(crate) fn is_program(facts: &Facts, thread: ThreadId) -> bool {
    let process = facts
        .thread(thread)
        .and_then(|row| facts.process(row.process));
    process.is_some_and(|process| process.is_kernel == 0 && process.os_pid != 0)
}

/// Follows the path of `command`.
pub(crate) fn follow(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    stacks: &Stacks,
    classes: &Classes<'_>,
) -> Result<Path, QueryError> {
    let mut threads: Vec<Vec<Piece>> = vec![Vec::new(); facts.threads.len()];
    let mut path = Path::default();
    let mut kept = 0;
    rows::intervals(view, &command.scope(), |interval| {
        if interval.state == ThreadState::Running {
            path.all_cpu_ns += interval.ns();
        }
        if kept == MOST_INTERVALS {
            path.too_many = true;
            return;
        }
        if let Some(pieces) = threads.get_mut(interval.thread.index()) {
            kept += 1;
            pieces.push(Piece {
                start_ns: interval.start_ns,
                end_ns: interval.end_ns,
                stack: interval.stack,
                waker: interval.waker,
                state: interval.state,
                class: classes.of(stacks, interval),
            });
        }
    })?;
    let ran = |pieces: &&Vec<Piece>| pieces.iter().any(|p| p.state == ThreadState::Running);
    let rows = facts.threads.iter().zip(&threads);
    let rows = rows.filter(|(_, pieces)| ran(pieces));
    path.tids = rows.map(|(row, _)| row.os_tid).collect();
    if path.too_many {
        return Ok(path);
    }
    let mut walk = Walk {
        facts,
        command,
        stacks,
        classes,
        threads,
        path,
        groups: BTreeMap::new(),
        links: BTreeMap::new(),
        places: HashMap::new(),
        returns: Vec::new(),
        of_process: threads_of_processes(facts),
        followed: classes.rules.followed(),
        looks: 0,
    };
    walk.run();
    let Walk {
        mut path,
        groups,
        links,
        ..
    } = walk;
    path.waits = groups.into_values().collect();
    path.waits.sort_by_key(|group| std::cmp::Reverse(group.ns));
    path.links = links.into_values().collect();
    path.links.sort_by_key(|link| std::cmp::Reverse(link.ns));
    Ok(path)
}

/// Returns the id of the thread in row `at`.
fn thread_id(at: usize) -> ThreadId {
    ThreadId::from_index(at).unwrap_or(ThreadId(i32::MAX))
}

/// Returns the threads of every process, by id.
fn threads_of_processes(facts: &Facts) -> Vec<Vec<usize>> {
    let mut of_process = vec![Vec::new(); facts.processes.len()];
    for (id, thread) in facts.threads.iter().enumerate() {
        if let Some(list) = of_process.get_mut(thread.process.index()) {
            list.push(id);
        }
    }
    of_process
}

struct Walk<'a> {
    facts: &'a Facts,
    command: &'a Command,
    stacks: &'a Stacks,
    classes: &'a Classes<'a>,
    threads: Vec<Vec<Piece>>,
    path: Path,
    groups: BTreeMap<(ClassId, Arc<str>, Arc<str>), WaitGroup>,
    links: BTreeMap<(ThreadId, ThreadId, bool, ClassId, Arc<str>), Link>,
    places: HashMap<u32, Place>,
    /// Threads of every process, by id.
    of_process: Vec<Vec<usize>>,
    /// Waits the path is explaining: the waiting thread, and when it began to wait.
    returns: Vec<(usize, i64)>,
    /// Per class, whether the thread that ends such a wait is what was waited for.
    followed: Vec<bool>,
    /// Looks at threads so far, in search of whom was busy.
    looks: usize,
}

impl Walk<'_> {
    fn run(&mut self) {
        let mut now = self.command.span_ns.1;
        let Some(mut thread) = self.command.last_thread else {
            self.path.unknown_ns = self.command.wall_ns();
            return;
        };
        for _ in 0..MOST_STEPS {
            if now > self.floor() {
                (thread, now) = self.step(thread, now);
                continue;
            }
            // The wait that led here begins now: before it, the waiting thread mattered.
            match self.returns.pop() {
                Some((waiter, _)) => thread = waiter,
                None => return,
            }
        }
        self.path.unknown_ns += (now - self.command.span_ns.0).max(0);
    }

    /// Returns the time down to which the path stays with whom it went to.
    fn floor(&self) -> i64 {
        let last = self.returns.last();
        last.map_or(self.command.span_ns.0, |&(_, begin)| begin)
    }

    /// Takes one step back from `now` on `thread`; time or, at a wake-up, only the thread changes.
    fn step(&mut self, thread: usize, now: i64) -> (usize, i64) {
        let from = self.floor();
        let Some(piece) = self.before(thread, now) else {
            // The thread was not there yet: go on with whoever started it.
            return match self.origin(thread, now) {
                Some(origin) => (origin, now),
                None => {
                    self.path.unknown_ns += now.saturating_sub(from);
                    (thread, from)
                }
            };
        };
        let start = piece.start_ns.max(from);
        if piece.end_ns < now {
            // Between two images of the process, or after its last row.
            let end = piece.end_ns.max(from);
            self.path.unknown_ns += now - end;
            return (thread, end);
        }
        let ns = now - start;
        let id = thread_id(thread);
        match piece.state {
            ThreadState::Running => {
                self.path.cpu_ns += ns;
                self.path.running.push((id, start, now));
            }
            ThreadState::Ready => {
                self.path.ready_ns += ns;
                self.path.ready.push((start, now));
            }
            ThreadState::Unknown => self.path.unknown_ns += ns,
            ThreadState::Waiting | ThreadState::OffCpu | ThreadState::Stopped => {
                if now == piece.end_ns {
                    let waker = self.waker(thread, &piece, now);
                    let other = waker.or_else(|| self.busy_meanwhile(thread, &piece, start));
                    if let Some(other) = other {
                        self.link((thread, other), waker.is_none(), &piece, start);
                        self.returns.push((thread, start));
                        return (other, now);
                    }
                }
                self.wait(id, &piece, start, now);
            }
        }
        *self.path.by_thread.entry(id).or_default() += ns;
        (thread, start)
    }

    /// Returns the last interval of `thread` that begins before `now`.
    fn before(&self, thread: usize, now: i64) -> Option<Piece> {
        let pieces = self.threads.get(thread)?;
        let after = pieces.partition_point(|piece| piece.start_ns < now);
        let mut before = pieces.get(..after)?.iter().rev();
        before.find(|piece| piece.end_ns > piece.start_ns).copied()
    }

    /// Returns whether `thread` was on a CPU right before `now`.
    fn was_running(&self, thread: usize, now: i64) -> bool {
        let piece = self.before(thread, now);
        piece.is_some_and(|piece| piece.state == ThreadState::Running && piece.end_ns >= now)
    }

    /// Returns the thread of the command that ended a wait and so explains it.
    fn waker(&self, thread: usize, piece: &Piece, now: i64) -> Option<usize> {
        if !self.followed[usize::from(piece.class)] {
            return None;
        }
        let fits = |id: usize| id != thread && self.was_running(id, now);
        match piece.waker {
            Waker::Thread(waker) => {
                let known = self.command.has_thread(waker);
                return Some(waker.index()).filter(|&id| known && fits(id));
            }
            Waker::Interrupt => return None,
            Waker::Unknown => {}
        }
        // Without a recorded wake-up: a wait for a child or a join ends when a thread ends.
        let class = self.classes.rules.class(piece.class).name.as_str();
        if !matches!(class, "child" | "join") {
            return None;
        }
        let ends = (0..self.threads.len()).filter_map(|id| {
            let last = self.threads[id].last()?;
            let ended = self.facts.threads[id].end_ns.is_some();
            let within = last.end_ns > piece.start_ns && last.end_ns <= now;
            (ended && within && id != thread).then_some((last.end_ns, id))
        });
        let (end, id) = ends.max()?;
        (self.was_running(id, end) && end == now).then_some(id)
    }

    /// Returns the thread of the command that was busy for at least half of a wait for others that
    /// no program ended.
    ///
    /// It cannot lead in circles: whoever waits is not busy in its own wait, nor in a part of it.
    fn busy_meanwhile(&mut self, thread: usize, piece: &Piece, start: i64) -> Option<usize> {
        let (end, class) = (piece.end_ns, usize::from(piece.class));
        let by_program = match piece.waker {
            Waker::Thread(waker) => is_program(self.facts, waker),
            Waker::Interrupt | Waker::Unknown => false,
        };
        if by_program || !self.followed[class] || end - start < SHORT_NS {
            return None;
        }
        self.looks = self.looks.saturating_add(self.threads.len());
        if self.looks > MOST_LOOKS {
            return None;
        }
        let others = (0..self.threads.len()).filter(|&id| id != thread);
        let busy = others.map(|id| (self.busy_ns(id, start, end), id));
        let (ns, id) = busy.max()?;
        (ns * 2 >= end - start).then_some(id)
    }

    /// Returns how long `thread` did something between `start` and `end`: ran, wanted to run, or
    /// waited for a thing rather than for others.
    fn busy_ns(&self, thread: usize, start: i64, end: i64) -> i64 {
        let pieces = &self.threads[thread];
        let before = pieces.partition_point(|piece| piece.start_ns < end);
        let within = pieces[..before].iter().rev();
        let within = within.take_while(|piece| piece.end_ns > start);
        let busy = within.filter(|piece| match piece.state {
            ThreadState::Running | ThreadState::Ready => true,
            ThreadState::Waiting => !self.followed[usize::from(piece.class)],
            ThreadState::OffCpu | ThreadState::Stopped | ThreadState::Unknown => false,
        });
        busy.map(|piece| piece.end_ns.min(end) - piece.start_ns.max(start))
            .sum()
    }

    /// Returns the thread that `thread` was before an exec, or that started it.
    fn origin(&self, thread: usize, now: i64) -> Option<usize> {
        let row = self.facts.threads.get(thread)?;
        let process = self.facts.process(row.process)?;
        let threads = |process: ProcessId| {
            let known = self.of_process.get(process.index());
            known.map_or(&[][..], Vec::as_slice).iter().copied()
        };
        let there = |&id: &usize| id != thread && self.before(id, now).is_some();
        let of = |process: ProcessId, tid: Option<i32>| {
            let wanted = |id: &usize| tid.is_none_or(|tid| self.facts.threads[*id].os_tid == tid);
            threads(process).filter(wanted).find(there)
        };
        if let Some(before) = process.predecessor {
            let same = of(before, Some(row.os_tid)).or_else(|| of(before, None));
            if same.is_some() {
                return same;
            }
        }
        // A thread beside the first one was started by one of its own process.
        let first = row.os_tid == process.os_pid;
        let starter = match first {
            true => process.parent?,
            false => row.process,
        };
        let known: Vec<usize> = threads(starter).filter(there).collect();
        let running = known.iter().copied().find(|&id| self.was_running(id, now));
        running.or_else(|| known.first().copied())
    }

    /// Returns where in the program a stack is; every stack is described once.
    fn place(&mut self, stack: Option<StackId>) -> Place {
        let stacks = self.stacks;
        let place = self.places.entry(stacks.tree.node(stack));
        let place = place.or_insert_with(|| Place {
            place: stacks.place(stack).into(),
            whole: stacks.has_user_half(stack),
        });
        place.clone()
    }

    /// Books a wait that is its own explanation.
    fn wait(&mut self, thread: ThreadId, piece: &Piece, start: i64, end: i64) {
        let ns = end - start;
        self.path.wait_ns += ns;
        let Place { place, whole } = self.place(piece.stack);
        if !whole {
            self.path.no_user_half_ns += ns;
        }
        let row = self.facts.thread(thread);
        let process = row.and_then(|row| self.facts.process(row.process));
        let process: Arc<str> = process.map_or("?", |process| process.name.as_str()).into();
        let key = (piece.class, process, place);
        let group = self.groups.entry(key).or_insert_with_key(|key| WaitGroup {
            class: piece.class,
            process: Arc::clone(&key.1),
            place: Arc::clone(&key.2),
            ns: 0,
            count: 0,
            wakers: BTreeMap::new(),
        });
        group.ns += ns;
        group.count += i64::from(start == piece.start_ns);
        if let Waker::Thread(waker) = piece.waker
            && self.followed[usize::from(piece.class)]
        {
            *group.wakers.entry(waker).or_default() += ns;
        }
    }

    /// Books a wait whose explanation is another thread, with what that did meanwhile.
    fn link(&mut self, who: (usize, usize), beside: bool, piece: &Piece, start: i64) {
        let (thread, waker) = who;
        let now = piece.end_ns;
        let place = self.place(piece.stack).place;
        let key = (
            thread_id(thread),
            thread_id(waker),
            beside,
            piece.class,
            place,
        );
        let mut link = self.links.remove(&key).unwrap_or_else(|| Link {
            waiter: key.0,
            waker: key.1,
            class: piece.class,
            place: Arc::clone(&key.4),
            beside,
            ns: 0,
            count: 0,
            meanwhile_cpu_ns: 0,
            meanwhile_ready_ns: 0,
            meanwhile_waits: BTreeMap::new(),
        });
        link.ns += now - start;
        link.count += 1;
        let after = self.threads[waker].partition_point(|piece| piece.start_ns < now);
        for at in (0..after).rev() {
            let other = self.threads[waker][at];
            let ns = other.end_ns.min(now) - other.start_ns.max(start);
            if ns <= 0 {
                break;
            }
            match other.state {
                ThreadState::Running => link.meanwhile_cpu_ns += ns,
                ThreadState::Ready => link.meanwhile_ready_ns += ns,
                ThreadState::Unknown => {}
                ThreadState::Waiting | ThreadState::OffCpu | ThreadState::Stopped => {
                    let key = (other.class, self.place(other.stack).place);
                    *link.meanwhile_waits.entry(key).or_default() += ns;
                }
            }
        }
        self.links.insert(key, link);
    }
}
