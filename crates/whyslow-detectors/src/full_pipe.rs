//! A process of the command filled a pipe that nobody read, and waited for room in it until it was ended.

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_query::called;
use whyslow_query::spans::Spans;
use whyslow_story::path::{Stuck, What};
use whyslow_story::story::Story;

pub(crate) const DETECTOR: Detector = Detector { causes: &[], find };

fn find(story: &Story<'_>) -> Vec<Draft> {
    let all = story.path.stuck.iter();
    let longest = all.max_by_key(|one| one.when.1 - one.when.0);
    longest.map(|one| draft(story, one)).into_iter().collect()
}

/// This was the reason, whatever the command waited for meanwhile.
fn draft(story: &Story<'_>, one: &Stuck) -> Draft {
    let stuck = Spans::new([one.when]);
    let waits = story.path.steps.iter();
    let waits = waits.filter(|step| matches!(step.what, What::Wait(_)));
    let parts = waits.map(|step| (step.from_ns.max(one.when.0), step.to_ns.min(one.when.1)));
    let on = Spans::new(parts);
    let process = story.process_of(one.thread).unwrap_or_default();
    let row = story.facts.thread(one.thread);
    let row = row.and_then(|row| story.facts.process(row.process));
    let parent = row.and_then(|row| story.facts.process(row.parent?));
    let phrase = &story.rules.end(one.end).phrase;
    let draft = Draft::new("pipe", Confidence::Likely, Extent::On(on.clone()))
        .fact("process", Value::Process(story.called(process)))
        .fact("waited", Value::Time(stuck.ns()))
        .fact("ended-by", Value::Text(phrase.clone()))
        .claim("{process} waited for room in a pipe that nobody read: {share} of the time, until {ended-by}")
        .advise("Read the child's output and errors while waiting for it to end, or send them to a file.")
        .verify("Record it again: the child should not wait for the other end of a pipe.");
    let draft = match one.place.is_known() {
        true => draft.fact("place", Value::Place((*one.place).clone())),
        false => draft,
    };
    let draft = match parent {
        Some(parent) => draft
            .fact("peer", Value::Process(called::process(parent)))
            .detail(Message::new(
                "{peer} started it, and was waiting for it to end.",
            )),
        None => draft,
    };
    let by = ["--process", process, "--by", "wait"];
    let query = Query::new("where it waited", "stacks", &by);
    let draft = draft.rows("thread_state", (on.ns(), 1), query.clone());
    match one.stack {
        Some(stack) => draft.stack((stack, &one.place), (on.ns(), 1), query),
        None => draft,
    }
}
