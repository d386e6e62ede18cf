//! Threads of the command blocked each other.

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_query::spans::Spans;
use whyslow_story::path::Deadlock;
use whyslow_story::story::Story;

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[(
        "deadlock",
        "threads waited for each other's locks, and no thread of the process could continue",
    )],
    find,
};

fn find(story: &Story<'_>) -> Vec<Draft> {
    let on = |one: &Deadlock| Spans::new(one.when.iter().copied());
    let all = story.path.deadlocks.iter();
    let most = all.max_by_key(|one| on(one).ns());
    most.map(|one| draft(story, one, on(one)))
        .into_iter()
        .collect()
}

fn draft(story: &Story<'_>, one: &Deadlock, on: Spans) -> Draft {
    let ns = on.ns();
    let count = i64::try_from(one.when.len()).unwrap_or(i64::MAX);
    let [(thread, place), (peer, peer_place)] = &one.sides;
    let label = |thread| Value::Process(story.label(thread));
    let process = story.process_of(*thread).unwrap_or_default();
    let phrase = &story.rules.end(one.end).phrase;
    let draft = Draft::new("deadlock", Confidence::Likely, Extent::On(on))
        .fact("process", Value::Process(story.called(process)))
        .fact("thread", label(*thread))
        .fact("peer", label(*peer))
        .fact("place", Value::Place((**place).clone()))
        .fact("peer-place", Value::Place((**peer_place).clone()))
        .fact("count", Value::Count(count))
        .fact("ended-by", Value::Text(phrase.clone()))
        .claim(match place == peer_place {
            true => "Two threads waited for a lock that no thread released",
            false => "*Two threads blocked each other*",
        })
        .claim(": {share} of the time, until {ended-by} ended it")
        .detail(Message::new(
            "{thread} waited for a lock in {place}, {peer} in {peer-place}; no thread of the \
             process could continue.",
        ));
    let query = Query::new("who waited for whom", "threads", &["--process", process]);
    let draft = draft.rows("thread_state", (ns, count), query);
    let draft = match one.stack {
        Some(stack) => {
            let by = ["--process", process, "--by", "wait"];
            let query = Query::new("where it waited", "stacks", &by);
            draft.stack((stack, place), (ns, count), query)
        }
        None => draft,
    };
    // At one place both may want the same lock, which another thread holds.
    let draft = match place == peer_place {
        true => draft,
        false => draft.advise("Take the locks in the same order everywhere."),
    };
    draft.verify("Record it again: no thread should wait for a lock until it gives up.")
}
