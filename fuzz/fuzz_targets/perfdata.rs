//! Any bytes, walked to the end with every field touched.
#![no_main]

use std::hint::black_box;
use std::io::Cursor;

use whyslow_perfdata::{Reader, RecordBody};

fn walk(mut reader: Reader) {
    reader.set_window_bytes(1 << 20);
    while let Ok(Some(record)) = reader.next_record() {
        if let RecordBody::Sample(sample) = record.body {
            black_box(sample.callchain.iter().fold(0, u64::wrapping_add));
            black_box((
                sample.raw,
                (sample.ip(), sample.tid(), sample.cpu(), sample.period()),
                sample
                    .extras()
                    .map(|extras| extras.user_stack.map(|stack| stack.bytes)),
            ));
        }
        black_box(record);
    }
    for format in &reader.features().formats {
        black_box(format.flags());
        for field in &format.fields {
            black_box(field.read_i64(&[1; 64], reader.endian()));
            black_box(field.read_text(&[1; 64], reader.endian()));
        }
    }
    black_box(reader.faults().iter().count());
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(reader) = Reader::from_seekable(Box::new(Cursor::new(data.to_vec()))) {
        walk(reader);
    }
    if let Ok(reader) = Reader::from_stream(Box::new(Cursor::new(data.to_vec()))) {
        walk(reader);
    }
});
