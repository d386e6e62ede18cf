//! How a cost grows: constant, steps, `a + b·nᵖ`, a bend, drift; its outliers and bursts; the verdict as a
//! sentence.
//!
//! The numbers may come from anywhere: nothing here measures, reads or prints.
//!
//! ```text
//! Series ─► bins (medians) ─► levels, growth ─► judge ─► Judgement ─► sentence
//! starts, durations ─► bursts
//! ```
//!
//! * [`Series`]: costs in the order they were paid, and the size *n* that each met;
//! * [`judge`]: from a series to a [`Judgement`], that is a [`Law`] and how sure it is;
//! * [`sentence`](sentence()): the judgement in words;
//! * [`bursts`]: outliers, how they cluster, and their rhythm;
//! * [`order`]: medians and percentiles of whole numbers.

#![forbid(unsafe_code)]

mod bins;
pub mod bursts;
mod growth;
mod law;
mod levels;
pub mod order;
mod sentence;
mod series;

pub use bins::count;
pub use growth::Growth;
pub use law::{Judgement, Law, is_settled, judge};
pub use levels::Step;
pub use sentence::{Wording, sentence};
pub use series::Series;
