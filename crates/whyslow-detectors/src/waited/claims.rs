//! What is said of waits, by their cause.

use whyslow_story::path::WaitGroup;
use whyslow_story::story::Story;

use super::{COPY_UP, cold, silent, syncs, talks, timers};

/// Returns what happened, in words.
pub(super) fn claim(
    story: &Story<'_>,
    cause: &str,
    groups: &[&WaitGroup],
    replies: bool,
) -> &'static str {
    let first = groups.first().map(|group| group.class);
    let of = |class: &str| first.is_some() && first == story.rules.find(class);
    let of_go = of("goroutines");
    match cause {
        "idle" => " was idle, waiting for {class}: {share} of the time",
        "timeout" => " waited for {class} until it timed out: {share} of the time",
        silent::CAUSE => silent::CLAIM,
        "sleep" if are_timers(story, groups) => " waited for its own timers: {share} of the time",
        "sleep" if of_go => {
            " slept until its next timer (no goroutine could run): {share} of the time"
        }
        "sleep" => " slept: {share} of the time",
        "stopped" if of("supervisor") => {
            " was stopped by its tracer or supervisor (ptrace, seccomp): {share} of the time"
        }
        "stopped" => " was stopped: {share} of the time",
        "fsync" if syncs::are_many(story) => {
            " flushed its data to disk {calls} times ({call}): {share} of the time"
        }
        "fsync" => " flushed its data to disk (fsync): {share} of the time",
        "cold-read" => cold::claim(story, groups),
        "startup" => " loaded its program, which was not in memory: {share} of the time",
        COPY_UP => {
            " copied whole files to the upper layer of an overlay file system before changing them: {share} of the time"
        }
        "slow-peer" if replies && talks::sends(story, groups) => {
            " waited until {peer} read what it had sent: {share} of the time"
        }
        "slow-peer" if replies => " waited for replies from {peer}: {share} of the time",
        _ => " waited for {class}: {share} of the time",
    }
}

/// Returns whether waits that are called sleeps are those of an event loop for its timers.
pub(crate) fn are_timers(story: &Story<'_>, groups: &[&WaitGroup]) -> bool {
    let class = groups.first().map(|group| group.class);
    let is_awaited = |group: &&WaitGroup| timers::are_awaited(story, group);
    class.is_some() && class == story.rules.find("loop") && !groups.iter().any(is_awaited)
}
