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
//! * [`workers`]: real processes that start together;
//! * [`mod@experiment`]: series by series, the first sizes once more at the end;
//! * [`law`]: from costs in order to constant, steps, growth `a + b·nᵖ` or drift: pure functions;
//! * [`mod@bursts`]: outliers, how they cluster, and their rhythm;
//! * [`summary`]: the figures of a run, what it says in a sentence, and the table of all.

#![forbid(unsafe_code)]

pub mod bursts;
pub mod cases;
pub mod clock;
pub mod error;
pub mod experiment;
pub mod fixture;
pub mod law;
pub mod operation;
pub mod order;
pub mod place;
pub mod summary;
pub mod system;
pub mod workers;

pub use cases::{Case, Options};
pub use error::Error;
pub use experiment::{Context, Run, experiment};
pub use operation::{Ending, Measured};
pub use place::Ground;
pub use summary::{Summary, table};
