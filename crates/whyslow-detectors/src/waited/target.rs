//! What the waits were for, as far as the recording says: the file, the other end, the lock, the child;
//! and their maximum length.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use whyslow_model::tables::WaitObjectRow;
use whyslow_model::{FileOperation, StackId, TcpFlags, TcpSide, ThreadId};

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_query::called;
use whyslow_story::files::Use;
use whyslow_story::network::Talk;
use whyslow_story::path::WaitGroup;
use whyslow_story::peers::Role;
use whyslow_story::place::system_call;
use whyslow_story::story::Story;

/// Returns whether most of a group's time was spent waiting at a Unix socket that its process made: others connect to it.
pub(super) fn is_served(story: &Story<'_>, group: &WaitGroup) -> bool {
    // Few programs wait at Unix sockets; for the others, nothing is looked up.
    let mut objects = group.targets.keys().filter_map(|target| target.object);
    let may_be_unix = |object| {
        let row = story.objects.get(object);
        // Addresses have a port, pipes a number.
        row.is_some_and(|row| row.kind == "unix" || files_of(row).any(|name| !name.contains(':')))
    };
    if !objects.any(may_be_unix) {
        return false;
    }
    let makes = |one: &Use| {
        let is_own = story.process_of(one.thread) == Some(&*group.process);
        is_own && one.operation == FileOperation::Create && one.is_ok()
    };
    let made = story.files.uses.iter().filter(|one| makes(one));
    let made: Vec<&str> = made
        .filter_map(|one| one.path)
        .map(|id| story.files.path(id))
        .collect();
    let is_made = |name: &str| {
        made.iter().any(|path| {
            let before = path.strip_suffix(name);
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        })
    };
    let is_it = |object: i32| {
        let row = story.objects.get(object);
        row.is_some_and(|row| match row.kind.as_str() {
            "unix" => is_made(&row.name),
            _ => files_of(row).next().is_some() && files_of(row).all(is_made),
        })
    };
    !made.is_empty() && is_mostly(group, is_it)
}

/// Returns what a list of descriptors has that is neither a timer, nor signals, nor the like; nothing for other objects.
/// Of more than a few descriptors, the others are only counted, so that nothing is known of all.
fn files_of(row: &WaitObjectRow) -> impl Iterator<Item = &str> {
    let is_list = ["poll", "epoll"].contains(&row.kind.as_str()) && row.others.is_none();
    let names = row.name.split(", ").filter(move |_| is_list);
    names.filter(|name| !name.starts_with('['))
}

/// Returns whether most of a group's time was spent waiting for clients, at listening sockets; beside them, a server may
/// watch what it wakes itself with, but no connection of its own.
pub(super) fn is_for_clients(story: &Story<'_>, group: &WaitGroup) -> bool {
    is_mostly(group, |object| {
        let names = story.objects.get(object).map_or("", |row| &row.name);
        let others = names.split(", ").filter(|name| !name.starts_with('['));
        let (listening, others): (Vec<&str>, Vec<&str>) =
            others.partition(|name| name.ends_with("(listening)"));
        !listening.is_empty()
            && !others
                .iter()
                .any(|name| name.contains(':') && !name.starts_with("pipe:"))
    })
}

/// Returns whether the recording ended during waits for clients: at a listening socket, or at a place where clients ended
/// others.
pub(super) fn is_where_idle(story: &Story<'_>, group: &WaitGroup) -> bool {
    let is_open = |of: &WaitGroup| story.rules.end(of.end).name == "recording";
    let at = |of: &WaitGroup| (of.class, Arc::clone(&of.process), Arc::clone(&of.place));
    let listens = |id| {
        let row = story.objects.get(id);
        row.is_some_and(|row| row.name.ends_with("(listening)"))
    };
    let mut others = story.path.waits.iter();
    let is_alike = |other: &WaitGroup| {
        let asks = || super::stranger(story, other).and_then(|id| super::role(story, id));
        !is_open(other) && at(other) == at(group) && asks() == Some(Role::Asks)
    };
    is_mostly(group, listens) || (is_open(group) && others.any(is_alike))
}

/// Calls that wait for a message of a queue, and those that send one: `msgsnd`, `mq_timedsend`.
const RECEIVES: [&str; 2] = ["msgrcv", "mq_timedreceive"];
const SENDS_TO_QUEUE: [i32; 2] = [69, 242];

/// Returns whether a process waits for messages of a queue and hardly sends any: it waits for work, not for replies.
pub(super) fn only_receives(story: &Story<'_>, group: &WaitGroup) -> bool {
    let call = system_call(story.code.stacks, group.main_stack());
    let sent = calls_of(story, group, &SENDS_TO_QUEUE);
    call.is_some_and(|call| RECEIVES.contains(&call)) && sent.saturating_mul(2) < group.count
}

/// Returns how often the process of a group made some of these calls.
fn calls_of(story: &Story<'_>, group: &WaitGroup, numbers: &[i32]) -> i64 {
    let threads = story.calls.threads.iter();
    let own = threads.filter(|&(&id, _)| story.process_of(id) == Some(&*group.process));
    let calls = own.map(|(_, thread)| thread.sum(|call, _| numbers.contains(&call.0)).count);
    calls.fold(0, i64::saturating_add)
}

/// `semop`, `semtimedop`.
const SEMOPS: [i32; 2] = [65, 220];

/// Returns what the waits of a group are called: a process that only takes System V semaphores waits for what others
/// produce, as it does for messages.
pub(super) fn class_name<'a>(story: &Story<'a>, group: &WaitGroup) -> &'a str {
    let timed_out = story.rules.is_timeout(group.end);
    match story.rules.class(group.class).name.as_str() {
        "semaphore"
            if !timed_out
                && is_of_system_v(story, group.main_stack())
                && !is_held_semaphore(story, group) =>
        {
            "ipc"
        }
        name => name,
    }
}

/// Returns whether a wait for a semaphore was for one of System V: these come in sets, and which one of its set it was is
/// not known.
pub(crate) fn is_of_system_v(story: &Story<'_>, stack: Option<StackId>) -> bool {
    let tree = &story.code.stacks.tree;
    let nodes = tree.path(tree.node(stack));
    let mut functions = nodes.flat_map(|node| tree.functions(node));
    let frames = &story.code.stacks.frames;
    functions.any(|&id| frames.function(id).name.ends_with("do_semtimedop"))
}

/// Returns whether most of a group's time was spent waiting for System V semaphores which others hold, and which the
/// process also gives back.
fn is_held_semaphore(story: &Story<'_>, group: &WaitGroup) -> bool {
    let gives_back = calls_of(story, group, &SEMOPS) >= group.count.saturating_mul(2);
    let is_it = |object: i32| {
        let row = story.objects.get(object);
        row.is_some_and(|row| row.kind == "semaphore")
    };
    gives_back && is_mostly(group, is_it)
}

/// Returns whether a group's waits had not ended when the recording did, and most of its time was spent waiting at
/// connections that the command made, and on which a request was not answered: nothing was received after what was sent
/// last.
pub(super) fn is_asked(story: &Story<'_>, group: &WaitGroup) -> bool {
    if story.rules.end(group.end).name != "recording" {
        return false;
    }
    let is_open = |talk: &&Talk| {
        let flags = TcpFlags(talk.connection.row.flags);
        talk.connection.side == TcpSide::Out && flags.has(TcpFlags::AWAITS_REPLY)
    };
    let talks = story.network.talks.iter().filter(is_open);
    let asked: BTreeSet<&str> = talks.map(|talk| &*talk.remote).collect();
    is_mostly(group, |object| {
        let row = story.objects.get(object);
        row.is_some_and(|row| row.kind == "tcp" && asked.contains(&*row.name))
    })
}

/// Returns whether most of a group's time was spent waiting for its user, at a terminal.
pub(super) fn is_terminal(story: &Story<'_>, group: &WaitGroup) -> bool {
    let is_it = |object: i32| {
        let row = story.objects.get(object);
        // Of several descriptors, the first one is that of the user.
        let is_first =
            |row: &WaitObjectRow| row.kind == "poll" && row.name.starts_with("/dev/pts/");
        row.is_some_and(|row| row.kind == "terminal" || is_first(row))
    };
    is_mostly(group, is_it)
}

/// Returns how often the same place waited for files to change, whatever ended the waits; 0 if the waits of
/// the group were mostly for other things.
pub(super) fn looks(story: &Story<'_>, group: &WaitGroup) -> i64 {
    if !is_watch(story, group) {
        return 0;
    }
    let groups = story.path.waits.iter();
    let alike = groups.filter(|one| {
        one.class == group.class && one.process == group.process && one.place == group.place
    });
    alike.map(|one| one.count).sum()
}

/// Returns whether most of a group's time was spent waiting for files to change.
fn is_watch(story: &Story<'_>, group: &WaitGroup) -> bool {
    let is_it = |object: i32| {
        let row = story.objects.get(object);
        row.is_some_and(|row| {
            let is_watch = |name: &str| ["inotify", "fanotify"].contains(&name);
            // Of more than a few, the others are only counted.
            let names = row.name.split(" and ").next().unwrap_or_default();
            let is_list = ["poll", "epoll"].contains(&row.kind.as_str());
            is_watch(&row.name) || is_list && names.split(", ").any(is_watch)
        })
    };
    is_mostly(group, is_it)
}

/// Returns whether most of a group's time was spent waiting for such objects.
fn is_mostly(group: &WaitGroup, is_it: impl Fn(i32) -> bool) -> bool {
    let targets = group.targets.iter();
    let asked = targets.filter(|(target, _)| target.object.is_some_and(&is_it));
    asked.map(|(_, &(ns, _))| ns).sum::<i64>() * 2 > group.ns
}

/// Adds what most of the time was spent waiting for, and how long the calls asked to wait.
pub(super) fn add(story: &Story<'_>, cause: &str, groups: &[&WaitGroup], draft: Draft) -> Draft {
    let all_ns: i64 = groups.iter().map(|group| group.ns).sum();
    // Each connection with a peer has a local end of its own.
    let mut objects: BTreeMap<(&str, &str), (i64, i32)> = BTreeMap::new();
    let mut asked: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
    for (target, &(ns, count)) in groups.iter().flat_map(|group| &group.targets) {
        // The lock of a database is none that the kernel knows: what a session waits at is only how it is woken.
        if let Some(object) = target.object.filter(|_| cause != "database-lock")
            && let Some(row) = story.objects.get(object)
        {
            let key = (row.kind.as_str(), row.name.as_str());
            objects.entry(key).or_insert((0, object)).0 += ns;
        }
        if let Some(timeout) = target.timeout_ns {
            let sum = asked.entry(timeout).or_default();
            (sum.0, sum.1) = (sum.0 + ns, sum.1 + count);
        }
    }
    let of_host = host(&objects, all_ns);
    // Of many short waits for one ring, only some say what its requests are about: enough if these have half of the time.
    let is_ring = |group: &&WaitGroup| story.rules.class(group.class).name == "io-uring";
    let known_ns: i64 = objects.values().map(|&(ns, _)| ns).sum();
    let of_ns = match groups.iter().all(is_ring) && known_ns.saturating_mul(2) >= all_ns {
        true => known_ns,
        false => all_ns,
    };
    let most = objects.into_values().max_by_key(|&(ns, _)| ns);
    let most = most.filter(|&(ns, _)| ns * 2 > of_ns).map(|(_, at)| at);
    let draft = match most.and_then(|at| Some((at, story.objects.get(at)?))) {
        // Who sleeps waits for none of the things that could wake it.
        Some((_, row)) if cause == "sleep" && ["epoll", "unix"].contains(&row.kind.as_str()) => {
            draft
        }
        // Who did not answer is known already.
        Some((at, row)) if cause != "silent-peer" => object(story, (at, row), cause, draft),
        None if cause != "silent-peer" => match of_host {
            Some(host) => draft.fact("object", Value::Text(host)),
            None => draft,
        },
        _ => draft,
    };
    if let Some((least, longest, count)) = several(&asked, all_ns).filter(|_| cause == "sleep") {
        return draft
            .fact("asked-least", Value::Time(least))
            .fact("asked", Value::Time(longest))
            .fact("asked-count", Value::Count(count))
            .detail(Message::new(
                "It asked {asked-count} times to sleep, for {asked-least} to {asked} each.",
            ));
    }
    let most = asked.into_iter().max_by_key(|&(_, (ns, _))| ns);
    let most = most.filter(|&(_, (ns, count))| ns * 2 > all_ns && count > 0);
    let Some((timeout, (_, count))) = most else {
        return draft;
    };
    let message = match (cause, count) {
        ("sleep", 1) => "It asked to sleep for {asked}, once.",
        ("sleep", _) => "It asked to sleep for {asked}, {asked-count} times.",
        ("timeout" | "silent-peer" | "dns", 1) => "It asked to wait for {asked} at most, once.",
        ("timeout" | "silent-peer" | "dns", _) => {
            "It asked to wait for {asked} at most, {asked-count} times."
        }
        _ => return draft,
    };
    draft
        .fact("asked", Value::Time(timeout))
        .fact("asked-count", Value::Count(count))
        .detail(Message::new(message))
}

/// One length has most of the time from this percentage on.
const ONE: i64 = 80;

/// A length that has less than this percentage of the time is not counted with the others.
const SOME: i64 = 2;

/// Returns the shortest and the longest of several lengths that calls asked to wait for, and how many calls that were, if
/// they have most of the time, and no length has.
fn several(asked: &BTreeMap<i64, (i64, i64)>, all_ns: i64) -> Option<(i64, i64, i64)> {
    let part = |ns: i64, percent: i64| ns.saturating_mul(100) >= all_ns.saturating_mul(percent);
    // Who sleeps until a moment asks for a length that is never quite the same.
    let mut lengths: Vec<(i64, i64, i64)> = Vec::new();
    for (&length, &(ns, count)) in asked {
        match lengths.last_mut() {
            Some((least, sum, counts)) if length - *least <= *least / 100 => {
                (*sum, *counts) = (sum.saturating_add(ns), counts.saturating_add(count));
            }
            _ => lengths.push((length, ns, count)),
        }
    }
    if lengths.iter().any(|&(_, ns, _)| part(ns, ONE)) {
        return None;
    }
    lengths.retain(|&(_, ns, _)| part(ns, SOME));
    let (mut known_ns, mut count) = (0_i64, 0_i64);
    for &(_, ns, some) in &lengths {
        (known_ns, count) = (known_ns.saturating_add(ns), count.saturating_add(some));
    }
    let (&(least, ..), &(longest, ..)) = (lengths.first()?, lengths.last()?);
    (longest > least && part(known_ns, ONE)).then_some((least, longest, count))
}

/// Returns the machine that most of the time was waited for, on several ports, and on how many.
fn host(objects: &BTreeMap<(&str, &str), (i64, i32)>, all_ns: i64) -> Option<String> {
    let mut hosts: BTreeMap<&str, (i64, usize)> = BTreeMap::new();
    for (&(kind, name), &(ns, _)) in objects {
        if let ("tcp" | "udp", Some((host, _))) = (kind, name.rsplit_once(':')) {
            let known = hosts.entry(host).or_default();
            (known.0, known.1) = (known.0 + ns, known.1 + 1);
        }
    }
    let (host, (ns, ports)) = hosts.into_iter().max_by_key(|&(_, (ns, _))| ns)?;
    (ns * 2 > all_ns && ports > 1).then(|| format!("{host} ({ports} ports)"))
}

/// Kernel objects that say what a wait is for: changes of files, timers, signals.
const TELLING: [&str; 4] = ["inotify", "fanotify", "timerfd", "signalfd"];

fn object(story: &Story<'_>, (at, row): (i32, &WaitObjectRow), cause: &str, draft: Draft) -> Draft {
    let process = row.peer_pid.and_then(|pid| process(story, pid));
    let name = match row.kind.as_str() {
        // An address means nothing to a person, "any child" is not a child, and what the kernel made
        // for the wait itself is not what was waited for.
        "futex" | "signal" | "nothing" => return draft,
        "event" if !TELLING.contains(&row.name.as_str()) => return draft,
        "epoll" | "poll" => only_watched(row, cause),
        "tracer" => {
            return match process {
                Some(name) => draft
                    .fact("tracer", Value::Process(name))
                    .detail(Message::new("{tracer} traces it.")),
                None => draft,
            };
        }
        "child" => match process {
            Some(name) => return draft.fact("object", Value::Process(name)),
            None => return draft,
        },
        // Other watched objects did not reply.
        "tcp" | "udp" if cause == "slow-peer" => Some(row.name.clone()),
        _ => story.objects.name(at),
    };
    let Some(name) = name else {
        return draft;
    };
    let draft = draft.fact("object", Value::Text(name));
    match (row.kind.as_str(), process) {
        // Who is asked ends the wait, and is named then.
        (_, Some(_))
            if cause == "scanner" && draft.facts.iter().any(|(name, _)| *name == "peer") =>
        {
            draft
        }
        (_, Some(listener)) if cause == "scanner" => whose(draft, &listener)
            .detail(Message::new("{peer} decides whether it may use the file.")),
        ("file" | "folder", Some(holder)) => {
            let ended = row.peer_pid.is_some_and(|pid| is_peer(story, &draft, pid));
            whose(draft, &holder)
                .fact("holder", Value::Process(holder))
                .detail(Message::new(match ended {
                    true => "The same process held the lock when the wait began.",
                    false => "{holder} held the lock when the wait began.",
                }))
        }
        ("unix" | "pipe", Some(other)) => {
            let is_known = draft.facts.iter().any(|(name, _)| *name == "peer");
            let name = match cause == "slow-peer" && !is_known {
                true => "peer",
                false => "other-end",
            };
            draft
                .fact(name, Value::Process(other))
                .detail(Message::new(match name {
                    "peer" => "{peer} is at the other end.",
                    _ => "{other-end} is at the other end.",
                }))
        }
        _ => draft,
    }
}

/// Returns whether the answer already names this process, as the one that ended the waits.
fn is_peer(story: &Story<'_>, draft: &Draft, pid: i32) -> bool {
    let mut facts = draft.facts.iter();
    let named = facts.find_map(|(name, value)| match value {
        Value::Process(label) if *name == "peer" => Some(label),
        _ => None,
    });
    let of_process = |thread: &ThreadId| {
        let row = story.facts.thread(*thread);
        let process = row.and_then(|row| story.facts.process(row.process));
        process.is_some_and(|process| process.os_pid == pid)
    };
    let mut threads = ThreadId::all().take(story.facts.threads.len());
    named.is_some_and(|label| {
        threads.any(|thread| of_process(&thread) && story.label(thread) == *label)
    })
}

/// Adds who had the lock, where nobody ended the wait.
fn whose(draft: Draft, holder: &str) -> Draft {
    match draft.facts.iter().any(|(name, _)| *name == "peer") {
        true => draft,
        false => draft.fact("peer", Value::Process(holder.to_owned())),
    }
}

/// Returns the only thing that an epoll or a call watches beside what programs wake themselves with. Who waits for
/// replies may have several connections with one peer: they are one thing, too, and what else was watched did not
/// reply.
fn only_watched(row: &WaitObjectRow, cause: &str) -> Option<String> {
    const OF_NO_ONE: &str = "a Unix socket";
    let names = row.name.split(", ");
    let mut others = names.filter(|name| !name.starts_with('[') && *name != OF_NO_ONE);
    let only = others.next()?;
    let alike = others.clone().filter(|other| *other == only).count();
    let is_alone = others.count() == alike;
    let is_all = row.others.is_none() || cause == "slow-peer" && alike > 0;
    (is_alone && is_all).then(|| only.to_owned())
}

/// Returns a process that lived while the command did, as `name (pid 99)`.
fn process(story: &Story<'_>, pid: i32) -> Option<String> {
    let (from, to) = story.command.span_ns;
    let lived = |start: Option<i64>, end: Option<i64>| {
        start.is_none_or(|start| start < to) && end.is_none_or(|end| end > from)
    };
    let rows = story.facts.processes.iter();
    let mut known = rows.filter(|row| row.os_pid == pid && lived(row.start_ns, row.end_ns));
    // After an exec it is what it became.
    let row = known.next_back()?;
    Some(match called::script(row) {
        Some(_) => called::with_pid(row),
        None => format!("{} (pid {pid})", row.name),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::several;

    #[test]
    fn lengths_that_grow_are_a_range() {
        let asked = BTreeMap::from([
            (1, (1, 1)),
            (100, (100, 1)),
            (200, (200, 1)),
            (400, (800, 2)),
        ]);
        assert_eq!(several(&asked, 1101), Some((100, 400, 4)));
        // Of the rest of the time nothing is known.
        assert_eq!(several(&asked, 2000), None);
        let alike = BTreeMap::from([(1000, (1000, 1)), (1001, (2000, 2))]);
        assert_eq!(several(&alike, 3000), None);
        assert_eq!(
            several(&BTreeMap::from([(100, (1000, 10)), (5, (5, 1))]), 1005),
            None
        );
        assert_eq!(several(&BTreeMap::new(), 0), None);
    }
}
