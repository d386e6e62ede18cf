//! `open`: open and close a file in such a directory.

use crate::case::Case;
use crate::file_operation::FileOperation;
use crate::file_series::{self, JOBS, PREFILL};
use whyslow_series::Words;

/// Opens files in a growing directory.
pub(super) static CASE: Case = Case {
    name: "open",
    about: "open and close a file, in such a directory",
    words: WORDS,
    parameters: &[JOBS, PREFILL],
    usual_count: Some(50_000),
    check: file_series::check,
    series: |options| file_series::series_of(options, false),
    measure: |bench, runs| file_series::measure(FileOperation::Open, WORDS, bench, runs),
    on_shares: true,
    ..Case::PLAIN
};

const WORDS: Words = Words::new("open", "Opening a file", "files");
