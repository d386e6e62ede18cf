//! Experiments: repeat an operation, time every single one, find out how its cost grows.
//!
//! ```text
//! Case, Options ─► experiment ─► Run (every operation) ─► law, bursts ─► Summary ─► table, sentences
//!                  │  places, workers, cases
//!                  └─ operation: the measuring loop
//! ```
//!
//! * [`operation`]: the measuring loop: every operation timed, kept, and never averaged first;
//! * [`cases`]: what is repeated: files, settings, starts, commands;
//! * [`place`]: directories that are made and removed, never touching what is not ours;
//! * [`fixture`]: file systems of the experiment's own;
//! * [`shortnames`]: names of the 8.3 form, as each Windows generates them;
//! * [`remote`]: network file systems with servers and clients of the experiment's own;
//! * [`workers`]: real processes that start together;
//! * [`mod@experiment`]: series by series, the first sizes once more at the end;
//! * [`law`]: from costs in order to constant, steps, growth `a + b·nᵖ` or drift: pure functions;
//! * [`mod@bursts`]: outliers, how they cluster, and their rhythm;
//! * [`summary`]: the figures of a run, what it says in a sentence, and the table of all.
//!
//! Experiments are made on Linux; the law and the bursts are pure and build everywhere.

#![forbid(unsafe_code)]

pub mod bursts;
#[cfg(target_os = "linux")]
pub mod cases;
#[cfg(target_os = "linux")]
pub mod clock;
#[cfg(target_os = "linux")]
pub mod error;
#[cfg(target_os = "linux")]
pub mod experiment;
#[cfg(target_os = "linux")]
pub mod fixture;
pub mod law;
#[cfg(target_os = "linux")]
pub mod operation;
pub mod order;
#[cfg(target_os = "linux")]
pub mod place;
#[cfg(target_os = "linux")]
pub mod remote;
#[cfg(target_os = "linux")]
pub mod shortnames;
#[cfg(target_os = "linux")]
pub mod summary;
#[cfg(target_os = "linux")]
pub mod system;
#[cfg(target_os = "linux")]
pub mod workers;

#[cfg(target_os = "linux")]
pub use cases::{Case, Options};
#[cfg(target_os = "linux")]
pub use error::Error;
#[cfg(target_os = "linux")]
pub use experiment::{Context, Run, experiment};
#[cfg(target_os = "linux")]
pub use operation::{Ending, Measured};
#[cfg(target_os = "linux")]
pub use place::Ground;
#[cfg(target_os = "linux")]
pub use summary::{Summary, table};
