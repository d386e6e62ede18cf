//! It slept and checked again, until something was there.

mod asked;
mod sleeps;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{FileOperation, ProcessId, System, SystemCall, SystemCallResult, ThreadId};

use super::connections;
use super::file_habits::watching;
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use sleeps::Slept;
use whyslow_query::called;
use whyslow_query::spans::Spans;
use whyslow_story::calls::ThreadCalls;
use whyslow_story::files::{self, Locker, PathId, Use};
use whyslow_story::path::What;
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        (
            "poll-loop",
            "it slept and checked again until something was there",
        ),
        ("connect-refused", "it connected where nothing listens"),
        (
            "file-lock",
            "it waited for a lock on a file that another process held",
        ),
        (
            "retry",
            "it tried again and again to connect, or to get what had run out",
        ),
    ],
    find,
};

/// Fewer sleeps are no loop.
const MANY: i64 = 5;

/// Fewer sleeps after the start prove no habit.
const FEW: i64 = 3;

/// Shares of the command's own time below this percentage are not looked at.
const MUCH: f64 = 20.0;

/// Results of a call while what it needs is not there yet: ENOENT, ESRCH, EAGAIN, EACCES, EBUSY,
/// EEXIST, ETXTBSY, ECONNREFUSED.
const NOT_YET: &[i32] = &[2, 3, 11, 13, 16, 17, 26, 111];

/// Results of a call while there is too little of what it takes: ENOMEM, ENFILE, EMFILE, ENOSPC, EDQUOT.
const RAN_OUT: &[i32] = &[12, 23, 24, 28, 122];

const EMFILE: SystemCallResult = SystemCallResult(24);

const EAGAIN: SystemCallResult = SystemCallResult(11);

/// `flock`, `fcntl`, `semop`, `semtimedop`, `mq_timedsend`, `mq_timedreceive`, `clone`, `fork`, `clone3`,
/// `shmget`, `mlock`: for these, EAGAIN means a refusal. Calls that move data without blocking return it each
/// time there is nothing left to move.
const REFUSED: &[i32] = &[73, 72, 65, 220, 242, 243, 56, 57, 435, 29, 149];

/// Of them, those for locks on files.
const LOCKS: [i32; 2] = [72, 73];

/// `kill`, `wait4`, `waitid`, `pidfd_send_signal`: they succeed while a process still runs.
const STILL_THERE: &[i32] = &[62, 61, 247, 424];

const ECONNREFUSED: SystemCallResult = SystemCallResult(111);
const EINPROGRESS: SystemCallResult = SystemCallResult(115);

const CONNECT: SystemCall = SystemCall(42);

const OK: SystemCallResult = SystemCallResult(0);
const ENOENT: SystemCallResult = SystemCallResult(2);

/// `sendto`, `recvfrom`, `sendmsg`, `recvmsg`, `shutdown`, `getpeername`: they succeed on a
/// connection.
const TALKS: [i32; 6] = [44, 45, 46, 47, 48, 52];

fn find(story: &Story<'_>) -> Vec<Draft> {
    let mut processes: BTreeMap<ProcessId, BTreeSet<ThreadId>> = BTreeMap::new();
    for &thread in story.calls.threads.keys() {
        if let Some(row) = story.facts.thread(thread) {
            processes.entry(row.process).or_default().insert(thread);
        }
    }
    // TCP connections that were refused are reported with the address, elsewhere.
    let told = connections::refused_processes(story);
    let slept: Vec<Slept<'_>> = processes
        .into_values()
        .filter_map(|threads| Slept::of(story, threads))
        .collect();
    let mut by_program: BTreeMap<&str, i64> = BTreeMap::new();
    for one in &slept {
        *by_program.entry(one.process).or_default() += one.on.ns();
    }
    let is_much = |one: &Slept<'_>| {
        let ns = by_program.get(one.process).copied().unwrap_or(0);
        share(ns, story.own_ns()) >= MUCH
    };
    let mut found: Vec<Polled<'_>> = Vec::new();
    for one in slept.into_iter().filter(is_much) {
        let is_refused = told.contains(&one.id);
        let Some(one) = of_process(story, one, is_refused) else {
            continue;
        };
        // They are one finding.
        let mut known = found.iter_mut();
        match known.find(|known| known.is_like(&one)) {
            Some(known) => known.add(one),
            None => found.push(one),
        }
    }
    found
        .into_iter()
        .filter_map(|one| draft(story, one))
        .collect()
}

/// A program that slept and checked again.
#[derive(Debug)]
struct Polled<'a> {
    slept: Slept<'a>,
    sleeps: i64,
    /// The call that failed about once per sleep, and how often it did.
    failed: Failed,
    tries: i64,
    /// The file that it was about, if most of these calls were.
    object: Option<PathId>,
}

impl Polled<'_> {
    /// Returns whether a process of the same program did the same with the same file.
    fn is_like(&self, other: &Self) -> bool {
        let is_same = (self.slept.process, self.failed) == (other.slept.process, other.failed);
        is_same && self.object.is_some() && self.object == other.object
    }

    /// Adds another process of the same program.
    fn add(&mut self, other: Self) {
        self.slept.threads.extend(other.slept.threads);
        self.slept.on = self.slept.on.and(&other.slept.on);
        self.sleeps = self.sleeps.saturating_add(other.sleeps);
        self.tries = self.tries.saturating_add(other.tries);
    }
}

/// Looks for a call of a process that failed about once per sleep. Threads of one process may take turns:
/// one sleeps, another one checks.
fn of_process<'a>(story: &Story<'_>, slept: Slept<'a>, is_refused: bool) -> Option<Polled<'a>> {
    let Slept {
        threads, sleepers, ..
    } = &slept;
    let calls = threads.iter();
    let calls: Vec<_> = calls.filter_map(|id| story.calls.threads.get(id)).collect();
    // Who talked to other programs between the sleeps did not wait for the files that it missed meanwhile.
    let is_work = sleeps::talks(story, sleepers) >= slept.count().saturating_mul(2);
    let of_files = if is_work { &BTreeSet::new() } else { threads };
    let (found, sleeps) = looked(story, (threads, of_files), &calls, &slept.when);
    let (failed, tries) = found.filter(|&((call, _), _)| !(is_refused && call == CONNECT))?;
    let (call, result) = failed;
    if result == OK && ask_beside(story, (threads, sleepers), call) {
        return None;
    }
    let object = object(story, threads, failed, tries);
    Some(Polled {
        slept,
        sleeps,
        failed,
        tries,
        object,
    })
}

/// Returns what was looked for about as often as the call failed.
fn object(
    story: &Story<'_>,
    threads: &BTreeSet<ThreadId>,
    (call, result): Failed,
    tries: i64,
) -> Option<PathId> {
    let locks = LOCKS.contains(&call.0);
    let looks_at_file = looks_at_file((call, result));
    let failed = |one: &Use| {
        let looks = looks_at_file && looks_at_data(story, one);
        let fits = threads.contains(&one.thread) && one.result == result;
        let fits = fits && (result != OK || looks);
        let is_about = call != CONNECT || one.operation == FileOperation::Connect;
        fits && is_about && (!locks || one.is_locked_out())
    };
    let most = story.files.most(failed);
    let most = most.filter(|&(_, count)| count.saturating_mul(2) >= tries);
    most.map(|(path, _)| path)
}

/// Returns whether a call succeeded that asks about a file.
fn looks_at_file((call, result): Failed) -> bool {
    result == OK && asked::calls_of(FileOperation::Stat).contains(&call.0)
}

/// Says so, if it is much of the time.
fn draft(story: &Story<'_>, polled: Polled<'_>) -> Option<Draft> {
    let Polled {
        slept,
        sleeps,
        failed: (call, result),
        tries,
        object,
    } = polled;
    let Slept {
        process,
        threads,
        on,
        ..
    } = &slept;
    if share(on.ns(), story.own_ns()) < MUCH {
        return None;
    }
    let (table, query) = evidence(story, process);
    let place = place(story, threads, on, call);
    let connects = call == CONNECT && result == ENOENT;
    let looks_at_file = looks_at_file((call, result));
    let is_lock = LOCKS.contains(&call.0) && object.is_some();
    let cause = match result {
        ECONNREFUSED => "connect-refused",
        EINPROGRESS => "retry",
        _ if connects || RAN_OUT.contains(&result.0) => "retry",
        _ if is_lock => "file-lock",
        _ => "poll-loop",
    };
    let draft = Draft::new(cause, Confidence::Likely, Extent::On(on.clone()))
        .of_process(story, process)
        .fact("count", Value::Count(sleeps))
        .fact("call", Value::Text(story.calls.name(call)))
        .fact("error", Value::Text(story.calls.result(result)))
        .fact("tries", Value::Count(tries))
        .claim(words::deed(result, (connects, looks_at_file, is_lock), object.is_some()))
        .claim(", {count} times: {share} of the time")
        .detail(Message::new(match result {
            OK if looks_at_file => "It called {call} {tries} times, about once per sleep, and did little else with the file.",
            OK => "It called {call} {tries} times to see whether a process still runs, about once per sleep.",
            _ => "{call} failed {tries} times with {error}, about once per sleep.",
        }))
        .rows(table, (on.ns(), tries), query);
    let draft = match object {
        Some(path) => about_file(story, path, (threads, on, is_lock), draft),
        None => draft,
    };
    let draft = match place {
        Some(place) => draft.fact("place", place),
        None => draft,
    };
    Some(match result {
        EMFILE => draft.advise(
            "Close files that are no longer needed, or raise the limit of open files (ulimit -n).",
        ),
        _ if RAN_OUT.contains(&result.0) => {
            draft.advise("Find out what uses it up, or make more of it available.")
        }
        _ => advised(story, draft, cause, (is_lock, connects)),
    })
}

/// Returns where the calls of a process are, and the command that shows them.
fn evidence(story: &Story<'_>, process: &str) -> (&'static str, Query) {
    let (table, what, question) = match story.calls.system() {
        System::Linux => ("system_call", "its system calls", "syscalls"),
        System::Windows => ("file_call", "its files", "files"),
    };
    (table, Query::new(what, question, &["--process", process]))
}

/// Returns whether most of such calls are of threads that sleep and ask on their own, beside those that are looked at.
fn ask_beside(
    story: &Story<'_>,
    (threads, sleepers): (&BTreeSet<ThreadId>, &BTreeSet<ThreadId>),
    call: SystemCall,
) -> bool {
    let count = |wanted: &dyn Fn(ThreadId) -> bool| {
        let wanted = threads.iter().filter(|&&id| wanted(id));
        let calls = wanted.filter_map(|id| story.calls.threads.get(id));
        let sums = calls.map(|calls| calls.sum(|one, result| one == call && result == OK).count);
        sums.fold(0, i64::saturating_add)
    };
    let beside = |id| !sleepers.contains(&id) && story.path.asking.contains_key(&id);
    count(&beside).saturating_mul(2) > count(&|_| true)
}

/// Adds what to do.
fn advised(
    story: &Story<'_>,
    draft: Draft,
    cause: &str,
    (is_lock, connects): (bool, bool),
) -> Draft {
    match cause {
        _ if is_lock => {
            draft.advise("Release the lock sooner where it is held, or block on it instead of sleeping.")
        }
        "poll-loop" => draft.advise(watching(
            story,
            "Wait for an event instead (inotify, a pipe, the end of a child), or sleep for less time.",
            "Wait for an event instead (ReadDirectoryChangesW, a pipe, the end of a child), or sleep for less time.",
        )),
        "retry" if connects => draft.advise("Start the server first, or check the path of its socket."),
        "connect-refused" => {
            draft.advise("Start the server first, or check the address and the port.")
        }
        _ => draft.advise("Check that the other end is reachable; a firewall that drops packets looks like this."),
    }
}

/// Adds the file that was looked for, or whose lock was wanted, and who may have held the lock.
fn about_file(
    story: &Story<'_>,
    path: PathId,
    (threads, when, is_lock): (&BTreeSet<ThreadId>, &Spans, bool),
    draft: Draft,
) -> Draft {
    let draft = draft.fact("object", Value::Text(story.files.path(path).to_owned()));
    let row = threads.first().and_then(|&id| story.facts.thread(id));
    let known = (story.facts, story.command);
    let locker = row.filter(|_| is_lock);
    let locker = locker.and_then(|row| story.files.locker(path, row.process, known, when));
    match locker {
        Some(other) => with_locker(story, other, draft),
        None => draft,
    }
}

/// Adds who may have held the lock. This is not certain: it may have locked another part of the file, and the holder
/// may have got the lock earlier.
fn with_locker(story: &Story<'_>, other: Locker, draft: Draft) -> Draft {
    let Some(row) = story.facts.process(other.process) else {
        return draft;
    };
    draft
        .fact("peer", Value::Process(called::with_pid(row)))
        .detail(Message::new(match other.is_only {
            true => "{peer} is the only other program that ran then and was seen to lock or unlock it.",
            false => {
                "{peer} is the only program outside this command that ran then and was seen to lock or unlock it."
            }
        }))
}

/// Returns the call that failed about once per sleep, with how often it did, and how often these threads slept.
fn looked(
    story: &Story<'_>,
    (threads, of_files): (&BTreeSet<ThreadId>, &BTreeSet<ThreadId>),
    calls: &[&ThreadCalls],
    slept: &[(i64, i64)],
) -> (Option<(Failed, i64)>, i64) {
    let sleeps = i64::try_from(slept.len()).unwrap_or(i64::MAX);
    // While a child ran, the path was on the child; of these sleeps only the rest after its end is there.
    let asking = threads.iter().filter_map(|id| story.path.asking.get(id));
    let all = asking.copied().fold(0, i64::saturating_add).max(sleeps);
    (tried(story, of_files, calls, (slept, all)), all)
}

/// Returns the call that failed about once per sleep, also one of these threads about a file, and how often it did. `all`:
/// how many sleeps there are with those that are not on the path.
fn tried(
    story: &Story<'_>,
    threads: &BTreeSet<ThreadId>,
    calls: &[&ThreadCalls],
    (slept, all): (&[(i64, i64)], i64),
) -> Option<(Failed, i64)> {
    let sleeps = i64::try_from(slept.len()).unwrap_or(i64::MAX);
    let has_files = !story.files.uses.is_empty();
    // Refused connections are not a part of starting a program.
    let found = connecting(calls, slept);
    if found.is_none() && sleeps < MANY {
        return still_there(story, calls, &[all]);
    }
    let found = found.or_else(|| ran_out(calls, sleeps));
    let found = found.or_else(|| asked::failing(story, threads, slept));
    let found = found.or_else(|| {
        let failed = calls
            .iter()
            .filter_map(|calls| failing(calls, has_files, slept));
        failed
            .min_by_key(|&(key, tries, sleeps)| (tries.abs_diff(sleeps), key))
            .map(|(key, tries, _)| (key, tries))
    });
    let found = found.or_else(|| still_there(story, calls, &[sleeps, all]));
    found.or_else(|| asked::unchanged(story, threads, slept))
}

/// Returns the call that failed about once per sleep because something had run out, and how often it did.
fn ran_out(calls: &[&ThreadCalls], sleeps: i64) -> Option<(Failed, i64)> {
    let mut sums: BTreeMap<Failed, i64> = BTreeMap::new();
    for (&(call, result), sum) in calls.iter().flat_map(|thread| &thread.sums) {
        if RAN_OUT.contains(&result.0) {
            let all = sums.entry((call, result)).or_default();
            *all = all.saturating_add(sum.count);
        }
    }
    let often = sums.into_iter();
    let often = often.filter(|&(_, count)| is_about_once(count, sleeps));
    often.max_by_key(|&(_, count)| count)
}

/// Where files are that programs change, beside the command's own folder. Elsewhere, as in `/var/lib`, runtimes look for
/// modules, and the C library for the time zone.
const DATA: [&str; 8] = [
    "/tmp",
    "/run",
    "/var/cache",
    "/var/lock",
    "/var/log",
    "/var/run",
    "/var/spool",
    "/var/tmp",
];

/// Returns whether a path is one of data, rather than of programs.
fn is_data(story: &Story<'_>, path: &str) -> bool {
    // A service runs in the root folder, where everything is.
    let own = story
        .folder
        .as_deref()
        .filter(|folder| !folder.trim_end_matches('/').is_empty());
    own.into_iter()
        .chain(DATA)
        .any(|folder| files::is_in(path, folder))
}

/// Returns whether a file of data was asked about.
fn looks_at_data(story: &Story<'_>, one: &Use) -> bool {
    let is_data = |path| is_data(story, story.files.path(path));
    one.operation == FileOperation::Stat && one.path.is_some_and(is_data)
}

/// Returns whether these threads renamed files in a folder, as who replaces one does.
fn renames_in(story: &Story<'_>, threads: &BTreeSet<ThreadId>, folder: &str) -> bool {
    let mut uses = story.files.uses.iter();
    uses.any(|one| {
        let renames = one.operation == FileOperation::Rename && threads.contains(&one.thread);
        let path = one.path.map(|path| story.files.path(path));
        renames && path.is_some_and(|path| files::is_in(path, folder))
    })
}

/// Returns failed attempts to connect, about one per sleep: refused, or begun without sending
/// anything afterwards.
fn connecting(
    calls: &[&ThreadCalls],
    slept: &[(i64, i64)],
) -> Option<((SystemCall, SystemCallResult), i64)> {
    let sleeps = i64::try_from(slept.len()).unwrap_or(i64::MAX);
    let count = |wanted: &dyn Fn(SystemCall, SystemCallResult) -> bool| {
        let sums = calls.iter().map(|thread| thread.sum(wanted).count);
        sums.fold(0, i64::saturating_add)
    };
    let talks = count(&|call, result| TALKS.contains(&call.0) && result == OK);
    // A service that few systems have, such as a logger, may be missing each time it is asked for.
    let missing = sleeps::grow(slept).then_some(ENOENT);
    let mut results = [ECONNREFUSED, EINPROGRESS].into_iter().chain(missing);
    results.find_map(|result| {
        let tries = count(&|call, of| call == CONNECT && of == result);
        let fits = tries >= FEW && is_about_once(tries, sleeps) && talks.saturating_mul(2) <= tries;
        fits.then_some(((CONNECT, result), tries))
    })
}

fn is_about_once(count: i64, sleeps: i64) -> bool {
    count.saturating_mul(2) >= sleeps && count <= sleeps.saturating_mul(2)
}

/// Calls that name a file: `open`, `stat`, `lstat`, `access`, `rename`, `mkdir`, `creat`, `link`, `unlink`,
/// `symlink`, `readlink`, `openat`, `mkdirat`, `newfstatat`, `unlinkat`, `renameat`, `linkat`, `symlinkat`,
/// `readlinkat`, `faccessat`, `renameat2`, `statx`, `openat2`, `faccessat2`.
const NAMES: &[i32] = &[
    2, 4, 6, 21, 82, 83, 85, 86, 87, 88, 89, 257, 258, 262, 263, 264, 265, 266, 267, 269, 316, 332,
    437, 439,
];

/// Returns the call of a thread that failed about as often as its process slept, how often it did, and the
/// number of sleeps.
///
/// Files that a program does not find while it starts say nothing: missing files count only later.
fn failing(
    calls: &ThreadCalls,
    has_files: bool,
    slept: &[(i64, i64)],
) -> Option<((SystemCall, SystemCallResult), i64, i64)> {
    let sleeps_since = |ns: i64| {
        let later = slept.iter().filter(|(from, _)| *from >= ns);
        i64::try_from(later.count()).unwrap_or(i64::MAX)
    };
    let fits = |&((call, result), count, sleeps): &(Failed, i64, i64)| {
        // Calls about files count only if they are about the same file.
        let refused = match result {
            EAGAIN => REFUSED.contains(&call.0),
            _ => !has_files || !NAMES.contains(&call.0),
        };
        refused && NOT_YET.contains(&result.0) && is_about_once(count, sleeps)
    };
    let with = |since_ns: i64, least: i64| {
        let failed = calls.failed_since(since_ns).into_iter();
        let sleeps = sleeps_since(since_ns);
        let failed = failed.map(move |(key, count)| (key, count, sleeps));
        // The nearest to once per sleep.
        let found = failed.filter(|one| fits(one) && sleeps >= least);
        found.min_by_key(|&(key, count, sleeps)| (count.abs_diff(sleeps), key))
    };
    let always = with(i64::MIN, MANY).filter(|((_, result), ..)| *result != ENOENT);
    always.or_else(|| with(calls.started_ns()?, FEW))
}

type Failed = (SystemCall, SystemCallResult);

/// Returns how often a process checked whether another one still runs, if that was about once per
/// sleep, by one of these counts of them, and it did not wait for it in any other way.
fn still_there(
    story: &Story<'_>,
    calls: &[&ThreadCalls],
    sleeps: &[i64],
) -> Option<((SystemCall, SystemCallResult), i64)> {
    let child = story.rules.find("child");
    let waits = story
        .path
        .links
        .iter()
        .filter(|link| Some(link.class) == child);
    let waits: i64 = waits.map(|link| link.count).sum();
    // The end of each child is asked for at least once.
    let processes = story.facts.processes.iter().zip(&story.command.processes);
    let children = processes.filter(|&(row, &of_command)| of_command && row.parent.is_some());
    let children = i64::try_from(children.count()).unwrap_or(i64::MAX);
    STILL_THERE.iter().find_map(|&number| {
        let sums = calls.iter();
        let sums = sums.map(|thread| thread.sum(|call, result| call.0 == number && result == OK));
        let count = sums.map(|sum| sum.count).fold(0, i64::saturating_add);
        let asks = waits.saturating_mul(2) < count && children.saturating_mul(2) < count;
        let fits = asks && sleeps.iter().any(|&sleeps| is_about_once(count, sleeps));
        fits.then_some(((SystemCall(number), OK), count))
    })
}

/// Returns where the threads slept longest, or, if that is in a runtime that sleeps on behalf of the
/// user's own code, where this code makes the repeated calls.
fn place(
    story: &Story<'_>,
    threads: &BTreeSet<ThreadId>,
    on: &Spans,
    call: SystemCall,
) -> Option<Value> {
    let steps = story.path.steps.iter();
    let of_sleep = steps.filter(|step| step.thread.is_some_and(|id| threads.contains(&id)));
    let groups = of_sleep.filter_map(|step| match step.what {
        What::Wait(at) if on.within(step.from_ns, step.to_ns) > 0 => story.path.waits.get(at),
        _ => None,
    });
    let most = groups.max_by_key(|group| group.ns)?;
    let slept = Place::clone(&most.place);
    let repeated = || {
        let calls = story.calls.place(story.code, &|known| known == call);
        let calls = calls.filter(Place::is_users);
        calls.or_else(|| repeated(story, threads, call))
    };
    let place = match slept.is_users() {
        true => slept,
        false => repeated().unwrap_or(slept),
    };
    place.is_known().then_some(Value::Place(place))
}

/// Returns the function of the user's own code that ran most after the sleeps; preferably on stacks with a
/// function that is named like the repeated call.
fn repeated(story: &Story<'_>, threads: &BTreeSet<ThreadId>, call: SystemCall) -> Option<Place> {
    let code = story.code;
    let call = call.spelled();
    let is_named = |node: u32| {
        let path = code.stacks.tree.path(node);
        let mut functions = path.flat_map(|node| code.stacks.tree.functions(node));
        functions.any(|&id| {
            let name = &code.stacks.frames.function(id).name;
            name.to_ascii_lowercase().contains(&call)
        })
    };
    let of_threads = |thread: ThreadId| threads.contains(&thread);
    let ran = |wanted: &dyn Fn(u32, ThreadId) -> bool| story.hot.ran_after_waits(code, wanted);
    let named = ran(&|node, thread| of_threads(thread) && is_named(node));
    named.or_else(|| ran(&|_, thread| of_threads(thread)))
}
