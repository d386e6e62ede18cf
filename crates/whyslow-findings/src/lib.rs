//! What a finding is, and how much each of several explains.
//!
//! ```text
//! detector ─► drafts ─► ranking ─► findings, in order, each below what explains it
//! ```
//!
//! A detector drafts findings from a [`Story`](whyslow_story::story::Story). [`ranking::ranked`] compares the drafts: time
//! is explained once; [`looked_up`] has details about names for them. [`finding`] has their data; the sentences are made of it where an answer is put into words.

pub mod detector;
pub mod finding;
mod key;
pub mod looked_up;
mod marked;
pub mod ranking;

pub use finding::Finding;
