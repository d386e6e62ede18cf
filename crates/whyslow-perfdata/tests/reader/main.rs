//! Tests of the reader, against files that an independent writer makes and against the perf tool.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "failed expectations of tests, and the reason where one is skipped"
)]

mod compressed;
mod damage;
mod facts;
mod fields;
mod formats;
mod order;
mod perf_tool;
mod records;
mod synthetic;
mod touch;
mod tracepoints;
