//! Groups of processes on Linux (cgroups), of version 1 and 2: where they are, who is in them, what they may
//! use, and how much of that they used, again and again while a recording runs; which containers and services they are.

#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
mod figures;
#[cfg(target_os = "linux")]
mod hierarchies;
#[cfg(target_os = "linux")]
mod sampler;
#[cfg(target_os = "linux")]
mod units;

#[cfg(target_os = "linux")]
pub use hierarchies::{GroupReadings, Hierarchies};
#[cfg(target_os = "linux")]
pub use sampler::GroupSampler;
#[cfg(target_os = "linux")]
pub use units::RunningUnits;
