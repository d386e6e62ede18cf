//! Recordings in any form: files, pipes, archives. What wrote them and what they contain is not
//! this crate's business.
//!
//! ```text
//! paths ─ archive::open ─► Opened { files: [Part] } ─ kind ─► the reader of that format
//! ```
//!
//! [`Error`] is the only error type of all work on recordings: it says what could not be done to
//! which file, where, why, and what to do about it.

#![deny(unsafe_code)]

pub mod archive;
mod error;
mod part;
mod pipe;
mod trace_id;

pub use error::{Error, ErrorKind};
pub use part::{Part, RecordingKind, kind, looks_recorded, metadata};
pub use trace_id::{joined_id, trace_id};
