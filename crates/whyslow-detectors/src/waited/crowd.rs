//! Goroutines that waited for a mutex or a semaphore, and what its holder did meanwhile.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Waits;
use crate::detector::{Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_model::StackId;
use whyslow_query::spans::Spans;
use whyslow_story::crowd::{Crowd, Deed, KeptOut};
use whyslow_story::path::WaitGroup;
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

/// Causes that admit goroutines one by one, or a few at a time.
const GATES: [&str; 2] = ["lock", "semaphore"];

/// Anything that the holder did for less than this percentage of the time says little.
const MUCH: f64 = 30.0;

/// Returns what goroutines did in most of the time of some waits.
fn of(waits: &Waits<'_>) -> Option<Crowd> {
    let with: Vec<_> = waits
        .groups
        .iter()
        .filter(|group| group.crowd.is_some())
        .collect();
    let ns: i64 = with.iter().map(|group| group.ns).sum();
    if ns * 2 <= waits.ns {
        return None;
    }
    let mut sum = Crowd::default();
    for crowd in with.iter().filter_map(|group| group.crowd.as_ref()) {
        sum.waiting_ns = sum.waiting_ns.saturating_add(crowd.waiting_ns);
        sum.all_ns = sum.all_ns.saturating_add(crowd.all_ns);
        for (deed, ns) in &crowd.holders {
            *sum.holders.entry(deed.clone()).or_default() += ns;
        }
    }
    Some(sum)
}

/// Returns a draft about waits of a cause that goroutines had to queue for; `None` if it is of another kind.
pub(super) fn draft(story: &Story<'_>, cause: &str, waits: &Waits<'_>) -> Option<Draft> {
    if !GATES.contains(&cause) {
        return None;
    }
    let crowd = of(waits)?;
    let (group, place) = main_place(waits)?;
    let when = Spans::new(waits.when.iter().copied());
    let draft = Draft::new(cause, Confidence::Certain, Extent::On(when))
        .fact("class", super::class(story, cause, &waits.groups));
    let draft = claim(draft, &crowd, waits.ns).claim(": {share} of the time");
    let draft = holder(waits.ns, &crowd, draft);
    let at = (&*group.process, group.main_stack(), &place);
    Some(evidence(story, draft, at, waits.ns))
}

/// Returns a draft about goroutines that queued while the path computed.
pub(crate) fn kept_out(story: &Story<'_>, kept: &KeptOut) -> Option<Draft> {
    let ns = kept.when.ns();
    let process = story.facts.process(kept.process)?;
    let cause = story.rules.class(kept.class).name.as_str();
    let extent = Extent::On(kept.when.clone());
    let draft = Draft::new(cause, Confidence::Likely, extent);
    let draft =
        claim(draft, &kept.crowd, ns).claim(", while another one computed: {share} of the time");
    let at = (&*process.name, Some(kept.stack), &kept.place);
    Some(evidence(story, draft, at, ns))
}

/// Says how many goroutines waited.
fn claim(draft: Draft, crowd: &Crowd, ns: i64) -> Draft {
    let waiting = mean(crowd.waiting_ns, ns).max(1);
    let all = mean(crowd.all_ns, ns);
    let is_lock = draft.cause == "lock";
    let draft = draft
        .fact("waiting", Value::Count(waiting))
        .fact("goroutines", Value::Count(all));
    draft.claim(match (is_lock, waiting, all > waiting) {
        (true, 1, _) => "A goroutine waited for a mutex",
        (true, _, true) => "{waiting} of {goroutines} goroutines waited for a mutex",
        (true, ..) => "{waiting} goroutines waited for a mutex",
        (_, 1, _) => "A goroutine waited for its turn (semaphore or pool)",
        (_, _, true) => {
            "{waiting} of {goroutines} goroutines waited for their turn (semaphore or pool)"
        }
        _ => "{waiting} goroutines waited for their turn (semaphore or pool)",
    })
}

/// Adds where they waited, and what to do.
fn evidence(
    story: &Story<'_>,
    draft: Draft,
    (process, stack, place): (&str, Option<StackId>, &Arc<Place>),
    ns: i64,
) -> Draft {
    let is_lock = draft.cause == "lock";
    let draft = draft
        .fact("process", Value::Process(story.called(process)))
        .fact("place", Value::Place(Place::clone(place)));
    let by = ["--process", process, "--by", "wait"];
    let query = Query::new("where it waited", "stacks", &by);
    let draft = draft.rows("goroutine", (ns, 1), query);
    let draft = match stack {
        Some(stack) => {
            let query = Query::new("where it waited", "stacks", &by);
            draft.stack((stack, place), (ns, 1), query)
        }
        None => draft,
    };
    match is_lock {
        true => draft
            .advise("Hold the mutex for less time: move slow work out of the critical section.")
            .verify("Record it again: fewer goroutines should wait for the mutex."),
        false => draft
            .advise("Allow more at once, or make each turn shorter.")
            .verify("Record it again: fewer goroutines should wait for their turn."),
    }
}

/// Adds what probably kept the others out: what the goroutines in the function where the others waited did.
fn holder(ns: i64, crowd: &Crowd, draft: Draft) -> Draft {
    let most = crowd.holders.iter().max_by_key(|(_, ns)| **ns);
    let Some(((deed, place), &held_ns)) = most.filter(|(_, held)| share(**held, ns) >= MUCH) else {
        return draft;
    };
    let draft = draft
        .fact("peer-place", Value::Place(Place::clone(place)))
        .fact("peer-share", Value::Share(share(held_ns, ns).min(100.0)));
    draft.detail(Message::new(match deed {
        Deed::Slept => "The likely holder slept for {peer-share} of that time, in {peer-place}.",
        Deed::Talked => {
            "The likely holder waited for a connection for {peer-share} of that time, in {peer-place}."
        }
        Deed::Waited => {
            "The likely holder waited for another goroutine for {peer-share} of that time, in \
             {peer-place}."
        }
    }))
}

/// Returns the waits of the place where most of the time was waited.
fn main_place<'a>(waits: &Waits<'a>) -> Option<(&'a WaitGroup, Arc<Place>)> {
    let mut places: BTreeMap<&Arc<Place>, i64> = BTreeMap::new();
    for group in &waits.groups {
        *places.entry(&group.place).or_default() += group.ns;
    }
    let (place, _) = places.into_iter().max_by_key(|(_, ns)| *ns)?;
    let there = waits.groups.iter().filter(|group| group.place == *place);
    let most = there.max_by_key(|group| group.ns)?;
    Some((most, Arc::clone(place)))
}

/// Returns how many there were on average, rounded.
fn mean(sum_ns: i64, ns: i64) -> i64 {
    sum_ns.saturating_add(ns / 2).checked_div(ns).unwrap_or(0)
}
