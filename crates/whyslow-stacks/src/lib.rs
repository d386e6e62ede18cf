//! Stacks as they were recorded: as addresses, not yet as modules.
//!
//! A stack has two halves that arrive separately. The kernel half is recorded at the event; the
//! user half comes with it, or later, or never. So halves are kept separately, and a row carries
//! both as one [`StackWord`]. They are joined when rows are settled; by then, no user half can come
//! any more.
//!
//! * [`Tree`] keeps halves as one prefix tree of addresses, each path once.
//! * [`Keys`] hands out handles for halves that are named by a key before they are defined.
//!
//! The tree does not know processes. A path is only addresses; their meaning depends on the process
//! and the time of the row, which are known when rows are settled. So a forked child shares its
//! parent's nodes, and an exec needs no special handling.

#![forbid(unsafe_code)]

pub mod hash_index;
mod keys;
mod reference;
mod tree;
mod word;

pub use keys::{Key, Keys};
pub use reference::{HalfRef, StackRef};
pub use tree::{NodeId, Root, Tree};
pub use word::{HalfWord, StackWord};

/// Cost of one node of the raw tree in bytes.
pub const RAW_NODE_BYTES: usize = Tree::NODE_BYTES;

/// The tree and the keys of one trace.
#[derive(Debug)]
pub struct Stacks {
    /// The halves.
    pub tree: Tree,
    /// Halves named by key.
    pub keys: Keys,
}

impl Stacks {
    /// Returns an empty set within these limits.
    pub fn new(max_nodes: u32, max_handles: u32) -> Self {
        Self {
            tree: Tree::new(max_nodes),
            keys: Keys::new(max_handles),
        }
    }

    /// Returns the word a row carries for `stack`.
    pub fn word(&mut self, stack: StackRef) -> StackWord {
        let kernel = self.half(stack.kernel);
        let user = self.half(stack.user);
        StackWord { kernel, user }
    }

    /// Returns the word of one half.
    pub fn half(&mut self, half: HalfRef) -> HalfWord {
        match half {
            HalfRef::Absent => HalfWord::ABSENT,
            HalfRef::Impossible => HalfWord::IMPOSSIBLE,
            HalfRef::Node(node) => HalfWord::node(node),
            HalfRef::Key(key) => self.keys.reference(Key::Named(key)),
            HalfRef::Pending { tid } => self.keys.reference(Key::Thread(tid)),
        }
    }

    /// Returns the node of a half once every key is defined.
    pub fn resolve(&self, half: HalfWord) -> HalfWord {
        half.handle()
            .map_or(half, |handle| self.keys.target(handle))
    }
}
