//! Tests of the reader, against traces that an independent writer makes and against real ones.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "failed expectations of tests, and the reason where one is skipped"
)]

mod container;
mod damage;
mod encoders;
mod headers;
mod joined;
mod json;
mod kernel;
mod machines;
mod maps;
mod order;
mod payloads;
mod providers;
mod real;
mod reference;
mod schemas;
mod touch;
mod tracelogging;
