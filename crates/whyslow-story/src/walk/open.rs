//! Waits that are not over when the time that is followed is: who was to end them.

use whyslow_query::interval::Waker;

use super::Walk;
use super::threads::Piece;
use crate::path::SHORT_NS;

/// Classes of waits for a child process, or for what one writes.
const FOR_CHILDREN: [&str; 4] = ["child", "signal", "pipe", "poll"];

/// Classes of waits for something outside the process: who is in one has something to wait for.
const OUTSIDE: [&str; 7] = ["child", "pipe", "socket", "poll", "dns", "file-lock", "ipc"];

impl Walk<'_> {
    /// Returns the thread that was to end a wait which lasts to the end of the time that is followed: the one that does
    /// so later, a child that is waited for, or the one other thread of the process that waits for something outside.
    pub(crate) fn would_end(
        &self,
        thread: usize,
        piece: &Piece,
        (start, end): (i64, i64),
    ) -> Option<usize> {
        let is_open = end == self.span_ns.1 && piece.end_ns >= end;
        if !is_open || !self.followed[usize::from(piece.class)] || end - start < SHORT_NS {
            return None;
        }
        if self.classes.rules.is_for_work(piece.class) {
            return None;
        }
        if let Waker::Thread(waker) = piece.waker
            && self.command.has_thread(waker)
            && self.may_follow(thread, waker.index(), end)
            && !self.classes.rules.is_cut_short(piece.end)
        {
            return Some(waker.index());
        }
        self.child_of(thread, piece, (start, end))
            .or_else(|| self.outside(thread, (start, end)))
    }

    /// Returns whether the path may go on with another thread, which was there and is not on it already.
    fn may_follow(&self, thread: usize, other: usize, end: i64) -> bool {
        let is_on_path = self.returns.iter().any(|&(on, _)| on == other);
        let there = self.threads.before(other, end);
        let there = there.is_some_and(|piece| piece.end_ns >= end);
        other != thread && !is_on_path && there
    }

    /// Returns the main thread of the child that a thread waits for: of several, the one that did most.
    fn child_of(&self, thread: usize, piece: &Piece, (start, end): (i64, i64)) -> Option<usize> {
        let class = self.classes.rules.class(piece.class).name.as_str();
        if !FOR_CHILDREN.contains(&class) {
            return None;
        }
        let process = self.facts.threads.get(thread)?.process;
        let children = self.children.of(process).iter().copied();
        let there = children.filter(|&child| {
            let row = self.facts.threads.get(child);
            let known = row.is_some_and(|row| self.command.has_process(row.process));
            known && self.may_follow(thread, child, end)
        });
        let mut there: Vec<usize> = there.collect();
        // Of several children, another one may be the one that writes.
        if class != "child" && there.len() > 1 {
            return None;
        }
        there.sort_by_key(|&child| std::cmp::Reverse(self.threads.active_ns(child, start, end)));
        there.first().copied()
    }

    /// Returns the thread of the same process that waited for something outside for at least half of the time, if all
    /// that did so waited alike: the one that waited longest.
    fn outside(&self, thread: usize, (start, end): (i64, i64)) -> Option<usize> {
        let process = self.facts.threads.get(thread)?.process;
        let of_process = self.of_process.get(process.index())?.iter().copied();
        let others = of_process.filter(|&other| self.may_follow(thread, other, end));
        let mut found: Option<(i64, usize, u8)> = None;
        for other in others {
            let name = self.facts.thread_name(super::thread_id(other));
            let Some(piece) = self.threads.before(other, end) else {
                continue;
            };
            let class = self.classes.rules.class(piece.class).name.as_str();
            let ns = piece.end_ns.min(end) - piece.start_ns.max(start);
            let waits = piece.is_wait() && OUTSIDE.contains(&class) && ns * 2 >= end - start;
            if !waits || self.classes.rules.is_helper(name) {
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
