//! The cost of calls that take the time themselves: many short ones, without waits.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{SystemCall, ThreadId};
use whyslow_query::system_calls::CallSum;

use whyslow_names::is_c_library;

use crate::calls::{DEPTHS, Entry, ThreadCalls, entry, entry_at};
use crate::path::What;
use crate::place::{PAGE_FAULT, system_call_at};
use crate::story::{Story, share};
use whyslow_query::spans::Spans;

/// Fewer calls are no habit.
pub const MANY: i64 = 1000;

/// Calls that take less of the command's own time than this percentage are not worth a change.
pub const MUCH: f64 = 10.0;

/// Calls that give memory back: `munmap`, `madvise`.
pub const GIVES_BACK: &[i32] = &[11, 28];

/// If a thread waited for more than this part (one in so many) of the time of its calls, the calls
/// wait for others.
const WAITED: i64 = 4;

/// If system calls take this part (one in so many) of the time of a library function, it makes calls
/// rather than computes.
const WRAPPER: i64 = 3;

/// The same if the kernel takes this part (one in so many) of it.
const KERNEL: i64 = 2;

/// What other calls already account for.
#[derive(Debug, Default)]
pub struct Taken {
    /// Part of the time that each thread ran.
    threads: BTreeMap<ThreadId, i64>,
    /// The functions that make calls, and which calls they make.
    entries: BTreeMap<Entry, BTreeSet<i32>>,
}

impl Taken {
    /// Returns whether any of these calls of a function is accounted for.
    fn has(&self, entry: &Entry, numbers: &[i32]) -> bool {
        let known = self.entries.get(entry);
        known.is_some_and(|known| numbers.iter().any(|number| known.contains(number)))
    }
}

/// Which calls are looked at.
#[derive(Debug)]
pub struct Calls<'a> {
    /// Fewer are no habit.
    pub least: i64,
    /// Whether each takes so long that an occasional wait is no sign of waiting for others.
    pub are_long: bool,
    /// Whether they are about files, so that waits for pipes and sockets are not part of them.
    pub are_of_files: bool,
    /// Which system calls they are.
    pub numbers: &'a [i32],
    /// Calls that go with them, and are part of the cost.
    pub along: &'a [i32],
}

impl Calls<'_> {
    /// Returns how long the thread waited in these calls, at most.
    fn waited_ns(&self, thread: &ThreadCalls) -> i64 {
        // Their purpose is to wait, and they also cost time.
        let wait = |&number: &i32| SystemCall::WAIT_FOR_ANY.contains(&SystemCall(number));
        match self.are_of_files {
            true => thread.waited_for_files_ns(),
            false if self.numbers.iter().any(wait) => thread.times.waiting_ns,
            false => thread.waited_in_calls_ns(),
        }
    }

    fn cpu_ns(&self, thread: &ThreadCalls, ns: i64) -> i64 {
        thread.without_waits(ns, self.waited_ns(thread))
    }
}

/// Calls that take the time themselves.
#[derive(Debug)]
pub struct Cost {
    /// How many calls, and for how long.
    pub sum: CallSum,
    /// The part of the path that they took.
    pub on: Spans,
    /// The time on the CPU that they took, by thread.
    parts: Vec<(ThreadId, i64)>,
    /// The functions that make them.
    entries: BTreeSet<Entry>,
    /// The calls, with those that go with them.
    numbers: BTreeSet<i32>,
    /// The part of all calls of these numbers that is looked at, 0 to 1, by thread.
    wanted: BTreeMap<ThreadId, f64>,
}

impl Cost {
    fn none() -> Self {
        Self {
            sum: CallSum::default(),
            on: Spans::default(),
            parts: Vec::new(),
            entries: BTreeSet::new(),
            numbers: BTreeSet::new(),
            wanted: BTreeMap::new(),
        }
    }

    /// Returns the time on the CPU that they took.
    pub fn parts_ns(&self) -> i64 {
        self.parts.iter().map(|&(_, ns)| ns).sum()
    }

    /// Returns the process whose calls cost most.
    pub fn caller<'a>(&self, story: &'a Story<'_>) -> &'a str {
        let most = self.parts.iter().max_by_key(|&&(_, ns)| ns);
        let most = most.and_then(|&(thread, _)| story.process_of(thread));
        most.unwrap_or_else(|| story.runner())
    }
}

/// Returns the cost of calls that were summed by thread, and the part of the path that they took. Nothing
/// says
/// when a call was made: the part is spread over the time on the CPU.
///
/// If library functions do little but make the calls, all their time counts as the cost of the calls.
pub fn cost_of(
    story: &Story<'_>,
    sums: impl Iterator<Item = (ThreadId, CallSum)>,
    calls: &Calls<'_>,
    taken: &Taken,
) -> Cost {
    let mut cost = Cost::none();
    for (id, sum) in sums {
        let Some(thread) = story.calls.threads.get(&id) else {
            continue;
        };
        let ns = sum.ns.unwrap_or(0);
        let waited = match calls.are_long {
            true => calls.waited_ns(thread).saturating_mul(WAITED) > ns,
            false => !thread.hardly_waited(sum.count),
        };
        if !waited {
            cost.sum.add(&sum);
            cost.parts.push((id, calls.cpu_ns(thread, ns)));
            let all = thread.sum(|call, _| calls.numbers.contains(&call.0));
            cost.wanted.insert(id, part_of_all(&sum, &all));
        }
    }
    if cost.sum.count < calls.least {
        return Cost::none();
    }
    cost.entries = entries(story, calls, 0);
    if cost.entries.is_empty() {
        cost.entries = sampled_entries(story, calls.numbers);
    }
    // The same calls of the same functions are already accounted for.
    let is_taken = |entry| taken.has(entry, calls.numbers);
    if !cost.entries.is_empty() && cost.entries.iter().all(is_taken) {
        return Cost::none();
    }
    cost.numbers = calls.numbers.iter().chain(calls.along).copied().collect();
    widen(story, calls, &mut cost, taken);
    let parts = cost.parts.iter();
    let spans = parts.flat_map(|&(id, part_ns)| {
        let from_ns = taken.threads.get(&id).copied().unwrap_or(0);
        let thread = story.calls.threads.get(&id);
        let running_ns = thread.map_or(0, |thread| thread.times.running_ns);
        spread(story, id, running_ns, (from_ns, part_ns))
    });
    cost.on = Spans::new(spans);
    cost
}

/// Returns which part of all calls some of them are, 0 to 1: by their time, if that is known. To open a file that is there
/// costs less than to make one.
fn part_of_all(some: &CallSum, all: &CallSum) -> f64 {
    let part = match (some.ns, all.ns) {
        (Some(ns), Some(of)) if of > 0 => share(ns.clamp(0, of), of),
        _ => share(some.count.min(all.count), all.count),
    };
    part / 100.0
}

/// A call that takes less than this part (one in so many) of the time of all is not looked at by itself.
const SOME: i64 = 10;

/// Returns the functions that make most of each call that takes some of the time: a folder is listed with one call,
/// and each of its files is checked with another.
fn entries(story: &Story<'_>, calls: &Calls<'_>, depth: usize) -> BTreeSet<Entry> {
    let ns = |number: i32| {
        let threads = story.calls.threads.values();
        let sums = threads.map(|thread| thread.sum(|call, _| call.0 == number).ns.unwrap_or(0));
        sums.fold(0, i64::saturating_add)
    };
    let times: Vec<(i32, i64)> = calls.numbers.iter().map(|&one| (one, ns(one))).collect();
    let all = times.iter().map(|&(_, ns)| ns).fold(0, i64::saturating_add);
    let much = times
        .into_iter()
        .filter(|&(_, ns)| ns > 0 && ns.saturating_mul(SOME) >= all);
    let entries = much.flat_map(|(number, _)| {
        let wanted = |call: SystemCall| call.0 == number;
        story.calls.entries_at(story.code, &wanted, depth)
    });
    entries.collect()
}

/// A function with less than this part (one in so many) of the samples of the calls is not where they are made.
const ENTRY: i64 = 3;

/// Returns the functions that make the calls, where no stacks of these were recorded: those of the CPU samples in them.
fn sampled_entries(story: &Story<'_>, numbers: &[i32]) -> BTreeSet<Entry> {
    let names = names(numbers);
    let mut sums: BTreeMap<Entry, i64> = BTreeMap::new();
    let mut all = 0_i64;
    for (&(node, _), ns) in &story.hot.stacks {
        let call = system_call_at(story.code.stacks, node);
        if call.is_none_or(|call| !is_one_of(call, &names)) {
            continue;
        }
        all = all.saturating_add(*ns);
        if let Some(entry) = entry(story.code, node) {
            *sums.entry(entry).or_default() += ns;
        }
    }
    let much = sums.into_iter();
    let much = much.filter(|&(_, ns)| ns.saturating_mul(ENTRY) >= all);
    much.map(|(entry, _)| entry).collect()
}

/// The CPU samples below the functions that make the calls.
#[derive(Debug, Default)]
struct Below {
    threads: BTreeMap<ThreadId, i64>,
    all_ns: i64,
    /// In the kernel, in the calls or on the way in and out.
    kernel_ns: i64,
    /// In these calls.
    in_calls_ns: i64,
    /// In other calls.
    in_others_ns: i64,
}

impl Below {
    fn read(story: &Story<'_>, calls: &Calls<'_>, wanted: &dyn Fn(u32) -> bool) -> Self {
        let mut names = names(calls.numbers);
        names.extend(self::names(calls.along));
        let mut below = Self::default();
        for (&(node, thread), &ns) in &story.hot.stacks {
            if !wanted(node) {
                continue;
            }
            *below.threads.entry(thread).or_default() += ns;
            below.all_ns = below.all_ns.saturating_add(ns);
            let is_kernel = story.code.stacks.tree.kernel[node as usize];
            let sum = match system_call_at(story.code.stacks, node) {
                Some(call) if is_one_of(call, &names) => &mut below.in_calls_ns,
                Some(call) if call != PAGE_FAULT => &mut below.in_others_ns,
                _ if is_kernel => &mut below.kernel_ns,
                _ => continue,
            };
            *sum = sum.saturating_add(ns);
        }
        // What the kernel does before and after calls belongs to them.
        below.kernel_ns = below
            .of_calls(below.kernel_ns)
            .saturating_add(below.in_calls_ns);
        below
    }

    /// Returns the part of a time that belongs to these calls; all of it if no sample was in any call.
    fn of_calls(&self, ns: i64) -> i64 {
        let (own, others) = (i128::from(self.in_calls_ns), i128::from(self.in_others_ns));
        match own + others {
            0 => ns,
            all => i64::try_from(i128::from(ns) * own / all).unwrap_or(ns),
        }
    }
}

/// Returns the names of system calls.
fn names(numbers: &[i32]) -> Vec<String> {
    let names = numbers.iter().map(|&one| SystemCall(one).spelled());
    names.collect()
}

/// Returns whether the kernel's function of a call belongs to one of these: `newstat` is `stat`.
fn is_one_of(call: &str, names: &[String]) -> bool {
    let old = call.strip_prefix("new");
    let is_it = |name: &str| name == call || old.is_some_and(|old| name == old);
    names.iter().any(|name| is_it(name))
}

/// Counts all time of the functions that make the calls as the calls' cost, if the calls are much of it: that of the
/// outermost functions of libraries that do little else.
fn widen(story: &Story<'_>, calls: &Calls<'_>, cost: &mut Cost, taken: &Taken) {
    let wide = (0..DEPTHS).find_map(|depth| {
        let entries = match depth {
            0 => cost.entries.clone(),
            _ => entries(story, calls, depth),
        };
        let is_new = |node: u32| {
            let outer = entry(story.code, node);
            outer.is_some_and(|entry| !taken.has(&entry, calls.numbers))
        };
        let is_below = |node: u32| {
            let inner = entry_at(story.code, node, depth);
            inner.is_some_and(|entry| entries.contains(&entry)) && is_new(node)
        };
        let below = Below::read(story, calls, &is_below);
        let are_for_calls = depth == 0 && are_lookups(story, &entries);
        wide_parts(story, cost, (&below, are_for_calls))
    });
    cost.parts = wide.unwrap_or_else(|| std::mem::take(&mut cost.parts));
}

/// Functions of the C library that read a file to answer one question, by the start of their names; to look for the
/// answer in what was read is part of that.
const LOOKUPS: [&str; 12] = [
    "getserv",
    "getproto",
    "getnet",
    "getrpc",
    "getpw",
    "getgr",
    "getsp",
    "gethostby",
    "getalias",
    "iconv_open",
    "sysconf",
    "get_nprocs",
];

/// Returns whether the user's own code makes the calls through such functions only.
fn are_lookups(story: &Story<'_>, entries: &BTreeSet<Entry>) -> bool {
    let is_one = |&(_, called): &Entry| {
        let function = called.map(|id| story.code.stacks.frames.function(id));
        function.is_some_and(|function| {
            let name = function.name.trim_start_matches('_');
            is_c_library(&function.module) && LOOKUPS.iter().any(|start| name.starts_with(start))
        })
    };
    !entries.is_empty() && entries.iter().all(is_one)
}

/// Returns the time of these functions by thread, as far as it is of the calls, if the calls are much of it.
/// That is so for functions that are there to make the calls (`are_for_calls`), too.
fn wide_parts(
    story: &Story<'_>,
    cost: &Cost,
    (below, are_for_calls): (&Below, bool),
) -> Option<Vec<(ThreadId, i64)>> {
    let wide = cost.parts.iter().map(|&(id, part_ns)| {
        let sampled = below.threads.get(&id).copied().unwrap_or(0);
        let all = story.hot.threads.get(&id).copied().unwrap_or(0);
        let thread = story.calls.threads.get(&id);
        let running_ns = thread.map_or(0, |thread| thread.times.running_ns);
        let wide_ns = i128::from(running_ns) * i128::from(sampled) / i128::from(all.max(1));
        // The same functions may also make other calls, and calls that are not looked at.
        let wanted = cost.wanted.get(&id).copied().unwrap_or(0.0);
        let wide_ns = below.of_calls(i64::try_from(wide_ns).unwrap_or(0));
        (id, part_ns, part_of(wide_ns, wanted).max(part_ns))
    });
    let wide: Vec<_> = wide.collect();
    let own_ns: i64 = wide.iter().map(|&(_, own_ns, _)| own_ns).sum();
    let all_ns: i64 = wide.iter().map(|&(.., wide_ns)| wide_ns).sum();
    // Entering and leaving the kernel takes time that no call is charged with.
    let makes_calls = are_for_calls
        || own_ns.saturating_mul(WRAPPER) >= all_ns
        || own_ns > 0 && below.kernel_ns.saturating_mul(KERNEL) >= below.of_calls(below.all_ns);
    makes_calls.then(|| wide.into_iter().map(|(id, _, ns)| (id, ns)).collect())
}

/// Returns a part, 0 to 1, of a time.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a share of a time that was sampled"
)]
fn part_of(ns: i64, part: f64) -> i64 {
    (ns as f64 * part) as i64
}

/// Spreads `part_ns` of the time that a thread ran over what the path saw of it, after the `from_ns`
/// that are already taken.
fn spread(
    story: &Story<'_>,
    id: ThreadId,
    running_ns: i64,
    (from_ns, part_ns): (i64, i64),
) -> Vec<(i64, i64)> {
    let to_ns = from_ns.saturating_add(part_ns).min(running_ns);
    let whole = i128::from(running_ns.max(1));
    let steps = story.path.steps.iter();
    let ran = steps.filter(|step| step.what == What::Cpu && step.thread == Some(id));
    let cut = |ns: i64, at: i64| i64::try_from(i128::from(ns) * i128::from(at) / whole);
    let cut = |ns: i64, at: i64| cut(ns, at).unwrap_or(0);
    ran.map(|step| {
        let (from, ns) = (step.from_ns, step.ns());
        (from + cut(ns, from_ns), from + cut(ns, to_ns))
    })
    .collect()
}

/// Returns whether calls take so much of the command's own time that they are worth a change.
pub fn is_much(story: &Story<'_>, ns: i64) -> bool {
    share(ns, story.own_ns()) >= MUCH
}

/// Remembers what is taken.
pub fn take(cost: &Cost, taken: &mut Taken) {
    for &(thread, part_ns) in &cost.parts {
        let sum = taken.threads.entry(thread).or_default();
        *sum = sum.saturating_add(part_ns);
    }
    for &entry in &cost.entries {
        let known = taken.entries.entry(entry).or_default();
        known.extend(&cost.numbers);
    }
}
