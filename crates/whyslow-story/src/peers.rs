//! Who serves whom: which of two processes that wake each other asked first.
//!
//! ```text
//! client  ██ sends ──── waits ──────██        a wait of the client is one for a reply,
//! server  ─ waits ─██████ works █ sends ──    a wait of the server one for work
//! ```

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::ProcessId;
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::interval::Waker;
use whyslow_query::rows;
use whyslow_query::scope::Scope;
use whyslow_query::stacks::Stacks;
use whyslow_query::wait::{Ends, Rules};

use crate::command::Command;
use crate::path::Path;

/// What a process outside the command is to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The command woke it first, and about as often as it was woken: it serves the command.
    Serves,
    /// It woke the command first: the command serves it.
    Asks,
}

/// Returns the roles of processes that ended waits of the path; those that the command never woke are
/// not in it.
pub fn roles(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    stacks: &Stacks,
    rules: &Rules,
    path: &Path,
) -> Result<BTreeMap<ProcessId, Role>, QueryError> {
    let wakers = path
        .waits
        .iter()
        .filter_map(|group| group.main_waker(facts));
    let rows = wakers.filter_map(|waker| facts.thread(waker));
    let mut peers: Vec<ProcessId> = rows.map(|row| row.process).collect();
    peers.retain(|&id| !command.has_process(id));
    peers.sort_unstable();
    peers.dedup();
    if peers.is_empty() {
        return Ok(BTreeMap::new());
    }
    let ends = Ends::new(stacks, rules);
    let mut asked: BTreeMap<ProcessId, (i64, i64)> = BTreeMap::new();
    let scope = Scope {
        processes: of(facts.processes.len(), |id| peers.contains(&id)),
        threads: vec![true; facts.threads.len()],
        chosen: Some(peers),
        window_ns: None,
        by_thread: true,
    };
    rows::detailed_intervals(view, &scope, |interval| {
        if let (_, Waker::Thread(waker)) = ends.of(stacks, interval)
            && command.has_thread(waker)
        {
            let first = (interval.end_ns, 0);
            let (first_ns, count) = asked.entry(interval.process).or_insert(first);
            *first_ns = interval.end_ns.min(*first_ns);
            *count += 1;
        }
    })?;
    let answers = |process: ProcessId| {
        let ended = path.waits.iter().filter(|group| {
            let waker = group
                .main_waker(facts)
                .and_then(|waker| facts.thread(waker));
            waker.is_some_and(|row| row.process == process)
        });
        ended.map(|group| group.count).sum::<i64>()
    };
    let clients = clients(facts, rules, path);
    let role = |(process, (asked_ns, questions)): (ProcessId, (i64, i64))| {
        if clients.contains(&process) {
            return Some((process, Role::Asks));
        }
        let woken = path.first_woken_ns.get(&process);
        match woken.is_none_or(|&woken_ns| asked_ns <= woken_ns) {
            // Who asked once, at its start, does not wait for replies ever after.
            true if questions.saturating_mul(2) < answers(process) => None,
            true => Some((process, Role::Serves)),
            false => Some((process, Role::Asks)),
        }
    };
    Ok(asked.into_iter().filter_map(role).collect())
}

/// Returns the processes that connected to the command while it waited for somebody to do so.
fn clients(facts: &Facts, rules: &Rules, path: &Path) -> BTreeSet<ProcessId> {
    let accept = rules.find("accept");
    let groups = path
        .waits
        .iter()
        .filter(|group| Some(group.class) == accept);
    let wakers = groups.flat_map(|group| group.wakers.keys());
    let rows = wakers.filter_map(|&waker| facts.thread(waker));
    rows.map(|row| row.process).collect()
}

fn of(count: usize, is: impl Fn(ProcessId) -> bool) -> Vec<bool> {
    ProcessId::all().take(count).map(is).collect()
}
