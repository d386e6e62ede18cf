//! Where the events of an operation are found in a recording, by format.

use whyslow_etl::Guid;
use whyslow_etl::kernel::hooks::Hook;
use whyslow_model::Capability;
use whyslow_perfdata::TraceFormat;

use super::Operation;
use crate::payload::etw::{KernelEvent, ProviderEvent};
use crate::payload::perf;

/// Where the events of one operation are found.
#[derive(Debug)]
pub(crate) struct Source {
    /// The `used_for` text for them in the table `event_count`; problems name them so too.
    pub(crate) used_for: &'static str,
    /// The capability of a recording that has them.
    pub(crate) capability: Capability,
    /// Tracepoints of Linux.
    pub(crate) tracepoints: &'static [Tracepoint],
    /// Events of the Windows kernel.
    pub(crate) kernel_events: &'static [KernelEvents],
    /// Events of Windows manifest providers. They are ignored where the kernel has events of its
    /// own for the same operation.
    pub(crate) provider_events: &'static [ProviderEvents],
}

/// A tracepoint of Linux.
#[derive(Debug)]
pub(crate) struct Tracepoint {
    /// System and name, as `block:block_rq_issue`.
    pub(crate) name: &'static str,
    /// A recording without it lacks the capability.
    pub(crate) is_needed: bool,
    /// Finds the fields; `None` where the format lacks one that is needed.
    pub(crate) decoder: fn(&TraceFormat) -> Option<Decoder>,
}

/// Turns the payload of a tracepoint into an event; `None` where the payload is too short.
pub(crate) type Decoder = Box<dyn Fn(&perf::Tracepoint<'_>) -> Option<Operation>>;

/// Events of the Windows kernel.
#[derive(Debug)]
pub(crate) struct KernelEvents {
    /// The events.
    pub(crate) hooks: &'static [Hook],
    /// A recording with one of them has the capability.
    pub(crate) is_proof: bool,
    /// Turns a record into an event; `None` where its payload is too short.
    pub(crate) decode: fn(&KernelEvent<'_>) -> Option<Operation>,
}

/// Events of a Windows manifest provider.
#[derive(Debug)]
pub(crate) struct ProviderEvents {
    /// The provider.
    pub(crate) provider: Guid,
    /// Its events.
    pub(crate) ids: &'static [u16],
    /// A recording with one of them has the capability.
    pub(crate) is_proof: bool,
    /// Turns a record into an event; `None` where its payload is too short.
    pub(crate) decode: fn(&ProviderEvent<'_>) -> Option<Operation>,
}
