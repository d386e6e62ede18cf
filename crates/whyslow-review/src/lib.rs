//! Findings beyond a single answer: those that somebody accepted, and the same one over many recordings.
//!
//! * [`Accepted`]: a reviewed file, `.whyslow-ignore`, says which findings are known, why that is all right, and until
//!   when;
//! * [`Across`]: which findings many recordings have in common.

#![forbid(unsafe_code)]

mod accepted;
mod across;

pub use accepted::{Accepted, Fault};
pub use across::{Across, Common, Range};
