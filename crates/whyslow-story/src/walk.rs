//! Finds the path of the wall time: backwards, from the end of the command.
//!
//! At the end of the command the path is on its main thread, or on the last one if that ended by itself before. Where that thread waited and a
//! thread of the command ended the wait, the path continues with that one, down to where the wait
//! began: what it did meanwhile explains the wait. Where an interrupt or an outside process ended it,
//! the wait itself is the explanation. But where no program ended a wait for others (a time limit, or
//! the kernel passing on what a program wrote), the path continues with the thread of the command
//! that was busy meanwhile, if there was one: with one that ran, if any did, else with one that
//! waited for a thing.

mod children;
mod deadlocks;
mod engaged;
mod last;
mod ledger;
mod open;
mod origin;
mod polls;
mod queues;
mod rechecks;
mod stuck;
mod threads;
mod ticks;

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{ThreadId, ThreadState};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::interval::{Interval, Waker};
use whyslow_query::objects::Objects;
use whyslow_query::rows;
use whyslow_query::wait::{ClassId, Classes, Ends, Rules};

use crate::code::Code;
use crate::command::Command;
use crate::path::{Path, SHORT_NS, What};
use crate::place::WaitingCalls;
use children::Children;
use ledger::Ledger;
use polls::Pollers;
use queues::LockWaits;
use threads::{Piece, ReadyTimes, Targets, Threads, thread_id};
use whyslow_query::spans::Spans;

/// The most intervals of the command that are kept (40 bytes each).
const MOST_INTERVALS: usize = 4 << 20;

/// The most steps the path may take.
const MOST_STEPS: usize = 8 << 20;

/// The most looks at threads in search of the one that was busy meanwhile.
const MOST_LOOKS: usize = 64 << 20;

/// Returns whether a thread is of a program, not of the kernel.
pub fn is_program(facts: &Facts, thread: ThreadId) -> bool {
    let process = facts
        .thread(thread)
        .and_then(|row| facts.process(row.process));
    process.is_some_and(|process| process.is_kernel == 0 && process.os_pid != 0)
}

/// Follows the path of `command`.
pub fn follow(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    code: &Code<'_>,
    classes: &Classes<'_>,
) -> Result<Path, QueryError> {
    let mut walk = Walk::read(view, facts, command, code, classes)?;
    if walk.ledger.has_too_many() {
        return Ok(walk.ledger.close());
    }
    let blocked = deadlocks::find(facts, &walk.threads, classes.rules);
    walk.ledger.deadlocks(blocked);
    let stuck = stuck::find(code.stacks, &walk.threads, classes.rules);
    walk.ledger.stuck(stuck);
    if let Some(waits) = walk.lock_waits.take() {
        let queues = waits.queues(&walk.threads, &mut walk.ledger);
        walk.ledger.queues(queues);
    }
    let last = last::thread(view, facts, command)?;
    let last = walk.engaged(last);
    walk.run(last, command.span_ns);
    Ok(walk.ledger.close())
}

/// Follows the path of each of these stretches of time, which ends on the given thread: what the
/// processes of
/// `strangers` did meanwhile. The stretches are in any order and do not overlap.
pub fn follow_each(
    view: View<'_>,
    facts: &Facts,
    strangers: &Command,
    code: &Code<'_>,
    classes: &Classes<'_>,
    stretches: &[(ThreadId, (i64, i64))],
) -> Result<Path, QueryError> {
    let mut walk = Walk::read(view, facts, strangers, code, classes)?;
    if walk.ledger.has_too_many() {
        return Ok(walk.ledger.close());
    }
    walk.are_strangers = true;
    walk.ledger.keep_processes_apart();
    let mut stretches = stretches.to_vec();
    stretches.sort_by_key(|&(_, (from, _))| std::cmp::Reverse(from));
    for (thread, span) in stretches {
        walk.run(Some(thread.index()), span);
    }
    Ok(walk.ledger.close())
}

/// Returns, per class, whether a thread in such a wait is not busy with a thing: it waits for others.
fn for_others(rules: &Rules) -> Vec<bool> {
    let mut classes = rules.followed();
    // A name is looked up on behalf of those who wait for it; the server is another program.
    if let Some(dns) = rules.find("dns") {
        classes[usize::from(dns)] = false;
    }
    classes
}

/// Returns the same, with sleeps.
fn not_busy(rules: &Rules) -> Vec<bool> {
    let mut classes = for_others(rules);
    if let Some(sleep) = rules.find("sleep") {
        classes[usize::from(sleep)] = true;
    }
    classes
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
    classes: &'a Classes<'a>,
    threads: Threads,
    ready: ReadyTimes,
    targets: Targets,
    objects: Objects,
    ledger: Ledger<'a>,
    /// Waits for locks, until they are looked at.
    lock_waits: Option<LockWaits<'a>>,
    /// Threads of every process, by id.
    of_process: Vec<Vec<usize>>,
    children: Children,
    /// Processes that sleep and ask for their children, with how often each of their threads slept.
    pollers: Pollers,
    /// How long it is from one tick to the next, by thread, where it was looked at.
    periods: BTreeMap<usize, Option<i64>>,
    /// When a sleep ended in which a child was asked for: until then its own waits count, too, if they go on.
    asked_at: Option<i64>,
    /// The waits that the path is explaining: the waiting thread, and when it began to wait.
    returns: Vec<(usize, i64)>,
    /// Per class, whether the thread that ends such a wait is what was waited for.
    followed: Vec<bool>,
    /// Per class, whether a thread in such a wait is not busy with a thing; the same with those that sleep.
    idle: [Vec<bool>; 2],
    /// The time that is followed.
    span_ns: (i64, i64),
    /// Whether the processes are not one command, but several unrelated ones.
    are_strangers: bool,
    /// Looks at threads and intervals so far, in search of a busy one.
    looks: usize,
}

/// Classes of waits for things that are read and written like files, but are not files.
const STREAMS: [&str; 4] = ["pipe", "socket", "terminal", "terminal-output"];

/// Classes of waits that end when another process sends something.
const MESSAGES: [&str; 5] = ["pipe", "socket", "ipc", "poll", "loop"];

/// Classes of waits that another process ends only by connecting or sending: a thread of Go's runtime looks at the
/// sockets of all goroutines.
const FROM_OUTSIDE: [&str; 2] = ["accept", "goroutines"];

/// Classes of waits in which a server takes connections.
const CLIENTS: [&str; 3] = ["accept", "poll", "loop"];

/// Adds who ended a wait: when, for an outside process; how often, for a thread of the command that sent
/// something.
fn woken(
    path: &mut Path,
    (facts, command): (&Facts, &Command),
    interval: &Interval,
    waker: ThreadId,
    [is_message, is_from_outside]: [bool; 2],
) {
    if !command.has_thread(waker) {
        if let Some(row) = facts.thread(waker) {
            let now = (interval.end_ns, interval.end_ns);
            let (first_ns, last_ns) = path.woken_ns.entry(row.process).or_insert(now);
            *first_ns = interval.end_ns.min(*first_ns);
            *last_ns = interval.end_ns.max(*last_ns);
            let waits = interval.state == ThreadState::Waiting;
            if waits && (is_message || is_from_outside) && is_program(facts, waker) {
                *path.partners.entry(row.process).or_default() += 1;
            }
        }
    } else if is_message && interval.state == ThreadState::Waiting {
        *path.messages.entry((interval.thread, waker)).or_default() += 1;
    }
}

impl<'a> Walk<'a> {
    /// Reads what the threads of `command` did.
    fn read(
        view: View<'_>,
        facts: &'a Facts,
        command: &'a Command,
        code: &'a Code<'a>,
        classes: &'a Classes<'a>,
    ) -> Result<Self, QueryError> {
        let mut threads: Vec<Vec<Piece>> = vec![Vec::new(); facts.threads.len()];
        let (mut ready, mut targets) = (ReadyTimes::new(), Targets::new());
        let mut lock_waits = LockWaits::new(facts, classes.rules);
        let mut path = Path::default();
        let mut kept = 0;
        let mut waiting = WaitingCalls::new(code.stacks);
        let ends = Ends::new(code.stacks, classes.rules);
        let helper = classes.rules.find("helper");
        let streams = STREAMS.map(|class| classes.rules.find(class));
        let messages = MESSAGES.map(|class| classes.rules.find(class));
        let from_outside = FROM_OUTSIDE.map(|class| classes.rules.find(class));
        let semaphore = classes.rules.find("semaphore");
        let helpers = helpers(facts, classes.rules);
        rows::detailed_intervals(view, &command.scope(), |interval| {
            if interval.state == ThreadState::Running {
                path.ran(interval);
            }
            path.own_stacks.add(interval);
            let times = path.times.entry(interval.thread).or_default();
            times.add(interval.state, interval.ns());
            if interval.state == ThreadState::Waiting {
                let is_stream = || streams.contains(&Some(classes.of(code.stacks, interval)));
                times.add_wait(interval.ns(), waiting.has(interval.stack), is_stream);
            }
            if kept == MOST_INTERVALS {
                path.too_many = true;
                return;
            }
            if let Some(pieces) = threads.get_mut(interval.thread.index()) {
                kept += 1;
                let class = match helper.filter(|_| helpers[interval.thread.index()]) {
                    Some(helper) => helper,
                    None => classes.of(code.stacks, interval),
                };
                let ended = ends.of(code.stacks, interval);
                lock_waits.add(interval, class, ended, classes.rules);
                if semaphore == Some(class) {
                    path.wanted_semaphore(interval);
                }
                if let Waker::Thread(waker) = ended.1 {
                    let kind = [
                        messages.contains(&Some(class)),
                        from_outside.contains(&Some(class)),
                    ];
                    woken(&mut path, (facts, command), interval, waker, kind);
                }
                let lists = (&mut ready, &mut targets);
                pieces.push(Piece::new(interval, class, ended, lists));
            }
        })?;
        end_by_kill(facts, &ends, &mut threads);
        let objects = Objects::read(view).unwrap_or_default();
        rechecks::join(&mut threads, (&targets, &objects), classes.rules);
        path.tids = ran(facts, &threads);
        let threads = Threads::new(facts, threads);
        let children = Children::new(facts);
        let pollers = polls::pollers(view, facts, command, (&threads, &children), classes.rules);
        path.asking = polls::sleeps(&pollers);
        Ok(Walk {
            facts,
            command,
            classes,
            threads,
            ready,
            targets,
            objects,
            ledger: Ledger::new(facts, code, path),
            lock_waits: Some(lock_waits),
            returns: Vec::new(),
            of_process: threads_of_processes(facts),
            children,
            pollers,
            periods: BTreeMap::new(),
            asked_at: None,
            idle: [for_others(classes.rules), not_busy(classes.rules)],
            followed: classes.rules.followed(),
            looks: 0,
            span_ns: command.span_ns,
            are_strangers: false,
        })
    }
}

/// A signal that ended a thread ended its last wait, too.
fn end_by_kill(facts: &Facts, ends: &Ends<'_>, threads: &mut [Vec<Piece>]) {
    for (id, pieces) in ThreadId::all().zip(threads) {
        if let Some(last) = pieces.iter_mut().rfind(|piece| piece.is_wait()) {
            last.end = ends.or_kill(facts, id, (last.end, last.waker));
        }
    }
}

/// Returns the system's ids of the threads that ran at all.
fn ran(facts: &Facts, threads: &[Vec<Piece>]) -> BTreeSet<i32> {
    let ran = |pieces: &[Piece]| pieces.iter().any(|p| p.state == ThreadState::Running);
    let rows = facts.threads.iter().zip(threads);
    let rows = rows.filter(|(_, pieces)| ran(pieces));
    rows.map(|(row, _)| row.os_tid).collect()
}

/// Returns for each thread whether its name is that of a runtime's helper.
fn helpers(facts: &Facts, rules: &Rules) -> Vec<bool> {
    let names = ThreadId::all().take(facts.threads.len());
    let names = names.map(|id| rules.is_helper(facts.thread_name(id)));
    names.collect()
}

impl Walk<'_> {
    /// Follows the path back from the end of a stretch of time, at which it is on `last`.
    fn run(&mut self, last: Option<usize>, span_ns: (i64, i64)) {
        self.span_ns = span_ns;
        self.returns.clear();
        let (begin, end) = span_ns;
        let mut now = end;
        let Some(mut thread) = last else {
            self.ledger.step(None, begin, end, What::Unknown);
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
        self.ledger.step(None, begin, now, What::Unknown);
    }

    /// Returns the time down to which the path stays with the current thread.
    fn floor(&self) -> i64 {
        let last = self.returns.last();
        last.map_or(self.span_ns.0, |&(_, begin)| begin)
    }

    /// Takes one step back from `now` on `thread`; time or, at a wake-up, only the thread changes.
    fn step(&mut self, thread: usize, now: i64) -> (usize, i64) {
        let from = self.floor();
        let Some(piece) = self.threads.before(thread, now) else {
            // The thread did not exist yet: continue with the thread that started it.
            return match self.origin(thread, now) {
                Some(origin) => (origin, now),
                None => {
                    self.ledger.step(None, from, now, What::Unknown);
                    (thread, from)
                }
            };
        };
        let start = piece.start_ns.max(from);
        if piece.end_ns < now {
            // Between two images of the process, or after its last row.
            let end = piece.end_ns.max(from);
            if let Some(other) = self.busy_since_end(thread, (end, now)) {
                self.returns.push((thread, end));
                return (other, now);
            }
            self.after_end(thread, (end, now));
            return (thread, end);
        }
        let id = thread_id(thread);
        match piece.state {
            ThreadState::Running => self.ledger.step(Some(id), start, now, What::Cpu),
            ThreadState::Ready => {
                let (part_ns, whole_ns) = (now - start, piece.end_ns - piece.start_ns);
                let ready = self.ready.at(piece.ready).part(part_ns, whole_ns);
                self.ledger.ready(id, start, now, ready);
            }
            ThreadState::Unknown => self.ledger.step(Some(id), start, now, What::Unknown),
            ThreadState::Waiting | ThreadState::OffCpu | ThreadState::Stopped => {
                let time = (start, now);
                if let Some(slept) = self.polled(thread, &piece, now) {
                    return self.asks(thread, &piece, now, slept);
                }
                let giver = self.giver(thread, &piece, now);
                // A helper of the runtime also idles before that, which explains nothing: the path does not return
                // to it.
                if let Some(giver) = giver.filter(|_| self.is_helper(piece.class)) {
                    return (giver, now);
                }
                let waker = self.waker(thread, &piece, now);
                let waker = waker.or_else(|| self.awaited_beyond_tick(thread, &piece));
                let other = waker.or_else(|| self.busy_meanwhile(thread, &piece, time));
                let other = other.or_else(|| self.only_child(thread, &piece, time));
                let other = other.or_else(|| self.would_end(thread, &piece, time));
                if let Some(other) = other {
                    let (who, beside) = ((thread, other), waker.is_none());
                    let all = (&self.threads, &self.ready);
                    self.ledger.link(all, who, beside, &piece, time);
                    self.returns.push((thread, start));
                    return (other, now);
                }
                // Before it got the work that another thread waits for, the thread that gave it the
                // work mattered.
                if let Some(giver) = giver {
                    return (giver, now);
                }
                let by_others = self.followed[usize::from(piece.class)];
                let target = self.targets.at(piece.target);
                self.ledger.wait(id, &piece, time, (by_others, target));
            }
        }
        (thread, start)
    }

    /// Returns the thread of the command that ended a wait and so explains it.
    fn waker(&self, thread: usize, piece: &Piece, now: i64) -> Option<usize> {
        if now != piece.end_ns || !self.followed[usize::from(piece.class)] {
            return None;
        }
        let class = self.classes.rules.class(piece.class).name.as_str();
        let cut_short = self.classes.rules.is_cut_short(piece.end);
        match piece.waker {
            // The sender of a signal, or the process that ended this one, was not what was waited
            // for.
            Waker::Thread(waker) if cut_short && !matches!(class, "signal" | "child") => {
                let ended = self.ended_process(thread, waker, now);
                return ended.or_else(|| self.ended_child(thread, waker, now));
            }
            Waker::Thread(waker) => {
                let (known, at) = (self.command.has_thread(waker), waker.index());
                let ran = || self.threads.was_running(at, now);
                let fits = known && at != thread && (piece.is_part || ran());
                return fits.then_some(at);
            }
            Waker::Interrupt | Waker::Softirq(_) => return None,
            Waker::Unknown => {}
        }
        // Without a recorded wake-up: a wait for a child or a join ends when a thread ends.
        if !matches!(class, "child" | "join") {
            return None;
        }
        self.threads.ended_at(now, thread)
    }

    fn is_helper(&self, class: ClassId) -> bool {
        self.classes.rules.class(class).name == "helper"
    }

    /// Returns the thread of the command that gave work to one that waited for some, if the path came to that
    /// one because others wait for it.
    fn giver(&self, thread: usize, piece: &Piece, now: i64) -> Option<usize> {
        let Waker::Thread(giver) = piece.waker else {
            return None;
        };
        let is_for_work = self.classes.rules.is_for_work(piece.class);
        let at = giver.index();
        let fits = now == piece.end_ns
            && is_for_work
            && (!self.returns.is_empty() || self.is_helper(piece.class))
            && !self.classes.rules.is_cut_short(piece.end)
            && !self.classes.rules.is_timeout(piece.end)
            && self.command.has_thread(giver)
            && at != thread
            && self.threads.was_running(at, now);
        fits.then_some(at)
    }

    /// Returns the thread that ended the whole process, and with it the wait: until then, that thread's work
    /// was the process's.
    fn ended_process(&self, thread: usize, waker: ThreadId, now: i64) -> Option<usize> {
        let of_waker = self.facts.thread(waker)?.process;
        let of_waiter = self.facts.threads.get(thread)?.process;
        let fits = of_waker == of_waiter && self.threads.was_running(waker.index(), now);
        (fits && waker.index() != thread).then(|| waker.index())
    }

    /// Returns the thread of a child process that ended a wait by its own end: a thread that waits for
    /// several things at once learns of that by a signal.
    fn ended_child(&self, thread: usize, waker: ThreadId, now: i64) -> Option<usize> {
        let row = self.facts.thread(waker)?;
        let of_waiter = self.facts.threads.get(thread)?.process;
        let at = waker.index();
        let fits = self.command.has_thread(waker)
            && row.process != of_waiter
            && row.end_ns.is_some()
            && self.threads.was_running(at, now)
            && self.threads.never_waits_after(at, now);
        fits.then_some(at)
    }

    /// Returns the thread of the command that was busy for at least half of a wait for others that
    /// no program ended.
    ///
    /// Running beats waiting for a thing: runtimes have threads that sleep all the time. If only
    /// several threads together ran for that long, it is the one that ran most; the path continues
    /// from its waits to the others. This cannot go in circles: a waiting thread is not busy in its
    /// own wait, nor in a part of it.
    fn busy_meanwhile(&mut self, thread: usize, piece: &Piece, time: (i64, i64)) -> Option<usize> {
        let (start, end) = time;
        let half = (end - start + 1) / 2;
        // Who sent the signal that cut a wait short (Ctrl-C) did not do what was waited for.
        let cut_short = self.classes.rules.is_cut_short(piece.end)
            && self.classes.rules.class(piece.class).name != "signal";
        let by_program = match piece.waker {
            Waker::Thread(waker) => !cut_short && is_program(self.facts, waker),
            Waker::Interrupt | Waker::Softirq(_) | Waker::Unknown => false,
        };
        let followed = self.followed[usize::from(piece.class)];
        // What its threads do until the next client comes is not ended by that client.
        let by_program = by_program && !self.takes_clients(piece);
        if by_program || !followed || end - start < SHORT_NS {
            return None;
        }
        self.looks = self.looks.saturating_add(self.threads.count());
        if self.looks > MOST_LOOKS {
            return None;
        }
        let process = |id: usize| self.facts.threads.get(id).map(|row| row.process);
        let of_waiter = process(thread);
        let is_other =
            |&id: &usize| id != thread && (!self.are_strangers || process(id) == of_waiter);
        let others: Vec<usize> = (0..self.threads.count()).filter(is_other).collect();
        let others = || others.iter().copied();
        let active = others().map(|id| (self.threads.active_ns(id, start, end), id));
        let (ns, active) = active.max()?;
        if ns >= half {
            return Some(active);
        }
        if ns > 0 {
            let all = others().flat_map(|id| self.threads.active(id, start, end));
            let all: Vec<_> = all.collect();
            self.looks = self.looks.saturating_add(all.len());
            if Spans::new(all).ns() >= half {
                return Some(active);
            }
        }
        if self.takes_clients(piece) {
            return None;
        }
        // A thread that timed out did not wait for the end of another one's sleep; nor did one that waits for clients.
        let class = self.classes.rules.class(piece.class).name.as_str();
        let for_clients = CLIENTS.contains(&class) && piece.end_ns >= self.span_ns.1;
        let timed_out = self.classes.rules.is_timeout(piece.end);
        let [for_others, not_busy] = &self.idle;
        let idle = if timed_out || for_clients {
            not_busy
        } else {
            for_others
        };
        // A thread that waits all the time, such as for the completions of requests that nobody makes, serves nobody.
        let serves = |&id: &usize| !self.threads.always_waits(id, self.command.span_ns);
        let busy = others().filter(serves);
        let busy = busy.map(|id| (self.threads.busy_ns(id, time, idle), id));
        let (ns, id) = busy.max()?;
        (ns >= half).then_some(id)
    }
}
