//! `list`: list a growing directory.

use crate::case::Case;
use crate::file_operation::FileOperation;
use crate::file_series;
use whyslow_series::Words;

/// Lists a growing directory.
pub(super) static CASE: Case = Case {
    name: "list",
    about: "list a growing directory",
    words: WORDS,
    usual_count: Some(20_000),
    series: |options| file_series::series_of(options, false),
    measure: |bench, runs| file_series::measure(FileOperation::List, WORDS, bench, runs),
    on_shares: true,
    ..Case::PLAIN
};

const WORDS: Words = Words::new("list", "Listing the directory", "files").counting("entries");
