//! Which processes are in a container or service.

use whyslow_model::{ProcessId, Unit};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::groups::{Groups, Resource};

/// The most steps from a process to the one that started it.
const MOST_STEPS: usize = 64;

/// A container or service, with the processes that are known to be in it.
#[derive(Debug, Clone, Copy)]
pub struct UnitAsked<'a> {
    /// Which.
    pub unit: &'a Unit,
    /// Pids of processes that were in it before the recording or after it. They count where the recording says nothing
    /// of this unit: older kernels may show services in a hierarchy that limits nothing.
    pub os_pids: &'a [u32],
}

/// Returns for each process whether it is in the unit, at its end.
pub(super) fn find(
    view: View<'_>,
    facts: &Facts,
    asked: UnitAsked<'_>,
) -> Result<Vec<bool>, QueryError> {
    let groups = Groups::read(view)?;
    let within = groups.of_unit(asked.unit);
    if within.is_empty() {
        let all = (0..facts.processes.len()).map(|at| descends(facts, at, asked.os_pids));
        return Ok(all.collect());
    }
    let all = ProcessId::all().zip(&facts.processes).map(|(id, row)| {
        let end = row.end_ns.unwrap_or_else(|| facts.duration_ns());
        let is_in = |resource| {
            let group = groups.of(facts, id, resource, end);
            group.is_some_and(|group| within.contains(&group.id))
        };
        row.is_kernel == 0 && (is_in(Resource::Cpu) || is_in(Resource::Memory))
    });
    Ok(all.collect())
}

/// Returns whether a process is one of these, or was started by one.
fn descends(facts: &Facts, process: usize, os_pids: &[u32]) -> bool {
    let mut at = Some(process);
    for _ in 0..MOST_STEPS {
        let Some(row) = at.and_then(|at| facts.processes.get(at)) else {
            return false;
        };
        // A pid may be used again, but not while the first process is there.
        let is_there = row.start_ns.is_none_or(|start| start <= 0) || row.end_ns.is_none();
        let is_one = u32::try_from(row.os_pid).is_ok_and(|pid| os_pids.contains(&pid));
        if is_there && is_one {
            return row.is_kernel == 0;
        }
        at = row.predecessor.or(row.parent).map(ProcessId::index);
    }
    false
}
