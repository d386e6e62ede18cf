//! Halves named by a key that is used before it is defined, and then recycled.
//!
//! Windows logs a stack's key with the event, and its frames later, when the key is released:
//!
//! ```text
//! use 7   use 7   define 7 = A   use 7   define 7 = B
//!   └───────┴──── handle 1 ──► A     └── handle 2 ──► B
//! ```
//!
//! A definition applies to every use since the previous one. A use without a later definition has
//! no stack.
//!
//! A thread is such a key, too: its activity in the kernel gets the user half that comes when it
//! returns to its own code. That half may itself be a key.

use super::word::HalfWord;
use whyslow_model::FastMap;

/// Maximum number of keys that may refer to each other before a half.
const MOST_STEPS: usize = 3;

/// Refers to a half that comes later.
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
    open: FastMap<Key, u32>,
    targets: Vec<HalfWord>,
    max_handles: u32,
    refused: u64,
}

impl Keys {
    /// Returns an empty set of at most `max_handles` handles.
    pub fn new(max_handles: u32) -> Self {
        Self {
            open: FastMap::default(),
            targets: vec![HalfWord::ABSENT],
            max_handles: max_handles.min((1 << 31) - 2),
            refused: 0,
        }
    }

    /// Returns a word that refers to the next definition of `key`.
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

    /// Defines `key`; later uses refer to its next definition.
    pub fn define(&mut self, key: Key, half: HalfWord) {
        let handle = self.open.remove(&key);
        let index = handle.and_then(|handle| usize::try_from(handle).ok());
        if let Some(target) = index.and_then(|index| self.targets.get_mut(index)) {
            *target = half;
        }
    }

    /// Returns what a handle turned out to be: the key of a late stack may refer to a thread's
    /// half, which may be a named key.
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
