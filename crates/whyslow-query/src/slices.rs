//! What processes did over time, in slices of equal width.
//!
//! An interval that covers many slices costs no more than one that covers two: the slices in its
//! middle are counted by a difference at each end, and added up when the process is done.

use whyslow_model::tables::TimelineRow;
use whyslow_model::{ProcessId, ThreadState};

use crate::interval::{Interval, scaled};
use crate::rows::Sample;

/// How time is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Start of the first slice.
    pub(crate) start_ns: i64,
    /// Width of a slice.
    pub(crate) width_ns: i64,
    /// Number of slices.
    pub(crate) count: usize,
}

/// Maximum number of slices that a question may ask for.
pub(crate) const MOST_SLICES: i64 = 2_000_000;

impl Cut {
    /// Returns the slices of `width_ns` that cover `[from_ns, to_ns)`.
    pub(crate) fn new(from_ns: i64, to_ns: i64, width_ns: i64) -> Self {
        let length = to_ns.saturating_sub(from_ns).max(0);
        let width_ns = width_ns.max(1).max(length / MOST_SLICES);
        let count = usize::try_from(length / width_ns + i64::from(length % width_ns != 0))
            .unwrap_or(1)
            .max(1);
        Self {
            start_ns: from_ns,
            width_ns,
            count,
        }
    }

    /// Returns the slice of `time_ns`; times outside belong to the first or last one.
    fn slice(&self, time_ns: i64) -> usize {
        let at = (time_ns.saturating_sub(self.start_ns)).max(0) / self.width_ns;
        usize::try_from(at).unwrap_or(0).min(self.count - 1)
    }

    /// Returns the slice of `time_ns` as a number for [`SliceSum`].
    pub(crate) fn slice_of(&self, time_ns: i64) -> u32 {
        u32::try_from(self.slice(time_ns)).unwrap_or(u32::MAX)
    }

    /// Returns the start of a slice.
    pub(crate) fn start(&self, slice: usize) -> i64 {
        let slice = i64::try_from(slice).unwrap_or(0);
        self.start_ns + slice * self.width_ns
    }
}

/// What one process did in one slice, summed over its threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SliceSum {
    pub(crate) process: ProcessId,
    pub(crate) slice: u32,
    pub(crate) cpu_sampled_ns: i64,
    pub(crate) cpu_ns: i64,
    pub(crate) ready_ns: i64,
    pub(crate) wait_ns: i64,
    pub(crate) off_cpu_ns: i64,
    pub(crate) unknown_ns: i64,
    pub(crate) switches: i64,
}

/// Columns of the sums, in the form that the intervals fill.
const RUNNING: usize = 0;
const READY: usize = 1;
const WAITING: usize = 2;
const OFF_CPU: usize = 3;
const UNKNOWN: usize = 4;
const STATES: usize = 5;

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    ns: [i64; STATES],
    /// Change, from this slice on, in the time of intervals that cover whole slices.
    whole_ns: [i64; STATES],
    switches: i64,
}

/// Computes the sums; rows come by process, all samples before the first interval.
#[derive(Debug)]
pub(crate) struct Slices {
    cut: Cut,
    process: Option<ProcessId>,
    cells: Vec<Cell>,
    /// The slices of the process that hold anything: from, to.
    used: (usize, usize),
    sampled: Vec<SliceSum>,
    done: Vec<SliceSum>,
}

impl Slices {
    /// Returns an empty computation.
    pub(crate) fn new(cut: Cut) -> Self {
        Self {
            cut,
            process: None,
            cells: vec![Cell::default(); cut.count + 1],
            used: (usize::MAX, 0),
            sampled: Vec::new(),
            done: Vec::new(),
        }
    }

    /// Adds a sample.
    pub(crate) fn sample(&mut self, sample: &Sample) {
        let slice = self.cut.slice_of(sample.time_ns);
        let last = self.sampled.last_mut();
        match last.filter(|last| last.process == sample.process && last.slice == slice) {
            Some(last) => last.cpu_sampled_ns += sample.weight_ns,
            None => self.sampled.push(SliceSum {
                cpu_sampled_ns: sample.weight_ns,
                ..SliceSum::zero(sample.process, slice)
            }),
        }
    }

    /// Adds an interval.
    pub(crate) fn interval(&mut self, interval: &Interval) {
        let state = match interval.state {
            ThreadState::Running => RUNNING,
            ThreadState::Ready => READY,
            ThreadState::Waiting => WAITING,
            ThreadState::OffCpu => OFF_CPU,
            ThreadState::Unknown => UNKNOWN,
            ThreadState::Stopped => return,
        };
        if self.process != Some(interval.process) {
            self.end_process();
            self.process = Some(interval.process);
        }
        if interval.end_ns <= interval.start_ns && !interval.ends_running() {
            return;
        }
        let cut = self.cut;
        let first = cut.slice(interval.start_ns);
        let last = cut.slice((interval.end_ns - 1).max(interval.start_ns));
        self.used = (self.used.0.min(first), self.used.1.max(last));
        // CPU time may be accounted otherwise than from switch to switch.
        let all_ns = match state {
            RUNNING => interval.cpu_ns,
            _ => interval.ns(),
        };
        let part_ns = |from_ns: i64, to_ns: i64| scaled(all_ns, to_ns - from_ns, interval.ns());
        if first == last {
            self.cells[first].ns[state] += all_ns;
        } else {
            let first_ns = part_ns(interval.start_ns, cut.start(first + 1));
            let last_ns = part_ns(cut.start(last), interval.end_ns);
            let between = i64::try_from(last - first - 1).unwrap_or(i64::MAX);
            let rest_ns = all_ns - first_ns - last_ns;
            let each_ns = rest_ns / between.max(1);
            self.cells[first].ns[state] += first_ns + rest_ns - each_ns * between;
            self.cells[last].ns[state] += last_ns;
            self.cells[first + 1].whole_ns[state] += each_ns;
            self.cells[last].whole_ns[state] -= each_ns;
        }
        self.cells[last].switches += i64::from(interval.ends_running());
    }

    fn end_process(&mut self) {
        let Some(process) = self.process else {
            return;
        };
        let (from, to) = self.used;
        self.used = (usize::MAX, 0);
        let mut whole_ns = [0_i64; STATES];
        for slice in from..=to {
            let cell = std::mem::take(&mut self.cells[slice]);
            let mut ns = cell.ns;
            for state in 0..STATES {
                whole_ns[state] += cell.whole_ns[state];
                ns[state] += whole_ns[state];
            }
            if ns == [0; STATES] && cell.switches == 0 {
                continue;
            }
            self.done.push(SliceSum {
                process,
                slice: u32::try_from(slice).unwrap_or(u32::MAX),
                cpu_sampled_ns: 0,
                cpu_ns: ns[RUNNING],
                ready_ns: ns[READY],
                wait_ns: ns[WAITING],
                off_cpu_ns: ns[OFF_CPU],
                unknown_ns: ns[UNKNOWN],
                switches: cell.switches,
            });
        }
    }

    /// Returns the sums by process and slice; empty slices have none.
    pub(crate) fn finish(mut self) -> Vec<SliceSum> {
        self.end_process();
        // Both lists are nearly sorted: by process, and samples by thread within.
        self.done.append(&mut self.sampled);
        self.done.sort_by_key(|sum| (sum.process, sum.slice));
        self.done.dedup_by(|next, kept| {
            let same = (next.process, next.slice) == (kept.process, kept.slice);
            if same {
                kept.add(next);
            }
            same
        });
        self.done
    }
}

impl SliceSum {
    /// Returns the figures of a row of the roll-up in the form of a slice.
    pub(crate) fn of_row(row: &TimelineRow, slice: u32) -> Self {
        Self {
            process: row.process,
            slice,
            cpu_sampled_ns: row.cpu_sampled_ns,
            cpu_ns: row.cpu_ns,
            ready_ns: row.ready_ns,
            wait_ns: row.wait_ns,
            off_cpu_ns: row.off_cpu_ns,
            unknown_ns: row.unknown_ns,
            switches: row.switches,
        }
    }

    /// Returns the figures of a slice in which nothing happened.
    pub(crate) fn zero(process: ProcessId, slice: u32) -> Self {
        Self {
            process,
            slice,
            cpu_sampled_ns: 0,
            cpu_ns: 0,
            ready_ns: 0,
            wait_ns: 0,
            off_cpu_ns: 0,
            unknown_ns: 0,
            switches: 0,
        }
    }

    /// Adds the figures of another slice.
    pub(crate) fn add(&mut self, other: &Self) {
        self.cpu_sampled_ns = self.cpu_sampled_ns.saturating_add(other.cpu_sampled_ns);
        self.cpu_ns = self.cpu_ns.saturating_add(other.cpu_ns);
        self.ready_ns = self.ready_ns.saturating_add(other.ready_ns);
        self.wait_ns = self.wait_ns.saturating_add(other.wait_ns);
        self.off_cpu_ns = self.off_cpu_ns.saturating_add(other.off_cpu_ns);
        self.unknown_ns = self.unknown_ns.saturating_add(other.unknown_ns);
        self.switches = self.switches.saturating_add(other.switches);
    }
}
