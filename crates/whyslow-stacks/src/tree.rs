//! The prefix tree of raw stack halves, and the hash index that makes interning cheap.
//!
//! Most stacks have been seen before, in full. So a whole stack is first looked up in a small
//! direct-mapped cache by the hash of its frames; a hit counts only after its path has been
//! compared. Only new stacks walk the tree frame by frame, from the root. Most nodes have one
//! child, which their own entry names; only further children are in the index.

use crate::hash_index::{HashIndex, hash, mix, spread};

/// A node of the tree: the path from its root to it is a stack half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Returns the node's number.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// The root that a half hangs from: it says which half it is, and how its outer end looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Root {
    /// A kernel half.
    Kernel = 2,
    /// A user half that may or may not be complete.
    User = 3,
    /// A user half that reaches the function its thread starts in.
    UserComplete = 4,
    /// A user half that stops early.
    UserTruncated = 5,
}

impl Root {
    /// Returns the root's node: a half without frames.
    pub fn node(self) -> NodeId {
        NodeId(self as u32)
    }

    fn of(node: NodeId) -> Option<Self> {
        [
            Self::Kernel,
            Self::User,
            Self::UserComplete,
            Self::UserTruncated,
        ]
        .into_iter()
        .find(|root| root.node() == node)
    }
}

/// Numbers below this are not frames: absent, impossible, and the roots.
const FIRST_FRAME: u32 = 6;
const CACHE_BITS: u32 = 14;
/// Maximum number of frames of one half; further ones, claimed by a damaged file, are cut off at
/// the outer end.
const MAX_FRAMES: usize = 4096;

/// Raw stack halves; see the description of this module.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The nodes that are not their parent's first child, by parent and address.
    index: HashIndex,
    cache: Vec<Cached>,
    max_nodes: u32,
    refused: u64,
}

/// A frame and its caller; the address is split in two so that the node fits into sixteen bytes.
#[derive(Debug, Clone, Copy)]
struct Node {
    parent: u32,
    address: [u32; 2],
    /// The first child, 0 if there is none.
    child: u32,
}

impl Node {
    fn new(parent: u32, address: u64) -> Self {
        let address = [address as u32, (address >> 32) as u32];
        Self {
            parent,
            address,
            child: 0,
        }
    }

    fn address(self) -> u64 {
        u64::from(self.address[1]) << 32 | u64::from(self.address[0])
    }

    fn hash(self) -> u64 {
        hash(u64::from(self.parent), self.address())
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Cached {
    hash: u64,
    node: u32,
}

impl Tree {
    /// Cost of one node in bytes, with the index at its emptiest.
    pub const NODE_BYTES: usize = size_of::<Node>() + HashIndex::ROW_BYTES;

    /// Returns an empty tree of at most `max_nodes` nodes.
    pub fn new(max_nodes: u32) -> Self {
        Self {
            nodes: (0..FIRST_FRAME)
                .map(|number| Node::new(number, 0))
                .collect(),
            index: HashIndex::new(),
            cache: vec![Cached::default(); 1 << CACHE_BITS],
            max_nodes: max_nodes.min((1 << 31) - 1),
            refused: 0,
        }
    }

    /// Returns the node of the half with the frames `frames`, leaf first.
    ///
    /// `None` if it is new and the limit has been reached: part of a stack would show a wrong leaf.
    pub fn intern(&mut self, root: Root, frames: &[u64]) -> Option<NodeId> {
        let frames = frames.get(..MAX_FRAMES).unwrap_or(frames);
        let hash = frames
            .iter()
            .fold(root as u64, |hash, &frame| mix(hash, frame));
        let slot = high_bits(hash, CACHE_BITS);
        if let Some(cached) = self.cache.get(slot)
            && cached.hash == hash
            && cached.node != 0
            && self.is_path(cached.node, root, frames)
        {
            return Some(NodeId(cached.node));
        }
        let mut node = root as u32;
        for &frame in frames.iter().rev() {
            let Some(child) = self.child(node, frame) else {
                self.refused += 1;
                return None;
            };
            node = child;
        }
        if let Some(cached) = self.cache.get_mut(slot) {
            *cached = Cached { hash, node };
        }
        Some(NodeId(node))
    }

    /// Returns the caller's node and the address of `node`, or `None` at a root.
    pub fn step(&self, node: NodeId) -> Option<(NodeId, u64)> {
        if node.0 < FIRST_FRAME {
            return None;
        }
        let node = self.nodes.get(usize::try_from(node.0).ok()?)?;
        Some((NodeId(node.parent), node.address()))
    }

    /// Returns which root `node` is, or `None` if it is a frame.
    pub fn root(&self, node: NodeId) -> Option<Root> {
        Root::of(node)
    }

    /// Frees the data that only interning needs; the tree can still be read.
    pub fn freeze(&mut self) {
        self.index = HashIndex::new();
        self.cache = Vec::new();
        self.max_nodes = 0;
    }

    /// Returns how many halves were refused because of the limit.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    fn is_path(&self, mut number: u32, root: Root, frames: &[u64]) -> bool {
        for &frame in frames {
            match self.nodes.get(number as usize) {
                Some(node) if number >= FIRST_FRAME && node.address() == frame => {
                    number = node.parent;
                }
                _ => return false,
            }
        }
        number == root as u32
    }

    fn child(&mut self, parent: u32, address: u64) -> Option<u32> {
        let Self { nodes, index, .. } = self;
        let node = Node::new(parent, address);
        let is = |number: u32| {
            let known = nodes.get(number as usize);
            known.is_some_and(|known| known.parent == parent && known.address == node.address)
        };
        let first = nodes.get(parent as usize)?.child;
        if first != 0 && is(first) {
            return Some(first);
        }
        let hash = node.hash();
        if first != 0
            && let Some(number) = index.find(hash, is)
        {
            return Some(number);
        }
        let number = u32::try_from(nodes.len()).ok()?;
        if number >= self.max_nodes {
            return None;
        }
        if first == 0 {
            nodes.get_mut(parent as usize)?.child = number;
        } else {
            index.push(number, hash, || further_children(nodes));
        }
        nodes.push(node);
        Some(number)
    }
}

/// Returns number and hash of all nodes that are not their parent's first child.
fn further_children(nodes: &[Node]) -> impl Iterator<Item = (u32, u64)> {
    let frames = (0..).zip(nodes).skip(FIRST_FRAME as usize);
    let further = frames.filter(|&(number, node)| {
        let parent = nodes.get(node.parent as usize);
        parent.is_some_and(|parent| parent.child != number)
    });
    further.map(|(number, node)| (number, node.hash()))
}

fn high_bits(hash: u64, bits: u32) -> usize {
    usize::try_from(spread(hash) >> (64 - bits)).unwrap_or(0)
}

#[cfg(test)]
mod tests;
