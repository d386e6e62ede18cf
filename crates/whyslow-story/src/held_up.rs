//! Stretches in which a thread that serves others did one thing, while they waited for it.
//!
//! ```text
//! server     ██ answers ████████ computes ████████ answers ██   a stretch: it answers nobody, and does
//! client        └─────── waits for its own reply ──┘            not look for requests
//! another       └─────────── waits for its turn ─────┘          who is held up
//! ```
//!
//! A client that waits while a server works on its own request is no reason to say anything. That others wait meanwhile is
//! what the server's author may not have expected.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{ProcessId, SystemCall, TcpSide, ThreadId, ThreadState};
use whyslow_query::View;
use whyslow_query::call_tree::Weights;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::interval::{Interval, Waker};
use whyslow_query::network::connections;
use whyslow_query::rows;
use whyslow_query::scope::Scope;
use whyslow_query::spans::Spans;
use whyslow_query::system_calls::sampled_calls;
use whyslow_query::wait::{ClassId, Classes, EndId, Ends};

use crate::callees;
use crate::calls::Calls;
use crate::code::Code;
use crate::command::Command;
use crate::hot;
use crate::network::Network;
use crate::network::Talk;
use crate::path::{Path, SHORT_NS, Step, What};
use crate::place::Place;
use crate::walk::is_program;

/// Whoever waits for less than this for its turn hardly notices.
const LONG_NS: i64 = 50_000_000;

/// A thread that ran for less of the time than this percentage held nobody up for much of it.
const MUCH: i64 = 15;

/// The calls that talk to others: `read`, `write`, `readv`, `writev`, `sendfile`, `sendto`, `recvfrom`, `sendmsg`,
/// `recvmsg`, `recvmmsg`, `sendmmsg`.
const TALKS: [SystemCall; 11] = [
    SystemCall(0),
    SystemCall(1),
    SystemCall(19),
    SystemCall(20),
    SystemCall(40),
    SystemCall(44),
    SystemCall(45),
    SystemCall(46),
    SystemCall(47),
    SystemCall(299),
    SystemCall(307),
];

/// Classes of waits for what another process sends.
const MESSAGES: [&str; 6] = ["socket", "poll", "loop", "events", "goroutines", "ipc"];

/// A program that waits in pieces goes on waiting within this time.
const PAUSE_NS: i64 = 2_000_000;

/// A function with less of the time than this percentage does not fill the stretches.
const FILLS: i64 = 50;

/// The most runs of servers, the most waits for them, and the most of their calls that are kept: with more of one of
/// these, nothing is said.
const MOST: usize = 1 << 20;

/// The most waits that are looked at for a stretch.
const MOST_SCANNED: usize = 1 << 12;

/// What is known of the command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) facts: &'a Facts,
    pub(crate) command: &'a Command,
    pub(crate) code: &'a Code<'a>,
    pub(crate) path: &'a Path,
    pub(crate) calls: &'a Calls,
    pub(crate) network: &'a Network,
}

impl Known<'_> {
    fn process(&self, thread: ThreadId) -> Option<ProcessId> {
        self.facts.thread(thread).map(|row| row.process)
    }

    /// Returns whether the process of a thread answers clients that are not on this machine.
    fn serves_elsewhere(&self, thread: ThreadId) -> bool {
        let of = self.process(thread);
        let mut talks = self.network.talks.iter();
        talks.any(|talk| {
            let is_of_it = Some(talk.process) == of && talk.connection.side == TcpSide::In;
            is_of_it && talk.peer.is_none() && talk.connection.row.sends > 0
        })
    }

    /// Returns whether a thread made such a call.
    fn made(&self, thread: ThreadId, wanted: &[SystemCall]) -> bool {
        self.calls.made(thread, wanted) > 0
    }
}

/// Returns whether a part is at least this percentage of a whole.
fn is_part(part: i64, whole: i64, percent: i64) -> bool {
    i128::from(part) * 100 >= i128::from(whole) * i128::from(percent)
}

/// A thread that held others up.
#[derive(Debug)]
pub struct HeldUp {
    /// Which thread it is.
    pub thread: ThreadId,
    /// Whether it looks for events, rather than only for new connections.
    pub is_loop: bool,
    /// When it did one thing for long, in order.
    pub stretches: Vec<(i64, i64)>,
    /// Who waited meanwhile, those who waited longest first.
    pub waiters: Vec<ProcessId>,
    /// What it did.
    pub place: Option<Place>,
    /// The function of a library in which this place spent most of the time.
    pub callee: Option<String>,
}

impl HeldUp {
    /// Finds the threads of the command that held others up.
    pub(crate) fn find(
        view: View<'_>,
        known: &Known<'_>,
        classes: &Classes<'_>,
    ) -> Result<Vec<Self>, QueryError> {
        let mut servers = servers(known);
        // How often it answered clients on other machines is not seen.
        servers.retain(|&thread| !known.serves_elsewhere(thread));
        if servers.is_empty() {
            return Ok(Vec::new());
        }
        let mut seen = Seen::read(view, known, classes, &servers)?;
        seen.several = several_at_once(view, known, &servers)?;
        let mut looks = scope_of(known, servers.iter().copied());
        looks.window_ns = Some(known.command.span_ns);
        let mut calls = 0;
        sampled_calls(view, &looks, |call| {
            let (looks, accepts) = (&SystemCall::WAIT_FOR_ANY[..], &SystemCall::ACCEPTS);
            let mut breaks = [looks, accepts, &TALKS].into_iter();
            let is_break = breaks.any(|calls| calls.contains(&call.call));
            if is_break && has_room(&mut calls) {
                seen.breaks
                    .entry(call.thread)
                    .or_default()
                    .push(call.time_ns);
            }
        })?;
        if [seen.ran, seen.waited, calls]
            .iter()
            .any(|&kept| kept > MOST)
        {
            return Ok(Vec::new());
        }
        let found = servers
            .iter()
            .filter_map(|&thread| seen.held_by(known, thread));
        let mut found: Vec<Self> = found.collect();
        for one in &mut found {
            one.find_place(view, known)?;
        }
        Ok(found)
    }

    /// Finds what fills the stretches: only samples within them count.
    fn find_place(&mut self, view: View<'_>, known: &Known<'_>) -> Result<(), QueryError> {
        let code = known.code;
        let when = Spans::new(self.stretches.iter().copied());
        let mut weights = Weights::new(code.stacks);
        let mut all_ns = 0_i64;
        rows::samples(view, &scope_of(known, [self.thread]), |sample| {
            if when.within(sample.time_ns, sample.time_ns.saturating_add(1)) > 0 {
                weights.add(code.stacks.tree.node(sample.stack), sample.weight_ns);
                all_ns = all_ns.saturating_add(sample.weight_ns);
            }
        })?;
        let weights = weights.take();
        let Some(own) = hot::own(code, &weights) else {
            return Ok(());
        };
        if is_part(own.ns, all_ns, FILLS) {
            let callees = own
                .functions
                .last()
                .map(|&id| callees::of(code, &weights, id));
            let most = callees.and_then(|callees| callees.into_iter().next());
            let most = most.filter(|callee| is_part(callee.ns, all_ns, FILLS));
            self.callee = most.map(|callee| callee.name);
            self.place = Some(Place::of_functions(code, &own.functions).at(own.source));
        } else if let Some(functions) = hot::through(code, &weights) {
            self.place = Some(Place::of_functions(code, &functions));
        }
        Ok(())
    }
}

/// Returns the threads of the command that serve others, and ran for much of the time.
fn servers(known: &Known<'_>) -> Vec<ThreadId> {
    let threads = known.calls.threads.iter();
    let wall_ns = known.command.wall_ns();
    let busy = threads.filter(|(_, calls)| is_part(calls.times.running_ns, wall_ns, MUCH));
    let takes_connections = |thread: ThreadId| {
        let of = known.process(thread);
        let mut talks = known.network.talks.iter();
        let mut threads = known.calls.threads.keys();
        talks.any(|talk| talk.connection.side == TcpSide::In && Some(talk.process) == of)
            || threads
                .any(|&other| known.process(other) == of && known.made(other, &SystemCall::ACCEPTS))
    };
    busy.map(|(&thread, _)| thread)
        .filter(|&thread| {
            known.made(thread, &SystemCall::WAIT_FOR_ANY)
                || known.made(thread, &SystemCall::ACCEPTS)
        })
        .filter(|&thread| takes_connections(thread))
        .collect()
}

/// Returns a scope with these threads only.
fn scope_of(known: &Known<'_>, threads: impl IntoIterator<Item = ThreadId>) -> Scope {
    let facts = known.facts;
    let mut scope = Scope::whole(facts);
    scope.processes.fill(false);
    scope.threads.fill(false);
    let mut chosen = BTreeSet::new();
    for id in threads {
        if let (Some(row), Some(is_in)) = (facts.thread(id), scope.threads.get_mut(id.index())) {
            *is_in = true;
            chosen.insert(row.process);
            if let Some(is_in) = scope.processes.get_mut(row.process.index()) {
                *is_in = true;
            }
        }
    }
    scope.chosen = Some(chosen.into_iter().collect());
    scope.by_thread = true;
    scope
}

/// A wait of somebody outside the command that a thread of it ended.
struct Wait {
    thread: ThreadId,
    from_ns: i64,
    to_ns: i64,
}

/// What the servers and those who wait for them did.
#[derive(Default)]
struct Seen {
    /// When each server ran without a wait worth mentioning.
    runs: BTreeMap<ThreadId, Vec<(i64, i64)>>,
    /// When each of them answered somebody, or looked for requests.
    breaks: BTreeMap<ThreadId, Vec<i64>>,
    /// The waits that each of them ended.
    waits: BTreeMap<ThreadId, Vec<Wait>>,
    /// Who had several requests to the command at the same time.
    several: BTreeSet<ProcessId>,
    /// How many runs were seen.
    ran: usize,
    /// How many waits that servers ended were seen.
    waited: usize,
    /// The last wait of the thread that is being read: whose, since when and until when, and whether a time-out
    /// ended it.
    last: Option<(ThreadId, (i64, i64), bool)>,
}

impl Seen {
    fn read(
        view: View<'_>,
        known: &Known<'_>,
        classes: &Classes<'_>,
        servers: &[ThreadId],
    ) -> Result<Self, QueryError> {
        let (stacks, rules) = (known.code.stacks, classes.rules);
        let ends = Ends::new(stacks, rules);
        let messages = MESSAGES.map(|class| rules.find(class));
        let mut seen = Self::default();
        let mut scope = Scope::whole(known.facts);
        scope.window_ns = Some(known.command.span_ns);
        rows::detailed_intervals(view, &scope, |interval| {
            if servers.contains(&interval.thread) {
                seen.run(interval);
            }
            if interval.state == ThreadState::Waiting && is_program(known.facts, interval.thread) {
                let is_other = !known.command.has_thread(interval.thread);
                let (end, waker) = ends.of(stacks, interval);
                let is_message = |class: ClassId| messages.contains(&Some(class));
                let is_message = is_message(classes.of(stacks, interval));
                let by = match waker {
                    Waker::Thread(by) if is_message && servers.contains(&by) => Some(by),
                    _ => None,
                };
                if !is_other {
                    // A client of the same command is answered, too.
                    return seen.answered(by, interval.end_ns);
                }
                let is_piece = |end: EndId| is_message && rules.is_timeout(end);
                seen.wait(interval, by, is_piece(end));
            }
        })?;
        for (&thread, waits) in &seen.waits {
            let answers = waits.iter().map(|wait| wait.to_ns);
            seen.breaks.entry(thread).or_default().extend(answers);
        }
        Ok(seen)
    }

    /// Adds what a server did.
    fn run(&mut self, interval: &Interval) {
        let is_short = interval.ns() < SHORT_NS;
        let runs = match interval.state {
            ThreadState::Running | ThreadState::Ready => true,
            ThreadState::Waiting => is_short,
            _ => false,
        };
        let (start, end) = (interval.start_ns, interval.end_ns);
        if !runs {
            return;
        }
        let all = self.runs.entry(interval.thread).or_default();
        match all.last_mut().filter(|last| last.1 == start) {
            Some(last) => last.1 = end,
            None if has_room(&mut self.ran) => all.push((start, end)),
            None => {}
        }
    }

    /// A client of the same command got an answer, if it was from a server.
    fn answered(&mut self, by: Option<ThreadId>, ns: i64) {
        if let Some(by) = by.filter(|_| has_room(&mut self.waited)) {
            self.breaks.entry(by).or_default().push(ns);
        }
    }

    /// Adds a wait of somebody else. One that timed out is a piece of the next, if that begins at once.
    fn wait(&mut self, interval: &Interval, by: Option<ThreadId>, is_piece: bool) {
        let mut from_ns = interval.start_ns;
        if let Some((thread, (since, until), true)) = self.last
            && thread == interval.thread
            && from_ns.saturating_sub(until) <= PAUSE_NS
        {
            from_ns = since;
        }
        self.last = Some((interval.thread, (from_ns, interval.end_ns), is_piece));
        if let Some(by) = by.filter(|_| has_room(&mut self.waited)) {
            self.waits.entry(by).or_default().push(Wait {
                thread: interval.thread,
                from_ns,
                to_ns: interval.end_ns,
            });
        }
    }

    /// Returns how a server held others up, if it did.
    fn held_by(&self, known: &Known<'_>, thread: ThreadId) -> Option<HeldUp> {
        let runs = self.runs.get(&thread)?;
        let mut waits: Vec<&Wait> = self.waits.get(&thread)?.iter().collect();
        waits.sort_by_key(|wait| wait.to_ns);
        let mut breaks = self.breaks.get(&thread)?.clone();
        breaks.sort_unstable();
        let on_cpu = |step: &Step| step.what == What::Cpu && step.thread == Some(thread);
        let on_cpu = known.path.when(on_cpu);
        let talks = used_talks(known, thread);
        let mut stretches = Vec::new();
        let mut waiters: BTreeMap<ProcessId, i64> = BTreeMap::new();
        for &(begin, end) in runs {
            let first = breaks.partition_point(|&at| at <= begin);
            let inside = breaks.iter().skip(first).take_while(|&&at| at < end);
            let mut from = begin;
            for to in inside.copied().chain([end]) {
                let stretch = (std::mem::replace(&mut from, to), to);
                let ns = stretch.1 - stretch.0;
                // Others may have had the CPU.
                if ns < LONG_NS || on_cpu.within(stretch.0, stretch.1) * 5 < ns * 4 {
                    continue;
                }
                let held = held_in(known, (&talks, &self.several), (stretch, end), &waits);
                if held.is_empty() {
                    continue;
                }
                stretches.push(stretch);
                for process in held {
                    *waiters.entry(process).or_default() += ns;
                }
            }
        }
        let mut waiters: Vec<_> = waiters.into_iter().collect();
        waiters.sort_by_key(|&(id, ns)| (std::cmp::Reverse(ns), id));
        (!stretches.is_empty()).then(|| HeldUp {
            thread,
            is_loop: known.made(thread, &SystemCall::WAIT_FOR_ANY),
            stretches,
            waiters: waiters.into_iter().map(|(id, _)| id).collect(),
            place: None,
            callee: None,
        })
    }
}

/// Counts one more; returns whether it is to be kept.
fn has_room(kept: &mut usize) -> bool {
    *kept = kept.saturating_add(1);
    *kept <= MOST
}

/// Returns the connections that a server took and on which it answered, by the process at the other end.
fn used_talks<'a>(known: &Known<'a>, server: ThreadId) -> BTreeMap<ProcessId, Vec<&'a Talk>> {
    let of = known.process(server);
    let mut talks: BTreeMap<ProcessId, Vec<&Talk>> = BTreeMap::new();
    for talk in &known.network.talks {
        let row = &talk.connection.row;
        let is_used = row.answers.unwrap_or(0) > 0 || row.replies.unwrap_or(0) > 0;
        if Some(talk.process) == of
            && talk.connection.side == TcpSide::In
            && is_used
            && let Some(peer) = talk.peer
        {
            talks.entry(peer).or_default().push(talk);
        }
    }
    talks
}

/// Returns the processes that had requests to servers of the command on several connections at the same time: all
/// replies together took longer than any of these connections was open. Who uses its connections one after the other waits
/// for one reply at a time.
fn several_at_once(
    view: View<'_>,
    known: &Known<'_>,
    servers: &[ThreadId],
) -> Result<BTreeSet<ProcessId>, QueryError> {
    let used = servers.iter().flat_map(|&server| used_talks(known, server));
    let talks = used.flat_map(|(peer, talks)| talks.into_iter().map(move |talk| (peer, talk)));
    let ends = talks.map(|(peer, Talk { connection, .. })| {
        let row = &connection.row;
        (peer, row.remote_port, row.local_port)
    });
    let ends: BTreeSet<_> = ends.collect();
    let mut replies: BTreeMap<ProcessId, (i64, Vec<(i64, i64)>)> = BTreeMap::new();
    if ends.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut kept = 0;
    connections(view, &Scope::whole(known.facts), false, |connection| {
        let row = &connection.row;
        let (Some(process), Some(ns)) = (row.process, row.reply_ns) else {
            return;
        };
        let is_one = ends.contains(&(process, row.local_port, row.remote_port));
        if is_one && row.replies.unwrap_or(0) > 0 && has_room(&mut kept) {
            let (sum, open) = replies.entry(process).or_default();
            *sum = sum.saturating_add(ns.max(0));
            let end_ns = connection.end_ns().min(known.facts.duration_ns());
            open.push((row.open_ns, end_ns));
        }
    })?;
    let found = replies.into_iter();
    let found = found.filter(|(_, (sum, open))| *sum > Spans::new(open.iter().copied()).ns());
    Ok(found.map(|(process, _)| process).collect())
}

/// Returns the processes that waited during a stretch of a server until it answered them, before it waited itself at
/// `end`; none if it worked for the only one that waited, or if nobody else asked meanwhile.
fn held_in(
    known: &Known<'_>,
    (talks, several): (&BTreeMap<ProcessId, Vec<&Talk>>, &BTreeSet<ProcessId>),
    ((from, to), end): ((i64, i64), i64),
    waits: &[&Wait],
) -> BTreeSet<ProcessId> {
    let first = waits.partition_point(|wait| wait.to_ns < to);
    let answered = waits.iter().skip(first).take(MOST_SCANNED);
    let answered = answered.take_while(|wait| wait.to_ns <= end.saturating_add(SHORT_NS));
    let held = answered.filter(|wait| (to - wait.from_ns.max(from)) * 2 >= to - from);
    let held: Vec<&Wait> = held.copied().collect();
    let threads: BTreeSet<ThreadId> = held.iter().map(|wait| wait.thread).collect();
    let processes = threads.iter().filter_map(|&id| known.process(id));
    let processes: BTreeSet<ProcessId> = processes.collect();
    let is_open = |talk: &&&Talk| {
        let row = &talk.connection.row;
        let ended = row.duration_ns.map(|ns| row.open_ns.saturating_add(ns));
        row.open_ns < to && ended.is_none_or(|ended| ended >= to)
    };
    let is_only_one = || {
        let asking = processes.iter().filter(|&peer| several.contains(peer));
        let theirs = asking.filter_map(|peer| talks.get(peer));
        let theirs = theirs.flatten().take(MOST_SCANNED);
        theirs.filter(is_open).nth(1).is_none()
    };
    match threads.len() {
        0 => BTreeSet::new(),
        1 if is_only_one() => BTreeSet::new(),
        _ if !has_asked(&held, (from, to)) => BTreeSet::new(),
        _ => processes,
    }
}

/// Returns whether somebody else than the one that is served asked during a stretch: who began to wait long before may
/// wait for an event, and no turn of its own.
fn has_asked(held: &[&Wait], (from, to): (i64, i64)) -> bool {
    let asked = held
        .iter()
        .filter(|wait| wait.from_ns >= from.saturating_sub(SHORT_NS));
    let threads: BTreeSet<ThreadId> = asked.clone().map(|wait| wait.thread).collect();
    let all: BTreeSet<ThreadId> = held.iter().map(|wait| wait.thread).collect();
    // A wait that ends with the stretch is that of the client that is served, or of one that hears about the result.
    let is_later = |ns: i64| ns.saturating_sub(to).saturating_mul(4) >= to.saturating_sub(from);
    let mut later = asked.filter(|wait| is_later(wait.to_ns));
    threads.len() > 1 || (all.len() == 1 && !threads.is_empty()) || later.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_an_event_has_not_asked() {
        const MS: i64 = 1_000_000;
        let wait = |thread: usize, from_ms: i64, to_ms: i64| Wait {
            thread: ThreadId::from_index(thread).expect("few"),
            from_ns: from_ms * MS,
            to_ns: to_ms * MS,
        };
        let asked = |waits: &[Wait]| {
            let waits: Vec<&Wait> = waits.iter().collect();
            has_asked(&waits, (1000 * MS, 1100 * MS))
        };
        assert!(asked(&[wait(0, 1000, 1100), wait(1, 1010, 1100)]));
        assert!(!asked(&[wait(0, 10, 1100), wait(1, 20, 1100)]));
        assert!(!asked(&[wait(0, 10, 1100), wait(1, 1000, 1101)]));
        // The second one has its turn after the first.
        assert!(asked(&[wait(0, 900, 1100), wait(1, 1000, 1200)]));
        assert!(!asked(&[wait(0, 900, 1100)]));
    }
}
