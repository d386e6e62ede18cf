//! Peers that did not answer before the program gave up: a runtime or an event loop waits with its own timers,
//! so only the connection shows what it waits for.

use std::collections::BTreeMap;

use whyslow_model::{SystemCall, SystemCallResult};

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_query::called;
use whyslow_story::network::Silent;
use whyslow_story::path::{WaitGroup, WaitTarget};
use whyslow_story::story::{Story, share};

/// Groups time-outs whose silent peer is known; findings show them as `timeout`.
pub(super) const CAUSE: &str = "silent-peer";

/// Connections without an answer that lasted for this percentage of the waiting, from and to, are what it was for.
const MOST: [f64; 2] = [60.0, 150.0];

/// Classes of waits in which a program may wait for an answer.
const CLASSES: [&str; 5] = ["socket", "poll", "events", "goroutines", "loop"];

/// Returns whether these waits were for answers that did not come.
pub(super) fn is_silent(story: &Story<'_>, group: &WaitGroup) -> bool {
    peer(story, &[group]).is_some()
}

/// Returns who did not answer, if that is what these waits were for.
fn peer(story: &Story<'_>, groups: &[&WaitGroup]) -> Option<Silent> {
    let class = |group: &&WaitGroup| story.rules.class(group.class).name.as_str();
    if !groups.iter().all(|group| CLASSES.contains(&class(group))) {
        return None;
    }
    let ns = groups
        .iter()
        .fold(0_i64, |all, group| all.saturating_add(group.ns));
    let mut silent = story.network.silent.iter();
    let silent = silent.find(|silent| {
        let waited = time_for(story, groups, &silent.remote);
        let part = share(silent.ns, ns);
        match waited {
            // Which connection they were for was recorded.
            Some(waited) => waited.saturating_mul(2) > ns && part >= MOST[0],
            None => (MOST[0]..=MOST[1]).contains(&part),
        }
    });
    silent.cloned().or_else(|| unheard(story, groups))
}

/// Returns who was asked in single messages (UDP) and never answered: all waits for it ended by their time-out.
fn unheard(story: &Story<'_>, groups: &[&WaitGroup]) -> Option<Silent> {
    let mut remotes: BTreeMap<&str, i64> = BTreeMap::new();
    for (target, &(ns, _)) in groups.iter().flat_map(|group| &group.targets) {
        if let Some(remote) = asked_by_message(story, target) {
            *remotes.entry(remote).or_default() += ns;
        }
    }
    let ns = groups
        .iter()
        .fold(0_i64, |all, group| all.saturating_add(group.ns));
    let (remote, waited) = remotes.into_iter().max_by_key(|&(_, ns)| ns)?;
    let of_it = |group: &&WaitGroup| {
        let mut targets = group.targets.keys();
        targets.any(|target| asked_by_message(story, target) == Some(remote))
    };
    let all = story.path.waits.iter().filter(|group| of_it(group));
    let answered = |group: &WaitGroup| !story.rules.is_timeout(group.end);
    let (count, is_answered) = all.fold((0, false), |(count, is), group| {
        (group.count.saturating_add(count), is || answered(group))
    });
    let threads = story.calls.threads.values();
    let sends = threads.map(|thread| thread.sum(is_send).count);
    let sends = sends.fold(0, i64::saturating_add);
    let asks = sends >= count && sends <= count.saturating_mul(ONE_REQUEST);
    (waited.saturating_mul(2) > ns && !is_answered && asks).then(|| Silent {
        remote: remote.to_owned(),
        ns: waited,
        count,
    })
}

/// A request is sent in a few messages; who sends more wants no answer to each.
const ONE_REQUEST: i64 = 3;

/// `sendto`, `sendmsg`.
fn is_send(call: SystemCall, result: SystemCallResult) -> bool {
    [44, 46].contains(&call.0) && result.0 == 0
}

/// Returns to whom a message went, on whose answer a wait was.
fn asked_by_message<'a>(story: &'a Story<'_>, target: &WaitTarget) -> Option<&'a str> {
    let row = story.objects.get(target.object?)?;
    (row.kind == "udp" && !row.name.contains(' ')).then_some(row.name.as_str())
}

/// Returns how long of the time of these waits was for a peer; `None` where it was not recorded which connection any of
/// them was for.
fn time_for(story: &Story<'_>, groups: &[&WaitGroup], remote: &str) -> Option<i64> {
    let mut waited = None;
    for (target, &(ns, _)) in groups.iter().flat_map(|group| &group.targets) {
        let row = target.object.and_then(|object| story.objects.get(object));
        if let Some(row) = row.filter(|row| ["tcp", "udp", "unix"].contains(&row.kind.as_str())) {
            let sum: &mut i64 = waited.get_or_insert(0);
            if row.name == remote {
                *sum = sum.saturating_add(ns);
            }
        }
    }
    waited
}

/// What happened.
pub(super) const CLAIM: &str =
    " waited for answers from {object} that did not come before its time-out: {share} of the time";

/// Adds who did not answer.
pub(super) fn add(story: &Story<'_>, groups: &[&WaitGroup], draft: Draft) -> Draft {
    // Each group has one; together they may be for several.
    let of_all = peer(story, groups);
    let longest = groups.iter().max_by_key(|group| group.ns);
    let of_most = || longest.and_then(|group| peer(story, &[group]));
    let Some(silent) = of_all.or_else(of_most) else {
        return draft;
    };
    let mut connected = story.network.silent.iter();
    let is_connected = connected.any(|one| one.remote == silent.remote);
    let draft = draft
        .fact("object", Value::Text(silent.remote.clone()))
        .fact("connections", Value::Count(silent.count))
        .detail(Message::new(match (silent.count, is_connected) {
            (1, true) => "It closed the connection before an answer came.",
            (_, true) => "It closed {connections} connections, each before an answer came.",
            (1, false) => "It asked once, in a message (UDP).",
            (_, false) => "It asked {connections} times, in messages (UDP), and got no answer.",
        }))
        .advise("Find out why the other end does not answer, or do not wait for it.");
    let process = story.network.process_at(&silent.remote);
    let process = process.and_then(|id| story.facts.process(id));
    match process.filter(|row| !story.command.has_process(row.id)) {
        Some(row) => draft
            .fact("peer", Value::Process(called::with_pid(row)))
            .detail(Message::new("{peer} is at the other end.")),
        None => draft,
    }
}
