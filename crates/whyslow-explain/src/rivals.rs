//! Who else used the CPUs while the command ran, and while it was ready without one.

use std::collections::BTreeMap;

use whyslow_model::{Capability, ProcessId, ThreadState};

use crate::command::Command;
use crate::path::{Path, What};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::rows;
use whyslow_query::scope::Scope;

/// The other processes.
#[derive(Debug, Default)]
pub(crate) struct Rivals {
    /// CPU time of others during the command, by name; largest first.
    pub(crate) busy: Vec<(String, i64)>,
    /// CPU time while the path was ready, by name of the others; largest first.
    pub(crate) starvers: Vec<(String, i64)>,
    /// The same by the command itself.
    pub(crate) own_ns: i64,
    /// CPU time of everybody while the path was ready.
    pub(crate) all_ns: i64,
}

/// Finds the processes that ran meanwhile.
pub(crate) fn find(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    path: &Path,
) -> Result<Rivals, QueryError> {
    let mut scope = Scope::whole(facts);
    scope.window_ns = Some(command.span_ns);
    let mut busy = vec![0_i64; facts.processes.len()];
    let mut starving = vec![0_i64; facts.processes.len()];
    let add = |sums: &mut Vec<i64>, process: ProcessId, ns: i64| {
        if let Some(sum) = sums.get_mut(process.index()) {
            *sum += ns;
        }
    };
    if facts.has(Capability::Switches) {
        let ready = path.when(|step| step.what == What::Ready);
        rows::intervals(view, &scope, |interval| {
            if interval.state == ThreadState::Running {
                add(&mut busy, interval.process, interval.ns());
                let shared = ready.within(interval.start_ns, interval.end_ns);
                add(&mut starving, interval.process, shared);
            }
        })?;
    } else {
        rows::samples(view, &scope, |sample| {
            add(&mut busy, sample.process, sample.weight_ns);
        })?;
    }
    let others = |sums: &[i64]| {
        let mut names: BTreeMap<&str, i64> = BTreeMap::new();
        for (id, (&ns, row)) in ProcessId::all().zip(sums.iter().zip(&facts.processes)) {
            if ns > 0 && !command.has_process(id) {
                *names.entry(&row.name).or_default() += ns;
            }
        }
        let mut all: Vec<_> = names
            .into_iter()
            .map(|(n, ns)| (n.to_owned(), ns))
            .collect();
        all.sort_by_key(|(_, ns)| std::cmp::Reverse(*ns));
        all
    };
    let own = ProcessId::all()
        .zip(&starving)
        .filter(|&(id, _)| command.has_process(id));
    Ok(Rivals {
        busy: others(&busy),
        starvers: others(&starving),
        own_ns: own.map(|(_, ns)| ns).sum(),
        all_ns: starving.iter().sum(),
    })
}
