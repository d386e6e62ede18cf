//! The only child of a process that waits for a signal: its end would be that signal.

use whyslow_model::{ProcessId, ThreadState};
use whyslow_query::facts::Facts;
use whyslow_query::interval::Waker;

use super::Walk;
use super::threads::Piece;
use crate::path::SHORT_NS;

/// Who ends a process when its time is up does so at once, nanoseconds.
const SOON_NS: i64 = 5_000_000;

/// Who is asked to end does so within this time, nanoseconds.
const ENDS_NS: i64 = 1_000_000_000;

/// The main threads of each process's children.
#[derive(Debug)]
pub(crate) struct Children(Vec<Vec<usize>>);

impl Children {
    /// Looks at every thread once.
    pub(crate) fn new(facts: &Facts) -> Self {
        let mut of_process = vec![Vec::new(); facts.processes.len()];
        for (id, thread) in facts.threads.iter().enumerate() {
            let process = facts.process(thread.process);
            let process = process.filter(|row| row.os_pid == thread.os_tid);
            let parent = process.and_then(|row| row.parent);
            let parent = parent.filter(|&parent| parent != thread.process);
            if let Some(list) = parent.and_then(|parent| of_process.get_mut(parent.index())) {
                list.push(id);
            }
        }
        Self(of_process)
    }

    /// Returns the main threads of the children of a process.
    pub(crate) fn of(&self, process: ProcessId) -> &[usize] {
        self.0.get(process.index()).map_or(&[], Vec::as_slice)
    }
}

impl Walk<'_> {
    /// Returns the main thread of the only child that a process had when it stopped waiting for a signal, if
    /// nothing says that it waited for something else.
    pub(crate) fn only_child(
        &self,
        thread: usize,
        piece: &Piece,
        (start, end): (i64, i64),
    ) -> Option<usize> {
        let class = self.classes.rules.class(piece.class).name.as_str();
        if class != "signal" || end - start < SHORT_NS {
            return None;
        }
        let parent = self.facts.threads.get(thread)?.process;
        let is_there = |id: &usize| {
            let piece = self.threads.before(*id, end);
            piece.is_some_and(|piece| piece.end_ns >= end)
        };
        let children = self.children.of(parent).iter().copied();
        let mut children = children.filter(is_there);
        let child = children.next()?;
        if children.next().is_some() {
            return None;
        }
        let process = self.facts.threads.get(child)?.process;
        let of = |waker| self.facts.thread(waker).map(|row| row.process);
        let fits = match piece.waker {
            Waker::Unknown => true,
            Waker::Thread(waker) => of(waker) == Some(process),
            // The process that then ends the child had set a limit to its wait.
            Waker::Interrupt | Waker::Softirq(_) => self.is_ended_by(child, parent, end),
        };
        fits.then_some(child)
    }

    /// Returns whether a process was ended by `by` after `now`, before its main thread waited once more.
    fn is_ended_by(&self, child: usize, by: ProcessId, now: i64) -> bool {
        let row = self.facts.threads.get(child);
        let Some(row) = row.filter(|row| row.end_ns.is_some()) else {
            return false;
        };
        let process = self.facts.process(row.process);
        let (Some(process), Some(piece)) = (process, self.threads.before(child, now)) else {
            return false;
        };
        let by_signal = process.exit_signal.is_some_and(|signal| signal != 0);
        if self.is_stopped_by(child, by, now) {
            return true;
        }
        if piece.state == ThreadState::Running || piece.state == ThreadState::Ready {
            return by_signal && self.threads.never_waits_after(child, now);
        }
        let Waker::Thread(waker) = piece.waker else {
            return false;
        };
        self.classes.rules.is_cut_short(piece.end)
            && self.facts.thread(waker).map(|row| row.process) == Some(by)
            // A process that dies of a signal may wait for the kernel while its files are closed.
            && (by_signal || self.threads.never_waits_after(child, piece.end_ns))
    }

    /// Returns whether a signal of `by` woke a thread of a process within `SOON_NS` after `now`, and the process then
    /// ended: it was asked to end, and did.
    fn is_stopped_by(&self, child: usize, by: ProcessId, now: i64) -> bool {
        let Some(row) = self.facts.threads.get(child) else {
            return false;
        };
        let ends_ns = now.saturating_add(ENDS_NS);
        if row.end_ns.is_none_or(|end| end > ends_ns) {
            return false;
        }
        let until = now.saturating_add(SOON_NS);
        let of = |waker| self.facts.thread(waker).map(|row| row.process);
        let threads = self.of_process.get(row.process.index());
        let mut threads = threads.map_or(&[][..], Vec::as_slice).iter();
        threads.any(|&thread| {
            let waits = self.threads.during(thread, now, until);
            let mut waits = waits.filter(|piece| piece.is_wait() && piece.end_ns <= until);
            waits.any(|piece| {
                let rules = self.classes.rules;
                let is_signal =
                    rules.is_cut_short(piece.end) || rules.class(piece.class).name == "signal";
                is_signal && matches!(piece.waker, Waker::Thread(waker) if of(waker) == Some(by))
            })
        })
    }
}
