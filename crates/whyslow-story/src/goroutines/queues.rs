//! Goroutines that queued for a mutex or a semaphore while the path computed.

use std::collections::BTreeMap;
use std::sync::Arc;

use whyslow_model::ProcessId;
use whyslow_query::facts::Facts;
use whyslow_query::spans::Spans;
use whyslow_query::wait::Rules;

use super::All;
use super::sweep::Sweep;
use crate::crowd::{Crowd, KeptOut};
use crate::path::{Path, What};
use crate::place::Place;

/// Goroutines that were kept out, and when.
type Found = (KeptOut, Vec<(i64, i64)>);

/// Returns where goroutines queued while the path computed, the longest first.
pub(super) fn find(facts: &Facts, rules: &Rules, all: &All, path: &Path) -> Vec<KeptOut> {
    let sweeps = all.of_process.iter();
    let mut sweeps: BTreeMap<_, Sweep> = sweeps.map(|(&id, seen)| (id, Sweep::new(seen))).collect();
    let mut found: BTreeMap<(ProcessId, Arc<Place>), Found> = BTreeMap::new();
    // The latest is first, and time goes on.
    for step in path
        .steps
        .iter()
        .rev()
        .filter(|step| step.what == What::Cpu)
    {
        let thread = step.thread.and_then(|thread| facts.thread(thread));
        let Some((process, sweep)) = thread.and_then(|row| {
            let sweep = sweeps.get_mut(&row.process)?;
            Some((row.process, sweep))
        }) else {
            continue;
        };
        for (from_ns, to_ns, counts) in sweep.cut(step.from_ns, step.to_ns) {
            let Some(main) = counts.main(&all.groups, false) else {
                continue;
            };
            let group = &all.groups[main];
            let Some(class) = group.kind.class(rules) else {
                continue;
            };
            let key = (process, Arc::clone(&group.place));
            let (kept, when) = found.entry(key).or_insert_with(|| {
                let kept = KeptOut {
                    class,
                    place: Arc::clone(&group.place),
                    stack: group.stack,
                    process,
                    when: Spans::default(),
                    crowd: Crowd::default(),
                };
                (kept, Vec::new())
            });
            counts.add_to(&mut kept.crowd, main, &all.groups, to_ns - from_ns);
            when.push((from_ns, to_ns));
        }
    }
    let found = found.into_values();
    let mut found: Vec<KeptOut> = found
        .map(|(kept, when)| KeptOut {
            when: Spans::new(when),
            ..kept
        })
        .collect();
    found.sort_by_key(|kept| std::cmp::Reverse(kept.when.ns()));
    found
}
