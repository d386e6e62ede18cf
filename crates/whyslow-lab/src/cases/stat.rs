//! `stat`: read the status of a file in a directory that grows from time to time.

use crate::case::Case;
use crate::file_operation::FileOperation;
use crate::file_series::{self, JOBS, PREFILL};
use whyslow_series::Words;

/// Reads the status of files in a growing directory.
pub(super) static CASE: Case = Case {
    name: "stat",
    about: "read the status of a file, in a directory that grows from time to time",
    words: WORDS,
    parameters: &[JOBS, PREFILL],
    usual_count: Some(50_000),
    check: file_series::check,
    series: |options| file_series::series_of(options, false),
    measure: |bench, runs| file_series::measure(FileOperation::Stat, WORDS, bench, runs),
    on_shares: true,
    ..Case::PLAIN
};

const WORDS: Words = Words::new("stat", "Reading the status of a file", "files");
