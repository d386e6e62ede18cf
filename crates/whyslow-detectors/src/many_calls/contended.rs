//! A lock that threads keep taking from each other: it is free again before anybody can sleep, so that it costs CPU time
//! rather than waits.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{ProcessId, SystemCall, ThreadId};

use super::{EAGAIN, FUTEX, draft};
use crate::detector::Draft;
use crate::finding::{Confidence, Message, Value};
use whyslow_story::call_cost::{Calls, MANY, Taken, cost_of};
use whyslow_story::place::system_call_at;
use whyslow_story::story::Story;

/// A wait that the kernel refuses, because the lock is no longer what it was, is rare unless threads contend: here it is
/// at least one call in so many.
const REFUSED: i64 = 8;

/// Finds the calls of futex by threads that contend for locks.
pub(super) fn contended(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let threads = threads(story);
    if threads.len() < 2 || are_of_collector(story, &threads) {
        return None;
    }
    let refused = threads.values().copied();
    let refused = refused.fold(0, i64::saturating_add);
    let wanted = |call: SystemCall| call.0 == FUTEX;
    let calls = Calls {
        least: MANY,
        are_long: false,
        are_of_files: false,
        numbers: &[FUTEX],
        along: &[],
    };
    let all = story.calls.threads.iter();
    let contend = all.filter(|(id, _)| threads.contains_key(id));
    let sums = contend.map(|(&id, thread)| (id, thread.sum(|call, _| wanted(call))));
    let cost = cost_of(story, sums, &calls, taken);
    // Where calls were made is known for all threads together.
    let all = story
        .calls
        .threads
        .values()
        .map(|thread| thread.sum(|call, _| wanted(call)));
    let all = all.fold(0, |all: i64, sum| all.saturating_add(sum.count));
    let are_theirs = cost.sum.count.saturating_mul(2) > all;
    let place = story
        .calls
        .place(story.code, &wanted)
        .filter(|_| are_theirs);
    let claim = " spent CPU time on a lock (or something similar) that its threads competed for ({count} futex calls): {share} of the time";
    let mut draft = draft(story, ("lock", claim), &cost, place, taken)?;
    draft.confidence = Confidence::Likely;
    let count = i64::try_from(threads.len()).unwrap_or(i64::MAX);
    let draft = draft
        .fact("threads", Value::Count(count))
        .fact("refused", Value::Count(refused))
        .detail(Message::new(
            "{refused} times, it was free again before one of the {threads} threads could wait for it.",
        ));
    let draft = match function(story).filter(|_| are_theirs) {
        Some(function) => draft
            .fact("function", Value::Text(function))
            .detail(Message::new("The lock is taken inside {function}.")),
        None => draft,
    };
    Some(draft.advise("Give each thread its own copy of what the lock protects, or take the lock less often and do more each time."))
}

/// Returns the threads of one process that contended, and how often the kernel refused to let each of them wait.
fn threads(story: &Story<'_>) -> BTreeMap<ThreadId, i64> {
    let mut by_process: BTreeMap<ProcessId, BTreeMap<ThreadId, i64>> = BTreeMap::new();
    let threads = story.calls.threads.iter().filter_map(|(&id, thread)| {
        let of_futex = |call: SystemCall| call.0 == FUTEX;
        let all = thread.sum(|call, _| of_futex(call)).count;
        let refused = thread.sum(|call, result| of_futex(call) && result == EAGAIN);
        let contends = all >= MANY && refused.count.saturating_mul(REFUSED) >= all;
        contends.then_some((id, refused.count))
    });
    for (id, refused) in threads {
        if let Some(row) = story.facts.thread(id) {
            by_process
                .entry(row.process)
                .or_default()
                .insert(id, refused);
        }
    }
    let most = by_process.into_values();
    let most = most.max_by_key(|threads| threads.values().copied().fold(0, i64::saturating_add));
    most.unwrap_or_default()
}

/// Returns whether most of these calls were made while garbage was collected: locks inside of a collector are part of that.
fn are_of_collector(story: &Story<'_>, threads: &BTreeMap<ThreadId, i64>) -> bool {
    let mut works = story.hot.works.iter();
    let Some(collected) = works.find(|work| work.class.name == "gc") else {
        return false;
    };
    let nodes: BTreeSet<u32> = collected.weights.iter().map(|&(node, _)| node).collect();
    let (mut inside, mut all) = (0_i64, 0_i64);
    for (&(node, thread), &ns) in &story.hot.stacks {
        let in_call = system_call_at(story.code.stacks, node) == Some("futex");
        if in_call && threads.contains_key(&thread) {
            all = all.saturating_add(ns);
            let ns = if nodes.contains(&node) { ns } else { 0 };
            inside = inside.saturating_add(ns);
        }
    }
    inside.saturating_mul(2) > all
}

/// Functions that only take, or give back, whatever their caller names.
const PRIMITIVES: [&str; 11] = [
    "pthread_",
    "sem_",
    "syscall",
    "std::mutex",
    "std::lock_guard",
    "std::unique_lock",
    "parking_lot",
    "cnd_",
    "mtx_",
    "__lll_",
    "GOMP_",
];

/// Returns the function of a library in which the user's own code needs the lock, if there is one.
fn function(story: &Story<'_>) -> Option<String> {
    let entries = story.calls.entries(story.code, &|call| call.0 == FUTEX);
    let called: BTreeSet<_> = entries.into_iter().map(|(_, called)| called).collect();
    let only = match Vec::from_iter(called)[..] {
        [Some(id)] => id,
        _ => return None,
    };
    let name = story.code.name(only).into_owned();
    let is_primitive = PRIMITIVES.iter().any(|start| name.starts_with(start));
    (!is_primitive).then_some(name)
}
