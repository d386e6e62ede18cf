//! Experiments: repeat an operation, time every single one, find out how its cost grows.
//!
//! * [`law`]: from costs in order to constant, steps, growth `a + b·nᵖ` or drift: pure functions;
//! * [`mod@bursts`]: outliers, how they cluster, and their rhythm.

#![forbid(unsafe_code)]

pub mod bursts;
pub mod law;
pub mod order;
