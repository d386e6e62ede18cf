//! The union of intervals over the threads of a process, for every function at once.
//!
//! ```text
//! thread 1   ├──── wait in f ────┤
//! thread 2          ├──── wait in f ─────┤          sum 2 × 20, union 27
//! f active   ├───────────────────────────┤
//! ```
//!
//! One sweep over the starts and ends in time order. A node of the stack tree is active while an
//! interval ends in it or a child is active, so a start climbs only up to the first node that is
//! already active. Nodes without a function to unite are left out, and chains are one node.

use std::ops::Range;

use super::tally::MethodSum;
use crate::frames::FunctionId;
use crate::tree::{FirstSeen, NO_PARENT, StackTree};

/// One interval off the CPU.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    start_ns: i64,
    end_ns: i64,
    node: u32,
    ready: bool,
}

impl Piece {
    pub(super) fn new(start_ns: i64, end_ns: i64, node: u32, ready: bool) -> Self {
        Self {
            start_ns,
            end_ns,
            node,
            ready,
        }
    }
}

const NONE: u32 = u32::MAX;

/// Unites intervals; the arrays are kept from one process to the next.
#[derive(Debug)]
pub(super) struct Sweep<'a> {
    tree: &'a StackTree,
    first: &'a FirstSeen,
    /// Position of each node in `nodes`, or [`NONE`].
    place: Vec<u32>,
    touched: Vec<u32>,
    nodes: Vec<Node>,
    lists: Vec<FunctionId>,
    states: Vec<FunctionState>,
    events: Vec<(i64, u32, bool)>,
}

/// A node of the tree in the sweep.
#[derive(Debug, Clone)]
struct Node {
    /// The next node towards the root that has functions, or [`NONE`].
    parent: u32,
    /// Its functions, and those of nodes merged into it.
    functions: Range<u32>,
    /// Intervals that end here and active children.
    active: u32,
    children: u32,
    own: bool,
    merged: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct FunctionState {
    wanted: bool,
    active: u32,
    since_ns: i64,
    union_ns: i64,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(tree: &'a StackTree, first: &'a FirstSeen, functions: usize) -> Self {
        Self {
            tree,
            first,
            place: vec![NONE; tree.len()],
            touched: Vec::new(),
            nodes: Vec::new(),
            lists: Vec::new(),
            states: vec![FunctionState::default(); functions],
            events: Vec::new(),
        }
    }

    /// Adds the unions of `pieces` to the functions in `methods` that several threads waited in.
    pub(super) fn unite(&mut self, pieces: &[Piece], methods: &mut [(FunctionId, MethodSum)]) {
        for ready in [false, true] {
            let several = |sum: &MethodSum| match ready {
                false => sum.wait_threads > 1,
                true => sum.ready_threads > 1,
            };
            let mut any = false;
            for (function, _) in methods.iter().filter(|(_, sum)| several(sum)) {
                self.states[*function as usize].wanted = true;
                any = true;
            }
            if !any {
                continue;
            }
            self.plant(pieces, ready);
            self.run(pieces, ready);
            for (function, sum) in methods.iter_mut().filter(|(_, sum)| several(sum)) {
                let state = std::mem::take(&mut self.states[*function as usize]);
                let union_ns = if ready {
                    &mut sum.ready_ns
                } else {
                    &mut sum.wait_ns
                };
                *union_ns += state.union_ns;
            }
            for node in self.touched.drain(..) {
                self.place[node as usize] = NONE;
            }
        }
    }

    /// Builds the small tree of the nodes that `pieces` end in, and all above them.
    fn plant(&mut self, pieces: &[Piece], ready: bool) {
        for piece in pieces.iter().filter(|piece| piece.ready == ready) {
            let mut at = piece.node;
            while at != NO_PARENT && self.place[at as usize] == NONE {
                self.place[at as usize] = 0;
                self.touched.push(at);
                at = self.tree.parent[at as usize];
            }
        }
        self.touched.sort_unstable();
        self.nodes.clear();
        self.lists.clear();
        for &node in &self.touched {
            let from = self.lists.len();
            let functions = self.first.at(node).iter();
            let wanted = functions.filter(|&&f| self.states[f as usize].wanted);
            self.lists.extend(wanted);
            let above = match self.tree.parent[node as usize] {
                NO_PARENT => NONE,
                parent => self.place[parent as usize],
            };
            if self.lists.len() == from {
                // Nothing to unite here: intervals that end here use the parent's place.
                self.place[node as usize] = above;
                continue;
            }
            self.place[node as usize] = position(self.nodes.len());
            if let Some(parent) = self.nodes.get_mut(above as usize) {
                parent.children += 1;
            }
            self.nodes.push(Node {
                parent: above,
                functions: position(from)..position(self.lists.len()),
                active: 0,
                children: 0,
                own: false,
                merged: false,
            });
        }
        for piece in pieces.iter().filter(|piece| piece.ready == ready) {
            let place = self.place[piece.node as usize];
            if let Some(node) = self.nodes.get_mut(place as usize) {
                node.own = true;
            }
        }
        self.merge_chains();
    }

    /// Merges every node that can only be active through one child into that child.
    fn merge_chains(&mut self) {
        for at in (0..self.nodes.len()).rev() {
            if self.nodes[at].merged {
                continue;
            }
            let mut parent = self.nodes[at].parent;
            let lone = |node: &Node| node.children == 1 && !node.own;
            if self
                .nodes
                .get(parent as usize)
                .is_none_or(|node| !lone(node))
            {
                continue;
            }
            let from = position(self.lists.len());
            let own = self.nodes[at].functions.clone();
            self.lists
                .extend_from_within(own.start as usize..own.end as usize);
            while let Some(node) = self
                .nodes
                .get_mut(parent as usize)
                .filter(|node| lone(node))
            {
                node.merged = true;
                parent = node.parent;
                let functions = node.functions.start as usize..node.functions.end as usize;
                self.lists.extend_from_within(functions);
            }
            self.nodes[at].parent = parent;
            self.nodes[at].functions = from..position(self.lists.len());
        }
    }

    fn run(&mut self, pieces: &[Piece], ready: bool) {
        self.events.clear();
        for piece in pieces.iter().filter(|piece| piece.ready == ready) {
            let place = self.place[piece.node as usize];
            if place != NONE {
                self.events.push((piece.start_ns, place, true));
                self.events.push((piece.end_ns, place, false));
            }
        }
        // The events of one thread are in order, so this merges a few sorted runs.
        self.events.sort_by_key(|&(time, _, _)| time);
        let (nodes, lists, states) = (&mut self.nodes, &self.lists, &mut self.states);
        for &(time, mut at, begins) in &self.events {
            while let Some(node) = nodes.get_mut(at as usize) {
                // At one point in time, an end may come before the start of the next interval.
                node.active = match begins {
                    true => node.active + 1,
                    false => node.active - 1,
                };
                let toggled = node.active == u32::from(begins);
                if !toggled {
                    break;
                }
                let functions = node.functions.start as usize..node.functions.end as usize;
                for &function in &lists[functions] {
                    toggle(&mut states[function as usize], time, begins);
                }
                at = node.parent;
            }
        }
    }
}

fn toggle(state: &mut FunctionState, time_ns: i64, begins: bool) {
    if begins {
        if state.active == 0 {
            state.since_ns = time_ns;
        }
        state.active += 1;
    } else {
        state.active -= 1;
        if state.active == 0 {
            state.union_ns += time_ns - state.since_ns;
        }
    }
}

fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}
