//! From a recording to an extract, and from an extract to the same extract with new names.
//!
//! ```text
//! perf.data ─ Reader ─ import_perf ┬─► ExtractWriter: runs ─ merge(settle) ─► raw tables
//! .etl ────── Reader ─ import_etl ─┘   facts ─► names ─► roll-ups ─► finish (rename)
//! ```
//!
//! [`Pipeline::extract`] does all of it, [`symbolize`] looks up names again, and an [`Exporter`] copies
//! extracts for others. All report to a [`Watch`](whyslow_model::Watch), which may stop them, and leave
//! nothing half-written.

#![forbid(unsafe_code)]

mod debug_package;
mod error;
mod etl_file;
mod export;
mod extract;
mod facts;
mod names;
pub mod place;
mod problems;
mod recordings;
mod redact;
mod symbolize;
mod watched;

pub use debug_package::debug_package;
pub use error::unwritable;
pub use export::Exporter;
pub use extract::{Extracted, Pipeline};
pub use names::{Lookup, Named, look_up, origin};
pub use recordings::recordings;
pub use symbolize::symbolize;
