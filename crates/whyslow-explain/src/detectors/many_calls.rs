//! A system call for each little thing: the calls themselves cost the time.

use whyslow_model::{SystemCall, SystemCallResult, ThreadId};
use whyslow_query::system_calls::CallSum;

use super::computed;
use crate::calls::ThreadCalls;
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Query, Value};
use crate::path::What;
use crate::spans::Spans;
use crate::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        ("tiny-writes", "it wrote a few bytes per system call"),
        ("tiny-reads", "it read a few bytes per system call"),
        (
            "cheap-calls",
            "it asked the kernel again and again for what costs little to ask",
        ),
        ("search-path", "it looked for files where they are not"),
    ],
    find,
};

/// Fewer calls are no habit.
const MANY: i64 = 1000;

/// Calls that take less of the wall time than this percentage are not worth a change.
const MUCH: f64 = 10.0;

/// A call that moves at most so many bytes moves a few.
const FEW_BYTES: i64 = 64;

const OK: SystemCallResult = SystemCallResult(0);
const ENOENT: SystemCallResult = SystemCallResult(2);

/// `read`, `pread64`, `readv`, `preadv`.
const READS: &[i32] = &[0, 17, 19, 295];
/// `write`, `pwrite64`, `writev`, `pwritev`.
const WRITES: &[i32] = &[1, 18, 20, 296];
/// `open`, `stat`, `lstat`, `access`, `readlink`, `openat`, `newfstatat`, `readlinkat`, `faccessat`,
/// `statx`, `openat2`, `faccessat2`.
const LOOK_UPS: &[i32] = &[2, 4, 6, 21, 89, 257, 262, 267, 269, 332, 437, 439];
/// The time, the clocks, and who asks: `getpid`, `gettimeofday`, `getrusage`, `times`, `getuid`,
/// `getgid`, `geteuid`, `getegid`, `getppid`, `gettid`, `time`, `clock_gettime`, `clock_getres`,
/// `getcpu`; and `lseek`.
const QUESTIONS: &[i32] = &[
    8, 39, 96, 98, 100, 102, 104, 107, 108, 110, 186, 201, 228, 229, 309,
];

/// One habit, and the calls that show it.
struct Habit {
    cause: &'static str,
    calls: &'static [i32],
    result: SystemCallResult,
    /// The most bytes that a call moves on average, if that matters.
    most_bytes: Option<i64>,
    claim: &'static str,
    advice: &'static str,
}

const HABITS: &[Habit] = &[
    Habit {
        cause: "tiny-writes",
        calls: WRITES,
        result: OK,
        most_bytes: Some(FEW_BYTES),
        claim: " wrote {size} at a time, {count} times: {share} of the time",
        advice: "Write through a buffer of 4 KiB or more.",
    },
    Habit {
        cause: "tiny-reads",
        calls: READS,
        result: OK,
        most_bytes: Some(FEW_BYTES),
        claim: " read {size} at a time, {count} times: {share} of the time",
        advice: "Read through a buffer of 4 KiB or more.",
    },
    Habit {
        cause: "search-path",
        calls: LOOK_UPS,
        result: ENOENT,
        most_bytes: None,
        claim: " looked for files that are not there, {count} times: {share} of the time",
        advice: "Shorten the list of places, or remember what was not found.",
    },
];

fn find(story: &Story<'_>) -> Vec<Draft> {
    if !story.has_path() {
        return Vec::new();
    }
    let habits = HABITS.iter().filter_map(|habit| of_habit(story, habit));
    habits.chain(cheap(story)).collect()
}

fn of_habit(story: &Story<'_>, habit: &Habit) -> Option<Draft> {
    let wanted = |call: SystemCall, result| result == habit.result && habit.calls.contains(&call.0);
    let (sum, on) = cost(story, &wanted);
    let each = sum.bytes.unwrap_or(0) / sum.count.max(1);
    let fits = habit
        .most_bytes
        .is_none_or(|most| (1..=most).contains(&each));
    if !fits {
        return None;
    }
    let draft = draft(story, habit.cause, habit.claim, sum, on)?;
    let draft = match habit.most_bytes {
        Some(_) => draft.fact("size", Value::Text(size(each))),
        None => draft,
    };
    Some(draft.advise(habit.advice))
}

/// Finds the question to the kernel that cost most.
fn cheap(story: &Story<'_>) -> Option<Draft> {
    let sums = QUESTIONS.iter().map(|&number| {
        let (sum, on) = cost(story, &|call, _| call.0 == number);
        (on.ns(), SystemCall(number), sum, on)
    });
    let (_, call, sum, on) = sums.max_by_key(|&(ns, ..)| ns)?;
    let claim = " called {object} {count} times: {share} of the time";
    let draft = draft(story, "cheap-calls", claim, sum, on)?;
    let draft = draft.fact("object", Value::Text(call.spelled()));
    Some(match call.spelled().as_str() {
        "clock_gettime" | "gettimeofday" | "time" => draft.advise(
            "Ask less often, or through the C library with a clock that needs no system call.",
        ),
        _ => draft.advise("Ask once, and keep the answer."),
    })
}

/// Returns the calls of all threads whose calls cost the time themselves, and the part of the path
/// that they took. Nothing says when a call was made: the part is spread over the time on the CPU.
fn cost(
    story: &Story<'_>,
    wanted: &dyn Fn(SystemCall, SystemCallResult) -> bool,
) -> (CallSum, Spans) {
    let mut sum = CallSum::default();
    let mut parts = Vec::new();
    for (&id, thread) in &story.calls.threads {
        let calls = thread.sum(wanted);
        if calls.count < MANY || !thread.hardly_waited(calls.count) {
            continue;
        }
        sum.add(&calls);
        parts.extend(spread(story, id, thread, calls.ns.unwrap_or(0)));
    }
    (sum, Spans::new(parts))
}

/// Spreads the time of calls over the time that the path's thread ran.
fn spread(story: &Story<'_>, id: ThreadId, thread: &ThreadCalls, ns: i64) -> Vec<(i64, i64)> {
    let part = i128::from(thread.cpu_ns(ns));
    let whole = i128::from(thread.running_ns.max(1));
    let steps = story.path.steps.iter();
    let ran = steps.filter(|step| step.what == What::Cpu && step.thread == Some(id));
    let cut = |ns: i64| i64::try_from(i128::from(ns) * part / whole).unwrap_or(0);
    ran.map(|step| (step.from_ns, step.from_ns + cut(step.ns())))
        .collect()
}

fn draft(
    story: &Story<'_>,
    cause: &str,
    claim: &'static str,
    sum: CallSum,
    on: Spans,
) -> Option<Draft> {
    let ns = on.ns();
    if sum.count < MANY || share(ns, story.wall_ns()) < MUCH {
        return None;
    }
    let process = story.runner();
    let draft = Draft::new(cause, Confidence::Certain, Extent::On(on))
        .fact("process", Value::Process(process.to_owned()))
        .fact("count", Value::Count(sum.count))
        .claim(match process == story.root_name() {
            true => "It",
            false => "{process}",
        })
        .claim(claim);
    // Where most of the CPU time went is where the calls are made only if they are most of it.
    let most = share(ns, story.path.cpu_ns()) >= 40.0;
    let draft = match computed::most(story).filter(|_| most) {
        Some((place, _)) => draft.fact("place", Value::Place(place)),
        None => draft,
    };
    let query = Query::new("its system calls", "syscalls", &["--process", process]);
    let verify = "Record it again: it makes fewer calls.";
    Some(
        draft
            .rows("system_call", (ns, sum.count), query)
            .verify(verify),
    )
}

/// Returns a number of bytes in words.
fn size(bytes: i64) -> String {
    match bytes {
        1 => "one byte".to_owned(),
        bytes => format!("{bytes} bytes"),
    }
}
