//! Which function an address in optimized code belongs to, and the line: V8 inlines functions into their
//! callers.
//!
//! Beside the code is a table from places in it to positions in sources. A position also says in which inlined
//! function it is, as an index into a second table, which has for each inlined function where it was called
//! and which one it is:
//!
//! ```text
//! positions      bytes: (distance in the code, difference of positions) …, both of variable length
//! a position     bit 0: not of a script; bits 1 to 30: letter + 1; bits 31 to 46: inlined function + 1
//! inlined        16 bytes each: the position of the call; index of the function among the literals
//! ```
//!
//! Optimized code always has them, because V8 reports errors and deoptimizations with them; interpreted code
//! may not. Sources: `source-position.h`, `source-position-table.cc`, `deoptimization-data.h`.

use std::collections::HashMap;
use std::sync::Arc;

use super::budget::Budget;
use super::code::{Piece, Tables};
use super::heap::{Heap, Kinds, small_number};

/// Largest tables that are read, in bytes.
const MOST_BYTES: usize = 64 << 10;
/// Bytes of tables that may be read in each interval.
const MOST_READ: u64 = 8 << 20;
/// Most inlined functions of one piece of code that are accepted.
const MOST_CALLS: u64 = 1024;
/// What reading where an inlined function was called counts as, in bytes.
const CALL_BYTES: u64 = 64;
/// Bytes of them that are kept of one process.
const MOST_KEPT: usize = 16 << 20;
/// Older entries are read again: what they refer to may have moved.
const FRESH_NS: u64 = 1_000_000_000;
/// Most functions inlined into each other that are accepted.
const MOST_DEPTH: usize = 64;
/// Size of an entry of the second table.
const ENTRY_BYTES: usize = 16;
/// How many bits of a byte of a number count, and the one that says that there are more.
const BITS: u32 = 7;
const MORE: u8 = 0x80;
/// Where the length of an array is.
const LENGTH: u64 = 8;
/// What distinguishes a weak reference from a strong one.
const WEAK: u64 = 2;

/// A place in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The shared part of the function.
    pub(super) shared: u64,
    /// The letter; `None`: it is not known.
    pub(super) letter: Option<u32>,
}

/// A position as V8 packs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    letter: Option<u32>,
    /// Index of the inlined function; `None`: it is in the function that was compiled.
    inlined: Option<usize>,
}

impl Position {
    fn of(packed: u64) -> Self {
        let is_of_script = packed & 1 == 0;
        let letter = u32::try_from(packed >> 1 & 0x3fff_ffff).unwrap_or(0);
        let inlined = usize::try_from(packed >> 31 & 0xffff).unwrap_or(0);
        Self {
            letter: letter.checked_sub(1).filter(|_| is_of_script),
            inlined: inlined.checked_sub(1),
        }
    }
}

/// What was read about a piece of code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inlined {
    /// By the distance from the beginning of the code, which ascends.
    positions: Vec<(u32, Position)>,
    /// Where each was called, and its shared part.
    calls: Vec<(Position, u64)>,
}

impl Inlined {
    /// Reads the tables; `None`: they are not what they should be.
    fn read(heap: Heap<'_>, kinds: &mut Kinds, tables: Tables, reads: &mut Budget) -> Option<Self> {
        let layout = heap.layout;
        let positions = positions(&bytes(heap, kinds, tables.positions, reads)?)?;
        let element = |index: u64| heap.word(tables.data, layout.array_data + 8 * index);
        let calls = element(layout.deoptimization_inlined)?;
        let literals = element(layout.deoptimization_literals)?;
        let calls = bytes(heap, kinds, calls, reads)?;
        let n_calls = u64::try_from(calls.len() / ENTRY_BYTES).ok()?;
        if n_calls > MOST_CALLS {
            return None;
        }
        reads.spend(n_calls * CALL_BYTES)?;
        let calls = calls.chunks_exact(ENTRY_BYTES).map(|entry| {
            let position = u64::from_le_bytes(*entry.first_chunk()?);
            let index = u32::from_le_bytes(*entry.get(8..)?.first_chunk()?);
            let literal = heap.word(literals, layout.array_data + 8 * u64::from(index))?;
            let shared = heap.shared_part(kinds, literal & !WEAK)?;
            Some((Position::of(position), shared))
        });
        let calls = calls.collect::<Option<Vec<_>>>()?;
        Some(Self { positions, calls })
    }

    /// Returns the places of an instruction at this distance from the beginning of the code, the
    /// innermost first;
    /// `shared` is the function that was compiled. `None`: there is no position.
    pub(super) fn at(&self, distance: u64, shared: u64) -> Option<Vec<Place>> {
        let distance = u32::try_from(distance).ok()?;
        let behind = self.positions.partition_point(|(at, _)| *at <= distance);
        let (_, mut position) = *self.positions.get(behind.checked_sub(1)?)?;
        let mut places = Vec::new();
        while let Some(inlined) = position.inlined {
            let (call, shared) = *self.calls.get(inlined)?;
            let letter = position.letter;
            places.push(Place { shared, letter });
            if places.len() > MOST_DEPTH {
                return None;
            }
            position = call;
        }
        let letter = position.letter;
        places.push(Place { shared, letter });
        Some(places)
    }

    /// Returns how many bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        self.positions.len() * size_of::<(u32, Position)>()
            + self.calls.len() * size_of::<(Position, u64)>()
    }
}

/// What was read about the code of one process.
#[derive(Debug)]
pub(super) struct AllInlined {
    /// By the beginning of the code.
    of: HashMap<u64, Known>,
    bytes: usize,
    reads: Budget,
}

impl Default for AllInlined {
    fn default() -> Self {
        Self {
            of: HashMap::new(),
            bytes: 0,
            reads: Budget::new(MOST_READ, FRESH_NS),
        }
    }
}

/// What was read about one piece of code, when, and by which another one in its place is
/// recognized.
#[derive(Debug)]
struct Known {
    inlined: Option<Arc<Inlined>>,
    head: [u64; 2],
    checked_ns: u64,
}

impl AllInlined {
    /// Returns the functions inlined into a piece of code; `None`: none is known.
    pub(super) fn of(
        &mut self,
        heap: Heap<'_>,
        kinds: &mut Kinds,
        now_ns: u64,
        piece: &Piece,
    ) -> Option<Arc<Inlined>> {
        let known = self.of.get(&piece.start);
        let known = known.filter(|known| known.head == piece.head);
        if let Some(known) = known
            && now_ns.saturating_sub(known.checked_ns) < FRESH_NS
        {
            return known.inlined.clone();
        }
        let tables = piece.tables?;
        self.reads.is_now(now_ns);
        // A process that has ended reveals nothing new.
        if heap.word(tables.data, 0).is_none() || !self.reads.has(1) {
            return known.and_then(|known| known.inlined.clone());
        }
        let inlined = Inlined::read(heap, kinds, tables, &mut self.reads).map(Arc::new);
        self.keep(piece, inlined.clone(), now_ns);
        inlined
    }

    fn keep(&mut self, piece: &Piece, inlined: Option<Arc<Inlined>>, now_ns: u64) {
        let size = |inlined: &Option<Arc<Inlined>>| {
            size_of::<Known>() + inlined.as_ref().map_or(0, |inlined| inlined.bytes())
        };
        if self.bytes > MOST_KEPT {
            self.of.clear();
            self.bytes = 0;
        }
        self.bytes += size(&inlined);
        let known = Known {
            inlined,
            head: piece.head,
            checked_ns: now_ns,
        };
        if let Some(before) = self.of.insert(piece.start, known) {
            self.bytes -= size(&before.inlined);
        }
    }
}

/// Reads an array of bytes.
fn bytes(heap: Heap<'_>, kinds: &mut Kinds, array: u64, reads: &mut Budget) -> Option<Vec<u8>> {
    let layout = heap.layout;
    let kind = heap.kind(kinds, array)?;
    if !layout.bytes_kinds.contains(&kind) {
        return None;
    }
    let length = usize::try_from(small_number(heap.word(array, LENGTH)?)?).ok()?;
    if length > MOST_BYTES {
        return None;
    }
    reads.spend(u64::try_from(length).ok()?.max(CALL_BYTES))?;
    let mut bytes = vec![0; length];
    if length > 0 {
        let at = (array - 1).wrapping_add(layout.array_data);
        heap.memory.read(at, &mut bytes)?;
    }
    Some(bytes)
}

/// Reads the table of positions.
fn positions(mut bytes: &[u8]) -> Option<Vec<(u32, Position)>> {
    let mut all = Vec::new();
    let (mut at, mut packed) = (0_i64, 0_i64);
    while !bytes.is_empty() {
        let distance = number(&mut bytes)?;
        // The sign says whether it is a statement.
        let distance = if distance < 0 { !distance } else { distance };
        at = at.checked_add(distance)?;
        packed = packed.wrapping_add(number(&mut bytes)?);
        all.push((
            u32::try_from(at).ok()?,
            Position::of(packed.cast_unsigned()),
        ));
    }
    Some(all)
}

/// Reads a number of variable length, whose lowest bit is the sign.
fn number(bytes: &mut &[u8]) -> Option<i64> {
    let mut value = 0_u64;
    let mut shift = 0;
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if shift >= u64::BITS {
            return None;
        }
        value |= u64::from(byte & !MORE) << shift;
        shift += BITS;
        if byte & MORE == 0 {
            break;
        }
    }
    let sign = (value & 1).wrapping_neg();
    Some((value >> 1 ^ sign).cast_signed())
}
