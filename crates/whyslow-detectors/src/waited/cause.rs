//! Why waits lasted: what they were for, or who.

use whyslow_model::ProcessId;
use whyslow_query::wait::Nature;

use super::{MESSAGES, role, silent, storage, stranger, target, timers};
use whyslow_story::path::WaitGroup;
use whyslow_story::peers::Role;
use whyslow_story::story::Story;
use whyslow_story::work::Starts;

/// A place that waits for changes of files no more often than this waits for one particular change.
const FEW: i64 = 2;

/// Returns the cause of the waits of a group: waiting for work, until a time-out, for another
/// process, or their class; everything about disks is one cause.
pub(super) fn cause_of<'a>(story: &Story<'a>, group: &WaitGroup) -> &'a str {
    let rules = story.rules;
    let class = rules.class(group.class);
    let timed_out = rules.is_timeout(group.end);
    let name = target::class_name(story, group);
    let role = stranger(story, group).and_then(|id| role(story, id));
    match (name, class.nature) {
        // What goroutines wait for was seen, whatever ended the wait of the thread.
        _ if group.crowd.is_some() => name,
        ("poll" | "socket" | "loop", _) if !timed_out && target::is_served(story, group) => "idle",
        ("writeback" | "journal", _) => "disk",
        ("io-uring", _) if story.disks.serve_rings => "disk",
        ("fuse" | "network-fs", _) => "slow-file-system",
        // Pages of a file that a program or a server provides come from there, whatever disk that one uses.
        ("cold-read" | "disk", _) if storage::is_served(story, group) => "slow-file-system",
        ("terminal-output", _) => "pipe",
        ("cold-read" | "disk", _) if is_start(story, group) => "startup",
        // A tracer stops the program, and lets it continue.
        ("supervisor", _) => "stopped",
        ("poll", _) if target::is_terminal(story, group) => "idle",
        ("ipc", _) if !timed_out && target::only_receives(story, group) => "idle",
        ("poll", _) if timed_out && timers::are_of_nothing(story, group) => "sleep",
        // A thread that waits for one change of files after another has nothing to do in between.
        ("poll" | "events", _) if target::looks(story, group) > FEW => "idle",
        _ if timed_out && silent::is_silent(story, group) => silent::CAUSE,
        ("poll", _) if timed_out && timers::are_of_server(story, group) => "idle",
        ("loop", _) if timed_out && waits_for_reply(story, group).is_some() => "slow-peer",
        ("goroutines", _) if timed_out => "sleep",
        // All that its goroutines waited for is data from another process.
        ("goroutines", _) if role == Some(Role::Asks) => "idle",
        ("goroutines", _) if role == Some(Role::Serves) => "slow-peer",
        // One of its goroutines was seen waiting for a connection.
        ("goroutines", _) if is_for_remote(story, group) => "slow-peer",
        // Its waker comes at any time.
        ("goroutines", _) if stranger(story, group).is_some() => "idle",
        ("loop", _) if role == Some(Role::Serves) => "slow-peer",
        ("loop" | "poll", _) if timed_out && timers::are_awaited(story, group) => "sleep",
        ("loop", _) if timed_out && timers::are_steps(story, group) => "sleep",
        (_, Nature::Work) => "idle",
        ("gil" | "dns" | "unknown" | "other" | "goroutines", _) | (_, Nature::Thing) => name,
        _ if timed_out => "timeout",
        _ if !MESSAGES.contains(&name) => name,
        _ if role == Some(Role::Asks) => "idle",
        _ if stranger(story, group).is_some() => "slow-peer",
        _ if rules.end(group.end).name == "network" => "slow-peer",
        ("poll", _) if target::is_where_idle(story, group) => "idle",
        // It did not come before the recording ended.
        ("poll", _) if target::is_asked(story, group) => "slow-peer",
        // The sender on a socket is another process, wherever it runs.
        ("socket", _) => "slow-peer",
        _ => name,
    }
}

/// Returns whether a goroutine of the user waited for data from another machine, and a peer takes time to reply.
fn is_for_remote(story: &Story<'_>, group: &WaitGroup) -> bool {
    let by_network = story.rules.end(group.end).name == "network";
    by_network && group.place.is_users() && story.network.slowest_peer(group.ns).is_some()
}

/// Returns whether most of the time was waited while the program only started.
fn is_start(story: &Story<'_>, group: &WaitGroup) -> bool {
    let node = group
        .main_stack()
        .map(|id| story.code.stacks.tree.node(Some(id)));
    node.is_some_and(|node| Starts::new(story.code).begins(node))
}

/// Returns the process whose replies an event loop waited for when its own timer ended the wait.
pub(super) fn waits_for_reply(story: &Story<'_>, group: &WaitGroup) -> Option<ProcessId> {
    if !story.rules.is_timeout(group.end) || story.roles.is_empty() {
        return None;
    }
    let is_it = |id: ProcessId| {
        let row = story.facts.process(id);
        row.is_some_and(|row| *row.name == *group.process)
    };
    let serves = |peer: &ProcessId| story.roles.get(peer) == Some(&Role::Serves);
    story.network.keeps_waiting(&is_it, group.ns).filter(serves)
}
