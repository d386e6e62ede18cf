//! Pages made from the program's own definitions: its commands with all options, and what columns mean.
//!
//! * [`markdown()`] makes `docs/commands.md`;
//! * [`columns`] explains the columns of questions, and of the tables of an extract, as tables.

#![forbid(unsafe_code)]

pub mod columns;
mod markdown;

pub use markdown::markdown;
