//! A system call for each little thing: the calls themselves cost the time.

mod changes;
mod contended;
mod failing;
mod growing;
mod looking;
mod made;
mod other;
mod rereads;

use std::collections::BTreeSet;

use whyslow_model::{FileOperation, System, SystemCall, SystemCallResult, ThreadId};
use whyslow_query::system_calls::CallSum;

use super::computed::Most;
use super::file_habits::{self, several};
use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_story::call_cost::{Calls, Cost, GIVES_BACK, MANY, Taken, cost_of, is_much, take};
use whyslow_story::calls::ThreadCalls;
use whyslow_story::files;
use whyslow_story::network::Talk;
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        ("tiny-writes", "it wrote a few bytes per system call"),
        ("tiny-reads", "it read a few bytes per system call"),
        ("cheap-calls", "it made very many cheap system calls"),
        (
            "search-path",
            "it looked for files in places where they are not",
        ),
        ("reopen", "it opened the same file again and again"),
        ("reread", "it read the same parts of a file again and again"),
        ("spin", "it kept a CPU busy while it waited"),
        ("retry", "it repeated a call that fails"),
        (
            "growing-folder",
            "its calls took longer and longer, as a folder got more and more files",
        ),
        ("rescan", "it listed the same folder again and again"),
        ("dir-listing", "it listed a large folder"),
        (
            "name-search",
            "it tried one name after another until one was free",
        ),
        (
            "stat-storm",
            "it checked the same files again and again (stat)",
        ),
        (
            "file-churn",
            "it renamed, created, removed or changed the same files again and again",
        ),
    ],
    find,
};

/// A call that moves at most this many bytes moves only a few.
const FEW_BYTES: i64 = 64;

/// Up to this many bytes, a call itself costs more than moving its data to or from a file.
const SMALL_BYTES: i64 = 1024;

/// From this percentage of the command's own time on, small pieces of files are worth a larger
/// buffer.
const MUCH_IN_PIECES: f64 = 30.0;

/// Event and timer descriptors always move this many: there is nothing to buffer.
const EVENT_BYTES: i64 = 8;

const OK: SystemCallResult = SystemCallResult(0);
const ENOENT: SystemCallResult = SystemCallResult(2);

const EINVAL: SystemCallResult = SystemCallResult(22);
const ENOTTY: SystemCallResult = SystemCallResult(25);

/// `readlink`, `readlinkat`.
const READ_LINKS: &[i32] = &[89, 267];
const IOCTL: i32 = 16;

/// `read`, `pread64`, `readv`, `recvfrom`, `preadv`.
const READS: &[i32] = &[0, 17, 19, 45, 295];
/// `write`, `pwrite64`, `writev`, `sendto`, `pwritev`.
const WRITES: &[i32] = &[1, 18, 20, 44, 296];
/// Those of them that may move messages: `sendto`, `recvfrom`.
const MESSAGES: &[i32] = &[44, 45];
/// `open`, `stat`, `lstat`, `access`, `readlink`, `openat`, `newfstatat`, `readlinkat`, `faccessat`,
/// `statx`, `openat2`, `faccessat2`.
const LOOK_UPS: &[i32] = &[2, 4, 6, 21, 89, 257, 262, 267, 269, 332, 437, 439];
/// The time, the clocks, and the caller's identity: `getpid`, `gettimeofday`, `getrusage`, `times`,
/// `getuid`,
/// `getgid`, `geteuid`, `getegid`, `getppid`, `gettid`, `time`, `clock_gettime`, `clock_getres`,
/// `getcpu`; and `lseek`.
const QUESTIONS: &[i32] = &[
    8, 39, 96, 98, 100, 102, 104, 107, 108, 110, 186, 201, 228, 229, 309,
];

/// Calls that give memory and take it back: `mmap`, `mprotect`, `munmap`, `mremap`, `madvise`.
const MEMORY: &[i32] = &[9, 10, 11, 25, 28];

const MMAP: SystemCall = SystemCall(9);

/// Fewer calls for memory are no habit: large pieces are requested one by one, with good reason.
const MANY_PIECES: i64 = 5000;

/// Such calls that take less of the command's own time than this percentage are what an allocator does.
const MUCH_MEMORY: f64 = 20.0;

/// One habit, and the calls that show it.
struct Habit {
    cause: &'static str,
    calls: &'static [i32],
    /// The same as what is done with files.
    operations: &'static [FileOperation],
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
        operations: &[FileOperation::Write],
        result: OK,
        most_bytes: Some(FEW_BYTES),
        claim: " wrote {size} at a time, {count} times: {share} of the time",
        advice: "Write files, pipes and connections through a buffer of 4 KiB or more.",
    },
    Habit {
        cause: "tiny-reads",
        calls: READS,
        operations: &[FileOperation::Read],
        result: OK,
        most_bytes: Some(FEW_BYTES),
        claim: " read {size} at a time, {count} times: {share} of the time",
        advice: "Read files, pipes and connections through a buffer of 4 KiB or more.",
    },
    Habit {
        cause: "search-path",
        calls: LOOK_UPS,
        operations: &[
            FileOperation::Open,
            FileOperation::Stat,
            FileOperation::Access,
            FileOperation::ReadLink,
        ],
        result: ENOENT,
        most_bytes: None,
        claim: " looked for files that are not there, {count} times: {share} of the time",
        advice: "Shorten the list of places, or remember what was not found.",
    },
    // What resolves a path asks this of each of its parts.
    Habit {
        cause: "stat-storm",
        calls: READ_LINKS,
        operations: &[FileOperation::ReadLink],
        result: EINVAL,
        most_bytes: None,
        claim: " checked {count} times whether parts of paths are symbolic links (readlink), and none was: {share} of the time",
        advice: "Resolve each folder once (realpath, canonicalize), and keep the result.",
    },
    Habit {
        cause: "cheap-calls",
        calls: &[IOCTL],
        operations: &[],
        result: ENOTTY,
        most_bytes: None,
        claim: " called ioctl {count} times on files that do not support the request, such as a terminal request on a regular file (ENOTTY): {share} of the time",
        advice: "Ask once for each file (isatty, for example), and keep the answer.",
    },
];

fn find(story: &Story<'_>) -> Vec<Draft> {
    if !story.has_path() {
        return Vec::new();
    }
    let mut taken = Taken::default();
    let mut drafts = Vec::from_iter(growing::growing(story, &mut taken));
    drafts.extend(file_habits::drafts(story, &mut taken));
    drafts.extend(looking::looks(story, &mut taken));
    drafts.extend(rereads::rereads(story, &mut taken));
    drafts.extend(changes::changes(story, &mut taken));
    for habit in HABITS {
        drafts.extend(of_habit(story, habit, &mut taken));
    }
    drafts.extend(spins(story, &mut taken));
    drafts.extend(in_vain(story, &mut taken));
    drafts.extend(timed_out(story, &mut taken));
    if drafts.iter().all(|draft| draft.cause != "reopen") {
        drafts.extend(several::reopened(story, &mut taken));
    }
    drafts.extend(failing::failing(story, &mut taken));
    drafts.extend(contended::contended(story, &mut taken));
    drafts.extend(cheap(story, &mut taken));
    drafts.extend(memory(story, &mut taken));
    drafts.extend(other::other(story, &mut taken));
    drafts
}

fn of_habit(story: &Story<'_>, habit: &Habit, taken: &mut Taken) -> Option<Draft> {
    let wanted = |call: SystemCall, result| result == habit.result && habit.calls.contains(&call.0);
    let cost = cost(story, (&wanted, habit.calls), taken);
    let sum = cost.sum;
    let each = sum.bytes.unwrap_or(0) / sum.count.max(1);
    let object = story.files.object(
        |one| one.result == habit.result && habit.operations.contains(&one.operation),
        |sum| sum.count,
    );
    // Calls for messages are not in the counts by file; they are pieces of a stream only on TCP connections.
    let messages = story.calls.threads.values().map(|thread| {
        let is_message =
            |call: SystemCall, result| MESSAGES.contains(&call.0) && wanted(call, result);
        thread.sum(is_message).count
    });
    let are_messages = messages.fold(0, i64::saturating_add).saturating_mul(2) > sum.count;
    let is_stream = matches!(object.as_deref(), Some("TCP" | "TCPv6"));
    let moves = |talk: &Talk| match habit.calls == WRITES {
        true => talk.connection.row.sends,
        false => talk.connection.row.receives,
    };
    let object = object.filter(|_| !are_messages);
    let of_stream = (are_messages || is_stream) && habit.calls == READS;
    let left = of_stream.then(|| left_behind(story)).flatten();
    // What comes in small pieces cannot be read in larger ones.
    if left.is_some_and(|percent| percent < MOSTLY_LEFT) {
        return None;
    }
    if are_messages || is_stream {
        let sent_and_received = |talk: &Talk| {
            let row = &talk.connection.row;
            row.sends.saturating_add(row.receives)
        };
        let sum_of = |of: &dyn Fn(&Talk) -> i64| {
            let talks = story.network.talks.iter().map(of);
            talks.fold(0, i64::saturating_add)
        };
        let streamed = sum_of(&moves);
        // Where each request gets one reply, it was sent in one piece.
        let both_ways = streamed.saturating_mul(3) < sum_of(&sent_and_received).saturating_mul(2);
        if both_ways || are_messages && streamed.saturating_mul(2) < sum.count {
            return None;
        }
    }
    let is_small = |most: i64| {
        let of_file = object.as_deref().is_some_and(files::is_file) && goes_on(story, habit);
        let costs = share(cost.on.ns(), story.own_ns()) >= MUCH_IN_PIECES;
        (1..=most).contains(&each) && each != EVENT_BYTES
            || (1..=SMALL_BYTES).contains(&each) && of_file && costs
    };
    let is_made = habit.result == ENOENT && made::afterwards(story, habit);
    let is_once = habit.calls == READ_LINKS && !are_asked_again(story, sum.count);
    if is_made || is_once || !habit.most_bytes.is_none_or(is_small) {
        return None;
    }
    let place = story
        .calls
        .place(story.code, &|call| habit.calls.contains(&call.0));
    let draft = draft(story, (habit.cause, habit.claim), &cost, place, taken)?;
    let draft = match habit.most_bytes {
        Some(_) => draft.fact("size", Value::Text(size(each))),
        None => draft,
    };
    let draft = match left {
        Some(percent) => draft
            .fact("left", Value::Share(percent))
            .detail(Message::new(
                "After {left} of its receives of less than 256 bytes, more data was already there.",
            )),
        None => draft,
    };
    // The files say only that it was a connection.
    let peer = match object.as_deref() {
        Some("TCP" | "TCPv6") => story.network.busiest_peer(moves),
        _ if are_messages => story.network.busiest_peer(moves),
        _ => None,
    };
    let object = peer.map(str::to_owned).or(object);
    let draft = match object {
        Some(object) => draft.fact("object", Value::Text(object)),
        None => draft,
    };
    Some(draft.advise(habit.advice))
}

/// If fewer of the small receives than this percentage left something, the sender sends small pieces.
const MOSTLY_LEFT: f64 = 50.0;

/// Returns at how many of the small receives on the command's connections more had already arrived, in percent; of those
/// to the peer of most receives, if one has most. `None` where that was not recorded.
fn left_behind(story: &Story<'_>) -> Option<f64> {
    let network = &story.network;
    let peer = network.busiest_peer(|talk| talk.connection.row.receives);
    let talks = network.talks.iter();
    let talks = talks.filter(|talk| peer.is_none_or(|peer| talk.remote == peer));
    let rows = talks.map(|talk| &talk.connection.row);
    let known = rows.filter_map(|row| Some((row.partial_receives?, row.small_receives?)));
    let (left, small) = known.fold((0_i64, 0_i64), |sum, one| {
        (sum.0.saturating_add(one.0), sum.1.saturating_add(one.1))
    });
    (small > 0).then(|| share(left, small))
}

/// Who resolves each of many paths once asks about their folders several times.
const AGAIN: i64 = 20;

/// Returns whether the same parts of paths were asked again and again whether they are links.
fn are_asked_again(story: &Story<'_>, count: i64) -> bool {
    let uses = story.files.uses.iter();
    let asked = uses.filter(|one| {
        one.operation == FileOperation::ReadLink && one.result == EINVAL && one.path.is_some()
    });
    let paths: BTreeSet<_> = asked.map(|one| one.path).collect();
    let paths = i64::try_from(paths.len()).unwrap_or(i64::MAX);
    paths.saturating_mul(AGAIN) <= count
}

/// A file that is read or written in fewer pieces, on average, is small itself.
const PIECES: i64 = 8;

/// Returns whether files are read or written piece by piece each time that they are opened.
fn goes_on(story: &Story<'_>, habit: &Habit) -> bool {
    let count = |wanted: &dyn Fn(FileOperation) -> bool| {
        let uses = story.files.uses.iter();
        let uses = uses.filter(|one| one.is_ok() && wanted(one.operation));
        uses.fold(0, |all: i64, one| all.saturating_add(one.sum.count))
    };
    let opened = count(&|operation| operation == FileOperation::Open);
    let pieces = count(&|operation| habit.operations.contains(&operation));
    pieces >= opened.saturating_mul(PIECES)
}

/// `sched_yield`, and calls that ask whether a child process has ended: `wait4`, `waitid`.
const SPINS: [(i32, &str); 3] = [
    (
        24,
        "Wait for an event instead: a condition variable, a semaphore or a futex.",
    ),
    (61, WAIT_FOR_CHILD),
    (247, WAIT_FOR_CHILD),
];
const WAIT_FOR_CHILD: &str =
    "Let the call wait until the child ends (leave out WNOHANG), or wait for SIGCHLD.";

/// Who asks less often for each child does not wait in that way.
const LOOKS: i64 = 10;

/// Finds waiting by giving up the CPU, or by asking for the end of a child, again and again.
fn spins(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let costs = SPINS.iter().map(|&(number, advice)| {
        let cost = cost(story, (&|call, _| call.0 == number, &[number]), taken);
        (cost, SystemCall(number), advice)
    });
    let (cost, call, advice) = costs.max_by_key(|(cost, ..)| cost.on.ns())?;
    // A child that has ended is asked for once.
    let processes = story.facts.processes.iter().zip(&story.command.processes);
    let children = processes.filter(|&(row, &of_command)| of_command && row.parent.is_some());
    let children = children.count();
    let children = i64::try_from(children).unwrap_or(i64::MAX);
    if advice == WAIT_FOR_CHILD && cost.sum.count < children.saturating_mul(LOOKS) {
        return None;
    }
    let claim = " kept a CPU busy while it waited: {object}, {count} times: {share} of the time";
    let place = story.calls.place(story.code, &|known| known == call);
    let draft = draft(story, ("spin", claim), &cost, place, taken)?;
    let draft = draft.fact("object", Value::Text(story.calls.name(call)));
    Some(draft.advise(advice))
}

/// The result of a call that would have blocked.
const EAGAIN: SystemCallResult = SystemCallResult(11);

/// The result of a wait whose time was over.
const ETIMEDOUT: SystemCallResult = SystemCallResult(110);

const FUTEX: i32 = 202;

/// Calls that can be asked not to wait: those that read, write, send and receive, `fcntl`, `flock`,
/// `accept`, `accept4`, `recvmmsg` and `sendmmsg`.
const MAY_NOT_WAIT: &[i32] = &[
    0, 1, 17, 18, 19, 20, 43, 44, 45, 46, 47, 72, 73, 288, 295, 296, 299, 307,
];

/// A program that calls until nothing is left fails once after each success.
const IN_VAIN: i64 = 10;

/// Calls that wait for whatever comes, or for a time: `poll`, `select`, `nanosleep`, `clock_nanosleep`,
/// `epoll_wait`, `pselect6`, `ppoll`, `epoll_pwait`, `io_uring_enter`, `epoll_pwait2`.
const WAITING: &[i32] = &[7, 23, 35, 230, 232, 270, 271, 281, 426, 441];

/// Returns the failed calls of a thread that makes them in vain, without waiting or polling in between.
fn fails_in_vain(thread: &ThreadCalls, number: i32) -> Option<CallSum> {
    let fails = thread.sum(|call, result| call.0 == number && result == EAGAIN);
    let others = thread.sum(|call, result| call.0 == number && result != EAGAIN);
    let waits = thread.sum(|call, _| WAITING.contains(&call.0));
    let many = |count: i64| count.saturating_mul(IN_VAIN) <= fails.count;
    let in_vain = many(others.count) && many(waits.count) && thread.hardly_waited(fails.count);
    in_vain.then_some(fails)
}

/// Finds waiting by repeating a call that would block.
fn in_vain(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let sums = MAY_NOT_WAIT.iter().map(|&number| {
        let threads = story.calls.threads.iter();
        let sums = threads.filter_map(|(&id, thread)| Some((id, fails_in_vain(thread, number)?)));
        let calls = Calls {
            least: MANY,
            are_long: false,
            are_of_files: false,
            numbers: &[number],
            along: &[],
        };
        (number, cost_of(story, sums, &calls, taken))
    });
    let (number, cost) = sums.max_by_key(|(_, cost)| cost.on.ns())?;
    let claim = " kept a CPU busy while it waited: {object} failed {count} times because it would have blocked (EAGAIN): {share} of the time";
    let place = story.calls.place(story.code, &|call| call.0 == number);
    let draft = draft(story, ("spin", claim), &cost, place, taken)?;
    let draft = draft.fact("object", Value::Text(SystemCall(number).spelled()));
    Some(draft.advise("Wait until it is ready (poll, epoll), or use a blocking call."))
}

/// Finds waits with a time-out that is already over.
fn timed_out(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let is_over = |call: SystemCall, result| call.0 == FUTEX && result == ETIMEDOUT;
    let cost = cost(story, (&is_over, &[FUTEX]), taken);
    let place = story.calls.place(story.code, &|call| call.0 == FUTEX);
    let claim = " kept a CPU busy while it waited: {object} timed out at once {count} times: {share} of the time";
    let draft = draft(story, ("spin", claim), &cost, place, taken)?;
    let draft = draft.fact("object", Value::Text(SystemCall(FUTEX).spelled()));
    Some(
        draft
            .advise("Check the time-out that is passed to the wait, and which clock it refers to."),
    )
}

/// Finds the cheap call that cost most in total.
fn cheap(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let sums = QUESTIONS.iter().map(|&number| {
        let cost = cost(story, (&|call, _| call.0 == number, &[number]), taken);
        (cost.on.ns(), SystemCall(number), cost)
    });
    let (_, call, cost) = sums.max_by_key(|&(ns, ..)| ns)?;
    let claim = " called {object} {count} times: {share} of the time";
    let place = story.calls.place(story.code, &|known| known == call);
    let draft = draft(story, ("cheap-calls", claim), &cost, place, taken)?;
    let draft = draft.fact("object", Value::Text(story.calls.name(call)));
    Some(match story.calls.name(call).as_str() {
        "clock_gettime" | "gettimeofday" | "time" => draft.advise(
            "Ask less often, or use a clock that the C library reads without a system call.",
        ),
        "lseek" => draft
            .advise("Read and write larger pieces, or use pread and pwrite, which need no lseek."),
        _ => draft.advise("Ask once, and keep the answer."),
    })
}

/// Finds memory that is asked for and given back again and again.
fn memory(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    // Starting programs and loading libraries take memory, too, and give hardly any of it back.
    let gives_back = |thread: &ThreadCalls| {
        let all = thread.sum(|call, _| MEMORY.contains(&call.0)).count;
        let back = thread.sum(|call, result| result == OK && GIVES_BACK.contains(&call.0));
        all >= MANY && back.count.saturating_mul(4) >= all
    };
    let maps_files = |id: ThreadId| {
        let uses = story.files.uses.iter().filter(|one| one.thread == id);
        let maps = uses.filter(|one| one.operation == FileOperation::Map && one.is_ok());
        let maps = maps.fold(0, |all: i64, one| all.saturating_add(one.sum.count));
        let all = story.calls.threads.get(&id);
        let all = all.map_or(0, |one| one.sum(|call, _| call == MMAP).count);
        maps > 0 && maps.saturating_mul(2) >= all
    };
    let threads = || {
        let threads = story.calls.threads.iter();
        threads.filter(|&(&id, one)| gives_back(one) && !maps_files(id))
    };
    let sums = threads().map(|(&id, one)| (id, one.sum(|call, _| MEMORY.contains(&call.0))));
    // Waits elsewhere, such as for requests, say nothing about these calls; an occasional one for memory's own lock is no
    // sign of waiting for others.
    let calls = Calls {
        least: MANY_PIECES,
        are_long: true,
        are_of_files: false,
        numbers: MEMORY,
        along: &[],
    };
    let cost = cost_of(story, sums, &calls, taken);
    if share(cost.on.ns(), story.own_ns()) < MUCH_MEMORY {
        return None;
    }
    let ns = |number: i32| {
        let sums = threads().map(|(_, one)| one.sum(|call, _| call.0 == number).ns.unwrap_or(0));
        sums.fold(0, i64::saturating_add)
    };
    let most = MEMORY.iter().copied().max_by_key(|&number| ns(number))?;
    let claim = " got memory from the kernel and gave it back ({count} calls, mostly {object}): {share} of the time";
    let place = story
        .calls
        .place(story.code, &|call| MEMORY.contains(&call.0));
    let draft = draft(story, ("cheap-calls", claim), &cost, place, taken)?;
    let draft = draft.fact("object", Value::Text(SystemCall(most).spelled()));
    Some(draft.advise("Keep the memory and reuse it."))
}

/// Returns the calls of all threads whose calls take the time themselves, and the part of the path
/// that they took. Nothing says when a call was made: the part is spread over the time on the CPU.
fn cost(
    story: &Story<'_>,
    (wanted, numbers): (&dyn Fn(SystemCall, SystemCallResult) -> bool, &[i32]),
    taken: &Taken,
) -> Cost {
    let threads = story.calls.threads.iter();
    let sums = threads.map(|(&id, thread)| (id, thread.sum(wanted)));
    let calls = Calls {
        least: MANY,
        are_long: false,
        are_of_files: false,
        numbers,
        along: &[],
    };
    cost_of(story, sums, &calls, taken)
}

fn draft(
    story: &Story<'_>,
    (cause, claim): (&str, &'static str),
    cost: &Cost,
    place: Option<Place>,
    taken: &mut Taken,
) -> Option<Draft> {
    let ns = cost.on.ns();
    if !is_much(story, ns) {
        return None;
    }
    take(cost, taken);
    let process = cost.caller(story);
    let Cost { sum, on, .. } = cost;
    let draft = Draft::new(cause, Confidence::Certain, Extent::On(on.clone()))
        .of_process(story, process)
        .fact("count", Value::Count(sum.count))
        .claim(claim);
    let draft = match place.or_else(|| Most::place_of_calls(story, ns)) {
        Some(place) => draft.fact("place", Value::Place(place)),
        None => draft,
    };
    let draft = draft.verify("Record it again: it should make fewer calls.");
    let amount = (ns, sum.count);
    if story.calls.system() == System::Windows {
        let query = Query::new("its files", "files", &["--process", process]);
        return Some(draft.rows("file_call", amount, query));
    }
    let query = Query::new("its system calls", "syscalls", &["--process", process]);
    let by = ["--process", process, "--by", "calls"];
    let places = Query::new("where it makes them", "stacks", &by);
    let draft = draft.rows("system_call", amount, query);
    Some(draft.rows("call_sample", amount, places))
}

/// Returns a number of bytes in words.
pub(super) fn size(bytes: i64) -> String {
    match bytes {
        1 => "one byte".to_owned(),
        bytes => format!("{bytes} bytes"),
    }
}
