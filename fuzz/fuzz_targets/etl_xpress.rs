//! A compressed buffer of any bytes: the length it is to have, then the stream.
#![no_main]

use std::hint::black_box;

use whyslow_etl::Reader;
use whyslow_testkit::{Buffer, Trace};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((length, stream)) = data.split_first_chunk::<4>() else {
        return;
    };
    let length = u32::from_le_bytes(*length) % (1 << 20);
    let mut trace = Trace::new(Vec::new());
    trace.header.mode |= 0x0400_0000;
    let mut bytes = trace.bytes();
    let mut header = Buffer::new(1).write(&trace.header);
    header.truncate(72);
    let size = u32::try_from(72 + stream.len()).unwrap_or(u32::MAX);
    header[..4].copy_from_slice(&size.to_le_bytes());
    header[0x30..0x34].copy_from_slice(&(72 + length).to_le_bytes());
    header[0x34] |= 0x40;
    bytes.extend(header);
    bytes.extend(stream);
    let Ok(mut reader) = Reader::new(bytes) else {
        return;
    };
    while let Ok(Some(record)) = reader.next_record() {
        black_box((record.identity(), record.payload().len()));
    }
});
