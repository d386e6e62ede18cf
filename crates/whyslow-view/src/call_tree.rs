//! A call tree: stacks merged by function, with a weight per node.
//!
//! Unlike in the stored prefix tree, which knows addresses, two call sites of one function are one
//! node here, and inlined functions are nodes of their own. Children have larger numbers than their
//! parents.

use whyslow_model::ProcessId;

use crate::frames::FunctionId;
use crate::stacks::Stacks;
use crate::tree::NO_PARENT;
use whyslow_model::FastMap;

/// What a node represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// Everything.
    Total,
    /// A process, by id.
    Process(ProcessId),
    /// A function.
    Function(FunctionId),
}

/// A node.
#[derive(Debug, Clone, Copy)]
pub struct CallNode {
    /// What it represents.
    pub label: Label,
    /// The node above; the first node is its own parent.
    pub parent: u32,
    /// Weight of the stacks through it.
    pub inclusive_ns: i64,
    /// Weight of the stacks that end in it.
    pub exclusive_ns: i64,
    /// Samples or intervals through it.
    pub count: i64,
}

/// The tree; its first node is the total.
#[derive(Debug)]
pub struct CallTree {
    /// The nodes.
    pub nodes: Vec<CallNode>,
    children: FastMap<u64, u32>,
    /// Whether a function that calls itself stays in one node.
    joins_recursion: bool,
}

/// Weight and count of one stored stack.
#[derive(Debug, Clone, Copy, Default)]
pub struct StackWeight {
    /// Time.
    pub ns: i64,
    /// Samples or intervals.
    pub count: i64,
}

impl CallTree {
    /// Returns a tree of only the total.
    #[must_use]
    pub fn of_total() -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            children: FastMap::default(),
            joins_recursion: false,
        };
        tree.push(Label::Total, 0);
        tree
    }

    /// Returns a tree of only the total, in which a function that calls itself stays in one node.
    pub fn joining_recursion() -> Self {
        Self {
            joins_recursion: true,
            ..Self::of_total()
        }
    }

    fn step(&mut self, at: u32, function: FunctionId) -> u32 {
        let same = self.nodes[at as usize].label == Label::Function(function);
        if same && self.joins_recursion {
            return at;
        }
        self.child(at, function)
    }

    fn push(&mut self, label: Label, parent: u32) -> u32 {
        let id = u32::try_from(self.nodes.len()).unwrap_or(0);
        self.nodes.push(CallNode {
            label,
            parent,
            inclusive_ns: 0,
            exclusive_ns: 0,
            count: 0,
        });
        id
    }

    /// Adds a node for a process below the total.
    pub fn add_process(&mut self, process: ProcessId) -> u32 {
        self.push(Label::Process(process), 0)
    }

    fn child(&mut self, parent: u32, function: FunctionId) -> u32 {
        let key = u64::from(parent) << 32 | u64::from(function);
        if let Some(&child) = self.children.get(&key) {
            return child;
        }
        let child = self.push(Label::Function(function), parent);
        self.children.insert(key, child);
        child
    }

    /// Adds stacks below `root`, from their roots to their leaves.
    ///
    /// The nodes hold only the weights of stacks that end in them until [`CallTree::carry`] adds
    /// them up.
    pub fn add_top_down(&mut self, root: u32, stacks: &Stacks, weights: &[(u32, StackWeight)]) {
        let mut place: FastMap<u32, u32> = FastMap::default();
        let mut path = Vec::new();
        for &(node, weight) in weights {
            path.clear();
            let mut at = root;
            for above in stacks.tree.path(node) {
                if let Some(&known) = place.get(&above) {
                    at = known;
                    break;
                }
                path.push(above);
            }
            for &below in path.iter().rev() {
                for &function in stacks.tree.functions(below).iter().rev() {
                    at = self.step(at, function);
                }
                place.insert(below, at);
            }
            let leaf = &mut self.nodes[at as usize];
            leaf.exclusive_ns += weight.ns;
            leaf.inclusive_ns += weight.ns;
            leaf.count += weight.count;
        }
    }

    /// Adds stacks below `root` from a function to its callers: from the function nearest to the
    /// leaf that `wanted` names, or from the leaf.
    pub fn add_callers(
        &mut self,
        root: u32,
        stacks: &Stacks,
        weights: &[(u32, StackWeight)],
        wanted: Option<&[bool]>,
    ) {
        for &(node, weight) in weights {
            let mut at = root;
            let mut started = wanted.is_none();
            let path = stacks.tree.path(node);
            for &function in path.flat_map(|above| stacks.tree.functions(above)) {
                started |= wanted.is_some_and(|wanted| wanted[function as usize]);
                if started {
                    at = self.child(at, function);
                }
            }
            let end = &mut self.nodes[at as usize];
            end.exclusive_ns += weight.ns;
            end.inclusive_ns += weight.ns;
            end.count += weight.count;
        }
    }

    /// Adds the weights of all nodes to their ancestors.
    pub fn carry(&mut self) {
        for at in (1..self.nodes.len()).rev() {
            let node = self.nodes[at];
            let parent = &mut self.nodes[node.parent as usize];
            parent.inclusive_ns += node.inclusive_ns;
            parent.count += node.count;
        }
    }

    /// Returns the children of every node, heaviest first.
    pub fn children(&self) -> Vec<Vec<u32>> {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for (id, node) in (0..).zip(&self.nodes).skip(1) {
            children[node.parent as usize].push(id);
        }
        for list in &mut children {
            list.sort_by_key(|&id: &u32| (-self.nodes[id as usize].inclusive_ns, id));
        }
        children
    }
}

/// Weights per stored stack, for one process at a time.
#[derive(Debug)]
pub struct Weights {
    of_node: Vec<StackWeight>,
    touched: Vec<u32>,
}

impl Weights {
    /// Returns no weights.
    pub fn new(stacks: &Stacks) -> Self {
        Self {
            of_node: vec![StackWeight::default(); stacks.tree.len()],
            touched: Vec::new(),
        }
    }

    /// Adds a sample or interval on the stack that ends in `node`.
    pub fn add(&mut self, node: u32, ns: i64) {
        debug_assert!(node != NO_PARENT, "the tree has a node for no stack");
        let weight = &mut self.of_node[node as usize];
        if weight.count == 0 {
            self.touched.push(node);
        }
        weight.ns += ns;
        weight.count += 1;
    }

    /// Returns all weights by node, and resets them.
    pub fn take(&mut self) -> Vec<(u32, StackWeight)> {
        self.touched.sort_unstable();
        let of_node = &mut self.of_node;
        let take = |node: u32| (node, std::mem::take(&mut of_node[node as usize]));
        self.touched.drain(..).map(take).collect()
    }
}
