//! Reader of Windows ETW traces (`.etl`), on any system.
//!
//! [`Reader`] takes a [`Source`] of bytes and returns every event as a borrowed [`Record`], in
//! exact order of time. It holds no more than a window of each buffer that overlaps in time. It
//! reads traces of 32- and 64-bit machines and mixtures, compressed or not, relogged, merged,
//! circular and wrapped, unclosed, preallocated and truncated ones. Damage is counted ([`Faults`])
//! and skipped; only a file that is not a trace is an [`Error`].
//!
//! ```no_run
//! use std::fs::File;
//! use whyslow_etl::kernel::{self, hooks::perf_info};
//! use whyslow_etl::{FileSource, Reader};
//!
//! let mut reader = Reader::new(FileSource::new(File::open("trace.etl")?)?)?;
//! let clock = reader.clock();
//! while let Some(record) = reader.next_record()? {
//!     if kernel::hook(&record).is_some_and(|(hook, _)| hook == perf_info::SAMPLE) {
//!         println!("{} ns, cpu {}: a CPU sample", clock.ns(record.raw_time), record.cpu);
//!     }
//! }
//! for fault in reader.faults().iter() {
//!     println!("{fault}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`decode`] names any event and its fields, wherever its description comes from.
//!
//! Below it, a payload is decoded if its layout is known. [`kernel`] has tables and types of the
//! kernel's events and of those that merges add. [`tracelogging`] reads events that describe
//! themselves, [`schema`] and [`manifest`] those that the trace describes elsewhere. [`providers`]
//! has descriptions of well-known events that the trace does not describe. All return borrowed
//! [`Value`]s by name.
//!
//! # Where the facts come from
//!
//! Microsoft documents neither the file format nor most headers. The facts here come from public
//! definitions (`ntwmi.h` of System Informer and the TraceEvent library, both MIT; MS-XCA for the
//! compression; MSDN for the session header and the classes of kernel events). They were checked on
//! 42 real traces of Windows 7 to 11 (build 26100) from public repositories. Each module names its
//! sources. No real trace had compact, instance, error and message headers, counters in headers, a
//! wrapped file, context switches, ready threads, file operations, registry or virtual-memory
//! events: these are tested on single real payloads or on synthetic traces only. Packed switches
//! and cached samples are tested on synthetic traces only; handles, objects and ALPC follow the
//! public definitions.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod ahead;
mod buffer;
mod bytes;
mod clock;
mod cursor;
pub mod decode;
mod error;
mod extended;
mod fault;
mod foreign;
mod guid;
mod head;
mod index;
pub mod kernel;
pub mod manifest;
pub mod paths;
mod pointer;
pub mod providers;
mod reader;
mod record;
mod run;
pub mod schema;
mod session;
mod source;
mod stored;
mod text;
pub mod tracelogging;
mod value;
mod xpress;

pub use clock::{Clock, ClockKind, FileTime};
pub use error::{Error, ErrorKind};
pub use extended::{Extended, Items};
pub use fault::{Fault, FaultKind, Faults};
pub use guid::Guid;
pub use head::HeaderKind;
pub use pointer::{PointerSize, Pointers};
pub use reader::{Reader, is_trace};
pub use record::{Descriptor, Identity, Record};
pub use session::{LogMode, Session, TimeZone, ZoneDate};
pub use source::{FileSource, Source};
pub use text::{Ansi, Utf16};
pub use value::Value;

/// The examples of the README are compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
