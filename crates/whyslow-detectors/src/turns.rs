//! Two threads, or two processes that talk through a socket, pass one item at a time: each sleeps until the
//! other one wakes it, and being woken takes longer than the item.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{FileOperation, ThreadId};

use super::handed::EXCLUSIVE;
use super::{many_calls, worked};
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_query::call_tree::Weights;
use whyslow_query::spans::Spans;
use whyslow_story::files::Use;
use whyslow_story::hot;
use whyslow_story::path::{Link, MOST_SEMAPHORES, Step, What};
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[(
        "hand-over",
        "two threads or processes passed one item at a time, and slept in between",
    )],
    find,
};

/// Fewer turns do not matter.
const MANY: i64 = 1000;

/// Each of the two threads waits in at least one of so many turns; of two processes, for the other one.
const BOTH: i64 = 2;

/// Turns that cost less of the command's own time than this percentage do not matter.
const MUCH: f64 = 20.0;

/// The waits of one thread for another one, which also waits.
#[derive(Default)]
struct Pair<'a> {
    links: Vec<&'a Link>,
    count: i64,
}

fn find(story: &Story<'_>) -> Vec<Draft> {
    let mut pairs: BTreeMap<(ThreadId, ThreadId), Pair<'_>> = BTreeMap::new();
    let links = story.path.links.iter();
    for link in links.filter(|link| !link.beside && may_turn(story, link)) {
        let class = story.rules.class(link.class).name.as_str();
        let keeps_out = match class {
            "semaphore" => !signal(story, (link.waiter, link.waker)),
            class => EXCLUSIVE.contains(&class),
        };
        // If only one thread at a time may have what they wait for, the cause is another one.
        if !keeps_out {
            let pair = pairs.entry((link.waiter, link.waker)).or_default();
            pair.links.push(link);
            pair.count += link.count;
        }
    }
    let waits = |id: ThreadId| story.path.times.get(&id).map_or(0, |times| times.waits);
    // It is not enough that two processes waited: one that streams to the other may wait for a disk
    // meanwhile.
    let answers = |(one, other): (ThreadId, ThreadId)| match is_one_process(story, (one, other)) {
        true => waits(one).min(waits(other)),
        false => story.path.messages.get(&(other, one)).copied().unwrap_or(0),
    };
    let both = pairs.into_iter().filter(|&(threads, ref pair)| {
        pair.count >= MANY && answers(threads).saturating_mul(BOTH) >= pair.count
    });
    let Some((threads, pair)) = both.max_by_key(|(_, pair)| pair.count) else {
        return Vec::new();
    };
    let on = cost(story, threads, &pair);
    let much = share(on.ns(), story.own_ns()) >= MUCH;
    let draft = much.then(|| draft(story, threads, &pair, &on)).flatten();
    draft.into_iter().collect()
}

/// Returns whether a wait may be part of taking turns. Pipes between processes show none: the writer may be far ahead
/// of the reader.
fn may_turn(story: &Story<'_>, link: &Link) -> bool {
    let class = story.rules.class(link.class).name.as_str();
    is_one_process(story, (link.waiter, link.waker)) || class == "socket"
}

/// Returns whether two threads signal each other with semaphores: each waits for its own. Threads that compete for one
/// thing wait for the same semaphore.
fn signal(story: &Story<'_>, (one, other): (ThreadId, ThreadId)) -> bool {
    let semaphores = |id| story.path.semaphores.get(&id);
    let both = semaphores(one).zip(semaphores(other));
    let is_known = |all: &BTreeSet<i32>| (1..=MOST_SEMAPHORES).contains(&all.len());
    both.is_some_and(|(one, other)| is_known(one) && is_known(other) && one.is_disjoint(other))
}

fn is_one_process(story: &Story<'_>, (one, other): (ThreadId, ThreadId)) -> bool {
    let process = |id| story.facts.thread(id).map(|row| row.process);
    process(one) == process(other)
}

/// Returns what the turns cost: waking up after them, and the CPU time of going to sleep and of waking
/// the other one.
fn cost(story: &Story<'_>, threads: (ThreadId, ThreadId), pair: &Pair<'_>) -> Spans {
    let links = pair.links.iter();
    let waits = Spans::new(links.flat_map(|link| link.when.iter().copied()));
    let of_pair = |step: &&Step| [Some(threads.0), Some(threads.1)].contains(&step.thread);
    let ready = story.path.steps.iter().filter(of_pair);
    let ready = ready.filter(|step| {
        step.what == What::Ready && waits.within(step.from_ns - 1, step.to_ns + 1) > 0
    });
    let woken = Spans::new(ready.map(|step| {
        let competed = step.ready.competing_ns.min(step.ns());
        (step.from_ns, step.to_ns - competed)
    }));
    woken.and(&worked::switching(story, &[threads.0, threads.1]))
}

fn draft(
    story: &Story<'_>,
    (waiter, waker): (ThreadId, ThreadId),
    pair: &Pair<'_>,
    on: &Spans,
) -> Option<Draft> {
    let place = place(story, (waiter, waker), pair);
    let process = story.process_of(waiter)?;
    let label = |thread| Value::Process(story.label(thread));
    let query = Query::new("who waited for whom", "threads", &["--process", process]);
    let each = on.ns() / pair.count.max(1);
    let draft = Draft::new("hand-over", Confidence::Certain, Extent::On(on.clone()))
        .fact("process", Value::Process(story.called(process)))
        .fact("thread", label(waiter))
        .fact("peer", label(waker))
        .fact("count", Value::Count(pair.count))
        .fact("each", Value::Time(each))
        .rows("thread_state", (on.ns(), pair.count), query);
    let draft = match is_one_process(story, (waiter, waker)) {
        true => draft
            .claim(
                "{thread} and {peer} woke each other {count} times, {each} each: {share} of the time",
            )
            .advise("Pass many items at a time, or let one thread do both parts.")
            .verify("Record it again: the two threads should wait less often."),
        false => draft
            .claim(
                "{thread} and {peer} sent each other one message at a time, {count} times, and woke each \
                 other for it, {each} each: {share} of the time",
            )
            .advise("Send many items in one message, or keep a copy where they are needed.")
            .verify("Record it again: the two processes should wait less often."),
    };
    let draft = match place {
        Some(place) => draft.fact("place", Value::Place(place)),
        None => draft,
    };
    Some(item(story, waker, pair.count, draft))
}

/// Returns where in the user's own code they wait for each other; where a runtime does that for it, where they run; else
/// where they wait at all.
fn place(story: &Story<'_>, (one, other): (ThreadId, ThreadId), pair: &Pair<'_>) -> Option<Place> {
    let most = |wanted: &dyn Fn(&Place) -> bool| {
        let links = pair.links.iter().filter(|link| wanted(&link.place));
        let most = links.max_by_key(|link| link.count);
        most.map(|link| Place::clone(&link.place))
    };
    let run = || {
        let mut weights = Weights::new(story.code.stacks);
        for (&(node, thread), &ns) in &story.hot.stacks {
            if [one, other].contains(&thread) {
                weights.add(node, ns);
            }
        }
        let own = hot::own(story.code, &weights.take())?;
        let place = Place::of_functions(story.code, &own.functions).at(own.source);
        Some(place).filter(Place::is_users)
    };
    let waits = most(&Place::is_users);
    waits.or_else(run).or_else(|| most(&Place::is_known))
}

/// Adds what the other thread did with a file in about every turn.
fn item(story: &Story<'_>, thread: ThreadId, turns: i64, draft: Draft) -> Draft {
    let found = [FileOperation::Read, FileOperation::Write].into_iter();
    let mut found = found.filter_map(|operation| {
        let wanted = |one: &Use| one.thread == thread && one.operation == operation && one.is_ok();
        let object = story.files.object(wanted, |sum| sum.count)?;
        let uses = story.files.uses.iter().filter(|one| wanted(one));
        let (count, bytes) = uses.fold((0_i64, 0_i64), |(count, bytes), one| {
            let moved = one.sum.bytes.unwrap_or(0);
            (
                count.saturating_add(one.sum.count),
                bytes.saturating_add(moved),
            )
        });
        let is_once = count.saturating_mul(2) >= turns && count <= turns.saturating_mul(2);
        let is_file = object.starts_with('/') && !object.ends_with('/');
        (is_once && is_file).then_some((operation, object, bytes / count.max(1)))
    });
    let Some((operation, object, each)) = found.next() else {
        return draft;
    };
    let reads = operation == FileOperation::Read;
    let draft = draft.fact("object", Value::Text(object));
    if each == 0 {
        return draft.detail(Message::new(match reads {
            true => "About once per turn, {peer} read from {object}.",
            false => "About once per turn, {peer} wrote to {object}.",
        }));
    }
    draft
        .fact("size", Value::Text(many_calls::size(each)))
        .detail(Message::new(match reads {
            true => "About once per turn, {peer} read {size} from {object}.",
            false => "About once per turn, {peer} wrote {size} to {object}.",
        }))
}
