//! `rename`: create and rename a file, again and again, in one directory.

use crate::case::Case;
use crate::file_operation::FileOperation;
use crate::file_series::{self, JOBS, PREFILL, SHORT_NAMES};
use whyslow_series::Words;

/// Creates files and renames them.
pub(super) static CASE: Case = Case {
    name: "rename",
    about: "create and rename a file, again and again, in one directory",
    examples: &["rename --jobs 1,5,20 --prefill 100000"],
    words: WORDS,
    parameters: &[JOBS, PREFILL, SHORT_NAMES],
    usual_count: Some(50_000),
    check: file_series::check,
    series: |options| file_series::series_of(options, false),
    measure: |bench, runs| file_series::measure(FileOperation::Rename, WORDS, bench, runs),
    on_shares: true,
    ..Case::PLAIN
};

const WORDS: Words = Words::new("rename", "Creating and renaming a file", "files");
