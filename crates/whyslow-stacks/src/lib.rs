//! Stacks as they were recorded: addresses, not yet modules.
//!
//! A stack has two halves that arrive apart. The kernel half is recorded at the event; the user
//! half comes with it, or later, or never. So halves are kept apart and a row carries both as one
//! [`StackWord`]. They are joined when rows are settled, where a user half can no longer come.
//!
//! * [`Tree`] keeps halves as one prefix tree of addresses, each path once.
//! * [`Keys`] hands out handles for halves that are named by a key before they are defined.
//!
//! The tree does not know processes. A path is only addresses; what they mean depends on the
//! process and the time of the row, which settling knows. So a forked child shares its parent's
//! nodes, and an exec needs nothing.

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

/// Bytes one node of the raw tree costs.
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

    /// Returns the node a half stands for once every key is defined.
    pub fn resolve(&self, half: HalfWord) -> HalfWord {
        half.handle()
            .map_or(half, |handle| self.keys.target(handle))
    }
}
