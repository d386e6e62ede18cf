//! A lock, or too few of something that threads share, kept threads of the command out while its holder
//! computed or waited. The path is on the holder, so nothing on it shows that others could have continued.

use std::collections::BTreeSet;

use whyslow_model::{FileOperation, ThreadId};
use whyslow_query::wait::{ClassId, Nature};

use super::handed;
use super::waited::{crowd, target::is_of_system_v};
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_story::path::{MOST_SEMAPHORES, Queue};
use whyslow_story::peers::Role;
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector { causes: &[], find };

/// Threads that wait together for less of the command's own time than this percentage do not stand out.
const MUCH: f64 = 30.0;

/// A single thread at a time that waits for less than this percentage does not.
const MUCH_ALONE: f64 = 50.0;

/// From this percentage on, it is most of the time.
const MOSTLY: f64 = 50.0;

/// From this percentage of the time on, threads that wait hold it in turn. One that gets it again before the others
/// wake up never waits for it.
const IN_TURN: f64 = 60.0;

/// From this percentage on, hardly anybody else held the lock.
const HARDLY_OTHERS: f64 = 95.0;

/// The command has to leave this much of a CPU free for another thread to continue.
const IDLE_CPUS: f64 = 0.25;

/// Waits that may be for a lock or a queue are for a lock only if at least this many threads take
/// turns, each this often.
const TURNS_THREADS: usize = 3;
const TURNS_EACH: i64 = 2;

fn find(story: &Story<'_>) -> Vec<Draft> {
    // What the path itself waited for says more.
    if handed::names_a_lock(story) {
        return Vec::new();
    }
    let mut queues = story.path.queues.iter();
    let found = queues.find(|queue| {
        let signal = is_semaphore(story, queue)
            && (share_one(story, queue) == Some(false) || is_of_system_v(story, queue.stack));
        let stands_out = is_long(story, queue) && costs_parallelism(story, queue);
        is_lock(story, queue) && stands_out && !signal
    });
    let of_threads = found.and_then(|queue| draft(story, queue));
    let draft = of_threads.or_else(|| of_goroutines(story));
    draft.into_iter().collect()
}

/// Returns a draft about goroutines that a computing one kept out, although the command left a CPU to them.
fn of_goroutines(story: &Story<'_>) -> Option<Draft> {
    let kept = story.path.kept_out.first()?;
    let ns = kept.when.ns();
    let on_path = story.path.waits.iter().filter(|waits| {
        let is_same = (waits.class, &waits.place) == (kept.class, &kept.place);
        is_same && waits.crowd.is_some()
    });
    // What the path itself waited for says more.
    let is_told = on_path.map(|waits| waits.ns).sum::<i64>() >= ns;
    let is_limited = story.rivals.bound_to.is_some() || story.path.throttled_ns() > 0;
    let cpus = story.cpus().filter(|_| !is_limited && !is_told)?;
    let used = share(story.path.all_cpu_ns, story.wall_ns()) / 100.0;
    let leaves_one = leaves_one(story, used, cpus);
    (leaves_one && share(ns, story.own_ns()) >= MUCH).then(|| crowd::kept_out(story, kept))?
}

/// Returns whether the waits are for a lock: those of some classes may also be for items of a queue.
fn is_lock(story: &Story<'_>, queue: &Queue) -> bool {
    let threads = i64::try_from(queue.waiters.len()).unwrap_or(i64::MAX);
    let take_turns = queue.waiters.len() >= TURNS_THREADS
        && queue.count >= threads.saturating_mul(TURNS_EACH)
        && takes_turns(queue)
        && queue.woken_at_once.saturating_mul(2) < queue.count;
    ["lock", FILE_LOCK].contains(&story.rules.class(queue.class).name.as_str()) || take_turns
}

/// Returns whether the threads of a queue waited for the same semaphore, as far as that is known: those that signal each
/// other wait for one each.
fn share_one(story: &Story<'_>, queue: &Queue) -> Option<bool> {
    let mut common: Option<BTreeSet<i32>> = None;
    for id in &queue.waiters {
        let own = story.path.semaphores.get(id)?;
        if !(1..=MOST_SEMAPHORES).contains(&own.len()) {
            return None;
        }
        common = Some(match common {
            Some(common) => common.intersection(own).copied().collect(),
            None => own.clone(),
        });
    }
    common.map(|common| !common.is_empty())
}

/// Returns whether threads waited for a lock, and not for one of a few things that they share.
fn is_for_lock(story: &Story<'_>, queue: &Queue) -> bool {
    ["lock", "python-lock", FILE_LOCK].contains(&story.rules.class(queue.class).name.as_str())
}

/// Waits for locks on files.
const FILE_LOCK: &str = "file-lock";

fn is_semaphore(story: &Story<'_>, queue: &Queue) -> bool {
    story.rules.class(queue.class).name == "semaphore"
}

fn is_of_file(story: &Story<'_>, queue: &Queue) -> bool {
    story.rules.class(queue.class).name == FILE_LOCK
}

/// Returns whether the lock's holders also waited for it.
fn takes_turns(queue: &Queue) -> bool {
    share(queue.held_in_turn_ns(), queue.when.ns()) >= IN_TURN
}

fn is_long(story: &Story<'_>, queue: &Queue) -> bool {
    share(queue.together_ns, story.own_ns()) >= MUCH
        || share(queue.when.ns(), story.own_ns()) >= MUCH_ALONE
}

/// Returns whether others could have continued: the holder mostly waited for something, or it computed and
/// the
/// command left CPUs to them. A holder that mostly wants a CPU itself has another problem.
fn costs_parallelism(story: &Story<'_>, queue: &Queue) -> bool {
    let ns = queue.when.ns();
    let waited = held_waits(story, queue).map(|(_, _, ns)| ns).sum::<i64>();
    // A process that holds a lock on a file may wait for a child process that computes.
    if share(waited, ns) >= MOSTLY && !is_of_file(story, queue) {
        return true;
    }
    // A thread that computes until others can continue may be producing what they work on.
    if !is_for_lock(story, queue) && !is_semaphore(story, queue) {
        return false;
    }
    let is_limited = story.rivals.bound_to.is_some() || story.path.throttled_ns() > 0;
    let Some(cpus) = story.cpus().filter(|_| !is_limited) else {
        return false;
    };
    let used = share(queue.cpu_ns, ns) / 100.0;
    leaves_one(story, used, cpus) && share(queue.held_cpu_ns + waited, ns) >= MOSTLY
}

/// Returns whether a CPU was free for another thread, where the command used so many. It would have used more in the
/// time that its threads were ready to run, and others had the CPUs.
fn leaves_one(story: &Story<'_>, used: f64, cpus: i32) -> bool {
    let ready = story.path.times.values().map(|times| times.ready_ns);
    let ready = ready.fold(0, i64::saturating_add);
    let wanted = share(ready, story.wall_ns()) / 100.0;
    used + wanted + IDLE_CPUS <= f64::from(cpus)
}

/// Waits for others that are not waits for something to do: a thread may keep the others out while it waits
/// for the next client or item on behalf of all.
const FOR_OTHERS: [&str; 5] = ["child", "file-lock", "kernel-lock", "dns", "fuse"];

/// Waits for what another process sends: replies, if some process is known to serve the command.
const FOR_REPLIES: [&str; 2] = ["socket", "poll"];

/// Returns what the holders waited for, without what may have been something to do.
fn held_waits<'a>(
    story: &'a Story<'_>,
    queue: &'a Queue,
) -> impl Iterator<Item = (ClassId, &'a Place, i64)> {
    let has = |wanted| story.roles.values().any(|&role| role == wanted);
    // A server may wait for its next client.
    let is_served = has(Role::Serves) && !has(Role::Asks);
    let waits = queue.held_waits.iter();
    let waits = waits.filter(move |((class, _), _)| {
        let class = story.rules.class(*class);
        let name = class.name.as_str();
        class.nature == Nature::Thing
            || FOR_OTHERS.contains(&name)
            || is_served && FOR_REPLIES.contains(&name)
    });
    waits.map(|((class, place), &ns)| (*class, &**place, ns))
}

/// Returns who held the lock longest, and whether hardly anybody else did.
fn main_holder(queue: &Queue) -> Option<(ThreadId, bool)> {
    let (&holder, &ns) = queue.holders.iter().max_by_key(|(_, ns)| **ns)?;
    Some((holder, share(ns, queue.when.ns()) >= HARDLY_OTHERS))
}

fn knows_locks(story: &Story<'_>) -> bool {
    let mut uses = story.files.uses.iter();
    uses.any(|one| one.operation == FileOperation::Lock)
}

fn draft(story: &Story<'_>, queue: &Queue) -> Option<Draft> {
    let (holder, alone) = main_holder(queue)?;
    let time = queue.when.ns();
    let in_turn = takes_turns(queue);
    let is_lock = is_for_lock(story, queue);
    // Locks are told apart by place alone, and one place may lock several.
    let cause = match is_lock {
        _ if is_of_file(story, queue) => FILE_LOCK,
        true => "lock",
        false => "semaphore",
    };
    // Who computes until another one goes on may have made what that one works on.
    let may_make = is_semaphore(story, queue) && share_one(story, queue).is_none();
    let confidence = match may_make && queue.held_cpu_ns * 2 >= time {
        true => Confidence::Possible,
        false => Confidence::Likely,
    };
    let draft = Draft::new(cause, confidence, Extent::On(queue.when.clone()));
    let waiter = queue.waiters.iter().find(|&&id| id != holder);
    let waiter = waiter.copied().unwrap_or(holder);
    let label = |thread| Value::Process(story.label(thread));
    let threads = i64::try_from(queue.waiters.len()).unwrap_or(i64::MAX);
    let object = story
        .files
        .locked_by(&queue.waiters)
        .filter(|_| cause == FILE_LOCK);
    if cause == FILE_LOCK && object.is_none() && knows_locks(story) {
        return None;
    }
    let of_waiters = queue
        .waiters
        .iter()
        .filter_map(|&id| Some(story.facts.thread(id)?.process));
    let processes = of_waiters.collect::<BTreeSet<_>>().len();
    let is_file = object.is_some();
    let draft = match object {
        Some(object) => draft.fact("object", Value::Text(object)),
        None => draft,
    };
    let draft = draft
        .fact("thread", label(waiter))
        .fact("threads", Value::Count(threads))
        .fact(
            "processes",
            Value::Count(i64::try_from(processes).unwrap_or(i64::MAX)),
        )
        .fact("peer", label(holder))
        .fact("place", Value::Place((*queue.place).clone()))
        .fact("time", Value::Time(time))
        .fact("count", Value::Count(queue.count))
        .claim(claim(
            (is_file, is_lock),
            (in_turn, threads, alone),
            processes,
        ))
        .claim(": {share} of the time");
    let draft = meanwhile(story, queue, draft, alone);
    let process = story.process_of(waiter).unwrap_or_default();
    let amount = (time, queue.count);
    let query = Query::new("who waited for whom", "threads", &["--process", process]);
    let draft = draft.rows("thread_state", amount, query);
    let draft = match queue.stack {
        Some(stack) => {
            let by = ["--process", process, "--by", "wait"];
            let query = Query::new("where it waited", "stacks", &by);
            draft.stack((stack, &queue.place), amount, query)
        }
        None => draft,
    };
    Some(match is_lock {
        true => draft
            .advise("Hold the lock for less time: move slow work out of the critical section.")
            .verify("Record it again: {thread} should wait less for the lock."),
        false => draft
            .advise("Let more of them have it at once (a larger pool, more permits), or keep it for less time.")
            .verify("Record it again: {thread} should wait less for it."),
    })
}

/// Returns who waited for what: whether that is a lock, or the lock of a file; whether they held it in turn, how many
/// threads they are, and whether hardly anybody else held it; and of how many processes they are.
fn claim(
    (is_file, is_lock): (bool, bool),
    (in_turn, threads, alone): (bool, i64, bool),
    processes: usize,
) -> &'static str {
    match (in_turn, threads, alone) {
        (_, _, false) if is_file && processes >= 2 => {
            "A lock on {object} made {processes} processes take turns"
        }
        (_, 1, true) if is_file => "{thread} waited {time} for a lock on {object} that {peer} held",
        _ if !is_lock && processes >= 2 => {
            "{processes} processes waited for each other to release what they share"
        }
        _ if !is_lock => "{threads} threads waited for each other to release what they share",
        (true, 2.., _) if processes >= 2 => "One lock made {processes} processes take turns",
        (true, 2.., _) => "One lock made {threads} threads take turns",
        (_, 1, true) => "{thread} waited {time} for a lock that {peer} held",
        (_, 1, false) => "{thread} waited {time} for a lock that other threads held",
        (_, _, true) => {
            "{threads} threads, such as {thread}, waited {time} for a lock that {peer} held"
        }
        (_, _, false) => {
            "{threads} threads, such as {thread}, waited {time} for a lock that others held"
        }
    }
}

/// Says what the holder did meanwhile, and where.
fn meanwhile(story: &Story<'_>, queue: &Queue, draft: Draft, alone: bool) -> Draft {
    let begin = Message::new(match alone {
        _ if !is_for_lock(story, queue) => "The thread that had it, often {peer}, ",
        true => "{peer} held it and ",
        false => "The thread that held it, often {peer}, ",
    });
    let part = |ns| Value::Share(share(ns, queue.when.ns()));
    let wait = held_waits(story, queue).max_by_key(|&(_, _, ns)| ns);
    if let Some((class, place, ns)) = wait.filter(|&(_, _, ns)| ns >= queue.held_cpu_ns) {
        let class = story.rules.class(class);
        let phrase = Value::Class {
            name: class.name.clone(),
            phrase: class.phrase.clone(),
        };
        let draft = draft
            .fact("peer-share", part(ns))
            .fact("peer-class", phrase);
        let (draft, known) = with_place(draft, Some(place.clone()));
        return draft.detail(begin.and(match known {
            true => "waited {peer-share} of that time for {peer-class}, in {peer-place}.",
            false => "waited {peer-share} of that time for {peer-class}.",
        }));
    }
    let release = queue.releases.iter().max_by_key(|(_, ns)| **ns);
    let (draft, known) = with_place(draft, release.map(|(place, _)| place.own()));
    let draft = draft.fact("peer-share", part(queue.held_cpu_ns));
    draft.detail(begin.and(match known {
        true if !is_for_lock(story, queue) => {
            "computed for {peer-share} of that time; it released it in {peer-place}."
        }
        true => "computed for {peer-share} of that time; it released the lock in {peer-place}.",
        false => "computed for {peer-share} of that time.",
    }))
}

/// Adds where the holder was, if that is known, and says whether it is.
fn with_place(draft: Draft, place: Option<Place>) -> (Draft, bool) {
    match place.filter(Place::is_known) {
        Some(place) => (draft.fact("peer-place", Value::Place(place)), true),
        None => (draft, false),
    }
}
