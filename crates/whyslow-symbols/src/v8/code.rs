//! Code that V8 compiled.

use std::collections::{BTreeMap, HashMap};

use super::budget::Budget;
use super::heap::{Heap, Kinds, is_reference};
use crate::process_memory::number;

/// Pieces of code that are remembered of one process.
const MOST_PIECES: usize = 64 << 10;
/// Pages of addresses that are remembered to be in none.
const MOST_MISSES: usize = 4096;
/// Older entries are read again: code is discarded, and other code takes its place.
const FRESH_NS: u64 = 100_000_000;
/// Code begins at multiples of this.
const ALIGNMENT: u64 = 32;
/// How far from an address its code may begin.
const MOST_BYTES: u64 = 512 << 10;
/// Memory that is read at once on the way there.
const BLOCK_BYTES: u64 = 4096;
/// Reads that looking for code may cost, all of it in each interval and one address.
const MOST_READS: u64 = 16 << 10;
const MOST_READS_OF_ONE: u64 = 1024;
/// Reads that it takes to see whether a word is a map, and whether code is there.
const MAP_READS: u64 = 4;
const PIECE_READS: u64 = 32;
/// Words of the descriptions of code that are looked at.
const CODE_WORDS: usize = 12;
/// Bytes at the beginning of code in which it makes its frame.
const PROLOGUE_BYTES: usize = 128;
/// `push rbp; mov rbp, rsp`.
const MAKES_FRAME: &[u8] = &[0x55, 0x48, 0x89, 0xe5];
/// `ret`, with and without a number of bytes.
const RETURNS: [u64; 2] = [0xc3, 0xc2];

/// Where the tables of the functions inlined into a piece of optimized code are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tables {
    /// The deoptimization data.
    pub(super) data: u64,
    /// The bytes of positions.
    pub(super) positions: u64,
}

/// A piece of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) start: u64,
    /// Where its frame is complete.
    complete: u64,
    /// The shared part of the function that it was compiled of with optimizations; `None`: it is other code.
    pub(super) shared: Option<u64>,
    /// The tables of functions inlined into it; without them it has none.
    pub(super) tables: Option<Tables>,
    /// Its first words, by which another one in its place is recognized.
    pub(super) head: [u64; 2],
    /// An address after it: its end, or the largest one that was looked for and one.
    end: u64,
    /// Whether that is its exact end; else its code may extend beyond it.
    pub(super) is_sized: bool,
    /// Whether a frame said that it is in other code.
    is_doubted: bool,
    checked_ns: u64,
}

impl Piece {
    /// Returns whether the frame of this code is complete at an instruction pointer.
    pub(super) fn has_frame(&self, heap: Heap<'_>, address: u64) -> bool {
        let at_return = || {
            let byte = number(heap.memory, address, 1);
            byte.is_some_and(|byte| RETURNS.contains(&byte))
        };
        address >= self.complete && !at_return()
    }
}

/// A page with an address that is in no code of V8.
#[derive(Debug)]
struct Miss {
    /// The lowest such address: code that begins before the page and holds a higher one holds it too.
    lowest: u64,
    checked_ns: u64,
}

/// All code that was looked up.
#[derive(Debug)]
pub(super) struct Code {
    pieces: BTreeMap<u64, Piece>,
    /// By page.
    misses: HashMap<u64, Miss>,
    reads: Budget,
    /// What pieces of code have as their map, once one was found.
    map: Option<u64>,
}

impl Default for Code {
    fn default() -> Self {
        Self {
            pieces: BTreeMap::new(),
            misses: HashMap::new(),
            reads: Budget::new(MOST_READS, FRESH_NS),
            map: None,
        }
    }
}

impl Code {
    /// Returns the code at an address.
    pub(super) fn at(
        &mut self,
        heap: Heap<'_>,
        kinds: &mut Kinds,
        now_ns: u64,
        address: u64,
    ) -> Option<Piece> {
        if let Some((&start, piece)) = self.pieces.range_mut(..=address).next_back()
            && address < piece.end
        {
            if now_ns.saturating_sub(piece.checked_ns) < FRESH_NS {
                return Some(*piece);
            }
            let head = head(heap, start, heap.layout.stream_start);
            // A process that has ended reveals nothing new. Doubted code is looked for again.
            if head.is_none_or(|head| head == piece.head && !piece.is_doubted) {
                piece.checked_ns = now_ns;
                return Some(*piece);
            }
            self.pieces.remove(&start);
        }
        self.reads.is_now(now_ns);
        let page = address & !(BLOCK_BYTES - 1);
        let is_missed = self.misses.get(&page).is_some_and(|miss| {
            address >= miss.lowest && now_ns.saturating_sub(miss.checked_ns) < FRESH_NS
        });
        let back = if is_missed {
            address - page
        } else {
            MOST_BYTES
        };
        let Some(mut piece) = self.find(heap, kinds, address, back) else {
            if !is_missed {
                self.miss(page, address, now_ns);
            }
            return None;
        };
        piece.checked_ns = now_ns;
        if self.pieces.len() >= MOST_PIECES {
            self.pieces.clear();
        }
        self.pieces.insert(piece.start, piece);
        Some(piece)
    }

    /// Returns the code at an address if it was found before, not long ago.
    pub(super) fn known(&self, now_ns: u64, address: u64) -> Option<Piece> {
        let (_, piece) = self.pieces.range(..=address).next_back()?;
        let is_fresh = now_ns.saturating_sub(piece.checked_ns) < FRESH_NS;
        (address < piece.end && is_fresh).then_some(*piece)
    }

    /// Remembers that an address is in no code.
    fn miss(&mut self, page: u64, address: u64, now_ns: u64) {
        if self.misses.len() >= MOST_MISSES {
            self.misses.clear();
        }
        let miss = Miss {
            lowest: address,
            checked_ns: now_ns,
        };
        self.misses.insert(page, miss);
    }

    /// A frame said that it is not in the code that begins here, though its address may be.
    pub(super) fn doubt(&mut self, start: u64) {
        if let Some(piece) = self.pieces.get_mut(&start) {
            piece.is_doubted = true;
        }
    }

    /// Searches backwards from an address, up to a limit, for where its code begins.
    fn find(
        &mut self,
        heap: Heap<'_>,
        kinds: &mut Kinds,
        address: u64,
        back: u64,
    ) -> Option<Piece> {
        let mut left = MOST_READS_OF_ONE;
        let header = heap.layout.stream_start;
        let mut block = vec![0; usize::try_from(BLOCK_BYTES).ok()?];
        let mut block_at = None;
        let mut start = address & !(ALIGNMENT - 1);
        let lowest = address.saturating_sub(back).max(ALIGNMENT);
        while start >= lowest {
            let map_at = start.checked_sub(header)?;
            let of = map_at & !(BLOCK_BYTES - 1);
            if block_at != Some(of) {
                self.spend(1, &mut left)?;
                heap.memory.read(of, &mut block)?;
                block_at = Some(of);
            }
            let word = block.get(usize::try_from(map_at - of).ok()?..)?;
            let word = u64::from_le_bytes(*word.first_chunk()?);
            if self.is_map(heap, kinds, word, &mut left)? {
                self.spend(PIECE_READS, &mut left)?;
                if let Some(piece) = piece(heap, kinds, start, address) {
                    self.map = Some(word);
                    return Some(piece);
                }
            }
            start -= ALIGNMENT;
        }
        None
    }

    /// Returns whether a word is the map of code; `None`: the budget is spent.
    fn is_map(
        &mut self,
        heap: Heap<'_>,
        kinds: &mut Kinds,
        word: u64,
        left: &mut u64,
    ) -> Option<bool> {
        if let Some(map) = self.map {
            return Some(word == map);
        }
        if !is_reference(word) {
            return Some(false);
        }
        self.spend(MAP_READS, left)?;
        let wanted = heap.layout.stream_kind.unwrap_or(heap.layout.code_kind);
        Some(heap.kind_of_map(kinds, word) == Some(wanted))
    }

    /// Spends reads of the interval, and of what is left for one address.
    fn spend(&mut self, reads: u64, left: &mut u64) -> Option<()> {
        *left = left.checked_sub(reads)?;
        self.reads.spend(reads)
    }
}

/// Returns the first words of the object with the code that begins at `start`.
fn head(heap: Heap<'_>, start: u64, header: u64) -> Option<[u64; 2]> {
    let object = start.wrapping_sub(header) + 1;
    let words = heap.words(object, 0, 2)?;
    Some([*words.first()?, *words.get(1)?])
}

/// Reads the piece of code that begins at `start`, if there is one and `address` is in it.
fn piece(heap: Heap<'_>, kinds: &mut Kinds, start: u64, address: u64) -> Option<Piece> {
    let layout = heap.layout;
    let object = start.wrapping_sub(layout.stream_start) + 1;
    let code = match layout.stream_kind {
        // What describes the code refers to where it begins.
        Some(_) => {
            let header = usize::try_from(layout.stream_start / 8).ok()?;
            let words = heap.words(object, 0, header)?;
            let mut words = words.into_iter().skip(1);
            words.find(|&word| heap.is(kinds, word, layout.code_kind))?
        }
        None => object,
    };
    let words = heap.words(code, 0, CODE_WORDS)?;
    if layout.stream_kind.is_some() && !words.contains(&start) {
        return None;
    }
    let end = match layout.code_bytes {
        Some(offset) => {
            let bytes = number(heap.memory, (code - 1).wrapping_add(offset), 4)?;
            start.wrapping_add(bytes)
        }
        None => address.checked_add(1)?,
    };
    if address >= end {
        return None;
    }
    // The positions follow the deoptimization data.
    let compiled = words.windows(2).skip(1).find_map(|pair| {
        let [data, positions] = *pair else {
            return None;
        };
        let kind = heap.kind(kinds, data)?;
        let is_array = layout.array_kinds.contains(&kind);
        let shared = is_array.then(|| compiled_of(heap, kinds, data)).flatten()?;
        Some((shared, Tables { data, positions }))
    });
    let mut prologue = [0; PROLOGUE_BYTES];
    let made = heap.memory.read(start, &mut prologue).and_then(|()| {
        let mut places = prologue.windows(MAKES_FRAME.len());
        places.position(|bytes| bytes == MAKES_FRAME)
    });
    let made = made.map_or(0, |at| at + MAKES_FRAME.len());
    Some(Piece {
        start,
        complete: start.wrapping_add(made as u64),
        shared: compiled.map(|(shared, _)| shared),
        tables: compiled.map(|(_, tables)| tables),
        head: head(heap, start, layout.stream_start)?,
        end,
        is_sized: layout.code_bytes.is_some(),
        is_doubted: false,
        checked_ns: 0,
    })
}

/// Returns the function that deoptimization data are of.
fn compiled_of(heap: Heap<'_>, kinds: &mut Kinds, data: u64) -> Option<u64> {
    let layout = heap.layout;
    let at = layout.array_data + 8 * layout.deoptimization_shared;
    heap.shared_part(kinds, heap.word(data, at)?)
}
