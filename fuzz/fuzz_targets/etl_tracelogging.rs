//! An event that describes itself: length and bytes of the description, of the provider's traits, then
//! the payload.
#![no_main]

use std::hint::black_box;

use whyslow_etl::tracelogging::TraceLogging;
use whyslow_fuzz::{cut, with_record};
use whyslow_testkit::Manifest;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if data.len() > 60_000 {
        return;
    }
    let (schema, rest) = cut(data);
    let (traits, payload) = cut(rest);
    let manifest = Manifest {
        wide: payload.len() % 2 == 0,
        provider: [1; 16],
        id: 0,
        ids: (1, 2),
        items: &[(11, schema.to_vec()), (12, traits.to_vec())],
        payload,
    };
    with_record(manifest.at(1_000_010), |record| {
        let Some(event) = TraceLogging::of(record) else {
            return;
        };
        let mut items = event.items();
        let shown = items.by_ref().map(|item| format!("{item:?}").len());
        black_box((shown.sum::<usize>(), items.rest().len()));
    });
});
