//! Experiments: repeat an operation, time every single one, find out how its cost grows.
//!
//! ```text
//! Case, Options ─► experiment ─► Run (every operation; whyslow-series says what follows from it)
//!                  │  passes, places, workers
//!                  └─ operation: the measuring loop
//! ```
//!
//! * [`operation`]: the measuring loop: every operation timed, kept, and never averaged first;
//! * [`case`](mod@case), [`cases`]: what is repeated, each one value in a file of its own;
//! * [`options`]: how much of it, and the parameters of the cases;
//! * [`place`], [`clean`](mod@clean): directories that are made and removed, never touching what is not ours;
//! * [`systems`]: what an experiment works on; [`fixture`]: file systems of its own;
//! * [`request`]: an experiment as somebody asks for it;
//! * [`shortnames`]: names of the 8.3 form, as each Windows generates them;
//! * [`dialects`](mod@dialects): every pair of a server's and a client's dialect;
//! * [`mod@suite`]: experiments that a file lists;
//! * [`workers`]: real processes that start together;
//! * [`experiment`](mod@experiment): series by series, the first sizes once more at the end;
//! * [`tables`]: the tables that experiments make.
//!
//! Experiments are made on Linux.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

mod account;
pub mod bench;
pub mod case;
pub mod cases;
mod checks;
mod child;
pub mod clean;
pub mod clock;
pub mod dialect_table;
pub mod dialects;
pub mod error;
pub mod experiment;
pub mod export;
mod file_operation;
mod file_series;
mod filled;
pub mod fixture;
mod limit;
mod measuring;
mod memory;
mod mounts;
mod named_command;
pub mod number;
pub mod operation;
pub mod options;
mod passes;
pub mod place;
mod quota;
mod remote;
pub mod request;
pub mod share_name;
pub mod shortnames;
mod store;
pub mod suite;
pub mod system;
pub mod systems;
pub mod tables;
pub mod workers;

pub use bench::Context;
pub use case::Case;
pub use error::Error;
pub use experiment::experiment;
pub use named_command::NamedCommand;
pub use options::{Options, Parameter, Takes, Units};
pub use place::Ground;
pub use request::{Asked, Request};
pub use systems::System;
