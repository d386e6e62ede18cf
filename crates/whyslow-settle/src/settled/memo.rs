//! Final stacks of recently settled rows.
//!
//! Rows are settled thread by thread, and a thread has few stacks: most rows have the same stack as
//! a row shortly before them.

use whyslow_stacks::hash_index::hash;

const BITS: u32 = 12;

/// A small direct-mapped cache: from the stack of a row and its process to the final stack.
#[derive(Debug)]
pub(super) struct Memo(Vec<Entry>);

#[derive(Debug, Clone, Copy)]
struct Entry {
    word: i64,
    process: u32,
    /// The final stack plus one; 0 if the entry is empty.
    id: u32,
}

impl Memo {
    /// Returns an empty cache.
    pub(super) fn new() -> Self {
        let empty = Entry {
            word: 0,
            process: 0,
            id: 0,
        };
        Self(vec![empty; 1 << BITS])
    }

    /// Returns the final stack of a stack in a process.
    pub(super) fn get(&self, word: i64, process: u32) -> Option<u32> {
        let entry = self.0.get(slot(word, process))?;
        let is_same = entry.word == word && entry.process == process;
        entry.id.checked_sub(1).filter(|_| is_same)
    }

    /// Keeps the final stack of a stack in a process.
    pub(super) fn put(&mut self, word: i64, process: u32, id: u32) {
        if let (Some(entry), Some(id)) = (self.0.get_mut(slot(word, process)), id.checked_add(1)) {
            *entry = Entry { word, process, id };
        }
    }
}

fn slot(word: i64, process: u32) -> usize {
    let hash = hash(word.cast_unsigned(), process.into());
    usize::try_from(hash >> (64 - BITS)).unwrap_or(0)
}
