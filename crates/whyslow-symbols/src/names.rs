//! Names by number: every distinct function and file name once.
//!
//! A trace has millions of frames and some ten thousand names, so resolutions carry [`NameId`]s
//! and the text is stored here. Decoding a mangled name costs microseconds; it happens once per
//! distinct linker name.

use std::collections::HashMap;
use std::sync::Arc;

use whyslow_demangle::{demangle, is_mangled};

/// A name and the address its symbol starts at.
pub(crate) type Named = (NameId, u64);

/// Number of a name in the [`Names`] that issued it; counts up from 0 without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub u32);

/// Distinct names, numbered in the order of their first use.
#[derive(Debug, Default)]
pub struct Names {
    texts: Vec<Arc<str>>,
    by_text: HashMap<Arc<str>, NameId>,
    by_mangled: HashMap<Box<[u8]>, NameId>,
}

impl Names {
    /// Creates an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of `text`, adding it if it is new.
    pub fn intern(&mut self, text: &str) -> NameId {
        if let Some(&id) = self.by_text.get(text) {
            return id;
        }
        // More than 2³² names would need more memory than addresses can say.
        let id = NameId(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.by_text.insert(text, id);
        id
    }

    /// Returns the number of the display form of a linker name.
    pub fn intern_linker_name(&mut self, raw: &[u8]) -> NameId {
        if !is_mangled(raw) {
            return self.intern(&demangle(raw));
        }
        if let Some(&id) = self.by_mangled.get(raw) {
            return id;
        }
        let id = self.intern(&demangle(raw));
        self.by_mangled.insert(raw.into(), id);
        id
    }

    /// The text of a name; empty for a number that this table did not issue.
    pub fn text(&self, id: NameId) -> &str {
        self.texts.get(id.0 as usize).map_or("", |text| text)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are no names yet.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// All names in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<str>> {
        self.texts.iter()
    }
}
