//! Halves that are named by a key, used before they are defined, and whose keys are recycled.
//!
//! Windows logs a stack's key with the event and its frames later, when the key is given up:
//!
//! ```text
//! use 7   use 7   define 7 = A   use 7   define 7 = B
//!   └───────┴──── handle 1 ──► A     └── handle 2 ──► B
//! ```
//!
//! A definition answers every use since the one before it. A use that nothing answers has no stack.

use std::collections::HashMap;

use super::tree::NodeId;
use super::word::HalfWord;

/// The keys of one trace.
#[derive(Debug)]
pub(crate) struct Keys {
    open: HashMap<u64, u32>,
    targets: Vec<u32>,
    max_handles: u32,
    refused: u64,
}

impl Keys {
    /// Returns an empty set of at most `max_handles` handles.
    pub(crate) fn new(max_handles: u32) -> Self {
        Self {
            open: HashMap::new(),
            targets: vec![0],
            max_handles: max_handles.min((1 << 31) - 2),
            refused: 0,
        }
    }

    /// Returns a word that will stand for what `key` is defined as next.
    pub(crate) fn reference(&mut self, key: u64) -> HalfWord {
        if let Some(&handle) = self.open.get(&key) {
            return HalfWord::of_handle(handle);
        }
        let handle = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        if handle > self.max_handles {
            self.refused += 1;
            return HalfWord::ABSENT;
        }
        self.targets.push(0);
        self.open.insert(key, handle);
        HalfWord::of_handle(handle)
    }

    /// Defines `key`; uses from now on are of its next definition.
    pub(crate) fn define(&mut self, key: u64, node: Option<NodeId>) {
        let handle = self.open.remove(&key);
        let index = handle.and_then(|handle| usize::try_from(handle).ok());
        if let (Some(index), Some(node)) = (index, node)
            && let Some(target) = self.targets.get_mut(index)
        {
            *target = node.0;
        }
    }

    /// Returns what a handle turned out to be.
    pub(crate) fn target(&self, handle: u32) -> HalfWord {
        let index = usize::try_from(handle).unwrap_or(usize::MAX);
        let target = self.targets.get(index).copied().unwrap_or(0);
        if target == 0 {
            HalfWord::ABSENT
        } else {
            HalfWord::node(NodeId(target))
        }
    }

    /// Returns how many uses got no handle because of the limit.
    pub(crate) fn refused(&self) -> u64 {
        self.refused
    }
}
