//! Operations: things with a start and an end that become one row, such as a connection or a system call.
//!
//! A [`Tracker`] follows those of one kind. It takes neutral events, from any format, and pushes rows; it gets
//! the context of an event (time, thread) from a [`Scene`], which is the import. The import also decides which
//! records of a trace become which events.

#![forbid(unsafe_code)]

mod allocations;
mod call_samples;
mod datagrams;
mod disks;
mod dns;
mod file_requests;
mod files;
mod filters;
mod goroutines;
mod handles;
mod lookups;
mod notes;
mod pairs;
mod process_memory;
mod registry;
pub mod seen_tcp;
mod stalls;
mod stretches;
mod system_calls;
mod tcp;
mod tracker;

pub use allocations::{AllocationEvent, Allocations};
pub use call_samples::{CallSamples, SampledCall};
pub use datagrams::{DatagramEvent, Datagrams};
pub use disks::{DiskEvent, DiskPhase, DiskRequest, Disks, RequestKey};
pub use dns::{DnsMessage, DnsTold, ParsedDns, Questions, parse_dns, printable};
pub use file_requests::{FILE, FOLDER, FilePhase, FileRequest, FileRequestEvent, FileRequests};
pub use files::{CountedFileCalls, FileCalls, SingleFileCall, SingleFileCalls};
pub use filters::{FilterCalls, FilterEvent};
pub use goroutines::{Goroutines, SeenGoroutine};
pub use handles::{HandleEvent, HandlePhase, Handles};
pub use lookups::{Lookups, NameLookup};
pub use notes::{Exceptions, Marks, SetMark, ThrownException};
pub use pairs::Pairs;
pub use process_memory::{MemoryFigures, ProcessMemories, ProcessMemoryEvent};
pub use registry::{RegistryCalls, RegistryEvent};
pub use stalls::{MemoryEvent, MemoryPhase, Stalls};
pub use system_calls::{Calls, CountedCalls};
pub use tcp::{Connections, TcpEvent};
pub use tracker::{Scene, Tracker};
