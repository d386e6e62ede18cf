//! Event loops that wait for their own timers, or for those of their tasks.

use whyslow_model::tables::WaitObjectRow;
use whyslow_story::path::{WaitGroup, WaitTarget};
use whyslow_story::story::Story;

/// This many waits, each of at most this many nanoseconds, are not those of an event loop that has something to
/// do now and then.
const MANY_TIMERS: i64 = 300;
const SHORT_TIMER_NS: i64 = 2_000_000;

/// Returns whether most of the time was waited for no descriptor at all (`select` and `poll` as a sleep), or only for
/// the one that other threads of the program may wake it with. A call whose descriptors are not known may be one of
/// these, but is not said to be.
pub(super) fn are_of_nothing(story: &Story<'_>, group: &WaitGroup) -> bool {
    let is_of_no_one = |object: i32| {
        let row = story.objects.get(object);
        let is_own = |row: &WaitObjectRow| row.name == "[eventfd]" && row.others.is_none();
        row.is_some_and(|row| row.kind == "nothing" || is_own(row))
    };
    let is_nothing = |target: &WaitTarget| {
        target.timeout_ns.is_some() && target.object.is_some_and(is_of_no_one)
    };
    let targets = group.targets.iter();
    let nothing = targets.filter(|(target, _)| is_nothing(target));
    let ns = nothing.fold(0_i64, |sum, (_, &(ns, _))| sum.saturating_add(ns));
    ns.saturating_mul(10) >= group.ns.saturating_mul(9)
}

/// Returns whether an event loop waited for one short timer after another: the program sleeps between its steps.
pub(super) fn are_short(group: &WaitGroup) -> bool {
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
