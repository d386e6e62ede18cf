//! Where the events of an operation are found in a recording, format by format.

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
    /// What the table `event_count` says they are used for; problems name them so too.
    pub(crate) used_for: &'static str,
    /// What a recording with them holds.
    pub(crate) capability: Capability,
    /// Tracepoints of Linux.
    pub(crate) tracepoints: &'static [Tracepoint],
    /// Events of the Windows kernel.
    pub(crate) kernel_events: &'static [KernelEvents],
    /// Events of manifests' providers of Windows. What the kernel has events of its own of is taken
    /// from those alone.
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
    /// Which.
    pub(crate) hooks: &'static [Hook],
    /// A recording with one of them has the capability.
    pub(crate) is_proof: bool,
    /// Turns a record into an event; `None` where its payload is too short.
    pub(crate) decode: fn(&KernelEvent<'_>) -> Option<Operation>,
}

/// Events of a Windows manifest provider.
#[derive(Debug)]
pub(crate) struct ProviderEvents {
    /// Whose.
    pub(crate) provider: Guid,
    /// Which.
    pub(crate) ids: &'static [u16],
    /// A recording with one of them has the capability.
    pub(crate) is_proof: bool,
    /// Turns a record into an event; `None` where its payload is too short.
    pub(crate) decode: fn(&ProviderEvent<'_>) -> Option<Operation>,
}
