//! One thread of the command waited for another one: the lock that it held, the item that it made.

use whyslow_query::wait::ClassId;

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use crate::path::Link;
use crate::spans::Spans;
use crate::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector { causes: &[], find };

/// Finds the most important wait of one thread of the command for another.
fn find(story: &Story<'_>) -> Vec<Draft> {
    let wall = story.wall_ns();
    // A parent that waits for its child, or a join, only says that the child took the time.
    let telling = |class: ClassId| {
        let name = story.rules.class(class).name.as_str();
        let for_work = story.rules.is_for_work(class) || name == "goroutines";
        !for_work
            && !matches!(
                name,
                "child" | "join" | "exit" | "stopped" | "unknown" | "other"
            )
    };
    let heavy = |link: &&Link| telling(link.class) && share(link.ns, wall) >= 15.0;
    let links = || story.path.links.iter().filter(heavy);
    // The end of a chain of waits tells more than its beginning.
    let link = links().find(|link| !passes_on(story, link));
    let link = link.or_else(|| links().next());
    link.map(|link| draft(story, link)).into_iter().collect()
}

fn draft(story: &Story<'_>, link: &Link) -> Draft {
    let class = story.rules.class(link.class);
    let confidence = match link.beside {
        true => Confidence::Likely,
        false => Confidence::Certain,
    };
    let on = Extent::On(Spans::new(link.when.iter().copied()));
    let class_value = Value::Class {
        name: class.name.clone(),
        phrase: class.phrase.clone(),
    };
    let label = |thread| Value::Process(story.facts.thread_label(thread));
    let draft = Draft::new(&class.name, confidence, on)
        .fact("class", class_value)
        .fact("thread", label(link.waiter))
        .fact("peer", label(link.waker))
        .fact("place", Value::Place((*link.place).clone()))
        .fact("time", Value::Time(link.ns))
        .fact("count", Value::Count(link.count))
        .claim("{thread} waited {time} for {class}: {share} of the time");
    let begin = Message::new(match (link.beside, link.count) {
        (true, _) => "{peer} ",
        (false, 1) => "{peer} ended the wait; until then it ",
        (false, _) => "{peer} ended {count} waits; until then it ",
    });
    let draft = meanwhile(story, link, draft, begin);
    let waiter = story.process_of(link.waiter).unwrap_or_default();
    let amount = (link.ns, link.count);
    let process = ["--process", waiter];
    let query = Query::new("who waited for whom", "threads", &process);
    let draft = draft.rows("thread_state", amount, query);
    let draft = match link.stack {
        Some(stack) => {
            let by = ["--process", waiter, "--by", "wait"];
            let query = Query::new("where it waited", "stacks", &by);
            draft.stack((stack, &link.place), amount, query)
        }
        None => draft,
    };
    match class.name.as_str() {
        "lock" if !link.beside => draft
            .advise("Do what {peer} did meanwhile without holding the lock.")
            .verify("Record it again: {thread} waits for {class} less."),
        _ => draft,
    }
}

/// Adds what the other thread did meanwhile.
fn meanwhile(story: &Story<'_>, link: &Link, draft: Draft, begin: Message) -> Draft {
    let part = |ns| Value::Share(share(ns, link.ns));
    let wait = link.meanwhile_waits.iter().max_by_key(|(_, ns)| **ns);
    match wait {
        Some(((class, place), &ns)) if ns >= link.meanwhile_cpu_ns.max(link.meanwhile_ready_ns) => {
            let class = story.rules.class(*class);
            let class = Value::Class {
                name: class.name.clone(),
                phrase: class.phrase.clone(),
            };
            draft
                .fact("peer-share", part(ns))
                .fact("peer-class", class)
                .fact("peer-place", Value::Place((**place).clone()))
                .detail(begin.and(match place.is_known() {
                    true => "waited {peer-share} of the time for {peer-class}, in {peer-place}.",
                    false => "waited {peer-share} of the time for {peer-class}.",
                }))
        }
        _ if link.meanwhile_ready_ns > link.meanwhile_cpu_ns => draft
            .fact("peer-share", part(link.meanwhile_ready_ns))
            .detail(begin.and("was itself without a CPU for {peer-share} of the time.")),
        _ => draft
            .fact("peer-share", part(link.meanwhile_cpu_ns))
            .detail(begin.and("computed for {peer-share} of the time.")),
    }
}

/// Returns whether the thread that was waited for itself mostly waited for another one.
fn passes_on(story: &Story<'_>, link: &Link) -> bool {
    let followed = story.rules.followed();
    let waits = link.meanwhile_waits.iter();
    let passed = waits.filter(|((class, _), _)| followed[usize::from(*class)]);
    share(passed.map(|(_, ns)| ns).sum(), link.ns) >= 40.0
}
