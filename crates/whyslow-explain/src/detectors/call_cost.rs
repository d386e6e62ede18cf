//! What calls cost that cost the time themselves: many short ones, without waits.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{SystemCall, ThreadId};
use whyslow_query::system_calls::CallSum;

use whyslow_query::spans::Spans;
use whyslow_story::calls::{Entry, ThreadCalls, entry};
use whyslow_story::path::What;
use whyslow_story::place::system_call_at;
use whyslow_story::story::{Story, share};

/// Fewer calls are no habit.
pub(super) const MANY: i64 = 1000;

/// Calls that take less of the command's own time than this percentage are not worth a change.
pub(super) const MUCH: f64 = 10.0;

/// Calls that give memory back: `munmap`, `madvise`.
pub(super) const GIVES_BACK: &[i32] = &[11, 28];

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
pub(super) struct Taken {
    /// Part of the time that each thread ran.
    threads: BTreeMap<ThreadId, i64>,
    /// The functions that make the calls.
    entries: BTreeSet<Entry>,
}

/// Which calls are looked at.
pub(super) struct Calls<'a> {
    /// Fewer are no habit.
    pub(super) least: i64,
    /// Whether each takes so long that an occasional wait is no sign of waiting for others.
    pub(super) are_long: bool,
    /// Whether they are about files, so that waits for pipes and sockets are not part of them.
    pub(super) are_of_files: bool,
    /// Which system calls they are.
    pub(super) numbers: &'a [i32],
}

impl Calls<'_> {
    fn waited_ns(&self, thread: &ThreadCalls) -> i64 {
        match self.are_of_files {
            true => thread.waited_for_files_ns(),
            false => thread.waited_in_calls_ns(),
        }
    }

    fn cpu_ns(&self, thread: &ThreadCalls, ns: i64) -> i64 {
        match self.are_of_files {
            true => thread.cpu_ns_of_files(ns),
            false => thread.cpu_ns(ns),
        }
    }
}

/// Calls that cost the time themselves.
pub(super) struct Cost {
    pub(super) sum: CallSum,
    /// The part of the path that they took.
    pub(super) on: Spans,
    /// The time on the CPU that they took, by thread.
    parts: Vec<(ThreadId, i64)>,
    /// The functions that make them.
    entries: BTreeSet<Entry>,
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
            wanted: BTreeMap::new(),
        }
    }

    /// Returns the process whose calls cost most.
    pub(super) fn caller<'a>(&self, story: &'a Story<'_>) -> &'a str {
        let most = self.parts.iter().max_by_key(|&&(_, ns)| ns);
        let most = most.and_then(|&(thread, _)| story.process_of(thread));
        most.unwrap_or_else(|| story.runner())
    }
}

/// Returns what calls cost that were summed by thread, and the part of the path that they took. Nothing says
/// when a call was made: the part is spread over the time on the CPU.
///
/// If library functions do little but make the calls, all their time counts as the cost of the calls.
pub(super) fn cost_of(
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
            let all = thread.sum(|call, _| calls.numbers.contains(&call.0)).count;
            cost.wanted
                .insert(id, share(sum.count.min(all), all) / 100.0);
        }
    }
    if cost.sum.count < calls.least {
        return Cost::none();
    }
    let wanted = |call: SystemCall| calls.numbers.contains(&call.0);
    cost.entries = story.calls.entries(story.code, &wanted);
    if cost.entries.is_empty() {
        cost.entries = sampled_entries(story, calls.numbers);
    }
    // The same functions are already accounted for, with all that they do.
    if !cost.entries.is_empty() && cost.entries.is_subset(&taken.entries) {
        return Cost::none();
    }
    widen(story, &mut cost, taken);
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

/// A function through which less than one in so many samples of the calls goes is not where they are made.
const ENTRY: i64 = 3;

/// Returns the functions that make the calls, where no stacks of these were recorded: those of the CPU samples in them.
fn sampled_entries(story: &Story<'_>, numbers: &[i32]) -> BTreeSet<Entry> {
    let names: Vec<String> = numbers
        .iter()
        .map(|&one| SystemCall(one).spelled())
        .collect();
    let mut sums: BTreeMap<Entry, i64> = BTreeMap::new();
    let mut all = 0_i64;
    for (&(node, _), ns) in &story.hot.stacks {
        let call = system_call_at(story.code.stacks, node);
        if call.is_none_or(|call| !names.iter().any(|name| name == call)) {
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

/// Counts all time of the functions that make the calls as their cost, if the calls are much of it.
fn widen(story: &Story<'_>, cost: &mut Cost, taken: &Taken) {
    let free = |entry: &Entry| cost.entries.contains(entry) && !taken.entries.contains(entry);
    let mut sums: BTreeMap<ThreadId, i64> = BTreeMap::new();
    let (mut sampled_ns, mut kernel_ns) = (0_i64, 0_i64);
    for (&(node, thread), ns) in &story.hot.stacks {
        if entry(story.code, node).is_some_and(|entry| free(&entry)) {
            *sums.entry(thread).or_default() += ns;
            sampled_ns = sampled_ns.saturating_add(*ns);
            if story.code.stacks.tree.kernel[node as usize] {
                kernel_ns = kernel_ns.saturating_add(*ns);
            }
        }
    }
    let wide = cost.parts.iter().map(|&(id, part_ns)| {
        let sampled = sums.get(&id).copied().unwrap_or(0);
        let all = story.hot.threads.get(&id).copied().unwrap_or(0);
        let thread = story.calls.threads.get(&id);
        let running_ns = thread.map_or(0, |thread| thread.times.running_ns);
        let wide_ns = i128::from(running_ns) * i128::from(sampled) / i128::from(all.max(1));
        // The same functions may make calls that are not looked at.
        let wanted = cost.wanted.get(&id).copied().unwrap_or(0.0);
        let wide_ns = part_of(i64::try_from(wide_ns).unwrap_or(0), wanted);
        (id, part_ns, wide_ns.max(part_ns))
    });
    let wide: Vec<_> = wide.collect();
    let own_ns: i64 = wide.iter().map(|&(_, own_ns, _)| own_ns).sum();
    let all_ns: i64 = wide.iter().map(|&(.., wide_ns)| wide_ns).sum();
    // Entering and leaving the kernel takes time that no call is charged with.
    let makes_calls = own_ns.saturating_mul(WRAPPER) >= all_ns
        || own_ns > 0 && kernel_ns.saturating_mul(KERNEL) >= sampled_ns;
    if makes_calls {
        cost.parts = wide.into_iter().map(|(id, _, ns)| (id, ns)).collect();
    }
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

/// Spreads `part_ns` of the time that a thread ran over what the path saw of it, behind the `from_ns`
/// that are spoken for.
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
pub(super) fn is_much(story: &Story<'_>, ns: i64) -> bool {
    share(ns, story.own_ns()) >= MUCH
}

/// Remembers what is spoken for.
pub(super) fn take(cost: &Cost, taken: &mut Taken) {
    for &(thread, part_ns) in &cost.parts {
        let sum = taken.threads.entry(thread).or_default();
        *sum = sum.saturating_add(part_ns);
    }
    taken.entries.extend(&cost.entries);
}
