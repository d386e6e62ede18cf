#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! ```text
//! text of a file ─► numbers ─┐
//!                            ├► Series ─► bins ─► curves, levels ─► judge ─► Judgement ─► sentence
//! what you measured ─────────┘
//! starts, durations ─► bursts
//! ```
//!
//! * [`Series`]: costs in the order they were paid, and the size *n* that each met;
//! * [`judge`]: from a series to a [`Judgement`], that is a [`Law`] and how sure it is;
//! * [`sentence`](sentence()): the judgement in words;
//! * [`numbers`]: series in the text of a file;
//! * [`modes`](modes()): bands of costs, where there are several kinds of operations;
//! * [`bursts`]: outliers, how they cluster, and their rhythm;
//! * [`order`]: medians and percentiles of whole numbers.

#![forbid(unsafe_code)]

mod agree;
mod bins;
pub mod bursts;
mod curve;
mod describe;
mod figures;
mod growth;
mod judge;
mod law;
mod levels;
mod measure;
mod modes;
pub mod numbers;
pub mod order;
mod paid;
mod periodic;
mod sentence;
mod series;
mod tail;

pub use bins::count;
pub use growth::Growth;
pub use judge::{is_settled, judge};
pub use law::{
    Bend, Check, Exponential, GrowthWithStep, Judgement, Law, LevelsOff, Open, Periodic, Rise,
    Tail, WarmUp,
};
pub use levels::Step;
pub use measure::Measure;
pub use modes::{Mode, Modes, modes};
pub use paid::Paid;
pub use sentence::{Wording, sentence};
pub use series::Series;
