//! What experiments say: sentences, charts and tables for a person, and a directory with everything.
//!
//! ```text
//! runs (whyslow-lab) ─► Summary ─┬► said: standard output
//!                                └► kept: operations.parquet, runs.csv, runs.json, report.html, pictures
//! ```
//!
//! * [`said`]: an experiment, a suite, pairs of dialects, two experiments compared, as text;
//! * [`kept`]: the directory of `-o`;
//! * [`unit`]: durations in the unit that suits each.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

pub mod kept;
pub mod said;
pub mod unit;
