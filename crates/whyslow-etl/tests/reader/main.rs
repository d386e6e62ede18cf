//! Tests of the reader, with traces from an independent writer and with real ones.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "failed expectations of what tests share"
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
