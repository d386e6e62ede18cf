//! One thread of the command waited for another one: the lock that it held, the item that it made.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use whyslow_model::ThreadId;
use whyslow_query::wait::{ClassId, WaitClass};

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use crate::waited::SENDS;
use whyslow_query::spans::Spans;
use whyslow_story::path::{Link, What};
use whyslow_story::place::{Place, system_call};
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector { causes: &[], find };

/// The waits for a child process that computed.
pub(crate) const CHILD: Detector = Detector {
    causes: &[],
    find: |story| {
        let child = children(story).filter(|turns| computes(story, &turns.on));
        let draft = child.map(|turns| {
            let on = turns.on.without(&story.rivals.competing);
            draft(story, &Turns { on, ..turns })
        });
        draft.into_iter().collect()
    },
};

/// More children than this are how the command works.
const FEW_CHILDREN: usize = 3;

/// Returns when the command waited for a child process that computed, if that is a finding, and there are few of them.
pub(super) fn for_computing_child(story: &Story<'_>) -> Option<Spans> {
    let turns = children(story).filter(|turns| turns.wakers.len() <= FEW_CHILDREN)?;
    computes(story, &turns.on).then_some(turns.on)
}

/// Returns whether the path itself waited for something that only one thread at a time may have, and that is
/// a finding.
pub(super) fn names_a_lock(story: &Story<'_>) -> bool {
    let drafts = find(story).into_iter();
    drafts
        .map(|draft| draft.cause)
        .any(|cause| EXCLUSIVE.contains(&cause.as_str()))
}

/// Returns whether the path mostly computed meanwhile.
fn computes(story: &Story<'_>, on: &Spans) -> bool {
    let ran = story.path.when(|step| step.what == What::Cpu);
    let ready = story.path.when(|step| step.what == What::Ready);
    share(ran.and(&ready).overlap(on), on.ns()) >= MOSTLY
}

/// The waits of one class of threads of the command for others.
struct Turns<'a> {
    /// The pair of threads that waited longest, with what all others did meanwhile.
    link: Link,
    on: Spans,
    waiters: BTreeSet<ThreadId>,
    /// The threads that ended them, and how long others waited for each.
    wakers: BTreeMap<ThreadId, i64>,
    class: &'a WaitClass,
}

/// Waits that cost less of the command's own time than this percentage do not stand out.
const MUCH: f64 = 15.0;

/// How many classes of waits are reported at most.
const MOST: usize = 3;

/// Classes of waits for something that only one thread at a time may have.
pub(super) const EXCLUSIVE: [&str; 7] = [
    "lock",
    "database-lock",
    "gil",
    "semaphore",
    "once",
    "kernel-lock",
    "file-lock",
];

/// Finds the most important classes of waits in which threads of the command wait for each other, and
/// the waits for child processes.
fn find(story: &Story<'_>) -> Vec<Draft> {
    let mut by_class: BTreeMap<ClassId, Vec<&Link>> = BTreeMap::new();
    for link in story
        .path
        .links
        .iter()
        .filter(|link| tells(story, link.class) && !is_runner(story, link.waiter))
        .filter(|link| !is_for_output(story, link) && may_hold(story, link))
    {
        by_class.entry(link.class).or_default().push(link);
    }
    let turns = by_class
        .into_values()
        .filter_map(|links| turns_of(story, &links));
    let heavy = |turns: &Turns<'_>| {
        // With as many permits as CPUs, waiting for a permit costs nothing.
        let is_free = turns.class.name == "semaphore" && story.uses_all_cpus();
        !is_free && share(gain_ns(story, turns), story.own_ns()) >= MUCH
    };
    let mut turns: Vec<_> = turns
        .filter(heavy)
        .filter(|one| !is_in_order(one) && tells_more(one))
        .collect();
    turns.sort_by_key(|turns| std::cmp::Reverse(turns.on.ns()));
    // The end of a chain of waits says more than its beginning. But a thread that keeps others out
    // while it waits itself is part of the cause.
    let last = turns.iter().find(|turns| !passes_on(story, &turns.link));
    let name = |turns: &Turns<'_>| turns.class.name.clone();
    let last_name = last.map(name);
    let exclusive = turns.iter().filter(|turns| {
        EXCLUSIVE.contains(&turns.class.name.as_str()) && Some(name(turns)) != last_name
    });
    let told = last.into_iter().chain(exclusive).take(MOST);
    let told: Vec<_> = told.map(|turns| draft(story, turns)).collect();
    let child = children(story).filter(|turns| !computes(story, &turns.on));
    let child = child.map(|turns| draft(story, &turns));
    told.into_iter().chain(child).collect()
}

/// Classes of waits for something that is inside of a process.
const INSIDE: [&str; 2] = ["gil", "once"];

/// Returns whether the thread that ended a wait may have had what was waited for: another process has an interpreter of
/// its own.
fn may_hold(story: &Story<'_>, link: &Link) -> bool {
    let is_inside = INSIDE.contains(&story.rules.class(link.class).name.as_str());
    !is_inside || story.are_of_one_process(link.waiter, link.waker)
}

/// Returns whether the waits show where the time went: the thread waited for kept others out, or
/// itself mostly waited for something else.
fn tells_more(turns: &Turns<'_>) -> bool {
    let link = &turns.link;
    let waits = link.meanwhile_waits.iter();
    let others = waits.filter(|((class, _), _)| *class != link.class);
    let waited: i64 = others.map(|(_, ns)| ns).sum();
    EXCLUSIVE.contains(&turns.class.name.as_str()) || share(waited, link.ns) >= MOSTLY
}

/// From this percentage on, it is most of the time.
const MOSTLY: f64 = 50.0;

/// Returns how much sooner the command could at best be finished if nobody waited. What the others
/// computed meanwhile still has to be computed, on as many CPUs as there are threads for. The time
/// they were kept from running belongs to another cause.
fn gain_ns(story: &Story<'_>, turns: &Turns<'_>) -> i64 {
    let threads = i64::try_from(story.path.tids.len()).unwrap_or(i64::MAX);
    let cpus = story.cpus().map_or(threads, i64::from).min(threads).max(1);
    let link = &turns.link;
    // Who waits for a thread of low priority has its priority, too: without the lock it would have run.
    let is_inverted = EXCLUSIVE.contains(&turns.class.name.as_str())
        && story.rivals.is_inverted(link.waiter, link.waker);
    let competing_ns = match is_inverted {
        true => 0,
        false => link.meanwhile_competing_ns,
    };
    let still_ns = (link.meanwhile_cpu_ns / cpus).saturating_add(competing_ns);
    // Several threads may have waited at once.
    let on = i128::from(turns.on.ns());
    let still = on * i128::from(still_ns) / i128::from(link.ns.max(1));
    i64::try_from(on - still).unwrap_or(0)
}

/// Returns the waits for the child process with the longest waits. Other detectors report what it did,
/// but not that its parent waited for it.
fn children<'a>(story: &Story<'a>) -> Option<Turns<'a>> {
    let class = story.rules.find("child")?;
    let of_child = |link: &Link| {
        let is_child = link.class == class || is_for_output(story, link);
        is_child.then(|| Link {
            class,
            ..link.clone()
        })
    };
    let of_children: Vec<Link> = story.path.links.iter().filter_map(of_child).collect();
    let links: Vec<&Link> = of_children.iter().collect();
    // What a program that runs others waits for explains the waits for that program.
    let tellers = links.iter().filter(|link| !is_runner(story, link.waiter));
    let through = tellers.map(|link| through_runners(story, &links, link));
    let through: Vec<Link> = through.collect();
    // The same program may be started once for each item.
    let mut by_child: BTreeMap<_, Vec<&Link>> = BTreeMap::new();
    for link in &through {
        let program = story.process_of(link.waker);
        by_child.entry(program).or_default().push(link);
    }
    let turns = by_child.into_values();
    let turns = turns.filter_map(|links| turns_of(story, &links));
    // A child that itself mostly waited for its own children explains nothing.
    let passes_on = |turns: &Turns<'_>| {
        let waits = turns.link.meanwhile_waits.iter();
        let alike = waits.filter(|((of, _), _)| *of == class);
        share(alike.map(|(_, ns)| ns).sum(), turns.link.ns) >= 40.0
    };
    let turns = turns.filter(|turns| !passes_on(turns));
    let longest = turns.max_by_key(|turns| turns.on.ns())?;
    (share(longest.on.ns(), story.own_ns()) >= CHILD_MUCH).then_some(longest)
}

/// Waits for a child that take less of the command's own time than this percentage say little.
const CHILD_MUCH: f64 = 25.0;

/// Returns whether a wait was for what a child process writes.
fn is_for_output(story: &Story<'_>, link: &Link) -> bool {
    let process = |thread| {
        let row = story.facts.thread(thread)?;
        story.facts.process(row.process)
    };
    let class = story.rules.class(link.class).name.as_str();
    let (waiter, waker) = (process(link.waiter), process(link.waker));
    let call = system_call(story.code.stacks, link.stack);
    let sends = call.is_some_and(|call| SENDS.contains(&call));
    OUTPUT.contains(&class)
        && !sends
        && waker.is_some_and(|child| {
            let is_child = child.parent.is_some() && child.parent == waiter.map(|row| row.id);
            // Workers that a program keeps are not children whose end it waits for.
            is_child && child.end_ns.is_some()
        })
}

/// Classes of waits for what a process writes.
const OUTPUT: [&str; 2] = ["pipe", "poll"];

/// Returns the wait for a child. If the child is a program that runs others and mostly waited for one of
/// its own children, that one takes its place: the wait was for what the program ran.
fn through_runners(story: &Story<'_>, links: &[&Link], link: &Link) -> Link {
    let mut through = link.clone();
    for _ in 0..MOST_RUNNERS {
        let of_runner =
            |next: &&&Link| next.waiter == through.waker && is_runner(story, next.waiter);
        let next = links.iter().filter(of_runner).max_by_key(|next| next.ns);
        let Some(next) = next.filter(|next| share(next.ns, link.ns) >= MOSTLY) else {
            break;
        };
        through = Link {
            waiter: link.waiter,
            place: Arc::clone(&link.place),
            stack: link.stack,
            ns: link.ns,
            count: link.count,
            when: link.when.clone(),
            ..(*next).clone()
        };
    }
    through
}

/// The most programs between a wait for a child and the child that it was for, each of which only runs the
/// next one.
const MOST_RUNNERS: usize = 4;

/// Programs whose purpose is to run others: their waits for those say nothing.
const RUNNERS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "make", "gmake", "ninja", "xargs",
    "find", "parallel", "env", "time", "timeout", "nice", "sudo", "su", "setsid", "taskset",
    "script",
];

/// Returns whether a thread belongs to a program whose purpose is to run others.
fn is_runner(story: &Story<'_>, thread: ThreadId) -> bool {
    let name = story.process_of(thread);
    name.is_some_and(|name| RUNNERS.contains(&name))
}

/// Returns whether waits of a class say more than that the other thread took the time.
fn tells(story: &Story<'_>, class: ClassId) -> bool {
    let name = story.rules.class(class).name.as_str();
    let silent = [
        "child",
        "join",
        "exit",
        "stopped",
        "unknown",
        "other",
        "goroutines",
        "poll",
        "events",
    ];
    !story.rules.is_for_work(class) && !silent.contains(&name)
}

/// Puts waits of one class together. They are shown by the longest one at the place with most of the time.
fn turns_of<'a>(story: &Story<'a>, links: &[&Link]) -> Option<Turns<'a>> {
    let mut places: BTreeMap<&Place, i64> = BTreeMap::new();
    for link in links {
        let sum = places.entry(&*link.place).or_default();
        *sum = sum.saturating_add(link.ns);
    }
    let of_place = |link: &Link| places.get(&*link.place).copied();
    let longest = links.iter().max_by_key(|link| (of_place(link), link.ns))?;
    let mut all = Turns {
        link: Link {
            ns: 0,
            count: 0,
            meanwhile_cpu_ns: 0,
            meanwhile_ready_ns: 0,
            meanwhile_competing_ns: 0,
            meanwhile_waits: BTreeMap::new(),
            ..(*longest).clone()
        },
        on: Spans::new(links.iter().flat_map(|link| link.when.iter().copied())),
        waiters: links.iter().map(|link| link.waiter).collect(),
        wakers: BTreeMap::new(),
        class: story.rules.class(longest.class),
    };
    for link in links {
        all.link.ns += link.ns;
        *all.wakers.entry(link.waker).or_default() += link.ns;
        all.link.count += link.count;
        all.link.meanwhile_cpu_ns += link.meanwhile_cpu_ns;
        all.link.meanwhile_ready_ns += link.meanwhile_ready_ns;
        all.link.meanwhile_competing_ns += link.meanwhile_competing_ns;
        for (key, ns) in &link.meanwhile_waits {
            *all.link.meanwhile_waits.entry(key.clone()).or_default() += ns;
        }
    }
    Some(all)
}

/// Returns whether the waits only reflect the order of the work: the thread waited for computed, or
/// waited in the same order, and kept nobody out.
fn is_in_order(turns: &Turns<'_>) -> bool {
    let link = &turns.link;
    let waits = link.meanwhile_waits.iter();
    let alike = waits.filter(|((class, _), _)| *class == link.class);
    let alike: i64 = alike.map(|(_, ns)| ns).sum();
    let rest = link.ns.saturating_sub(alike);
    let computed = link
        .meanwhile_cpu_ns
        .saturating_add(link.meanwhile_ready_ns);
    share(computed, rest) >= 80.0 && !EXCLUSIVE.contains(&turns.class.name.as_str())
}

fn draft(story: &Story<'_>, turns: &Turns<'_>) -> Draft {
    let (link, class) = (&turns.link, turns.class);
    let confidence = match link.beside {
        true => Confidence::Likely,
        false => Confidence::Certain,
    };
    let time = turns.on.ns();
    let count = |set: &BTreeSet<ThreadId>| i64::try_from(set.len()).unwrap_or(i64::MAX);
    let class_value = Value::Class {
        name: class.name.clone(),
        phrase: class.phrase.clone(),
    };
    let label = |thread| Value::Process(story.label(thread));
    // The lock of an interpreter is the same one wherever it is asked for: where it is held matters.
    let held = Some(link).filter(|_| class.name == "gil");
    let held = held.and_then(|link| computed_in(story, link));
    let place = held.unwrap_or_else(|| (*link.place).clone());
    let draft = Draft::new(&class.name, confidence, Extent::On(turns.on.clone()))
        .fact("class", class_value)
        .fact("thread", label(link.waiter))
        .fact("threads", Value::Count(count(&turns.waiters)))
        .fact("peer", label(link.waker))
        .fact("place", Value::Place(place))
        .fact("time", Value::Time(time))
        .fact("count", Value::Count(link.count))
        .claim(match turns.waiters.len() {
            1 => "{thread} waited {time} for {class}: {share} of the time",
            _ => "{threads} threads, such as {thread}, waited {time} for {class}: {share} of the time",
        });
    let child = story.process_of(link.waker);
    let draft = match child.filter(|_| class.name == "child") {
        Some(child) => draft.fact("object", Value::Process(story.called(child))),
        None => draft,
    };
    let locked = Some(turns).filter(|_| class.name == "file-lock");
    let draft = match locked.and_then(|turns| story.files.locked_by(&turns.waiters)) {
        Some(file) => draft.fact("object", Value::Text(file)),
        None => draft,
    };
    let (ender, draft) = enders(story, turns, draft);
    let begin = Message::new(match (link.beside, link.count) {
        (true, _) => "{peer} ",
        (false, 1) => "{peer} ended the wait; until then it ",
        (false, _) => ender,
    });
    let draft = meanwhile(story, link, draft, begin);
    let waiter = story.process_of(link.waiter).unwrap_or_default();
    let amount = (time, link.count);
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
            .advise("Hold the lock for less time: move slow work out of the critical section.")
            .verify("Record it again: {thread} should wait less for {class}."),
        _ => draft,
    }
}

/// A thread that ended at least this percentage of the waits' time is said to end them often.
const OFTEN: f64 = 10.0;

/// Says who ended the waits.
fn enders(story: &Story<'_>, turns: &Turns<'_>, draft: Draft) -> (&'static str, Draft) {
    let of_longest = turns.wakers.get(&turns.link.waker).copied();
    let is_often = share(of_longest.unwrap_or(0), turns.link.ns) >= OFTEN;
    let process = |&thread: &ThreadId| story.facts.thread(thread).map(|row| row.process);
    let processes: BTreeSet<_> = turns.wakers.keys().filter_map(process).collect();
    let called = |thread: &ThreadId| story.process_of(*thread);
    let mut names: Vec<_> = turns.wakers.keys().map(called).collect();
    names.dedup();
    match (turns.wakers.len(), &names[..]) {
        (1, _) => ("{peer} ended {count} waits; until then it ", draft),
        _ if is_often => ("The thread that ended each wait, often {peer}, ", draft),
        (_, [Some(name)]) if processes.len() > 1 => {
            let count = i64::try_from(processes.len()).unwrap_or(i64::MAX);
            let draft = draft
                .fact("enders", Value::Count(count))
                .fact("ender", Value::Process((*name).to_owned()));
            let text = "The process that ended each wait, one of {enders} called {ender}, ";
            (text, draft)
        }
        _ => ("The thread that ended each wait, such as {peer}, ", draft),
    }
}

/// Adds what the other thread did meanwhile.
fn meanwhile(story: &Story<'_>, link: &Link, draft: Draft, begin: Message) -> Draft {
    let part = |ns| Value::Share(share(ns, link.ns));
    // A thread in the same queue does not explain what keeps it waiting.
    let waits = link.meanwhile_waits.iter();
    let waits = waits.filter(|((class, _), _)| *class != link.class);
    let wait = waits.max_by_key(|(_, ns)| **ns);
    match wait {
        // Which of a runtime's threads ended the wait says nothing.
        Some(((class, _), &ns)) if story.rules.is_for_work(*class) && ns * 2 >= link.ns => draft,
        Some(((class, place), &ns)) if ns >= link.meanwhile_cpu_ns.max(link.meanwhile_ready_ns) => {
            let class = story.rules.class(*class);
            let slept = class.name == "sleep";
            let class = Value::Class {
                name: class.name.clone(),
                phrase: class.phrase.clone(),
            };
            draft
                .fact("peer-share", part(ns))
                .fact("peer-class", class)
                .fact("peer-place", Value::Place((**place).clone()))
                .detail(begin.and(match (slept, place.is_known()) {
                    (true, true) => "slept for {peer-share} of that time, in {peer-place}.",
                    (true, false) => "slept for {peer-share} of that time.",
                    (false, true) => {
                        "waited {peer-share} of that time for {peer-class}, in {peer-place}."
                    }
                    (false, false) => "waited {peer-share} of that time for {peer-class}.",
                }))
        }
        _ if link.meanwhile_ready_ns > link.meanwhile_cpu_ns => draft
            .fact("peer-share", part(link.meanwhile_ready_ns))
            .detail(begin.and("waited for a CPU itself for {peer-share} of that time.")),
        _ => {
            let draft = draft.fact("peer-share", part(link.meanwhile_cpu_ns));
            match computed_in(story, link) {
                Some(place) => draft
                    .fact("peer-place", Value::Place(place))
                    .detail(begin.and("computed for {peer-share} of that time, in {peer-place}.")),
                None => draft.detail(begin.and("computed for {peer-share} of that time.")),
            }
        }
    }
}

/// Returns where the other thread computed meanwhile, if most of it was at one place.
fn computed_in(story: &Story<'_>, link: &Link) -> Option<Place> {
    let computed = story.hot.meanwhile.get(&(link.class, link.waker))?;
    let is_most = share(computed.ns, computed.all_ns) >= MOSTLY;
    is_most.then(|| Place::clone(&computed.place))
}

/// Returns whether the thread that was waited for itself mostly waited for another one, and not in the
/// same queue.
fn passes_on(story: &Story<'_>, link: &Link) -> bool {
    let followed = story.rules.followed();
    let waits = link.meanwhile_waits.iter();
    let passed =
        waits.filter(|((class, _), _)| followed[usize::from(*class)] && *class != link.class);
    share(passed.map(|(_, ns)| ns).sum(), link.ns) >= 40.0
}
