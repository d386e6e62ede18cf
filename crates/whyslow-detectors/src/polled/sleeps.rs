//! The sleeps of a process, and what its threads did between them.

use std::collections::BTreeSet;

use whyslow_model::{ProcessId, ThreadId};

use super::super::waited;
use super::{FEW, OK, TALKS};
use whyslow_query::spans::Spans;
use whyslow_story::path::What;
use whyslow_story::story::Story;

/// A process that slept.
#[derive(Debug)]
pub(super) struct Slept<'a> {
    /// Its name.
    pub(super) process: &'a str,
    pub(super) id: ProcessId,
    pub(super) threads: BTreeSet<ThreadId>,
    /// Those of its threads that slept.
    pub(super) sleepers: BTreeSet<ThreadId>,
    pub(super) when: Vec<(i64, i64)>,
    pub(super) on: Spans,
}

impl<'a> Slept<'a> {
    /// Returns how a process with these threads slept; `None`: hardly.
    pub(super) fn of(story: &'a Story<'_>, threads: BTreeSet<ThreadId>) -> Option<Self> {
        let &first = threads.first()?;
        let (sleepers, when) = of(story, &threads);
        let on = Spans::new(when.iter().copied());
        let slept = Self {
            process: story.process_of(first)?,
            id: story.facts.thread(first)?.process,
            threads,
            sleepers,
            when,
            on,
        };
        (slept.count() >= FEW).then_some(slept)
    }

    /// Returns how often it slept.
    pub(super) fn count(&self) -> i64 {
        i64::try_from(self.when.len()).unwrap_or(i64::MAX)
    }
}

/// Returns when threads slept, and which of them did.
fn of(story: &Story<'_>, threads: &BTreeSet<ThreadId>) -> (BTreeSet<ThreadId>, Vec<(i64, i64)>) {
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

/// Returns whether it slept longer each time, as a program that backs off does.
pub(super) fn grow(slept: &[(i64, i64)]) -> bool {
    let mut slept = slept.to_vec();
    slept.sort_unstable();
    let lengths: Vec<i64> = slept
        .iter()
        .map(|(from, to)| to.saturating_sub(*from))
        .collect();
    let mut pairs = lengths.windows(2);
    pairs.all(|pair| matches!(pair, [one, next] if next.saturating_mul(2) >= one.saturating_mul(3)))
}
