//! io_uring: its system calls are counted; the requests that they pass to the kernel are not.

use std::collections::BTreeMap;

use whyslow_model::{ProcessId, SystemCall};
use whyslow_results::{Note, grouped};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::scope::Scope;
use crate::system_calls::counted_calls;
use crate::view::View;

/// `io_uring_enter`.
const ENTER: SystemCall = SystemCall(426);

/// Returns what an answer about calls says if processes in `scope` used io_uring: their requests are not in the answer.
pub(crate) fn note(
    view: View<'_>,
    scope: &Scope,
    facts: &Facts,
) -> Result<Option<Note>, QueryError> {
    let mut processes: BTreeMap<ProcessId, i64> = BTreeMap::new();
    counted_calls(view, scope, |calls| {
        if calls.call == Some(ENTER) {
            let count = processes.entry(calls.process).or_default();
            *count = count.saturating_add(calls.sum.count);
        }
    })?;
    let calls = processes
        .values()
        .fold(0, |all: i64, &count| all.saturating_add(count));
    let most = processes
        .into_iter()
        .max_by_key(|&(id, count)| (count, std::cmp::Reverse(id)));
    Ok(most.map(|(id, count)| {
        let name = facts.process_name(id);
        let by = match count > calls / 2 {
            true => "mostly by",
            false => "for example by",
        };
        let text = format!(
            "io_uring_enter was called {} times, {by} {name}; the requests it submitted are not counted here: `waits` shows the files and sockets that programs waited for, and `disk` shows what reached a disk",
            grouped(calls.unsigned_abs()),
        );
        Note::info(&text)
    }))
}
