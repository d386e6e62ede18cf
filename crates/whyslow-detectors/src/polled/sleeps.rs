//! The sleeps of a process, and what its threads did between them.

use std::collections::BTreeSet;

use whyslow_model::ThreadId;

use super::super::waited;
use super::{OK, TALKS};
use whyslow_story::path::What;
use whyslow_story::story::Story;

/// Returns when threads slept, and which of them did.
pub(super) fn of(
    story: &Story<'_>,
    threads: &BTreeSet<ThreadId>,
) -> (BTreeSet<ThreadId>, Vec<(i64, i64)>) {
    let steps = story.path.steps.iter().filter(|step| {
        let slept = match step.what {
            What::Wait(at) => {
                let group = story.path.waits.get(at);
                group.is_some_and(|group| waited::is_sleep(story, group))
            }
            _ => false,
        };
        slept && step.thread.is_some_and(|id| threads.contains(&id))
    });
    let slept = steps.map(|step| (step.thread, (step.from_ns, step.to_ns)));
    let (sleepers, slept): (Vec<_>, _) = slept.unzip();
    (sleepers.into_iter().flatten().collect(), slept)
}

/// Returns how often these threads sent something to another program, or received something.
pub(super) fn talks(story: &Story<'_>, threads: &BTreeSet<ThreadId>) -> i64 {
    let calls = threads.iter().filter_map(|id| story.calls.threads.get(id));
    let sums = calls.map(|thread| thread.sum(|call, of| TALKS.contains(&call.0) && of == OK));
    sums.fold(0, |all, sum| all.saturating_add(sum.count))
}
