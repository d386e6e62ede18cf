//! What the command waited for, by looks into `/proc`: where only that it waited was recorded, not why.

use std::collections::BTreeMap;

use whyslow_model::SystemCall;

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_story::looks::Seen;
use whyslow_story::story::Story;

pub(crate) const DETECTOR: Detector = Detector { causes: &[], find };

/// The cause of waits about which nothing was recorded.
pub(super) const UNKNOWN: &str = "unknown";

/// So many looks must have found the command waiting.
const LEAST: i64 = 5;

/// From so many looks on, what they found is more than a guess.
const MANY: i64 = 20;

/// Returns whether the looks say what the command waited for.
pub fn say(story: &Story<'_>) -> bool {
    waiting(story) >= LEAST
}

fn waiting(story: &Story<'_>) -> i64 {
    story
        .looks
        .waits()
        .fold(0, |all, seen| all.saturating_add(seen.count))
}

fn find(story: &Story<'_>) -> Vec<Draft> {
    let class = |id| story.rules.class(id).name.as_str();
    let groups = story
        .path
        .waits
        .iter()
        .filter(|group| class(group.class) == UNKNOWN);
    let unknown_ns = groups.fold(0_i64, |all, group| all.saturating_add(group.ns));
    if unknown_ns == 0 || !say(story) {
        return Vec::new();
    }
    let mut by_class: BTreeMap<&str, Vec<&Seen>> = BTreeMap::new();
    for seen in story.looks.waits() {
        by_class
            .entry(class_of(story, seen))
            .or_default()
            .push(seen);
    }
    let drafts = by_class
        .into_iter()
        .map(|(class, seen)| draft(story, (class, &seen), unknown_ns));
    drafts.collect()
}

/// Returns the class of a wait: by the kernel function, the call, and what the call was about.
fn class_of<'a>(story: &Story<'a>, seen: &Seen) -> &'a str {
    let rules = story.rules;
    let name = |id| rules.class(id).name.as_str();
    let call = seen.call.map(SystemCall::spelled).unwrap_or_default();
    let functions = [
        seen.channel.clone().unwrap_or_default(),
        format!("__x64_sys_{call}"),
        format!("__do_sys_{call}"),
        call.clone(),
    ];
    let known = functions
        .iter()
        .map(String::as_str)
        .filter(|name| !name.is_empty());
    let class = name(rules.classify(known, []));
    let object = seen.object.as_deref().unwrap_or_default();
    let by_object = [
        ("pipe:", "pipe"),
        ("socket:", "socket"),
        ("/dev/pts/", "terminal"),
        ("/dev/tty", "terminal"),
    ];
    let by_object = by_object
        .iter()
        .find(|(beginning, _)| object.starts_with(beginning));
    let wanted = match (class, by_object) {
        ("other" | UNKNOWN, Some((_, class))) => class,
        ("other" | UNKNOWN, None) => match (call.as_str(), seen.state) {
            ("futex" | "futex_wait" | "futex_waitv", _) => "futex",
            ("nanosleep" | "clock_nanosleep", _) => "sleep",
            ("wait4" | "waitid", _) => "child",
            ("poll" | "ppoll" | "select" | "pselect6", _) => "poll",
            ("epoll_wait" | "epoll_pwait" | "epoll_pwait2", _) => "poll",
            ("fsync" | "fdatasync" | "msync" | "sync_file_range", _) => "fsync",
            ("flock", _) => "file-lock",
            ("recvfrom" | "recvmsg" | "sendto" | "sendmsg" | "connect", _) => "socket",
            ("accept" | "accept4", _) => "accept",
            // Only what cannot be interrupted is such a wait: for a disk, or a page.
            (_, 'D') => "disk",
            _ => UNKNOWN,
        },
        (class, _) => class,
    };
    rules.find(wanted).map_or(UNKNOWN, name)
}

fn draft(story: &Story<'_>, (class, seen): (&str, &[&Seen]), unknown_ns: i64) -> Draft {
    let count = seen
        .iter()
        .fold(0_i64, |all, one| all.saturating_add(one.count));
    let part = i128::from(unknown_ns) * i128::from(count) / i128::from(waiting(story).max(1));
    let ns = i64::try_from(part).unwrap_or(unknown_ns);
    let confidence = match (class, count) {
        (UNKNOWN | "futex" | "poll", _) | (_, ..MANY) => Confidence::Possible,
        _ => Confidence::Likely,
    };
    let most = |of: &dyn Fn(&Seen) -> Option<String>| {
        let mut counts: BTreeMap<String, i64> = BTreeMap::new();
        for one in seen {
            if let Some(name) = of(one) {
                let sum = counts.entry(name).or_default();
                *sum = sum.saturating_add(one.count);
            }
        }
        let most = counts.into_iter().max_by_key(|&(_, count)| count);
        most.filter(|&(_, most)| most.saturating_mul(2) > count)
            .map(|(name, _)| name)
    };
    let process = most(&|one| Some(one.process.clone()).filter(|name| !name.is_empty()));
    let call = most(&|one| one.call.map(SystemCall::spelled));
    let object = most(&|one| one.object.clone().filter(|object| object.starts_with('/')));
    let other = process.filter(|name| name != story.root_name());
    let draft = Draft::new(class, confidence, Extent::Some(ns)).claim(match other {
        Some(_) => "{process}",
        None => "It",
    });
    let id = story.rules.find(class);
    let phrase = id.map_or("", |id| &story.rules.class(id).phrase).to_owned();
    let name = class.to_owned();
    let draft = draft
        .fact("class", Value::Class { name, phrase })
        .fact("seen", Value::Count(count))
        .fact("looks", Value::Count(story.looks.count));
    let draft = match other {
        Some(name) => draft.fact("process", Value::Process(story.called(&name))),
        None => draft,
    };
    let draft = match &call {
        Some(call) => draft.fact("call", Value::Text(call.clone())),
        None => draft,
    };
    let draft = match object {
        Some(object) => draft.fact("object", Value::Text(object)),
        None => draft,
    };
    let draft = draft.claim(match (class, &call) {
        ("sleep", _) => " slept: {share} of the time",
        (UNKNOWN, Some(_)) => " waited in the system call {call}: {share} of the time",
        (UNKNOWN, None) => " waited, and what for could not be seen: {share} of the time",
        _ => " waited for {class}: {share} of the time",
    });
    let sampled = "Sampled: {seen} of {looks} looks into /proc found it in this state.";
    let query = Query::new("what the looks found", "stats", &[]);
    draft
        .detail(Message::new(sampled))
        .rows("fact", (ns, count), query)
}
