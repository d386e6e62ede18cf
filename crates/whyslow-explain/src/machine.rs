//! What the whole machine did: how busy it was, and the programs behind that, each explained.
//!
//! ```text
//! thread states ─► use of the CPUs ─► programs, busiest first ─► the answer for each
//! ```
//!
//! A program is a process that was there from the beginning, with everything that it started
//! meanwhile.

mod busy;
mod members;

use whyslow_model::{Capability, ProcessId};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::stacks::Stacks;
use whyslow_story::story::share;

use crate::Target;
use crate::answer::{Answer, Explained};
use crate::finding::{Finding, Query};
use crate::gaps::Gap;
use busy::{Busy, Running};
pub use members::UnitAsked;

/// The most programs that are explained.
const MOST: usize = 5;

/// A program that used less of one CPU than this percentage, and waited no more for a CPU or in the
/// kernel, is not explained.
const LITTLE: f64 = 3.0;

/// What the machine did.
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    /// The extract.
    pub extract: Option<String>,
    /// How long the machine was observed.
    pub wall_ns: i64,
    /// How many CPUs it has.
    pub cpus: Option<i32>,
    /// The container or service that the answer is about; the programs below are then those in it.
    pub unit: Option<UnitUse>,
    /// CPU time of programs, by name, largest first; without the recorder's and the kernel's.
    pub busy: Vec<(String, i64)>,
    /// CPU time of the kernel's own threads.
    pub kernel_ns: i64,
    /// CPU time of the recorder.
    pub recorder_ns: i64,
    /// Whether it was recorded what the CPUs ran.
    pub knows_cpus: bool,
    /// Time that threads were ready while others used all CPUs they may use; `None` where switches were not
    /// recorded.
    pub competing_ns: Option<i64>,
    /// Time in which at least one request of a disk was under way, for the disk with the most; `None` where
    /// requests were not recorded.
    pub disk_ns: Option<i64>,
    /// The busiest programs, each with where its time went.
    pub programs: Vec<Program>,
    /// What rules of users found that are about no program alone.
    pub findings: Vec<Finding>,
    /// What is not known.
    pub gaps: Vec<Gap>,
    /// Questions to ask next.
    pub next: Vec<Query>,
}

impl Machine {
    /// Leaves out what rules found about no program alone, if it is accepted or has a smaller share of the time than
    /// `least`, 0 to 100.
    pub fn leave_out(&mut self, accepted: impl Fn(&Finding) -> bool, least: f64) {
        let wall_ns = self.wall_ns;
        let is_much = |one: &Finding| !one.has_time() || share(one.wall_ns, wall_ns) >= least;
        self.findings.retain(|one| is_much(one) && !accepted(one));
    }
}

/// What is known of a container or service beside its programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitUse {
    /// What people call it.
    pub title: String,
    /// How many processes were in it.
    pub processes: i64,
    /// CPU time of the programs outside of it.
    pub others_ns: i64,
}

/// A program that ran on the machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// Its pid.
    pub os_pid: i32,
    /// CPU time of it, of what it started, and of those like it.
    pub cpu_ns: i64,
    /// How many others of the same name did the same kind of work; only this one is explained.
    pub alike: i64,
    /// Where its time went.
    pub answer: Explained,
}

/// Explains what the machine in `view` did, in the time that `target` names.
///
/// # Errors
/// When a table cannot be read.
pub fn explain_machine(view: View<'_>, target: &Target) -> Result<Machine, QueryError> {
    explain_part(view, target, None)
}

/// Explains what the processes of a container or service did, in the time that `target` names.
///
/// # Errors
/// When a table cannot be read.
pub fn explain_unit(
    view: View<'_>,
    target: &Target,
    asked: UnitAsked<'_>,
) -> Result<Machine, QueryError> {
    explain_part(view, target, Some(asked))
}

fn explain_part(
    view: View<'_>,
    target: &Target,
    asked: Option<UnitAsked<'_>>,
) -> Result<Machine, QueryError> {
    let facts = Facts::read(view)?;
    let end = facts.duration_ns();
    let from = target.from_ns.unwrap_or(0).clamp(0, end);
    let to = target.to_ns.unwrap_or(end).clamp(from, end);
    let members = asked.map(|asked| members::find(view, &facts, asked));
    let members = members.transpose()?;
    let processes = members.as_deref().map(|of| distinct(&facts, of));
    let busy = Busy::read(view, &facts, (from, to), members)?;
    let mut machine = Machine {
        extract: target.extract.clone(),
        wall_ns: to - from,
        cpus: facts.trace.as_ref().and_then(|trace| trace.cpus),
        unit: asked.zip(processes).map(|(asked, processes)| UnitUse {
            title: asked.unit.title(),
            processes,
            others_ns: busy.others_ns,
        }),
        busy: busy.by_name(),
        kernel_ns: busy.kernel_ns,
        recorder_ns: busy.recorder_ns,
        knows_cpus: facts.has(Capability::Switches) || facts.has(Capability::CpuSamples),
        competing_ns: busy.competing_ns,
        disk_ns: busy.disk_ns,
        programs: Vec::new(),
        findings: Vec::new(),
        gaps: Vec::new(),
        next: Vec::new(),
    };
    let stacks = Stacks::read(view)?;
    let running = busy.programs(&facts);
    // Who asks about a container wants to know of it even if it does little.
    let first = usize::from(machine.unit.is_some());
    let much = |(at, one): &(usize, &Running)| {
        *at < first || share(one.activity_ns, machine.wall_ns) >= LITTLE
    };
    for (_, one) in running.iter().enumerate().filter(much).take(MOST) {
        let target = Target {
            os_pid: Some(one.os_pid),
            command: None,
            from_ns: Some(from),
            to_ns: Some(to),
            extract: target.extract.clone(),
        };
        let answer = crate::explain_with(view, &facts, &stacks, &target)?;
        if let Answer::Explained(answer) = answer {
            machine.programs.push(Program {
                os_pid: one.os_pid,
                cpu_ns: one.cpu_ns,
                alike: one.alike,
                answer: *answer,
            });
        }
    }
    machine.next = next(&machine);
    Ok(machine)
}

impl Machine {
    /// Returns `ns` as a share of all CPU time, 0 to 100.
    pub(crate) fn of_cpus(&self, ns: i64) -> f64 {
        let all = self.wall_ns.saturating_mul(self.cpus.unwrap_or(1).into());
        share(ns, all)
    }
}

/// Counts the processes; an exec makes no new one.
fn distinct(facts: &Facts, members: &[bool]) -> i64 {
    let rows = facts.processes.iter().zip(members);
    let firsts = rows.filter(|(row, is_in)| {
        let before = row.predecessor.map(ProcessId::index);
        **is_in && before.is_none_or(|before| members.get(before) != Some(&true))
    });
    i64::try_from(firsts.count()).unwrap_or(i64::MAX)
}

fn next(machine: &Machine) -> Vec<Query> {
    let mut all = Vec::new();
    if let Some(first) = machine.programs.first() {
        let pid = first.os_pid.to_string();
        let process = ["-p", pid.as_str()];
        all.push(Query::new("more about the first", "why", &process));
    }
    all.push(Query::new("who used the CPUs", "cpu", &[]));
    all.push(Query::new("everything that ran", "timeline", &[]));
    all
}
