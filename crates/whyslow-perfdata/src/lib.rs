//! Reader and writer of `perf.data`, the file format of `perf record` and of Whyslow's recorder.
//!
//! [`Reader`] takes files and streams (pipe mode), of either byte order, of 32- and 64-bit
//! machines, compressed or not, whole or truncated. It returns [`Record`]s in order of time,
//! borrowed from the bytes they were read into, and holds no more than a window of the file. Damage
//! is counted ([`Faults`]) and skipped; only a file that cannot be read at all is an [`Error`].
//!
//! ```no_run
//! use whyslow_perfdata::{Reader, RecordBody};
//!
//! let mut reader = Reader::open("perf.data".as_ref())?;
//! while let Some(record) = reader.next_record()? {
//!     if let RecordBody::Sample(sample) = record.body {
//!         println!("{:?} {:?}: {} frames", record.time_ns, record.tid, sample.callchain.len());
//!     }
//! }
//! for fault in reader.faults().iter() {
//!     println!("{fault}");
//! }
//! # Ok::<(), Box<whyslow_perfdata::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

pub mod abi;
mod attr;
mod body;
mod build_id;
mod counters;
mod endian;
mod error;
mod event;
mod facts;
mod fault;
mod features;
mod head;
mod header;
mod inflate;
mod intake;
mod layout;
mod mapping;
mod out_of_band;
pub mod payload;
mod print_format;
mod reader;
mod record;
pub mod record_options;
mod registers;
mod resync;
mod sample;
mod trace_format;
mod tracing_data;
pub mod whyslow_events;
mod window;
mod words;
pub mod writer;

pub use attr::Attr;
pub use body::{RecordBody, Task};
pub use build_id::BuildId;
pub use counters::{Counter, Counters};
pub use endian::Endian;
pub use error::{Error, ErrorKind};
pub use event::{Event, EventIndex};
pub use fault::{Fault, FaultKind, Faults};
pub use features::{ClockData, Compression, Features};
pub use head::ReadSeek;
pub use mapping::{Inode, Mmap};
pub use print_format::SwitchStates;
pub use reader::Reader;
pub use record::Record;
pub use registers::{Registers, UserStack};
pub use sample::{Extras, Sample};
pub use trace_format::{Dynamic, Field, TraceFormat};
pub use words::{Callchain, Words};

/// The examples of the README are compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
