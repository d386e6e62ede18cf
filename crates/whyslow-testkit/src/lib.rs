//! Traces for tests.
//!
//! Windows ETW traces come from an independent writer: every byte is written by hand, from the same
//! public sources as the reader but without any of its code. Tables come as literals.
//!
//! * [`Trace`], [`Header`], [`Buffer`]: whole files of any kind: clocks, pointer sizes, compressed,
//!   wrapped, unclosed, preallocated, merged, split.
//! * [`system`], [`perfinfo`], [`full`], [`Manifest`] …: events by their header; [`payload`]: the
//!   kernel's payloads for them.
//! * [`ScriptedMachine`]: processors and threads that follow a script, and the states of every
//!   thread that an import of the written trace must find.
//! * [`Literal`], [`random_trace`], [`nonsense`], [`damage`]: tables as an extract holds them:
//!   written by hand, random and broken.

#![forbid(unsafe_code)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "for tests only: a script that makes no sense stops them"
)]

mod bytes;
mod chance;
mod compress;
mod event;
mod file;
mod file_script;
mod literal;
mod nonsense;
mod packed;
pub mod payload;
mod random;
mod random_trace;
mod scripted_machine;
mod states;

pub use bytes::Bytes;
pub use compress::compress;
pub use event::{Manifest, compact, full, instance, message, narrow, perfinfo, system};
pub use file::{Buffer, Filler, Header, START_TIME, T0, Trace};
pub use file_script::{FileAsk, FileScript, FileTold};
pub use literal::{Literal, MS};
pub use nonsense::{damage, nonsense};
pub use random::Random;
pub use random_trace::random_trace;
pub use scripted_machine::{Leaves, ScriptedMachine, Start, Switching};
pub use states::{Interval, State, Waker};
