//! Waits for another thread that only their own time-outs ended: the signal was lost, or is never sent.

use crate::detector::Draft;
use crate::finding::Message;
use whyslow_story::path::WaitGroup;
use whyslow_story::story::Story;

/// Waits for what another thread does.
const CLASSES: [&str; 8] = [
    "barrier",
    "channel",
    "condition",
    "futex",
    "ipc",
    "parking",
    "python-lock",
    "semaphore",
];

/// Fewer waits show no rule.
const FEW: i64 = 3;

/// Says so if all waits of these places ended by their time-out.
pub(super) fn add(story: &Story<'_>, groups: &[&WaitGroup], draft: Draft) -> Draft {
    let class = |group: &WaitGroup| story.rules.class(group.class).name.as_str();
    let are_for_threads = groups.iter().all(|group| CLASSES.contains(&class(group)));
    let alike = |one: &&WaitGroup| {
        groups.iter().any(|group| {
            (one.class, &one.process, &one.place) == (group.class, &group.process, &group.place)
        })
    };
    let (mut unwoken, mut woken) = (0_i64, 0_i64);
    for group in story.path.waits.iter().filter(alike) {
        let sum = match story.rules.is_timeout(group.end) {
            true => &mut unwoken,
            false => &mut woken,
        };
        *sum = sum.saturating_add(group.count);
    }
    match are_for_threads && unwoken >= FEW && woken == 0 {
        true => draft
            .detail(Message::new(
                "No thread woke it: each of these waits ended by its time-out.",
            ))
            .advise("If another thread should wake it, find out whether that can happen before it waits; if none should, this is a sleep."),
        false => draft,
    }
}
