use super::{GoFrame, GoSections, GoTable, MAX_MODULE_BYTES, MAX_NAME_BYTES, value_at};

const TEXT: u64 = 0x40_1000;

/// A function of the table: offset of its code, name, flags, steps of its frame's size.
type Row = (u32, &'static str, u8, &'static [u8]);

/// 0 for one byte, 8 for one, 0x48 for 14, as after `PUSHQ BP; MOVQ SP, BP; SUBQ $64, SP`.
const FRAME: &[u8] = &[2, 1, 16, 1, 0x80, 0x01, 14, 0];
/// 0 all along.
const LEAF: &[u8] = &[2, 32, 0];

/// A table as Go 1.26 (`start` 0) and earlier versions write it.
fn table(rows: &[Row], end: u32, start: u64) -> Vec<u8> {
    let (mut names, mut sizes) = (vec![0], vec![0]);
    let mut index = Vec::new();
    let mut described = Vec::new();
    let index_bytes = rows.len() * 8 + 4;
    for (entry, name, flags, steps) in rows {
        index.extend(entry.to_le_bytes());
        index.extend(((index_bytes + described.len()) as u32).to_le_bytes());
        let mut one = [0; 44];
        one[..4].copy_from_slice(&entry.to_le_bytes());
        one[4..8].copy_from_slice(&(names.len() as u32).to_le_bytes());
        one[16..20].copy_from_slice(&(sizes.len() as u32).to_le_bytes());
        one[41] = *flags;
        described.extend(one);
        names.extend(name.bytes().chain([0]));
        sizes.extend(*steps);
    }
    index.extend(end.to_le_bytes());
    let mut data = 0xffff_fff1_u32.to_le_bytes().to_vec();
    data.extend([0, 0, 1, 8]);
    let at = |bytes: usize| (72 + bytes) as u64;
    let numbers = [
        rows.len() as u64,
        0,
        start,
        at(0),
        0,
        0,
        at(names.len()),
        at(names.len() + sizes.len()),
    ];
    data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    for part in [names, sizes, index, described] {
        data.extend(part);
    }
    data
}

fn sections(table: Vec<u8>) -> GoSections {
    GoSections {
        table,
        module: None,
        text: TEXT,
        entry: TEXT + 0x40,
    }
}

const ROWS: [Row; 5] = [
    (0, "main.main", 0, FRAME),
    (0x20, "memeqbody", 4, LEAF),
    (0x40, "_rt0_amd64_linux", 1, LEAF),
    (0x60, "runtime.systemstack", 2, LEAF),
    (0x80, "runtime.sigreturn__sigaction", 4, LEAF),
];

fn known() -> GoTable {
    GoTable::new(sections(table(&ROWS, 0xa0, 0))).expect("a table")
}

#[test]
fn an_address_has_its_function_and_nothing_else() {
    let table = known();
    let name = |address| {
        let function = table.function_at(address)?;
        Some((function.start - TEXT, table.name(function)?.to_vec()))
    };
    assert_eq!(name(TEXT), Some((0, b"main.main".to_vec())));
    assert_eq!(name(TEXT + 0x3f), Some((0x20, b"memeqbody".to_vec())));
    assert_eq!(name(TEXT - 1), None);
    assert_eq!(name(TEXT + 0xa0), None);
    assert_eq!(name(u64::MAX), None);
}

#[test]
fn a_function_is_found_by_its_whole_name() {
    let table = known();
    let named = |name: &[u8]| table.function_named(name);
    assert_eq!(named(b"memeqbody"), Some(TEXT + 0x20..TEXT + 0x40));
    let last = b"runtime.sigreturn__sigaction";
    assert_eq!(named(last), Some(TEXT + 0x80..TEXT + 0xa0));
    assert_eq!((named(b"memeq"), named(b"memeqbodys")), (None, None));
}

#[test]
fn a_frame_is_as_large_as_it_is_at_the_instruction() {
    let table = known();
    let frame = |into| {
        let address = TEXT + into;
        table.frame(table.function_at(address)?, address)
    };
    assert_eq!(frame(0), Some(GoFrame::Bytes(0)));
    assert_eq!(frame(1), Some(GoFrame::Bytes(8)));
    assert_eq!(frame(2), Some(GoFrame::Bytes(72)));
    assert_eq!(frame(15), Some(GoFrame::Bytes(72)));
    assert_eq!(frame(16), None, "behind the last step");
    assert_eq!(frame(0x30), Some(GoFrame::Bytes(0)));
    assert_eq!(frame(0x41), Some(GoFrame::Top));
    assert_eq!(frame(0x61), Some(GoFrame::Other));
    assert_eq!(frame(0x81), Some(GoFrame::Other), "the kernel called it");
}

#[test]
fn where_the_code_begins_is_found_or_nothing_is_believed() {
    // The table says so itself.
    let old = GoTable::new(GoSections {
        text: 0,
        entry: 0,
        ..sections(table(&ROWS, 0xa0, TEXT))
    });
    assert!(old.is_some_and(|table| table.function_at(TEXT + 0x20).is_some()));
    // The program begins in code of another compiler, which comes first in the section.
    let foreign = |module: Option<Vec<u8>>| {
        GoTable::new(GoSections {
            entry: TEXT + 0x44,
            module,
            ..sections(table(&ROWS, 0xa0, 0))
        })
    };
    assert!(foreign(None).is_none());
    let mut module = vec![0; 176];
    module.extend((TEXT + 0x1000).to_le_bytes());
    let moved = foreign(Some(module)).expect("the module says where");
    let function = moved.function_at(TEXT + 0x1020).expect("a function");
    assert_eq!(moved.name(function), Some(&b"memeqbody"[..]));
}

#[test]
fn of_the_module_little_is_read() {
    let limits = |max_bytes| {
        let read = |_: &[u8], limit: u64| Some(limit.to_le_bytes().to_vec());
        let sections = GoSections::read((0, 0), max_bytes, read).expect("sections");
        let number = |bytes: Vec<u8>| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        (number(sections.table), sections.module.map(number))
    };
    assert_eq!(limits(256 << 20), (256 << 20, Some(MAX_MODULE_BYTES)));
    assert_eq!(limits(100), (100, Some(100)));
}

#[test]
fn the_end_of_a_name_is_not_looked_for_far_away() {
    let mut data = table(&ROWS, 0xa0, 0);
    let names = data.len();
    data[32..40].copy_from_slice(&(names as u64).to_le_bytes());
    data.extend(b"runtime.sigreturn");
    data.resize(names + 2 * MAX_NAME_BYTES, b'x');
    let table = GoTable::new(sections(data)).expect("a table");
    // Offset 1 of the names is that of the first function.
    let function = table.function_at(TEXT).expect("a function");
    let onwards = table.name_onwards(function).map(<[u8]>::len);
    assert_eq!(onwards, Some(MAX_NAME_BYTES));
    let name = table.name(function).expect("a name");
    assert_eq!(name.len(), MAX_NAME_BYTES);
    assert!(name.starts_with(b"untime.sigreturnxx"));
}

#[test]
fn damage_gives_no_panic_and_no_name_of_nothing() {
    let good = table(&ROWS, 0xa0, 0);
    for length in 0..good.len() {
        let Some(table) = GoTable::new(sections(good[..length].to_vec())) else {
            continue;
        };
        for address in TEXT..TEXT + 0xc0 {
            if let Some(function) = table.function_at(address) {
                let _ = (table.name(function), table.frame(function, address));
            }
        }
    }
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0xff;
        let Some(table) = GoTable::new(sections(bad)) else {
            continue;
        };
        let _ = table.function_named(b"runtime.sigreturn");
        for address in (TEXT..TEXT + 0xc0).step_by(7) {
            if let Some(function) = table.function_at(address) {
                let _ = (table.name(function), table.frame(function, address));
            }
        }
    }
}

#[test]
fn steps_end() {
    assert_eq!(value_at(&[2, 1, 0], 1), None);
    assert_eq!(value_at(&[], 0), None);
    assert_eq!(value_at(&[0xff; 64], 0), None);
    // A first step may change nothing: the value is -1 then.
    assert_eq!(value_at(&[0, 4, 2, 4, 0], 5), Some(0));
}
