//! Connections that cost time: nothing listens or answers, a queue is full, Nagle's algorithm delays replies, or
//! packets are lost.

mod queue;

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{ProcessId, ThreadId};

use super::meanwhile;
use super::waited::{self, TALKS};
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_query::called;
use whyslow_query::spans::Spans;
use whyslow_story::network::{self, Talk};
use whyslow_story::path::{Step, What};
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        (
            "delayed-ack",
            "requests in small parts waited for acknowledgements (Nagle's algorithm)",
        ),
        (
            "no-answer",
            "it connected to an address where nothing answers",
        ),
        (
            queue::CAUSE,
            "it waited to connect while the listen queue of the server was full",
        ),
        ("packet-loss", "packets were lost and retransmitted"),
    ],
    find,
};

/// Fewer attempts, or replies, do not matter.
const FEW: i64 = network::FEW as i64;

/// `connect`.
const CONNECT: [i32; 1] = [42];

/// `socket`, `connect`, `getsockname`, `getpeername`, `setsockopt`, `getsockopt`, `epoll_ctl`.
const ATTEMPTS: [i32; 7] = [41, 42, 51, 52, 54, 55, 233];

/// A runtime may sleep for reasons of its own, too.
const SLEEPS_PER_TRY: i64 = 4;

/// Classes of the waits in which a thread may wait until it is connected.
const CONNECTS: [&str; 3] = ["socket", "poll", "events"];

/// Classes of waits in which a runtime's thread waits for the events of the whole runtime.
const SHARED: [&str; 3] = ["goroutines", "loop", "events"];

/// Smaller shares (in percent) of the command's own time are ignored.
const MUCH: f64 = 10.0;

fn find(story: &Story<'_>) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = refused(story).into_iter().map(|(_, draft)| draft).collect();
    drafts.extend(by_peer(story).into_iter().filter_map(|talks| {
        queue::full(story, &talks)
            .or_else(|| unanswered(story, &talks))
            .or_else(|| held(story, &talks))
            .or_else(|| lost(story, &talks))
    }));
    drafts
}

/// Connections of one process with one peer.
struct Talks<'a> {
    process: ProcessId,
    remote: &'a str,
    all: Vec<&'a Talk>,
}

impl Talks<'_> {
    fn sum(&self, of: impl Fn(&Talk) -> i64) -> i64 {
        let all = self.all.iter().map(|talk| of(talk).max(0));
        all.fold(0, i64::saturating_add)
    }

    fn count(&self, is: impl Fn(&Talk) -> bool) -> i64 {
        self.sum(|talk| is(talk).into())
    }
}

fn by_peer<'a>(story: &'a Story<'_>) -> Vec<Talks<'a>> {
    let mut peers: BTreeMap<_, Vec<&Talk>> = BTreeMap::new();
    for talk in &story.network.talks {
        let key = (talk.process, talk.remote.as_str());
        peers.entry(key).or_default().push(talk);
    }
    let talks = peers.into_iter();
    talks
        .map(|((process, remote), all)| Talks {
            process,
            remote,
            all,
        })
        .collect()
}

/// Returns the processes whose refused connections are already reported.
pub(super) fn refused_processes(story: &Story<'_>) -> BTreeSet<ProcessId> {
    refused(story).into_iter().map(|(id, _)| id).collect()
}

/// Who is refused at so many addresses looks which of them are open, as port scanners and watchdogs do.
const PROBES: usize = 6;

/// Its connections were refused repeatedly, and it slept in between. One finding covers all addresses.
fn refused(story: &Story<'_>) -> Vec<(ProcessId, Draft)> {
    let mut by_process: BTreeMap<ProcessId, Vec<Talks<'_>>> = BTreeMap::new();
    for talks in by_peer(story) {
        if talks.count(Talk::is_refused) >= FEW {
            by_process.entry(talks.process).or_default().push(talks);
        }
    }
    by_process.retain(|_, all| all.len() < PROBES);
    let drafts = by_process.into_iter().filter_map(|(process, all)| {
        let drafts = all.iter().filter_map(|talks| refused_by(story, talks));
        let mut drafts: Vec<Draft> = drafts.collect();
        let others = i64::try_from(drafts.len().saturating_sub(1)).unwrap_or(i64::MAX);
        let draft = (!drafts.is_empty()).then(|| drafts.remove(0))?;
        let draft = match others {
            0 => draft,
            _ => draft
                .fact("others", Value::Count(others))
                .detail(Message::new(
                    "It tried other addresses in the same way: {others}.",
                )),
        };
        Some((process, draft))
    });
    drafts.collect()
}

/// One address refused a process again and again.
fn refused_by(story: &Story<'_>, talks: &Talks<'_>) -> Option<Draft> {
    let tries = talks.count(Talk::is_refused);
    let trying = Spans::new(while_trying(talks));
    let is_sleep: Vec<bool> = story
        .path
        .waits
        .iter()
        .map(|group| waited::is_sleep(story, group))
        .collect();
    let slept = |step: &Step| match step.what {
        What::Wait(at) => {
            is_sleep.get(at) == Some(&true)
                && trying.within(step.from_ns, step.to_ns) > 0
                && is_of(story, step, talks)
        }
        _ => false,
    };
    // A program that sleeps far more often than it tries sleeps for another reason.
    let sleeps = story.path.steps.iter().filter(|step| slept(step)).count();
    if i64::try_from(sleeps).ok()? > tries.saturating_mul(SLEEPS_PER_TRY) {
        return None;
    }
    // What began meanwhile may have gone on for longer.
    let on = story.path.when(slept).common(&trying);
    let draft = draft(story, "connect-refused", talks, (on, tries), Confidence::Certain)?
        .claim(" tried {count} times to connect to {object}, where nothing listens, and waited in between: {share} of the time")
        .advise("Start the server first, or check the address and the port.");
    Some(draft)
}

/// Returns when it tried: from an attempt that was refused to the next attempt. The pause after the last one is taken to
/// be twice as long as the one before it.
fn while_trying(talks: &Talks<'_>) -> Vec<(i64, i64)> {
    let of = |talk: &&Talk| (talk.connection.row.open_ns, talk.is_refused());
    let mut opened: Vec<(i64, bool)> = talks.all.iter().map(of).collect();
    opened.sort_unstable();
    let pairs = opened.windows(2);
    let mut trying: Vec<(i64, i64)> = pairs
        .filter_map(|pair| match *pair {
            [(from, true), (to, _)] => Some((from, to)),
            _ => None,
        })
        .collect();
    if let [.., (before, true), (last, true)] = *opened {
        let pause = last.saturating_sub(before).saturating_mul(2);
        trying.push((last, last.saturating_add(pause)));
    }
    trying
}

/// It connected, and nothing answered.
fn unanswered(story: &Story<'_>, talks: &Talks<'_>) -> Option<Draft> {
    let tries = talks.count(Talk::is_unanswered);
    if tries == 0 {
        return None;
    }
    let waiting = || talks.all.iter().filter(|talk| talk.is_unanswered());
    let within = Spans::new(waiting().map(|talk| {
        let connection = &talk.connection;
        (connection.row.open_ns, connection.end_ns())
    }));
    if share(within.ns(), story.own_ns()) < MUCH {
        return None;
    }
    let on = connecting(story, talks, &Talk::is_unanswered, &within);
    let draft = draft(story, "no-answer", talks, (on, tries), Confidence::Likely)?
        .claim(match tries {
            1 => " tried to connect to {object}, and nothing answered: {share} of the time",
            _ => " tried to connect to {object} {count} times, and nothing answered: {share} of the time",
        })
        .advise("Check that the other end is reachable; a firewall that drops packets looks like this.");
    Some(draft)
}

/// Returns when the path waited until some of these connections were made, within the time that took.
fn connecting(
    story: &Story<'_>,
    talks: &Talks<'_>,
    wanted: &dyn Fn(&Talk) -> bool,
    within: &Spans,
) -> Spans {
    // A process with other connections may wait for those.
    let is_alone = story
        .network
        .is_only_peer(talks.process, talks.remote, within);
    let made = talks.all.iter().filter(|talk| wanted(talk));
    let threads: BTreeSet<_> = made.filter_map(|talk| talk.connection.row.thread).collect();
    let waits = |step: &Step| match step.what {
        What::Wait(at) => {
            let group = story.path.waits.get(at);
            let class = group.map(|group| story.rules.class(group.class).name.as_str());
            let connects = class.is_some_and(|class| CONNECTS.contains(&class));
            // Any thread of a runtime may wait for the events of all threads.
            let shared = class.is_some_and(|class| SHARED.contains(&class));
            connects && step.thread.is_some_and(|id| threads.contains(&id))
                || shared && is_alone && is_of(story, step, talks)
        }
        _ => false,
    };
    story.path.when(waits).common(within)
}

/// The last part of each request was held back until the part before had been acknowledged.
fn held(story: &Story<'_>, talks: &Talks<'_>) -> Option<Draft> {
    let count = talks.sum(|talk| talk.connection.row.held_replies.unwrap_or(0));
    let replies = talks.sum(|talk| talk.connection.row.replies.unwrap_or(0));
    let held_ns = talks.sum(|talk| talk.connection.row.held_ns.unwrap_or(0));
    if count < FEW || count.saturating_mul(10) < replies {
        return None;
    }
    let on = waits_for(story, talks);
    // A peer that works or sleeps before it answers would have done so anyway.
    if meanwhile::were_busy(story, &on) {
        return None;
    }
    let each = held_ns.checked_div(count)?;
    let draft = draft(story, "delayed-ack", talks, (on, count), Confidence::Certain)?
        .fact("each", Value::Time(each))
        .claim(" sent requests to {object} in small parts; {count} times the last part waited for an acknowledgement, {each} each: {share} of the time")
        .advise("Send each request with one call (writev), or set TCP_NODELAY.");
    Some(draft)
}

/// Sent data had to be retransmitted.
fn lost(story: &Story<'_>, talks: &Talks<'_>) -> Option<Draft> {
    let count = talks.sum(|talk| talk.connection.row.retransmits);
    let stalled_ns = talks.sum(|talk| talk.connection.row.retransmit_ns.unwrap_or(0));
    if count < FEW || share(stalled_ns, story.own_ns()) < MUCH {
        return None;
    }
    let on = waits_for(story, talks);
    // How much of it is due to the other end is not known.
    if on.ns() > stalled_ns.saturating_mul(2) {
        return None;
    }
    let draft = draft(
        story,
        "packet-loss",
        talks,
        (on, count),
        Confidence::Possible,
    )?
    .fact("stalled", Value::Time(stalled_ns))
    .claim(" waited for {object} while {count} packets were retransmitted: {share} of the time")
    .advise("Find out where packets are lost: on the link, in a full queue, or at a firewall.");
    Some(draft)
}

fn is_of(story: &Story<'_>, step: &Step, talks: &Talks<'_>) -> bool {
    let process = |id: ThreadId| story.facts.thread(id).map(|row| row.process);
    step.thread.and_then(process) == Some(talks.process)
}

/// Returns when the path waited for data from these connections, at either end.
fn waits_for(story: &Story<'_>, talks: &Talks<'_>) -> Spans {
    let ends = talks.all.iter();
    let ends: BTreeSet<&str> = ends
        .flat_map(|talk| [talk.remote.as_str(), talk.local.as_str()])
        .collect();
    let is_end = |object: i32| {
        let row = story.objects.get(object);
        row.is_some_and(|row| row.kind == "tcp" && ends.contains(row.name.as_str()))
    };
    let groups = story.path.waits.iter();
    let fits: Vec<bool> = groups
        .map(|group| {
            let targets = group.targets.iter();
            let of_them = targets.filter(|(target, _)| target.object.is_some_and(is_end));
            of_them.map(|(_, &(ns, _))| ns).sum::<i64>() * 2 > group.ns
        })
        .collect();
    let is_wait = |step: &Step| matches!(step.what, What::Wait(at) if fits.get(at) == Some(&true));
    story.path.when(is_wait)
}

/// Begins a draft about connections with one peer; `None` if they took too little time.
fn draft(
    story: &Story<'_>,
    cause: &str,
    talks: &Talks<'_>,
    (on, count): (Spans, i64),
    confidence: Confidence,
) -> Option<Draft> {
    let ns = on.ns();
    if share(ns, story.own_ns()) < MUCH {
        return None;
    }
    // Few calls are sampled, and each attempt makes several.
    let calls: &[&[i32]] = match cause {
        "connect-refused" | "no-answer" | queue::CAUSE => &[&CONNECT, &ATTEMPTS],
        _ => &[&TALKS],
    };
    let process = story.facts.process(talks.process)?;
    let place = match place(story, talks, &on) {
        Some(place) if place.is_users() => Some(place),
        // A runtime does not wait where the user's own code asks.
        other => calls
            .iter()
            .find_map(|calls| {
                let place = story
                    .calls
                    .place(story.code, &|call| calls.contains(&call.0));
                place.filter(Place::is_users)
            })
            .or(other),
    };
    let listener = |talk: &Talk| talk.overflowed.and_then(|one| one.process);
    let mut peers = talks.all.iter();
    let peer = peers.find_map(|talk| talk.peer.or_else(|| listener(talk)));
    let peer = peer.filter(|&id| id != talks.process);
    let peer = peer.and_then(|id| story.facts.process(id));
    let query = match cause {
        queue::CAUSE => queue::query(process, peer),
        _ => Query::new("its connections", "tcp", &["--process", &process.name]),
    };
    let draft = Draft::new(cause, confidence, Extent::On(on))
        .fact("process", Value::Process(called::process(process)))
        .fact("object", Value::Text(talks.remote.to_owned()))
        .fact("count", Value::Count(count))
        .claim(match process.name == story.root_name() {
            true => "It",
            false => "{process}",
        })
        .rows("tcp_connection", (ns, count), query);
    let draft = match peer {
        Some(peer) => draft.fact("peer", Value::Process(called::with_pid(peer))),
        None => draft,
    };
    Some(match place {
        Some(place) => draft.fact("place", Value::Place(place)),
        None => draft,
    })
}

/// Returns where the threads with these connections waited longest: for others of the command, or on the
/// path.
fn place(story: &Story<'_>, talks: &Talks<'_>, on: &Spans) -> Option<Place> {
    let threads: BTreeSet<_> = talks
        .all
        .iter()
        .filter_map(|talk| talk.connection.row.thread)
        .collect();
    let mut places: BTreeMap<&Place, i64> = BTreeMap::new();
    for link in story
        .path
        .links
        .iter()
        .filter(|link| threads.contains(&link.waiter))
    {
        let when = Spans::new(link.when.iter().copied());
        *places.entry(&link.place).or_default() += when.overlap(on);
    }
    for step in &story.path.steps {
        if let What::Wait(at) = step.what
            && is_of(story, step, talks)
            && let Some(group) = story.path.waits.get(at)
        {
            *places.entry(&group.place).or_default() += on.within(step.from_ns, step.to_ns);
        }
    }
    let known = places
        .into_iter()
        .filter(|(place, ns)| place.is_known() && *ns > 0);
    known
        .max_by_key(|&(_, ns)| ns)
        .map(|(place, _)| place.clone())
}
