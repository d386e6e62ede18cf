//! An independent writer of Windows ETW traces, for tests: every byte by hand, from the same public
//! sources as the reader but without a line of it, and dependent on nothing of ours.
//!
//! * [`Trace`], [`Header`], [`Buffer`]: whole files of any kind: clocks, widths, compressed, wrapped,
//!   unclosed, preallocated, merged, split.
//! * [`system`], [`perfinfo`], [`full`], [`Manifest`] …: events by their header; [`payload`]: what the
//!   kernel puts into them.
//! * [`Machine`]: processors and threads as a script moves them, and the states of every thread that
//!   an import of the written trace must find.

#![forbid(unsafe_code)]
#![expect(
    clippy::unwrap_used,
    reason = "for tests only: a script that makes no sense stops them"
)]

mod bytes;
mod chance;
mod compress;
mod event;
mod file;
mod machine;
mod packed;
pub mod payload;
mod random;
mod states;

pub use bytes::Bytes;
pub use compress::compress;
pub use event::{Manifest, compact, full, instance, message, narrow, perfinfo, system};
pub use file::{Buffer, Filler, Header, START_TIME, T0, Trace};
pub use machine::{Leaves, Machine, Start, Switching};
pub use random::Random;
pub use states::{Interval, State, Waker};
