//! Processes that waited for room in a pipe that nobody read, until they were ended.

use whyslow_model::StackId;
use whyslow_query::wait::Rules;

use super::threads::{Piece, Threads};
use crate::place::system_call;
use whyslow_query::stacks::Stacks;

/// Nobody notices shorter waits.
const SHORT_NS: i64 = 100_000_000;

/// What ends a wait for good: its process, or the recording. After a signal the call may continue.
const ENDS: [&str; 3] = ["kill", "exit", "recording"];

/// The calls that wait for room in a pipe.
const WRITES: [&str; 5] = ["write", "writev", "pwritev", "sendfile64", "splice"];

/// Finds threads whose wait for room in a pipe was cut short, with that wait.
pub(crate) fn find(stacks: &Stacks, threads: &Threads, rules: &Rules) -> Vec<(usize, Piece)> {
    let pipe = rules.find("pipe");
    let writes = |stack: Option<StackId>| {
        system_call(stacks, stack).is_some_and(|call| WRITES.contains(&call))
    };
    let for_room =
        |piece: &Piece| piece.is_wait() && Some(piece.class) == pipe && writes(piece.stack);
    let is_end = |piece: &Piece| ENDS.contains(&rules.end(piece.end).name.as_str());
    let all = 0..threads.count();
    let stuck = all.filter_map(|id| {
        let pieces = threads.all(id);
        let last = *pieces.iter().rfind(|piece| for_room(piece))?;
        // A process that got room before has a reader, if a slow one.
        let had_room = pieces.iter().any(|piece| for_room(piece) && !is_end(piece));
        let is_stuck = is_end(&last) && last.ns() >= SHORT_NS && !had_room;
        is_stuck.then_some((id, last))
    });
    stuck.collect()
}
