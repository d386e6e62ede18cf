//! Memory that was made to cost much: everything read of it is counted, and bounded.

use std::cell::Cell;

use super::super::code::Code;
use super::super::function::Scripts;
use super::super::heap::{Heap, Kinds};
use super::*;

/// Reads that one frame may cost, beside looking for its code.
const MOST_READS_OF_FRAME: u64 = 8192;
const STRINGS: u64 = 0x6_0000;
const CONS: u16 = STRING_KIND | 1;
const SLICED: u16 = STRING_KIND | 3;
const THIN: u16 = STRING_KIND | 5;

/// How the answers of a [`Hostile`] differ from what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lie {
    None,
    /// Every so many reads a byte is another one.
    Every(u64),
    /// What is not there is full of references to this.
    Full(u64),
}

/// Memory that lies, and counts what is read of it.
#[derive(Debug)]
struct Hostile {
    pieces: Pieces,
    lie: Lie,
    seed: Cell<u64>,
    reads: Cell<u64>,
    bytes: Cell<u64>,
}

impl Hostile {
    fn new(pieces: Pieces, lie: Lie, seed: u64) -> Self {
        Self {
            pieces,
            lie,
            seed: Cell::new(seed),
            reads: Cell::new(0),
            bytes: Cell::new(0),
        }
    }

    /// Returns what was read since the last time: how often, and how many bytes.
    fn spent(&self) -> (u64, u64) {
        (self.reads.take(), self.bytes.take())
    }

    fn random(&self) -> u64 {
        let mut seed = self.seed.get();
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        self.seed.replace(seed);
        seed
    }
}

impl Memory for Hostile {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        self.reads.set(self.reads.get() + 1);
        self.bytes.set(self.bytes.get() + into.len() as u64);
        let read = self.pieces.read(address, into);
        match self.lie {
            Lie::Every(n) if self.random().is_multiple_of(n) => {
                let at = usize::try_from(self.random()).unwrap() % into.len().max(1);
                *into.get_mut(at)? ^= self.random().to_le_bytes()[0];
            }
            Lie::Full(word) if read.is_none() => {
                let bytes = word.to_le_bytes();
                for (at, byte) in (address..).zip(into) {
                    *byte = bytes[usize::try_from(at % 8).unwrap()];
                }
                return Some(());
            }
            _ => {}
        }
        read
    }
}

/// Puts a text of this form and length that refers to two others.
fn put_string(memory: &Pieces, kind: u16, at: u64, length: u32, parts: [u64; 2]) -> u64 {
    let map = META + 0x10 * u64::from(kind);
    memory.object(map, &[META + 1, u64::from(kind) << 32]);
    memory.object(at, &[map + 1, u64::from(length) << 32, parts[0], parts[1]])
}

/// Reads a text; also tells what that cost.
fn text(pieces: Pieces, string: u64, most: u64) -> (Option<String>, (u64, u64)) {
    pieces.object(META, &[META + 1, 0]);
    let memory = Hostile::new(pieces, Lie::None, 1);
    let layout = layout(false);
    let heap = Heap {
        memory: &memory,
        layout: &layout,
    };
    let text = heap.text(&mut Kinds::new(), string, most);
    (text, memory.spent())
}

/// Puts texts that have the one before as both halves, so often; returns the last one.
fn put_doubled(memory: &Pieces, length: u32, times: u32) -> u64 {
    let map = memory.map(META + 0x10 * u64::from(STRING_KIND), STRING_KIND);
    let mut string = memory.text(STRINGS, map, "abcdefgh");
    for time in 1..=times {
        let at = STRINGS + 0x100 * u64::from(time);
        string = put_string(memory, CONS, at, length, [string; 2]);
    }
    string
}

#[test]
fn parts_of_texts_that_are_shared_are_bounded() {
    let memory = Pieces::default();
    let string = put_doubled(&memory, 16, 3);
    let (whole, _) = text(memory, string, 64);
    assert_eq!(whole, Some("abcdefgh".repeat(8)));
    // Each of them says that it is short: all letters count.
    let memory = Pieces::default();
    let string = put_doubled(&memory, 8, 3);
    assert_eq!(text(memory, string, 63).0, None);
    let memory = Pieces::default();
    let string = put_doubled(&memory, 8, 15);
    let (whole, (reads, bytes)) = text(memory, string, 1 << 20);
    assert_eq!(whole, None);
    assert!(reads < 1024 && bytes < 16384, "{reads} {bytes}");
}

#[test]
fn texts_that_lead_to_themselves_end() {
    for kind in [CONS, SLICED, THIN] {
        let memory = Pieces::default();
        let string = put_string(&memory, kind, STRINGS, 0, [STRINGS + 1, small(0)]);
        let (whole, (reads, bytes)) = text(memory, string, 4096);
        assert_eq!(whole, None, "{kind}");
        assert!(reads < 1024 && bytes < 16384, "{kind}: {reads} {bytes}");
    }
    // One within the other.
    let memory = Pieces::default();
    let thin = put_string(&memory, THIN, STRINGS, 1, [STRINGS + 0x101, 0]);
    put_string(&memory, SLICED, STRINGS + 0x100, 1, [thin, small(1)]);
    let string = put_string(&memory, CONS, STRINGS + 0x200, 1, [thin, thin]);
    let (whole, (reads, _)) = text(memory, string, 4096);
    assert_eq!(whole, None);
    assert!(reads < 1024, "{reads}");
}

#[test]
fn a_frame_costs_little_whatever_is_there() {
    let start = COMPILED + 32;
    for seed in 1..500 {
        let memory = Hostile::new(heap(false), Lie::Every(1 + seed % 16), seed);
        let mut frames = Frames::new(layout(false));
        let of_a = frame_of(FUNCTION_A, BYTECODES_A);
        for address in [0x500, start + 0x40, start + 0x4000, start + 4] {
            frames.at(&memory, seed, &at(address, seed % 2 == 0, &of_a));
            let (reads, _) = memory.spent();
            assert!(reads < MOST_READS_OF_FRAME, "{seed}: {reads}");
        }
    }
}

/// Looks for code at many addresses in memory that seems to be full of it; returns how many reads that cost.
fn reads_of_addresses(code: &mut Code, memory: &Hostile, now_ns: u64, addresses: u64) -> u64 {
    let layout = layout(false);
    let heap = Heap {
        memory,
        layout: &layout,
    };
    for at in 0..addresses {
        code.at(heap, &mut Kinds::new(), now_ns, 0x7000_0000 + 0x1_0000 * at);
    }
    memory.spent().0
}

#[test]
fn looking_for_code_is_bounded() {
    // What code has as its map.
    let map = META + 0x10 * 305 + 1;
    let memory = Hostile::new(heap(false), Lie::Full(map), 1);
    let mut code = Code::default();
    let first = reads_of_addresses(&mut code, &memory, 0, 1);
    assert!(first < 4096, "{first}");
    let many = reads_of_addresses(&mut code, &memory, 0, 4000);
    assert!(many < 64 << 10, "{many}");
    // All is spent, till the next interval.
    let none = reads_of_addresses(&mut code, &memory, 0, 4000);
    assert!(none < 4096, "{none}");
    let next = reads_of_addresses(&mut code, &memory, 1_000_000_000, 1);
    assert!(next > 10, "{next}");
}

#[test]
fn a_page_without_code_is_looked_at_alone() {
    // Zeros, where code may be.
    let memory = Hostile::new(heap(false), Lie::Full(0), 1);
    let layout = layout(false);
    let heap = Heap {
        memory: &memory,
        layout: &layout,
    };
    let mut code = Code::default();
    let mut reads = |address| {
        assert_eq!(code.at(heap, &mut Kinds::new(), 0, address), None);
        memory.spent().0
    };
    assert!(reads(0x7000_0100) > 100);
    for address in 0x7000_0101..0x7000_0f00 {
        assert!(reads(address) <= 2);
    }
    // Code that begins before the page may hold what is lower.
    assert!(reads(0x7000_00ff) > 100);
}

#[test]
fn code_without_a_size_is_what_its_frame_says() {
    let memory = heap(false);
    let mut unsized_code = Arc::unwrap_or_clone(layout(false));
    unsized_code.code_bytes = None;
    let mut frames = Frames::new(Arc::new(unsized_code));
    let start = COMPILED + 32;
    let nothing = |_| None;
    let address = at(start + 0x40, false, &nothing);
    assert_eq!(frames.at(&memory, 0, &address), None);
    // Another function's frame, which is not in this code.
    let of_a = frame_of(FUNCTION_A, 0);
    let behind = at(start + 0x80, false, &of_a);
    assert_eq!(frames.at(&memory, 0, &behind), None);
    let of_b = frame_of(FUNCTION_B, 0);
    let frame = frames.at(&memory, 0, &at(start + 0x40, false, &of_b));
    assert_eq!(told(&frame.unwrap()).0, "b");
    // Before it made its frame, the frame is the caller's.
    assert_eq!(frames.at(&memory, 0, &at(start + 4, true, &of_b)), None);
    // The frame of the interpreter is sure of itself.
    let of_a = frame_of(FUNCTION_A, BYTECODES_A);
    let frame = frames.at(&memory, 0, &at(start + 0x80, false, &of_a));
    assert_eq!(told(&frame.unwrap()).0, "a");
}

/// Puts scripts with this source; returns them.
fn put_scripts(memory: &Pieces, source: &str, count: u64) -> Vec<u64> {
    let map = META + 0x10 * u64::from(STRING_KIND) + 1;
    let script = META + 0x10 * 301 + 1;
    let source = memory.text(STRINGS, map, source);
    let name = memory.text(STRINGS + 0x8000, map, "/x.js");
    let put = |n: u64| memory.object(STRINGS + 0x1_0000 + 0x100 * n, &[script, source, name, 0]);
    (0..count).map(put).collect()
}

#[test]
fn sources_are_read_within_a_budget() {
    const SECOND: u64 = 1_000_000_000;
    let memory = heap(false);
    let objects = put_scripts(&memory, &"\n".repeat(1000), 8);
    let memory = Hostile::new(memory, Lie::None, 1);
    let layout = layout(false);
    let heap = Heap {
        memory: &memory,
        layout: &layout,
    };
    let mut scripts = Scripts::new(1 << 20, 2500);
    let mut lines = |now_ns| {
        scripts.is_now(now_ns);
        let mut line = |&object| {
            let script = scripts.get(heap, &mut Kinds::new(), object).unwrap();
            assert_eq!(script.line(7).is_none(), scripts.is_put_off());
            script.line(7)
        };
        objects.iter().filter_map(&mut line).count()
    };
    assert_eq!(lines(0), 2);
    assert!(memory.spent().1 < 8 * 1024);
    // Those that had to wait have their lines later.
    assert_eq!(lines(SECOND / 2), 2);
    assert_eq!(lines(SECOND), 4);
    assert_eq!(lines(2 * SECOND), 6);
}

#[test]
fn one_script_makes_room_for_another() {
    let memory = heap(false);
    let objects = put_scripts(&memory, &"\n".repeat(1000), 4);
    let memory = Hostile::new(memory, Lie::None, 1);
    let layout = layout(false);
    let heap = Heap {
        memory: &memory,
        layout: &layout,
    };
    // Three fit, with four bytes for each line.
    let mut scripts = Scripts::new(3 * 4100, 1 << 20);
    let mut bytes = |object| {
        scripts.get(heap, &mut Kinds::new(), object).unwrap();
        memory.spent().1
    };
    for &object in &objects {
        assert!(bytes(object) > 1000);
    }
    for &object in &objects[1..] {
        assert!(bytes(object) < 100);
    }
    assert!(bytes(objects[0]) > 1000);
}
