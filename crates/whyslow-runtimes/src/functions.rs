//! Functions of programs that run code of their own, numbered by the addresses that represent them.

use std::collections::HashMap;

use whyslow_perfdata::whyslow_events::{CODE_ADDRESSES, CodeLanguage, CodeObject};

/// The first address; the lower half is Python's.
const FIRST: u64 = CODE_ADDRESSES.start + (CODE_ADDRESSES.end - CODE_ADDRESSES.start) / 2;
/// Most functions that are distinguished, over all processes.
const MOST_FUNCTIONS: usize = 256 << 10;
/// Lines that one function may span.
const MOST_LINES: u32 = 64 << 10;

/// What is reported of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Described {
    pub(crate) language: CodeLanguage,
    pub(crate) name: String,
    pub(crate) file: String,
    /// The first and the last line.
    pub(crate) lines: (u32, u32),
}

/// All functions.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    all: Vec<CodeObject>,
    by_content: HashMap<Described, usize>,
    /// How many were reported.
    told: usize,
    used: u64,
    /// Frames whose function had no room.
    refused: u64,
}

impl Functions {
    /// Numbers a function; `None`: there are too many.
    pub(crate) fn number(&mut self, described: Described) -> Option<usize> {
        if let Some(&number) = self.by_content.get(&described) {
            return Some(number);
        }
        if self.all.len() >= MOST_FUNCTIONS {
            self.refused += 1;
            return None;
        }
        let (first, last) = described.lines;
        let object = CodeObject {
            language: described.language,
            address: FIRST + self.used,
            first_line: first,
            n_lines: last.saturating_sub(first).min(MOST_LINES) + 1,
            name: described.name.clone(),
            file: described.file.clone(),
        };
        self.used += object.size();
        self.by_content.insert(described, self.all.len());
        self.all.push(object);
        Some(self.all.len() - 1)
    }

    /// How many frames have no name, because there was no room for their function.
    pub(crate) fn refused(&self) -> u64 {
        self.refused
    }

    /// The address that represents a function at a line.
    pub(crate) fn address(&self, number: usize, line: Option<u32>) -> Option<u64> {
        Some(self.all.get(number)?.address_of_line(line))
    }

    /// Takes the functions that were not reported yet.
    pub(crate) fn take_new(&mut self) -> Vec<CodeObject> {
        let new = self.all.get(self.told..).unwrap_or_default().to_vec();
        self.told = self.all.len();
        new
    }
}
