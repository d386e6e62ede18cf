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
//!
//! A thread is such a key, too: what it did in the kernel gets the user half that comes when it is
//! back in its own code, which may itself be a key.

use std::collections::HashMap;

use super::word::HalfWord;

/// Keys that may stand for each other until there is a half.
const MOST_STEPS: usize = 3;

/// What stands for a half that comes later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// The system's own name for it.
    Named(u64),
    /// The next user half of this thread.
    Thread(u32),
}

/// The keys of one trace.
#[derive(Debug)]
pub struct Keys {
    open: HashMap<Key, u32>,
    targets: Vec<HalfWord>,
    max_handles: u32,
    refused: u64,
}

impl Keys {
    /// Returns an empty set of at most `max_handles` handles.
    pub fn new(max_handles: u32) -> Self {
        Self {
            open: HashMap::new(),
            targets: vec![HalfWord::ABSENT],
            max_handles: max_handles.min((1 << 31) - 2),
            refused: 0,
        }
    }

    /// Returns a word that will stand for what `key` is defined as next.
    pub fn reference(&mut self, key: Key) -> HalfWord {
        if let Some(&handle) = self.open.get(&key) {
            return HalfWord::of_handle(handle);
        }
        let handle = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        if handle > self.max_handles {
            self.refused += 1;
            return HalfWord::ABSENT;
        }
        self.targets.push(HalfWord::ABSENT);
        self.open.insert(key, handle);
        HalfWord::of_handle(handle)
    }

    /// Defines `key`; uses from now on are of its next definition.
    pub fn define(&mut self, key: Key, half: HalfWord) {
        let handle = self.open.remove(&key);
        let index = handle.and_then(|handle| usize::try_from(handle).ok());
        if let Some(target) = index.and_then(|index| self.targets.get_mut(index)) {
            *target = half;
        }
    }

    /// Returns what a handle turned out to be: the key of a stack that came late may stand for a
    /// thread's half, which may be a named key.
    pub fn target(&self, handle: u32) -> HalfWord {
        let mut half = self.defined(handle);
        for _ in 1..MOST_STEPS {
            half = half.handle().map_or(half, |handle| self.defined(handle));
        }
        match half.handle() {
            Some(_) => HalfWord::ABSENT,
            None => half,
        }
    }

    fn defined(&self, handle: u32) -> HalfWord {
        let index = usize::try_from(handle).unwrap_or(usize::MAX);
        self.targets.get(index).copied().unwrap_or(HalfWord::ABSENT)
    }

    /// Returns how many uses got no handle because of the limit.
    pub fn refused(&self) -> u64 {
        self.refused
    }
}
