//! The prefix tree of stacks as arrays, with the functions of each node.
//!
//! A stack is the path from its node to a root. Node numbers are the ids of the `stack` table; one
//! additional node means "no stack recorded". Children have larger numbers than their parents, so a
//! pass from the last node to the first carries sums to the root, and one from the first to the
//! last carries facts towards the leaves.

use whyslow_model::tables::StackRow;
use whyslow_model::{AddressId, Named, StackEnd, StackId, StackKind, tables};

use crate::error::QueryError;
use crate::frames::{Frames, FunctionId};
use crate::view::View;

/// The parent of a root.
pub const NO_PARENT: u32 = u32::MAX;

/// All stacks of a trace.
#[derive(Debug)]
pub struct StackTree {
    /// The caller's node, or [`NO_PARENT`].
    pub parent: Vec<u32>,
    /// Whether the node ran in the kernel.
    pub kernel: Vec<bool>,
    /// How the stack ends, at its root node.
    pub end: Vec<Option<StackEnd>>,
    starts: Vec<u32>,
    lists: Vec<FunctionId>,
    /// For each node, the index of its list of functions.
    list: Vec<u32>,
}

impl StackTree {
    /// Reads the stacks of `view`.
    pub fn read(view: View<'_>, frames: &Frames) -> Result<Self, QueryError> {
        type Row = StackRow;
        let columns = [
            Row::parent.name(),
            Row::address.name(),
            Row::kind.name(),
            Row::end.name(),
        ];
        let table = view.read(&tables::STACK, &columns)?;
        let (parents, addresses) = (Row::parent.values(&table), Row::address.values(&table));
        let (kinds, ends) = (Row::kind.values(&table), Row::end.values(&table));
        let mut lists = Lists::new(frames.addresses());
        let mut tree = Self {
            parent: Vec::with_capacity(parents.len() + 1),
            kernel: Vec::with_capacity(parents.len() + 1),
            end: Vec::with_capacity(parents.len() + 1),
            starts: Vec::new(),
            lists: Vec::new(),
            list: Vec::with_capacity(parents.len() + 1),
        };
        for (node, parent) in parents.iter().enumerate() {
            let before = parent.and_then(|parent| u32::try_from(parent.0).ok());
            let before = before.filter(|&before| (before as usize) < node);
            let end = ends.at(node).and_then(StackEnd::from_code);
            let address = addresses.at(node);
            tree.parent.push(before.unwrap_or(NO_PARENT));
            tree.kernel.push(kinds.at(node) == StackKind::Kernel.code());
            tree.end.push(end);
            tree.list.push(lists.of(address, end, frames));
        }
        tree.parent.push(NO_PARENT);
        tree.kernel.push(false);
        tree.end.push(None);
        tree.list.push(lists.of(None, None, frames));
        (tree.starts, tree.lists) = (lists.starts, lists.list);
        Ok(tree)
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// Returns the node of a stack.
    pub fn node(&self, stack: Option<StackId>) -> u32 {
        let none = u32::try_from(self.len() - 1).unwrap_or(NO_PARENT);
        let node = stack.and_then(|stack| u32::try_from(stack.0).ok());
        node.map_or(none, |node| node.min(none))
    }

    /// Returns the functions of `node`, innermost first; at least one, unless some have been left
    /// out.
    pub fn functions(&self, node: u32) -> &[FunctionId] {
        let list = self.list[node as usize] as usize;
        &self.lists[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// Returns the innermost function of a stack; `None`: none of its functions was kept.
    pub fn innermost(&self, node: u32) -> Option<FunctionId> {
        let mut lists = self.path(node).map(|above| self.functions(above));
        lists.find_map(|functions| functions.first().copied())
    }

    /// Keeps only these functions. With `or_all`, nodes that lead to none of them keep all their
    /// functions, if no node below them has one.
    pub fn keep(&mut self, kept: &[bool], or_all: bool) {
        let is_kept = |id: &FunctionId| kept.get(*id as usize).copied().unwrap_or(true);
        let whole = or_all.then(|| self.without_any(&is_kept));
        let n_lists = self.starts.len().saturating_sub(1);
        let (mut starts, mut lists) = (vec![0], Vec::new());
        for (from, to) in self.starts.iter().zip(self.starts.iter().skip(1)) {
            let list = self.lists.get(*from as usize..*to as usize);
            lists.extend(list.into_iter().flatten().copied().filter(is_kept));
            starts.push(u32::try_from(lists.len()).unwrap_or(u32::MAX));
        }
        // After them come all lists, unchanged.
        if let Some(whole) = whole {
            let base = u32::try_from(lists.len()).unwrap_or(u32::MAX);
            lists.extend(&self.lists);
            let ends = self.starts.iter().skip(1);
            starts.extend(ends.map(|end| base.saturating_add(*end)));
            let shift = u32::try_from(n_lists).unwrap_or(0);
            for (list, _) in self.list.iter_mut().zip(whole).filter(|(_, whole)| *whole) {
                *list += shift;
            }
        }
        (self.starts, self.lists) = (starts, lists);
    }

    /// Returns, per node, whether no stack through it has a function that `wanted` names.
    fn without_any(&self, wanted: &dyn Fn(&FunctionId) -> bool) -> Vec<bool> {
        let has_own = |node: usize| {
            let functions = self.functions(u32::try_from(node).unwrap_or(0));
            functions.iter().any(wanted)
        };
        let mut has: Vec<bool> = (0..self.len()).map(has_own).collect();
        // First the nodes below, then the nodes above.
        let mut below = has.clone();
        for node in (0..self.len()).rev() {
            let parent = self.parent[node];
            if below[node] && parent != NO_PARENT {
                below[parent as usize] = true;
            }
        }
        for node in 0..self.len() {
            let parent = self.parent[node];
            if parent != NO_PARENT && has[parent as usize] {
                has[node] = true;
            }
        }
        has.iter()
            .zip(below)
            .map(|(above, below)| !above && !below)
            .collect()
    }

    /// Returns the nodes from `node` to the root.
    pub fn path(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let up = |&node: &u32| {
            let parent = self.parent[node as usize];
            (parent != NO_PARENT).then_some(parent)
        };
        std::iter::successors(Some(node), up)
    }

    /// Returns, per node, whether its stack has a function that `wanted` (by function) names.
    pub fn with_function(&self, wanted: &[bool]) -> Vec<bool> {
        let mut on_stack = vec![false; self.len()];
        for node in 0..self.len() {
            let parent = self.parent[node];
            let above = parent != NO_PARENT && on_stack[parent as usize];
            let mut own = self.functions(u32::try_from(node).unwrap_or(0)).iter();
            on_stack[node] = above || own.any(|&function| wanted[function as usize]);
        }
        on_stack
    }
}

/// The distinct lists of functions of nodes.
struct Lists {
    starts: Vec<u32>,
    list: Vec<FunctionId>,
    /// List by address plus one, [`UNKNOWN`] until its first use.
    plain: Vec<u32>,
    /// The same, for nodes whose user half is missing.
    halfless: Vec<u32>,
}

const UNKNOWN: u32 = u32::MAX;

impl Lists {
    fn new(addresses: usize) -> Self {
        Self {
            starts: vec![0],
            list: Vec::new(),
            plain: vec![UNKNOWN; addresses + 1],
            halfless: vec![UNKNOWN; addresses + 1],
        }
    }

    fn of(&mut self, address: Option<AddressId>, end: Option<StackEnd>, frames: &Frames) -> u32 {
        let no_user_half = end == Some(StackEnd::NoUserHalf);
        let known = if no_user_half {
            &mut self.halfless
        } else {
            &mut self.plain
        };
        let at = address.map_or(0, |address| address.index().saturating_add(1));
        // An address outside the table has no functions, like a missing one.
        let at = if at < known.len() { at } else { 0 };
        let next = u32::try_from(self.starts.len() - 1).unwrap_or(0);
        if known[at] != UNKNOWN {
            return known[at];
        }
        known[at] = next;
        let before = self.list.len();
        self.list
            .extend(address.map_or(&[][..], |address| frames.of_address(address)));
        if no_user_half {
            self.list.push(frames.no_user_half);
        }
        if self.list.len() == before {
            self.list.push(frames.no_stack);
        }
        self.starts
            .push(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        next
    }
}

/// For each node, the functions that occur there for the first time on the path from the root.
///
/// Adding a node's inclusive sum to these functions, and to no others, counts every stack once per
/// function, however often it recurs.
#[derive(Debug)]
pub struct FirstSeen {
    start: Vec<u32>,
    count: Vec<u32>,
    list: Vec<FunctionId>,
}

impl FirstSeen {
    /// Walks the whole tree once, counting for each function its occurrences on the path.
    pub fn new(tree: &StackTree, functions: usize) -> Self {
        let nodes = tree.len();
        let (offsets, children) = children(tree);
        let mut first = Self {
            start: vec![0; nodes],
            count: vec![0; nodes],
            list: Vec::with_capacity(nodes),
        };
        let mut on_path = vec![0_u32; functions];
        let roots = tree.parent.iter().enumerate();
        let roots = roots.filter(|&(_, &parent)| parent == NO_PARENT);
        let mut todo = Vec::new();
        for (root, _) in roots {
            todo.push((root, false));
            while let Some((node, left)) = todo.pop() {
                let own = tree.functions(u32::try_from(node).unwrap_or(0));
                if left {
                    own.iter().for_each(|&f| on_path[f as usize] -= 1);
                    continue;
                }
                first.enter(node, own, &mut on_path);
                todo.push((node, true));
                let below = offsets[node] as usize..offsets[node + 1] as usize;
                todo.extend(children[below].iter().map(|&child| (child as usize, false)));
            }
        }
        first
    }

    /// Lists the functions of `node` that are not on the path yet, and adds all its functions to
    /// the path.
    fn enter(&mut self, node: usize, own: &[FunctionId], on_path: &mut [u32]) {
        self.start[node] = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        for &function in own {
            let times = &mut on_path[function as usize];
            if *times == 0 {
                self.list.push(function);
                self.count[node] += 1;
            }
            *times += 1;
        }
    }

    /// Returns the functions first seen at `node`.
    pub fn at(&self, node: u32) -> &[FunctionId] {
        let start = self.start[node as usize] as usize;
        &self.list[start..start + self.count[node as usize] as usize]
    }
}

/// Returns the children of every node: offsets into a list.
fn children(tree: &StackTree) -> (Vec<u32>, Vec<u32>) {
    let mut offsets = vec![0_u32; tree.len() + 1];
    for &parent in tree.parent.iter().filter(|&&parent| parent != NO_PARENT) {
        offsets[parent as usize + 1] += 1;
    }
    for node in 1..offsets.len() {
        offsets[node] += offsets[node - 1];
    }
    let mut next = offsets.clone();
    let mut list = vec![0_u32; offsets[tree.len()] as usize];
    for (child, &parent) in (0..).zip(&tree.parent) {
        if parent != NO_PARENT {
            list[next[parent as usize] as usize] = child;
            next[parent as usize] += 1;
        }
    }
    (offsets, list)
}
