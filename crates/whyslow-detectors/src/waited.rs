//! The path waited for something outside the command: one finding per class of waits.

mod cause;
pub(super) mod claims;
mod cold;
pub(super) mod crowd;
mod lengths;
mod moved;

mod silent;
mod storage;
mod syncs;
pub(super) mod target;
mod timers;
mod unwoken;

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{FileOperation, ProcessId, ThreadId};

use super::looks;
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use cause::{cause_of, waits_for_reply};
use whyslow_findings::looked_up;
use whyslow_findings::ranking::DISK_WORK;
use whyslow_query::called;
use whyslow_query::spans::Spans;
use whyslow_story::calls::{Entry, entry};
use whyslow_story::code::Code;
use whyslow_story::files::Use;
use whyslow_story::path::{WaitGroup, What};
use whyslow_story::peers::Role;
use whyslow_story::place::{PAGE_FAULT, Place, system_call};
use whyslow_story::story::{Story, share};
use whyslow_story::talks;
use whyslow_story::walk::is_program;

pub(super) use whyslow_story::talks::{SENDS, TALKS};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        (
            "timeout",
            "it waited for something that did not come, until its own time-out",
        ),
        ("slow-peer", "it waited for another process or machine"),
        (
            "slow-file-system",
            "it waited for files that a server or another program provides",
        ),
    ],
    find,
};

/// Classes of waits for data that another process or machine sends.
const MESSAGES: [&str; 5] = ["socket", "poll", "events", "ipc", "loop"];

/// Returns whether waits of a class are for data that another process or machine sends.
pub(super) fn is_for_messages(class: &str) -> bool {
    MESSAGES.contains(&class) || ["pipe", "accept", "goroutines"].contains(&class)
}

/// The work of copying files of an overlay file system, which reads them and flushes the copies.
pub(super) const COPY_UP: &str = "copy-up";

/// What to do about it.
pub(super) const LESS_COPYING: &str =
    "Change the files where they are made (in the image), or keep them on a volume.";

/// Returns whether the waits of a group are sleeps, however the program sleeps.
pub(super) fn is_sleep(story: &Story<'_>, group: &WaitGroup) -> bool {
    group.is_sleep(story.rules) || cause_of(story, group) == "sleep"
}

/// Returns the thread of another program that ended most of the waits.
fn stranger(story: &Story<'_>, group: &WaitGroup) -> Option<ThreadId> {
    let waker = group.main_waker(story.facts);
    waker.filter(|&id| is_program(story.facts, id) && !story.command.has_thread(id))
}

/// Returns the process that started this one as a copy of itself meanwhile; if there is none, this one.
fn original(story: &Story<'_>, process: ProcessId) -> ProcessId {
    let name = |id| story.facts.process(id).map(|row| &row.name);
    let parent = story.network.parent(process);
    let copied = parent.filter(|&parent| name(parent) == name(process));
    copied.unwrap_or(process)
}

/// Returns what the process of a thread is to the command.
fn role(story: &Story<'_>, thread: ThreadId) -> Option<Role> {
    let process = story.facts.thread(thread)?.process;
    story.roles.get(&process).copied()
}

/// Returns how certain the cause of these waits is.
fn confidence(story: &Story<'_>, cause: &str, groups: &[&WaitGroup]) -> Confidence {
    let is = |name: &str| {
        let class = |group: &&WaitGroup| story.rules.class(group.class).name == name;
        groups.first().is_some_and(class)
    };
    let role = || {
        let known = groups.iter().find_map(|group| stranger(story, group));
        known.and_then(|id| role(story, id))
    };
    match cause {
        "unknown" | "other" | "futex" | "goroutines" | "poll" | "events" => Confidence::Possible,
        "idle" if is("loop") || is("work") || is("goroutines") => Confidence::Likely,
        "slow-peer" if role().is_none() => Confidence::Possible,
        _ => Confidence::Certain,
    }
}

/// The waits of one cause.
#[derive(Default)]
pub(super) struct Waits<'a> {
    pub(super) groups: Vec<&'a WaitGroup>,
    pub(super) when: Vec<(i64, i64)>,
    pub(super) ns: i64,
}

impl<'a> Waits<'a> {
    /// Adds more waits.
    pub(super) fn add(&mut self, more: Waits<'a>) {
        self.groups.extend(more.groups);
        self.when.extend(more.when);
        self.ns += more.ns;
    }

    /// Returns where the user's own code made the calls that waited.
    pub(super) fn entries(&self, code: &Code<'_>) -> BTreeSet<Entry> {
        let stacks = self.groups.iter().flat_map(|group| group.stacks.keys());
        let nodes = stacks.map(|&id| code.stacks.tree.node(Some(id)));
        nodes.filter_map(|node| entry(code, node)).collect()
    }
}

fn find(story: &Story<'_>) -> Vec<Draft> {
    let causes = causes(story).into_iter();
    let others = causes.filter(|(cause, _)| !DISK_WORK.contains(cause));
    // What was seen meanwhile says more.
    let others = others.filter(|(cause, _)| *cause != looks::UNKNOWN || !looks::say(story));
    let drafts = others.map(|(cause, waits)| draft(story, cause, waits));
    drafts.filter(|draft| !is_plumbing(draft)).collect()
}

/// Classes that only say how a runtime or a library waits.
const PLUMBING: [&str; 4] = ["poll", "events", "goroutines", "futex"];

/// Returns whether only the mechanism of the waits is known: neither what they were for, nor who ended
/// them.
fn is_plumbing(draft: &Draft) -> bool {
    PLUMBING.contains(&draft.cause.as_str())
        && !["object", "peer", "ended-by"]
            .iter()
            .any(|name| has(draft, name))
}

/// Returns whether a value is known.
fn has(draft: &Draft, wanted: &str) -> bool {
    draft.facts.iter().any(|(name, _)| *name == wanted)
}

/// Returns how long the path waited for what is not known, and the class of most of it.
pub fn unexplained(story: &Story<'_>) -> Option<(i64, Value)> {
    let causes = causes(story).into_iter();
    let others = causes.filter(|(cause, _)| PLUMBING.contains(cause));
    let drafts = others.map(|(cause, waits)| (waits.ns, draft(story, cause, waits)));
    let left: Vec<_> = drafts.filter(|(_, draft)| is_plumbing(draft)).collect();
    let ns = left.iter().map(|(ns, _)| ns).sum();
    let (_, most) = left.into_iter().max_by_key(|(ns, _)| *ns)?;
    let class = most.facts.into_iter().find(|(name, _)| *name == "class");
    class.map(|(_, class)| (ns, class))
}

/// Causes of waits that another process explains, if it is on this machine.
const BY_STRANGERS: [&str; 9] = [
    "slow-peer",
    "database-lock",
    "file-lock",
    "pipe",
    "ipc",
    "lock",
    "semaphore",
    "slow-file-system",
    "scanner",
];

/// Returns which waits of the path were for another program on this machine.
pub fn waits_for_strangers(story: &Story<'_>) -> impl Iterator<Item = usize> {
    let groups = story.path.waits.iter().enumerate();
    let by_strangers = groups.filter(|(_, group)| {
        let cause = cause_of(story, group);
        let known = stranger(story, group);
        // A process that may be a client need not reply.
        let known = known.filter(|&id| cause != "slow-peer" || role(story, id).is_some());
        known.is_some() && !story.rules.is_cut_short(group.end) && BY_STRANGERS.contains(&cause)
    });
    by_strangers.map(|(at, _)| at)
}

/// Returns the waits of a cause.
pub(super) fn waits_of<'a>(story: &'a Story<'_>, cause: &str) -> Option<Waits<'a>> {
    let mut causes = causes(story).into_iter();
    causes
        .find(|(known, _)| *known == cause)
        .map(|(_, waits)| waits)
}

/// Returns the waits of the path by cause, those for one process apart from those for another; longest
/// first.
pub(super) fn causes<'a>(story: &'a Story<'_>) -> Vec<(&'a str, Waits<'a>)> {
    let causes = causes_by_process(story, &|_| true).into_iter();
    causes.map(|((cause, _), waits)| (cause, waits)).collect()
}

/// Returns the same for some waits; if the path consists of unrelated processes, the waits of each are
/// kept apart.
pub(super) fn causes_by_process<'a>(
    story: &'a Story<'_>,
    wanted: &dyn Fn(&WaitGroup) -> bool,
) -> Vec<((&'a str, Option<ProcessId>), Waits<'a>)> {
    let groups = &story.path.waits;
    let of_group: Vec<&str> = groups.iter().map(|g| cause_of(story, g)).collect();
    // Each process that is waited for is a cause of its own.
    let peer = |cause: &str, group: &WaitGroup| {
        if cause != "slow-peer" {
            return None;
        }
        let ended = stranger(story, group).and_then(|id| story.facts.thread(id));
        // A server that starts a process for each connection is one peer.
        let ended = ended.map(|row| original(story, row.process));
        ended.or_else(|| waits_for_reply(story, group))
    };
    let key = |(&cause, group): (&&'a str, &WaitGroup)| {
        let waiter = group.between.map(|(waiter, _)| waiter);
        (cause, peer(cause, group), waiter)
    };
    let keys = of_group.iter().zip(groups);
    let keys: Vec<_> = keys.map(|pair| wanted(pair.1).then(|| key(pair))).collect();
    let mut causes: BTreeMap<_, Waits<'_>> = BTreeMap::new();
    for (&key, group) in keys.iter().zip(groups) {
        let Some(key) = key else {
            continue;
        };
        let waits = causes.entry(key).or_default();
        waits.groups.push(group);
        waits.ns += group.ns;
    }
    for step in &story.path.steps {
        if let What::Wait(at) = step.what
            && let Some(waits) = keys[at].and_then(|key| causes.get_mut(&key))
        {
            waits.when.push((step.from_ns, step.to_ns));
        }
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(_, waits)| std::cmp::Reverse(waits.ns));
    let causes = causes.into_iter();
    let causes = causes.map(|((cause, _, waiter), waits)| ((cause, waiter), waits));
    causes.collect()
}

pub(super) fn draft(story: &Story<'_>, cause: &str, waits: Waits<'_>) -> Draft {
    if let Some(draft) = crowd::draft(story, cause, &waits) {
        return draft;
    }
    let (on, ns) = (Spans::new(waits.when), waits.ns);
    let groups = waits.groups;
    let confidence = confidence(story, cause, &groups);
    let shown = if cause == silent::CAUSE {
        "timeout"
    } else {
        cause
    };
    let draft =
        Draft::new(shown, confidence, Extent::On(on)).fact("class", class(story, cause, &groups));
    let replies = cause == "slow-peer" && confidence == Confidence::Certain;
    let mut places: BTreeMap<_, Vec<&WaitGroup>> = BTreeMap::new();
    for &group in &groups {
        let place = (&group.process, &group.place);
        places.entry(place).or_default().push(group);
    }
    let time = |groups: &[&WaitGroup]| groups.iter().map(|group| group.ns).sum::<i64>();
    let most = places.into_iter().max_by_key(|(_, groups)| time(groups));
    let other = most.as_ref().map(|((process, _), _)| process.to_string());
    let other = other.filter(|name| *name != story.root_name());
    let draft = draft.claim(match other {
        Some(_) => "{process}",
        None => "It",
    });
    let draft = draft.claim(claims::claim(story, cause, &groups, replies));
    let draft = match most {
        Some(((process, place), there)) => {
            let part = share(time(&there), ns);
            let (place, by_calls) = talks::shown(story, &groups, place);
            let is_known = place.as_ref().is_some_and(Place::is_known) && !by_calls;
            let draft = draft.fact("process", Value::Process(story.called(process)));
            let draft = match place.map(Value::Place) {
                Some(place) => draft.fact("place", place),
                None => draft,
            };
            let draft = draft.fact("place-share", Value::Share(part));
            // A place with all of it is shown by itself.
            let draft = match part < 95.0 && is_known {
                true => draft.detail(Message::new("{place}: {place-share} of that")),
                false => draft,
            };
            let whose = if replies { &groups } else { &there };
            ended(story, whose, replies, draft)
        }
        None => draft,
    };
    // Another program of the command did so by itself: nobody else is behind it.
    let draft = match other.filter(|_| cause == "sleep") {
        Some(name) => draft.fact("peer", Value::Process(story.called(&name))),
        None => draft,
    };
    let draft = match cause {
        "timeout" => unwoken::add(story, &groups, draft),
        silent::CAUSE => silent::add(story, &groups, draft),
        "cold-read" => cold::add(story, &groups, draft),
        "fsync" => syncs::add(story, draft),
        COPY_UP => draft.advise(LESS_COPYING),
        "disk" => moved::add(story, &groups, ns, draft),
        "dns" => looked_up::add(story, &groups, draft),
        _ => draft,
    };
    let draft = match has(&draft, "each") {
        // How long the calls take says more than the waits within them.
        true => draft,
        false => lengths::add(&groups, draft),
    };
    let draft = target::add(story, cause, &groups, draft);
    let is_told = draft.facts.iter().any(|(name, _)| *name == "object");
    let object = object(story, cause, &groups).map(Value::Text);
    let object = object.or_else(|| asked(&draft, cause));
    let draft = match object.filter(|_| !is_told) {
        Some(object) => draft.fact("object", object),
        None => draft,
    };
    let draft = match cause {
        "slow-peer" => with_peer_as_object(other_end(story, ns, draft)),
        "slow-file-system" => storage::add(story, &groups, draft),
        _ => draft,
    };
    evidence(&groups, draft)
}

/// Adds the other process as the object of the wait, if no address or file says more.
fn with_peer_as_object(draft: Draft) -> Draft {
    let fact = |wanted: &str| draft.facts.iter().find(|(name, _)| *name == wanted);
    match (fact("object"), fact("peer")) {
        (None, Some((_, Value::Process(peer)))) => {
            let peer = Value::Process(peer.clone());
            draft.fact("object", peer)
        }
        _ => draft,
    }
}

/// Returns the name server that was asked, or else the name that was looked up.
fn asked(draft: &Draft, cause: &str) -> Option<Value> {
    let fact = |wanted: &str| {
        let mut facts = draft.facts.iter();
        facts
            .find(|(name, _)| *name == wanted)
            .map(|(_, value)| value)
    };
    let value = fact("server").or_else(|| fact("name"));
    value.filter(|_| cause == "dns").cloned()
}

/// Adds who is at the other end of the connection that was waited for, if nothing else says so.
fn other_end(story: &Story<'_>, ns: i64, draft: Draft) -> Draft {
    let fact = |wanted: &str| draft.facts.iter().find(|(name, _)| *name == wanted);
    let slowest = story.network.slowest_peer(ns).map(|(remote, _)| remote);
    let remote = match fact("object") {
        Some((_, Value::Text(object))) => Some(object.as_str()),
        _ => slowest,
    };
    let peer = remote.and_then(|remote| story.network.process_at(remote));
    let process = peer.and_then(|peer| story.facts.process(peer));
    let process = process.filter(|row| !story.command.has_process(row.id));
    match process.filter(|_| fact("peer").is_none()) {
        Some(row) => draft
            .fact("peer", Value::Process(called::with_pid(row)))
            .detail(Message::new("{peer} is at the other end.")),
        None => draft,
    }
}

/// Returns the file or folder of the calls that waited like this, if most of their time was for it; for
/// waits for others, the peer whose replies took most of the time.
fn object(story: &Story<'_>, cause: &str, groups: &[&WaitGroup]) -> Option<String> {
    let class = |group: &&WaitGroup| story.rules.class(group.class).name.as_str();
    let of_peers = groups.first().map(class);
    if ["slow-peer", "timeout"].contains(&cause) {
        // A thread that gives up a lock did not wait for a peer.
        of_peers.filter(|name| MESSAGES.contains(name) || *name == "goroutines")?;
        let ns = groups.iter().map(|group| group.ns).sum();
        let peer = story.network.slowest_peer(ns);
        return peer.map(|(remote, _)| remote.to_owned());
    }
    use FileOperation::{List, Lock, Open, Read, Stat, Sync, Write};
    let most = groups.iter().max_by_key(|group| group.ns);
    let stack = most.and_then(|group| group.main_stack());
    let call = system_call(story.code.stacks, stack);
    let faulted = call == Some(PAGE_FAULT);
    // Mapping a file takes next to no time, and says nothing about the time that reading it, or writing it
    // back, takes.
    let is_mapped = match cause {
        "cold-read" => faulted,
        "fsync" => syncs::are_of_mappings(story) && !syncs::have_files(story),
        _ => false,
    };
    if is_mapped {
        return syncs::mapped(story);
    }
    if cause == "disk" {
        let waited_ns = groups.iter().map(|group| group.ns).sum();
        return moved::file(story, call, waited_ns);
    }
    let wanted = |one: &Use| match cause {
        "fsync" => one.operation == Sync || one.is_durable && one.operation == Write,
        "cold-read" => one.operation == Read,
        "file-lock" => one.operation == Lock,
        "slow-file-system" | "scanner" => {
            matches!(one.operation, Open | Stat | Read | Write | List)
        }
        _ => false,
    };
    story
        .files
        .object_by_pattern(wanted, |sum| sum.ns.unwrap_or(0))
}

/// Returns the class of the waits, or of most of their time; those about the disk are called that.
fn class(story: &Story<'_>, cause: &str, groups: &[&WaitGroup]) -> Value {
    let mut classes = BTreeMap::new();
    for group in groups {
        *classes.entry(group.class).or_insert(0) += group.ns;
    }
    let all: i64 = classes.values().sum();
    let most = classes.into_iter().max_by_key(|&(_, ns)| ns);
    let most = most.filter(|&(_, ns)| cause != "disk" || share(ns, all) >= 95.0);
    let class = match cause {
        "dns" => story.rules.find(cause),
        "slow-file-system" => story.rules.find(storage::class(story, groups)),
        _ => most.map(|(class, _)| class),
    };
    let class = class.map(|class| story.rules.class(class));
    let class = class.filter(|class| cause != "disk" || class.name != "io-uring");
    Value::Class {
        name: class.map_or("disk", |class| &class.name).to_owned(),
        phrase: class.map_or("the disk", |class| &class.phrase).to_owned(),
    }
}

/// Adds what ended the waits: a program, or what cut them short.
fn ended(story: &Story<'_>, groups: &[&WaitGroup], replies: bool, draft: Draft) -> Draft {
    let of_strangers = groups.iter().find_map(|group| stranger(story, group));
    let of_anybody = groups
        .iter()
        .find_map(|group| group.main_waker(story.facts));
    let waker = of_strangers.or(of_anybody);
    let most = groups.iter().max_by_key(|group| group.ns);
    let cut_short = most.filter(|group| story.rules.is_cut_short(group.end));
    // A thread that waited for a signal got what it waited for.
    let for_signal = most.is_some_and(|group| story.rules.class(group.class).name == "signal");
    if let Some(group) = cut_short.filter(|_| !(replies || for_signal && waker.is_some())) {
        let phrase = story.rules.end(group.end).phrase.clone();
        let draft = draft.fact("ended-by", Value::Text(phrase));
        return draft.claim(", until {ended-by}");
    }
    let Some(id) = waker.filter(|&id| is_program(story.facts, id)) else {
        return draft;
    };
    let process = story.facts.thread(id).map(|row| row.process);
    let process = process.and_then(|id| story.facts.process(id));
    // Which of a server's threads replied does not matter, unless it has a name of its own.
    let of_process = process.filter(|row| replies && row.name == story.facts.thread_name(id));
    let peer = of_process.map_or_else(|| story.label(id), called::with_pid);
    let draft = draft.fact("peer", Value::Process(peer));
    // If the script is named, the command line says no more.
    let line = story.stranger(id);
    let line = line.filter(|_| process.and_then(called::script).is_none());
    match (line, replies) {
        (Some(line), false) => draft
            .fact("peer-command", Value::Process(line))
            .claim(", until {peer} ({peer-command}) ended it"),
        (Some(line), true) => draft
            .fact("peer-command", Value::Process(line))
            .claim(" ({peer-command})"),
        (None, false) => draft.claim(", until {peer} ended it"),
        (None, true) => draft,
    }
}

/// Adds the waits' rows and their heaviest stacks.
fn evidence(groups: &[&WaitGroup], draft: Draft) -> Draft {
    let count = groups.iter().map(|group| group.count).sum();
    let ns = groups.iter().map(|group| group.ns).sum();
    let Some(first) = groups.first() else {
        return draft;
    };
    let by = |group: &WaitGroup| group.process.to_string();
    let query = Query::new("its waits by class", "waits", &["--process", &by(first)]);
    let mut draft =
        draft
            .fact("count", Value::Count(count))
            .rows("thread_state", (ns, count), query);
    for group in groups.iter().take(3) {
        if let Some(stack) = group.main_stack() {
            let arguments = ["--process", &by(group), "--by", "wait"];
            let query = Query::new("where it waited", "stacks", &arguments);
            let amount = (group.ns, group.count);
            draft = draft.stack((stack, &group.place), amount, query);
        }
    }
    draft
}
