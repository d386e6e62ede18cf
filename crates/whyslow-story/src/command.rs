//! Which processes and threads belong to the command, and from when to when it ran.

use std::collections::BTreeSet;

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
    /// Whether a process belongs to it and is there in its time, by id.
    pub processes: Vec<bool>,
    /// The same for threads.
    pub threads: Vec<bool>,
    /// Whether a process belongs to it, by id, also before and after its time.
    family: Vec<bool>,
    /// The same for threads.
    family_threads: Vec<bool>,
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
    /// Finds the command in the trace; `None` if its process is not there, or not in the time that `target` is about. `recorded` is the pid of the command that the
    /// recorder started.
    pub fn find(facts: &Facts, target: &Target, recorded: Option<i32>) -> Option<Self> {
        let images = Images::new(facts);
        let root = began(facts, &images, root(facts, target)?, recorded);
        let last_image = images.last(root);
        let row = &facts.processes[last_image];
        let start = facts.processes[root].start_ns.unwrap_or(0);
        let end = row.end_ns.unwrap_or_else(|| facts.duration_ns());
        let from = target.from_ns.map_or(start, |from| from.max(start));
        let to = target.to_ns.map_or(end, |to| to.min(end));
        if to <= from && start < end {
            return None;
        }
        let from = from.clamp(-FAR_NS, FAR_NS);
        let to = to.clamp(from, FAR_NS);
        let family = family(facts, root);
        let mut processes = family.clone();
        if target.from_ns.is_some() || target.to_ns.is_some() {
            for (id, row) in facts.processes.iter().enumerate() {
                let is_there = row.start_ns.is_none_or(|start| start <= to)
                    && row.end_ns.is_none_or(|end| end >= from);
                processes[id] &= is_there || id == root || id == last_image;
            }
        }
        let threads = threads_of(facts, &processes);
        let family_threads = threads_of(facts, &family);
        let mains = facts.threads.iter().enumerate();
        let of_image = |row: &whyslow_model::tables::ThreadRow| row.process.index() == last_image;
        let mut mains: Vec<_> = mains.filter(|(_, row)| of_image(row)).collect();
        mains.sort_by_key(|(_, thread)| thread.os_tid != row.os_pid);
        Some(Self {
            processes,
            threads,
            family,
            family_threads,
            root,
            last_thread: mains.first().map(|&(id, _)| id),
            span_ns: (from, to),
            images,
        })
    }

    /// Returns when the process ran that `target` names, whatever time `target` is about: its start and its
    /// end, as far as they are in the trace; `None` if it is not in the trace.
    pub fn ran_ns(facts: &Facts, target: &Target) -> Option<(Option<i64>, Option<i64>)> {
        let ever = Target {
            from_ns: None,
            to_ns: None,
            ..target.clone()
        };
        let root = root(facts, &ever)?;
        let last = Images::new(facts).last(root);
        let end_ns = facts.processes[last].end_ns;
        Some((facts.processes[root].start_ns, end_ns))
    }

    /// Returns these processes as if they were one command.
    pub(crate) fn of(
        facts: &Facts,
        members: &BTreeSet<ProcessId>,
        first: ProcessId,
        span_ns: (i64, i64),
    ) -> Self {
        let ids = ProcessId::all().take(facts.processes.len());
        let processes: Vec<bool> = ids.map(|id| members.contains(&id)).collect();
        let threads = threads_of(facts, &processes);
        Self {
            family: processes.clone(),
            family_threads: threads.clone(),
            processes,
            threads,
            root: first.index(),
            last_thread: None,
            span_ns,
            images: Images::new(facts),
        }
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

    /// Returns whether the thread with this id belongs to the command, at any time.
    pub fn has_thread(&self, id: ThreadId) -> bool {
        self.family_threads
            .get(id.index())
            .copied()
            .unwrap_or(false)
    }

    /// Returns whether the process with this id belongs to the command, at any time.
    pub fn has_process(&self, id: ProcessId) -> bool {
        self.family.get(id.index()).copied().unwrap_or(false)
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

/// Returns, per thread, whether it is one of these processes' and not a CPU's idle one.
fn threads_of(facts: &Facts, processes: &[bool]) -> Vec<bool> {
    let is_in = |process: ProcessId| processes.get(process.index()).copied().unwrap_or(false);
    let rows = facts.threads.iter();
    rows.map(|row| row.idle_cpu.is_none() && is_in(row.process))
        .collect()
}

fn index(facts: &Facts, id: Option<ProcessId>) -> Option<usize> {
    let id = id?.index();
    (id < facts.processes.len()).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_that_begins_after_the_time_that_is_looked_at_is_no_other_program() {
        let mut trace = whyslow_testkit::Literal::new(1000);
        let app = trace.process("app", 100, None);
        let child = trace.process("later", 200, Some(app));
        let other = trace.process("other", 300, None);
        let threads = [app, child, other].map(|process| trace.thread(process, "main"));
        trace.processes[child.index()].start_ns = Some(600);
        let facts = Facts::read(&trace.raw("t")).expect("rows");
        let target = Target {
            os_pid: Some(100),
            to_ns: Some(500),
            ..Target::default()
        };
        let command = Command::find(&facts, &target, None).expect("its process");
        assert_eq!(command.processes, [true, false, false]);
        assert_eq!(command.threads, [true, false, false]);
        let [app, child, other] = threads.map(|thread| command.has_thread(thread));
        assert!(app && child && !other);
    }
}
