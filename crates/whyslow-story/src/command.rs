//! Which processes and threads belong to the command, and from when to when it ran.

use whyslow_model::tables::ProcessRow;
use whyslow_model::{ProcessId, ThreadId};

use crate::images::Images;
use crate::target::Target;
use whyslow_query::facts::Facts;
use whyslow_query::scope::Scope;

/// Times are clamped so that sums do not overflow.
const FAR_NS: i64 = i64::MAX / 4;

/// The command: a process and everything it started.
#[derive(Debug)]
pub struct Command {
    /// Whether a process belongs to it, by id.
    pub processes: Vec<bool>,
    /// Whether a thread belongs to it, by id.
    pub threads: Vec<bool>,
    /// The first image of its first process.
    pub root: usize,
    /// The thread whose end is the command's end.
    pub last_thread: Option<usize>,
    /// When it began and ended, nanoseconds since the trace's start.
    pub span_ns: (i64, i64),
    /// What its processes became by exec.
    pub images: Images,
}

impl Command {
    /// Finds the command in the trace; `None` if its process is not there. `recorded` is the pid of the command that the
    /// recorder started.
    pub fn find(facts: &Facts, target: &Target, recorded: Option<i32>) -> Option<Self> {
        let images = Images::new(facts);
        let root = began(facts, &images, root(facts, target)?, recorded);
        let last_image = images.last(root);
        let row = &facts.processes[last_image];
        let start = facts.processes[root].start_ns.unwrap_or(0);
        let end = row.end_ns.unwrap_or_else(|| facts.duration_ns());
        let from = target.from_ns.map_or(start, |from| from.max(start));
        let from = from.clamp(-FAR_NS, FAR_NS);
        let to = target.to_ns.map_or(end, |to| to.min(end));
        let to = to.clamp(from, FAR_NS);
        let mut processes = family(facts, root);
        if target.from_ns.is_some() || target.to_ns.is_some() {
            for (id, row) in facts.processes.iter().enumerate() {
                let is_there = row.start_ns.is_none_or(|start| start <= to)
                    && row.end_ns.is_none_or(|end| end >= from);
                processes[id] &= is_there || id == root || id == last_image;
            }
        }
        let thread = |process: ProcessId| processes.get(process.index()).copied().unwrap_or(false);
        let of_command =
            |row: &whyslow_model::tables::ThreadRow| row.idle_cpu.is_none() && thread(row.process);
        let threads = facts.threads.iter().map(of_command).collect();
        let mains = facts.threads.iter().enumerate();
        let of_image = |row: &whyslow_model::tables::ThreadRow| row.process.index() == last_image;
        let mut mains: Vec<_> = mains.filter(|(_, row)| of_image(row)).collect();
        mains.sort_by_key(|(_, thread)| thread.os_tid != row.os_pid);
        Some(Self {
            processes,
            threads,
            root,
            last_thread: mains.first().map(|&(id, _)| id),
            span_ns: (from, to),
            images,
        })
    }

    /// Returns how long the command took.
    pub fn wall_ns(&self) -> i64 {
        self.span_ns.1.saturating_sub(self.span_ns.0)
    }

    /// Returns the rows of the command, cut to its time.
    pub fn scope(&self) -> Scope {
        let ids = ProcessId::all().zip(&self.processes);
        Scope {
            processes: self.processes.clone(),
            threads: self.threads.clone(),
            chosen: Some(ids.filter(|&(_, &of)| of).map(|(id, _)| id).collect()),
            window_ns: Some(self.span_ns),
            by_thread: true,
        }
    }

    /// Returns whether the thread with this id belongs to the command.
    pub fn has_thread(&self, id: ThreadId) -> bool {
        self.threads.get(id.index()).copied().unwrap_or(false)
    }

    /// Returns whether the process with this id belongs to the command.
    pub fn has_process(&self, id: ProcessId) -> bool {
        self.processes.get(id.index()).copied().unwrap_or(false)
    }
}

/// Returns the first image of the process `target` names.
///
/// A pid may have been used twice: the one that lived longest within the target's time counts.
fn root(facts: &Facts, target: &Target) -> Option<usize> {
    let os_pid = target.os_pid?;
    let from = target.from_ns.unwrap_or(i64::MIN);
    let to = target.to_ns.unwrap_or(i64::MAX);
    let within = |row: &ProcessRow| {
        let start = row.start_ns.unwrap_or(i64::MIN).max(from);
        let end = row.end_ns.unwrap_or(i64::MAX).min(to);
        end.saturating_sub(start)
    };
    let rows = facts.processes.iter().enumerate();
    let rows = rows.filter(|(_, row)| row.os_pid == os_pid && within(row) >= 0);
    let (mut at, _) = rows.max_by_key(|(id, row)| (within(row), std::cmp::Reverse(*id)))?;
    // Back to the image before all execs, as long as it is the same process.
    for _ in 0..facts.processes.len() {
        match index(facts, facts.processes[at].predecessor) {
            Some(before) if facts.processes[before].os_pid == os_pid => at = before,
            _ => break,
        }
    }
    Some(at)
}

/// Returns the image the command begins with: not the copy of its starter that was forked to exec
/// the command.
fn began(facts: &Facts, images: &Images, root: usize, recorded: Option<i32>) -> usize {
    let row = &facts.processes[root];
    let copy = match index(facts, row.parent) {
        Some(parent) => facts.processes[parent].name == row.name,
        // Without root, the recording has only the recorder's copy, which is held until the command begins.
        None => recorded == Some(row.os_pid) && row.start_ns.is_none(),
    };
    let next = || images.next(root).filter(|_| copy);
    next().unwrap_or(root)
}

/// Returns, per process, whether it is `root`, what that became, or what any of these started.
fn family(facts: &Facts, root: usize) -> Vec<bool> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); facts.processes.len()];
    for (id, row) in facts.processes.iter().enumerate() {
        let above = [row.parent, row.predecessor];
        for above in above.into_iter().filter_map(|above| index(facts, above)) {
            below[above].push(id);
        }
    }
    let mut members = vec![false; facts.processes.len()];
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        if !std::mem::replace(&mut members[id], true) {
            todo.append(&mut below[id]);
        }
    }
    members
}

fn index(facts: &Facts, id: Option<ProcessId>) -> Option<usize> {
    let id = id?.index();
    (id < facts.processes.len()).then_some(id)
}
