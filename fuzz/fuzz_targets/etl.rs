//! Any bytes, walked to the end with every field touched.
#![no_main]

use std::hint::black_box;

use whyslow_etl::decode::{Decoder, Owners};
use whyslow_etl::{Extended, Reader};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(mut reader) = Reader::new(data) else {
        return;
    };
    let clock = reader.clock();
    let (mut decoder, mut owners) = (Decoder::default(), Owners::default());
    while let Ok(Some(record)) = reader.next_record() {
        for item in record.extended() {
            if let Extended::Stack { frames, .. } = item {
                black_box(frames.iter().fold(0, u64::wrapping_add));
            }
            black_box(item);
        }
        decoder.learn(&record);
        owners.learn(&record);
        let process = owners.of(&record).process;
        black_box(process.and_then(|id| owners.name_of(id, record.raw_time)));
        let kind = decoder.kind(&record);
        let fields = decoder.fields(kind, &record);
        black_box(
            fields
                .map(|field| format!("{field:?}").len())
                .sum::<usize>(),
        );
        black_box((record.identity(), record.payload(), record.thread_id()));
        black_box((record.activity(), record.instance(), record.process_id()));
        black_box((record.processor_times(), record.counters()));
        black_box((clock.ns(record.raw_time), clock.unix_ns(record.raw_time)));
    }
    black_box(format!("{:?} {:?}", reader.session(), reader.faults()));
});
