//! Any bytes, imported as a trace of Windows: no panic, and the states of every thread cover its
//! lifetime exactly.
#![no_main]

use std::ops::ControlFlow;

use whyslow_fuzz::{check, options};
use whyslow_import::{MemorySink, import_etl};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut sink = MemorySink::new();
    let mut go_on = |_| ControlFlow::Continue(());
    if let Ok(settled) = import_etl(&[data], options(), &mut sink, &mut go_on) {
        check(sink, settled);
    }
});
