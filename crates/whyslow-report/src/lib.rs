//! What experiments say: sentences, charts and tables for a person, and a directory with everything.
//!
//! ```text
//! runs (whyslow-lab) ─► Summary ─┬► said: standard output
//!                                └► kept: operations.parquet, runs.csv, runs.json, report.html, pictures
//! ```
//!
//! * [`said`]: an experiment, a suite, pairs of dialects, two experiments compared, as text;
//! * [`kept`]: the directory of `-o`; [`map`]: what depends on two names;
//! * [`numbers`]: those that others measured; [`systems`]: what the machine can provide;
//! * [`waiting`]: what the processes of an experiment waited for, from its recording;
//! * [`mod@unit`]: durations in the unit that suits each.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

mod fit;
pub mod kept;
mod levels;
pub mod map;
pub mod numbers;
mod processes;
pub mod said;
pub mod systems;
pub mod unit;
pub mod waiting;
