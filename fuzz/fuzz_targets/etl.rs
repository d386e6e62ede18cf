//! Any bytes, walked to the end with every field touched.
#![no_main]

use std::hint::black_box;

use whyslow_etl::decode::{Decoder, Owners};
use whyslow_etl::kernel::{
    self, Image, Process, Ready, Sample, StackDefinition, StackOf, Switch, SwitchBatch, Thread,
};
use whyslow_etl::manifest::Manifests;
use whyslow_etl::schema::{Map, Schema};
use whyslow_etl::tracelogging::TraceLogging;
use whyslow_etl::{Extended, Reader, Record};

/// Reads the payload by the layout of its event, and as every type whatever it is.
fn touch_kernel(record: &Record<'_>) {
    let (payload, pointer) = (record.payload(), record.pointer_size());
    if let Some(event) = kernel::describe(record) {
        let fields = event.fields(payload, pointer);
        black_box(
            fields
                .map(|(_, value)| value.to_string().len())
                .sum::<usize>(),
        );
    }
    let Some((_, opcode, version)) = kernel::hook(record) else {
        return;
    };
    black_box(Process::read(payload, version, pointer));
    black_box(Thread::read(payload, version, pointer));
    black_box(Image::read(payload, version, pointer));
    black_box((
        Sample::read(payload, pointer),
        StackOf::read(payload, opcode, pointer),
    ));
    black_box((
        StackDefinition::read(payload, pointer),
        Switch::read(payload),
    ));
    black_box(Ready::read(payload));
    black_box(SwitchBatch::read(payload).map(Iterator::count));
    black_box(Sample::read_cache(payload, pointer).count());
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(mut reader) = Reader::new(data) else {
        return;
    };
    let clock = reader.clock();
    let (mut manifests, mut schemas) = (Manifests::default(), Vec::new());
    let (mut decoder, mut owners) = (Decoder::default(), Owners::default());
    while let Ok(Some(record)) = reader.next_record() {
        for item in record.extended() {
            if let Extended::Stack { frames, .. } = item {
                black_box(frames.iter().fold(0, u64::wrapping_add));
            }
            black_box(item);
        }
        touch_kernel(&record);
        black_box(Map::from_event_map_info(&record).and_then(|map| map.name_of(5)));
        schemas.extend(Schema::from_event_info(&record));
        schemas.extend(manifests.add(&record).unwrap_or_default());
        schemas.truncate(20);
        for schema in &schemas {
            let items = schema.items(record.payload(), record.pointer_size());
            black_box(items.map(|item| format!("{item:?}").len()).sum::<usize>());
        }
        if let Some(event) = TraceLogging::of(&record) {
            let items = event.items();
            black_box(items.map(|item| format!("{item:?}").len()).sum::<usize>());
        }
        decoder.learn(&record);
        owners.learn(&record);
        let owner = owners.of(&record);
        let name = owner.process.and_then(|id| owners.name_of(id, record.raw_time));
        let kind = decoder.kind(&record);
        black_box((name, &decoder.about(kind).name));
        for field in decoder.fields(kind, &record) {
            black_box((format!("{:?}", field.item), field.value_name()));
        }
        black_box((record.identity(), record.payload(), record.thread_id()));
        black_box((record.activity(), record.instance(), record.process_id()));
        black_box((record.processor_times(), record.counters()));
        black_box((clock.ns(record.raw_time), clock.unix_ns(record.raw_time)));
    }
    black_box(format!("{:?} {:?}", reader.session(), reader.faults()));
});
