//! From drafts to findings: how much each explains, in which order, and which belong together.

use std::collections::BTreeMap;

use crate::detector::{Draft, Extent};
use crate::finding::{Confidence, Finding, Message, Value};
use crate::marked::Marked;
use whyslow_query::spans::Spans;
use whyslow_story::files::shown;
use whyslow_story::story::{Story, share};

/// Findings about less than this percentage of the command's own time are left out.
const LEAST: f64 = 8.0;

/// Causes whose removal saves more than the time counted: they are reported from half the usual share on.
const SAVE_MORE: [&str; 1] = ["reopen"];

/// Work that waits for the disk, and which its CPU time belongs to.
pub const DISK_WORK: [&str; 4] = ["fsync", "cold-read", "disk", "copy-up"];

/// Compares drafts, in the order in which they claim time.
///
/// Findings come in the order of time they explain, each followed by those below it. Time is
/// explained once: together they never explain more than the wall time.
pub fn ranked(story: &Story<'_>, drafts: Vec<Draft>) -> Vec<Finding> {
    let marked = Marked::new(&story.marks, story.command.span_ns);
    let drafts = reasons_first(drafts, story.own_ns());
    let mut findings = rank(
        drafts.into_iter(),
        (story.wall_ns(), story.own_ns()),
        &marked,
    );
    if let Some(at) = left_over(&findings, story.own_ns()) {
        findings.remove(at);
    }
    for finding in &mut findings {
        for (name, value) in &mut finding.facts {
            if *name == "object" {
                shorten(value, story.folder.as_deref());
            }
        }
    }
    findings
}

/// CPU time is the program's own if the kernel took less than this percentage of it.
const KERNEL: f64 = 80.0;

/// If another cause explains [`MAIN`] percent of the command's own time, CPU time is only a remainder when it is less
/// than [`LEFT_OVER`] percent and was spent in the kernel, less than [`LITTLE`] percent at no known place, or less
/// than [`TRACE`] percent anywhere.
const MAIN: f64 = 40.0;
const LEFT_OVER: f64 = 30.0;
const TRACE: f64 = 10.0;

/// A program that mostly waits for work also computes now and then: this percentage is no cause.
const LITTLE: f64 = 15.0;

/// Causes that do not say what the command did with its time.
const NO_REASONS: [&str; 6] = [
    "cpu",
    "child",
    "idle",
    "competing",
    "low-priority",
    "pinned",
];

/// Returns the finding that only says that the command computed, or the kernel for it, if another one says why the
/// command took its time.
fn left_over(findings: &[Finding], own_ns: i64) -> Option<usize> {
    let part = |one: &Finding| share(one.explained_ns, own_ns);
    let is_main = |one: &&Finding| one.below.is_none() && part(one) >= MAIN;
    // These say nothing about what the command did.
    let says_why = |one: &Finding| !NO_REASONS.contains(&one.cause.as_str());
    let has_reason = findings.iter().filter(is_main).any(says_why);
    let is_idle = findings
        .iter()
        .filter(is_main)
        .any(|one| one.cause == "idle");
    let in_kernel = |one: &Finding| match one.fact("kernel-share") {
        Some(Value::Share(part)) => *part >= KERNEL,
        _ => false,
    };
    findings.iter().position(|one| {
        let is_above = findings
            .iter()
            .any(|other| other.below.as_ref() == Some(&one.id));
        let is_alone = one.cause == "cpu" && one.below.is_none() && !is_above;
        let is_nowhere = one.fact("place").is_none() && one.fact("leaf").is_none();
        let least = match (in_kernel(one), is_nowhere) {
            (true, _) => LEFT_OVER,
            (false, true) => LITTLE,
            (false, false) => TRACE,
        };
        let is_little = has_reason && part(one) < least || is_idle && part(one) < LITTLE;
        is_alone && is_little
    })
}

/// From this percentage of the command's own time on, a lock is the reason, and what its holder did meanwhile
/// is how.
const MOSTLY: f64 = 50.0;

/// Locks that keep threads out, and the kernel's pauses for those that write too fast.
const REASONS: [&str; 5] = [
    "lock",
    "database-lock",
    "file-lock",
    "semaphore",
    "write-pause",
];

/// Puts what kept threads waiting for most of the time before what was done meanwhile, and waits for child processes
/// after what these did.
fn reasons_first(mut drafts: Vec<Draft>, own_ns: i64) -> Vec<Draft> {
    let is_reason = |draft: &Draft| match &draft.extent {
        Extent::On(on) => {
            let is_sure = draft.confidence != Confidence::Possible;
            // What another process waited for stands below the wait for that process.
            let is_own = draft.facts.iter().all(|(name, _)| *name != "waiter");
            let is_reason = is_own && REASONS.contains(&draft.cause.as_str());
            is_reason && is_sure && share(on.ns(), own_ns) >= MOSTLY
        }
        Extent::Some(_) => false,
    };
    drafts.sort_by_key(|draft| (!is_reason(draft), draft.cause == "child"));
    drafts
}

/// Makes a path of words that are one.
fn shorten(value: &mut Value, folder: Option<&str>) {
    if let Value::Text(full) = value
        && full.starts_with('/')
    {
        let short = shown(full, folder);
        *value = Value::Path {
            full: std::mem::take(full),
            short,
        };
    }
}

/// A finding with the time it is about, and the earlier one it is below.
struct Ranked {
    finding: Finding,
    /// Its claim if no other finding comes before it, where that differs.
    first: Option<Message>,
    on: Spans,
    below: Option<usize>,
}

/// A wait for a child belongs below what the child did if that was this percentage of the wait.
const WITHIN: f64 = 80.0;

fn rank(
    drafts: impl Iterator<Item = Draft>,
    (wall_ns, own_ns): (i64, i64),
    marked: &Marked,
) -> Vec<Finding> {
    // Much of little time of its own is worth saying, but not of next to none.
    let counted_ns = own_ns.max(wall_ns / 5 * 3);
    let mut all: Vec<Ranked> = Vec::new();
    let mut explained = Spans::default();
    let mut explained_ns = 0;
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for draft in drafts {
        let (on, about_ns) = match &draft.extent {
            Extent::On(spans) => (spans.clone(), spans.ns()),
            Extent::Some(ns) => (Spans::default(), (*ns).clamp(0, wall_ns.max(0))),
        };
        let least = match SAVE_MORE.contains(&draft.cause.as_str()) {
            true => LEAST / 2.0,
            false => LEAST,
        };
        if share(about_ns, counted_ns) < least {
            continue;
        }
        let new_ns = match &draft.extent {
            Extent::On(_) => about_ns - explained.overlap(&on),
            Extent::Some(_) => about_ns,
        };
        let new_ns = new_ns.clamp(0, (wall_ns - explained_ns).max(0));
        let below = match new_ns.saturating_mul(2) < about_ns {
            true => most_overlapping(&all, &on),
            false => None,
        };
        // Another finding already says what several children did; each has a part of the wait.
        if let Some(above) = below.map(|at| &all[at])
            && draft.cause == "child"
            && share(above.on.overlap(&on), about_ns) < WITHIN
        {
            continue;
        }
        if let Some(above) = below.map(|at| &all[at].finding)
            && share(new_ns, counted_ns) < 2.0 * LEAST
            && says_no_more(&draft, above)
        {
            continue;
        }
        // What others did explains a wait, but nothing by itself.
        if below.is_none() && draft.facts.iter().any(|(name, _)| *name == "waiter") {
            continue;
        }
        explained_ns += new_ns;
        explained = explained.and(&on);
        let number = numbers.entry(draft.cause.clone()).or_default();
        *number += 1;
        let id = match *number {
            1 => draft.cause.clone(),
            number => format!("{}-{number}", draft.cause),
        };
        let times = (about_ns, new_ns, wall_ns);
        let first = draft.rest.is_some().then(|| draft.claim.clone());
        let mut finding = finding(draft, id, times, below.map(|at| &all[at].finding));
        marked.tell(&mut finding, &on);
        all.push(Ranked {
            finding,
            first,
            on,
            below,
        });
    }
    in_order(all)
}

/// Returns whether a draft only says that the same process computed in the same function, that a process computed that
/// was started again and again, or how a wait looked whose reason is known.
fn says_no_more(draft: &Draft, above: &Finding) -> bool {
    let facts = |name: &str| {
        let mut facts = draft.facts.iter();
        let fact = facts.find(|(known, _)| *known == name);
        (fact.map(|(_, value)| value), above.fact(name))
    };
    let function = |value: Option<&Value>| match value {
        Some(Value::Place(place)) => place.functions().next().map(str::to_owned),
        _ => None,
    };
    let (process, of_above) = facts("process");
    let (place, place_above) = facts("place");
    let place = function(place);
    let (peer, started) = facts("peer");
    if draft.cause == "cpu" && above.cause == "process-storm" && place.is_none() {
        return peer.is_some() && peer == started;
    }
    // The kernel pauses who writes too fast until some of it is on the disk.
    if draft.cause == "disk" && above.cause == "write-pause" {
        return true;
    }
    // While threads used all CPUs, nothing would have gone faster without waits among them.
    if draft.facts.iter().any(|(name, _)| *name == "threads") && uses_all_cpus(above) {
        return true;
    }
    let is_own = matches!(facts("place").0, Some(Value::Place(place)) if place.is_users());
    // A collector's own threads say nothing more.
    if draft.cause == "cpu" && above.cause == "gc" && !is_own {
        return true;
    }
    // The CPU time of calls that wait for a disk is theirs.
    if draft.cause == "cpu" && DISK_WORK.contains(&above.cause.as_str()) {
        return true;
    }
    draft.cause == "cpu"
        && process.is_some()
        && process == of_above
        && place.is_some()
        && place == function(place_above)
}

/// All CPUs are used from this percentage of them on.
const ALL_CPUS: f64 = 85.0;

/// Returns whether a finding says that the command computed on all CPUs.
fn uses_all_cpus(finding: &Finding) -> bool {
    match (finding.fact("cpus-used"), finding.fact("cpus")) {
        (Some(Value::Ratio(used)), Some(Value::Count(cpus))) => {
            let cpus = i32::try_from(*cpus).map_or(f64::MAX, f64::from);
            finding.cause == "cpu" && used * 100.0 >= cpus * ALL_CPUS
        }
        _ => false,
    }
}

/// Returns which of `all` explains most of the time `on`, among those below no other.
fn most_overlapping(all: &[Ranked], on: &Spans) -> Option<usize> {
    let tops = all
        .iter()
        .enumerate()
        .filter(|(_, one)| one.below.is_none());
    let overlaps = tops.map(|(at, one)| (one.on.overlap(on), std::cmp::Reverse(at)));
    let most = overlaps.max().filter(|&(ns, _)| ns > 0);
    most.map(|(_, std::cmp::Reverse(at))| at)
}

fn finding(
    draft: Draft,
    id: String,
    (about_ns, explained_ns, wall_ns): (i64, i64, i64),
    above: Option<&Finding>,
) -> Finding {
    let in_part = above.is_none() && share(explained_ns, about_ns) < 95.0;
    let claim = match draft.rest {
        Some(rest) if in_part => rest,
        _ => draft.claim,
    };
    let mut facts = draft.facts;
    // The top ones add up; one that says more about the same time covers all of it.
    let shown_ns = match above {
        None => explained_ns,
        Some(_) => about_ns,
    };
    // What is said about the time is said of that part of it.
    for (_, value) in facts.iter_mut().filter(|(name, _)| *name == "time") {
        if *value == Value::Time(about_ns) {
            *value = Value::Time(shown_ns);
        }
    }
    facts.insert(0, ("share", Value::Share(share(shown_ns, wall_ns))));
    Finding {
        id,
        cause: draft.cause,
        confidence: draft.confidence,
        wall_ns: about_ns,
        explained_ns,
        below: above.map(|above| above.id.clone()),
        facts,
        claim,
        details: draft.details,
        evidence: draft.evidence,
        advice: draft.advice,
        verify: draft.verify,
    }
}

/// Sorts by time explained, and puts each finding that is below another behind it.
fn in_order(all: Vec<Ranked>) -> Vec<Finding> {
    let explained: Vec<i64> = all.iter().map(|one| one.finding.explained_ns).collect();
    let mut keyed: Vec<_> = all.into_iter().enumerate().collect();
    keyed.sort_by_key(|(at, one)| {
        let top = one.below.unwrap_or(*at);
        let own = explained[*at];
        let within = (one.below.is_some(), std::cmp::Reverse(own));
        (std::cmp::Reverse(explained[top]), top, within, *at)
    });
    let mut all: Vec<Ranked> = keyed.into_iter().map(|(_, one)| one).collect();
    // Nothing is besides what comes first.
    if let Some(top) = all.first_mut()
        && let Some(claim) = top.first.take()
    {
        top.finding.claim = claim;
    }
    all.into_iter().map(|one| one.finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyslow_story::place::Place;

    #[test]
    fn waits_among_threads_that_use_all_cpus_are_no_cause() {
        let on = |span| Extent::On(Spans::new([span]));
        let causes = |used: f64| {
            let cpu = Draft::new("cpu", Confidence::Certain, on((0, 90)))
                .fact("cpus-used", Value::Ratio(used))
                .fact("cpus", Value::Count(2));
            let lock = Draft::new("lock", Confidence::Certain, on((20, 50)))
                .fact("threads", Value::Count(3));
            let found = rank([cpu, lock].into_iter(), (100, 100), &Marked::default());
            found.into_iter().map(|one| one.cause).collect::<Vec<_>>()
        };
        assert_eq!(causes(1.9), ["cpu"]);
        assert_eq!(causes(1.2), ["cpu", "lock"]);
    }

    #[test]
    fn computing_for_what_is_explained_already_is_not_said_again() {
        let draft = |cause: &str, function: &str, span| {
            let on = Extent::On(Spans::new([span]));
            Draft::new(cause, Confidence::Certain, on)
                .fact("process", Value::Process("app".to_owned()))
                .fact("place", Value::Place(Place::function(function)))
        };
        let causes = |first: &str, of_cpu: &str, span| {
            let drafts = [draft(first, "append", (0, 60)), draft("cpu", of_cpu, span)];
            let found = rank(drafts.into_iter(), (100, 100), &Marked::default()).into_iter();
            found.map(|one| one.cause).collect::<Vec<_>>()
        };
        assert_eq!(causes("copying", "append", (20, 62)), ["copying"]);
        assert_eq!(causes("copying", "parse", (20, 62)), ["copying", "cpu"]);
        assert_eq!(causes("copying", "append", (20, 80)), ["copying", "cpu"]);
        // A collector's own threads are nowhere in the user's own code.
        assert_eq!(causes("gc", "GangWorker::loop", (20, 62)), ["gc"]);
        // Calls that wait for a disk may compute anywhere.
        assert_eq!(causes("fsync", "parse", (20, 62)), ["fsync"]);
        assert_eq!(causes("fsync", "parse", (20, 80)), ["fsync", "cpu"]);
    }

    #[test]
    fn the_time_that_is_told_is_that_of_the_share() {
        let draft = |cause: &str, span: (i64, i64)| {
            let on = Extent::On(Spans::new([span]));
            Draft::new(cause, Confidence::Certain, on).fact("time", Value::Time(span.1 - span.0))
        };
        let drafts = [draft("cheap-calls", (0, 20)), draft("child", (10, 90))];
        let found = rank(drafts.into_iter(), (100, 100), &Marked::default());
        let time = |one: &Finding| one.fact("time").cloned();
        assert_eq!(time(&found[0]), Some(Value::Time(70)));
        assert_eq!(found[0].fact("share"), Some(&Value::Share(70.0)));
    }

    #[test]
    fn what_others_did_stands_below_a_wait_or_is_not_said() {
        let draft = |cause: &str, span| {
            let on = Extent::On(Spans::new([span]));
            Draft::new(cause, Confidence::Certain, on)
        };
        let meanwhile = |span| {
            let waiter = Value::Process("app".to_owned());
            draft("sleep", span).fact("waiter", waiter)
        };
        let alone = rank(
            [meanwhile((0, 50))].into_iter(),
            (100, 100),
            &Marked::default(),
        );
        assert!(alone.is_empty(), "{alone:?}");
        let drafts = [
            draft("slow-peer", (0, 60)),
            meanwhile((0, 50)),
            meanwhile((70, 90)),
        ];
        let found = rank(drafts.into_iter(), (100, 100), &Marked::default());
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.cause.as_str(), one.below.as_deref()))
            .collect();
        assert_eq!(found, [("slow-peer", None), ("sleep", Some("slow-peer"))]);
    }
}
