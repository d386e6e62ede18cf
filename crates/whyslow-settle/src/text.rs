//! Texts of a trace, each kept once: names, paths, command lines.
//!
//! A trace repeats the same few names. Trackers hold a [`TextId`] of four bytes; the text itself is
//! here. The memory that a file can make us use is limited: beyond the limit a new text is refused,
//! and the caller reports a problem.

use std::num::NonZeroU32;
use std::sync::Arc;
use whyslow_model::FastMap;

/// A text in [`Texts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextId(NonZeroU32);

/// Cost of the index and the two counts of a shared text, in addition to its bytes.
const OVERHEAD_BYTES: usize = 64;

/// The texts of one trace.
#[derive(Debug)]
pub struct Texts {
    all: Vec<Arc<str>>,
    index: FastMap<Arc<str>, TextId>,
    bytes_left: usize,
    refused: u64,
}

impl Texts {
    /// Returns an empty set that keeps at most about `limit_bytes`.
    pub fn new(limit_bytes: usize) -> Self {
        Self {
            all: Vec::new(),
            index: FastMap::default(),
            bytes_left: limit_bytes,
            refused: 0,
        }
    }

    /// Returns the id of `text`, or `None` if it is new and the limit has been reached.
    pub fn intern(&mut self, text: &str) -> Option<TextId> {
        if let Some(&id) = self.index.get(text) {
            return Some(id);
        }
        let cost = text.len() + OVERHEAD_BYTES;
        let number = u32::try_from(self.all.len() + 1)
            .ok()
            .and_then(NonZeroU32::new);
        let id = number.map(TextId);
        let (Some(left), Some(id)) = (self.bytes_left.checked_sub(cost), id) else {
            self.refused += 1;
            return None;
        };
        self.bytes_left = left;
        let shared: Arc<str> = text.into();
        self.all.push(Arc::clone(&shared));
        self.index.insert(shared, id);
        Some(id)
    }

    /// Returns the id of `text` if it is known.
    pub fn find(&self, text: &str) -> Option<TextId> {
        self.index.get(text).copied()
    }

    /// Returns the text of `id`.
    pub fn get(&self, id: TextId) -> &str {
        let index = usize::try_from(id.0.get()).unwrap_or(usize::MAX);
        self.all.get(index - 1).map_or("", AsRef::as_ref)
    }

    /// Returns how many texts were refused because of the limit.
    pub fn refused(&self) -> u64 {
        self.refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_id_and_the_limit_refuses_only_new_ones() {
        let mut texts = Texts::new(OVERHEAD_BYTES + 3);
        let id = texts.intern("cc1");
        assert_eq!(texts.intern("cc1"), id);
        assert_eq!(id.map(|id| texts.get(id)), Some("cc1"));
        assert_eq!(texts.intern("ld"), None);
        assert_eq!(texts.refused(), 1);
    }
}
