//! CPU, wait and ready per process and function, from the raw rows.
//!
//! ```text
//! samples   ──► per thread: sums per stack node ──► up the tree ──► per function, once per stack
//! intervals ──► the same, and kept per process  ──► sweep over time ──► union over threads
//! ```
//!
//! Everything except the union adds up over threads, so it is summed thread by thread and nothing
//! is kept. The union needs the intervals of a whole process at once, but only for functions that
//! several threads waited in: the intervals of one thread never overlap, so for one thread the
//! union is the sum. A process with more than [`MOST_PIECES`] intervals is swept in slices of time,
//! read again one by one; the unions of disjoint slices do add up.

mod sweep;
mod tally;

use whyslow_model::{ProcessId, ThreadId, ThreadState};

use crate::error::QueryError;
use crate::frames::FunctionId;
use crate::interval::Interval;
use crate::rows::{self, Sample};
use crate::scope::Scope;
use crate::tree::{FirstSeen, StackTree};
use crate::view::View;
use sweep::{Piece, Sweep};
pub(crate) use tally::MethodSum;
use tally::{Off, Tally};

/// Maximum number of intervals of one process that are kept at once (24 bytes each).
const MOST_PIECES: usize = 4 << 20;

/// The sums of one process's functions.
#[derive(Debug)]
pub(crate) struct ProcessMethods {
    /// Id of the process.
    pub(crate) process: ProcessId,
    /// The functions and their sums, by function.
    pub(crate) methods: Vec<(FunctionId, MethodSum)>,
}

/// Computes the sums; rows come in through [`Methods::sample`] and [`Methods::interval`].
#[derive(Debug)]
pub(crate) struct Methods<'a> {
    tree: &'a StackTree,
    tally: Tally<'a>,
    sweep: Sweep<'a>,
    process: Option<ProcessId>,
    thread: Option<ThreadId>,
    /// Functions per thread seen in samples, for the count of distinct threads.
    sampled: Vec<Vec<FunctionId>>,
    /// Sums of the samples, per process.
    from_samples: Vec<Vec<(FunctionId, MethodSum)>>,
    pieces: Vec<Piece>,
    most_pieces: usize,
    overflown: bool,
    done: Vec<ProcessMethods>,
    too_large: Vec<ProcessId>,
}

impl<'a> Methods<'a> {
    /// Returns an empty computation over the stacks of `tree` with `functions` functions.
    pub(crate) fn new(tree: &'a StackTree, first: &'a FirstSeen, functions: usize) -> Self {
        Self {
            tree,
            tally: Tally::new(tree, first, functions),
            sweep: Sweep::new(tree, first, functions),
            process: None,
            thread: None,
            sampled: Vec::new(),
            from_samples: Vec::new(),
            pieces: Vec::new(),
            most_pieces: MOST_PIECES,
            overflown: false,
            done: Vec::new(),
            too_large: Vec::new(),
        }
    }

    /// Adds a sample; samples come by process and thread, all before the first interval.
    pub(crate) fn sample(&mut self, sample: &Sample) {
        if self.thread != Some(sample.thread) || self.process != Some(sample.process) {
            self.end_sampled_thread();
            if self.process != Some(sample.process) {
                self.end_sampled_process();
            }
            (self.process, self.thread) = (Some(sample.process), Some(sample.thread));
        }
        let node = self.tree.node(sample.stack);
        self.tally.sample(node, sample.time_ns, sample.weight_ns);
    }

    /// Ends the samples.
    pub(crate) fn end_samples(&mut self) {
        self.end_sampled_thread();
        self.end_sampled_process();
        (self.process, self.thread) = (None, None);
    }

    fn end_sampled_thread(&mut self) {
        let seen = self.tally.end_thread(&[]);
        if let Some(thread) = self.thread {
            put(&mut self.sampled, thread.index(), seen);
        }
    }

    fn end_sampled_process(&mut self) {
        let sums = self.tally.end_process();
        if let Some(process) = self.process {
            put(&mut self.from_samples, process.index(), sums);
        }
    }

    /// Adds an interval; intervals come by process, thread and time.
    pub(crate) fn interval(&mut self, interval: &Interval) {
        let off = match interval.state {
            ThreadState::Waiting | ThreadState::OffCpu => Off::Waiting,
            ThreadState::Ready => Off::Ready,
            ThreadState::Stopped => Off::Stopped,
            ThreadState::Running | ThreadState::Unknown => return,
        };
        if self.thread != Some(interval.thread) || self.process != Some(interval.process) {
            self.end_thread();
            if self.process != Some(interval.process) {
                self.end_process();
                self.begin_process(interval.process);
            }
            (self.process, self.thread) = (Some(interval.process), Some(interval.thread));
        }
        let node = self.tree.node(interval.stack);
        let (start, end) = (interval.start_ns, interval.end_ns);
        let switched = interval.is_switch_out();
        self.tally.interval(node, start, end, off, switched);
        if off == Off::Stopped || self.overflown || end <= start {
            return;
        }
        if self.pieces.len() == self.most_pieces {
            self.overflown = true;
            self.pieces = Vec::new();
            return;
        }
        let ready = off == Off::Ready;
        self.pieces.push(Piece::new(start, end, node, ready));
    }

    fn begin_process(&mut self, process: ProcessId) {
        let sums = self.from_samples.get_mut(process.index());
        let sums = sums.map(std::mem::take).unwrap_or_default();
        self.tally.begin_process(sums);
    }

    fn end_thread(&mut self) {
        let thread = self.thread;
        let sampled = thread.and_then(|thread| self.sampled.get_mut(thread.index()));
        let sampled = sampled.map(std::mem::take).unwrap_or_default();
        let _seen = self.tally.end_thread(&sampled);
    }

    fn end_process(&mut self) {
        let mut methods = self.tally.end_process();
        match self.process.filter(|_| self.overflown) {
            Some(process) => self.too_large.push(process),
            None => self.sweep.unite(&self.pieces, &mut methods),
        }
        if let Some(process) = self.process.filter(|_| !methods.is_empty()) {
            self.done.push(ProcessMethods { process, methods });
        }
        self.pieces.clear();
        self.overflown = false;
    }

    /// Returns the sums, by process; `view` and `scope` are those the rows came from.
    pub(crate) fn finish(
        mut self,
        view: View<'_>,
        scope: &Scope,
    ) -> Result<Vec<ProcessMethods>, QueryError> {
        self.end_thread();
        self.end_process();
        for process in std::mem::take(&mut self.too_large) {
            self.unite_in_slices(view, scope, process)?;
        }
        // These processes were sampled but have no interval.
        for (process, methods) in ProcessId::all().zip(std::mem::take(&mut self.from_samples)) {
            if !methods.is_empty() {
                self.done.push(ProcessMethods { process, methods });
            }
        }
        self.done.sort_by_key(|done| done.process);
        Ok(self.done)
    }

    /// Sweeps a process with too many intervals slice by slice.
    fn unite_in_slices(
        &mut self,
        view: View<'_>,
        scope: &Scope,
        process: ProcessId,
    ) -> Result<(), QueryError> {
        let mut scope = scope.clone();
        scope.chosen = Some(vec![process]);
        let mut starts = Vec::new();
        rows::intervals(view, &scope, |interval| {
            if interval.process == process && is_off(interval.state) {
                starts.push(interval.start_ns);
            }
        })?;
        starts.sort_unstable();
        // A slice also gets intervals that reach into it: leave room for them.
        let step = (self.most_pieces / 2).max(1);
        let bounds: Vec<i64> = starts.iter().step_by(step).skip(1).copied().collect();
        drop(starts);
        let (from, to) = scope.window_ns.unwrap_or((i64::MIN, i64::MAX));
        let lows = std::iter::once(from).chain(bounds.iter().copied());
        let highs = bounds.iter().copied().chain(std::iter::once(to));
        let Some(at) = self.done.iter().position(|done| done.process == process) else {
            return Ok(());
        };
        for (low, high) in lows.zip(highs).filter(|(low, high)| low < high) {
            scope.window_ns = Some((low, high));
            let (tree, mut pieces) = (self.tree, Vec::new());
            rows::intervals(view, &scope, |interval| {
                let (start, end) = (interval.start_ns, interval.end_ns);
                if interval.process == process && is_off(interval.state) && end > start {
                    let node = tree.node(interval.stack);
                    let ready = interval.state == ThreadState::Ready;
                    pieces.push(Piece::new(start, end, node, ready));
                }
            })?;
            self.sweep.unite(&pieces, &mut self.done[at].methods);
        }
        Ok(())
    }
}

fn is_off(state: ThreadState) -> bool {
    matches!(
        state,
        ThreadState::Waiting | ThreadState::OffCpu | ThreadState::Ready
    )
}

fn put<T: Default>(list: &mut Vec<T>, at: usize, value: T) {
    if list.len() <= at {
        list.resize_with(at + 1, T::default);
    }
    list[at] = value;
}

/// Computes the sums of everything in `scope`.
pub(crate) fn of_scope(
    view: View<'_>,
    scope: &Scope,
    tree: &StackTree,
    functions: usize,
) -> Result<Vec<ProcessMethods>, QueryError> {
    let first = FirstSeen::new(tree, functions);
    let mut methods = Methods::new(tree, &first, functions);
    rows::samples(view, scope, |sample| methods.sample(sample))?;
    methods.end_samples();
    rows::intervals(view, scope, |interval| methods.interval(interval))?;
    methods.finish(view, scope)
}

#[cfg(test)]
pub(crate) mod tests;
