//! `create`: files in one directory, then their deletion.

use crate::case::Case;
use crate::file_operation::FileOperation;
use crate::file_series::{self, JOBS, PREFILL, SHORT_NAMES};
use whyslow_series::Words;

/// Creates uniquely named files, then deletes them.
pub(super) static CASE: Case = Case {
    name: "create",
    aliases: &["delete"],
    about: "create files with unique names in one directory, then delete them",
    examples: &[
        "create --count 300000",
        "create --on dir:/mnt/share/test,tmpfs --budget 30s",
        "create --on ext4,ext4-nodirindex,xfs --count 30000",
        "create --count 50000 --record -o slow",
    ],
    words: WORDS,
    parameters: &[JOBS, PREFILL, SHORT_NAMES],
    usual_count: Some(50_000),
    check: file_series::check,
    series: |options| file_series::series_of(options, true),
    measure: |bench, runs| file_series::measure(FileOperation::Create, WORDS, bench, runs),
    on_shares: true,
    ..Case::PLAIN
};

const WORDS: Words = Words::new("create", "Creating a file", "files");
