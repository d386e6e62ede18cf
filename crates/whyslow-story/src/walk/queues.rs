//! Threads off the path that queued for a lock, or for something else that only a few may have at once: what
//! kept them out, and what its holder did.

use std::collections::BTreeMap;
use std::sync::Arc;

use whyslow_model::{ProcessId, StackId, ThreadId, ThreadState};
use whyslow_query::facts::Facts;
use whyslow_query::interval::{Interval, Waker};
use whyslow_query::wait::{ClassId, EndId, Rules};

use super::ledger::Ledger;
use super::threads::Threads;
use crate::path::{Queue, SHORT_NS};
use crate::place::Place;
use whyslow_query::spans::Spans;

/// The most waits for locks that are kept.
const MOST_WAITS: usize = 1 << 18;

/// How many queues of each kind are examined: those that lasted longest.
const MOST_QUEUES: usize = 3;

/// Waits for locks on files, which processes share.
const FILE_LOCK: &str = "file-lock";

/// Classes of waits for a lock of the program itself, or one that its processes share.
const LOCKS: [&str; 3] = ["lock", "python-lock", FILE_LOCK];

/// Classes of waits that may be for one of a few things that threads share: a connection of a pool, a permit.
const SHARED: [&str; 4] = ["semaphore", "condition", "parking", "channel"];

/// Classes of waits for something that processes can share, too: a thread of another process that ends such a wait
/// released it.
const OF_PROCESSES: [&str; 3] = [FILE_LOCK, "lock", "semaphore"];

/// A wait for a lock that another thread of the same process ended, or another process that had locked the same thing.
#[derive(Debug, Clone, Copy)]
struct LockWait {
    thread: ThreadId,
    time: (i64, i64),
    stack: Option<StackId>,
    holder: ThreadId,
    /// Where the holder released it.
    release: Option<StackId>,
}

/// The waits for locks of all threads of a command.
#[derive(Debug)]
pub(crate) struct LockWaits<'a> {
    facts: &'a Facts,
    locks: [Option<ClassId>; LOCKS.len()],
    shared: [Option<ClassId>; SHARED.len()],
    of_processes: [Option<ClassId>; OF_PROCESSES.len()],
    of_files: Option<ClassId>,
    /// The process whose wait for a process came first, by class: such waits of all processes count as its own.
    first: BTreeMap<ClassId, ProcessId>,
    all: BTreeMap<(ProcessId, ClassId), Vec<LockWait>>,
    count: usize,
}

impl<'a> LockWaits<'a> {
    pub(crate) fn new(facts: &'a Facts, rules: &Rules) -> Self {
        Self {
            facts,
            locks: LOCKS.map(|name| rules.find(name)),
            shared: SHARED.map(|name| rules.find(name)),
            of_processes: OF_PROCESSES.map(|name| rules.find(name)),
            of_files: rules.find(FILE_LOCK),
            first: BTreeMap::new(),
            all: BTreeMap::new(),
            count: 0,
        }
    }

    /// Keeps a wait, if it is one for a lock, and not a short one.
    pub(crate) fn add(
        &mut self,
        interval: &Interval,
        class: ClassId,
        (end, waker): (EndId, Waker),
        rules: &Rules,
    ) {
        let Waker::Thread(holder) = waker else {
            return;
        };
        let is_long = interval.state == ThreadState::Waiting && interval.ns() >= SHORT_NS;
        let given_up = rules.is_cut_short(end) || rules.is_timeout(end);
        let of_holder = self.facts.thread(holder).map(|row| row.process);
        let is_inside = of_holder == Some(interval.process);
        let is_between =
            self.of_files == Some(class) || !is_inside && self.of_processes.contains(&Some(class));
        let is_own = (is_inside || is_between) && holder != interval.thread;
        let is_kept_out = self.locks.contains(&Some(class)) || self.shared.contains(&Some(class));
        if is_long && is_kept_out && is_own && !given_up && self.count < MOST_WAITS {
            self.count += 1;
            let process = match is_between {
                true => *self.first.entry(class).or_insert(interval.process),
                false => interval.process,
            };
            let waits = self.all.entry((process, class)).or_default();
            waits.push(LockWait {
                thread: interval.thread,
                time: (interval.start_ns, interval.end_ns),
                stack: interval.stack,
                holder,
                release: interval.waker_stack,
            });
        }
    }

    /// Returns the queues that lasted longest. The waits at one place of a process are one.
    pub(crate) fn queues(mut self, threads: &Threads, ledger: &mut Ledger<'_>) -> Vec<Queue> {
        let mut by_place: BTreeMap<(ProcessId, ClassId, Arc<Place>), Vec<LockWait>> =
            BTreeMap::new();
        for ((process, class), waits) in std::mem::take(&mut self.all) {
            let is_shared = self.shared.contains(&Some(class));
            for wait in waits {
                let place = ledger.place_of(wait.stack);
                // A runtime's own threads signal each other all the time.
                if !is_shared || place.is_users() {
                    let key = (process, class, place);
                    by_place.entry(key).or_default().push(wait);
                }
            }
        }
        let queues = by_place.into_iter().map(|((_, class, place), waits)| {
            let when = Spans::new(waits.iter().map(|wait| wait.time));
            (when.ns(), class, place, waits)
        });
        let mut queues: Vec<_> = queues.collect();
        queues.sort_by_key(|(ns, ..)| std::cmp::Reverse(*ns));
        // Threads that take turns idling must not hide a lock.
        let (mut locks, mut others) = (0, 0);
        queues.retain(|(_, class, ..)| {
            let kept = match self.shared.contains(&Some(*class)) {
                true => &mut others,
                false => &mut locks,
            };
            *kept += 1;
            *kept <= MOST_QUEUES
        });
        let queues = queues.into_iter();
        let queues =
            queues.map(|(_, class, place, waits)| queue((class, place), &waits, threads, ledger));
        queues.collect()
    }
}

/// Returns how long at least two of the stretches go on at once.
fn together_ns(times: impl Iterator<Item = (i64, i64)>) -> i64 {
    let mut edges: Vec<_> = times.flat_map(|(from, to)| [(from, 1), (to, -1)]).collect();
    edges.sort_unstable();
    let (mut depth, mut since, mut ns) = (0, 0, 0);
    for (at, change) in edges {
        if depth >= 2 {
            ns += at - since;
        }
        depth += change;
        since = at;
    }
    ns
}

/// Waits that end so shortly after one another are ended by one call.
const AT_ONCE_NS: i64 = 200_000;

/// Returns how many of the waits the same thread ended together with the one before.
fn woken_at_once(waits: &[LockWait]) -> i64 {
    let mut ends: Vec<_> = waits
        .iter()
        .map(|wait| (wait.holder, wait.time.1))
        .collect();
    ends.sort_unstable();
    let pairs = ends.windows(2);
    let together =
        pairs.filter(|pair| pair[0].0 == pair[1].0 && pair[1].1 - pair[0].1 <= AT_ONCE_NS);
    i64::try_from(together.count()).unwrap_or(i64::MAX)
}

/// Puts waits together. Until a wait ends, the thread that ends it holds the lock.
fn queue(
    (class, place): (ClassId, Arc<Place>),
    waits: &[LockWait],
    threads: &Threads,
    ledger: &mut Ledger<'_>,
) -> Queue {
    let when = Spans::new(waits.iter().map(|wait| wait.time));
    let longest = waits.iter().max_by_key(|wait| wait.time.1 - wait.time.0);
    let mut queue = Queue {
        class,
        place,
        stack: longest.and_then(|wait| wait.stack),
        count: i64::try_from(waits.len()).unwrap_or(i64::MAX),
        waiters: waits.iter().map(|wait| wait.thread).collect(),
        woken_at_once: woken_at_once(waits),
        holders: BTreeMap::new(),
        releases: BTreeMap::new(),
        together_ns: together_ns(waits.iter().map(|wait| wait.time)),
        cpu_ns: 0,
        held_cpu_ns: 0,
        held_ready_ns: 0,
        held_waits: BTreeMap::new(),
        when,
    };
    let mut ends: Vec<_> = waits.iter().collect();
    ends.sort_by_key(|wait| (wait.time.1, wait.holder, wait.release));
    let mut before = i64::MIN;
    for wait in ends {
        for (from, to) in queue.when.cut(before, wait.time.1) {
            hold(&mut queue, wait, (from, to), threads, ledger);
        }
        before = wait.time.1;
    }
    for thread in 0..threads.count() {
        let runs = threads.all(thread).iter();
        let runs = runs.filter(|piece| piece.state == ThreadState::Running);
        let parts = runs.map(|piece| queue.when.within(piece.start_ns, piece.end_ns));
        queue.cpu_ns += parts.sum::<i64>();
    }
    queue
}

/// Adds what the holder did in a part of the time.
fn hold(
    queue: &mut Queue,
    wait: &LockWait,
    (from, to): (i64, i64),
    threads: &Threads,
    ledger: &mut Ledger<'_>,
) {
    let held = queue.holders.entry(wait.holder).or_default();
    *held += to - from;
    if wait.release.is_some() {
        let place = ledger.place_of(wait.release);
        *queue.releases.entry(place).or_default() += to - from;
    }
    for piece in threads.during(wait.holder.index(), from, to) {
        let ns = piece.end_ns.min(to) - piece.start_ns.max(from);
        match piece.state {
            ThreadState::Running => queue.held_cpu_ns += ns,
            ThreadState::Ready => queue.held_ready_ns += ns,
            ThreadState::Unknown => {}
            ThreadState::Waiting | ThreadState::OffCpu | ThreadState::Stopped => {
                let key = (piece.class, ledger.place_of(piece.stack));
                *queue.held_waits.entry(key).or_default() += ns;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_at_once_are_together() {
        let ns = |times: &[(i64, i64)]| together_ns(times.iter().copied());
        assert_eq!(ns(&[(0, 10), (10, 20)]), 0);
        assert_eq!(ns(&[(0, 10), (5, 20), (8, 9)]), 5);
        assert_eq!(ns(&[(0, 10), (0, 10), (0, 10)]), 10);
    }
}
