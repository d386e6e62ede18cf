//! Real Windows traces, where they are.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::PathBuf;

use whyslow_etl::FileSource;
use whyslow_import::{ImportOptions, MemorySink, import_etl};

use crate::support::{Outcome, outcome};

/// Returns the folder of real traces.
pub(crate) fn folder() -> Option<PathBuf> {
    Some(whyslow_testenv::data()?.join("etl"))
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
