//! A manifest that an event source writes into the trace, in one piece or several: lengths and bytes
//! of the first two pieces, then the payload of an event of it.
#![no_main]

use whyslow_etl::manifest::Manifests;
use whyslow_fuzz::{cut, show, with_record};
use whyslow_testkit::Manifest;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if data.len() > 60_000 {
        return;
    }
    let (first, rest) = cut(data);
    let (second, payload) = cut(rest);
    let mut manifests = Manifests::default();
    for piece in [first, second] {
        let manifest = Manifest {
            wide: true,
            provider: [1; 16],
            id: 0xfffe,
            ids: (1, 2),
            items: &[],
            payload: piece,
        };
        with_record(manifest.at(1_000_010), |record| {
            for schema in manifests.add(record).unwrap_or_default().iter().take(50) {
                show(schema, payload);
            }
        });
    }
});
