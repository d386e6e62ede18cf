//! Sums per function that add up over threads: inclusive by one pass over the touched stack nodes,
//! from the leaves to the roots, exclusive at the leaves.

use crate::frames::FunctionId;
use crate::tree::{FirstSeen, NO_PARENT, StackTree};

/// What a thread did off the CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Off {
    Waiting,
    Ready,
    Stopped,
}

/// The sums of one function in one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MethodSum {
    pub(crate) cpu_ns: i64,
    pub(crate) cpu_exclusive_ns: i64,
    pub(crate) samples: i64,
    pub(crate) samples_exclusive: i64,
    /// Union over threads.
    pub(crate) wait_ns: i64,
    pub(crate) wait_sum_ns: i64,
    /// Union over threads.
    pub(crate) ready_ns: i64,
    pub(crate) ready_sum_ns: i64,
    pub(crate) switches: i64,
    pub(crate) threads: i32,
    /// Number of threads that waited, and that were ready: with one, the union is the sum.
    pub(crate) wait_threads: u32,
    pub(crate) ready_threads: u32,
    pub(crate) first_ns: i64,
    pub(crate) last_ns: i64,
}

impl MethodSum {
    const EMPTY: Self = Self {
        cpu_ns: 0,
        cpu_exclusive_ns: 0,
        samples: 0,
        samples_exclusive: 0,
        wait_ns: 0,
        wait_sum_ns: 0,
        ready_ns: 0,
        ready_sum_ns: 0,
        switches: 0,
        threads: 0,
        wait_threads: 0,
        ready_threads: 0,
        first_ns: i64::MAX,
        last_ns: i64::MIN,
    };

    fn add(&mut self, node: &NodeSum) {
        self.cpu_ns += node.cpu_ns;
        self.samples += node.samples;
        self.wait_sum_ns += node.wait_ns;
        self.ready_sum_ns += node.ready_ns;
        self.switches += node.switches;
        self.first_ns = self.first_ns.min(node.first_ns);
        self.last_ns = self.last_ns.max(node.last_ns);
    }
}

/// The sums of one node of the tree in one thread.
#[derive(Debug, Clone, Copy)]
struct NodeSum {
    cpu_ns: i64,
    samples: i64,
    wait_ns: i64,
    ready_ns: i64,
    switches: i64,
    first_ns: i64,
    last_ns: i64,
}

impl NodeSum {
    const EMPTY: Self = Self {
        cpu_ns: 0,
        samples: 0,
        wait_ns: 0,
        ready_ns: 0,
        switches: 0,
        first_ns: i64::MAX,
        last_ns: i64::MIN,
    };

    fn add(&mut self, child: &Self) {
        self.cpu_ns += child.cpu_ns;
        self.samples += child.samples;
        self.wait_ns += child.wait_ns;
        self.ready_ns += child.ready_ns;
        self.switches += child.switches;
        self.first_ns = self.first_ns.min(child.first_ns);
        self.last_ns = self.last_ns.max(child.last_ns);
    }

    fn see(&mut self, from_ns: i64, to_ns: i64) {
        self.first_ns = self.first_ns.min(from_ns);
        self.last_ns = self.last_ns.max(to_ns);
    }
}

/// The last thread in which a function was counted.
#[derive(Debug, Clone, Copy, Default)]
struct Marks {
    seen: u32,
    waited: u32,
    readied: u32,
    in_process: bool,
}

/// Sums of the current thread per node, and of the current process per function.
#[derive(Debug)]
pub(super) struct Tally<'a> {
    tree: &'a StackTree,
    first: &'a FirstSeen,
    /// Per node of the tree, the index of its sum plus one, or 0: a thread touches few nodes.
    places: Vec<u32>,
    nodes: Vec<NodeSum>,
    touched: Vec<u32>,
    sums: Vec<MethodSum>,
    marks: Vec<Marks>,
    in_process: Vec<FunctionId>,
    /// Number of the current thread, from 1.
    thread: u32,
}

impl<'a> Tally<'a> {
    pub(super) fn new(tree: &'a StackTree, first: &'a FirstSeen, functions: usize) -> Self {
        Self {
            tree,
            first,
            places: vec![0; tree.len()],
            nodes: Vec::new(),
            touched: Vec::new(),
            sums: vec![MethodSum::EMPTY; functions],
            marks: vec![Marks::default(); functions],
            in_process: Vec::new(),
            thread: 1,
        }
    }

    pub(super) fn sample(&mut self, node: u32, time_ns: i64, weight_ns: i64) {
        let sum = self.touch(node);
        sum.cpu_ns += weight_ns;
        sum.samples += 1;
        sum.see(time_ns, time_ns);
        // The leaf's innermost function is first seen here or above, so `carry` will list it.
        let Some(innermost) = self.tree.innermost(node) else {
            return;
        };
        let sum = &mut self.sums[innermost as usize];
        sum.cpu_exclusive_ns += weight_ns;
        sum.samples_exclusive += 1;
    }

    pub(super) fn interval(
        &mut self,
        node: u32,
        start_ns: i64,
        end_ns: i64,
        off: Off,
        switched: bool,
    ) {
        let sum = self.touch(node);
        match off {
            Off::Waiting => sum.wait_ns += end_ns - start_ns,
            Off::Ready => sum.ready_ns += end_ns - start_ns,
            Off::Stopped => {}
        }
        sum.switches += i64::from(switched);
        sum.see(start_ns, end_ns);
    }

    /// Makes sure that a node and all its ancestors are in the list of touched nodes.
    fn touch(&mut self, node: u32) -> &mut NodeSum {
        let mut at = node;
        while at != NO_PARENT && self.places[at as usize] == 0 {
            self.touched.push(at);
            self.nodes.push(NodeSum::EMPTY);
            self.places[at as usize] = u32::try_from(self.nodes.len()).unwrap_or(0);
            at = self.tree.parent[at as usize];
        }
        let place = self.places[node as usize] as usize - 1;
        &mut self.nodes[place]
    }

    /// Adds the current thread to its process, and returns the functions it was seen in.
    ///
    /// Those in `already` have counted this thread before (in its samples).
    pub(super) fn end_thread(&mut self, already: &[FunctionId]) -> Vec<FunctionId> {
        for &function in already {
            self.marks[function as usize].seen = self.thread;
        }
        let mut seen = Vec::new();
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable_by(|a, b| b.cmp(a));
        for &node in &touched {
            self.carry(node, &mut seen);
        }
        touched.clear();
        self.touched = touched;
        self.nodes.clear();
        self.thread += 1;
        seen
    }

    /// Counts one node, whose children have already been added, and adds it to its parent.
    fn carry(&mut self, node: u32, seen: &mut Vec<FunctionId>) {
        let place = std::mem::take(&mut self.places[node as usize]);
        let sum = self.nodes[place as usize - 1];
        for &function in self.first.at(node) {
            let at = function as usize;
            self.sums[at].add(&sum);
            let marks = &mut self.marks[at];
            if !marks.in_process {
                marks.in_process = true;
                self.in_process.push(function);
            }
            if marks.seen != self.thread {
                marks.seen = self.thread;
                self.sums[at].threads += 1;
                seen.push(function);
            }
            if sum.wait_ns > 0 && marks.waited != self.thread {
                marks.waited = self.thread;
                self.sums[at].wait_threads += 1;
            }
            if sum.ready_ns > 0 && marks.readied != self.thread {
                marks.readied = self.thread;
                self.sums[at].ready_threads += 1;
            }
        }
        let parent = self.tree.parent[node as usize];
        if parent != NO_PARENT {
            let place = self.places[parent as usize];
            self.nodes[place as usize - 1].add(&sum);
        }
    }

    /// Begins a process with the sums of its samples.
    pub(super) fn begin_process(&mut self, sums: Vec<(FunctionId, MethodSum)>) {
        for (function, sum) in sums {
            self.sums[function as usize] = sum;
            self.marks[function as usize].in_process = true;
            self.in_process.push(function);
        }
    }

    /// Returns the sums of the current process by function, and resets them.
    ///
    /// The unions are the sums if at most one thread waited, else 0.
    pub(super) fn end_process(&mut self) -> Vec<(FunctionId, MethodSum)> {
        let mut functions = std::mem::take(&mut self.in_process);
        functions.sort_unstable();
        let result = functions.iter().map(|&function| {
            self.marks[function as usize].in_process = false;
            let sum = &mut self.sums[function as usize];
            let mut sum = std::mem::replace(sum, MethodSum::EMPTY);
            sum.wait_ns = if sum.wait_threads > 1 {
                0
            } else {
                sum.wait_sum_ns
            };
            sum.ready_ns = if sum.ready_threads > 1 {
                0
            } else {
                sum.ready_sum_ns
            };
            (function, sum)
        });
        let result = result.collect();
        functions.clear();
        self.in_process = functions;
        result
    }
}
