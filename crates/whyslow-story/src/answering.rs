//! Timers after which an event loop sent what another thread waited for: while it waited for them, it was not idle.
//!
//! ```text
//! client   ██ asks ──────────── waits ───────────██
//! server    ─ waits ─██ sets a timer ─ waits ─██ answers     the second wait is not one for work
//! ```

use std::collections::BTreeSet;

use whyslow_model::ThreadId;
use whyslow_query::wait::Rules;

use crate::path::{Path, What};

/// Classes of waits in an event loop.
const LOOPS: [&str; 2] = ["loop", "poll"];

/// Classes of waits for the end of others: these need not do anything for those that wait.
const ENDS: [&str; 3] = ["child", "join", "exit"];

/// Notes how long each group of waits lasted for timers that had to go off before others could go on.
pub(crate) fn note(path: &mut Path, rules: &Rules) {
    let ends = ENDS.map(|class| rules.find(class));
    let served = path.links.iter();
    let served = served.filter(|link| !link.beside && !ends.contains(&Some(link.class)));
    let served: BTreeSet<(ThreadId, ThreadId)> =
        served.map(|link| (link.waiter, link.waker)).collect();
    // The latest step comes first.
    let mut later: Option<(Option<ThreadId>, i64)> = None;
    let mut answers = false;
    for step in &path.steps {
        answers = match later {
            Some((other, from_ns)) if from_ns == step.to_ns => match (other, step.thread) {
                (other, thread) if other == thread => answers,
                (Some(other), Some(thread)) => served.contains(&(other, thread)),
                _ => false,
            },
            // A new stretch: at its end, the wait of another process ended.
            _ => path.is_of_others,
        };
        later = Some((step.thread, step.from_ns));
        let What::Wait(at) = step.what else {
            continue;
        };
        let Some(group) = path.waits.get_mut(at) else {
            continue;
        };
        let is_loop = LOOPS.contains(&rules.class(group.class).name.as_str());
        match is_loop && rules.is_timeout(group.end) {
            true if answers => group.answering_ns = group.answering_ns.saturating_add(step.ns()),
            true => {}
            // Something else came; the timers before it ended nothing.
            false => answers = false,
        }
    }
}
