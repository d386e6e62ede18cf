//! Functions that go round and round until a channel is ready: Go's `select` with a `default` case.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_query::call_tree::StackWeight;
use whyslow_query::frames::FunctionId;

use crate::code::{Code, Whose};

/// A function that waits in this way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rounds {
    /// The function, and before it those that called it, from the root on.
    pub functions: Vec<FunctionId>,
    /// CPU time in it and in what it called, nanoseconds.
    pub ns: i64,
    /// Samples of it.
    pub count: i64,
}

/// What is on the stack while a channel is asked that is not ready: nothing is taken from it or put into it.
const ASKS: [&str; 6] = [
    "runtime.selectnbrecv",
    "runtime.selectnbsend",
    "runtime.chanrecv",
    "runtime.chansend",
    "runtime.empty",
    "runtime.full",
];

/// A function that waits does little else: asking takes at least this percentage of its time.
const MOST: i64 = 70;

/// Finds the function with the most time that does little but ask channels which are not ready. `weights`: all
/// samples of the command.
pub fn find(code: &Code<'_>, weights: &[(u32, StackWeight)]) -> Option<Rounds> {
    let (tree, frames) = (&code.stacks.tree, &code.stacks.frames);
    let mut asked: BTreeMap<FunctionId, i64> = BTreeMap::new();
    let user = |node: u32| {
        let nodes = tree.path(node).filter(|&node| !tree.kernel[node as usize]);
        nodes.flat_map(|node| tree.functions(node).iter().copied())
    };
    for &(node, weight) in weights
        .iter()
        .filter(|(node, _)| !tree.kernel[*node as usize])
    {
        let mut has_asked = false;
        for id in user(node) {
            let is_asking = ASKS.contains(&&*frames.function(id).name);
            if !is_asking {
                if has_asked && code.whose(id) == Whose::Own {
                    *asked.entry(id).or_default() += weight.ns;
                }
                break;
            }
            has_asked = true;
        }
    }
    let all = asked.into_iter().filter_map(|(function, asked_ns)| {
        let has = |node: u32| user(node).any(|id| id == function);
        let inside = weights.iter().filter(|(node, _)| has(*node));
        let (mut ns, mut count) = (0_i64, 0);
        for (_, weight) in inside.clone() {
            ns += weight.ns;
            count += weight.count;
        }
        let is_most = i128::from(asked_ns) * 100 >= i128::from(ns) * i128::from(MOST);
        is_most.then(|| Rounds {
            functions: callers(code, inside.map(|(node, _)| *node), function),
            ns,
            count,
        })
    });
    all.max_by_key(|rounds| rounds.ns)
}

/// Returns the user's own functions through which `function` is called on all of these stacks, and itself, from the
/// root on.
fn callers(
    code: &Code<'_>,
    nodes: impl Iterator<Item = u32>,
    function: FunctionId,
) -> Vec<FunctionId> {
    let tree = &code.stacks.tree;
    let chains = nodes.map(|node| -> Vec<FunctionId> {
        let functions = tree.path(node).flat_map(|node| tree.functions(node));
        let functions = functions.copied().skip_while(|&id| id != function);
        functions.filter(|&id| code.whose(id).is_own()).collect()
    });
    let chains: BTreeSet<Vec<FunctionId>> = chains.collect();
    let Some(first) = chains.first() else {
        return vec![function];
    };
    let is_common = |at: usize| chains.iter().all(|chain| chain.get(at) == first.get(at));
    let common = (0..first.len()).take_while(|&at| is_common(at)).count();
    first[..common].iter().rev().copied().collect()
}
