//! The final prefix tree: frames are code locations, halves are joined, processes share nodes.
//!
//! A raw half is turned into final nodes at its first use in a process, and kept in a cache of
//! fixed size; an evicted half is computed again. The kernel half hangs from the user half it was
//! reached from. Most nodes have one child, which their own entry names; only roots and further
//! children are in the index.

use super::views::{ViewNumber, Views};
use whyslow_model::{Named, StackEnd, StackKind};
use whyslow_stacks::hash_index::{HashIndex, hash};
use whyslow_stacks::{NodeId, Root, Tree};

/// Cost of one node in bytes, with the index at its emptiest.
pub const FINAL_NODE_BYTES: usize = size_of::<Node>() + HashIndex::ROW_BYTES;
const CACHE_BITS: u32 = 16;

/// The node that a kernel half hangs from; also used for any final stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Base(u32);

impl Base {
    /// The user half was not recorded.
    pub(super) const NO_USER_HALF: Self = Self(u32::MAX);
    /// There is no user half.
    pub(super) const KERNEL_ONLY: Self = Self(u32::MAX - 1);
    /// The limit was reached.
    const REFUSED: Self = Self(u32::MAX - 2);

    /// Returns the number of the node, or `None` if there is none.
    pub(super) fn id(self) -> Option<u32> {
        (self.0 < u32::MAX - 2).then_some(self.0)
    }
}

/// The final stacks of a trace.
#[derive(Debug)]
pub(super) struct FinalStacks {
    nodes: Vec<Node>,
    index: HashIndex,
    users: Vec<Cached>,
    kernels: Vec<Cached>,
    max_nodes: u32,
    /// Stacks left out because of the limit.
    pub(super) refused: u64,
    path: Vec<(NodeId, u64)>,
    /// Whether the half looked up last may mean something else at another time, or was left out.
    is_passing: bool,
}

/// A frame: where it is, its caller or how the stack ends there, and which half it is in.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// Low bits: number of the caller, or [`Node::ROOT`] and the code of the end plus one.
    caller: u32,
    address: u32,
    /// The first child, or [`NO_NODE`].
    child: u32,
}

impl Node {
    const KERNEL: u32 = 1 << 31;
    const ROOT: u32 = Self::KERNEL - 256;

    fn new(parent: Option<u32>, address: u32, kind: StackKind, end: Option<StackEnd>) -> Self {
        let end = end.and_then(|end| u32::try_from(end.code() + 1).ok());
        let caller = parent.unwrap_or(Self::ROOT + end.unwrap_or(0));
        let half = match kind {
            StackKind::Kernel => Self::KERNEL,
            _ => 0,
        };
        let caller = caller | half;
        Self {
            caller,
            address,
            child: NO_NODE,
        }
    }

    fn hash(self) -> u64 {
        hash(self.caller.into(), self.address.into())
    }

    /// Returns parent, address, half and end.
    fn parts(self) -> (Option<u32>, Option<u32>, i32, Option<i32>) {
        let caller = self.caller & !Self::KERNEL;
        let end = caller.checked_sub(Self::ROOT);
        let kind = if caller == self.caller {
            StackKind::User
        } else {
            StackKind::Kernel
        };
        (
            end.is_none().then_some(caller),
            (self.address != NO_ADDRESS).then_some(self.address),
            kind.code(),
            end.and_then(|end| i32::try_from(end.checked_sub(1)?).ok()),
        )
    }
}

#[derive(Debug, Clone, Copy)]
struct Cached {
    scope: u32,
    node: Option<NodeId>,
    base: Base,
}

const NO_ADDRESS: u32 = u32::MAX;
const NO_NODE: u32 = u32::MAX;

impl FinalStacks {
    /// Returns an empty tree of at most `max_nodes`.
    pub(super) fn new(max_nodes: u32) -> Self {
        let empty = Cached {
            scope: 0,
            node: None,
            base: Base::REFUSED,
        };
        Self {
            nodes: Vec::new(),
            index: HashIndex::new(),
            users: vec![empty; 1 << CACHE_BITS],
            kernels: vec![empty; 1 << CACHE_BITS],
            max_nodes: max_nodes.min(Node::ROOT),
            refused: 0,
            path: Vec::new(),
            is_passing: false,
        }
    }

    /// Forgets whether halves looked up may mean something else at another time.
    pub(super) fn begin(&mut self) {
        self.is_passing = false;
    }

    /// Returns whether all halves looked up since [`FinalStacks::begin`] are the same at any time.
    pub(super) fn is_lasting(&self) -> bool {
        !self.is_passing
    }

    /// Returns the final stack of a user half.
    pub(super) fn user(
        &mut self,
        tree: &Tree,
        views: &mut Views,
        view: ViewNumber,
        leaf: NodeId,
        at_ns: i64,
    ) -> Base {
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let mut node = leaf;
        let mut base = loop {
            let cached = self.users[slot(view, node)];
            if cached.node == Some(node) && cached.scope == view {
                break Some(cached.base);
            }
            let Some((parent, address)) = tree.step(node) else {
                break None;
            };
            path.push((node, address));
            node = parent;
        };
        let end = match tree.root(node) {
            Some(Root::UserComplete) => StackEnd::Complete,
            Some(Root::UserTruncated) => StackEnd::Truncated,
            _ => StackEnd::Unknown,
        };
        let mut is_timed = false;
        for &(node, address) in path.iter().rev() {
            let meaning = views.user(view, address, at_ns);
            is_timed |= meaning.is_timed;
            let next = match base {
                Some(base) => self.child(base, meaning.address, StackKind::User, None),
                None => self.child(
                    Base::NO_USER_HALF,
                    meaning.address,
                    StackKind::User,
                    Some(end),
                ),
            };
            if !is_timed && next != Base::REFUSED {
                self.users[slot(view, node)] = Cached {
                    scope: view,
                    node: Some(node),
                    base: next,
                };
            }
            base = Some(next);
        }
        self.is_passing |= is_timed;
        self.path = path;
        let base = base.unwrap_or_else(|| {
            self.child(Base::NO_USER_HALF, NO_ADDRESS, StackKind::User, Some(end))
        });
        self.checked(base)
    }

    /// Returns the final stack of a kernel half that was reached from `base`.
    pub(super) fn kernel(
        &mut self,
        tree: &Tree,
        views: &mut Views,
        base: Base,
        leaf: NodeId,
        at_ns: i64,
    ) -> Base {
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let mut node = leaf;
        let mut last = loop {
            let cached = self.kernels[slot(base.0, node)];
            if cached.node == Some(node) && cached.scope == base.0 {
                break cached.base;
            }
            let Some((parent, address)) = tree.step(node) else {
                break base;
            };
            path.push((node, address));
            node = parent;
        };
        let end = match base {
            Base::KERNEL_ONLY => Some(StackEnd::KernelOnly),
            Base::NO_USER_HALF | Base::REFUSED => Some(StackEnd::NoUserHalf),
            _ => None,
        };
        let mut is_timed = false;
        for &(node, address) in path.iter().rev() {
            let meaning = views.kernel(address, at_ns);
            is_timed |= meaning.is_timed;
            let end = end.filter(|_| last.id().is_none());
            last = self.child(last, meaning.address, StackKind::Kernel, end);
            if last == Base::REFUSED {
                break;
            }
            if !is_timed {
                let cached = Cached {
                    scope: base.0,
                    node: Some(node),
                    base: last,
                };
                self.kernels[slot(base.0, node)] = cached;
            }
        }
        self.is_passing |= is_timed;
        self.path = path;
        self.checked(last)
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns parent, address, half (`StackKind::User` or `StackKind::Kernel`) and end of every
    /// node, and frees the lookup index.
    pub(super) fn into_nodes(
        self,
    ) -> impl Iterator<Item = (Option<u32>, Option<u32>, i32, Option<i32>)> {
        drop((self.index, self.users, self.kernels));
        self.nodes.into_iter().map(Node::parts)
    }

    fn checked(&mut self, base: Base) -> Base {
        self.is_passing |= base == Base::REFUSED;
        self.refused += u64::from(base == Base::REFUSED);
        base
    }

    fn child(&mut self, base: Base, address: u32, kind: StackKind, end: Option<StackEnd>) -> Base {
        if base == Base::REFUSED {
            return base;
        }
        let parent = base.id().and_then(|id| usize::try_from(id).ok());
        let node = Node::new(base.id(), address, kind, end);
        let Self { nodes, index, .. } = self;
        let is = |number: u32| {
            let known = nodes.get(number as usize);
            known.is_some_and(|known| known.caller == node.caller && known.address == node.address)
        };
        let first = parent.and_then(|parent| nodes.get(parent));
        let first = first.map(|parent| parent.child);
        if let Some(first) = first.filter(|&first| is(first)) {
            return Base(first);
        }
        let (hash, has_siblings) = (node.hash(), first != Some(NO_NODE));
        if has_siblings && let Some(number) = index.find(hash, is) {
            return Base(number);
        }
        let number = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        if number >= self.max_nodes {
            return Base::REFUSED;
        }
        match parent.and_then(|parent| nodes.get_mut(parent)) {
            Some(parent) if !has_siblings => parent.child = number,
            _ => index.push(number, hash, || further_children(nodes)),
        }
        nodes.push(node);
        Base(number)
    }
}

/// Returns number and hash of all nodes that are not their parent's first child.
fn further_children(nodes: &[Node]) -> impl Iterator<Item = (u32, u64)> {
    let further = (0..).zip(nodes).filter(|&(number, node)| {
        let parent = nodes.get((node.caller & !Node::KERNEL) as usize);
        parent.is_none_or(|parent| parent.child != number)
    });
    further.map(|(number, node)| (number, node.hash()))
}

fn slot(scope: u32, node: NodeId) -> usize {
    let key = u64::from(scope).rotate_left(40) ^ u64::from(node.number());
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    usize::try_from(mixed >> (64 - CACHE_BITS)).unwrap_or(0)
}
