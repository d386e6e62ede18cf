//! Tests of the reader, against files from an independent writer and against the perf tool.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "failed expectations of what tests share"
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
