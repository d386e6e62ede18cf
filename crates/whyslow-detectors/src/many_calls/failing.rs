//! A system call that fails again and again: the cause of the error remains, and the program keeps
//! trying.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{System, SystemCall, SystemCallResult};
use whyslow_query::system_calls::CallSum;

use super::{EAGAIN, ENOENT, LOOK_UPS, OK, WAITING, draft};
use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::call_cost::{Calls, Cost, MANY, Taken, cost_of};
use whyslow_story::calls::ThreadCalls;
use whyslow_story::files::{Use, shown};
use whyslow_story::requests;
use whyslow_story::story::Story;

/// `close`.
const CLOSE: SystemCall = SystemCall(3);

/// `execve`, `execveat`: who starts a program by its name tries each folder of PATH.
const EXECUTES: [i32; 2] = [59, 322];

/// The result of closing a descriptor that is not open.
const EBADF: SystemCallResult = SystemCallResult(9);

/// Results that are not failures: interrupted, in progress, timed out.
const EXPECTED: [i32; 3] = [4, 110, 115];

/// Results of calls that the kernel was about to restart after a signal.
const RESTARTED: std::ops::RangeInclusive<i32> = 512..=516;

/// Errors that are a regular answer, by call: `readlink` and `readlinkat` of something that is not a link;
/// `getxattr`, `lgetxattr` and `fgetxattr` of an attribute that is not there, or that no file there has; `ioctl`
/// of something that is not a terminal; `lseek` in a pipe; `mkdir`, `mkdirat`, `open` and `openat` of something
/// that already exists; `access` and `faccessat` of something that is not permitted.
const ANSWERS: &[(i32, i32)] = &[
    (89, 22),
    (267, 22),
    (191, 61),
    (192, 61),
    (193, 61),
    (191, 95),
    (192, 95),
    (193, 95),
    (16, 25),
    (8, 29),
    (83, 17),
    (258, 17),
    (2, 17),
    (257, 17),
    (21, 13),
    (269, 13),
    (439, 13),
];

/// A call that succeeds once in so many times does not count as failing.
const WORKS: i64 = 10;

/// The meaning of errors that repeating the call does not cure.
const WORDS: &[(i32, &str)] = &[
    (1, "not permitted"),
    (2, "no such file"),
    (12, "out of memory"),
    (13, "permission denied"),
    (17, "it already exists"),
    (20, "not a directory"),
    (22, "invalid argument"),
    (23, "too many open files on the machine"),
    (24, "too many open files"),
    (28, "no space left"),
    (32, "broken pipe"),
    (38, "the kernel has no such call"),
    (107, "not connected"),
    (111, "connection refused"),
];

/// One call and its result.
type Failure = (SystemCall, SystemCallResult);

/// Finds the failing call that cost most.
pub(super) fn failing(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let known = failures(story).into_iter();
    let costs = known.map(|failure| (failure, cost(story, failure, taken)));
    let (failure, cost) = costs.max_by_key(|(_, cost)| cost.on.ns())?;
    let (call, result) = failure;
    let place = story.calls.place(story.code, &|known| known == call);
    let (cause, claim, advice) = words(failure);
    let draft = draft(story, (cause, claim), &cost, place, taken)?;
    let draft = draft
        .fact("object", Value::Text(story.calls.name(call)))
        .fact("error", Value::Text(spelled(story, result)));
    Some(about_file(story, failure, draft).advise(advice))
}

/// Returns the cause of such calls, what is said about them, and what to do.
fn words((call, result): Failure) -> (&'static str, &'static str, &'static str) {
    if (call, result) == (CLOSE, EBADF) {
        return (
            "cheap-calls",
            " made {count} {object} calls for descriptors that were not open: {share} of the time",
            "Close only what is open: close_range, or the entries of /proc/self/fd.",
        );
    }
    match result == ENOENT && EXECUTES.contains(&call.0) {
        true => (
            "search-path",
            " tried {count} times to start a program in a folder that does not have it ({object}): {share} of the time",
            "Start programs by their full path, or put their folder first in PATH.",
        ),
        false => (
            "retry",
            " made {count} {object} calls that failed with {error}: {share} of the time",
            "Fix the cause of the error, or wait longer before trying again.",
        ),
    }
}

/// Adds which file it was about, where the calls are known by their files: in traces of Windows.
fn about_file(story: &Story<'_>, (call, result): Failure, draft: Draft) -> Draft {
    let system = story.calls.system();
    let fails = |one: &Use| one.result == result && requests::call(one.operation) == Some(call);
    let file = || {
        let path = story.files.object_by_pattern(fails, |sum| sum.count)?;
        let folder = story.folder.as_deref();
        Some(shown(&path, folder, system))
    };
    match file().filter(|_| system == System::Windows) {
        Some((full, short)) => draft
            .fact("file", Value::Path { full, short })
            .detail(Message::new("The calls were for {file}.")),
        None => draft,
    }
}

/// Returns the calls that failed often, and how they did.
fn failures(story: &Story<'_>) -> BTreeSet<Failure> {
    let mut counts: BTreeMap<Failure, i64> = BTreeMap::new();
    for thread in story.calls.threads.values() {
        for (&key, sum) in thread.sums.iter().filter(|(key, _)| is_failure(**key)) {
            let all = counts.entry(key).or_default();
            *all = all.saturating_add(sum.count);
        }
    }
    let often = counts.into_iter().filter(|&(_, count)| count >= MANY);
    often.map(|(key, _)| key).collect()
}

fn is_failure((call, result): Failure) -> bool {
    let looks_up = result == ENOENT && LOOK_UPS.contains(&call.0);
    let answers = ANSWERS.contains(&(call.0, result.0)) || looks_up;
    let goes_on = EXPECTED.contains(&result.0) || RESTARTED.contains(&result.0);
    result != OK && result != EAGAIN && !goes_on && !answers
}

/// Returns the failed calls of a thread, if the call hardly ever succeeds.
fn fails(thread: &ThreadCalls, (call, result): Failure) -> Option<CallSum> {
    let failed = thread.sum(|one, with| (one, with) == (call, result));
    let others = thread.sum(|one, with| one == call && with != result);
    (others.count.saturating_mul(WORKS) <= failed.count).then_some(failed)
}

/// Returns the cost of the failed calls, including the polling calls that come with them.
fn cost(story: &Story<'_>, failure: Failure, taken: &Taken) -> Cost {
    let mut count: i64 = 0;
    let threads = story.calls.threads.iter();
    let sums: Vec<_> = threads
        .filter_map(|(&id, thread)| {
            let mut sum = fails(thread, failure)?;
            count = count.saturating_add(sum.count);
            let mut asks = thread.sum(|call, _| call != failure.0 && WAITING.contains(&call.0));
            let waited_ns = thread.times.waiting_calls_ns;
            asks.ns = asks.ns.map(|ns| ns.saturating_sub(waited_ns).max(0));
            let as_often = asks.count <= sum.count.saturating_mul(2);
            if as_often && sum.count <= asks.count.saturating_mul(2) {
                sum.add(&asks);
            }
            Some((id, sum))
        })
        .collect();
    let numbers = [failure.0.0];
    let calls = Calls {
        least: MANY,
        are_long: false,
        are_of_files: false,
        numbers: &numbers,
        along: WAITING,
    };
    let mut cost = cost_of(story, sums.into_iter(), &calls, taken);
    cost.sum.count = cost.sum.count.min(count);
    cost
}

/// Returns an error in words, with its name.
fn spelled(story: &Story<'_>, result: SystemCallResult) -> String {
    let name = story.calls.result(result);
    match WORDS.iter().find(|&&(number, _)| number == result.0) {
        Some((_, words)) => format!("“{words}” ({name})"),
        None => name,
    }
}
