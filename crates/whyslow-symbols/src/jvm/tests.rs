//! A small virtual machine as literals: one heap with three pieces of code, two methods.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::*;

/// Memory in pieces.
#[derive(Debug, Default)]
struct Pieces(RefCell<BTreeMap<u64, Vec<u8>>>);

impl Pieces {
    fn put(&self, address: u64, bytes: &[u8]) {
        self.0.borrow_mut().insert(address, bytes.to_vec());
    }

    /// Puts words of 8 bytes.
    fn words(&self, address: u64, words: &[u64]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.put(address, &bytes);
    }

    /// Changes some bytes of a piece.
    fn patch(&self, piece: u64, at: usize, bytes: &[u8]) {
        let mut pieces = self.0.borrow_mut();
        pieces.get_mut(&piece).unwrap()[at..at + bytes.len()].copy_from_slice(bytes);
    }
}

impl Memory for Pieces {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        let pieces = self.0.borrow();
        let (start, bytes) = pieces.range(..=address).next_back()?;
        let at = usize::try_from(address - start).ok()?;
        into.copy_from_slice(bytes.get(at..at.checked_add(into.len())?)?);
        Some(())
    }
}

const STRUCTS: u64 = 0x1000;
const TYPES: u64 = 0x1008;
const HEAP_LOW: u64 = 0x10_0000;
/// Bytes of a segment of the heap, and of what precedes a blob in its block.
const SEGMENT: u64 = 64;
const BLOCK: u64 = 16;
/// The blobs: a method of eight segments, the interpreter, an adapter.
const METHOD_BLOB: u64 = HEAP_LOW + BLOCK;
const INTERPRETER_BLOB: u64 = HEAP_LOW + 8 * SEGMENT + BLOCK;
const ADAPTER_BLOB: u64 = HEAP_LOW + 12 * SEGMENT + BLOCK;
/// Where a blob's code begins in it.
const CODE: u64 = 0x80;
const OUTER: u64 = 0x20_0000;
const INNER: u64 = 0x20_1000;
const SCOPES: u64 = 0x30_0000;
const LIST: u64 = 0x40_0000;
const HEAP: u64 = 0x40_1000;
const SEGMENTS: u64 = 0x40_2000;

/// Type, field, type of the field, offset; a static one has an address for it.
const FIELDS: &[(&str, &str, &str, u64)] = &[
    ("GrowableArrayBase", "_len", "int", 0),
    ("GrowableArray<int>", "_data", "int*", 8),
    ("CodeHeap", "_memory", "VirtualSpace", 0),
    ("CodeHeap", "_segmap", "VirtualSpace", 32),
    ("CodeHeap", "_log2_segment_size", "int", 64),
    ("VirtualSpace", "_low", "char*", 0),
    ("VirtualSpace", "_high", "char*", 8),
    ("CodeBlob", "_name", "const char*", 0),
    ("CodeBlob", "_size", "int", 8),
    ("CodeBlob", "_code_begin", "address", 16),
    ("CodeBlob", "_frame_size", "int", 24),
    ("CodeBlob", "_frame_complete_offset", "int", 28),
    ("CompiledMethod", "_method", "Method*", 32),
    ("CompiledMethod", "_scopes_data_begin", "address", 40),
    ("nmethod", "_scopes_pcs_offset", "int", 48),
    ("nmethod", "_dependencies_offset", "int", 52),
    ("nmethod", "_metadata_offset", "int", 56),
    ("Method", "_constMethod", "ConstMethod*", 8),
    ("ConstMethod", "_constants", "ConstantPool*", 8),
    ("ConstMethod", "_name_index", "u2", 16),
    ("ConstMethod", "_flags", "u2", 18),
    ("ConstMethod", "_code_size", "u2", 20),
    ("ConstantPool", "_pool_holder", "InstanceKlass*", 8),
    ("ConstantPool", "_source_file_name_index", "u2", 16),
    ("Klass", "_name", "Symbol*", 8),
    ("Symbol", "_length", "u2", 0),
    ("Symbol", "_body", "", 2),
];
const SIZES: &[(&str, u64)] = &[
    ("HeapBlock", BLOCK),
    ("nmethod", 64),
    ("ConstMethod", 24),
    ("ConstantPool", 24),
];

/// The tables and all they lead to.
fn machine() -> Pieces {
    let pieces = Pieces::default();
    tables(&pieces);
    heap(&pieces);
    method(&pieces, OUTER, "outer", &[0xff, 0, 20, 0]);
    method(&pieces, INNER, "inner", &[0xff, 0, 60, 2 << 3 | 1, 0]);
    scopes(&pieces);
    pieces
}

fn tables(pieces: &Pieces) {
    let mut texts = 0x8000;
    let mut text = |text: &str| {
        let at = texts;
        texts += 0x100;
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(0x100, 0);
        pieces.put(at, &bytes);
        at
    };
    let mut fields = Vec::new();
    for &(of, field, kind, offset) in FIELDS {
        let kind = if kind.is_empty() { 0 } else { text(kind) };
        fields.extend([text(of), text(field), kind, 0, offset, 0]);
    }
    for (of, field, address) in [
        ("CodeCache", "_heaps", 0x6000),
        ("Abstract_VM_Version", "_vm_major_version", 0x6008),
    ] {
        fields.extend([text(of), text(field), text("static"), 1, 0, address]);
    }
    fields.extend([0; 6]);
    let mut sizes = Vec::new();
    for &(of, size) in SIZES {
        sizes.extend([text(of), 0, 0, 0, size]);
    }
    sizes.extend([0; 5]);
    pieces.words(STRUCTS, &[0x50_0000, 0x60_0000]);
    pieces.words(0x50_0000, &fields);
    pieces.words(0x60_0000, &sizes);
    pieces.words(0x6000, &[LIST, 17]);
}

fn heap(pieces: &Pieces) {
    pieces.words(LIST, &[1, LIST + 16, HEAP]);
    let end = HEAP_LOW + 16 * SEGMENT;
    let segments = [SEGMENTS, SEGMENTS + 16];
    pieces.words(
        HEAP,
        &[HEAP_LOW, end, 0, 0, segments[0], segments[1], 0, 0, 6],
    );
    pieces.put(
        SEGMENTS,
        &[0, 1, 2, 3, 1, 2, 3, 4, 0, 1, 2, 3, 0, 1, 0xff, 0xff],
    );
    let mut memory = vec![0; 16 * 64];
    let mut blob = |start: u64, name: &str, size: u64, words: u64| {
        let at = usize::try_from(start - HEAP_LOW).unwrap();
        let name_at = 0x7000 + start % 0x1000;
        let mut text = name.as_bytes().to_vec();
        text.resize(64, 0);
        pieces.put(name_at, &text);
        let head = [name_at, size, start + CODE, words | 8 << 32];
        let head: Vec<u8> = head.iter().flat_map(|word| word.to_le_bytes()).collect();
        memory[at..at + head.len()].copy_from_slice(&head);
    };
    blob(METHOD_BLOB, "nmethod", 7 * SEGMENT, 6);
    blob(INTERPRETER_BLOB, "Interpreter", 3 * SEGMENT, 0);
    blob(ADAPTER_BLOB, "I2C/C2I adapters", SEGMENT, 0);
    // The method, its scopes, and where places and metadata begin and end.
    let tail = [OUTER, SCOPES, 0x120 | 0x150 << 32, 0x150];
    let tail: Vec<u8> = tail.iter().flat_map(|word| word.to_le_bytes()).collect();
    memory[16 + 32..16 + 64].copy_from_slice(&tail);
    let places: [i32; 12] = [-1, 0, 0, 0, 16, 1, 0, 0, 32, 4, 0, 0];
    let places: Vec<u8> = places.iter().flat_map(|word| word.to_le_bytes()).collect();
    memory[16 + 0x120..16 + 0x150].copy_from_slice(&places);
    for (at, method) in [(0x150, OUTER), (0x158, INNER)] {
        memory[16 + at..16 + at + 8].copy_from_slice(&method.to_le_bytes());
    }
    pieces.put(HEAP_LOW, &memory);
}

/// Scopes: at 1 the outer method, at bytecode 7; at 4 the inner one, inlined there, at bytecode 3.
fn scopes(pieces: &Pieces) {
    let mut bytes = vec![0, 0, 1, 8, 1, 2, 4];
    bytes.resize(64, 0);
    pieces.put(SCOPES, &bytes);
}

fn method(pieces: &Pieces, address: u64, name: &str, lines: &[u8]) {
    let [constant, pool, class] = [0x100, 0x300, 0x500].map(|offset| address + offset);
    let symbol = |at: u64, text: &str| {
        let mut bytes = u16::try_from(text.len()).unwrap().to_le_bytes().to_vec();
        bytes.extend_from_slice(text.as_bytes());
        pieces.put(at, &bytes);
        at
    };
    let name = symbol(address + 0x700, name);
    let class_name = symbol(address + 0x780, "shop/Cart$Line");
    let source = symbol(address + 0x7c0, "Cart.java");
    pieces.words(address, &[0, constant]);
    // Name 1, lines, ten bytes of code.
    let mut bytes: Vec<u8> = [0, pool, 1 | 1 << 16 | 10 << 32]
        .iter()
        .flat_map(|word: &u64| word.to_le_bytes())
        .collect();
    bytes.extend([0; 10]);
    bytes.extend_from_slice(lines);
    bytes.resize(200, 0);
    pieces.put(constant, &bytes);
    pieces.words(pool, &[0, class, 2, 0, name, source]);
    pieces.words(class, &[0, class_name]);
}

fn image() -> JvmImage {
    JvmImage::at(STRUCTS, TYPES)
}

fn cache(pieces: &Pieces) -> CodeCache {
    CodeCache::new(Layout::read(pieces, &image(), 0).unwrap())
}

fn methods(cache: &mut CodeCache, pieces: &Pieces, address: u64, is_leaf: bool) -> Vec<String> {
    let code = cache.code(pieces, 0, address, is_leaf).unwrap();
    let methods = code.methods.iter().map(|inlined| {
        let method = cache.method(pieces, 0, inlined.method).unwrap();
        let line = inlined.bytecode.and_then(|bytecode| method.line(bytecode));
        format!("{} {}:{}", method.name, method.file, line.unwrap_or(0))
    });
    methods.collect()
}

#[test]
fn a_place_tells_what_is_inlined_there() {
    let pieces = machine();
    let mut cache = cache(&pieces);
    let code = METHOD_BLOB + CODE;
    let inlined = [
        "shop.Cart$Line.inner shop/Cart.java:31",
        "shop.Cart$Line.outer shop/Cart.java:10",
    ];
    assert_eq!(methods(&mut cache, &pieces, code + 32, false), inlined);
    assert_eq!(methods(&mut cache, &pieces, code + 16, false), inlined[1..]);
    // Between two places the next one tells, if nothing was called there; else nothing is known.
    assert_eq!(methods(&mut cache, &pieces, code + 20, true), inlined);
    let unknown = ["shop.Cart$Line.outer shop/Cart.java:0"];
    assert_eq!(methods(&mut cache, &pieces, code + 20, false), unknown);
    let frame = cache.code(&pieces, 0, code + 16, false).unwrap();
    assert_eq!(frame.frame, CodeFrame::Sized { bytes: 48 });
    let begun = |cache: &mut CodeCache, at| !cache.code(&pieces, 0, at, true).unwrap().is_complete;
    assert!(begun(&mut cache, code + 7) && !begun(&mut cache, code + 8));
}

#[test]
fn other_code_has_frames_of_its_own() {
    let pieces = machine();
    let mut cache = cache(&pieces);
    let mut frame = |at| cache.code(&pieces, 0, at, true).map(|code| code.frame);
    assert_eq!(frame(INTERPRETER_BLOB + CODE), Some(CodeFrame::Interpreted));
    assert_eq!(frame(ADAPTER_BLOB + 4), Some(CodeFrame::Bare));
    assert_eq!(frame(HEAP_LOW + 15 * SEGMENT), None, "a free segment");
    assert_eq!(frame(HEAP_LOW + 16 * SEGMENT), None, "beyond the heap");
}

#[test]
fn code_that_was_replaced_is_looked_at_again() {
    let pieces = machine();
    let mut cache = cache(&pieces);
    let at = METHOD_BLOB + CODE + 16;
    let method = |cache: &mut CodeCache, now_ns| {
        let code = cache.code(&pieces, now_ns, at, false).unwrap();
        code.methods.last().unwrap().method
    };
    assert_eq!(method(&mut cache, 0), OUTER);
    pieces.patch(HEAP_LOW, 16 + 32, &INNER.to_le_bytes());
    assert_eq!(method(&mut cache, 50_000_000), OUTER);
    assert_eq!(method(&mut cache, 200_000_000), INNER);
    // Nothing can be read of a process that has ended: what was known stays.
    pieces.0.borrow_mut().clear();
    assert_eq!(method(&mut cache, 900_000_000), INNER);
}

#[test]
fn what_is_not_told_is_missing() {
    let pieces = machine();
    // The first entry becomes one of another type.
    pieces.patch(0x8100, 0, b"Other\0");
    let error = Layout::read(&pieces, &image(), 0).unwrap_err();
    assert_eq!(
        error,
        NoLayout::Missing("GrowableArrayBase:_len".to_owned())
    );
    pieces.0.borrow_mut().remove(&0x50_0000);
    let error = Layout::read(&pieces, &image(), 0).unwrap_err();
    assert_eq!(error, NoLayout::Unreadable);
}

#[test]
fn damaged_memory_neither_panics_nor_hangs() {
    let mut seed = 0x9e37_79b9_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    for _ in 0..2000 {
        let pieces = machine();
        let starts: Vec<u64> = pieces.0.borrow().keys().copied().collect();
        for _ in 0..1 + random() % 4 {
            let piece = starts[usize::try_from(random()).unwrap_or(0) % starts.len()];
            let mut pieces = pieces.0.borrow_mut();
            let bytes = pieces.get_mut(&piece).unwrap();
            let at = usize::try_from(random()).unwrap_or(0) % bytes.len();
            bytes[at] = random().to_le_bytes()[0];
        }
        let Ok(layout) = Layout::read(&pieces, &image(), 0) else {
            continue;
        };
        let mut cache = CodeCache::new(layout);
        for at in (HEAP_LOW..HEAP_LOW + 16 * SEGMENT).step_by(8) {
            let code = cache.code(&pieces, random() % 1_000_000_000, at, random() % 2 == 0);
            for inlined in code.iter().flat_map(|code| code.methods.iter()) {
                cache.method(&pieces, 0, inlined.method);
            }
        }
    }
}
