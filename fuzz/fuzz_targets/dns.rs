//! Any bytes as a message of a name server.
#![no_main]

use std::hint::black_box;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(message) = whyslow_operations::parse_dns(data) {
        // Every byte of a name becomes four letters at most.
        assert!(message.name.len() <= 4 * 255);
        black_box(message);
    }
});
