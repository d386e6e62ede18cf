//! It slept and looked again, until something was there.

use whyslow_model::{SystemCall, SystemCallResult, ThreadId};

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use crate::path::What;
use crate::spans::Spans;
use crate::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        (
            "poll-loop",
            "it slept and looked again until something was there",
        ),
        ("connect-refused", "it connected to where nobody listens"),
    ],
    find,
};

/// Fewer sleeps are no loop.
const MANY: i64 = 5;

/// Fewer sleeps after the start prove no habit.
const FEW: i64 = 3;

/// Shares of the wall time below this percentage are not looked at.
const MUCH: f64 = 20.0;

/// What a call returns while what it asks for is not there yet: ENOENT, ESRCH, EAGAIN, EACCES, EBUSY,
/// EEXIST, ETXTBSY, ECONNREFUSED.
const NOT_YET: &[i32] = &[2, 3, 11, 13, 16, 17, 26, 111];

const ECONNREFUSED: SystemCallResult = SystemCallResult(111);

fn find(story: &Story<'_>) -> Vec<Draft> {
    let threads = story.calls.threads.keys();
    let drafts = threads.filter_map(|&thread| of_thread(story, thread));
    drafts.collect()
}

/// Looks for a call of a thread that failed about once per sleep.
fn of_thread(story: &Story<'_>, thread: ThreadId) -> Option<Draft> {
    let sleep = story.rules.find("sleep")?;
    let steps = story.path.steps.iter().filter(|step| {
        let slept = match step.what {
            What::Wait(at) => story.path.waits.get(at).is_some_and(|w| w.class == sleep),
            _ => false,
        };
        slept && step.thread == Some(thread)
    });
    let slept: Vec<(i64, i64)> = steps.map(|step| (step.from_ns, step.to_ns)).collect();
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let sleeps = number(slept.len());
    let started_ns = story.calls.threads.get(&thread)?.started_ns()?;
    let later = slept.iter().filter(|(from, _)| *from >= started_ns);
    let later = number(later.count());
    let on = Spans::new(slept);
    if sleeps < MANY || share(on.ns(), story.wall_ns()) < MUCH {
        return None;
    }
    let ((call, result), tries) = failing(story, thread, (later, started_ns))?;
    let refused = result == ECONNREFUSED;
    let process = story.process_of(thread)?;
    let query = Query::new("its system calls", "syscalls", &["--process", process]);
    let place = place(story, thread, &on);
    let cause = match refused {
        true => "connect-refused",
        false => "poll-loop",
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
        .claim(match refused {
            true => " connected to where nobody listens, and slept before it tried again",
            false => " slept and looked again",
        })
        .claim(", {count} times: {share} of the time")
        .detail(Message::new(
            "In the last {later} of them, {call} failed {tries} times with {error}.",
        ))
        .rows("system_call", (on.ns(), tries), query);
    let draft = match place {
        Some(place) => draft.fact("place", place),
        None => draft,
    };
    Some(match refused {
        true => draft,
        false => draft.advise("Wait for an event instead, or look again sooner."),
    })
}

/// Returns the call that failed about as often as the thread slept after its start, and how often it
/// did. What a program does not find while it starts says nothing.
fn failing(
    story: &Story<'_>,
    thread: ThreadId,
    (sleeps, since_ns): (i64, i64),
) -> Option<((SystemCall, SystemCallResult), i64)> {
    let calls = story.calls.threads.get(&thread)?;
    let failed = calls.failed_since(since_ns).into_iter();
    let failed = failed.filter(|&((_, result), count)| {
        let about_once = count.saturating_mul(2) >= sleeps && count <= sleeps.saturating_mul(2);
        NOT_YET.contains(&result.0) && about_once && sleeps >= FEW
    });
    // The nearest to once per sleep.
    failed.min_by_key(|&(key, count)| (count.abs_diff(sleeps), key))
}

/// Returns where the thread slept longest.
fn place(story: &Story<'_>, thread: ThreadId, on: &Spans) -> Option<Value> {
    let steps = story.path.steps.iter();
    let of_sleep = steps.filter(|step| step.thread == Some(thread));
    let groups = of_sleep.filter_map(|step| match step.what {
        What::Wait(at) if on.within(step.from_ns, step.to_ns) > 0 => story.path.waits.get(at),
        _ => None,
    });
    let most = groups.max_by_key(|group| group.ns)?;
    most.place
        .is_known()
        .then(|| Value::Place((*most.place).clone()))
}
