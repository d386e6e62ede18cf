//! The path was ready to run, but every CPU that it may use ran another thread.
//!
//! If a CPU was idle meanwhile (waking up takes time), or two threads took turns on one CPU, that is
//! not competition, and not reported here.

use super::computed::Most;
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_query::spans::Spans;
use whyslow_story::affinities;
use whyslow_story::path::What;
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        (
            "competing",
            "it was ready to run, but other programs used every CPU that it may use",
        ),
        (
            "pinned",
            "it was ready to run while others used the CPUs it is bound to, and others were idle",
        ),
        (
            "low-priority",
            "it was ready to run while others used the CPUs; their nice value is much lower, so they get more CPU time",
        ),
        (
            "too-many-threads",
            "it was ready to run while its other threads used every CPU that it may use",
        ),
    ],
    find,
};

fn find(story: &Story<'_>) -> Vec<Draft> {
    let rivals = &story.rivals;
    let ns = rivals.competing.ns();
    if !story.has_path() || ns == 0 {
        return Vec::new();
    }
    let idle = idle_elsewhere(story, ns);
    // Without the recording there would have been a free CPU: nobody else is to blame.
    if rivals.recorder_ns * 2 > rivals.all_ns {
        return Vec::new();
    }
    let own_only = rivals.own_only_ns * 2 > ns;
    let others_ns = rivals.all_ns - rivals.own_ns - rivals.recorder_ns - rivals.partners_ns;
    let by_others = share(others_ns, rivals.all_ns) >= OTHERS;
    let cause = match (own_only, idle) {
        (_, Some(idle)) if idle >= 50.0 => "pinned",
        // With a thread for each CPU, the scheduler only took a moment to spread them.
        (true, _) if !are_many(story) || share_the_work(story) => return Vec::new(),
        (true, _) => "too-many-threads",
        (false, _) if !by_others => return Vec::new(),
        (false, _) if story.rivals.favored().is_some() => "low-priority",
        (false, _) => "competing",
    };
    // If it was not recorded which CPUs it may use, it is assumed that it may use all.
    // Nice values count only among programs of the same group.
    let confidence = match rivals.is_binding_recorded && cause != "low-priority" {
        true => Confidence::Certain,
        false => Confidence::Likely,
    };
    let on = match cause {
        "too-many-threads" => rivals.competing.and(&handed_over(story)),
        _ => rivals.competing.clone(),
    };
    let on_ns = on.ns();
    let draft = Draft::new(cause, confidence, Extent::On(on))
        .fact("process", Value::Process(story.called(story.root_name())));
    let draft = draft.claim(match cause {
        "too-many-threads" => "Its own threads competed for the CPUs: {share} of the time",
        "pinned" => "It was ready to run, but bound to busy CPUs: {share} of the time",
        "low-priority" => {
            "It was ready to run, but programs of higher priority used the CPUs: {share} of the time"
        }
        _ => used_by(story),
    });
    let draft = bound(story, meanwhile(story, draft), idle);
    let draft = match cause {
        "low-priority" => nice(story, draft),
        "too-many-threads" => computing(story, draft),
        "pinned" if own_only => computing(story, draft),
        _ => draft,
    };
    let steps = story.path.steps.iter();
    let competed = steps.filter(|step| step.what == What::Ready && step.ready.competing_ns > 0);
    let count = i64::try_from(competed.count()).unwrap_or(i64::MAX);
    let process = [
        "--process",
        story.root_name(),
        "--columns",
        "+hand-over,+waking",
    ];
    let query = Query::new("who was ready for how long", "threads", &process);
    let draft = draft.rows("thread_state", (on_ns, count), query);
    let query = Query::new("who used the CPUs", "cpu", &[]);
    let draft = draft.rows("thread_state", (rivals.all_ns, 0), query);
    vec![advised(story, cause, draft)]
}

/// Adds what to do about it.
fn advised(story: &Story<'_>, cause: &str, draft: Draft) -> Draft {
    match cause {
        "competing" => draft
            .advise("Run it when the others are not running, or keep CPUs free for it.")
            .verify("Record it again without them: the time without a CPU should be gone."),
        "low-priority"
            if story
                .rivals
                .favored()
                .is_some_and(|favored| favored.own_nice <= 0) =>
        {
            draft
                .advise("Run it when {rival} is not running, or give {rival} the usual priority.")
                .verify("Record it again without {rival}: the time without a CPU should be gone.")
        }
        "low-priority" => draft
            .advise("Run it without `nice`, or when the others are not running.")
            .verify("Record it again at the usual priority: it should get more CPU time."),
        "pinned" => draft
            .advise("Let it use the other CPUs as well.")
            .verify("Record it again unbound: the time without a CPU should be gone."),
        _ => draft
            .advise("Run no more computing threads than there are CPUs.")
            .verify("Record it again with fewer threads: the time without a CPU should be gone."),
    }
}

/// A hand-over no further than this from competition belongs to the same rush, nanoseconds.
const NEAR_NS: i64 = 10_000_000;

/// Returns when the path was ready and its waker still had the CPU, while its threads competed: with fewer threads, each
/// would have had its own.
fn handed_over(story: &Story<'_>) -> Spans {
    let steps = story.path.steps.iter();
    let ready = steps.filter(|step| step.what == What::Ready && step.ready.hand_over_ns > 0);
    let handed = ready.map(|step| {
        let ns = step.ready.hand_over_ns.min(step.ns());
        (step.from_ns, step.from_ns.saturating_add(ns))
    });
    let competing = story.rivals.competing.parts();
    let near =
        competing.map(|(from, to)| (from.saturating_sub(NEAR_NS), to.saturating_add(NEAR_NS)));
    Spans::new(handed).common(&Spans::new(near))
}

/// Returns who used the CPUs, in words.
fn used_by(story: &Story<'_>) -> &'static str {
    let rivals = &story.rivals;
    let is_much = |ns: i64| share(ns, rivals.all_ns) >= OTHERS;
    // Threads of its own process, or also other processes of the command.
    let own = is_much(rivals.own_ns).then(|| rivals.own_threads_ns * 2 > rivals.own_ns);
    match (own, is_much(rivals.recorder_ns)) {
        (None, false) => {
            "It was ready to run, but other programs used the CPUs: {share} of the time"
        }
        (None, true) => {
            "It was ready to run, but other programs and this recording used the CPUs: {share} of the time"
        }
        (Some(true), false) => {
            "It was ready to run, but other programs and its other threads used the CPUs: {share} of the time"
        }
        (Some(true), true) => {
            "It was ready to run, but other programs, its other threads and this recording used the CPUs: {share} of the time"
        }
        (Some(false), false) => {
            "It was ready to run, but other programs and its other processes used the CPUs: {share} of the time"
        }
        (Some(false), true) => {
            "It was ready to run, but other programs, its other processes and this recording used the CPUs: {share} of the time"
        }
    }
}

/// Threads that want this percentage of all CPUs want more than there is. Two that compute side by side on two
/// CPUs, and a third that starts and feeds them, do not.
const TOO_MUCH: f64 = 130.0;

/// Competing for more than this percentage of the time is more than a moment.
const LONG: f64 = 30.0;

/// Others that used less than this percentage of the CPU time meanwhile did not keep the command from running:
/// the command did so itself, or the recording, or the processes that it works with.
const OTHERS: f64 = 20.0;

/// What a runtime's threads want (such as those that compile or collect garbage) matters from this percentage
/// of the total on.
const OF_RUNTIME: f64 = 10.0;

/// Returns whether threads that are alike used all CPUs that others left them: they share one piece of work, and with
/// fewer of them it would take as long.
fn share_the_work(story: &Story<'_>) -> bool {
    let rivals = &story.rivals;
    rivals.alike_ns.saturating_mul(2) > rivals.own_ns
        && rivals.bound_to.is_none()
        && story.uses_all_cpus()
}

/// Returns whether the threads of the command want more CPU time than its CPUs have. Threads of its runtime do
/// not count: the user cannot reduce their number.
fn are_many(story: &Story<'_>) -> bool {
    let rivals = &story.rivals;
    // They are not to blame for the time in which the recording and others used the CPUs.
    let for_own = |ready_ns: i64| {
        let part =
            i128::from(ready_ns) * i128::from(rivals.own_ns) / i128::from(rivals.all_ns.max(1));
        i64::try_from(part).unwrap_or(i64::MAX)
    };
    let (mut all_ns, mut wanted_ns) = (0_i64, 0_i64);
    for (&thread, times) in &story.path.times {
        let ns = times.running_ns.saturating_add(for_own(times.ready_ns));
        all_ns = all_ns.saturating_add(ns);
        if !story.rules.is_helper(story.facts.thread_name(thread)) {
            wanted_ns = wanted_ns.saturating_add(ns);
        }
    }
    let of_runtime = share(all_ns - wanted_ns, all_ns) >= OF_RUNTIME;
    if !of_runtime && share(for_own(rivals.competing.ns()), story.own_ns()) >= LONG {
        return true;
    }
    let bound_to = rivals.bound_to.as_deref();
    let bound_to = bound_to.and_then(|text| i64::try_from(affinities::parse(text).len()).ok());
    let Some(cpus) = bound_to.or_else(|| story.cpus().map(i64::from)) else {
        return true;
    };
    share(wanted_ns, story.wall_ns().saturating_mul(cpus)) >= TOO_MUCH
}

/// Adds the priorities.
fn nice(story: &Story<'_>, draft: Draft) -> Draft {
    let Some(favored) = story.rivals.favored() else {
        return draft;
    };
    let process = story.facts.process(favored.process);
    let name = process.map_or_else(String::new, |process| process.name.clone());
    draft
        .fact("nice", Value::Text(favored.own_nice.to_string()))
        .fact("rival", Value::Process(name))
        .fact("rival-nice", Value::Text(favored.nice.to_string()))
        .detail(Message::new(
            "Its nice value is {nice}; that of {rival} is {rival-nice}.",
        ))
}

/// Returns the share of the competing time in which the CPUs were idle that it may not use; `None`
/// where it may use all.
fn idle_elsewhere(story: &Story<'_>, ns: i64) -> Option<f64> {
    let bound_to = story.rivals.bound_to.as_deref()?;
    let own = i64::try_from(affinities::parse(bound_to).len()).unwrap_or(i64::MAX);
    let elsewhere = i64::from(story.cpus()?) - own;
    let capacity = elsewhere.saturating_mul(ns);
    (elsewhere > 0).then(|| share(story.rivals.idle_elsewhere_ns, capacity))
}

/// Adds which CPUs it is bound to, and whether that mattered.
fn bound(story: &Story<'_>, draft: Draft, idle: Option<f64>) -> Draft {
    let (Some(cpus), Some(idle)) = (&story.rivals.bound_to, idle) else {
        return draft;
    };
    let draft = draft
        .fact("object", Value::Text(format!("CPU {cpus}")))
        .fact("idle", Value::Share(idle));
    draft.detail(Message::new(match idle >= 50.0 {
        true => "It may use only {object}; the other CPUs were idle for {idle} of that time.",
        false => "It may use only {object}.",
    }))
}

/// Adds where the threads that used the CPUs computed: the others of the command, if one place of theirs is known.
fn computing(story: &Story<'_>, draft: Draft) -> Draft {
    if let Some((place, part)) = Most::beside_path(story) {
        return draft
            .fact("place", Value::Place(place))
            .fact("place-share", Value::Share(part))
            .detail(Message::new(
                "Its other threads and processes computed in {place}: {place-share} of their CPU time",
            ));
    }
    match Most::of(story) {
        Some(most) => {
            let message = most.message();
            most.facts(draft).detail(message)
        }
        None => draft,
    }
}

/// Adds who used the CPUs while the path competed.
fn meanwhile(story: &Story<'_>, draft: Draft) -> Draft {
    let rivals = &story.rivals;
    if rivals.all_ns == 0 {
        return draft;
    }
    let part = |ns: i64| share(ns, rivals.all_ns);
    let others = rivals.competitors.iter().take(3);
    let others = others.map(|(name, ns)| (name.clone(), part(*ns)));
    let others: Vec<_> = others.filter(|(_, part)| *part >= 5.0).collect();
    // What is not its own is only worth a word beside others.
    let mut parts = match others.is_empty() {
        true => Vec::new(),
        false => vec!["{peer}"],
    };
    let draft = draft
        .fact("own-share", Value::Share(part(rivals.own_ns)))
        .fact("peer", Value::Shares(others));
    let processes_ns = rivals.own_ns.saturating_sub(rivals.own_threads_ns);
    let more = [
        (
            "own-threads",
            rivals.own_threads_ns,
            10.0,
            "its other threads {own-threads}",
        ),
        (
            "own-processes",
            processes_ns,
            10.0,
            "its other processes {own-processes}",
        ),
        (
            "partners-share",
            rivals.partners_ns,
            5.0,
            "programs it talks to {partners-share}",
        ),
    ];
    let mut draft = draft;
    for (name, ns, least, words) in more {
        if part(ns) >= least {
            draft = draft.fact(name, Value::Share(part(ns)));
            parts.push(words);
        }
    }
    let Some((first, rest)) = parts.split_first() else {
        return draft;
    };
    let mut said = Message::new("CPU time meanwhile: ").and(first);
    for words in rest {
        said = said.and(", ").and(words);
    }
    let recorder = part(rivals.recorder_ns);
    match recorder >= 5.0 {
        true => draft
            .fact("recorder-share", Value::Share(recorder))
            .detail(said.and(", this recording {recorder-share}.")),
        false => draft.detail(said.and(".")),
    }
}
