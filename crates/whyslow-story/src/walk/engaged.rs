//! The thread that the path of a server ends on, where its first one only waits for clients.
//!
//! A program that is looked at while it runs on has no end to start from. Its first thread may do nothing but take
//! connections, or look after the processes that do the work.

use whyslow_model::{ThreadId, ThreadState};
use whyslow_query::interval::Waker;

use super::threads::{Piece, thread_id};
use super::{MOST_LOOKS, Walk};
use crate::path::{SHORT_NS, What};

/// Of a thread that does less than the first percentage of the time, and one that does more than the second, the other
/// one is followed.
const LITTLE: i64 = 5;
const MUCH: i64 = 25;

/// Classes of waits for something that somebody else has: who got it has something to do. Threads of a pool wait for a
/// lock, too, while there is nothing to do.
const HELD: [&str; 5] = ["lock", "file-lock", "gil", "kernel-lock", "once"];

/// Waits for a thing that idle threads are in, too.
const IDLE: [&str; 5] = ["sleep", "io-uring", "aio", "kernel-work", "semaphore"];

impl Walk<'_> {
    /// Returns the thread of a program that still ran when the recording, or the part that is looked at, ended which did
    /// most, if `last` did next to nothing.
    pub(super) fn engaged(&mut self, last: Option<usize>) -> Option<usize> {
        let last = last?;
        let (from, to) = self.command.span_ns;
        let row = self.facts.threads.get(last)?;
        let wall_ns = to.saturating_sub(from);
        let much = |ns: i64, part: i64| ns.saturating_mul(100) >= wall_ns.saturating_mul(part);
        if row.end_ns.is_some_and(|end_ns| end_ns <= to) || much(self.engaged_ns(last), LITTLE) {
            return Some(last);
        }
        let threads = self.facts.threads.iter().enumerate();
        let own = threads.filter(|(id, _)| {
            let thread = ThreadId::from_index(*id);
            let own = thread.is_some_and(|thread| self.command.has_thread(thread));
            let last = self.threads.all(*id).last();
            own && last.is_some_and(|piece| piece.end_ns >= to)
        });
        let own: Vec<usize> = own.map(|(id, _)| id).collect();
        let did = own.into_iter().map(|id| (self.engaged_ns(id), id));
        let most = did.max_by_key(|&(ns, id)| (ns, std::cmp::Reverse(id)));
        match most {
            Some((ns, other)) if much(ns, MUCH) => Some(other),
            _ => Some(last),
        }
    }

    /// Returns for how long a thread had something to do.
    fn engaged_ns(&mut self, thread: usize) -> i64 {
        let pieces = self.threads.all(thread).to_vec();
        let is_worker = self.is_started_to_work(thread);
        let (from, to) = self.command.span_ns;
        let mut all_ns = 0_i64;
        for piece in pieces {
            let counts = match piece.state {
                ThreadState::Running | ThreadState::Ready => true,
                ThreadState::Waiting => self.is_engaged(&piece, is_worker),
                _ => false,
            };
            if counts {
                let ns = piece
                    .end_ns
                    .min(to)
                    .saturating_sub(piece.start_ns.max(from));
                all_ns = all_ns.saturating_add(ns.max(0));
            }
        }
        all_ns
    }

    fn is_engaged(&mut self, piece: &Piece, is_worker: bool) -> bool {
        let class = self.classes.rules.class(piece.class).name.as_str();
        if class == "database-lock" {
            return !self.classes.rules.is_timeout(piece.end);
        }
        if HELD.contains(&class) {
            let (from, to) = self.command.span_ns;
            let got_it = piece.end_ns < to && matches!(piece.waker, Waker::Thread(_));
            return got_it && piece.start_ns > from;
        }
        if class == "sleep" {
            // Threads beside the first one sleep for all kinds of reasons.
            return is_worker && self.ledger.place_of(piece.stack).is_users();
        }
        !self.followed[usize::from(piece.class)] && !IDLE.contains(&class)
    }

    /// Returns whether a thread is the first one of a process that another one of the command started.
    fn is_started_to_work(&self, thread: usize) -> bool {
        let row = self.facts.threads.get(thread);
        let process = row.and_then(|row| self.facts.process(row.process));
        let (Some(row), Some(process)) = (row, process) else {
            return false;
        };
        let parent = process.parent;
        row.os_tid == process.os_pid && parent.is_some_and(|id| self.command.has_process(id))
    }

    /// Returns the thread of the same process that was busy for at least half of the time since a thread ended, to which
    /// the path came because it had been busy before.
    pub(super) fn busy_since_end(&mut self, thread: usize, time: (i64, i64)) -> Option<usize> {
        let (ended, now) = time;
        let process = self.facts.threads.get(thread)?.process;
        if now.saturating_sub(ended) < SHORT_NS || self.returns.is_empty() {
            return None;
        }
        let of_process = self.of_process.get(process.index())?;
        self.looks = self.looks.saturating_add(of_process.len());
        if self.looks > MOST_LOOKS {
            return None;
        }
        let others = of_process.iter().copied().filter(|&id| id != thread);
        let active = others.map(|id| (self.threads.active_ns(id, ended, now), id));
        let (ns, other) = active.max()?;
        (ns.saturating_mul(2) >= now.saturating_sub(ended)).then_some(other)
    }

    /// Books time after the last that is known of a thread: that of the wait of its process that led to it, where that
    /// is known.
    pub(super) fn after_end(&mut self, thread: usize, (ended, now): (i64, i64)) {
        let process = |id: usize| self.facts.threads.get(id).map(|row| row.process);
        let is_over = self.threads.never_begins_after(thread, ended);
        let waiters = self.returns.iter().rev().map(|&(waiter, _)| waiter);
        let of_process = waiters.filter(|&id| is_over && process(id) == process(thread));
        let wait = of_process.filter(|&id| id != thread).find_map(|waiter| {
            let piece = self.threads.before(waiter, now)?;
            let covers = piece.is_wait() && piece.start_ns <= ended && piece.end_ns >= now;
            covers.then_some((waiter, piece))
        });
        let wait = wait.filter(|_| now > ended);
        match wait {
            Some((waiter, piece)) => {
                let by_others = self.followed[usize::from(piece.class)];
                let target = self.targets.at(piece.target);
                let id = thread_id(waiter);
                self.ledger
                    .wait(id, &piece, (ended, now), (by_others, target));
            }
            None => self.ledger.step(None, ended, now, What::Unknown),
        }
    }

    /// Returns whether a wait is for clients to connect.
    pub(super) fn takes_clients(&self, piece: &Piece) -> bool {
        let object = self.targets.at(piece.target).object;
        let object = object.and_then(|id| self.objects.get(id));
        let is_accept = self.classes.rules.class(piece.class).name == "accept";
        is_accept || object.is_some_and(|row| row.name.ends_with("(listening)"))
    }
}
