//! A system call that fails again and again: what is wrong stays wrong, and the program tries on.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{SystemCall, SystemCallResult};
use whyslow_query::system_calls::CallSum;

use super::super::call_cost::{Calls, Cost, MANY, Taken, cost_of};
use super::{EAGAIN, ENOENT, LOOK_UPS, OK, WAITING, draft};
use crate::detector::Draft;
use crate::finding::Value;
use whyslow_story::calls::ThreadCalls;
use whyslow_story::story::Story;

/// `close`.
const CLOSE: SystemCall = SystemCall(3);

/// What closing a descriptor that is not open ends with.
const EBADF: SystemCallResult = SystemCallResult(9);

/// Ends of calls that are no failures: interrupted, in progress, the time is up.
const EXPECTED: [i32; 3] = [4, 110, 115];

/// Calls that the kernel was about to begin again after a signal.
const RESTARTED: std::ops::RangeInclusive<i32> = 512..=516;

/// Errors that are the answer to a question, by call: `readlink` and `readlinkat` of what is no link;
/// `getxattr`, `lgetxattr` and `fgetxattr` of an attribute that is not there, or that no file there has; `ioctl`
/// of what is no terminal; `lseek` in a pipe; `mkdir`, `mkdirat`, `open` and `openat` of what is there already;
/// `access` and `faccessat` of what is not permitted.
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

/// A call that works once in so many times does not fail.
const WORKS: i64 = 10;

/// What the errors mean that a program can do little about by trying on.
const WORDS: &[(i32, &str)] = &[
    (1, "not permitted"),
    (2, "no such file"),
    (12, "no memory left"),
    (13, "permission denied"),
    (17, "it exists already"),
    (20, "not a directory"),
    (22, "not a valid argument"),
    (23, "too many open files on the machine"),
    (24, "too many open files"),
    (28, "no space left"),
    (32, "nobody reads any more"),
    (38, "the kernel has no such call"),
    (107, "not connected"),
    (111, "nobody listens"),
];

/// One call and what it ends with.
type Failure = (SystemCall, SystemCallResult);

/// Finds the failing call that cost most.
pub(super) fn failing(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let known = failures(story).into_iter();
    let costs = known.map(|failure| (failure, cost(story, failure, taken)));
    let (failure, cost) = costs.max_by_key(|(_, cost)| cost.on.ns())?;
    let (call, result) = failure;
    let place = story.calls.place(story.code, &|known| known == call);
    let closes = failure == (CLOSE, EBADF);
    let (cause, claim) = match closes {
        true => (
            "cheap-calls",
            " called {object} for descriptors that are not open, {count} times: {share} of the time",
        ),
        false => (
            "retry",
            " called {object} {count} times, and it failed with {error}: {share} of the time",
        ),
    };
    let draft = draft(story, (cause, claim), &cost, place, taken)?;
    let draft = draft
        .fact("object", Value::Text(call.spelled()))
        .fact("error", Value::Text(spelled(result)));
    Some(match closes {
        true => {
            draft.advise("Close only what is open: close_range, or the entries of /proc/self/fd.")
        }
        false => draft.advise("Fix what makes it fail, or wait longer before the next try."),
    })
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

/// Returns the failed calls of a thread that hardly ever works.
fn fails(thread: &ThreadCalls, (call, result): Failure) -> Option<CallSum> {
    let failed = thread.sum(|one, with| (one, with) == (call, result));
    let others = thread.sum(|one, with| one == call && with != result);
    (others.count.saturating_mul(WORKS) <= failed.count).then_some(failed)
}

/// Returns what the failed calls cost, with the calls that ask as often whether to go on.
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
fn spelled(result: SystemCallResult) -> String {
    let name = result.spelled();
    match WORDS.iter().find(|&&(number, _)| number == result.0) {
        Some((_, words)) => format!("“{words}” ({name})"),
        None => name,
    }
}
