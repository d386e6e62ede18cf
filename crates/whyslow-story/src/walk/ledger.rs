//! Books the steps of the path, the waits that explain themselves, and those for other threads.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use whyslow_model::{ProcessId, StackId, ThreadId, ThreadState};
use whyslow_query::facts::Facts;
use whyslow_query::interval::{ReadyTime, Waker};
use whyslow_query::wait::{ClassId, EndId};

use super::deadlocks::Blocked;
use super::threads::{Piece, ReadyTimes, Threads, thread_id};
use crate::code::Code;
use crate::path::{
    Deadlock, Link, MOST_LENGTHS, Path, Queue, Step, Stuck, WaitGroup, WaitTarget, What,
};
use crate::place::Place;

/// What is known of a stack.
#[derive(Debug, Clone)]
struct Known {
    place: Arc<Place>,
    /// Whether it has a user half.
    whole: bool,
}

/// Waiting thread, other thread, whether beside, class, place.
type LinkKey = (ThreadId, ThreadId, bool, ClassId, Arc<Place>);

/// Who waited, and who ended it; see [`WaitGroup::between`].
type Between = Option<(ProcessId, Option<ProcessId>)>;

/// Class, what ended it, name of the process, place, between whom.
type GroupKey = (ClassId, EndId, Arc<str>, Arc<Place>, Between);

/// The path so far.
#[derive(Debug)]
pub(crate) struct Ledger<'a> {
    facts: &'a Facts,
    code: &'a Code<'a>,
    path: Path,
    /// Whether waits of one process stay apart from those of another.
    by_process: bool,
    groups: BTreeMap<GroupKey, usize>,
    links: BTreeMap<LinkKey, Link>,
    places: HashMap<u32, Known>,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(facts: &'a Facts, code: &'a Code<'a>, path: Path) -> Self {
        Self {
            facts,
            code,
            path,
            by_process: false,
            groups: BTreeMap::new(),
            links: BTreeMap::new(),
            places: HashMap::new(),
        }
    }

    /// Keeps the waits of one process apart from those of another, and by who ended them.
    pub(crate) fn keep_processes_apart(&mut self) {
        self.by_process = true;
        self.path.is_of_others = true;
    }

    /// Returns whether there is too much to be followed.
    pub(crate) fn has_too_many(&self) -> bool {
        self.path.too_many
    }

    /// Returns the path with its waits and links, longest first.
    pub(crate) fn close(mut self) -> Path {
        let waits = std::mem::take(&mut self.path.waits);
        let mut order: Vec<usize> = self.groups.into_values().collect();
        order.sort_by_key(|&at| std::cmp::Reverse(waits[at].ns));
        let mut rank = vec![0; waits.len()];
        for (at, &old) in order.iter().enumerate() {
            rank[old] = at;
        }
        for step in &mut self.path.steps {
            if let What::Wait(group) = &mut step.what {
                *group = rank[*group];
            }
        }
        let mut waits: Vec<_> = rank.into_iter().zip(waits).collect();
        waits.sort_by_key(|&(at, _)| at);
        self.path.waits = waits.into_iter().map(|(_, group)| group).collect();
        self.path.links = self.links.into_values().collect();
        self.path
            .links
            .sort_by_key(|link| std::cmp::Reverse(link.ns));
        self.path
    }

    /// Books a stretch of the path.
    pub(crate) fn step(&mut self, thread: Option<ThreadId>, from_ns: i64, to_ns: i64, what: What) {
        if from_ns < to_ns {
            self.path.steps.push(Step {
                from_ns,
                to_ns,
                thread,
                what,
                ready: ReadyTime::default(),
                waker: None,
            });
        }
    }

    /// Books time ready, and what it was.
    pub(crate) fn ready(&mut self, thread: ThreadId, from_ns: i64, to_ns: i64, ready: ReadyTime) {
        if from_ns < to_ns {
            self.path.steps.push(Step {
                from_ns,
                to_ns,
                thread: Some(thread),
                what: What::Ready,
                ready,
                waker: None,
            });
        }
    }

    /// Books threads that blocked each other.
    pub(crate) fn deadlocks(&mut self, found: Vec<Blocked>) {
        let mut by_places = BTreeMap::new();
        for blocked in found {
            // The order does not matter: it is the same two threads.
            let mut sides = blocked.sides;
            sides.sort_by_key(|&(thread, _)| thread);
            let [first, second] = sides;
            let place = |of: &mut Self, (_, piece): (usize, Piece)| of.place(piece.stack).place;
            let places = [place(self, first), place(self, second)];
            let key = (first.0, second.0, first.1.end, places);
            let known = by_places.entry(key);
            let (stack, when) = known.or_insert_with(|| (first.1.stack, Vec::new()));
            *stack = stack.or(first.1.stack);
            when.push(blocked.time);
        }
        let sides = by_places.into_iter();
        let sides = sides.map(
            |((first, second, end, [one, other]), (stack, when))| Deadlock {
                sides: [(thread_id(first), one), (thread_id(second), other)],
                stack,
                end,
                when,
            },
        );
        self.path.deadlocks = sides.collect();
    }

    /// Books threads that waited for room in a pipe until they were ended.
    pub(crate) fn stuck(&mut self, found: Vec<(usize, Piece)>) {
        for (thread, piece) in found {
            let place = self.place(piece.stack).place;
            self.path.stuck.push(Stuck {
                thread: thread_id(thread),
                place,
                stack: piece.stack,
                end: piece.end,
                when: (piece.start_ns, piece.end_ns),
            });
        }
    }

    /// Books threads that queued for locks.
    pub(crate) fn queues(&mut self, found: Vec<Queue>) {
        self.path.queues = found;
    }

    /// Returns where in the program a stack is.
    pub(crate) fn place_of(&mut self, stack: Option<StackId>) -> Arc<Place> {
        self.place(stack).place
    }

    /// Returns where in the program a stack is; every stack is described once.
    fn place(&mut self, stack: Option<StackId>) -> Known {
        let code = self.code;
        let stacks = code.stacks;
        let place = self
            .places
            .entry(stacks.tree.node(stack))
            .or_insert_with(|| Known {
                place: Place::of(code, stack),
                whole: stacks.has_user_half(stack),
            });
        place.clone()
    }

    /// Books a wait that is its own explanation; `by_others` if it matters who ended it.
    pub(crate) fn wait(
        &mut self,
        thread: ThreadId,
        piece: &Piece,
        time: (i64, i64),
        (by_others, target): (bool, WaitTarget),
    ) {
        let (start, end) = time;
        let ns = end - start;
        let Known { place, whole } = self.place(piece.stack);
        if !whole {
            self.path.no_user_half_ns += ns;
        }
        let row = self.facts.thread(thread);
        let process = row.and_then(|row| self.facts.process(row.process));
        let process: Arc<str> = process.map_or("?", |process| process.name.as_str()).into();
        let waker = match piece.waker {
            Waker::Thread(waker) if by_others => Some(waker),
            _ => None,
        };
        let process_of = |id: ThreadId| self.facts.thread(id).map(|row| row.process);
        let between = row.filter(|_| self.by_process);
        let between = between.map(|row| (row.process, waker.and_then(process_of)));
        let (class, ended) = (piece.class, piece.end);
        let name = Arc::clone(&process);
        let key = (class, ended, name, Arc::clone(&place), between);
        let at = *self.groups.entry(key).or_insert_with(|| {
            self.path.waits.push(WaitGroup {
                class: piece.class,
                process,
                place,
                end: ended,
                between,
                ns: 0,
                count: 0,
                lengths_ns: Vec::new(),
                wakers: BTreeMap::new(),
                stacks: BTreeMap::new(),
                targets: BTreeMap::new(),
                answering_ns: 0,
                crowd: None,
            });
            self.path.waits.len() - 1
        });
        let group = &mut self.path.waits[at];
        let (target_ns, count) = group.targets.entry(target).or_default();
        *target_ns += ns;
        *count += i64::from(end == piece.end_ns);
        group.ns += ns;
        group.count += i64::from(end == piece.end_ns);
        let whole = (start, end) == (piece.start_ns, piece.end_ns);
        if whole && group.lengths_ns.len() < MOST_LENGTHS {
            group.lengths_ns.push(ns);
        }
        if let Some(stack) = piece.stack {
            *group.stacks.entry(stack).or_default() += ns;
        }
        if let Some(waker) = waker {
            *group.wakers.entry(waker).or_default() += ns;
        }
        if start < end {
            self.path.steps.push(Step {
                from_ns: start,
                to_ns: end,
                thread: Some(thread),
                what: What::Wait(at),
                ready: ReadyTime::default(),
                waker: waker.filter(|_| end == piece.end_ns),
            });
        }
    }

    /// Books a wait whose explanation is another thread, with what that thread did meanwhile.
    pub(crate) fn link(
        &mut self,
        (threads, ready): (&Threads, &ReadyTimes),
        (waiter, waker): (usize, usize),
        beside: bool,
        piece: &Piece,
        (start, now): (i64, i64),
    ) {
        let place = self.place(piece.stack).place;
        let key = (
            thread_id(waiter),
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
            stack: piece.stack,
            beside,
            ns: 0,
            count: 0,
            when: Vec::new(),
            meanwhile_cpu_ns: 0,
            meanwhile_ready_ns: 0,
            meanwhile_competing_ns: 0,
            meanwhile_waits: BTreeMap::new(),
        });
        link.ns += now - start;
        link.count += 1;
        link.when.push((start, now));
        for other in threads.during(waker, start, now) {
            let ns = other.end_ns.min(now) - other.start_ns.max(start);
            match other.state {
                ThreadState::Running => link.meanwhile_cpu_ns += ns,
                ThreadState::Ready => {
                    let time = ready.at(other.ready).part(ns, other.ns());
                    link.meanwhile_ready_ns += ns;
                    link.meanwhile_competing_ns += time.competing_ns + time.throttled_ns;
                }
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
