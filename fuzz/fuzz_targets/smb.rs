//! The client of SMB, before a server that answers any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let got = whyslow_share::script::smb(data);
    assert!(got <= data.len() as u64, "more than the server said");
});
