//! What calls cost that cost the time themselves: many short ones, without waits.

use std::collections::BTreeMap;

use whyslow_model::ThreadId;
use whyslow_query::system_calls::CallSum;

use crate::path::What;
use crate::spans::Spans;
use crate::story::{Story, share};

/// Fewer calls are no habit.
pub(super) const MANY: i64 = 1000;

/// Calls that take less of the command's own time than this percentage are not worth a change.
const MUCH: f64 = 10.0;

/// How much of the time that each thread ran is spoken for by other calls.
pub(super) type Taken = BTreeMap<ThreadId, i64>;

/// Calls that cost the time themselves.
pub(super) struct Cost {
    pub(super) sum: CallSum,
    /// The part of the path that they took.
    pub(super) on: Spans,
    /// The time on the CPU that they took, by thread.
    pub(super) parts: Vec<(ThreadId, i64)>,
}

/// Returns what calls cost that were summed by thread, and the part of the path that they took. Nothing says
/// when a call was made: the part is spread over the time on the CPU.
pub(super) fn cost_of(
    story: &Story<'_>,
    sums: impl Iterator<Item = (ThreadId, CallSum)>,
    taken: &Taken,
) -> Cost {
    let mut sum = CallSum::default();
    let (mut spans, mut parts) = (Vec::new(), Vec::new());
    for (id, calls) in sums {
        let Some(thread) = story.calls.threads.get(&id) else {
            continue;
        };
        if calls.count < MANY || !thread.hardly_waited(calls.count) {
            continue;
        }
        sum.add(&calls);
        let part_ns = thread.cpu_ns(calls.ns.unwrap_or(0));
        let from_ns = taken.get(&id).copied().unwrap_or(0);
        spans.extend(spread(
            story,
            id,
            thread.times.running_ns,
            (from_ns, part_ns),
        ));
        parts.push((id, part_ns));
    }
    let on = Spans::new(spans);
    Cost { sum, on, parts }
}

/// Spreads `part_ns` of the time that a thread ran over what the path saw of it, behind the `from_ns`
/// that are spoken for.
fn spread(
    story: &Story<'_>,
    id: ThreadId,
    running_ns: i64,
    (from_ns, part_ns): (i64, i64),
) -> Vec<(i64, i64)> {
    let to_ns = from_ns.saturating_add(part_ns).min(running_ns);
    let whole = i128::from(running_ns.max(1));
    let steps = story.path.steps.iter();
    let ran = steps.filter(|step| step.what == What::Cpu && step.thread == Some(id));
    let cut = |ns: i64, at: i64| i64::try_from(i128::from(ns) * i128::from(at) / whole);
    let cut = |ns: i64, at: i64| cut(ns, at).unwrap_or(0);
    ran.map(|step| {
        let (from, ns) = (step.from_ns, step.ns());
        (from + cut(ns, from_ns), from + cut(ns, to_ns))
    })
    .collect()
}

/// Returns whether calls take so much of the command's own time that they are worth a change.
pub(super) fn is_much(story: &Story<'_>, ns: i64) -> bool {
    share(ns, story.own_ns()) >= MUCH
}

/// Returns the process whose calls cost most.
pub(super) fn caller<'a>(story: &'a Story<'_>, parts: &[(ThreadId, i64)]) -> &'a str {
    let most = parts.iter().max_by_key(|&&(_, ns)| ns);
    let most = most.and_then(|&(thread, _)| story.process_of(thread));
    most.unwrap_or_else(|| story.runner())
}

/// Remembers what is spoken for.
pub(super) fn take(parts: &[(ThreadId, i64)], taken: &mut Taken) {
    for &(thread, part_ns) in parts {
        let sum = taken.entry(thread).or_default();
        *sum = sum.saturating_add(part_ns);
    }
}
