//! Processes: one entry per executable image, so an exec starts a new one.
//!
//! A process id may be reused. [`Processes::latest`] is the newest entry of an id; entries of one
//! id are chained, so that a late fact finds its process by time.

use crate::NONE;
use crate::id_map::IdMap;
use crate::text::TextId;

/// What is known about a process.
#[derive(Debug, Clone, Copy)]
pub struct Process {
    /// The operating system's id.
    pub os_pid: u32,
    /// The parent's entry, or [`NONE`].
    pub parent: u32,
    /// The operating system's id of the parent.
    pub os_ppid: Option<u32>,
    /// The entry before its exec, or [`NONE`].
    pub predecessor: u32,
    /// The entry whose mappings it began with, or [`NONE`].
    pub copy_of: u32,
    /// The entry that had the process id before, or [`NONE`].
    pub earlier: u32,
    /// When it started; `None` is before the trace.
    pub start_ns: Option<i64>,
    /// When it ended or became another program; `None` is after the trace.
    pub end_ns: Option<i64>,
    /// When it began to end.
    pub exit_ns: Option<i64>,
    /// Its exit code.
    pub exit_code: Option<i32>,
    /// The signal that killed it.
    pub exit_signal: Option<i32>,
    /// Its name.
    pub name: Option<TextId>,
    /// Path of the executable.
    pub path: Option<TextId>,
    /// Its command line.
    pub command_line: Option<TextId>,
    /// Name or id of its user.
    pub user: Option<TextId>,
    /// Its session.
    pub session: Option<i32>,
    /// The services that it runs.
    pub services: Option<TextId>,
    /// Whether it is the kernel's.
    pub is_kernel: bool,
    /// Threads that are alive.
    pub threads: u32,
}

impl Process {
    /// Returns an entry with only an id.
    pub fn new(os_pid: u32, start_ns: Option<i64>) -> Self {
        Self {
            os_pid,
            parent: NONE,
            os_ppid: None,
            predecessor: NONE,
            copy_of: NONE,
            earlier: NONE,
            start_ns,
            end_ns: None,
            exit_ns: None,
            exit_code: None,
            exit_signal: None,
            name: None,
            path: None,
            command_line: None,
            user: None,
            session: None,
            services: None,
            is_kernel: false,
            threads: 0,
        }
    }

    /// Returns the entry of a child that `self`, entry number `number`, makes at `start_ns`.
    pub fn child(&self, number: u32, os_pid: u32, start_ns: i64) -> Self {
        Self {
            parent: number,
            os_ppid: Some(self.os_pid),
            predecessor: NONE,
            copy_of: number,
            ..self.fresh(os_pid, start_ns)
        }
    }

    /// Returns the entry that `self`, entry number `number`, becomes by an exec at `start_ns`.
    pub fn successor(&self, number: u32, start_ns: i64) -> Self {
        Self {
            predecessor: number,
            copy_of: NONE,
            path: None,
            command_line: None,
            is_kernel: false,
            ..self.fresh(self.os_pid, start_ns)
        }
    }

    /// Takes the start time by the wall clock, in a trace that starts at `trace_ns`. A start event
    /// is more exact, unless it is far off: then it only shows when the process was first seen.
    pub fn starts_at(&mut self, told_ns: i64, trace_ns: i64) {
        let is_known = self
            .start_ns
            .is_some_and(|start| start.abs_diff(told_ns) <= WALL_CLOCK_NS);
        if !is_known {
            self.start_ns = (told_ns > trace_ns).then_some(told_ns);
        }
    }

    fn fresh(&self, os_pid: u32, start_ns: i64) -> Self {
        Self {
            os_pid,
            earlier: NONE,
            start_ns: Some(start_ns),
            end_ns: None,
            exit_ns: None,
            exit_code: None,
            exit_signal: None,
            threads: 0,
            ..*self
        }
    }
}

/// Maximum difference between the wall clock and the trace's clock.
const WALL_CLOCK_NS: u64 = 1_000_000_000;

/// Maximum number of earlier entries of a process id that are searched. Events are recorded soon
/// after they happen, so a few are enough; in a damaged file, an id may begin again at every event.
const MAX_EARLIER: usize = 1 << 10;

/// The processes of a trace, in the order they were first seen.
#[derive(Debug)]
pub struct Processes {
    /// The entries, by their numbers.
    pub all: Vec<Process>,
    by_pid: IdMap,
    limit: u32,
    /// Processes left out because of the limit.
    pub refused: u64,
}

impl Processes {
    /// Returns an empty set of at most `limit` entries.
    pub fn new(limit: u32) -> Self {
        Self {
            all: Vec::new(),
            by_pid: IdMap::default(),
            limit,
            refused: 0,
        }
    }

    /// Adds an entry, the newest of its id; `None` at the limit.
    pub fn add(&mut self, mut process: Process) -> Option<u32> {
        let number = u32::try_from(self.all.len())
            .ok()
            .filter(|&number| number < self.limit);
        let Some(number) = number else {
            self.refused += 1;
            return None;
        };
        process.earlier = self.by_pid.get(process.os_pid).unwrap_or(NONE);
        self.by_pid.insert(process.os_pid, number);
        self.all.push(process);
        Some(number)
    }

    /// Returns the newest entry of a process id.
    pub fn latest(&self, pid: u32) -> Option<u32> {
        self.by_pid.get(pid)
    }

    /// Returns the newest entry of a process id if it has not ended.
    pub fn living(&self, pid: u32) -> Option<u32> {
        let number = self.latest(pid)?;
        self.get(number)
            .filter(|process| process.end_ns.is_none())
            .map(|_| number)
    }

    /// Returns the entry that had a process id at a time, or else its newest.
    pub fn at(&self, pid: u32, ns: Option<i64>) -> Option<u32> {
        let latest = self.latest(pid)?;
        let Some(ns) = ns else {
            return Some(latest);
        };
        let mut number = latest;
        for _ in 0..MAX_EARLIER {
            let Some(process) = self.get(number) else {
                break;
            };
            let is_it = process.start_ns.is_none_or(|start| start <= ns);
            if is_it || process.earlier == NONE {
                return Some(number);
            }
            number = process.earlier;
        }
        Some(latest)
    }

    /// Returns an entry.
    pub fn get(&self, number: u32) -> Option<&Process> {
        self.all.get(usize::try_from(number).ok()?)
    }

    /// Returns an entry.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Process> {
        self.all.get_mut(usize::try_from(number).ok()?)
    }
}
