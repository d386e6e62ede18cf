//! Operations: whatever has a start and an end and is one row, as a connection or a system call.
//!
//! A [`Tracker`] follows those of one kind. It takes neutral events, of whichever format, and pushes rows; what
//! is around an event (when it was, whose it was) it asks of a [`Scene`], which is the import. Which records of
//! a trace become which events is the import's part, too.

#![forbid(unsafe_code)]

mod call_samples;
mod dns;
mod files;
mod goroutines;
mod lookups;
mod pairs;
mod system_calls;
mod tcp;
mod tracker;

pub use call_samples::{CallSamples, SampledCall};
pub use dns::{DnsMessage, DnsTold, ParsedDns, Questions, parse_dns, printable};
pub use files::{CountedFileCalls, FileCalls, SingleFileCall, SingleFileCalls};
pub use goroutines::{Goroutines, SeenGoroutine};
pub use lookups::{Lookups, NameLookup};
pub use pairs::Pairs;
pub use system_calls::{Calls, CountedCalls};
pub use tcp::{Connections, TcpEvent};
pub use tracker::{Scene, Tracker};
