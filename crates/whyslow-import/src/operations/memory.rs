//! Where memory stalls are found in a recording.

mod perf;

use whyslow_model::Capability;
use whyslow_operations::{MemoryEvent, MemoryPhase};

use super::source::Source;

/// Where memory stalls are found in a recording.
pub(super) const SOURCE: Source = Source {
    used_for: "memory stalls",
    capability: Capability::MemoryStalls,
    tracepoints: perf::TRACEPOINTS,
    kernel_events: &[],
    provider_events: &[],
};
