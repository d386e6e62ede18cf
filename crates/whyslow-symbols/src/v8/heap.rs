//! Objects in the memory of a program. References are odd numbers: the address and one.

use std::collections::HashMap;

use super::layout::Layout;
use crate::process_memory::{Memory, number};

/// Kinds of objects that are remembered; few matter.
const MOST_KINDS: usize = 256;

/// Maps whose kind is known. Those of V8's own structures stay for the life of a program.
pub(super) type Kinds = HashMap<u64, u16>;

/// The objects of a program.
#[derive(Clone, Copy)]
pub(super) struct Heap<'a> {
    pub(super) memory: &'a dyn Memory,
    pub(super) layout: &'a Layout,
}

/// Returns whether a word may be a reference to an object.
pub(super) fn is_reference(word: u64) -> bool {
    word & 3 == 1 && word > 0x1000 && word >> 47 == 0
}

/// Returns a small number that a word holds instead of a reference.
pub(super) fn small_number(word: u64) -> Option<i32> {
    let number = word >> 32;
    (word & 0xffff_ffff == 0).then(|| (number as u32).cast_signed())
}

impl Heap<'_> {
    /// Returns the word at an offset of an object.
    pub(super) fn word(&self, object: u64, offset: u64) -> Option<u64> {
        if !is_reference(object) {
            return None;
        }
        number(self.memory, (object - 1).wrapping_add(offset), 8)
    }

    /// Returns `count` words of an object from an offset on.
    pub(super) fn words(&self, object: u64, offset: u64, count: usize) -> Option<Vec<u64>> {
        let mut bytes = vec![0; count.checked_mul(8)?];
        let address = object.checked_sub(1)?.wrapping_add(offset);
        self.memory.read(address, &mut bytes)?;
        let words = bytes.chunks_exact(8);
        let words = words.filter_map(|word| word.first_chunk().copied().map(u64::from_le_bytes));
        Some(words.collect())
    }

    /// Returns the kind of an object; `None`: it is not an object.
    pub(super) fn kind(&self, kinds: &mut Kinds, object: u64) -> Option<u16> {
        let map = self.word(object, 0)?;
        self.kind_of_map(kinds, map)
    }

    /// Returns what objects with this map are. A map has a map too, and that one has itself.
    pub(super) fn kind_of_map(&self, kinds: &mut Kinds, map: u64) -> Option<u16> {
        if let Some(&kind) = kinds.get(&map) {
            return Some(kind);
        }
        let of_maps = self.word(map, 0)?;
        if self.word(of_maps, 0)? != of_maps {
            return None;
        }
        let at = (map - 1).wrapping_add(self.layout.map_kind);
        let kind = u16::try_from(number(self.memory, at, 2)?).ok()?;
        if self.layout.is_own_structure(kind) {
            if kinds.len() >= MOST_KINDS {
                kinds.clear();
            }
            kinds.insert(map, kind);
        }
        Some(kind)
    }

    /// Returns the shared part of a function that an object is, or wraps.
    pub(super) fn shared_part(&self, kinds: &mut Kinds, object: u64) -> Option<u64> {
        /// Where a wrapper refers to what it wraps.
        const WRAPPED: u64 = 8;
        let kind = self.kind(kinds, object)?;
        if kind == self.layout.shared_kind {
            return Some(object);
        }
        if Some(kind) != self.layout.shared_wrapper_kind {
            return None;
        }
        let shared = self.word(object, WRAPPED)?;
        self.is(kinds, shared, self.layout.shared_kind)
            .then_some(shared)
    }

    /// Returns whether an object is of this kind.
    pub(super) fn is(&self, kinds: &mut Kinds, object: u64, kind: u16) -> bool {
        self.kind(kinds, object) == Some(kind)
    }
}

impl Layout {
    /// Returns whether all objects of this kind have the same map, which never goes away.
    fn is_own_structure(&self, kind: u16) -> bool {
        kind == self.shared_kind
            || kind == self.script_kind
            || kind == self.scope_kind
            || kind == self.bytecodes_kind
            || kind == self.code_kind
            || Some(kind) == self.stream_kind
            || Some(kind) == self.shared_wrapper_kind
            || self.is_string(kind)
    }

    /// Returns whether objects of this kind are texts.
    pub(super) fn is_string(&self, kind: u16) -> bool {
        kind & self.string.not_string == 0
    }
}
