//! Where the user's own code communicates with others, if it waits for them in a function of its
//! runtime.

use crate::hot;
use crate::path::WaitGroup;
use crate::place::{Place, system_call};
use crate::story::Story;
use whyslow_query::call_tree::Weights;

/// `read`, `write`, `readv`, `writev`, `connect`, `sendto`, `recvfrom`, `sendmsg`, `recvmsg`.
pub const TALKS: [i32; 9] = [0, 1, 19, 20, 42, 44, 45, 46, 47];

/// Classes of waits in which a runtime waits for all of its tasks.
const OF_RUNTIMES: [&str; 2] = ["goroutines", "loop"];

/// The packages of Go that talk to others.
const PACKAGES: [&str; 3] = ["net/", "net.", "database/sql."];

/// The modules of Node.js that talk to other programs.
const MODULES: [&str; 6] = [
    "node:_http_",
    "node:http",
    "node:net",
    "node:_tls",
    "node:tls",
    "node:internal/deps/undici",
];

/// Returns the place to show for waits at `waited`, and whether it is taken from elsewhere. There is none if the waits
/// show only how a runtime waits for all of its tasks.
pub fn shown(story: &Story<'_>, groups: &[&WaitGroup], waited: &Place) -> (Option<Place>, bool) {
    match place(story, groups, waited) {
        Some(place) => (Some(place), true),
        None if is_of_runtime(story, groups) && !waited.is_own() => (None, false),
        None => (Some(waited.clone()), false),
    }
}

/// Returns where the user's own code makes the calls, or calls a library that does; `None` where the waits
/// themselves are in the user's own code.
fn place(story: &Story<'_>, groups: &[&WaitGroup], waited: &Place) -> Option<Place> {
    if !is_of_runtime(story, groups) || waited.is_users() {
        return None;
    }
    let calls = || {
        let calls = story
            .calls
            .place(story.code, &|call| TALKS.contains(&call.0));
        calls.filter(Place::is_users)
    };
    // Who talks does not say who waits for a timer.
    if groups.iter().all(|group| group.is_sleep(story.rules)) {
        return seen(groups).or_else(|| after_timers(story, groups));
    }
    let seen = seen(groups).or_else(calls);
    seen.or_else(|| through_library(story, groups))
}

/// Returns the function of the user's own code that an event loop mostly called after it had waited for its timers.
fn after_timers(story: &Story<'_>, groups: &[&WaitGroup]) -> Option<Place> {
    let first = groups.first()?;
    let is_its = |thread| story.process_of(thread) == Some(&*first.process);
    let hot = &story.hot;
    hot.ran_after_waits(story.code, &|_, thread| is_its(thread))
}

/// Returns whether a runtime waited for all of its tasks in these waits.
fn is_of_runtime(story: &Story<'_>, groups: &[&WaitGroup]) -> bool {
    let class = |group: &&WaitGroup| story.rules.class(group.class).name.as_str();
    let class = groups.first().map(class);
    class.is_some_and(|name| OF_RUNTIMES.contains(&name))
}

/// A place with less than this part (one in so many) of the time is not typical.
const SOME: i64 = 10;

/// Returns where tasks of the user were seen waiting for most of the time in which any was.
fn seen(groups: &[&WaitGroup]) -> Option<Place> {
    let users = groups.iter().filter(|group| group.place.is_users());
    let most = users.max_by_key(|group| group.ns)?;
    let all: i64 = groups.iter().map(|group| group.ns).sum();
    (most.ns.saturating_mul(SOME) >= all).then(|| Place::clone(&most.place))
}

/// Returns the function of the user's own code that computed most in a library that talks to others: such a
/// library may make the calls themselves in a task of its own.
fn through_library(story: &Story<'_>, groups: &[&WaitGroup]) -> Option<Place> {
    let (code, process) = (story.code, &groups.first()?.process);
    let talks = |node: u32| {
        let path = code.stacks.tree.path(node);
        let mut functions = path.flat_map(|node| code.stacks.tree.functions(node));
        functions.any(|&id| {
            let function = code.stacks.frames.function(id);
            let is_of = |module: &&str| function.module.starts_with(*module);
            let begins = |package: &&str| function.name.starts_with(*package);
            PACKAGES.iter().any(begins) || MODULES.iter().any(is_of)
        })
    };
    let mut weights = Weights::new(code.stacks);
    for (&(node, thread), &ns) in &story.hot.stacks {
        if story.process_of(thread) == Some(&**process) && talks(node) {
            weights.add(node, ns);
        }
    }
    let own = hot::own(code, &weights.take())?;
    let place = Place::of_functions(code, &own.functions).at(own.source);
    Some(place).filter(Place::is_users)
}

/// The calls that wait for room, not for data.
pub const SENDS: [&str; 7] = [
    "write",
    "writev",
    "sendto",
    "sendmsg",
    "sendmmsg",
    "sendfile64",
    "splice",
];

/// Returns whether most of the time was waited for room to send more.
pub fn sends(story: &Story<'_>, groups: &[&WaitGroup]) -> bool {
    let for_room = groups.iter().filter(|group| {
        let call = system_call(story.code.stacks, group.main_stack());
        call.is_some_and(|call| SENDS.contains(&call))
    });
    let all: i64 = groups.iter().map(|group| group.ns).sum();
    for_room.map(|group| group.ns).sum::<i64>() * 2 > all
}
