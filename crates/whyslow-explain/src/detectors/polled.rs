//! It slept and looked again, until something was there.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{ProcessId, SystemCall, SystemCallResult, ThreadId};

use crate::calls::ThreadCalls;
use crate::detector::{Detector, Draft, Extent};
use crate::files::{Use, shown};
use crate::finding::{Confidence, Message, Query, Value};
use crate::path::{WaitGroup, What};
use crate::spans::Spans;
use crate::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        (
            "poll-loop",
            "it slept and looked again until something was there",
        ),
        ("connect-refused", "it connected to where nobody listens"),
        ("retry", "it tried to connect again and again"),
    ],
    find,
};

/// Fewer sleeps are no loop.
const MANY: i64 = 5;

/// Fewer sleeps after the start prove no habit.
const FEW: i64 = 3;

/// Shares of the command's own time below this percentage are not looked at.
const MUCH: f64 = 20.0;

/// What a call returns while what it asks for is not there yet: ENOENT, ESRCH, EAGAIN, EACCES, EBUSY,
/// EEXIST, ETXTBSY, ECONNREFUSED.
const NOT_YET: &[i32] = &[2, 3, 11, 13, 16, 17, 26, 111];

const ECONNREFUSED: SystemCallResult = SystemCallResult(111);
const EINPROGRESS: SystemCallResult = SystemCallResult(115);

const CONNECT: SystemCall = SystemCall(42);

const OK: SystemCallResult = SystemCallResult(0);

/// `sendto`, `recvfrom`, `sendmsg`, `recvmsg`, `shutdown`, `getpeername`: they succeed for who has a
/// connection.
const TALKS: [i32; 6] = [44, 45, 46, 47, 48, 52];

fn find(story: &Story<'_>) -> Vec<Draft> {
    let mut processes: BTreeMap<ProcessId, BTreeSet<ThreadId>> = BTreeMap::new();
    for &thread in story.calls.threads.keys() {
        if let Some(row) = story.facts.thread(thread) {
            processes.entry(row.process).or_default().insert(thread);
        }
    }
    let drafts = processes.values();
    drafts
        .filter_map(|threads| of_process(story, threads))
        .collect()
}

/// Returns whether a wait is a sleep: also of a runtime or an event loop that waits for its next timer.
fn is_sleep(story: &Story<'_>, group: &WaitGroup) -> bool {
    let class = Some(group.class);
    let end = story.rules.end(group.end).name.as_str();
    let by_time = matches!(end, "timeout" | "timer");
    let of_runtime = ["goroutines", "loop"].map(|name| story.rules.find(name));
    class == story.rules.find("sleep") || by_time && of_runtime.contains(&class)
}

/// Looks for a call of a process that failed about once per sleep. Threads of one process may take turns:
/// one sleeps, another one looks again.
fn of_process(story: &Story<'_>, threads: &BTreeSet<ThreadId>) -> Option<Draft> {
    let steps = story.path.steps.iter().filter(|step| {
        let slept = match step.what {
            What::Wait(at) => {
                let group = story.path.waits.get(at);
                group.is_some_and(|group| is_sleep(story, group))
            }
            _ => false,
        };
        slept && step.thread.is_some_and(|id| threads.contains(&id))
    });
    let slept: Vec<(i64, i64)> = steps.map(|step| (step.from_ns, step.to_ns)).collect();
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let sleeps = number(slept.len());
    let calls = threads.iter();
    let calls: Vec<_> = calls.filter_map(|id| story.calls.threads.get(id)).collect();
    let started_ns = calls.iter().filter_map(|calls| calls.started_ns()).min();
    let later = slept.iter();
    let later = later.filter(|(from, _)| started_ns.is_some_and(|ns| *from >= ns));
    let later = number(later.count());
    let on = Spans::new(slept);
    if sleeps < MANY || share(on.ns(), story.own_ns()) < MUCH {
        return None;
    }
    // No program is refused connections as part of its start.
    let found = connecting(&calls, sleeps).map(|found| (found, sleeps));
    let found = found.or_else(|| {
        let found = failing(&calls, (later, started_ns?))?;
        Some((found, later))
    });
    let (((call, result), tries), later) = found?;
    let process = story.process_of(*threads.first()?)?;
    let query = Query::new("its system calls", "syscalls", &["--process", process]);
    let place = place(story, threads, &on);
    let cause = match result {
        ECONNREFUSED => "connect-refused",
        EINPROGRESS => "retry",
        _ => "poll-loop",
    };
    let draft = Draft::new(cause, Confidence::Likely, Extent::On(on.clone()))
        .fact("process", Value::Process(process.to_owned()))
        .fact("count", Value::Count(sleeps))
        .fact("call", Value::Text(call.spelled()))
        .fact("error", Value::Text(result.spelled()))
        .fact("tries", Value::Count(tries))
        .fact("later", Value::Count(later))
        .claim(match process == story.root_name() {
            true => "It",
            false => "{process}",
        })
        .claim(match result {
            ECONNREFUSED => " tried to connect to where nobody listens, slept, and tried again",
            EINPROGRESS => " tried to connect, slept, and tried again",
            _ => " slept and looked again",
        })
        .claim(", {count} times: {share} of the time")
        .detail(Message::new(
            "{call} failed {tries} times with {error}, about once per sleep.",
        ))
        .rows("system_call", (on.ns(), tries), query);
    // What was looked for about as often as the call failed.
    let failed = |one: &Use| threads.contains(&one.thread) && one.result == result;
    let most = story.files.most(failed);
    let draft = match most.filter(|&(_, count)| count.saturating_mul(2) >= tries) {
        Some((path, _)) => draft.fact("object", Value::Text(shown(story.files.path(path)))),
        None => draft,
    };
    let draft = match place {
        Some(place) => draft.fact("place", place),
        None => draft,
    };
    Some(match cause {
        "poll-loop" => draft.advise(
            "Wait for an event instead (inotify, a pipe, the end of a child), or sleep for less.",
        ),
        "connect-refused" => {
            draft.advise("Start the server first, or check the address and the port.")
        }
        _ => draft.advise("Check that the other end can be reached: a firewall that drops packets looks like this."),
    })
}

/// Returns attempts to connect that did not succeed, about once per sleep: refused, or begun without
/// anything being sent afterwards.
fn connecting(
    calls: &[&ThreadCalls],
    sleeps: i64,
) -> Option<((SystemCall, SystemCallResult), i64)> {
    let count = |wanted: &dyn Fn(SystemCall, SystemCallResult) -> bool| {
        let sums = calls.iter().map(|thread| thread.sum(wanted).count);
        sums.fold(0, i64::saturating_add)
    };
    let talks = count(&|call, result| TALKS.contains(&call.0) && result == OK);
    [ECONNREFUSED, EINPROGRESS].into_iter().find_map(|result| {
        let tries = count(&|call, of| call == CONNECT && of == result);
        let fits = is_about_once(tries, sleeps) && talks.saturating_mul(2) <= tries;
        fits.then_some(((CONNECT, result), tries))
    })
}

fn is_about_once(count: i64, sleeps: i64) -> bool {
    count.saturating_mul(2) >= sleeps && count <= sleeps.saturating_mul(2)
}

/// Returns the call that failed about as often as the process slept after its start, and how often it
/// did. What a program does not find while it starts says nothing.
fn failing(
    calls: &[&ThreadCalls],
    (sleeps, since_ns): (i64, i64),
) -> Option<((SystemCall, SystemCallResult), i64)> {
    let mut counts: BTreeMap<_, i64> = BTreeMap::new();
    for (key, count) in calls
        .iter()
        .flat_map(|thread| thread.failed_since(since_ns))
    {
        let sum = counts.entry(key).or_default();
        *sum = sum.saturating_add(count);
    }
    let failed = counts.into_iter();
    let failed = failed.filter(|&((_, result), count)| {
        NOT_YET.contains(&result.0) && is_about_once(count, sleeps) && sleeps >= FEW
    });
    // The nearest to once per sleep.
    failed.min_by_key(|&(key, count)| (count.abs_diff(sleeps), key))
}

/// Returns where the threads slept longest.
fn place(story: &Story<'_>, threads: &BTreeSet<ThreadId>, on: &Spans) -> Option<Value> {
    let steps = story.path.steps.iter();
    let of_sleep = steps.filter(|step| step.thread.is_some_and(|id| threads.contains(&id)));
    let groups = of_sleep.filter_map(|step| match step.what {
        What::Wait(at) if on.within(step.from_ns, step.to_ns) > 0 => story.path.waits.get(at),
        _ => None,
    });
    let most = groups.max_by_key(|group| group.ns)?;
    most.place
        .is_known()
        .then(|| Value::Place((*most.place).clone()))
}
