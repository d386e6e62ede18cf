//! Functions that were inlined into optimized code.

use super::*;

const DATA: u64 = 0x5_1000;
const POSITIONS: u64 = 0x5_2000;
const CALLS: u64 = 0x5_3000;
const LITERALS: u64 = 0x5_4000;
/// In the source, the first letter of the body of `a`, and one in `b`.
const IN_A: u64 = 13;
const IN_B: u64 = 36;

/// A position as V8 packs it.
fn packed(letter: u64, inlined: u64) -> u64 {
    (letter + 1) << 1 | inlined << 31
}

/// A number of variable length.
fn number(value: i64) -> Vec<u8> {
    let mut rest = (value << 1 ^ value >> 63).cast_unsigned();
    let mut bytes = Vec::new();
    while rest > 0x7f {
        bytes.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
        rest >>= 7;
    }
    bytes.push(u8::try_from(rest).unwrap());
    bytes
}

fn map_of(kind: u16) -> u64 {
    META + 0x10 * u64::from(kind) + 1
}

fn put_bytes(memory: &Pieces, address: u64, bytes: &[u8]) -> u64 {
    let length = small(u32::try_from(bytes.len()).unwrap());
    let mut all = map_of(308).to_le_bytes().to_vec();
    all.extend(length.to_le_bytes());
    all.extend(bytes);
    memory.put(address, &all);
    address + 1
}

/// The heap, in which `a` was inlined into the compiled code of `b`: from 0x20 to 0x40 it is `a`. The calls of
/// inlined functions say `calls`.
fn with_inlined(calls: &[(u64, u64)]) -> Pieces {
    let memory = heap(false);
    let places = [
        (1, packed(IN_B, 0)),
        (0x20, packed(IN_A, 1)),
        (0x40, packed(IN_B, 0)),
    ];
    let mut table = Vec::new();
    let mut before = (0, 0);
    for (distance, position) in places {
        // All but statements have a negative distance.
        table.extend(number(!(distance - before.0)));
        table.extend(number(position.wrapping_sub(before.1).cast_signed()));
        before = (distance, position);
    }
    let positions = put_bytes(&memory, POSITIONS, &table);
    let calls = calls
        .iter()
        .flat_map(|(position, index)| [*position, *index]);
    let calls: Vec<u8> = calls.flat_map(u64::to_le_bytes).collect();
    let calls = put_bytes(&memory, CALLS, &calls);
    // References to literals may be weak.
    let literals = memory.object(LITERALS, &[map_of(306), small(1), (SHARED_A + 1) | 2]);
    let data = [map_of(306), small(4), 0, SHARED_B + 1, calls, literals];
    let data = memory.object(DATA, &data);
    let start = COMPILED + 32;
    let code = [
        map_of(304),
        data,
        positions,
        COMPILED + 1,
        start,
        COMPILED_BYTES,
    ];
    let mut code = code.to_vec();
    code.resize(12, 0);
    memory.object(CODE, &code);
    memory
}

/// Names and lines of what runs there, the innermost first.
fn running(memory: &Pieces, distance: u64) -> Vec<(String, Option<u32>)> {
    let mut frames = Frames::new(layout(false));
    let nothing = |_| None;
    let at = at(COMPILED + 32 + distance, true, &nothing);
    let frame = frames.at(memory, 0, &at).unwrap();
    let said = |running: &Running| (running.function.name.clone(), running.line);
    frame.running.iter().map(said).collect()
}

#[test]
fn an_inlined_function_is_named_with_its_line_and_its_caller() {
    let memory = with_inlined(&[(packed(IN_B, 0), 0)]);
    let b = ("b".to_owned(), Some(2));
    assert_eq!(running(&memory, 0x1f), std::slice::from_ref(&b));
    assert_eq!(
        running(&memory, 0x20),
        [("a".to_owned(), Some(1)), b.clone()]
    );
    assert_eq!(running(&memory, 0x40), [b]);
}

#[test]
fn tables_that_say_nonsense_name_only_the_compiled_function() {
    let b = ("b".to_owned(), Some(2));
    // A call within itself, a literal that is no function, no calls at all.
    for calls in [&[(packed(IN_A, 1), 0)][..], &[(packed(IN_B, 0), 7)], &[]] {
        let memory = with_inlined(calls);
        assert_eq!(
            running(&memory, 0x20),
            std::slice::from_ref(&b),
            "{calls:?}"
        );
    }
    // A table that ends within a number.
    let memory = with_inlined(&[(packed(IN_B, 0), 0)]);
    put_bytes(&memory, POSITIONS, &[0xff; 24]);
    assert_eq!(running(&memory, 0x20), std::slice::from_ref(&b));
    // A letter that is not of the function: the line is where the function begins.
    let memory = with_inlined(&[(packed(1, 0), 0)]);
    assert_eq!(running(&memory, 0x20), [("a".to_owned(), Some(1)), b]);
}
