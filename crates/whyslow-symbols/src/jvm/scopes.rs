//! What is inlined at a place of a compiled method.

use super::layout::{Layout, ScopeFields};
use super::packed::{Packed, Packing};
use crate::process_memory::{Memory, number};

/// Largest table of places that is read.
const MOST_PLACE_BYTES: u64 = 512 << 10;
/// Bytes of an entry of it.
const PLACE_BYTES: usize = 16;
/// Methods inlined into each other that are followed.
const MOST_DEPTH: usize = 64;
/// Bytes of three packed numbers.
const SCOPE_BYTES: usize = 15;

/// A method at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inlined {
    /// Its address.
    pub method: u64,
    /// The bytecode, if known.
    pub bytecode: Option<u32>,
}

/// What a compiled method says about its places.
#[derive(Debug)]
pub(super) struct Scopes {
    packing: Packing,
    /// Where the scopes and the methods they name are.
    scopes: u64,
    metadata: u64,
    /// Offset in the code, and that of the innermost scope; in order.
    places: Vec<(i32, i32)>,
}

impl Scopes {
    /// Returns how many bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        self.places.len() * size_of::<(i32, i32)>()
    }

    /// Reads the table of a compiled method at `start` that begins with `head`.
    pub(super) fn read(
        memory: &dyn Memory,
        layout: &Layout,
        start: u64,
        head: &[u8],
    ) -> Option<Self> {
        let (scopes, places, places_end, metadata) = match layout.scopes? {
            ScopeFields::Inside {
                scopes,
                places,
                places_end,
                metadata,
            } => {
                let inside = |offset: u64| start.wrapping_add(offset);
                let [places, end, metadata] =
                    [places, places_end, metadata].map(|field| field.of(head).map(inside));
                (scopes.of(head)?, places?, end?, metadata?)
            }
            ScopeFields::Apart {
                data,
                scopes,
                places,
                mutable,
                relocations,
            } => {
                let data = data.of(head)?;
                let scopes = data.wrapping_add(scopes.of(head)?);
                let relocations = relocations.of(head)?.next_multiple_of(8);
                let metadata = mutable.of(head)?.wrapping_add(relocations);
                (
                    scopes,
                    data.wrapping_add(places.of(head)?),
                    scopes,
                    metadata,
                )
            }
        };
        let bytes = places_end.checked_sub(places)?;
        let bytes = Some(bytes).filter(|&bytes| bytes <= MOST_PLACE_BYTES)?;
        let mut table = vec![0; usize::try_from(bytes).ok()?];
        memory.read(places, &mut table)?;
        let places = table.chunks_exact(PLACE_BYTES).filter_map(|place| {
            let offset = i32::from_le_bytes(*place.first_chunk()?);
            let scope = i32::from_le_bytes(*place.get(4..)?.first_chunk()?);
            (offset >= 0).then_some((offset, scope))
        });
        let mut places: Vec<_> = places.collect();
        places.sort_unstable();
        Some(Self {
            packing: layout.packing,
            scopes,
            metadata,
            places,
        })
    }

    /// Returns the methods at an offset in the code, innermost first. `outermost` is the method that was
    /// compiled; chains that do not lead to it are rejected. A place without a call (`is_leaf`) takes the
    /// next known place.
    pub(super) fn at(
        &self,
        memory: &dyn Memory,
        (offset, is_leaf): (u64, bool),
        outermost: u64,
    ) -> Option<Vec<Inlined>> {
        let offset = i32::try_from(offset).ok()?;
        let place = self.places.partition_point(|&(at, _)| at < offset);
        let &(at, mut scope) = self.places.get(place)?;
        if !is_leaf && at != offset {
            return None;
        }
        let mut methods = Vec::new();
        loop {
            let (sender, inlined) = self.scope(memory, scope)?;
            methods.push(inlined);
            if sender == 0 {
                break;
            }
            if methods.len() >= MOST_DEPTH {
                return None;
            }
            scope = sender;
        }
        (methods.last()?.method == outermost).then_some(methods)
    }

    /// Reads one scope: the offset of the one it is inlined into (0: none), and what it is.
    fn scope(&self, memory: &dyn Memory, at: i32) -> Option<(i32, Inlined)> {
        let at = u64::try_from(at).ok()?;
        let mut bytes = [0; SCOPE_BYTES];
        memory.read(self.scopes.wrapping_add(at), &mut bytes)?;
        let mut packed = Packed::new(&bytes, self.packing);
        let sender = packed.unsigned()?;
        let number_of_method = u64::from(packed.unsigned()?.checked_sub(1)?);
        // One more than the bytecode, because a place may be before the first one.
        let bytecode = packed.unsigned()?.checked_sub(1);
        let entry = self.metadata.wrapping_add(8 * number_of_method);
        let method = number(memory, entry, 8)?;
        Some((i32::try_from(sender).ok()?, Inlined { method, bytecode }))
    }
}
