//! Operations: anything that has a start and an end and becomes one row, such as a request to a
//! disk.
//!
//! ```text
//! record ─decoder of its format→ Operation ─tracker: pairs start and end→ row
//! ```
//!
//! Each kind of operation is a file here or in [`whyslow_operations`], with its neutral event and
//! its tracker, and beside it a decoder for each format. The rest of the import knows only the list
//! below; the row, its codes and its capability are described in
//! [`whyslow_model::tables::recorded`].

mod disks;
mod memory;
mod source;

use whyslow_model::Capability;
use whyslow_operations::{
    Allocations, CallSamples, Calls, Connections, Datagrams, Disks, Exceptions, FileCalls,
    FileRequests, FilterCalls, Goroutines, Handles, Lookups, Marks, ProcessMemories, Questions,
    RegistryCalls, SingleFileCalls, Stalls,
};

pub(crate) use source::{Decoder, KernelEvents, ProviderEvents, Source, Tracepoint};
pub use whyslow_operations::{
    AllocationEvent, CountedCalls, CountedFileCalls, DatagramEvent, DiskEvent, DiskPhase,
    DiskRequest, DnsMessage, FileRequestEvent, FilterEvent, HandleEvent, MemoryEvent,
    MemoryFigures, MemoryPhase, NameLookup, ProcessMemoryEvent, RegistryEvent, RequestKey,
    SampledCall, SeenGoroutine, SetMark, SingleFileCall, TcpEvent, ThrownException,
};
pub(crate) use whyslow_operations::{Scene, Tracker};

use crate::limits::Limits;

macro_rules! operations {
    ($($(#[doc = $doc:literal])* $name:ident($event:ident) $field:ident: $tracker:ty = $source:expr,)*) => {
        /// The start or the end of an operation.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Operation { $($(#[doc = $doc])* $name($event),)* }

        $(impl From<$event> for Operation {
            fn from(event: $event) -> Self {
                Self::$name(event)
            }
        })*

        /// The trackers of all operations.
        #[derive(Debug)]
        pub(crate) struct Operations { $($field: $tracker,)* }

        impl Operations {
            /// Returns trackers that have seen nothing.
            pub(crate) fn new(limits: &Limits) -> Self {
                Self { $($field: Tracker::new(limits.open_operations),)* }
            }

            /// Passes an event to its tracker.
            pub(crate) fn event(&mut self, operation: &Operation, scene: &mut dyn Scene) {
                match operation { $(Operation::$name(event) => self.$field.event(event, scene),)* }
            }

            /// Notes that events were lost.
            pub(crate) fn loss(&mut self) {
                $(self.$field.loss();)*
            }

            /// Ends the trace.
            pub(crate) fn end(&mut self, scene: &mut dyn Scene) {
                $(self.$field.end(scene);)*
            }
        }

        /// Where operations are found in a recording.
        pub(crate) const SOURCES: &[Source] = &[$($source,)*];
    };
}

/// Source of operations whose records a frontend decodes with state of its own.
const fn own(used_for: &'static str, capability: Capability) -> Source {
    Source {
        used_for,
        capability,
        tracepoints: &[],
        kernel_events: &[],
        provider_events: &[],
    }
}

operations! {
    /// A request to a disk.
    Disk(DiskEvent) disks: Disks = disks::SOURCE,
    /// System calls of a thread.
    SystemCalls(CountedCalls) calls: Calls = own("system calls", Capability::SystemCalls),
    /// A sampled system call, with its place.
    CallSample(SampledCall) samples: CallSamples = own("places of system calls", Capability::SystemCalls),
    /// What a goroutine did.
    Goroutine(SeenGoroutine) goroutines: Goroutines = own("goroutines", Capability::Goroutines),
    /// Calls of a thread on a file.
    FileCalls(CountedFileCalls) files: FileCalls = own("files", Capability::Files),
    /// A single call on a file.
    SingleFileCall(SingleFileCall) single_file_calls: SingleFileCalls = own("files", Capability::SingleFileCalls),
    /// A request to a file system.
    FileRequest(FileRequestEvent) file_requests: FileRequests = own("files", Capability::Files),
    /// A call of a mini-filter.
    Filter(FilterEvent) filters: FilterCalls = own("mini-filters", Capability::FilterCalls),
    /// An operation on the registry.
    Registry(RegistryEvent) registry: RegistryCalls = own("registry", Capability::Registry),
    /// Memory that a process got or gave back.
    Allocation(AllocationEvent) allocations: Allocations = own("memory", Capability::Allocations),
    /// How much memory a process has.
    ProcessMemory(ProcessMemoryEvent) process_memories: ProcessMemories = own("memory", Capability::ProcessMemory),
    /// A handle that was opened, listed or closed.
    Handle(HandleEvent) handles: Handles = own("handles", Capability::Handles),
    /// An exception of a .NET program.
    Exception(ThrownException) exceptions: Exceptions = own("exceptions", Capability::Exceptions),
    /// A mark.
    Mark(SetMark) marks: Marks = own("marks", Capability::Marks),
    /// A TCP connection.
    Tcp(TcpEvent) connections: Connections = own("connections", Capability::Connections),
    /// A datagram (UDP).
    Datagram(DatagramEvent) datagrams: Datagrams = own("datagrams", Capability::Datagrams),
    /// A message to a name server or from one.
    Dns(DnsMessage) questions: Questions = own("names", Capability::DnsQueries),
    /// A look-up of a name by the C library.
    Lookup(NameLookup) lookups: Lookups = own("names", Capability::NameLookups),
    /// A stall because memory was short.
    Memory(MemoryEvent) memory: Stalls = memory::SOURCE,
}
