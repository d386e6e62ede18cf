//! Short programs that the command started again and again.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{ProcessId, SystemCall, ThreadId};

use super::worked;
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_query::spans::Spans;
use whyslow_story::path::{Link, Step, What};
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share, shortened};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[("process-storm", "it started short programs again and again")],
    find,
};

/// Fewer starts of one program are no habit.
const MANY: i64 = 20;

/// The same for programs that do little but start up.
const MANY_STARTS: i64 = 8;

/// Programs that take less of the command's own time than this percentage are not worth a change.
const MUCH: f64 = 20.0;

/// A process that computes for longer is worth its start, unless it does little but start up.
const WORKS_NS: i64 = 20_000_000;

/// Runtimes, by the start of the program's name, that compute longer just to start up, and for how long at most.
const RUNTIMES: [(&str, i64); 4] = [
    ("java", 250_000_000),
    ("node", 80_000_000),
    ("python", 40_000_000),
    ("ruby", 80_000_000),
];

/// From this percentage of its time on, a program does little but start up.
const ONLY_STARTS: f64 = 50.0;

/// How many programs are named at most.
const NAMED: usize = 3;

/// What the named ones are called in the detail, each with how often it was started.
const EACH_KIND: [(&str, &str, &str); NAMED] = [
    (
        "first",
        "first-count",
        "It started {first} {first-count} times",
    ),
    ("second", "second-count", ", {second} {second-count} times"),
    ("third", "third-count", ", {third} {third-count} times"),
];

/// `clone`, `fork`, `vfork`, `clone3`: they start processes, and threads.
const STARTS: [i32; 4] = [56, 57, 58, 435];

/// What one program's processes took.
#[derive(Debug, Default)]
struct Starts {
    /// Time the path spent in them, and of it on a CPU.
    ns: i64,
    path_cpu_ns: i64,
    count: i64,
    /// How many of them are copies of the process that started them, and run no other program.
    copies: i64,
    /// CPU time of all their threads.
    cpu_ns: i64,
    /// By the samples: how long they ran, and how much of that was starting and ending.
    sampled_ns: i64,
    starting_ns: i64,
}

impl Starts {
    /// Returns whether they are many, and starting them costs more than what they do; `name` is that of the program.
    fn are_a_storm(&self, name: &str) -> bool {
        let waits = self.path_cpu_ns.saturating_mul(2) < self.ns;
        let runtime = RUNTIMES.iter().find(|(start, _)| name.starts_with(start));
        let works = self.cpu_ns / self.count.max(1) >= runtime.map_or(WORKS_NS, |&(_, ns)| ns);
        let only_starts = share(self.starting_ns, self.sampled_ns) >= ONLY_STARTS;
        let many = if only_starts { MANY_STARTS } else { MANY };
        !waits && (!works || only_starts) && self.count >= many
    }
}

/// Finds the programs that were started again and again, if they took a fifth of the time.
fn find(story: &Story<'_>) -> Vec<Draft> {
    let programs = programs(story).into_iter();
    let short = programs.filter(|(name, starts)| starts.are_a_storm(name));
    let mut short: Vec<(&str, Starts)> = short.collect();
    short.sort_by_key(|(_, starts)| std::cmp::Reverse(starts.ns));
    let names: BTreeSet<&str> = short.iter().map(|&(name, _)| name).collect();
    let is_short = |step: &Step| program_of(story, step).is_some_and(|name| names.contains(name));
    let inside = story.path.when(is_short);
    if short.is_empty() || share(inside.ns(), story.own_ns()) < MUCH {
        return Vec::new();
    }
    let forks = worked::forks(story);
    let on = inside.and(&forks).and(&worked::calling(story, &STARTS));
    vec![draft(story, &short, &names, on)]
}

fn draft(story: &Story<'_>, short: &[(&str, Starts)], names: &BTreeSet<&str>, on: Spans) -> Draft {
    let ns = on.ns();
    let count: i64 = short.iter().map(|(_, starts)| starts.count).sum();
    let first = short.first().map_or("", |&(name, _)| name);
    let process = ["--process", first];
    let query = Query::new("the processes", "processes", &process);
    let listed = short.iter().take(NAMED).map(|&(name, _)| name);
    let listed = listed.collect::<Vec<_>>().join(", ");
    let draft = Draft::new("process-storm", Confidence::Certain, Extent::On(on))
        .fact("process", Value::Process(story.root_name().to_owned()))
        .fact("object", Value::Process(first.to_owned()))
        .fact("peer", Value::Process(listed))
        .fact("count", Value::Count(count))
        .fact("each", Value::Time(ns / count.max(1)))
        .rows("process", (ns, count), query)
        .verify("Record it again: it should start fewer processes.");
    let all_ns: i64 = short.iter().map(|(_, starts)| starts.ns).sum();
    let first_ns = short.first().map_or(0, |(_, starts)| starts.ns);
    let is_first = first_ns.saturating_mul(2) >= all_ns;
    let draft = match (short.len(), is_first) {
        (1, _) => draft.claim("It started {object} {count} times, {each} each: {share} of the time"),
        (_, true) => draft.claim("It started {object} and other programs {count} times, {each} each: {share} of the time"),
        (_, false) => draft.claim("It started {count} short processes, {each} each: {share} of the time"),
    };
    let draft = match short.len() {
        1 => draft,
        _ => each_kind(story, short, draft),
    };
    starter(story, names, draft).advise(match is_first {
        true => "Start {object} once for many items, or do its work without a new process.",
        false => "Start each program once for many items, or do its work without a new process.",
    })
}

/// Adds how often the programs named were started, and the others.
fn each_kind(story: &Story<'_>, short: &[(&str, Starts)], mut draft: Draft) -> Draft {
    let mut detail = Message::default();
    let mut by_count: Vec<_> = short.iter().collect();
    by_count.sort_by_key(|(_, starts)| std::cmp::Reverse(starts.count));
    for ((name, starts), (kind, count, part)) in by_count.iter().zip(EACH_KIND) {
        detail = detail.and(part);
        let called = match starts.copies.saturating_mul(2) > starts.count {
            true if SHELLS.contains(name) => format!("{name} (a subshell)"),
            _ => story.called(name),
        };
        draft = draft
            .fact(kind, Value::Process(called))
            .fact(count, Value::Count(starts.count));
    }
    let others = by_count.iter().skip(NAMED);
    let others: i64 = others.map(|(_, starts)| starts.count).sum();
    let detail = match others {
        0 => detail,
        _ => detail.and(", and others {other-count} times"),
    };
    let draft = draft.fact("other-count", Value::Count(others));
    draft.detail(detail.and("."))
}

/// Programs that start a copy of themselves for a part of a script.
const SHELLS: [&str; 6] = ["bash", "busybox", "dash", "ksh", "sh", "zsh"];

/// Adds who started them, and where.
fn starter(story: &Story<'_>, names: &BTreeSet<&str>, draft: Draft) -> Draft {
    let name_of = |process: ProcessId| {
        let last = story.command.images.last(process.index());
        story.facts.processes.get(last).map(|row| row.name.as_str())
    };
    let is_short = |thread: ThreadId| {
        let row = story.facts.thread(thread);
        let name = row.and_then(|row| name_of(row.process));
        name.is_some_and(|name| names.contains(name))
    };
    let class = story.rules.find("child");
    let links = story.path.links.iter();
    let links = links.filter(|link| Some(link.class) == class && is_short(link.waker));
    let mut waiters: BTreeMap<ThreadId, i64> = BTreeMap::new();
    let mut places: Vec<(&Link, i64)> = Vec::new();
    for link in links {
        *waiters.entry(link.waiter).or_default() += link.count;
        match places
            .iter_mut()
            .find(|(known, _)| known.place == link.place)
        {
            Some((_, count)) => *count += link.count,
            None => places.push((link, link.count)),
        }
    }
    let started = |call: SystemCall| STARTS.contains(&call.0);
    let by_calls = story.calls.place(story.code, &started);
    let waited = places.into_iter().max_by_key(|&(_, count)| count);
    let waited = waited.map(|(link, _)| Place::clone(&link.place));
    let place = by_calls.into_iter().chain(waited).find(Place::is_users);
    if let Some(place) = place {
        return draft.fact("place", Value::Place(place));
    }
    // A recording shows no functions of a shell script; the script's name helps as much.
    let most = waiters.into_iter().max_by_key(|&(_, count)| count);
    let row = most.and_then(|(thread, _)| story.facts.thread(thread));
    let row = row.and_then(|row| story.facts.process(row.process));
    match row.and_then(|row| row.command_line.as_deref()) {
        Some(line) => draft
            .fact("starter", Value::Process(shortened(line)))
            .detail(Message::new("{starter} started them.")),
        None => draft,
    }
}

/// Returns the program that the process of a step ended as, unless that is the command itself.
/// It is not to blame for being ready without a CPU.
fn program_of<'a>(story: &Story<'a>, step: &Step) -> Option<&'a str> {
    if step.what == What::Ready {
        return None;
    }
    let process = story.facts.thread(step.thread?)?.process;
    program(story, process)
}

fn program<'a>(story: &Story<'a>, process: ProcessId) -> Option<&'a str> {
    let command = story.command;
    let last = command.images.last(process.index());
    let wanted = command.has_process(process) && process.index() != command.root;
    wanted.then(|| story.facts.processes[last].name.as_str())
}

/// Returns the programs that the command's processes ended as, except the command itself.
fn programs<'a>(story: &Story<'a>) -> BTreeMap<&'a str, Starts> {
    let facts = story.facts;
    let mut programs: BTreeMap<&str, Starts> = BTreeMap::new();
    for step in &story.path.steps {
        if let Some(program) = program_of(story, step) {
            let starts = programs.entry(program).or_default();
            starts.ns += step.ns();
            if step.what == What::Cpu {
                starts.path_cpu_ns += step.ns();
            }
        }
    }
    let times = story.path.times.iter();
    let of_process = times.filter_map(|(&id, times)| Some((facts.thread(id)?.process, times)));
    for (process, times) in of_process {
        if let Some(program) = program(story, process) {
            programs.entry(program).or_default().cpu_ns += times.running_ns;
        }
    }
    for (&process, &(sampled_ns, starting_ns)) in &story.hot.starting {
        if let Some(program) = program(story, process) {
            let starts = programs.entry(program).or_default();
            starts.sampled_ns += sampled_ns;
            starts.starting_ns += starting_ns;
        }
    }
    for (id, &of_command) in story.command.processes.iter().enumerate() {
        let is_last = story.command.images.last(id) == id;
        if of_command && id != story.command.root && is_last {
            let row = &facts.processes[id];
            let starts = programs.entry(&row.name).or_default();
            starts.count += 1;
            let parent = row.parent.and_then(|id| facts.process(id));
            let is_copy =
                row.predecessor.is_none() && parent.is_some_and(|one| one.name == row.name);
            starts.copies += i64::from(is_copy);
        }
    }
    programs
}
