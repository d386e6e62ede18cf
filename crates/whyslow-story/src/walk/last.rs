//! The thread that the path ends on: the main thread, unless that ended by itself (`pthread_exit`) and left the others
//! alone.

use whyslow_model::{Capability, ThreadId};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::system_calls::counted_calls;

use crate::command::Command;

/// `exit`, which ends one thread; the end of a program is `exit_group`.
const EXIT: i32 = 60;

/// Threads of a process that ends do not end in the same moment.
const LATE_NS: i64 = 10_000_000;

/// Where calls are not known, a main thread that ended so much of the command's time (one part in so many) before the
/// others did so by itself.
const EARLY: i64 = 10;

/// Returns the thread that the path of the command ends on.
pub(super) fn thread(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
) -> Result<Option<usize>, QueryError> {
    let Some(main) = command.last_thread else {
        return Ok(None);
    };
    let other = outlives(facts, command, main);
    match other {
        Some((_, early_ns)) if !ended_alone(view, facts, command, (main, early_ns))? => {
            Ok(Some(main))
        }
        Some((other, _)) => Ok(Some(other)),
        None => Ok(Some(main)),
    }
}

/// Returns the thread of the same process that ended last, if the main thread ended long before the command; also how
/// long before.
fn outlives(facts: &Facts, command: &Command, main: usize) -> Option<(usize, i64)> {
    let row = facts.threads.get(main)?;
    let end_ns = row.end_ns?;
    let early_ns = command.span_ns.1.saturating_sub(end_ns);
    let others = facts.threads.iter().enumerate();
    let others = others.filter(|(id, other)| *id != main && other.process == row.process);
    let ends = others.map(|(id, other)| (other.end_ns.unwrap_or(i64::MAX), id));
    let (last_ns, last) = ends.max_by_key(|&(end, id)| (end, std::cmp::Reverse(id)))?;
    (early_ns >= LATE_NS && last_ns.saturating_sub(end_ns) >= LATE_NS).then_some((last, early_ns))
}

/// Returns whether the main thread ended itself alone, not the process.
fn ended_alone(
    view: View<'_>,
    facts: &Facts,
    command: &Command,
    (main, early_ns): (usize, i64),
) -> Result<bool, QueryError> {
    if !facts.has(Capability::SystemCalls) {
        return Ok(early_ns.saturating_mul(EARLY) >= command.wall_ns());
    }
    let (process, id) = match (facts.threads.get(main), ThreadId::from_index(main)) {
        (Some(row), Some(id)) => (row.process, id),
        _ => return Ok(false),
    };
    let mut scope = command.scope();
    scope.chosen = Some(vec![process]);
    // It may have ended before the time that is looked at.
    scope.window_ns = None;
    let mut found = false;
    counted_calls(view, &scope, |calls| {
        let is_exit = calls.call.is_some_and(|call| call.0 == EXIT);
        found |= calls.thread == id && is_exit;
    })?;
    Ok(found)
}
