//! Event loops that wait for their own timers, or for those of their tasks.

use whyslow_model::ProcessId;
use whyslow_model::tables::WaitObjectRow;
use whyslow_story::code::Whose;
use whyslow_story::path::{Step, WaitGroup, WaitTarget, What};
use whyslow_story::story::Story;

use super::target;

/// This many waits, each of at most this many nanoseconds, are not those of an event loop that has something to
/// do now and then.
const MANY_TIMERS: i64 = 300;
const SHORT_TIMER_NS: i64 = 2_000_000;

/// Returns whether most of the time was waited for no descriptor at all (`select` and `poll` as a sleep), or, in a runtime
/// that sleeps like this, only for the one that other threads may wake it with. The user's own code waits for something
/// at that one. A call whose descriptors are not known may be one of these, but is not said to be.
pub(super) fn are_of_nothing(story: &Story<'_>, group: &WaitGroup) -> bool {
    let is_asked = is_asked_by_user(story, group);
    let is_of_no_one = |object: i32| {
        let row = story.objects.get(object);
        let is_own = |row: &WaitObjectRow| row.name == "[eventfd]" && row.others.is_none();
        row.is_some_and(|row| row.kind == "nothing" || !is_asked && is_own(row))
    };
    let is_nothing = |target: &WaitTarget| {
        target.timeout_ns.is_some() && target.object.is_some_and(is_of_no_one)
    };
    let targets = group.targets.iter();
    let nothing = targets.filter(|(target, _)| is_nothing(target));
    let ns = nothing.fold(0_i64, |sum, (_, &(ns, _))| sum.saturating_add(ns));
    ns.saturating_mul(10) >= group.ns.saturating_mul(9)
}

/// The user's own function is the first one on a stack, or the one that calls the function of the C library.
const NEAREST: usize = 2;

/// Returns whether the user's own code calls what waits.
fn is_asked_by_user(story: &Story<'_>, group: &WaitGroup) -> bool {
    let tree = &story.code.stacks.tree;
    let node = group.main_stack().map(|id| tree.node(Some(id)));
    let nodes = node.into_iter().flat_map(|node| tree.path(node));
    let of_user = nodes.filter(|&node| !tree.kernel.get(node as usize).is_some_and(|&is| is));
    let mut functions = of_user.flat_map(|node| tree.functions(node)).take(NEAREST);
    functions.any(|&id| {
        // An interpreter of the user's own is none of the user's code.
        let is_native = story.code.native_module(id).is_some();
        is_native && story.code.whose(id) == Whose::Own
    })
}

/// Returns whether a server looked up from waiting for its clients, as its maintenance needs: nobody waited for that.
pub(super) fn are_of_server(story: &Story<'_>, group: &WaitGroup) -> bool {
    target::is_for_clients(story, group) && !are_of_answers(group)
}

/// Returns whether an event loop waited for timers because the program wants them to go off, not because nothing else
/// has come yet.
pub(super) fn are_steps(story: &Story<'_>, group: &WaitGroup) -> bool {
    are_short(group) || are_of_answers(group) || are_of_no_one(story, group)
}

/// Returns whether most of the time was waited for timers after which the program sent what others waited for.
fn are_of_answers(group: &WaitGroup) -> bool {
    group.answering_ns.saturating_mul(2) > group.ns
}

/// Returns whether a process watches nothing but what it wakes itself with, or talks only with itself, and nobody else
/// ever woke it: it waits for its own timers, and for nothing else.
fn are_of_no_one(story: &Story<'_>, group: &WaitGroup) -> bool {
    let Some(process) = process_of(story, group) else {
        return false;
    };
    let talks_with_itself = story.network.talks_with_itself(process);
    let has_end = wakes_itself(story, group);
    let is_own = |object: i32| {
        let row = story.objects.get(object);
        row.is_some_and(|row| is_of_itself(row, (talks_with_itself, has_end)))
    };
    let targets = group.targets.iter();
    let own = targets.filter(|(target, _)| target.object.is_some_and(is_own));
    let ns = own.fold(0_i64, |sum, (_, &(ns, _))| sum.saturating_add(ns));
    let rows = story.facts.processes.iter();
    let mut members = rows.filter(|row| story.command.has_process(row.id));
    ns.saturating_mul(10) >= group.ns.saturating_mul(9)
        && !is_woken(story, process)
        && !members.any(|row| row.parent == Some(process))
}

/// Returns the process that waited, if all waits of a group are of one.
fn process_of(story: &Story<'_>, group: &WaitGroup) -> Option<ProcessId> {
    let mut groups = story.path.waits.iter();
    let at = groups.position(|one| std::ptr::eq(one, group))?;
    let steps = story.path.steps.iter();
    let mut waits = steps.filter(|step| step.what == What::Wait(at));
    let of = |step: &Step| Some(story.facts.thread(step.thread?)?.process);
    let first = of(waits.next()?)?;
    waits.all(|step| of(step) == Some(first)).then_some(first)
}

/// Functions of event loops that make a pipe or a Unix socket to wake themselves: those of libuv and asyncio.
const WITH_OWN_END: [&str; 5] = [
    "uv_run",
    "uv__io_poll",
    "select_epoll_poll",
    "BaseEventLoop._run_once",
    "EpollSelector.select",
];

/// Returns whether a group's event loop is one that has a pipe or a Unix socket to wake itself.
fn wakes_itself(story: &Story<'_>, group: &WaitGroup) -> bool {
    let (tree, frames) = (&story.code.stacks.tree, &story.code.stacks.frames);
    let node = group.main_stack().map(|id| tree.node(Some(id)));
    let nodes = node.into_iter().flat_map(|node| tree.path(node));
    let mut functions = nodes.flat_map(|node| tree.functions(node));
    functions.any(|&id| WITH_OWN_END.contains(&&*frames.function(id).name))
}

/// Returns whether another process sent a process something that it waited for.
fn is_woken(story: &Story<'_>, process: ProcessId) -> bool {
    let of = |thread| story.facts.thread(thread).map(|row| row.process);
    let mut messages = story.path.messages.keys();
    let is_told =
        |&(waiter, waker): &(_, _)| of(waiter) == Some(process) && of(waker) != of(waiter);
    !story.path.partners.is_empty() || messages.any(is_told)
}

/// Returns whether all that a call watches is of its own process: besides timers and the like, the pipe or Unix socket
/// with which some event loops wake themselves (`has_end`), and connections if both ends of all of them are of the process,
/// with the sockets where it listens for them. Of more than a few descriptors, only the named ones are looked at, and that
/// is enough only for such connections.
fn is_of_itself(row: &WaitObjectRow, (talks_with_itself, has_end): (bool, bool)) -> bool {
    let names = row.name.split(", ").filter(|name| !name.starts_with('['));
    let (ends, others): (Vec<&str>, Vec<&str>) =
        names.partition(|name| *name == "a Unix socket" || name.starts_with("pipe:"));
    let is_list = ["epoll", "poll", "event", "unix", "nothing"].contains(&row.kind.as_str());
    let are_own =
        others.is_empty() || talks_with_itself && others.iter().all(|one| one.contains(':'));
    let are_known = row.others.is_none() || talks_with_itself;
    is_list && are_known && ends.len() <= usize::from(has_end) && are_own
}

/// Returns whether an event loop waited for one short timer after another: the program sleeps between its steps.
fn are_short(group: &WaitGroup) -> bool {
    let targets = || group.targets.iter();
    let asked = targets().filter(|(target, _)| target.timeout_ns.is_some());
    let is_short = |ns: i64| ns <= SHORT_TIMER_NS;
    let short = targets().filter(|(target, _)| target.timeout_ns.is_some_and(is_short));
    let sum = |of: &mut dyn Iterator<Item = i64>| of.fold(0, i64::saturating_add);
    let known = sum(&mut asked.map(|(_, &(_, count))| count));
    let (short, all) = match known {
        // The requested time was not recorded; the actual time is never shorter.
        0 => {
            let lengths = group.lengths_ns.iter().filter(|ns| is_short(**ns));
            (i64::try_from(lengths.count()).unwrap_or(0), group.count)
        }
        // Of many waits it is known only for a sample.
        _ => (sum(&mut short.map(|(_, &(_, count))| count)), known),
    };
    short >= MANY_TIMERS && short.saturating_mul(10) >= all.saturating_mul(9)
}

/// Returns whether what an event loop of Python waited for was `asyncio.sleep`: the recorder puts what its task
/// awaits into its stack.
pub(super) fn are_awaited(story: &Story<'_>, group: &WaitGroup) -> bool {
    let (tree, frames) = (&story.code.stacks.tree, &story.code.stacks.frames);
    let node = group.main_stack().map(|id| tree.node(Some(id)));
    let nodes = node.into_iter().flat_map(|node| tree.path(node));
    let mut functions = nodes.flat_map(|node| tree.functions(node));
    functions.any(|&id| {
        let function = frames.function(id);
        &*function.name == "sleep" && function.module.ends_with("asyncio/tasks.py")
    })
}
