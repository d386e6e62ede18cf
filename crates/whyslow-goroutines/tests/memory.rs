//! Memory made up: very many goroutines, damage, a process that ends while it is read.

#![expect(clippy::unwrap_used, reason = "a test may stop")]

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use whyslow_goroutines::{NoRuntime, Observer, Runtime, State};
use whyslow_symbols::go::GoImage;
use whyslow_symbols::jvm::Memory;

/// Where things are: the list, its entries, the structures, a stack for each.
const LIST: u64 = 0x50_0000;
const ENTRIES: u64 = 0x100_0000;
const STRUCTURES: u64 = 0x1000_0000;
const STACKS: u64 = 0x40_0000_0000;
/// Bytes of a structure and of a stack.
const SIZE: u64 = 512;
const STACK: u64 = 2048;

/// Memory in blocks that can be read each by itself.
#[derive(Default)]
struct Made {
    blocks: RefCell<BTreeMap<u64, Vec<u8>>>,
    reads: Cell<u64>,
    bytes: Cell<u64>,
    /// Reads that succeed from now on.
    left: Cell<Option<u64>>,
}

impl Memory for Made {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        self.reads.set(self.reads.get() + 1);
        self.bytes.set(self.bytes.get() + into.len() as u64);
        if let Some(left) = self.left.get() {
            self.left.set(Some(left.checked_sub(1)?));
        }
        let blocks = self.blocks.borrow();
        let (start, block) = blocks.range(..=address).next_back()?;
        let at = usize::try_from(address - start).ok()?;
        into.copy_from_slice(block.get(at..at.checked_add(into.len())?)?);
        Some(())
    }
}

impl Made {
    /// A process of Go 1.26 with so many goroutines that wait.
    fn new(count: u64) -> Self {
        let made = Self::default();
        let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        made.put(LIST, words(&[ENTRIES, count, count.next_power_of_two()]));
        let entries: Vec<u64> = (0..count)
            .map(|number| STRUCTURES + number * SIZE)
            .collect();
        made.put(ENTRIES, words(&entries));
        made.put(STRUCTURES, vec![0; usize::try_from(count * SIZE).unwrap()]);
        made.put(STACKS, vec![0x11; usize::try_from(count * STACK).unwrap()]);
        for number in 0..count {
            made.goroutine(number, number + 1, 4, 1);
        }
        made
    }

    fn put(&self, address: u64, bytes: Vec<u8>) {
        self.blocks.borrow_mut().insert(address, bytes);
    }

    /// Writes one structure.
    fn goroutine(&self, number: u64, id: u64, status: u32, stops: u8) {
        let address = STRUCTURES + number * SIZE;
        let stack = STACKS + number * STACK;
        for (at, word) in [
            (0, stack),
            (8, stack + STACK),
            (56, stack + STACK - 256),
            (64, 0x40_1000),
            (72, address),
            (96, stack + STACK - 128),
            (152, id),
        ] {
            self.set(address + at, &word.to_le_bytes());
        }
        self.set(address + 144, &status.to_le_bytes());
        self.set(address + 191, &[stops]);
    }

    fn set(&self, address: u64, bytes: &[u8]) {
        let mut blocks = self.blocks.borrow_mut();
        let (start, block) = blocks.range_mut(..=address).next_back().unwrap();
        let at = usize::try_from(address - start).unwrap();
        block[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn observer(&self) -> Observer {
        Observer::new(1, self.runtime().unwrap())
    }

    fn runtime(&self) -> Result<Runtime, NoRuntime> {
        // Other places that the code refers to hold something else.
        let image = GoImage::with_places(26, &[0x10, STACKS, LIST + 8, LIST]);
        Runtime::find(self, &image, 0)
    }
}

#[test]
fn a_goroutine_that_waits_anew_is_told_anew() {
    let made = Made::new(3);
    let mut observer = made.observer();
    let first = observer.look(&made, 10).unwrap();
    assert_eq!((first.changes.len(), first.seen), (3, 3));
    assert!(first.changes.iter().all(|change| change.stack.is_some()));
    assert_eq!(observer.look(&made, 20).unwrap().changes, []);

    // At the same place, but it ran in between.
    made.goroutine(1, 2, 4, 2);
    // Another one runs, and the third one's structure has become another goroutine's.
    made.goroutine(0, 1, 2, 1);
    made.goroutine(2, 9, 4 | 0x1000, 1);
    let third = observer.look(&made, 30).unwrap();
    let told: Vec<_> = third
        .changes
        .iter()
        .map(|change| (change.id, change.state, change.stack.is_some()))
        .collect();
    assert_eq!(
        told,
        [
            (3, None, false),
            (1, Some(State::Running), false),
            (2, Some(State::Waiting), true),
            (9, Some(State::Waiting), true),
        ]
    );
    // Ends.
    made.goroutine(2, 9, 6, 1);
    let ended = observer.look(&made, 40).unwrap();
    assert_eq!(ended.changes.len(), 1);
    assert_eq!((ended.changes[0].id, ended.changes[0].state), (9, None));
}

#[test]
fn of_very_many_goroutines_a_part_stands_for_all() {
    let made = Made::new(100_000);
    let mut observer = made.observer();
    made.reads.set(0);
    made.bytes.set(0);
    let first = observer.look(&made, 10).unwrap();
    assert!(first.seen <= 1024 && first.changes.len() <= 1024);
    let all: u64 = first
        .changes
        .iter()
        .map(|change| u64::from(change.stands_for))
        .sum();
    let seen = u64::try_from(first.seen).unwrap();
    let each = u64::from(first.changes[0].stands_for);
    assert!((95_000..=105_000).contains(&(seen * each)), "{seen} {each}");
    assert!(all > 0);
    assert!(made.reads.get() < 5000, "{} reads", made.reads.get());
    assert!(made.bytes.get() < 4 << 20, "{} bytes", made.bytes.get());
    // What got no stack at first gets one later.
    while !observer.look(&made, 20).unwrap().changes.is_empty() {}
}

#[test]
fn other_structures_are_not_taken_for_goroutines() {
    let made = Made::new(4);
    assert!(made.runtime().is_ok());
    // A layout that is not ours: the goroutine does not know itself.
    made.set(STRUCTURES + 72, &[1; 8]);
    assert_eq!(made.runtime().unwrap_err(), NoRuntime::Unknown);
    made.set(LIST, &[0; 24]);
    assert_eq!(made.runtime().unwrap_err(), NoRuntime::NotYet);
    let old = GoImage::with_places(17, &[LIST]);
    assert_eq!(
        Runtime::find(&made, &old, 0).unwrap_err(),
        NoRuntime::TooOld
    );
}

#[test]
fn a_process_may_end_at_any_read() {
    let made = Made::new(40);
    let mut observer = made.observer();
    made.reads.set(0);
    observer.look(&made, 10).unwrap();
    let reads = made.reads.get();
    for left in 0..reads {
        let mut observer = made.observer();
        made.left.set(Some(left));
        // Whatever was read until then is told, or nothing.
        let _ = observer.look(&made, 10);
        made.left.set(Some(0));
        assert_eq!(observer.look(&made, 20), None);
        made.left.set(None);
    }
}

#[test]
fn damaged_memory_is_left_out_and_bounded() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let made = Made::new(64);
    let mut observer = made.observer();
    for round in 0..20_000_u64 {
        let place = match next() % 8 {
            0 => LIST + next() % 24,
            1 | 2 => ENTRIES + next() % (64 * 8),
            _ => STRUCTURES + next() % (64 * SIZE),
        };
        let byte = [0, 0xff, 0x80, (next() & 0xff) as u8][usize::try_from(next() % 4).unwrap()];
        made.set(place, &[byte]);
        made.reads.set(0);
        made.bytes.set(0);
        if let Some(look) = observer.look(&made, round) {
            // Each goroutine at most ends and begins.
            assert!(
                look.changes.len() <= 2 * 1024 + 64,
                "{}",
                look.changes.len()
            );
            let stacks = look
                .changes
                .iter()
                .filter_map(|change| change.stack.as_ref());
            assert!(stacks.map(|stack| stack.bytes.len()).max().unwrap_or(0) <= 32 << 10);
        }
        assert!(made.reads.get() <= 8192 && made.bytes.get() <= 64 << 20);
        if round % 64 == 0 {
            // Mended, so that later damage meets whole structures.
            let whole = Made::new(64);
            *made.blocks.borrow_mut() = whole.blocks.into_inner();
        }
    }
}
