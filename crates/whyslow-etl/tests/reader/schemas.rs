//! Events described by manifests and merged descriptions.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::hint::black_box;

use whyslow_etl::manifest::Manifests;
use whyslow_etl::schema::Schema;
use whyslow_etl::tracelogging::{Item, What};
use whyslow_etl::{Identity, PointerSize, Reader};

use crate::real::{folder, traces};
use whyslow_testkit::{Buffer, Bytes, Manifest, Random, T0, Trace, full};

pub(crate) const PROVIDER: [u8; 16] = *b"0123456789abcdef";
pub(crate) const METADATA: [u8; 16] = [
    0xc1, 0xf6, 0xcc, 0xbb, 0xd1, 0x6c, 0xc4, 0x48, 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71,
];

const XML: &str = r#"<?xml version="1.0"?>
<!-- <provider name="not this one"> -->
<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
 <instrumentation><events>
  <provider name="My &amp; Company" guid="{33323130-3534-3736-3839-616263646566}" symbol="a>b">
   <events>
    <event value="1" version="2" symbol="Started" task="Job" opcode="win:Start" template="Args"/>
    <event value="2" symbol='Stopped'/>
   </events>
   <templates>
    <template tid="Args">
     <data name="Count" inType="win:UInt16"/>
     <data name="Numbers" inType="win:UInt8" count="Count"/>
     <data name="Bytes" inType="win:UInt32"/>
     <data name="Data" inType="win:Binary" length="Bytes"/>
     <data name="Text" inType="win:UnicodeString"/>
     <data name="Fixed" inType="win:AnsiString" length="3"/>
     <data name="Good" inType="win:Boolean"/>
     <data name="Where" inType="win:Pointer"/>
     <data name="Code" inType="win:UInt32" outType="win:HexInt32"/>
    </template>
   </templates>
  </provider>
 </events></instrumentation>
</instrumentationManifest>"#;

fn line(item: &Item<'_>) -> String {
    let index = item
        .index
        .map(|index| format!("[{index}]"))
        .unwrap_or_default();
    let what = match item.what {
        What::Value(value) => value.to_string(),
        What::Array(count) => format!("array of {count}"),
        What::Structure => "structure".to_owned(),
    };
    format!("{}{}{index}: {what}", "  ".repeat(item.depth), item.name)
}

/// Decodes a payload; one line per item, and how it ended.
fn decode(schema: &Schema, payload: &[u8]) -> (String, Vec<String>) {
    let mut items = schema.items(payload, PointerSize::Eight);
    let lines = items.by_ref().map(|item| line(&item)).collect();
    let end = if items.is_broken() { "broken" } else { "whole" };
    (format!("{end}, {} left", items.rest().len()), lines)
}

/// Writes a manifest's pieces as events.
fn pieces(texts: &[(u16, &str)], total: u16) -> Vec<u8> {
    let mut buffer = Buffer::new(0);
    for (time, (number, text)) in texts.iter().enumerate() {
        let payload = Bytes::default()
            .u8(1)
            .u8(1)
            .u8(0)
            .u8(0x5b)
            .u16(total)
            .u16(*number);
        let payload = payload.bytes(text.as_bytes()).0;
        let event = Manifest {
            wide: true,
            provider: PROVIDER,
            id: 0xfffe,
            ids: (1, 2),
            items: &[],
            payload: &payload,
        };
        let mut event = event.at(T0 + time as i64);
        event[0x2d] = 0xfe;
        buffer = buffer.push(event);
    }
    let mut trace = Trace::new(vec![buffer]);
    trace.header.buffer_bytes = 0x4000;
    trace.bytes()
}

fn collect(bytes: Vec<u8>) -> Vec<Schema> {
    let mut reader = Reader::new(bytes).unwrap();
    let (mut manifests, mut found) = (Manifests::default(), Vec::new());
    while let Some(record) = reader.next_record().unwrap() {
        found.extend(manifests.add(&record).unwrap_or_default());
    }
    found
}

#[test]
fn a_manifest_in_the_trace() {
    let (first, second) = XML.split_at(700);
    let whole = collect(pieces(&[(0, XML)], 1));
    assert_eq!(whole.len(), 2);
    // In pieces, in any order; one that comes twice counts once.
    let split = collect(pieces(&[(1, second), (1, second), (0, first)], 2));
    assert_eq!(split, whole);
    assert_eq!(collect(pieces(&[(1, second)], 2)), []);
    assert_eq!(collect(pieces(&[(2, second)], 2)), []);
    assert_eq!(collect(pieces(&[(0, "<a><provider guid='no'/>")], 1)), []);
    let started = &whole[0];
    assert_eq!((started.id, started.version), (1, 2));
    assert_eq!(started.provider.0, PROVIDER);
    assert_eq!(&*started.provider_name, "My & Company");
    let names = (
        started.task.as_str(),
        started.opcode.as_str(),
        started.name.as_str(),
    );
    assert_eq!(names, ("Job", "Start", "Started"));
    assert_eq!((whole[1].id, whole[1].name.as_str()), (2, "Stopped"));
    let payload = Bytes::default()
        .u16(2)
        .u8(7)
        .u8(8)
        .u32(3)
        .bytes(&[0xa, 0xb, 0xc]);
    let payload = payload
        .utf16("hi")
        .bytes(b"abc")
        .u32(1)
        .u64(0x1000)
        .u32(255)
        .0;
    let wanted = [
        "Count: 2",
        "Numbers: array of 2",
        "Numbers[0]: 7",
        "Numbers[1]: 8",
        "Bytes: 3",
        "Data: 0a0b0c",
        "Text: hi",
        "Fixed: abc",
        "Good: true",
        "Where: 0x1000",
        "Code: 0xff",
    ];
    let wanted = (
        "whole, 0 left".to_owned(),
        wanted.map(str::to_owned).to_vec(),
    );
    assert_eq!(decode(started, &payload), wanted);
    assert_eq!(decode(started, &payload[..5]).0, "broken, 1 left");
    assert_eq!(decode(&whole[1], b"rest").0, "whole, 4 left");
}

/// A property: flags, stored, shown, count, length.
type Property = (u32, u16, u16, u16, u16);

/// Writes a description as a merge does.
fn event_info(properties: &[Property], top: u32) -> Vec<u8> {
    let names = 0x70 + 24 * properties.len();
    let count = u32::try_from(properties.len()).unwrap();
    let name = |index: usize| u32::try_from(names + 8 * index).unwrap();
    let mut out = Bytes::default().bytes(&PROVIDER).zeros(16);
    out = out.u16(5).u8(1).u8(0).u8(4).u8(0).u16(0).u64(0).u32(0);
    let text = name(properties.len());
    out = out.u32(text).u32(0).u32(0).u32(0).u32(text).u32(0);
    out = out.zeros(16).u32(0).u32(0).u32(count).u32(top).u32(0);
    for (index, (flags, stored, shown, count, length)) in properties.iter().enumerate() {
        out = out
            .u32(*flags)
            .u32(name(index))
            .u16(*stored)
            .u16(*shown)
            .u32(0);
        out = out.u16(*count).u16(*length).u32(0);
    }
    for index in 0..properties.len() {
        // With the space that merges write.
        out = out.utf16(&format!("p{} ", index % 10));
    }
    out.utf16("Name").0
}

fn described(info: &[u8]) -> Option<Schema> {
    let buffer = Buffer::new(0).push(full(T0, METADATA, (32, 0), info));
    let mut reader = Reader::new(Trace::new(vec![buffer]).bytes()).unwrap();
    reader.next_record().unwrap();
    Schema::from_event_info(&reader.next_record().unwrap().unwrap())
}

#[test]
fn a_description_of_a_merge() {
    let properties = [
        (0, 6, 0, 1, 2),
        // As many structures as the first says, each with the fields 3 and 4.
        (5, 3, 2, 0, 0),
        (0x20, 4, 0, 2, 1),
        (0, 4, 0, 1, 1),
        // As many bytes as the one before says.
        (2, 14, 0, 1, 3),
    ];
    let schema = described(&event_info(&properties, 3)).unwrap();
    assert_eq!(
        (schema.id, schema.version, schema.task.as_str()),
        (5, 1, "Name")
    );
    assert_eq!(&*schema.provider_name, "Name");
    let payload = [2, 0, 1, 0xaa, 3, 0xb0, 0xb1, 0xb2, 8, 9];
    let wanted = [
        "p0: 2",
        "p1: array of 2",
        "p1[0]: structure",
        "  p3: 1",
        "  p4: aa",
        "p1[1]: structure",
        "  p3: 3",
        "  p4: b0b1b2",
        "p2: array of 2",
        "p2[0]: 8",
        "p2[1]: 9",
    ];
    let wanted = (
        "whole, 0 left".to_owned(),
        wanted.map(str::to_owned).to_vec(),
    );
    assert_eq!(decode(&schema, &payload), wanted);
}

/// Structures that contain themselves, references to nothing, and arbitrary bytes: decoding ends.
#[test]
fn descriptions_that_make_no_sense() {
    let endless = [(1, 0, 1, 1, 0)];
    let schema = described(&event_info(&endless, 1)).unwrap();
    assert_eq!(decode(&schema, &[]).0, "broken, 0 left");
    let many = [
        (0x21, 1, 1, 0xffff, 0),
        (0x21, 2, 1, 0xffff, 0),
        (0x21, 3, 0, 0xffff, 0),
    ];
    let schema = described(&event_info(&many, 1)).unwrap();
    assert_eq!(decode(&schema, &[]).0, "broken, 0 left");
    for (nowhere, end) in [
        ((4, 4, 0, 99, 1), "whole"),
        ((2, 14, 0, 1, 0xffff), "broken"),
    ] {
        let schema = described(&event_info(&[nowhere], 1)).unwrap();
        assert_eq!(decode(&schema, &[1; 9]).0, format!("{end}, 9 left"));
    }
    let mut random = Random(21);
    let seed = event_info(&[(0, 6, 0, 1, 2), (5, 2, 1, 0, 0), (0x20, 4, 0, 2, 1)], 3);
    for _ in 0..400 {
        let mut info = seed.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(info.len());
            info[at] = random.number().to_le_bytes()[2];
        }
        info.truncate(seed.len() - random.below(30) * random.below(2));
        if let Some(schema) = described(&info) {
            black_box(decode(&schema, &[2; 40]));
        }
    }
}

/// Every event with a description in its trace is decoded; only events whose description is known
/// to be wrong leave bytes.
#[test]
fn real_events_decode_by_their_descriptions() {
    let Some(dir) = folder() else { return };
    let (mut described, mut schemas_found) = (0_u64, 0);
    let mut left = BTreeSet::new();
    for path in traces(&dir) {
        let bytes = fs::read(&path).unwrap();
        if bytes.len() > 5_000_000 {
            // More of the same.
            continue;
        }
        let mut schemas = HashMap::new();
        let mut manifests = Manifests::default();
        let mut reader = Reader::new(bytes.as_slice()).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            let found = Schema::from_event_info(&record).into_iter();
            for schema in found.chain(manifests.add(&record).unwrap_or_default()) {
                schemas.insert((schema.provider, schema.id, schema.version), schema);
            }
        }
        schemas_found += schemas.len();
        let mut reader = Reader::new(bytes.as_slice()).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            let Identity::Event(event) = record.identity() else {
                continue;
            };
            let key = (event.provider, event.id, event.version);
            let Some(schema) = schemas.get(&key).filter(|_| event.channel != 11) else {
                continue;
            };
            let mut items = schema.items(record.payload(), record.pointer_size());
            black_box(items.by_ref().map(|item| item.name.0.len()).sum::<usize>());
            let at = record.offset;
            assert!(
                !items.is_broken(),
                "{} at {at:#x}: {schema:?}",
                path.display()
            );
            if !items.rest().is_empty() {
                left.insert(format!("{} {}", schema.provider_name, schema.id));
            }
            described += 1;
        }
    }
    println!("{schemas_found} schemas, {described} events");
    // One declares two frames where there are many; the other declares a number half as wide as it
    // is.
    let known = ["Microsoft-Windows-DotNETRuntime 82", "PerfView 13"];
    assert_eq!(left.iter().map(String::as_str).collect::<Vec<_>>(), known);
    assert!(described > 100_000);
}
