//! Any bytes, imported as a recording of Linux: no panic, and the states of every thread cover its
//! lifetime exactly.
#![no_main]

use std::io::Cursor;
use std::ops::ControlFlow;

use whyslow_fuzz::{check, options};
use whyslow_import::{MemorySink, import_perf};
use whyslow_perfdata::Reader;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(reader) = Reader::from_seekable(Box::new(Cursor::new(data.to_vec()))) else {
        return;
    };
    let mut sink = MemorySink::new();
    let mut go_on = |_| ControlFlow::Continue(());
    if let Ok(settled) = import_perf(reader, options(), &mut sink, &mut go_on) {
        check(sink, settled);
    }
});
