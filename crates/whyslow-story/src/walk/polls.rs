//! Processes that sleep and ask whether a child still runs (`waitpid` with `WNOHANG`): they wait for the child.
//!
//! ```text
//! parent   █─sleeps─█─sleeps─█─sleeps─█─sleeps──┤     the path: the child, then the rest of the last sleep,
//! child    ██████████████████████████████┤ ended      which is all that asking cost
//! ```

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{Capability, ThreadId};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::interval::Waker;
use whyslow_query::system_calls::counted_calls;
use whyslow_query::wait::{ClassId, Rules};

use super::children::Children;
use super::threads::{Piece, Threads, thread_id};
use super::{MOST_LOOKS, Walk};
use crate::command::Command;

/// `wait4`, `waitid`: they succeed while a child still runs, if they need not wait.
const WAITS: [i32; 2] = [61, 247];

/// Who asks fewer times does not ask again and again.
const MANY: i64 = 5;

/// Between two sleeps such a thread does no more than ask, nanoseconds.
const ASKS_NS: i64 = 1_000_000;

/// What a sleep of a process that asks for its children was for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slept {
    /// A child that still ran at its end, and since when the process had only slept and asked.
    While(usize, i64),
    /// Nothing any more: the child ended at this time.
    Since(i64),
}

/// A thread that sleeps and asks for children of its process.
#[derive(Debug, Clone, Default)]
pub(super) struct Poller {
    /// How often it slept.
    sleeps: i64,
    /// When the periods began in which it asked.
    asked_from_ns: Vec<i64>,
    /// When all periods began in which its calls were counted.
    periods_from_ns: Vec<i64>,
}

impl Poller {
    /// Returns whether it asked in the period of a moment.
    fn asked_at(&self, ns: i64) -> bool {
        let at = self.periods_from_ns.partition_point(|&from| from <= ns);
        let period = at
            .checked_sub(1)
            .and_then(|at| self.periods_from_ns.get(at));
        period.is_some_and(|from| self.asked_from_ns.binary_search(from).is_ok())
    }
}

/// Threads that sleep and ask for children.
pub(super) type Pollers = BTreeMap<ThreadId, Poller>;

/// Returns how often each of these threads slept.
pub(super) fn sleeps(pollers: &Pollers) -> BTreeMap<ThreadId, i64> {
    let threads = pollers.iter();
    threads.map(|(&id, poller)| (id, poller.sleeps)).collect()
}

/// Returns which threads sleep and ask for children. A damaged table costs only what is known from it.
pub(super) fn pollers(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    known: (&Threads, &Children),
    rules: &Rules,
) -> Pollers {
    let found = read(view, facts, command, known, rules.find("sleep"));
    found.unwrap_or_default()
}

fn read(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    (threads, children): (&Threads, &Children),
    sleep: Option<ClassId>,
) -> Result<Pollers, QueryError> {
    let mut asked: BTreeMap<ThreadId, i64> = BTreeMap::new();
    let mut pollers = Pollers::new();
    if !facts.has(Capability::SystemCalls) || sleep.is_none() {
        return Ok(pollers);
    }
    counted_calls(view, &command.scope(), |calls| {
        let asks = calls.call.is_some_and(|call| WAITS.contains(&call.0));
        if asks && calls.result.is_some_and(|result| result.0 == 0) {
            let count = asked.entry(calls.thread).or_default();
            *count = count.saturating_add(calls.sum.count);
            let poller = pollers.entry(calls.thread).or_default();
            poller.asked_from_ns.push(calls.from_ns);
        }
    })?;
    pollers.retain(|id, _| asked.get(id).is_some_and(|&count| count >= MANY));
    if pollers.is_empty() {
        return Ok(pollers);
    }
    counted_calls(view, &command.scope(), |calls| {
        if let Some(poller) = pollers.get_mut(&calls.thread) {
            poller.periods_from_ns.push(calls.from_ns);
        }
    })?;
    pollers.retain(|id, poller| {
        for periods in [&mut poller.asked_from_ns, &mut poller.periods_from_ns] {
            periods.sort_unstable();
            periods.dedup();
        }
        let all = threads.all(id.index()).iter();
        let slept = all.filter(|piece| piece.is_wait() && Some(piece.class) == sleep);
        poller.sleeps = i64::try_from(slept.count()).unwrap_or(i64::MAX);
        let asked = asked.get(id).copied().unwrap_or(0);
        let process = facts.thread(*id).map(|row| row.process);
        let of_process = process.map_or(&[][..], |process| children.of(process));
        // A program that another one was replaced by is the same child.
        let pids = of_process.iter().filter_map(|&child| {
            let row = facts.threads.get(child)?;
            facts.process(row.process).map(|row| row.os_pid)
        });
        // The end of each child is asked for once, too.
        let children = i64::try_from(pids.collect::<BTreeSet<_>>().len()).unwrap_or(i64::MAX);
        let each_time = asked.saturating_mul(10) >= poller.sleeps.saturating_mul(9);
        asked >= MANY && each_time && asked > children.saturating_mul(2)
    });
    Ok(pollers)
}

impl Walk<'_> {
    /// Returns what a sleep of a process that asks for its children was for, if it is one.
    pub(super) fn polled(&mut self, thread: usize, piece: &Piece, now: i64) -> Option<Slept> {
        let process = self.facts.threads.get(thread)?.process;
        let is_sleep = Some(piece.class) == self.classes.rules.find("sleep");
        let poller = self.pollers.get(&thread_id(thread));
        // It asks when it has slept.
        let asks = poller.is_some_and(|poller| poller.asked_at(piece.end_ns));
        if !is_sleep || !asks || matches!(piece.waker, Waker::Thread(_)) {
            return None;
        }
        let children = self.children.of(process).to_vec();
        self.looks = self.looks.saturating_add(children.len());
        if self.looks > MOST_LOOKS {
            return None;
        }
        let from = piece.start_ns.max(self.floor());
        let mut alive: Option<((i64, i64), usize)> = None;
        let mut ended: Option<i64> = None;
        for child in children {
            let pieces = self.threads.all(child);
            let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
                continue;
            };
            let (start_ns, end_ns) = (first.start_ns, last.end_ns);
            let known = self.facts.threads.get(child);
            let known = known.is_some_and(|row| self.command.has_process(row.process));
            if !known || start_ns >= now || self.returns.iter().any(|&(on, _)| on == child) {
                continue;
            }
            if end_ns >= now {
                let rank = (self.threads.active_ns(child, from, now), start_ns);
                alive = alive.max(Some((rank, child)));
            } else if end_ns > from {
                ended = ended.max(Some(end_ns));
            }
        }
        let Some((_, child)) = alive else {
            return ended.map(Slept::Since);
        };
        let first = self.threads.all(child).first()?.start_ns;
        Some(Slept::While(child, self.asks_since(thread, first, now)))
    }

    /// Goes on from a sleep of a process that asks for its children.
    pub(super) fn asks(
        &mut self,
        thread: usize,
        piece: &Piece,
        now: i64,
        slept: Slept,
    ) -> (usize, i64) {
        let child = self.classes.rules.find("child");
        match slept {
            Slept::While(other, since) => {
                let class = child.unwrap_or(piece.class);
                let piece = Piece { class, ..*piece };
                let all = (&self.threads, &self.ready);
                let time = (since, now);
                self.ledger.link(all, (thread, other), false, &piece, time);
                self.returns.push((thread, since));
                self.asked_at = Some(now);
                (other, now)
            }
            Slept::Since(end) => {
                let target = self.targets.at(piece.target);
                let id = thread_id(thread);
                self.ledger.wait(id, piece, (end, now), (false, target));
                (thread, end)
            }
        }
    }

    /// Returns since when a thread had only slept and asked, no earlier than `from`.
    fn asks_since(&self, thread: usize, from: i64, now: i64) -> i64 {
        let from = from.max(self.floor());
        let sleep = self.classes.rules.find("sleep");
        let mut since = now;
        for piece in self.threads.during(thread, from, now) {
            let sleeps = piece.is_wait() && Some(piece.class) == sleep;
            if !sleeps && piece.ns() > ASKS_NS {
                break;
            }
            since = piece.start_ns.max(from);
        }
        since
    }
}
