//! Where in the program the CPU time went: samples on the path, by function.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use whyslow_model::{ProcessId, StackEnd, StackId, ThreadId};

use crate::callees::{self, Callee};
use crate::code::{Code, Whose};
use crate::command::Command;
use crate::path::{Path, SHORT_NS, What};
use crate::place::Place;
use crate::rounds::{self, Rounds};
use crate::work::{self, Work};
use whyslow_query::View;
use whyslow_query::call_tree::{CallTree, Label, StackWeight, Weights};
use whyslow_query::error::QueryError;
use whyslow_query::frames::FunctionId;
use whyslow_query::rows::{self, Sample};
use whyslow_query::spans::Spans;
use whyslow_query::wait::ClassId;

/// With fewer samples than this on the path, all samples of the command count.
const FEW: i64 = 20;

/// CPU samples of the command.
#[derive(Debug, Default)]
pub struct Hot {
    /// Samples of all its threads: time.
    pub all_ns: i64,
    /// How many these are.
    pub all_samples: i64,
    /// Samples the functions below are from: time.
    pub ns: i64,
    /// How many samples these are.
    pub samples: i64,
    /// Part of it: time on stacks that show whether, and in which function of the user's own, it computed.
    /// Stacks that were cut short before one are left out.
    pub whole_ns: i64,
    /// Part of it: with the leaf in the kernel.
    pub kernel_ns: i64,
    /// Where most of it happens: functions from the root on that at least half of it goes through.
    pub trunk: Vec<FunctionId>,
    /// Share of the time below the last function of the trunk, 0 to 1.
    pub trunk_share: f64,
    /// The function of the user's own that the last one of the trunk does nearly all of its work in, and its share of
    /// the time, 0 to 1.
    pub in_trunk: Option<(FunctionId, f64)>,
    /// Where the largest part of it happens, if nothing is known of the trunk: functions from the root on, and
    /// their share, 0 to 1.
    pub branch: Option<(Vec<FunctionId>, f64)>,
    /// The function of the user's own code that most time goes into, itself or in libraries and the
    /// kernel on its behalf.
    pub own: Option<Own>,
    /// The same of threads of the command that computed while the path was elsewhere, and their time in all places.
    pub beside: Option<(Own, i64)>,
    /// The library functions that it called, most time first.
    pub callees: Vec<Callee>,
    /// The functions at the leaf with the most time, largest first.
    pub leaves: Vec<Leaf>,
    /// The kinds of work, most first.
    pub works: Vec<Work>,
    /// The time of each thread.
    pub threads: BTreeMap<ThreadId, i64>,
    /// The time of each thread on each stack.
    pub stacks: BTreeMap<(u32, ThreadId), i64>,
    /// The time of each thread on each stack, as it ran right after it had waited.
    pub after_waits: BTreeMap<(u32, ThreadId), i64>,
    /// By process of the command: the time of all its samples, and of those in which it only started or
    /// ended.
    pub starting: BTreeMap<ProcessId, (i64, i64)>,
    /// Where a thread computed most while others waited for it: by what they waited for, and the thread.
    pub meanwhile: BTreeMap<(ClassId, ThreadId), Meanwhile>,
    /// The function that goes round and round until a channel is ready, on whatever thread.
    pub rounds: Option<Rounds>,
}

/// Where a thread computed while others waited for it.
#[derive(Debug)]
pub struct Meanwhile {
    /// The place with the most time.
    pub place: Arc<Place>,
    /// The time in it, nanoseconds.
    pub ns: i64,
    /// The time in all places.
    pub all_ns: i64,
}

/// A function of the user's own code.
#[derive(Debug)]
pub struct Own {
    /// Functions from the root on; the last is the one.
    pub functions: Vec<FunctionId>,
    /// Time computed in it, nanoseconds.
    pub ns: i64,
    /// The file and line of it that most of the time goes into, where lines were recorded.
    pub source: Option<String>,
}

/// A function at the leaf.
#[derive(Debug)]
pub struct Leaf {
    /// What computed.
    pub function: FunctionId,
    /// For how long, nanoseconds.
    pub ns: i64,
    /// The callers most of this time comes through, nearest first.
    pub callers: Vec<FunctionId>,
}

impl Hot {
    /// Returns the function of the user's own code that ran most after waits, by the wanted stacks of threads.
    pub fn ran_after_waits(
        &self,
        code: &Code<'_>,
        wanted: &dyn Fn(u32, ThreadId) -> bool,
    ) -> Option<Place> {
        let mut weights = Weights::new(code.stacks);
        let ran = self.after_waits.iter();
        for (&(node, _), &ns) in ran.filter(|((node, thread), _)| wanted(*node, *thread)) {
            weights.add(node, ns);
        }
        let own = own(code, &weights.take())?;
        let place = Place::of_functions(code, &own.functions).at(own.source);
        Some(place).filter(Place::is_users)
    }
}

/// Finds the functions where the command's CPU time went.
pub fn find(
    view: View<'_>,
    command: &Command,
    code: &Code<'_>,
    path: &Path,
) -> Result<Hot, QueryError> {
    let stacks = code.stacks;
    let on_path = runs(path);
    let mut after_waits: BTreeMap<(u32, ThreadId), i64> = BTreeMap::new();
    let (mut all, mut some) = (Weights::new(stacks), Weights::new(stacks));
    let mut rest = Weights::new(stacks);
    let (mut all_count, mut count) = (0, 0);
    let (mut all_ns, mut ns) = (0, 0);
    let (mut all_threads, mut threads) = (BTreeMap::new(), BTreeMap::new());
    let mut starts = work::Starts::new(code);
    let mut starting: BTreeMap<ProcessId, (i64, i64)> = BTreeMap::new();
    let mut waited_for = WaitedFor::new(path);
    rows::samples(view, &command.scope(), |sample| {
        let node = stacks.tree.node(sample.stack);
        all.add(node, sample.weight_ns);
        all_count += 1;
        all_ns += sample.weight_ns;
        let thread = (node, sample.thread);
        *all_threads.entry(thread).or_insert(0) += sample.weight_ns;
        let of_process = starting.entry(sample.process).or_default();
        of_process.0 += sample.weight_ns;
        if starts.has(node) {
            of_process.1 += sample.weight_ns;
        }
        waited_for.add(sample);
        let run = on_path.get(&sample.thread).and_then(|runs| {
            let after = runs.partition_point(|run| run.from_ns <= sample.time_ns);
            let before = after.checked_sub(1).and_then(|at| runs.get(at));
            before.filter(|run| sample.time_ns < run.to_ns)
        });
        if let Some(run) = run {
            if run.is_after_wait {
                *after_waits.entry(thread).or_default() += sample.weight_ns;
            }
            some.add(node, sample.weight_ns);
            *threads.entry(thread).or_insert(0) += sample.weight_ns;
            count += 1;
            ns += sample.weight_ns;
        } else {
            rest.add(node, sample.weight_ns);
        }
    })?;
    let rest_ns = all_ns.saturating_sub(ns);
    let (all, mut weights) = (all.take(), some.take());
    let rounds = rounds::find(code, &all);
    if count < FEW {
        (weights, count, ns) = (all, all_count, all_ns);
        threads = all_threads;
    }
    let mut hot = Hot {
        all_ns,
        all_samples: all_count,
        ns,
        samples: count,
        starting,
        after_waits,
        meanwhile: waited_for.places(code),
        rounds,
        beside: own(code, &rest.take()).map(|own| (own, rest_ns)),
        ..Hot::default()
    };
    for (&(_, thread), ns) in &threads {
        *hot.threads.entry(thread).or_default() += ns;
    }
    if ns <= 0 {
        return Ok(hot);
    }
    places(code, &weights, &mut hot);
    hot.works = work::sorted(code, &weights, &threads);
    hot.stacks = threads;
    Ok(hot)
}

/// Finds the places of the time in `weights`, which is all of `hot.ns`.
fn places(code: &Code<'_>, weights: &[(u32, StackWeight)], hot: &mut Hot) {
    let ns = hot.ns;
    for &(node, weight) in weights {
        if code.stacks.tree.kernel[node as usize] {
            hot.kernel_ns += weight.ns;
        }
    }
    hot.whole_ns = whole_ns(code, weights);
    // Deep inside a library, functions say less.
    let half = branch(code, weights, ns, HALF);
    let is_own = |id: &FunctionId| code.whose(*id).is_own();
    let trunk = match half.functions.last().is_some_and(is_own) {
        true => half,
        false => branch(code, weights, ns, TRUNK),
    };
    (hot.trunk, hot.trunk_share, hot.in_trunk) = (trunk.functions, trunk.share, trunk.inside);
    if hot.trunk.is_empty() {
        let branch = branch(code, weights, ns, BRANCH);
        hot.branch = Some((branch.functions, branch.share));
    }
    leaves(code, weights, hot);
    hot.own = own(code, weights);
    let function = hot.own.as_ref().and_then(|own| own.functions.last());
    if let Some(&id) = function {
        hot.callees = callees::of(code, weights, id);
    }
}

/// The samples of threads while others waited for them.
struct WaitedFor {
    /// By thread: what others waited for, and when.
    when: BTreeMap<ThreadId, Vec<(ClassId, Spans)>>,
    sums: BTreeMap<(ClassId, ThreadId), BTreeMap<Option<StackId>, i64>>,
}

impl WaitedFor {
    fn new(path: &Path) -> Self {
        let mut when: BTreeMap<ThreadId, BTreeMap<ClassId, Vec<(i64, i64)>>> = BTreeMap::new();
        for link in &path.links {
            let of_thread = when.entry(link.waker).or_default();
            let of_class = of_thread.entry(link.class).or_default();
            of_class.extend(&link.when);
        }
        let spans = when.into_iter().map(|(thread, classes)| {
            let classes = classes.into_iter();
            let classes = classes.map(|(class, when)| (class, Spans::new(when)));
            (thread, classes.collect())
        });
        Self {
            when: spans.collect(),
            sums: BTreeMap::new(),
        }
    }

    fn add(&mut self, sample: &Sample) {
        let classes = self.when.get(&sample.thread).into_iter().flatten();
        let at = sample.time_ns;
        for (class, _) in classes.filter(|(_, when)| when.within(at, at + 1) > 0) {
            let sums = self.sums.entry((*class, sample.thread)).or_default();
            *sums.entry(sample.stack).or_default() += sample.weight_ns;
        }
    }

    /// Returns the place of each thread that has the most of the time.
    fn places(self, code: &Code<'_>) -> BTreeMap<(ClassId, ThreadId), Meanwhile> {
        let mut known: BTreeMap<Option<StackId>, Arc<Place>> = BTreeMap::new();
        let most = self.sums.into_iter().filter_map(|(key, stacks)| {
            let all_ns = stacks.values().sum();
            // Places that are shown alike may differ in their line: that of the heaviest stack is shown.
            let mut stacks: Vec<_> = stacks.into_iter().collect();
            stacks.sort_by_key(|&(stack, ns)| (std::cmp::Reverse(ns), stack));
            let mut places: BTreeMap<Arc<Place>, i64> = BTreeMap::new();
            for (stack, ns) in stacks {
                let place = known
                    .entry(stack)
                    .or_insert_with(|| Arc::new(Place::of(code, stack).own()));
                *places.entry(Arc::clone(place)).or_default() += ns;
            }
            let named = places.into_iter().filter(|(place, _)| place.is_known());
            let (place, ns) = named.max_by_key(|(_, ns)| *ns)?;
            Some((key, Meanwhile { place, ns, all_ns }))
        });
        most.collect()
    }
}

/// A stretch in which a thread of the path ran.
struct Run {
    from_ns: i64,
    to_ns: i64,
    /// Whether it had waited right before.
    is_after_wait: bool,
}

/// Returns when the threads of the path ran, in order of time.
fn runs(path: &Path) -> BTreeMap<ThreadId, Vec<Run>> {
    let mut runs: BTreeMap<ThreadId, Vec<Run>> = BTreeMap::new();
    // Who waited until now, and since when it has been ready or running.
    let mut woken: Option<ThreadId> = None;
    for step in path.steps.iter().rev() {
        woken = match step.what {
            What::Wait(_) if step.ns() >= SHORT_NS => step.thread,
            What::Cpu | What::Ready => woken.filter(|_| step.thread == woken),
            What::Wait(_) | What::Unknown => None,
        };
        if let (What::Cpu, Some(thread)) = (step.what, step.thread) {
            runs.entry(thread).or_default().push(Run {
                from_ns: step.from_ns,
                to_ns: step.to_ns,
                is_after_wait: woken == Some(thread),
            });
        }
    }
    runs
}

/// Returns the time on stacks that are whole, or that have a function of the user's own.
fn whole_ns(code: &Code<'_>, weights: &[(u32, StackWeight)]) -> i64 {
    let (tree, frames) = (&code.stacks.tree, &code.stacks.frames);
    let is_own = |id: &FunctionId| code.whose(*id).is_own() && frames.function(*id).resolved;
    let tells = |node: u32| {
        let root = tree.path(node).last();
        let end = root.and_then(|root| tree.end.get(root as usize).copied().flatten());
        let mut user = tree.path(node).filter(|&at| !tree.kernel[at as usize]);
        end != Some(StackEnd::Truncated) || user.any(|at| tree.functions(at).iter().any(is_own))
    };
    let whole = weights.iter().filter(|(node, _)| tells(*node));
    whole.map(|(_, weight)| weight.ns).sum()
}

/// The least share of the time, 0 to 1, of a trunk, and of a branch that is worth naming.
const TRUNK: f64 = 0.6;
const HALF: f64 = 0.5;
const BRANCH: f64 = 0.3;

/// A function that spends this share of its time, 0 to 1, in one that it calls only hands work on.
const HANDS_ON: f64 = 0.8;

/// A branch of the call tree.
struct Branch {
    /// Its functions, without those that every program has.
    functions: Vec<FunctionId>,
    /// Its share of the time, 0 to 1.
    share: f64,
    /// The function of the user's own in which the last one does nearly all of its work, with its share of the time.
    inside: Option<(FunctionId, f64)>,
}

/// Follows the heaviest branch from the root as long as it holds at least this share of the time, 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "a share for a person")]
fn branch(code: &Code<'_>, weights: &[(u32, StackWeight)], ns: i64, least: f64) -> Branch {
    let stacks = code.stacks;
    let mut tree = CallTree::joining_recursion();
    tree.add_top_down(0, stacks, weights);
    tree.carry();
    let children = tree.children();
    let mut at = 0;
    let (mut branch, mut branch_share) = (Vec::new(), 1.0);
    while let Some(&next) = children[at as usize].first() {
        let node = tree.nodes[next as usize];
        let share = node.inclusive_ns as f64 / ns as f64;
        let Label::Function(function) = node.label else {
            break;
        };
        let name = &stacks.frames.function(function).name;
        // In the kernel it is no longer the program's own place.
        if share < least || name.starts_with("entry_SYSCALL") || name.starts_with("asm_") {
            break;
        }
        branch.push(function);
        branch_share = share;
        at = next;
    }
    if let Some(begin) = branch.iter().rposition(|&id| code.is_begin_of_fork(id)) {
        branch.drain(..=begin);
    }
    branch.retain(|&id| stacks.frames.function(id).resolved && code.whose(id) != Whose::Start);
    let mut inside = None;
    while let Some(&next) = children[at as usize].first() {
        let (above, node) = (tree.nodes[at as usize], tree.nodes[next as usize]);
        let is_own = |id| code.whose(id).is_own() && stacks.frames.function(id).resolved;
        match node.label {
            Label::Function(id)
                if node.inclusive_ns as f64 >= above.inclusive_ns as f64 * HANDS_ON
                    && is_own(id) =>
            {
                inside = Some((id, node.inclusive_ns as f64 / ns as f64));
            }
            _ => break,
        }
        at = next;
    }
    Branch {
        functions: branch,
        share: branch_share,
        inside,
    }
}

/// The time of a function: of all, by the leaf of its stacks, and by file and line.
#[derive(Default)]
struct Nodes {
    ns: i64,
    leaves: BTreeMap<u32, i64>,
    sources: BTreeMap<String, i64>,
}

/// Finds the function of the user's own code that most time goes into: every sample counts for the one
/// nearest to its leaf.
pub fn own(code: &Code<'_>, weights: &[(u32, StackWeight)]) -> Option<Own> {
    let (tree, frames) = (&code.stacks.tree, &code.stacks.frames);
    let is_own = |id: FunctionId| code.whose(id).is_own() && frames.function(id).resolved;
    let functions_of = |node: u32| {
        let user = tree.path(node).filter(|&node| !tree.kernel[node as usize]);
        let all = user.flat_map(|node| tree.functions(node).iter().map(move |&id| (node, id)));
        all.take_while(|&(_, id)| !code.is_begin_of_fork(id))
    };
    let mut sums: BTreeMap<FunctionId, Nodes> = BTreeMap::new();
    for &(node, weight) in weights {
        if let Some((own, id)) = functions_of(node).find(|&(_, id)| is_own(id)) {
            let nodes = sums.entry(id).or_default();
            nodes.ns += weight.ns;
            *nodes.leaves.entry(own).or_default() += weight.ns;
            if let Some(source) = code.source(own, id) {
                *nodes.sources.entry(source).or_default() += weight.ns;
            }
        }
    }
    let (id, nodes) = sums.into_iter().max_by_key(|(_, nodes)| nodes.ns)?;
    // A library may call a function in several ways, and a function itself any number of times.
    let chain = |node: u32| -> Vec<FunctionId> {
        let functions = functions_of(node)
            .map(|(_, id)| id)
            .filter(|&at| is_own(at));
        let mut functions: Vec<FunctionId> = functions.skip_while(|&at| at != id).collect();
        functions.dedup();
        functions
    };
    let chains = nodes.leaves.iter().map(|(&node, &ns)| (chain(node), ns));
    let mut functions = callers(&chains.collect::<Vec<_>>());
    functions.reverse();
    let source = nodes.sources.into_iter().max_by_key(|&(_, ns)| ns);
    Some(Own {
        functions,
        ns: nodes.ns,
        source: source.map(|(source, _)| source),
    })
}

/// A function that this percentage of some time goes through is where it is spent, though what it calls does the work.
const THROUGH: i64 = 80;

/// Finds the innermost function of the user's own code that nearly all of the time goes through, called by the
/// functions before it, outermost first.
pub fn through(code: &Code<'_>, weights: &[(u32, StackWeight)]) -> Option<Vec<FunctionId>> {
    let (tree, frames) = (&code.stacks.tree, &code.stacks.frames);
    let is_own = |id: FunctionId| code.whose(id).is_own() && frames.function(id).resolved;
    // Innermost first.
    let chain = |node: u32| -> Vec<FunctionId> {
        let user = tree.path(node).filter(|&node| !tree.kernel[node as usize]);
        let all = user.flat_map(|node| tree.functions(node).iter().copied());
        let inside = all.take_while(|&id| !code.is_begin_of_fork(id));
        inside.filter(|&id| is_own(id)).collect()
    };
    let mut sums: BTreeMap<FunctionId, i64> = BTreeMap::new();
    for &(node, weight) in weights {
        for id in chain(node).into_iter().collect::<BTreeSet<_>>() {
            *sums.entry(id).or_default() += weight.ns;
        }
    }
    let whole: i64 = weights.iter().map(|(_, weight)| weight.ns).sum();
    let is_nearly_all = |id: &FunctionId| {
        let ns = sums.get(id).copied().unwrap_or(0);
        i128::from(ns) * 100 >= i128::from(whole) * i128::from(THROUGH)
    };
    let longest = weights.iter().max_by_key(|(_, weight)| weight.ns)?;
    let mut functions: Vec<FunctionId> =
        chain(longest.0).into_iter().filter(is_nearly_all).collect();
    functions.reverse();
    functions.dedup();
    (!functions.is_empty()).then_some(functions)
}

/// The least part of a function's time, in percent, that must come through callers that are named.
const CALLERS: i64 = 60;

/// The same of all its time, with that of chains that end earlier.
const ANY_CALLERS: i64 = 25;

/// Follows the callers of a function outwards, as long as most of its time comes through one of them. `chains` begin
/// with the function itself; those that were cut short count as far as they go.
fn callers(chains: &[(Vec<FunctionId>, i64)]) -> Vec<FunctionId> {
    let mut left: Vec<&(Vec<FunctionId>, i64)> = chains.iter().collect();
    let mut functions = Vec::new();
    let whole: i64 = chains.iter().map(|&(_, ns)| ns).sum();
    loop {
        let mut sums: BTreeMap<FunctionId, i64> = BTreeMap::new();
        for (chain, ns) in &left {
            if let Some(&id) = chain.get(functions.len()) {
                *sums.entry(id).or_default() += ns;
            }
        }
        let all: i64 = sums.values().sum();
        let most = sums
            .into_iter()
            .max_by_key(|&(id, ns)| (ns, std::cmp::Reverse(id)));
        let is_most = |ns: i64| {
            let of = |all: i64, percent: i64| {
                i128::from(ns) * 100 >= i128::from(all) * i128::from(percent)
            };
            of(all, CALLERS) && of(whole, ANY_CALLERS)
        };
        let Some((id, _)) = most.filter(|&(_, ns)| is_most(ns)) else {
            return functions;
        };
        left.retain(|(chain, _)| chain.get(functions.len()) == Some(&id));
        functions.push(id);
    }
}

/// Finds the functions at the leaf, and through whom they are called.
fn leaves(code: &Code<'_>, weights: &[(u32, StackWeight)], hot: &mut Hot) {
    let stacks = code.stacks;
    let mut sums: BTreeMap<FunctionId, i64> = BTreeMap::new();
    for &(node, weight) in weights {
        *sums.entry(stacks.tree.functions(node)[0]).or_default() += weight.ns;
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|&(function, ns)| (std::cmp::Reverse(ns), function));
    sums.truncate(4);
    for (function, ns) in sums {
        let mut tree = CallTree::of_total();
        let own = |&&(node, _): &&(u32, _)| stacks.tree.functions(node)[0] == function;
        let own: Vec<_> = weights.iter().filter(own).copied().collect();
        tree.add_callers(0, stacks, &own, None);
        tree.carry();
        let children = tree.children();
        let (mut at, mut callers) = (0, Vec::new());
        while let Some(&next) = children[at as usize].first() {
            let node = tree.nodes[next as usize];
            if node.inclusive_ns.saturating_mul(10) < ns.saturating_mul(6) {
                break;
            }
            if let Label::Function(caller) = node.label {
                let known = stacks.frames.function(caller);
                let wanted = known.resolved && code.whose(caller) != Whose::Start;
                if wanted && caller != function && callers.last() != Some(&caller) {
                    callers.push(caller);
                }
            }
            at = next;
        }
        hot.leaves.push(Leaf {
            function,
            ns,
            callers,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::callers;

    #[test]
    fn callers_are_named_as_far_as_most_of_the_time_comes_through_them() {
        let chains = |of: &[(&[u32], i64)]| -> Vec<(Vec<u32>, i64)> {
            of.iter().map(|&(chain, ns)| (chain.to_vec(), ns)).collect()
        };
        // 1 is called by 2 and by 3, each of them by 4.
        let both = chains(&[(&[1, 2, 4], 50), (&[1, 3, 4], 50)]);
        assert_eq!(callers(&both), [1]);
        let most = chains(&[(&[1, 2, 4], 70), (&[1, 3, 4], 30)]);
        assert_eq!(callers(&most), [1, 2, 4]);
        // If a stack was cut short, its callers are not known.
        let cut = chains(&[(&[1, 2, 4], 30), (&[1], 70)]);
        assert_eq!(callers(&cut), [1, 2, 4]);
        assert_eq!(callers(&[]), Vec::<u32>::new());
    }
}
