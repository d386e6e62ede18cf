//! A description or a table of values that a merge adds (the first byte says which), with its length,
//! then the payload of an event so described; or an event of a provider whose descriptions are shipped.
#![no_main]

use std::hint::black_box;

use whyslow_etl::schema::{Map, Schema};
use whyslow_etl::{Identity, providers};
use whyslow_fuzz::{cut, show, with_record};
use whyslow_testkit::{Manifest, full};

/// The class of descriptions.
const METADATA: [u8; 16] = [
    0xc1, 0xf6, 0xcc, 0xbb, 0xd1, 0x6c, 0xc4, 0x48, 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71,
];

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((opcode, data)) = data.split_first().filter(|(_, data)| data.len() < 60_000) else {
        return;
    };
    if opcode % 3 == 2 {
        return shipped(data);
    }
    let (info, payload) = cut(data);
    let event = full(1_000_010, METADATA, (32 + opcode % 3, 0), info);
    with_record(event, |record| {
        if let Some(schema) = Schema::from_event_info(record) {
            show(&schema, payload);
        }
        if let Some(map) = Map::from_event_map_info(record) {
            let values = payload.iter().map(|value| u64::from(*value));
            let names = values.take(100).filter_map(|value| map.name_of(value));
            black_box(names.map(|name| name.len()).sum::<usize>());
        }
    });
});

/// Provider, id and payload of an event.
fn shipped(data: &[u8]) {
    let Some((provider, data)) = data.split_first_chunk::<16>() else {
        return;
    };
    let Some((id, payload)) = data.split_first_chunk::<2>() else {
        return;
    };
    let manifest = Manifest {
        wide: true,
        provider: *provider,
        id: u16::from_le_bytes(*id),
        ids: (1, 2),
        items: &[],
        payload,
    };
    with_record(manifest.at(1_000_010), |record| {
        let Identity::Event(event) = record.identity() else {
            return;
        };
        if let Some(schema) = providers::schema(&event) {
            show(schema, record.payload());
        }
    });
}
