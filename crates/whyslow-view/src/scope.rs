//! The part of a trace that a selection counts: processes, threads, a window of time.

use whyslow_model::tables::ProcessRow;
use whyslow_model::{ProcessId, ThreadId};

use crate::called;
use crate::error::QueryError;
use crate::facts::Facts;
use crate::marks;
use crate::selection::Selection;
use crate::view::View;

/// The part of one trace that counts.
#[derive(Debug, Clone)]
pub struct Scope {
    /// Whether a process counts, by id.
    pub processes: Vec<bool>,
    /// Whether a thread counts, by id; threads of processes that do not count do not count either.
    pub threads: Vec<bool>,
    /// The ids of the processes that count, if not all do.
    pub chosen: Option<Vec<ProcessId>>,
    /// The window `[from, to)`; `None` is the whole trace.
    pub window_ns: Option<(i64, i64)>,
    /// Whether threads were chosen one by one.
    pub by_thread: bool,
}

impl Scope {
    /// Returns how many threads that count each process has; `None` if no event was about the
    /// threads of a process, so that the trace has none.
    pub fn threads_per_process(&self, facts: &Facts) -> Vec<Option<i32>> {
        let mut counts = vec![None; facts.processes.len()];
        for (id, thread) in ThreadId::all().zip(&facts.threads) {
            if let Some(count) = counts.get_mut(thread.process.index()) {
                *count = Some(count.unwrap_or(0) + i32::from(self.thread(id)));
            }
        }
        counts
    }

    /// Returns the scope of the unfiltered questions: everything except the idle threads.
    pub fn whole(facts: &Facts) -> Self {
        Self {
            processes: vec![true; facts.processes.len()],
            threads: facts.threads.iter().map(|t| t.idle_cpu.is_none()).collect(),
            chosen: None,
            window_ns: None,
            by_thread: false,
        }
    }

    /// Returns the part of the trace `view` that `selection` counts.
    ///
    /// # Errors
    /// When the trace cannot place the times of the selection, or a table cannot be read.
    pub fn new(view: View<'_>, facts: &Facts, selection: &Selection) -> Result<Self, QueryError> {
        let window_ns = window(view, facts, selection)?;
        let in_trace = !is_outside(facts, window_ns);
        let idle_only = idle_processes(facts);
        let mut processes = Vec::with_capacity(facts.processes.len());
        let by_name = by_name(facts, selection);
        for ((process, idle), by_name) in facts.processes.iter().zip(idle_only).zip(by_name) {
            let line = process.command_line.as_deref().unwrap_or_default();
            let by_line = selection
                .command_line
                .as_ref()
                .is_none_or(|p| p.matches(line));
            let new = selection
                .new
                .is_none_or(|new| new == process.start_ns.is_some());
            let gone = selection
                .exited
                .is_none_or(|gone| gone == process.end_ns.is_some());
            let idle = idle && !selection.idle;
            let alive = in_trace && overlaps(window_ns, process.start_ns, process.end_ns);
            processes.push(by_name && by_line && new && gone && alive && !idle);
        }
        let threads = ThreadId::all().zip(&facts.threads).map(|(id, thread)| {
            let in_process = processes.get(thread.process.index()).copied();
            let pattern = selection.threads.as_ref();
            let by_name =
                pattern.is_none_or(|p| p.matches(facts.thread_name(id), thread.os_tid.into()));
            let idle = thread.idle_cpu.is_some() && !selection.idle;
            let alive = overlaps(window_ns, thread.start_ns, thread.end_ns);
            in_process.unwrap_or(false) && by_name && alive && !idle
        });
        let threads = threads.collect();
        let all = processes.iter().all(|&wanted| wanted);
        let ids = || {
            ProcessId::all()
                .zip(&processes)
                .filter(|&(_, &wanted)| wanted)
        };
        let chosen = (!all).then(|| ids().map(|(id, _)| id).collect());
        Ok(Self {
            processes,
            threads,
            chosen,
            // What has no end, or no process, is not there either.
            window_ns: if in_trace { window_ns } else { Some(NEVER) },
            by_thread: selection.threads.is_some() || selection.idle,
        })
    }

    /// Returns whether whole processes count, so that the roll-ups hold the exact answer.
    pub fn is_whole(&self) -> bool {
        self.window_ns.is_none() && !self.by_thread
    }

    /// Returns whether process `id` counts.
    pub fn process(&self, id: ProcessId) -> bool {
        self.processes.get(id.index()).copied().unwrap_or(false)
    }

    /// Returns whether thread `id` counts.
    pub fn thread(&self, id: ThreadId) -> bool {
        self.threads.get(id.index()).copied().unwrap_or(false)
    }

    /// Returns the window, or the whole trace if there is none.
    pub fn span_ns(&self, facts: &Facts) -> (i64, i64) {
        self.window_ns.unwrap_or((0, facts.duration_ns()))
    }
}

/// Returns for each process whether its name, or that of one that started it, is wanted.
fn by_name(facts: &Facts, selection: &Selection) -> Vec<bool> {
    let rows = &facts.processes;
    let Some(wanted) = &selection.processes else {
        return vec![true; rows.len()];
    };
    let matches = |row: &ProcessRow| called::is_wanted(row, wanted);
    let mut found: Vec<bool> = rows.iter().map(matches).collect();
    if !selection.with_children {
        return found;
    }
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    for (at, row) in rows.iter().enumerate() {
        // An exec makes a new row of the same process.
        let above = [row.parent, row.predecessor].into_iter().flatten();
        for above in above {
            if let Some(below) = below.get_mut(above.index()) {
                below.push(at);
            }
        }
    }
    let mut todo: Vec<usize> = (0..rows.len()).filter(|&at| found[at]).collect();
    while let Some(at) = todo.pop() {
        for child in std::mem::take(&mut below[at]) {
            found[child] = true;
            todo.push(child);
        }
    }
    found
}

/// Returns whether a lifetime from `start_ns` to `end_ns` overlaps the window.
fn overlaps(window_ns: Option<(i64, i64)>, start_ns: Option<i64>, end_ns: Option<i64>) -> bool {
    window_ns.is_none_or(|(from, to)| {
        start_ns.is_none_or(|start| start < to) && end_ns.is_none_or(|end| end >= from)
    })
}

/// A window in which nothing happens.
const NEVER: (i64, i64) = (-1, -1);

/// Returns whether the whole window is before or after the trace.
pub fn is_outside(facts: &Facts, window_ns: Option<(i64, i64)>) -> bool {
    let end = facts.duration_ns();
    end > 0 && window_ns.is_some_and(|(from, to)| from >= end || to <= 0)
}

/// Returns the window `[from, to)` of `selection` in the trace `view`; `None` is the whole trace.
///
/// # Errors
/// When the trace cannot place these times, or a table cannot be read.
pub fn window(
    view: View<'_>,
    facts: &Facts,
    selection: &Selection,
) -> Result<Option<(i64, i64)>, QueryError> {
    let marks = match selection.needs_marks() {
        true => Some(marks::read(view)?),
        false => None,
    };
    selection.window(&facts.name, &facts.clock(), marks.as_ref())
}

/// Returns, per process, whether it has threads and all of them are idle threads.
fn idle_processes(facts: &Facts) -> Vec<bool> {
    let mut threads = vec![(0_u32, 0_u32); facts.processes.len()];
    for thread in &facts.threads {
        if let Some((all, idle)) = threads.get_mut(thread.process.index()) {
            *all += 1;
            *idle += u32::from(thread.idle_cpu.is_some());
        }
    }
    threads
        .iter()
        .map(|&(all, idle)| all > 0 && all == idle)
        .collect()
}
