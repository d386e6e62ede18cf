//! Which names it looked up at a name server, and with what result.

use std::collections::BTreeMap;

use whyslow_model::ThreadId;

use crate::detector::Draft;
use crate::finding::{Message, Value};
use crate::network::Question;
use crate::path::{WaitGroup, What};
use crate::story::Story;

/// How often a name was asked for, and how often an answer came.
#[derive(Default)]
struct Asked {
    since_ns: i64,
    count: i64,
    answered: i64,
}

/// Adds the name that was asked for most, and the server.
pub(super) fn add(story: &Story<'_>, groups: &[&WaitGroup], draft: Draft) -> Draft {
    let asked = questions(story, groups);
    let all = asked.len();
    let Some(((name, server), sum)) = most(asked) else {
        return draft;
    };
    let draft = draft
        .fact("name", Value::Text(name.to_owned()))
        .fact("questions", Value::Count(sum.count))
        .fact("answers", Value::Count(sum.answered));
    let draft = match server {
        Some(server) => draft
            .fact("server", Value::Text(server.to_owned()))
            .detail(Message::new(match (sum.count, sum.answered) {
                (1, 0) => "It asked {server} for {name}: no answer came.",
                (1, _) => "It asked {server} for {name}.",
                (_, 0) => "It asked {server} for {name}: {questions} questions without an answer.",
                _ => "It asked {server} for {name}: {answers} of {questions} questions were answered.",
            })),
        None => draft.detail(Message::new(match (sum.count, sum.answered) {
            (1, 0) => "It looked up {name} once, without an answer.",
            (1, _) => "It looked up {name} once.",
            (_, 0) => "It looked up {name} {questions} times, without an answer.",
            _ => "It looked up {name} {questions} times and got {answers} answers.",
        })),
    };
    let others = i64::try_from(all.saturating_sub(1)).unwrap_or(i64::MAX);
    let draft = match others {
        0 => draft,
        1 => draft
            .fact("others", Value::Count(others))
            .detail(Message::new("It looked up {others} other name, too.")),
        _ => draft
            .fact("others", Value::Count(others))
            .detail(Message::new("It looked up {others} other names, too.")),
    };
    match sum.answered {
        0 => draft.advise(
            "Check that the name server can be reached, and which one /etc/resolv.conf names.",
        ),
        _ => draft.advise("Ask once and keep the answer, or use a closer name server."),
    }
}

type Key<'a> = (&'a str, Option<&'a str>);

/// Returns what the waiting threads asked for, up to the end of each wait. Calls of the C library count
/// only if no question to a server is known.
fn questions<'a>(story: &'a Story<'_>, groups: &[&WaitGroup]) -> BTreeMap<Key<'a>, Asked> {
    let mut until: BTreeMap<ThreadId, i64> = BTreeMap::new();
    for step in &story.path.steps {
        let is_it = match step.what {
            What::Wait(at) => story
                .path
                .waits
                .get(at)
                .is_some_and(|group| groups.iter().any(|&one| std::ptr::eq(one, group))),
            _ => false,
        };
        if let Some(thread) = step.thread.filter(|_| is_it) {
            let end = until.entry(thread).or_insert(step.to_ns);
            *end = step.to_ns.max(*end);
        }
    }
    let waited = |one: &&Question| {
        let end = one.thread.and_then(|thread| until.get(&thread));
        end.is_some_and(|&end| one.time_ns <= end)
    };
    let all = || story.network.questions.iter().filter(waited);
    let has_servers = all().any(|one| one.server.is_some());
    let mut asked: BTreeMap<Key<'_>, Asked> = BTreeMap::new();
    for one in all().filter(|one| one.server.is_some() == has_servers) {
        let key = (one.name.as_str(), one.server.as_deref());
        let sum = asked.entry(key).or_insert(Asked {
            since_ns: one.time_ns,
            ..Asked::default()
        });
        sum.since_ns = sum.since_ns.min(one.time_ns);
        sum.count += 1;
        sum.answered += i64::from(one.is_answered);
    }
    asked
}

/// Returns the name with the most questions without an answer; of several, the one with the most
/// questions, then the first.
fn most(asked: BTreeMap<Key<'_>, Asked>) -> Option<(Key<'_>, Asked)> {
    let all = asked.into_iter();
    all.max_by_key(|(_, sum)| (sum.count - sum.answered, sum.count, -sum.since_ns))
}
