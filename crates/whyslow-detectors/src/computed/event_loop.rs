//! An event loop that computes: nothing else that it is to serve gets a turn meanwhile.

use whyslow_model::{SystemCall, TcpSide, ThreadId};

use crate::detector::Draft;
use crate::finding::{Message, Value};
use crate::held_up::LET_OTHERS_IN;
use whyslow_story::network::Talk;
use whyslow_story::story::Story;

/// The functions that run an event loop: of Node.js and other programs with libuv, and of Python's asyncio.
const LOOPS: [&str; 4] = [
    "uv_run",
    "run_forever",
    "_run_once",
    "BaseEventLoop._run_once",
];

/// The calls in which an event loop looks for events: `epoll_wait`, `epoll_pwait`, `epoll_pwait2`.
const LOOKS: [SystemCall; 3] = [SystemCall(232), SystemCall(281), SystemCall(441)];

/// One that turned less often began and ended, and had nothing to serve in between.
const FEW_TURNS: i64 = 8;

/// Whoever is served after less than this does not notice.
const NOTICED_NS: i64 = 20_000_000;

/// Adds how long an event loop did nothing else at a time, if the thread that computed most runs one.
pub(super) fn add(story: &Story<'_>, draft: Draft) -> Draft {
    let threads = story.hot.threads.iter();
    let Some((&thread, &ns)) = threads.max_by_key(|(_, ns)| **ns) else {
        return draft;
    };
    if !serves(story) {
        return draft;
    }
    let turns = story.calls.made(thread, &LOOKS);
    if turns < FEW_TURNS || in_loop(story, thread).saturating_mul(2) < ns {
        return draft;
    }
    let running_ns = story.calls.threads.get(&thread);
    let running_ns = running_ns.map_or(0, |calls| calls.times.running_ns);
    let each_ns = running_ns / turns;
    if each_ns < NOTICED_NS {
        return draft;
    }
    draft
        .fact("turns", Value::Count(turns))
        .fact("turn-ns", Value::Time(each_ns))
        .detail(Message::new(
            "Its event loop looked for other events only {turns} times, after {turn-ns} of computing on average.",
        ))
        .advise(LET_OTHERS_IN)
}

/// Returns whether somebody may wait for the event loop: the command takes connections.
fn serves(story: &Story<'_>) -> bool {
    let accepted = |talk: &Talk| talk.connection.side == TcpSide::In;
    let mut threads = story.calls.threads.keys();
    story.network.talks.iter().any(accepted)
        || threads.any(|&thread| story.calls.made(thread, &SystemCall::ACCEPTS) > 0)
}

/// Returns for how long samples saw a thread inside its event loop.
fn in_loop(story: &Story<'_>, thread: ThreadId) -> i64 {
    let (tree, frames) = (&story.code.stacks.tree, &story.code.stacks.frames);
    let runs_loop = |node: u32| {
        let mut functions = tree.path(node).flat_map(|node| tree.functions(node));
        functions.any(|&id| LOOPS.contains(&&*frames.function(id).name))
    };
    let stacks = story.hot.stacks.iter();
    let inside = stacks.filter(|((node, of), _)| *of == thread && runs_loop(*node));
    inside.map(|(_, ns)| *ns).fold(0, i64::saturating_add)
}
