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
//! * [`remote`]: the cases on network file systems;
//! * [`workers`]: real processes that start together;
//! * [`mod@experiment`]: series by series, the first sizes once more at the end;
//! * [`summary`]: the figures of a run, what it says in a sentence, and the table of all.
//!
//! Experiments are made on Linux.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

pub mod cases;
pub mod clock;
pub mod error;
pub mod experiment;
pub mod fixture;
pub mod operation;
pub mod place;
pub mod remote;
pub mod shortnames;
pub mod summary;
pub mod system;
pub mod workers;

pub use cases::{Case, Options};
pub use error::Error;
pub use experiment::{Context, Run, experiment};
pub use operation::{Ending, Measured};
pub use place::Ground;
pub use summary::{Summary, table};
