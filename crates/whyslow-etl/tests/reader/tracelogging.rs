//! Self-describing events: every way to store a value, arrays, structures, and arbitrary bytes.

use std::fs;
use std::hint::black_box;

use whyslow_etl::tracelogging::{TraceLogging, What};
use whyslow_etl::{Guid, Reader};

use crate::real::folder;
use whyslow_testkit::{Buffer, Bytes, Manifest, Random, T0, Trace};

/// A schema with its size in front.
fn sized(bytes: &[u8]) -> Vec<u8> {
    let size = u16::try_from(bytes.len() + 2).unwrap();
    Bytes::default().u16(size).bytes(bytes).0
}

/// Decodes an event of the given fields and payload; one line per item, and how it ended.
fn decode(fields: &[u8], payload: &[u8]) -> (String, Vec<String>) {
    let schema = sized(&[&[0x81, 0x02][..], b"Event\0", fields].concat());
    let group = Bytes::default().u16(19).u8(1).bytes(&[5; 16]).0;
    let traits = sized(&[b"Provider\0", &group[..]].concat());
    let manifest = Manifest {
        wide: true,
        provider: [1; 16],
        id: 0,
        ids: (1, 2),
        items: &[(11, schema), (12, traits)],
        payload,
    };
    let buffer = Buffer::new(0).push(manifest.at(T0));
    let mut reader = Reader::new(Trace::new(vec![buffer]).bytes()).unwrap();
    reader.next_record().unwrap();
    let record = reader.next_record().unwrap().unwrap();
    let event = TraceLogging::of(&record).unwrap();
    assert_eq!(
        (event.provider.0, event.name.0),
        (&b"Provider"[..], &b"Event"[..])
    );
    assert_eq!(event.group, Some(Guid([5; 16])));
    let mut items = event.items();
    let lines = items.by_ref().map(|item| {
        let index = item
            .index
            .map(|index| format!("[{index}]"))
            .unwrap_or_default();
        let what = match item.what {
            What::Value(value) => format!("{value}"),
            What::Array(count) => format!("array of {count}"),
            What::Structure => "structure".to_owned(),
        };
        format!("{}{}{index}: {what}", "  ".repeat(item.depth), item.name)
    });
    let lines = lines.collect();
    let end = if items.is_broken() { "broken" } else { "whole" };
    (format!("{end}, {} left", items.rest().len()), lines)
}

#[test]
fn every_way_to_store_a_value() {
    let sid = [1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0];
    // Name, stored as, shown as, bytes, text.
    let f32_bytes = 1.5_f32.to_le_bytes();
    let f64_bytes = (-2.25_f64).to_le_bytes();
    let cases: &[(u8, u8, &[u8], &str)] = &[
        (1, 0, b"h\0i\0\0\0", "hi"),
        (2, 0, b"ansi\0", "ansi"),
        (3, 0, &[0xff], "-1"),
        (3, 18, &[0xff], "255"),
        (4, 0, &[200], "200"),
        (4, 3, &[1], "true"),
        (5, 0, &[0xfe, 0xff], "-2"),
        (6, 4, &[0x34, 0x12], "0x1234"),
        (6, 7, &[0, 80], "80"),
        (7, 0, &[0xfd, 0xff, 0xff, 0xff], "-3"),
        (7, 15, &[5, 0, 7, 0x80], "0x80070005"),
        (8, 0, &[1, 0, 0, 0], "1"),
        (8, 8, &[127, 0, 0, 1], "127.0.0.1"),
        (9, 0, &[0xff; 8], "-1"),
        (10, 17, &[0xff; 8], "-1"),
        (10, 0, &[0xff; 8], "18446744073709551615"),
        (11, 0, &f32_bytes, "1.5"),
        (12, 0, &f64_bytes, "-2.25"),
        (13, 0, &[1, 0, 0, 0], "true"),
        (14, 0, &[2, 0, 0xab, 0xcd], "abcd"),
        (
            14,
            9,
            &[16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            "::1",
        ),
        (14, 10, &[8, 0, 2, 0, 0, 80, 127, 0, 0, 1], "127.0.0.1:80"),
        (15, 0, &[1; 16], "01010101-0101-0101-0101-010101010101"),
        (16, 0, &[1, 0, 0, 0, 1, 0, 0, 0], "0x100000001"),
        (17, 0, &[9, 0, 0, 0, 0, 0, 0, 0], "9"),
        (
            18,
            0,
            &[0xe4, 7, 7, 0, 3, 0, 29, 0, 1, 0, 2, 0, 3, 0, 4, 0],
            "2020-07-29 01:02:03.004",
        ),
        (19, 0, &sid, "S-1-5-18"),
        (20, 0, &[0xff, 0, 0, 0], "0xff"),
        (21, 0, &[0xff, 0, 0, 0, 0, 0, 0, 0], "0xff"),
        (22, 0, &[4, 0, b'h', 0, b'i', 0], "hi"),
        (23, 35, &[3, 0, 0xe2, 0x82, 0xac], "€"),
        (25, 0, &[1, 0, 7], "07"),
    ];
    let (mut fields, mut payload, mut wanted) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (stored, shown, bytes, text)) in cases.iter().enumerate() {
        let name = format!("f{index}");
        fields.extend(name.bytes().chain([0]));
        match shown {
            0 => fields.push(*stored),
            // With tags after it.
            35 => fields.extend([stored | 0x80, shown | 0x80, 0x81, 0x01]),
            _ => fields.extend([stored | 0x80, *shown]),
        }
        payload.extend(*bytes);
        wanted.push(format!("{name}: {text}"));
    }
    assert_eq!(
        decode(&fields, &payload),
        ("whole, 0 left".to_owned(), wanted)
    );
}

#[test]
fn arrays_and_structures() {
    let fields = [
        &b"fixed\0\x24\x02\x00"[..],
        b"variable\0\x46",
        // A structure of a number and a structure.
        b"one\0\x98\x02a\0\x04inner\0\x98\x01b\0\x04",
        // An array of structures of a number and an array.
        b"many\0\xd8\x02c\0\x04d\0\x44",
        b"none\0\xd8\x01e\0\x04",
        b"last\0\x04",
    ];
    let payload = [
        1, 2, 3, 0, 9, 0, 8, 0, 7, 0, 10, 11, 2, 0, 20, 1, 0, 21, 30, 0, 0, 0, 0, 99,
    ];
    let wanted = [
        "fixed: array of 2",
        "fixed[0]: 1",
        "fixed[1]: 2",
        "variable: array of 3",
        "variable[0]: 9",
        "variable[1]: 8",
        "variable[2]: 7",
        "one: structure",
        "  a: 10",
        "  inner: structure",
        "    b: 11",
        "many: array of 2",
        "many[0]: structure",
        "  c: 20",
        "  d: array of 1",
        "  d[0]: 21",
        "many[1]: structure",
        "  c: 30",
        "  d: array of 0",
        "none: array of 0",
        "last: 99",
    ];
    let (end, lines) = decode(&fields.concat(), &payload);
    assert_eq!(
        (end.as_str(), lines),
        ("whole, 0 left", wanted.map(str::to_owned).to_vec())
    );
}

#[test]
fn what_does_not_fit_ends_the_event() {
    let cases: [(&[u8], &[u8], &str); 6] = [
        (b"a\0\x08b\0\x08", &[1, 0, 0, 0, 2], "broken, 1 left"),
        (b"a\0\x04", &[1, 2, 3], "whole, 2 left"),
        (b"a\0\x1f", &[1], "broken, 1 left"),
        (b"a\0\x64\x01\x00x", &[1], "broken, 1 left"),
        (b"a\0\x98\x03b\0\x04", &[1], "broken, 0 left"),
        // Structures in structures without end, and empty ones by the million.
        (
            b"a\0\xb8\x01\xff\xffb\0\xb8\x01\xff\xffc\0\xb8\x00\xff\xff",
            &[],
            "broken, 0 left",
        ),
    ];
    for (fields, payload, end) in cases {
        assert_eq!(decode(fields, payload).0, end, "{fields:?}");
    }
    let deep = b"a\0\x98\x01".repeat(40);
    assert_eq!(decode(&deep, &[]).0, "broken, 0 left");
}

#[test]
fn any_bytes() {
    let mut random = Random(8);
    for _ in 0..400 {
        let length = random.below(60);
        let kinds = [
            0, 1, 4, 8, 0x18, 0x98, 0xd8, 0xb8, 2, 0x44, 0x24, 97, 22, 25,
        ];
        let fields: Vec<u8> = (0..length)
            .map(|_| kinds[random.below(kinds.len())])
            .collect();
        let payload: Vec<u8> = (0..random.below(60))
            .map(|_| random.below(4) as u8)
            .collect();
        black_box(decode(&fields, &payload));
    }
}

/// All self-describing events of the real traces are decoded to the last byte.
#[test]
fn real_events_decode_to_their_last_byte() {
    let Some(dir) = folder() else { return };
    let mut count = 0;
    for name in [
        "airbus/AMSITrace.etl",
        "airbus/lxcore_kernel.etl",
        "etwanalyzer/TraceLoggingTester.etl",
        "perfview/SelfDescribingSingleEvent.etl",
        "perfview/diaghub.user_paged.1.etl",
        "s4/SIH.20230422.034724.362.1.etl",
        "s4/WindowsUpdate.20251008.140245.443.8.etl",
        "s4/waasmedic.20251005_113019_195.etl",
    ] {
        let mut reader = Reader::new(fs::read(dir.join(name)).unwrap()).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            let Some(event) = TraceLogging::of(&record) else {
                continue;
            };
            let mut items = event.items();
            let text: Vec<_> = items.by_ref().map(|item| format!("{item:?}")).collect();
            let at = record.offset;
            assert!(!items.is_broken(), "{name} at {at:#x}: {text:?}");
            assert_eq!(items.rest(), &[] as &[u8], "{name} at {at:#x}: {text:?}");
            assert!(!event.provider.0.is_empty() && !event.name.0.is_empty());
            count += 1;
        }
    }
    println!("{count} self-describing events");
    assert!(count >= 400);
}
