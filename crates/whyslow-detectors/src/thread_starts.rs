//! A thread for every small task: starting and ending it costs more than what it does.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{ProcessId, SystemCall, ThreadId};

use super::worked;
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_query::spans::Spans;
use whyslow_story::path::{Step, What};
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[(
        "thread-storm",
        "it started many threads, each for very little work",
    )],
    find,
};

/// Fewer threads do not matter.
const MANY: usize = 100;

/// A thread that computes for longer is worth its start.
const WORKS_NS: i64 = 1_000_000;

/// Threads that mostly start a runtime of their own, and end it again, cost so much that fewer matter.
const MANY_RUNTIMES: usize = 20;

/// They mostly do if it takes at least this percentage of their CPU time.
const MOSTLY: f64 = 50.0;

/// Threads that take less of the command's own time than this percentage are not worth a change.
const MUCH: f64 = 20.0;

/// `clone`, `clone3`.
const STARTS: [i32; 2] = [56, 435];

/// The short threads of a process.
#[derive(Default)]
struct Short {
    threads: BTreeSet<ThreadId>,
    running_ns: i64,
    /// Their samples, and those in which they started or ended a runtime.
    sampled_ns: i64,
    starting_ns: i64,
}

impl Short {
    /// Returns which percentage of their CPU time goes into starting and ending runtimes.
    fn starting(&self) -> f64 {
        share(self.starting_ns, self.sampled_ns)
    }

    /// Returns whether they are many, each for very little work.
    fn is_storm(&self) -> bool {
        let count = i64::try_from(self.threads.len()).unwrap_or(i64::MAX);
        let is_short = self.running_ns / count.max(1) <= WORKS_NS;
        self.threads.len() >= MANY && is_short
            || self.threads.len() >= MANY_RUNTIMES && self.starting() >= MOSTLY
    }
}

fn find(story: &Story<'_>) -> Vec<Draft> {
    let starting = worked::work_of(story, "startup").map(|work| &work.threads);
    let starting = |id: ThreadId| starting.and_then(|threads| threads.get(&id)).copied();
    let mut processes: BTreeMap<ProcessId, Short> = BTreeMap::new();
    for (&id, times) in &story.path.times {
        let Some(row) = story.facts.thread(id).filter(|row| row.end_ns.is_some()) else {
            continue;
        };
        // The first thread of a process is a process of its own.
        let process = story.facts.process(row.process);
        if process.is_some_and(|process| process.os_pid != row.os_tid) {
            let short = processes.entry(row.process).or_default();
            short.threads.insert(id);
            short.running_ns += times.running_ns;
            short.sampled_ns += story.hot.threads.get(&id).copied().unwrap_or(0);
            short.starting_ns += starting(id).unwrap_or(0);
        }
    }
    let many = processes.into_values().filter(Short::is_storm);
    let drafts = many.filter_map(|short| draft(story, &short));
    drafts.collect()
}

fn draft(story: &Story<'_>, short: &Short) -> Option<Draft> {
    let on = cost(story, short);
    if share(on.ns(), story.own_ns()) < MUCH {
        return None;
    }
    let first = *short.threads.first()?;
    let process = story.process_of(first)?;
    let count = i64::try_from(short.threads.len()).unwrap_or(i64::MAX);
    let query = Query::new("its threads", "threads", &["--process", process]);
    let draft = Draft::new("thread-storm", Confidence::Certain, Extent::On(on.clone()))
        .of_process(story, process)
        .fact("count", Value::Count(count))
        .fact("each", Value::Time(on.ns() / count.max(1)))
        .fact("worked", Value::Time(short.running_ns / count.max(1)));
    let draft = match name(story, short) {
        Some(name) => draft
            .fact("peer", Value::Process(name))
            .claim(" started {count} threads called {peer}, {each} each: {share} of the time"),
        None => draft.claim(" started {count} threads, {each} each: {share} of the time"),
    };
    let draft = draft
        .detail(Message::new(
            "Each was on a CPU for {worked}, including starting and ending.",
        ))
        .rows("thread_state", (on.ns(), count), query)
        .advise("Keep a few threads running, and pass them work through a queue.")
        .verify("Record it again: it should start fewer threads.");
    let draft = match short.starting() >= MOSTLY {
        true => draft
            .fact("starting", Value::Share(short.starting()))
            .detail(Message::new(
                "{starting} of its CPU time went into starting and ending a runtime of its own.",
            )),
        false => draft,
    };
    Some(match place(story, short) {
        Some(place) => draft.fact("place", Value::Place(place)),
        None => draft,
    })
}

/// Returns the part of the path that goes into starting threads, into them, and into waking up after them.
fn cost(story: &Story<'_>, short: &Short) -> Spans {
    let is_short = |step: &Step| step.thread.is_some_and(|id| short.threads.contains(&id));
    let links = story.path.links.iter();
    let links = links.filter(|link| short.threads.contains(&link.waker));
    let starters: BTreeSet<ThreadId> = links.map(|link| link.waiter).collect();
    let is_starter = |step: &Step| step.thread.is_some_and(|id| starters.contains(&id));
    let parts = story.path.steps.iter().filter_map(|step| match step.what {
        What::Cpu => is_short(step).then_some((step.from_ns, step.to_ns)),
        What::Ready if is_short(step) || is_starter(step) => {
            let competed = step.ready.competing_ns.min(step.ns());
            Some((step.from_ns, step.to_ns - competed))
        }
        What::Ready | What::Wait(_) | What::Unknown => None,
    });
    let starters: Vec<ThreadId> = starters.iter().copied().collect();
    let inside = Spans::new(parts);
    let starting = worked::forks(story).and(&worked::starting_threads(story, &STARTS));
    inside
        .and(&starting)
        .and(&worked::switching(story, &starters))
}

/// Returns the name of most of the threads, unless it is that of their process.
fn name(story: &Story<'_>, short: &Short) -> Option<String> {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for &id in &short.threads {
        *names.entry(story.facts.thread_name(id)).or_default() += 1;
    }
    let (name, count) = names.into_iter().max_by_key(|&(_, count)| count)?;
    let process = story.process_of(*short.threads.first()?)?;
    (count * 2 > short.threads.len() && name != process).then(|| name.to_owned())
}

/// Returns where the threads were started, or waited for.
fn place(story: &Story<'_>, short: &Short) -> Option<Place> {
    let started = |call: SystemCall| STARTS.contains(&call.0);
    let by_calls = story.calls.place(story.code, &started);
    let links = story.path.links.iter();
    let links = links.filter(|link| short.threads.contains(&link.waker));
    let mut places: BTreeMap<&Place, i64> = BTreeMap::new();
    for link in links {
        *places.entry(&link.place).or_default() += link.count;
    }
    let waited = places.into_iter().filter(|(place, _)| place.is_users());
    let waited = waited.max_by_key(|&(_, count)| count);
    by_calls.or(waited.map(|(place, _)| place.clone()))
}
