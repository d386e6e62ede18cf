//! Whether a program only did what it was asked to do, so that nothing stands out.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Explained;
use crate::finding::{Finding, Value};
use whyslow_story::story::share;

/// A function of the program with less of its CPU time than this percentage does not stand out.
const CONCENTRATED: f64 = 50.0;

/// Fewer samples say nothing about where it computed.
const FEW_SAMPLES: i64 = 20;

/// What takes less of the time than this percentage does not stand out.
const LITTLE: f64 = 10.0;

/// What explains this percentage of the time is the main cause; what explains less than `REST` beside it is no cause.
const MAIN: f64 = 70.0;
const REST: f64 = 15.0;

/// A disk moves about this many bytes per second. A program that moves them while it waits, and waits for
/// less than `HALF` of the time, just uses the disk.
const FAST: i64 = 200_000_000;
const HALF: f64 = 50.0;

/// Nobody notices less time.
const NOTICED_NS: i64 = 10_000_000;

/// Causes by which others held the command up.
const BY_OTHERS: [&str; 3] = ["competing", "low-priority", "pinned"];

/// The purpose of tools and libraries; in a function of the user's own it is a finding.
const WORKS: [&str; 12] = [
    "boxing",
    "copying",
    "deep-copy",
    "formatting",
    "huge-pages",
    "logging",
    "page-faults",
    "parse-date",
    "parse-json",
    "reflection",
    "regex",
    "startup",
];

/// Notes whether nothing stands out. If nothing that the program itself did stands out, only the
/// findings about usual work and those about others remain.
pub(crate) fn settle(answer: &mut Explained) {
    // Time in which others kept it from running does not make what it did itself smaller.
    let own_ns = answer.wall_ns - answer.part_ns("competing");
    let little = |one: &Finding| {
        // Work on the file's data each time would be saved, too.
        let least = match one.cause.as_str() {
            "reopen" => LITTLE / 2.0,
            _ => LITTLE,
        };
        share(one.wall_ns, own_ns) < least || one.wall_ns < NOTICED_NS
    };
    let mut stands_out = (false, false);
    let mut stays = Vec::new();
    for one in &answer.findings {
        let usual = is_usual(answer, one);
        let by_others = BY_OTHERS.contains(&one.cause.as_str());
        match (usual || little(one), by_others) {
            (true, _) => {}
            (false, true) => stands_out.1 = true,
            (false, false) => stands_out.0 = true,
        }
        // What the child did counts; and waiting for the disk is no program's purpose.
        let mut is_purpose = !["child", "disk"].contains(&one.cause.as_str());
        // Every program has to be read before it runs.
        let is_half = share(one.wall_ns, own_ns) >= HALF;
        is_purpose &= one.cause != "startup" || is_half;
        // A part of what a tool does is worth no line.
        is_purpose &= !WORKS.contains(&one.cause.as_str()) || is_half;
        stays.push((usual && is_purpose) || (by_others && !little(one)));
    }
    // If others kept it from running, the purpose of its tools is not a second cause.
    if stands_out.1 {
        let about = answer.findings.iter().zip(&mut stays);
        about.for_each(|(one, stays)| *stays &= !WORKS.contains(&one.cause.as_str()));
    }
    let unexplained = answer.gaps.iter().any(|gap| gap.is_unexplained(LITTLE));
    let known = share(answer.part_ns("not-known"), answer.wall_ns) < 50.0 && !unexplained;
    if answer.has_parts && !stands_out.0 {
        answer.nothing_stands_out = known && !stands_out.1;
        let mut stays = stays.into_iter();
        let all = answer.findings.clone();
        answer.findings.retain(|_| stays.next().unwrap_or(false));
        without_gone(&all, &mut answer.findings);
    }
    // Beside what took nearly all of the time, the rest of it is no second cause: a short rest, as between two
    // attempts, or the CPU time of the other work.
    let is_main = |one: &Finding| {
        let is_own = !BY_OTHERS.contains(&one.cause.as_str()) && one.cause != "idle";
        is_own && one.below.is_none() && share(one.explained_ns, own_ns) >= MAIN
    };
    let has_main = answer.findings.iter().any(is_main);
    let is_small = |one: &Finding| share(one.explained_ns, own_ns) < REST;
    // Of a server that held up its clients it says nothing that it also does what it is there for, however much of the
    // time that is.
    let mut all = answer.findings.iter();
    let has_held_up = all.any(|one| one.cause == "blocked-loop" && one.below.is_none());
    let is_service = |one: &Finding| has_held_up && is_usual(answer, one);
    let is_rest = |one: &Finding| {
        let is_little = little(one) || (has_main && is_small(one));
        match (one.cause.as_str(), one.below.as_deref()) {
            ("idle" | "cpu", None) if is_service(one) => true,
            ("sleep", None) => is_little,
            ("cpu", None) => has_main && is_little,
            // What a short process computes is mostly its start.
            ("cpu", Some("process-storm")) => is_small(one) && !has_own_place(one),
            _ => false,
        }
    };
    let stays: Vec<bool> = answer.findings.iter().map(|one| !is_rest(one)).collect();
    if stays.contains(&false) {
        let mut stays = stays.into_iter();
        let all = answer.findings.clone();
        answer.findings.retain(|_| stays.next().unwrap_or(true));
        without_gone(&all, &mut answer.findings);
    }
}

/// A finding below one that is gone is now below none: it explains that time, and is ranked by it.
fn without_gone(all: &[Finding], left: &mut [Finding]) {
    let ids: BTreeSet<String> = left.iter().map(|one| one.id.clone()).collect();
    let mut gone: BTreeMap<&str, i64> = all
        .iter()
        .filter(|one| !ids.contains(&one.id))
        .map(|one| (one.id.as_str(), one.explained_ns))
        .collect();
    for one in left.iter_mut() {
        if let Some(free) = one.below.as_deref().and_then(|above| gone.get_mut(above)) {
            let more = (*free).min(one.wall_ns.saturating_sub(one.explained_ns));
            *free -= more;
            one.explained_ns += more;
            one.below = None;
        }
    }
    let explained: BTreeMap<String, i64> = left
        .iter()
        .map(|one| (one.id.clone(), one.explained_ns))
        .collect();
    left.sort_by_key(|one| {
        let top = one.below.as_ref().unwrap_or(&one.id);
        let of_top = explained.get(top).copied().unwrap_or(0);
        let own = (one.below.is_some(), Reverse(one.explained_ns));
        (Reverse(of_top), top.clone(), own)
    });
}

/// Returns whether a finding only says what the program is for.
fn is_usual(answer: &Explained, finding: &Finding) -> bool {
    let process = match finding.fact("process") {
        Some(Value::Process(name)) => Some(name.as_str()),
        _ => None,
    };
    match finding.cause.as_str() {
        "idle" => true,
        "sleep" => process == Some("sleep") && answer.processes == 1,
        "cpu" => !stands_out(answer, finding),
        "child" => true,
        // A program that moves so much data waits for the disk now and then.
        "disk" => {
            let fast = |value: &Value| matches!(value, Value::Count(rate) if *rate >= FAST);
            finding.fact("rate").is_some_and(fast) && share(finding.wall_ns, answer.wall_ns) < HALF
        }
        cause => WORKS.contains(&cause) && !has_own_place(finding),
    }
}

fn has_own_place(finding: &Finding) -> bool {
    match finding.fact("place") {
        Some(Value::Place(place)) => place.is_users(),
        _ => false,
    }
}

/// Returns whether the CPU time is mostly in one place of the user's own code, while CPUs were idle.
fn stands_out(answer: &Explained, finding: &Finding) -> bool {
    let all_cpus = answer
        .cpus
        .is_some_and(|cpus| answer.cpus_used() >= 0.85 * f64::from(cpus));
    let concentrated = match finding.fact("place-share") {
        Some(Value::Share(part)) => *part >= CONCENTRATED,
        _ => false,
    };
    concentrated && has_own_place(finding) && !all_cpus && answer.sampled.samples >= FEW_SAMPLES
}
