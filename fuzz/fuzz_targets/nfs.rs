//! The client of NFS, before a mount program and a server that answer any bytes.
#![no_main]

use whyslow_fuzz::cut;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (mount, answers) = cut(data);
    let got = whyslow_share::script::nfs(mount, answers);
    assert!(got <= data.len() as u64, "more than the server said");
});
