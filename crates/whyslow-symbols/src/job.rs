//! The addresses of one call on their way to names: moved, named, handed out.

use crate::busy_wait;
use crate::lines::LineReader;
use crate::names::Named;
use crate::{ModuleReport, Names, Reason, Resolution, SymbolFrame};

/// The addresses of one call on their way to names.
pub(crate) struct Job<'a> {
    /// Address and its index in the caller's list; those done are removed.
    pub(crate) places: Vec<(u64, usize)>,
    pub(crate) names: &'a mut Names,
    pub(crate) out: &'a mut dyn FnMut(usize, Resolution<'_>),
    pub(crate) report: ModuleReport,
    /// Per place, in their order, whether it is in a loop that only waits for memory to change; may be shorter.
    pub(crate) waits: Vec<bool>,
}

impl Job<'_> {
    /// Returns whether the place at `position` only waits for memory to change.
    fn is_busy_wait(&self, position: usize) -> bool {
        self.waits.get(position).is_some_and(|&waits| waits)
    }

    /// Replaces every address by what `to` says; addresses without one fail for `reason`.
    pub(crate) fn move_places(&mut self, reason: Reason, to: impl Fn(u64) -> Option<u64>) {
        let mut n_out = 0;
        self.places
            .retain_mut(|(address, index)| match to(*address) {
                Some(moved) => {
                    *address = moved;
                    true
                }
                None => {
                    n_out += 1;
                    (self.out)(*index, Resolution::Unresolved(reason));
                    false
                }
            });
        self.report.n_unresolved += n_out;
    }

    /// Sorts the places and returns their addresses.
    pub(crate) fn sorted_addresses(&mut self) -> Vec<u64> {
        self.places.sort_unstable();
        self.places.iter().map(|&(address, _)| address).collect()
    }

    /// Hands out the result for all places, in their order.
    pub(crate) fn finish(&mut self, named: &[Option<Named>], reason: Reason) {
        for (position, (&(address, index), name)) in self.places.iter().zip(named).enumerate() {
            match name {
                Some((function, start)) => {
                    self.report.n_named += 1;
                    let is_busy_wait = self.is_busy_wait(position);
                    let frame = SymbolFrame {
                        function: *function,
                        offset_bytes: address.wrapping_sub(*start),
                        inlined: false,
                        file: None,
                        line: None,
                    };
                    let wait = is_busy_wait.then(|| busy_wait(&frame, self.names));
                    let frames: Vec<SymbolFrame> = wait.into_iter().chain([frame]).collect();
                    (self.out)(index, Resolution::Frames(&frames));
                }
                None => {
                    self.report.n_unresolved += 1;
                    (self.out)(index, Resolution::Unresolved(reason));
                }
            }
        }
        self.places.clear();
    }

    /// Like [`Job::finish`], with what `lines` knows.
    pub(crate) fn finish_with_lines(
        &mut self,
        named: &[Option<Named>],
        lines: &LineReader<'_>,
        reason: Reason,
    ) {
        let mut frames = Vec::new();
        let mut last = None;
        let places = self.places.iter().zip(named).enumerate();
        for (position, (&(address, index), &symbol)) in places {
            if last.replace(address) != Some(address) {
                lines.frames_at(address, symbol, self.names, &mut frames);
                if let Some(innermost) = frames.first().filter(|_| self.is_busy_wait(position)) {
                    frames.insert(0, busy_wait(innermost, self.names));
                }
            }
            if frames.is_empty() {
                self.report.n_unresolved += 1;
                (self.out)(index, Resolution::Unresolved(reason));
            } else {
                self.report.n_named += 1;
                (self.out)(index, Resolution::Frames(&frames));
            }
        }
        self.places.clear();
    }

    /// Hands out the frames of each place; where there are none, `reason`.
    pub(crate) fn finish_with_frames(&mut self, frames: &[Vec<SymbolFrame>], reason: Reason) {
        for (&(_, index), frames) in self.places.iter().zip(frames) {
            if frames.is_empty() {
                self.report.n_unresolved += 1;
                (self.out)(index, Resolution::Unresolved(reason));
            } else {
                self.report.n_named += 1;
                (self.out)(index, Resolution::Frames(frames));
            }
        }
        self.places.clear();
    }

    /// Hands out `reason` for all places.
    pub(crate) fn fail_all(&mut self, reason: Reason) {
        for (_, index) in self.places.drain(..) {
            self.report.n_unresolved += 1;
            (self.out)(index, Resolution::Unresolved(reason));
        }
    }
}

/// The frame that says that its function only waited for memory to change.
fn busy_wait(function: &SymbolFrame, names: &mut Names) -> SymbolFrame {
    SymbolFrame {
        function: names.intern(busy_wait::NAME),
        inlined: true,
        ..*function
    }
}
