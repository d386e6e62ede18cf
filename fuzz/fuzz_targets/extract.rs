//! Any bytes in place of one table of an extract, opened and read whole.
//!
//! The first byte says which table. The Parquet library panics on some damaged files; the reader
//! turns that into an error, so here a panic that is caught is no finding.
#![no_main]

use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::OnceLock;

use whyslow_extract::Extract;
use whyslow_model::{TraceView, tables};

fn dir() -> &'static PathBuf {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        // libFuzzer aborts in its panic hook; ours lets the reader's own guard see the panic.
        std::panic::set_hook(Box::new(|_| {}));
        let dir = std::env::temp_dir().join(format!("fuzz-{}.whyslow", std::process::id()));
        fs::create_dir_all(&dir).expect("temporary directory");
        dir
    })
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let table = tables::ALL[usize::from(first) % tables::ALL.len()];
    let file = dir().join(format!("{}.parquet", table.name));
    let trace = dir().join("trace.parquet");
    fs::write(&trace, include_bytes!("trace.parquet")).expect("write");
    fs::write(&file, bytes).expect("write");
    if let Ok(extract) = Extract::open(dir()) {
        if let Ok(table) = extract.read(table, &[]) {
            black_box(table.len());
        }
    }
    let _gone = fs::remove_file(file);
});
