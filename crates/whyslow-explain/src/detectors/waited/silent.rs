//! Peers that did not answer before the program gave up: a runtime or an event loop waits with its own timers,
//! so that nothing but the connection shows what for.

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::path::WaitGroup;
use whyslow_story::story::{Story, share};

/// Connections without an answer that lasted for this percentage of the waiting, from and to, are what it was for.
const MOST: [f64; 2] = [60.0, 150.0];

/// Returns whether these waits were for answers that did not come.
pub(super) fn is_silent(story: &Story<'_>, group: &WaitGroup) -> bool {
    let silent = story.network.silent.as_ref();
    let part = silent.map(|silent| share(silent.ns, group.ns));
    part.is_some_and(|part| (MOST[0]..=MOST[1]).contains(&part))
}

/// Returns what happened, if the waits were for answers that did not come.
pub(super) fn claim(story: &Story<'_>, groups: &[&WaitGroup]) -> Option<&'static str> {
    let are_silent = groups
        .iter()
        .all(|group| is_of_timers(story, group) && is_silent(story, group));
    are_silent.then_some(
        " waited for answers from {object} that did not come before its time-out: {share} of the time",
    )
}

/// Adds who did not answer.
pub(super) fn add(story: &Story<'_>, groups: &[&WaitGroup], draft: Draft) -> Draft {
    let silent = story.network.silent.as_ref();
    match silent.filter(|_| claim(story, groups).is_some()) {
        Some(silent) => draft
            .fact("object", Value::Text(silent.remote.clone()))
            .fact("connections", Value::Count(silent.count))
            .detail(Message::new(match silent.count {
                1 => "It closed the connection before an answer came.",
                _ => "It closed {connections} connections, each before an answer came.",
            }))
            .advise("Find out why the other end does not answer, or do not wait for it."),
        None => draft,
    }
}

/// Returns whether a runtime or an event loop waits in this way for whatever comes first.
pub(super) fn is_of_timers(story: &Story<'_>, group: &WaitGroup) -> bool {
    ["goroutines", "loop"].contains(&story.rules.class(group.class).name.as_str())
}
