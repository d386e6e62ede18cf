use std::collections::BTreeSet;

use super::*;
use crate::pointer::PointerSize;
use crate::providers::texts;
use crate::tracelogging::What;

const TEXT: &str = "\
33323130-3534-3736-3839-616263646566 Company-Product
# remarks are not read
map Kinds 0=Small|1=Very large
flags Bits 0x0=None|0x1=First|0x10=Second
3 0 Job/Start/JobStart Count:u32 Values[Count]{ Id:x64 Length:u16 Text:wstr(Length) } Kind:u8=Kinds
3 2 \" ^ Two:u8[2] Data:bytes(3) Set:u32=Bits Many:u16[Count]
4 1 - Plain:astr
4 3 /Stop
";

fn lines(schema: &Schema, payload: &[u8]) -> (Vec<String>, usize) {
    let mut items = schema.items(payload, PointerSize::Eight);
    let mut lines = Vec::new();
    while let Some(item) = items.next() {
        let what = match item.what {
            What::Value(value) => value.to_string(),
            What::Array(count) => format!("array of {count}"),
            What::Structure => "structure".to_owned(),
        };
        let map = items.map_name().unwrap_or_default();
        lines.push(
            format!("{}{}: {what} {map}", "  ".repeat(item.depth), item.name)
                .trim_end()
                .to_owned(),
        );
    }
    assert!(!items.is_broken());
    (lines, items.rest().len())
}

#[test]
fn a_table() {
    let table = Table::read(TEXT);
    let schema = table.schema(3, 2).unwrap();
    assert_eq!(schema.provider.to_string(), &TEXT[..36]);
    assert_eq!(&*schema.provider_name, "Company-Product");
    let names = [&schema.task, &schema.opcode, &schema.name];
    assert_eq!(names, ["Job", "Start", "JobStart"]);
    let mut payload = vec![2, 0, 0, 0];
    for id in [5, 6] {
        payload.extend([id, 0, 0, 0, 0, 0, 0, 0, 1, 0, b'a', 0]);
    }
    payload.extend([1, 8, 9, 1, 2, 3, 0x11, 0, 0, 0, 7, 0, 6, 0, 99]);
    let wanted = [
        "Count: 2",
        "Values: array of 2",
        "Values: structure",
        "  Id: 0x5",
        "  Length: 1",
        "  Text: a",
        "Values: structure",
        "  Id: 0x6",
        "  Length: 1",
        "  Text: a",
        "Kind: 1 Kinds",
        "Two: array of 2",
        "Two: 8",
        "Two: 9",
        "Data: 010203",
        "Set: 17 Bits",
        "Many: array of 2",
        "Many: 7",
        "Many: 6",
    ];
    assert_eq!(
        lines(schema, &payload),
        (wanted.map(str::to_owned).to_vec(), 1)
    );
    assert_eq!(lines(table.schema(3, 0).unwrap(), &payload).0, wanted[..11]);
    let name = |map, value| table.map(map).and_then(|map| map.name_of(value)).unwrap();
    assert_eq!(name("Kinds", 1), "Very large");
    assert_eq!(
        (name("Bits", 0x11), name("Bits", 0)),
        ("First|Second".to_owned(), "None".to_owned())
    );
}

/// An unknown version has the layout of the newest version before it; one older than all known
/// versions has none.
#[test]
fn versions_that_are_not_known() {
    let table = Table::read(TEXT);
    let version = |id, version| table.schema(id, version).map(|schema| schema.version);
    assert_eq!(
        [0, 1, 2, 3, 255].map(|of| version(3, of)),
        [0, 0, 2, 2, 2].map(Some)
    );
    assert_eq!(
        [0, 1, 2, 3, 9].map(|of| version(4, of)),
        [None, Some(1), Some(1), Some(3), Some(3)]
    );
    assert_eq!((version(2, 9), version(5, 0)), (None, None));
}

/// Lines that do not have the right form are left out.
#[test]
fn lines_that_make_no_sense() {
    for line in [
        "x 0 - A:u32",
        "1 256 - A:u32",
        "1 0",
        "1 0 - A",
        "1 0 - A:u33",
        "1 0 - A:u32(B)",
        "1 0 - A:u32[",
        "1 0 - A[2]{ B:u32",
        "1 0 - A[2]{ B[2]{ C:u32 } }",
        "1 0 - A:u32 }",
        "1 0 \" A:u32",
        "1 0 - ^",
        "map A 1",
        "map A 0xg=B",
        "1",
    ] {
        let mut reading = Reading::default();
        assert_eq!(reading.line(line), None, "{line}");
    }
}

/// Every line of every shipped table has the right form; no event occurs twice, all are in order,
/// and every map exists.
#[test]
fn shipped_tables_are_in_the_form() {
    let (mut providers, mut events) = (BTreeSet::new(), 0);
    for text in texts() {
        let (provider, name) = head(text).unwrap();
        assert!(providers.insert(provider), "{name} is twice");
        let mut reading = Reading {
            provider,
            ..Reading::default()
        };
        for line in text.lines().skip(1) {
            assert_eq!(reading.line(line), Some(()), "{name}: {line}");
        }
        let Table { schemas, maps } = reading.table;
        let order: Vec<_> = schemas
            .iter()
            .map(|schema| (schema.id, schema.version))
            .collect();
        assert!(order.is_sorted_by(|before, after| before < after), "{name}");
        for field in schemas.iter().flat_map(|schema| schema.fields.iter()) {
            assert!(
                field.map.is_empty() || maps.contains_key(&field.map),
                "{name}: {}",
                field.map
            );
        }
        events += schemas.len();
    }
    assert!(providers.len() > 40 && events > 3000);
}
