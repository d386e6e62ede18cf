//! Who used the CPUs and the disks of the machine, and who had to wait for a CPU.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use whyslow_model::tables::DiskIoRow;
use whyslow_model::{Capability, ProcessId, Scan, TableRow, ThreadState, WaitReason};
use whyslow_query::View;
use whyslow_query::called;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::interval::Interval;
use whyslow_query::rows;
use whyslow_query::scope::Scope;
use whyslow_query::spans::Spans;
use whyslow_story::recorded::recorder;

/// The most requests to disks that are looked at.
const MOST_REQUESTS: usize = 1 << 20;

/// The process that closes the events of an earlier recording, which takes the kernel some seconds. The recorder
/// gives it this name; a test compares them.
const CLOSER: &str = "whyslow-close";

/// The most steps from a process to the one that started it.
const MOST_STEPS: usize = 64;

/// Who used the machine.
#[derive(Debug)]
pub(super) struct Busy {
    /// By process.
    use_of: Vec<Use>,
    /// The name of each process for people; empty for those of the kernel and the recorder.
    names: Vec<String>,
    /// Which processes are looked at; `None` for all.
    members: Option<Vec<bool>>,
    /// CPU time of programs that are not looked at.
    pub(super) others_ns: i64,
    pub(super) kernel_ns: i64,
    pub(super) recorder_ns: i64,
    pub(super) competing_ns: Option<i64>,
    pub(super) disk_ns: Option<i64>,
}

/// What a process did.
#[derive(Debug, Default, Clone, Copy)]
struct Use {
    cpu_ns: i64,
    competing_ns: i64,
    /// Waited so that no signal could end it: for a disk, a network drive, a lock of the kernel.
    blocked_ns: i64,
}

impl Use {
    fn add(&mut self, other: Self) {
        self.cpu_ns = self.cpu_ns.saturating_add(other.cpu_ns);
        self.competing_ns = self.competing_ns.saturating_add(other.competing_ns);
        self.blocked_ns = self.blocked_ns.saturating_add(other.blocked_ns);
    }

    fn activity_ns(self) -> i64 {
        let waited = self.competing_ns.saturating_add(self.blocked_ns);
        self.cpu_ns.saturating_add(waited)
    }
}

/// A program that was there from the beginning, with what it started.
#[derive(Debug, Clone)]
pub(super) struct Running {
    pub(super) os_pid: i32,
    pub(super) cpu_ns: i64,
    /// On the CPU, ready without one, or blocked in the kernel.
    pub(super) activity_ns: i64,
    /// How many others of its name are counted with it.
    pub(super) alike: i64,
}

impl Busy {
    /// Reads who did what in `window`; of all processes, or only of those for which `members` says so.
    pub(super) fn read(
        view: View<'_>,
        facts: &Facts,
        window: (i64, i64),
        members: Option<Vec<bool>>,
    ) -> Result<Self, QueryError> {
        let mut scope = Scope::whole(facts);
        scope.window_ns = Some(window);
        let mut use_of = vec![Use::default(); facts.processes.len()];
        let has_states = facts.has(Capability::Switches);
        if has_states {
            rows::detailed_intervals(view, &scope, |interval| {
                if let Some(sum) = use_of.get_mut(interval.process.index()) {
                    sum.add(of_interval(interval));
                }
            })?;
        } else {
            rows::samples(view, &scope, |sample| {
                if let Some(sum) = use_of.get_mut(sample.process.index()) {
                    sum.cpu_ns = sum.cpu_ns.saturating_add(sample.weight_ns);
                }
            })?;
        }
        let recorder = recorder(view, facts)?;
        let mut busy = Self {
            use_of,
            names: Vec::new(),
            members,
            others_ns: 0,
            kernel_ns: 0,
            recorder_ns: 0,
            competing_ns: has_states.then_some(0),
            disk_ns: disk(view, facts, window)?,
        };
        busy.sort_out(facts, recorder);
        Ok(busy)
    }

    /// Separates programs from the kernel and the recorder.
    fn sort_out(&mut self, facts: &Facts, recorder: Option<ProcessId>) {
        for ((id, row), use_of) in ProcessId::all().zip(&facts.processes).zip(&mut self.use_of) {
            let is_looked_at = looked_at(self.members.as_deref(), id.index());
            let other = match () {
                () if Some(id) == recorder || row.name == CLOSER => Some(&mut self.recorder_ns),
                () if row.is_kernel != 0 => Some(&mut self.kernel_ns),
                () if !is_looked_at => Some(&mut self.others_ns),
                () => None,
            };
            if let Some(sum) = other {
                *sum = sum.saturating_add(use_of.cpu_ns);
                *use_of = Use::default();
                self.names.push(String::new());
                continue;
            }
            self.names.push(called::process(row).to_owned());
            if let Some(sum) = &mut self.competing_ns {
                *sum = sum.saturating_add(use_of.competing_ns);
            }
        }
    }

    /// Returns the CPU time of programs by name, largest first.
    pub(super) fn by_name(&self) -> Vec<(String, i64)> {
        let mut names: BTreeMap<&str, i64> = BTreeMap::new();
        for (name, use_of) in self.names.iter().zip(&self.use_of) {
            if use_of.cpu_ns > 0 {
                *names.entry(name).or_default() += use_of.cpu_ns;
            }
        }
        let mut all: Vec<_> = names
            .into_iter()
            .map(|(name, ns)| (name.to_owned(), ns))
            .collect();
        all.sort_by_key(|(_, ns)| std::cmp::Reverse(*ns));
        all
    }

    /// Returns the programs, those that did most first; of several with the same name, the one that did most.
    pub(super) fn programs(&self, facts: &Facts) -> Vec<Running> {
        let mut sums: BTreeMap<usize, Use> = BTreeMap::new();
        let members = self.members.as_deref();
        for (at, use_of) in self.use_of.iter().enumerate() {
            let is_asked_for = members.is_some() && looked_at(members, at);
            if use_of.activity_ns() > 0 || is_asked_for {
                let root = root_of(facts, at, members);
                sums.entry(root).or_default().add(*use_of);
            }
        }
        let mut roots: Vec<_> = sums.into_iter().collect();
        roots.sort_by_key(|&(at, sum)| (std::cmp::Reverse(sum.activity_ns()), at));
        let mut programs: Vec<(&str, Running)> = Vec::new();
        let mut place_of: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, sum) in roots {
            let name = self.names[at].as_str();
            if let Some(&place) = place_of.get(name) {
                let first = &mut programs[place].1;
                first.alike += 1;
                first.cpu_ns = first.cpu_ns.saturating_add(sum.cpu_ns);
                continue;
            }
            place_of.insert(name, programs.len());
            let running = Running {
                os_pid: facts.processes[at].os_pid,
                cpu_ns: sum.cpu_ns,
                activity_ns: sum.activity_ns(),
                alike: 0,
            };
            programs.push((name, running));
        }
        programs.into_iter().map(|(_, running)| running).collect()
    }
}

fn of_interval(interval: &Interval) -> Use {
    let ns = interval.ns();
    match interval.state {
        ThreadState::Running => Use {
            cpu_ns: ns,
            ..Use::default()
        },
        ThreadState::Ready => Use {
            competing_ns: interval.ready.map_or(0, |ready| ready.competing_ns),
            ..Use::default()
        },
        ThreadState::Waiting if interval.reason == WaitReason::Uninterruptible => Use {
            blocked_ns: ns,
            ..Use::default()
        },
        _ => Use::default(),
    }
}

/// Returns the process that was there from the beginning and started this one, maybe through others.
/// A process that was started by the system's first process, by none, or by one that is not looked at, is its own root.
fn root_of(facts: &Facts, process: usize, members: Option<&[bool]>) -> usize {
    let mut at = process;
    for _ in 0..MOST_STEPS {
        let row = &facts.processes[at];
        if row.predecessor.is_none() && row.start_ns.is_none_or(|start| start <= 0) {
            break;
        }
        let above = row.predecessor.or(row.parent).map(ProcessId::index);
        match above.filter(|&above| above < facts.processes.len()) {
            Some(above) if !looked_at(members, above) => break,
            Some(above) if facts.processes[above].os_pid > 1 => at = above,
            _ => break,
        }
    }
    at
}

fn looked_at(members: Option<&[bool]>, process: usize) -> bool {
    members.is_none_or(|members| members.get(process) == Some(&true))
}

/// Returns how long the busiest disk had at least one request under way.
fn disk(view: View<'_>, facts: &Facts, window: (i64, i64)) -> Result<Option<i64>, QueryError> {
    if !facts.has(Capability::DiskIo) {
        return Ok(None);
    }
    let mut requests: BTreeMap<Option<i32>, Vec<(i64, i64)>> = BTreeMap::new();
    let mut count = 0;
    let scan = Scan::default();
    view.scan(DiskIoRow::SCHEMA, &scan, &mut |table| {
        for row in table.rows::<DiskIoRow>() {
            let end = row
                .issue_ns
                .saturating_add(row.duration_ns.unwrap_or(0).max(0));
            let (from, to) = (row.issue_ns.max(window.0), end.min(window.1));
            if from < to && count < MOST_REQUESTS {
                count += 1;
                requests.entry(row.disk).or_default().push((from, to));
            }
        }
        ControlFlow::Continue(())
    })?;
    let busiest = requests.into_values().map(|spans| Spans::new(spans).ns());
    Ok(Some(busiest.max().unwrap_or(0)))
}
