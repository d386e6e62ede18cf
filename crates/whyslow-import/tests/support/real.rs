//! Real Windows traces, where they are.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use whyslow_etl::FileSource;
use whyslow_import::{ImportOptions, MemorySink, import_etl};

use crate::support::{Outcome, outcome};

/// Returns the folder of real traces: `etl` in `$WHYSLOW_DATA`, or in `shared/data` beside the
/// checkout.
#[expect(clippy::print_stdout, reason = "a test that cannot run says so")]
pub(crate) fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("WHYSLOW_DATA").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let beside = above.map(|dir| dir.join("shared/data"));
    let found = named.into_iter().chain(beside).map(|dir| dir.join("etl"));
    let found = found.into_iter().find(|dir| dir.is_dir());
    if found.is_none() {
        println!("skipped: no real traces; set WHYSLOW_DATA to the folder that holds etl/");
    }
    found
}

/// Imports traces of one session.
pub(crate) fn import(paths: &[PathBuf]) -> Outcome {
    let open = |path: &PathBuf| FileSource::new(File::open(path).unwrap()).unwrap();
    let sources: Vec<_> = paths.iter().map(open).collect();
    let mut sink = MemorySink::new();
    let mut go_on = |_| ControlFlow::Continue(());
    let settled = import_etl(&sources, ImportOptions::default(), &mut sink, &mut go_on).unwrap();
    outcome(sink, settled)
}
