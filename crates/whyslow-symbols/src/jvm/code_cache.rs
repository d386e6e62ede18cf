//! All code that a virtual machine generated.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::blob::{Blob, block_start, element};
use super::code_frame::CodeFrame;
use super::layout::Layout;
use super::method::Method;
pub use super::scopes::Inlined;
use crate::process_memory::{Memory, number};

/// Heaps of code that are looked at; there are three.
const MOST_HEAPS: u64 = 16;
/// Pieces of code and methods that are remembered of one process.
const MOST_BLOBS: usize = 64 << 10;
const MOST_METHODS: usize = 32 << 10;
/// Bytes of tables that are remembered of one process.
const MOST_BYTES: usize = 32 << 20;
/// Older entries are read again: code is discarded, and other code takes its place.
const FRESH_NS: u64 = 100_000_000;

/// What is known about an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// How its frame looks.
    pub frame: CodeFrame,
    /// Whether the frame is already complete.
    pub is_complete: bool,
    /// The methods that run there, innermost first; empty for code of the virtual machine itself.
    pub methods: Arc<[Inlined]>,
    /// The name of code of the virtual machine itself.
    pub name: Option<Arc<str>>,
}

/// A heap of code.
#[derive(Debug, Clone, Copy)]
struct Heap {
    low: u64,
    high: u64,
    segments: u64,
    log2: u64,
}

/// What was read at the address of a method.
#[derive(Debug)]
struct KnownMethod {
    /// `None`: there was none.
    method: Option<Arc<Method>>,
    /// Where its constant part is, by which another one in its place is recognized.
    constant: u64,
    /// When it was looked at last.
    checked_ns: u64,
}

/// The code of one virtual machine, as far as it was asked for.
#[derive(Debug)]
pub struct CodeCache {
    layout: Layout,
    heaps: Vec<Heap>,
    heaps_ns: Option<u64>,
    /// By their start.
    blobs: BTreeMap<u64, Blob>,
    methods: HashMap<u64, KnownMethod>,
    /// Of the blobs' tables.
    bytes: usize,
}

impl CodeCache {
    /// Returns a code cache about which nothing is known yet.
    pub fn new(layout: Layout) -> Self {
        Self {
            layout,
            heaps: Vec::new(),
            heaps_ns: None,
            blobs: BTreeMap::new(),
            methods: HashMap::new(),
            bytes: 0,
        }
    }

    /// Returns what the code at `address` is: an instruction pointer (`is_leaf`) or a return address.
    /// `now_ns` is any monotonic clock.
    pub fn code(
        &mut self,
        memory: &dyn Memory,
        now_ns: u64,
        address: u64,
        is_leaf: bool,
    ) -> Option<Code> {
        let inside = address.wrapping_sub(u64::from(!is_leaf));
        self.refresh(memory, now_ns, inside)?;
        let (_, blob) = self.blobs.range_mut(..=inside).next_back()?;
        Some(Code {
            frame: blob.frame,
            is_complete: !is_leaf || address >= blob.complete,
            methods: blob.methods(memory, address, is_leaf),
            name: blob.name.clone(),
        })
    }

    /// Returns the method at `address`.
    pub fn method(
        &mut self,
        memory: &dyn Memory,
        now_ns: u64,
        address: u64,
    ) -> Option<Arc<Method>> {
        if let Some(known) = self.methods.get_mut(&address) {
            if now_ns.saturating_sub(known.checked_ns) < FRESH_NS {
                return known.method.clone();
            }
            // A process that has ended reveals nothing new.
            let constant = self.layout.method_const.at(memory, address);
            if known.method.is_some() && constant.is_none_or(|now| now == known.constant) {
                known.checked_ns = now_ns;
                return known.method.clone();
            }
        }
        if self.methods.len() >= MOST_METHODS {
            self.methods.clear();
        }
        let known = KnownMethod {
            method: Method::read(memory, &self.layout, address).map(Arc::new),
            constant: self.layout.method_const.at(memory, address).unwrap_or(0),
            checked_ns: now_ns,
        };
        let method = known.method.clone();
        self.methods.insert(address, known);
        method
    }

    /// Makes sure that the blob around an address is known, and is the one that is there now.
    fn refresh(&mut self, memory: &dyn Memory, now_ns: u64, address: u64) -> Option<()> {
        let known = self.blobs.range_mut(..=address).next_back();
        if let Some((&start, blob)) = known.filter(|(_, blob)| address < blob.end) {
            if now_ns.saturating_sub(blob.checked_ns) < FRESH_NS {
                return Some(());
            }
            // A process that has ended reveals nothing new.
            if blob.is_current(memory, &self.layout) || number(memory, start, 8).is_none() {
                blob.checked_ns = now_ns;
                return Some(());
            }
            self.blobs.remove(&start);
        }
        let start = self.start_of(memory, now_ns, address)?;
        let mut blob = Blob::read(memory, &self.layout, start)?;
        if !(blob.start..blob.end).contains(&address) {
            return None;
        }
        blob.checked_ns = now_ns;
        self.bytes = self.bytes.saturating_add(blob.bytes());
        if self.blobs.len() >= MOST_BLOBS || self.bytes > MOST_BYTES {
            self.blobs.clear();
            self.bytes = blob.bytes();
        }
        // What lies within it is gone.
        while let Some((&old, _)) = self.blobs.range(start..blob.end).next() {
            self.blobs.remove(&old);
        }
        self.blobs.insert(start, blob);
        Some(())
    }

    fn start_of(&mut self, memory: &dyn Memory, now_ns: u64, address: u64) -> Option<u64> {
        let around = |heaps: &[Heap]| {
            let mut heaps = heaps.iter();
            heaps
                .find(|heap| (heap.low..heap.high).contains(&address))
                .copied()
        };
        let heap = match around(&self.heaps) {
            Some(heap) => heap,
            None => {
                self.read_heaps(memory, now_ns);
                around(&self.heaps)?
            }
        };
        let segment = (address - heap.low) >> heap.log2;
        let block = block_start(memory, heap.segments, segment)?;
        let start = heap.low.wrapping_add(block << heap.log2);
        Some(start.wrapping_add(self.layout.heap_block_bytes))
    }

    /// Reads where heaps of code are; they grow.
    fn read_heaps(&mut self, memory: &dyn Memory, now_ns: u64) {
        let is_fresh = |at: u64| now_ns.saturating_sub(at) < FRESH_NS;
        if self.heaps_ns.is_some_and(is_fresh) && !self.heaps.is_empty() {
            return;
        }
        self.heaps_ns = Some(now_ns);
        if let Some(heaps) = heaps(memory, &self.layout) {
            self.heaps = heaps;
        }
    }
}

fn heaps(memory: &dyn Memory, layout: &Layout) -> Option<Vec<Heap>> {
    let list = number(memory, layout.heaps, 8)?;
    let length = layout.array_length.at(memory, list)?.min(MOST_HEAPS);
    let data = layout.array_data.at(memory, list)?;
    let heap = |index| {
        let heap = element(memory, data, index)?;
        let space = heap.wrapping_add(layout.heap_memory);
        let segments = heap.wrapping_add(layout.heap_segments);
        let log2 = layout.heap_log2.at(memory, heap)?;
        Some(Heap {
            low: layout.space_low.at(memory, space)?,
            high: layout.space_high.at(memory, space)?,
            segments: layout.space_low.at(memory, segments)?,
            log2: (log2 < 32).then_some(log2)?,
        })
    };
    (0..length).map(heap).collect()
}
