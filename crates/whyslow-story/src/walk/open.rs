//! Waits that are not over when the time that is followed is, or when somebody asked whether their process still
//! runs: who was to end them.

use whyslow_query::interval::Waker;

use super::threads::Piece;
use super::{MOST_LOOKS, Walk};
use crate::path::SHORT_NS;

/// Classes of waits for another thread.
const FOR_THREADS: [&str; 10] = [
    "condition",
    "join",
    "futex",
    "channel",
    "parking",
    "lock",
    "python-lock",
    "semaphore",
    "barrier",
    "once",
];

/// Classes of waits for something outside the process: who is in one has something to wait for.
const OUTSIDE: [&str; 8] = [
    "child",
    "pipe",
    "socket",
    "poll",
    "dns",
    "file-lock",
    "database-lock",
    "ipc",
];

impl Walk<'_> {
    /// Returns the thread that was to end a wait which lasts to the end of the time that is followed: the one that does
    /// so later, a child that is waited for, or the one other thread of the process that waits for something outside.
    pub(crate) fn would_end(
        &mut self,
        thread: usize,
        piece: &Piece,
        time: (i64, i64),
    ) -> Option<usize> {
        let (start, end) = time;
        let is_end = end == self.span_ns.1 || self.asked_at == Some(end);
        let is_open = is_end && piece.end_ns >= end;
        let is_short = end.saturating_sub(start) < SHORT_NS;
        let (rules, class) = (self.classes.rules, piece.class);
        if !is_open || is_short || !self.followed[usize::from(class)] || rules.is_for_work(class) {
            return None;
        }
        if let Waker::Thread(waker) = piece.waker
            && self.command.has_thread(waker)
            && self.may_follow(thread, waker.index(), end)
            && !rules.is_cut_short(piece.end)
        {
            return Some(waker.index());
        }
        let class = rules.class(class).name.as_str();
        match FOR_THREADS.contains(&class) {
            true => self.outside(thread, time),
            false => self.child_of(thread, (piece, class), time),
        }
    }

    /// Returns whether the path may go on with another thread, which was there and is not on it already.
    fn may_follow(&self, thread: usize, other: usize, end: i64) -> bool {
        let is_on_path = || self.returns.iter().any(|&(on, _)| on == other);
        let there = || self.threads.before(other, end);
        let is_there = || there().is_some_and(|piece| piece.end_ns >= end);
        other != thread && is_there() && !is_on_path()
    }

    /// Returns the main thread of the child that a thread waits for: the one that it asked for, or of several the one
    /// that did most. One that is not told apart from others may have been at the other end of a pipe.
    fn child_of(
        &mut self,
        thread: usize,
        (piece, class): (&Piece, &str),
        (start, end): (i64, i64),
    ) -> Option<usize> {
        let object = self.targets.at(piece.target).object;
        let object = object.and_then(|id| self.objects.get(id));
        let (is_pipe, wanted) =
            object.map_or((true, None), |row| (row.kind == "pipe", row.peer_pid));
        if !(class == "child" || matches!(class, "signal" | "pipe" | "poll") && is_pipe) {
            return None;
        }
        let process = self.facts.threads.get(thread)?.process;
        let children = self.children.of(process).to_vec();
        self.looks = self.looks.saturating_add(children.len());
        if self.looks > MOST_LOOKS {
            return None;
        }
        let there = children.into_iter().filter(|&child| {
            let row = self.facts.threads.get(child);
            let is_wanted = |pid: i32| row.is_some_and(|row| row.os_tid == pid);
            let known = row.is_some_and(|row| self.command.has_process(row.process));
            known && wanted.is_none_or(is_wanted) && self.may_follow(thread, child, end)
        });
        let there: Vec<usize> = there.collect();
        if class != "child" && there.len() > 1 {
            return None;
        }
        there
            .into_iter()
            .max_by_key(|&child| self.threads.active_ns(child, start, end))
    }

    /// Returns the thread of the same process that waited for something outside for at least half of the time, if all
    /// that did so waited alike: the one that waited longest.
    fn outside(&mut self, thread: usize, (start, end): (i64, i64)) -> Option<usize> {
        let process = self.facts.threads.get(thread)?.process;
        let of_process = self.of_process.get(process.index())?;
        self.looks = self.looks.saturating_add(of_process.len());
        if self.looks > MOST_LOOKS {
            return None;
        }
        let half = end.saturating_sub(start) / 2;
        let mut found: Option<(i64, usize, u8)> = None;
        for &other in of_process {
            let Some(piece) = self.threads.before(other, end) else {
                continue;
            };
            let class = self.classes.rules.class(piece.class).name.as_str();
            let ns = piece
                .end_ns
                .min(end)
                .saturating_sub(piece.start_ns.max(start));
            let waits = piece.is_wait() && OUTSIDE.contains(&class) && ns >= half;
            let name = self.facts.thread_name(super::thread_id(other));
            if !waits || self.classes.rules.is_helper(name) || !self.may_follow(thread, other, end)
            {
                continue;
            }
            match found {
                Some((.., known)) if known != piece.class => return None,
                Some((longest, ..)) if longest >= ns => {}
                _ => found = Some((ns, other, piece.class)),
            }
        }
        found.map(|(_, other, _)| other)
    }
}
