//! Findings of a user's own, as data.
//!
//! ```text
//! FILE ─ document ─► TOML with lines ─ reader ─► rules ─ find ─► findings of an answer
//!                         └──── faults, with lines ◄──┘ └─ examples: the check without an extract
//! ```
//!
//! A rule asks one of the usual questions, keeps the rows that meet its conditions (those of `--where`), and makes
//! a finding of them: its own words, with values of the rows. What it asks is what the command in its evidence
//! asks, so a person sees the same rows.
//!
//! A rule cannot know whether what it counts lies on the path that mattered. Therefore its finding explains no time.

#![forbid(unsafe_code)]

mod about;
mod asked;
mod complete;
mod document;
mod examples;
mod fault;
mod find;
mod options;
mod reader;
mod rule;
mod rules;
mod wording;

pub use fault::{Fault, Faults};
pub use rules::Rules;

#[cfg(test)]
mod tests;
